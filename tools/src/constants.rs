//! The constants of the C library that list the core's tables.

use franking::{API_LIST, Code, DEFAULT_LIST, ENUMERATIONS, Operation, Rule, WarningKind};

use crate::words::{about, family, upper};

/// One file of Rust, formatted as rustfmt does.
pub(crate) fn write() -> String {
    let mut out = String::from(
        "//! Generated from the core's tables by `cargo run -p franking-tools -- header`: do not edit.\n",
    );
    version(&mut out);
    let mut put = |name: &str, kind: &str, number: u32, about: &str| {
        out.push_str(&format!(
            "\n/// {about}\npub const FRANKING_{name}: {kind} = {number};\n"
        ));
    };
    for enumeration in ENUMERATIONS {
        for word in enumeration.words {
            let name = format!("{}_{}", family(enumeration), upper(word.identifier));
            let kind = if enumeration.name == "DomainRole" {
                "u8"
            } else {
                "i32"
            };
            put(&name, kind, word.number.into(), &about(enumeration, word));
        }
    }
    put(
        "CODE_SUCCESS",
        "i32",
        Code::SUCCESS.number().into(),
        "The call was accepted. For a refused call, the rule says more than the code: many rules can have the same code.",
    );
    out
}

fn version(out: &mut String) {
    let parts = [
        ("MAJOR", env!("CARGO_PKG_VERSION_MAJOR")),
        ("MINOR", env!("CARGO_PKG_VERSION_MINOR")),
        ("PATCH", env!("CARGO_PKG_VERSION_PATCH")),
    ];
    let mut number = 0_u32;
    for (name, part) in parts {
        let value: u32 = part.parse().unwrap_or_default();
        number = number * 1000 + value;
        out.push_str(&format!(
            "\n/// Part of the header's version.\npub const FRANKING_VERSION_{name}: u32 = {value};\n"
        ));
    }
    out.push_str(&format!(
        "\n/// The header's version as one number: major * 1000000 + minor * 1000 + patch.\n\
         pub const FRANKING_VERSION_NUMBER: u32 = {number};\n"
    ));
}

/// The constants that are texts, as macros, because cbindgen does not write such constants.
pub(crate) fn texts() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "/** The header's version. */\n#define FRANKING_VERSION \"{version}\"\n\n\
         /** The list into which sendMailer puts a new subscriber unless listName names another. */\n\
         #define FRANKING_DEFAULT_LIST \"{DEFAULT_LIST}\"\n\n\
         /** The list into which httpSendMail puts every address used. */\n\
         #define FRANKING_API_LIST \"{API_LIST}\"\n"
    )
}

/// The texts of the tables, each closed by a NUL, in order: one file of Rust, formatted as rustfmt does.
pub(crate) fn closed_texts() -> String {
    let rules = Rule::ALL.iter();
    let rules = rules.flat_map(|rule| [rule.identifier(), rule.meaning(), rule.remedy()]);
    let kinds = WarningKind::ALL.iter();
    let warnings = kinds.flat_map(|kind| [kind.identifier(), kind.meaning()]);
    let operations = Operation::ALL.iter().copied().flat_map(|operation| {
        let codes = Code::all(operation).filter_map(move |code| code.meaning(operation));
        let sunset = operation.deprecation().map(|own| own.sunset);
        codes.chain([operation.name()]).chain(sunset)
    });
    let mut texts: Vec<&str> = rules.chain(warnings).chain(operations).collect();
    texts.sort_unstable();
    texts.dedup();
    let mut out = String::from(
        "//! Generated from the core's tables by `cargo run -p franking-tools -- header`: do not edit.\n\n\
         /// The texts of the tables as strings of C, in the order of the texts.\n\
         pub(crate) static CLOSED: &[&str] = &[\n",
    );
    for text in texts {
        out.push_str(&format!("    {:?},\n", format!("{text}\0")));
    }
    out + "];\n"
}
