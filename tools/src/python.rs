//! python/src/franking/_enums.py: the enumerations of the core as those of Python.

use franking::Enumeration;

use crate::words::{codes, enumeration, upper};

/// What is written by hand, and lines that say what stands in their place:
/// `#: members NAME [without WORD]`, `#: class NAME(BASE)` and `#: codes`.
const TEMPLATE: &str = include_str!("enums.py");

pub(crate) fn write() -> Result<String, String> {
    let mut out = String::new();
    for line in TEMPLATE.lines() {
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
            _ => return Err(format!("enums.py: nobody knows {order}")),
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
        // These say more of themselves, by properties.
        if !matches!(enumeration.name, "Rule" | "WarningKind") {
            out.push_str(&text(word.about));
        }
    }
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
