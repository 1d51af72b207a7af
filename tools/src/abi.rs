//! ffi/abi.txt: what a program that was built against the library relies on. A line that goes or changes is a break.

use crate::header::c_name;
use crate::layout::Structure;

pub(crate) fn write(header: &str, structures: &[Structure]) -> String {
    let mut out = String::from(
        "# The ABI of libfranking where a pointer has 8 bytes. Generated: cargo run -p franking-tools -- header\n\
         # Within one major version lines are only added, and structures that say their size grow at their end.\n\n# Structures: name, size, members with offsets\n",
    );
    for structure in structures {
        let members: Vec<String> = structure
            .members
            .iter()
            .map(|(member, offset)| format!("{member} {offset}"))
            .collect();
        let name = c_name(&structure.name);
        out.push_str(&format!(
            "struct {name} {} : {}\n",
            structure.size,
            members.join(", ")
        ));
    }
    out.push_str("\n# Constants\n");
    for line in header.lines() {
        let mut words = line.split_whitespace();
        let (Some("#define"), Some(name), Some(value)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let is_version = name.starts_with("FRANKING_VERSION");
        if value.starts_with(|c: char| c.is_ascii_digit() || c == '"') && !is_version {
            out.push_str(&format!("const {name} {value}\n"));
        }
    }
    out.push_str("\n# Functions\n");
    for declaration in functions(header) {
        out.push_str(&format!("{declaration}\n"));
    }
    out
}

/// Every declaration of a function, on one line, in the order of their names.
fn functions(header: &str) -> Vec<String> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut current: Option<String> = None;
    for line in header.lines() {
        let starts = line.contains(" franking_") || line.contains(" *franking_");
        let is_code = !line.starts_with([' ', '#', '/', '}', '*'])
            && !line.starts_with("typedef")
            && !line.starts_with("static");
        if current.is_none() && starts && is_code && line.contains('(') {
            current = Some(String::new());
        }
        if let Some(text) = &mut current {
            text.push_str(line.trim());
            text.push(' ');
            if line.ends_with(';') {
                let text = current.take().unwrap_or_default();
                let name = text.split('(').next().unwrap_or_default();
                let name = name.rsplit([' ', '*']).next().unwrap_or_default();
                found.push((name.to_owned(), text.trim().to_owned()));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, text)| text).collect()
}
