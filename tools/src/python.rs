//! The enumerations and records of the core as those of Python.

use franking::{Enumeration, Field, Kind};

use crate::records::record;
use crate::words::{codes, enumeration, upper};

/// Files of the package, each with a template that is written by hand. These lines of a template are replaced: `#: members
/// NAME [without WORD]`, `#: class NAME(BASE)` and `#: codes` of enumerations, `#: fields NAME` and `#: properties NAME` of
/// records.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("_enums.py", include_str!("enums.py")),
    ("_rows.py", include_str!("rows.py")),
    ("_franking.pyi", include_str!("franking.pyi")),
];

pub(crate) fn write(template: &str) -> Result<String, String> {
    let mut out = String::new();
    for line in template.lines() {
        let Some(order) = line.trim_start().strip_prefix("#: ") else {
            out.push_str(&format!("{line}\n"));
            continue;
        };
        match *order.split([' ', '(']).collect::<Vec<_>>() {
            ["codes"] => {
                for (name, number) in codes() {
                    out.push_str(&format!("    {name} = {number}\n"));
                }
            }
            ["members", name] => members(&mut out, &enumeration(name)?, ""),
            ["members", name, "without", word] => members(&mut out, &enumeration(name)?, word),
            ["class", name, base] => {
                let own = enumeration(name)?;
                out.push_str(&format!("@final\nclass {name}({base}:\n"));
                out.push_str(&text(own.about));
                out.push('\n');
                members(&mut out, &own, "");
            }
            ["fields", name] => {
                for field in record(name)?.fields {
                    out.push_str(&format!("    {}: {}\n", name_of(field), type_of(field)?));
                    out.push_str(&text(&match field.absent {
                        Some(when) => format!("{} `None`: {when}.", field.about),
                        None => field.about.to_owned(),
                    }));
                }
            }
            ["properties", name] => {
                for field in record(name)?.fields {
                    let (name, of) = (name_of(field), type_of(field)?);
                    out.push_str(&format!(
                        "    @property\n    def {name}(self) -> {of}: ...\n"
                    ));
                }
            }
            _ => return Err(format!("nobody knows {order}")),
        }
    }
    Ok(out)
}

fn members(out: &mut String, enumeration: &Enumeration, without: &str) {
    for word in enumeration.words.iter().filter(|word| word.name != without) {
        let name = upper(word.identifier);
        let value = match enumeration.name {
            "Phase" | "Event" | "DomainRole" => word.number.to_string(),
            _ => format!("{:?}", word.name),
        };
        out.push_str(&format!("    {name} = {value}\n"));
        // The members of these two describe themselves by properties.
        if !matches!(enumeration.name, "Rule" | "WarningKind") {
            out.push_str(&text(word.about));
        }
    }
}

/// The name of a field in Python, which is another one if the name is a keyword of Python's.
fn name_of(field: &Field) -> &'static str {
    match field.name {
        "from" => "from_address",
        name => name,
    }
}

fn type_of(field: &Field) -> Result<String, String> {
    let of = match field.kind {
        Kind::Word(of) => of.to_owned(),
        Kind::Code => "Code".to_owned(),
        Kind::Number | Kind::Id | Kind::Position => "int".to_owned(),
        Kind::Text => "str".to_owned(),
        Kind::Texts => "tuple[str, ...]".to_owned(),
        Kind::Span => "tuple[int, int]".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Rows("Field") => "dict[str, str]".to_owned(),
        Kind::Rows(of) => format!("Sequence[{of}]"),
        _ => return Err(format!("Python has no type for {}", field.name)),
    };
    Ok(match field.absent {
        Some(_) => format!("{of} | None"),
        None => of,
    })
}

/// A docstring of a class or a member, in lines of at most 110 characters.
fn text(about: &str) -> String {
    let mut out = String::from("    \"\"\"");
    let mut width = out.len();
    for (index, word) in about.split(' ').enumerate() {
        // Three characters close it.
        if width + word.len() + 4 > 110 {
            out.push_str("\n    ");
            width = 4;
        } else if index > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += word.len();
    }
    out + "\"\"\"\n"
}
