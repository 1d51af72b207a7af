//! The layouts that ffi/src/layout.rs asserts, read for the header and for ffi/abi.txt.

use std::path::Path;

use crate::header::c_name;

/// A structure: its name in Rust, its size, and its members with their offsets.
pub(crate) struct Structure {
    pub(crate) name: String,
    pub(crate) size: usize,
    pub(crate) members: Vec<(String, usize)>,
}

pub(crate) fn read(root: &Path) -> Result<Vec<Structure>, String> {
    let path = root.join("ffi/src/layout.rs");
    let source =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (_, table) = source
        .split_once("\nlayout! {\n")
        .ok_or("layout.rs has no table")?;
    let mut words = table.split_whitespace().peekable();
    let mut structures = Vec::new();
    // module name size { member offset ... }
    while let Some(module) = words.next() {
        if module == "}" {
            return Ok(structures);
        }
        let mut word = || words.next().ok_or("layout.rs ends within a structure");
        let (name, size, open) = (word()?, word()?, word()?);
        let mut structure = Structure {
            name: name.to_owned(),
            size: number(size)?,
            members: Vec::new(),
        };
        if open != "{" {
            return Err(format!("layout.rs: no members of {name}"));
        }
        loop {
            match word()? {
                "}" => break,
                member => structure
                    .members
                    .push((member.to_owned(), number(word()?)?)),
            }
        }
        structures.push(structure);
    }
    Err("layout.rs has no end".to_owned())
}

/// Checks that each structure that a header declares has a layout, so that `ffi/abi.txt` and the assertions have all of them.
pub(crate) fn check_all(declarations: &str, structures: &[Structure]) -> Result<(), String> {
    let mut names = declarations
        .lines()
        .filter_map(|line| line.strip_prefix("} ")?.strip_suffix(';'));
    let has_layout = |name: &str| structures.iter().any(|own| c_name(&own.name) == name);
    match names.find(|name| !has_layout(name)) {
        None => Ok(()),
        Some(name) => Err(format!("layout.rs has no line for {name}")),
    }
}

fn number(word: &str) -> Result<usize, String> {
    word.parse()
        .map_err(|_| format!("layout.rs: {word} is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_that_a_header_declares_and_that_has_no_layout_is_an_error() {
        let text = Structure {
            name: "FrankingText".to_owned(),
            size: 16,
            members: Vec::new(),
        };
        let declared = "typedef struct {\n    size_t len;\n} franking_text;\n";
        assert_eq!(check_all(declared, &[text]), Ok(()));
        let missing = "layout.rs has no line for franking_text".to_owned();
        assert_eq!(check_all(declared, &[]), Err(missing));
    }
}
