//! Checks which modules of a crate import which, and that each imports only modules of lower layers. The crates of the
//! workspace use it, each with its own layers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// For each module, the modules that it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The layers, the lowest first.
type Layers<'a> = &'a [&'a [&'a str]];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The part of a file that is shipped: without comments, and without its tests, which come last.
fn shipped(text: &str) -> String {
    let tests = ["#[cfg(test)]\nmod ", "#[cfg(test)]\n#["];
    let end = tests.iter().filter_map(|start| text.find(start)).min();
    let code = &text[..end.unwrap_or(text.len())];
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// The names after `crate::` in a text.
fn imported(code: &str) -> BTreeSet<String> {
    assert!(
        !code.contains("crate::{"),
        "one `use` for each module, so that this test can read them"
    );
    let is_name = |c: &char| c.is_ascii_lowercase() || *c == '_';
    code.split("crate::")
        .skip(1)
        .map(|rest| rest.chars().take_while(is_name).collect())
        .collect()
}

/// For each module below a folder, the modules that it imports. A folder and the file of the same name are one module.
/// Imports that only tests need are left out.
fn imports(root: &Path) -> Imports {
    let mut files = Vec::new();
    sources(root, &mut files);
    let mut imports = Imports::new();
    for file in files {
        let path = file.strip_prefix(root).unwrap().with_extension("");
        let mut parts = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned());
        if parts.any(|name| name == "tests" || name.ends_with("_tests")) {
            continue;
        }
        let module = path.components().next().unwrap();
        let module = module.as_os_str().to_string_lossy().into_owned();
        if module == "lib" {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let own = imports.entry(module.clone()).or_default();
        own.extend(imported(&shipped(&text)));
        own.remove(&module);
    }
    imports
}

/// The imports of a higher layer or of the module's own layer. Items of the root, such as the types that it exports, are not
/// modules.
fn reaching_up(layers: Layers<'_>, imports: &Imports) -> Vec<String> {
    let layer_of = |module: &str| layers.iter().position(|layer| layer.contains(&module));
    let mut found = Vec::new();
    for (module, imported) in imports {
        for other in imported {
            if layer_of(other).is_some() && layer_of(other) >= layer_of(module) {
                found.push(format!("{module} imports {other}"));
            }
        }
    }
    found
}

/// Checks that each module of a crate is in one layer, and imports only modules of lower layers. `within` lists the imports
/// within a layer that are allowed.
pub(crate) fn check(root: &Path, layers: Layers<'_>, within: &[&str]) {
    let imports = imports(root);
    let known: BTreeSet<&str> = layers.iter().copied().flatten().copied().collect();
    let there: BTreeSet<&str> = imports.keys().map(String::as_str).collect();
    assert_eq!(there, known, "a module has no layer, or a layer no module");
    assert_eq!(reaching_up(layers, &imports), within);
}

#[test]
fn a_module_that_imports_its_own_layer_or_a_higher_one_is_found() {
    let layers: Layers<'_> = &[&["plan", "decision"], &["call"]];
    let of = |module: &str, code: &str| {
        let imports = Imports::from([(module.to_owned(), imported(&shipped(code)))]);
        reaching_up(layers, &imports)
    };
    assert_eq!(of("plan", "use crate::call::Call;"), ["plan imports call"]);
    let beside =
        "#[cfg(any())]\nuse crate::decision;\n#[cfg(test)]\nmod tests { use crate::call; }";
    assert_eq!(of("plan", beside), ["plan imports decision"]);
    let below = "// crate::call\nuse crate::plan;\nuse crate::Code;";
    assert_eq!(of("call", below), [] as [&str; 0]);
}
