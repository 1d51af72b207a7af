//! The layouts that ffi/src/layout.rs asserts, read for the header and for ffi/abi.txt.

use std::path::Path;

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

fn number(word: &str) -> Result<usize, String> {
    word.parse()
        .map_err(|_| format!("layout.rs: {word} is not a number"))
}
