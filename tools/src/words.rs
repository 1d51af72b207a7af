//! The enumerations of the core, as C, C++ and Python have them.

use franking::{Code, ENUMERATIONS, Enumeration, Operation, Rule, Word};

use crate::header::c_name;

/// The enumeration with a name.
pub(crate) fn enumeration(name: &str) -> Result<Enumeration, String> {
    let found = ENUMERATIONS.iter().find(|own| own.name == name);
    found
        .copied()
        .ok_or_else(|| format!("there is no enumeration {name}"))
}

/// The beginning of the names of an enumeration's constants in C, after FRANKING.
pub(crate) fn family(enumeration: &Enumeration) -> String {
    match enumeration.name {
        "HttpOutcome" => "HTTP".to_owned(),
        "WarningKind" => "WARNING".to_owned(),
        name => upper(name),
    }
}

/// `HtmlNotUtf8` becomes `HTML_NOT_UTF8`.
pub(crate) fn upper(identifier: &str) -> String {
    c_name(identifier).to_ascii_uppercase()
}

/// The description of a constant of C.
pub(crate) fn about(enumeration: &Enumeration, word: &Word) -> String {
    match (enumeration.name, Rule::from_identifier(word.name)) {
        ("Rule", Some(rule)) => {
            let codes = Operation::ALL.iter().filter_map(|operation| {
                Some(format!("{} {}", operation.name(), rule.code(*operation)?))
            });
            let codes = codes.collect::<Vec<_>>().join(", ");
            format!("{}: {} ({codes}).", word.name, word.about)
        }
        ("WarningKind", _) => format!("{}: {}.", word.name, word.about),
        ("DomainRole", _) => format!("{} One bit of a set.", word.about),
        _ => word.about.to_owned(),
    }
}

/// The codes that the interface lists, each by its first meaning, without the part in brackets.
pub(crate) fn codes() -> Vec<(String, u16)> {
    let mut codes: Vec<Code> = Operation::ALL.iter().copied().flat_map(Code::all).collect();
    codes.sort_unstable();
    codes.dedup();
    let name = |code: &Code| {
        let mut meanings = Operation::ALL.iter();
        let meaning = meanings.find_map(|operation| code.meaning(*operation))?;
        let words = meaning.split(" (").next()?;
        let words = words.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_uppercase)
            .collect();
        Some((words.join("_"), code.number()))
    };
    codes.iter().filter_map(name).collect()
}
