//! include/franking.h, written by cbindgen from the sources of the C library.

use std::path::{Path, PathBuf};

use crate::constants;
use crate::layout::{self, Structure};

use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};

/// The sources in the order in which the header shows them.
const SOURCES: [&str; 31] = [
    "constants",
    "numbers",
    "status",
    "text",
    "error",
    "version",
    "rules",
    "policy",
    "domain_set",
    "call",
    "facts",
    "blacklists",
    "questions",
    "columns",
    "plan",
    "plan/subscribers",
    "plan/messages",
    "plan/collapsed",
    "plan/single",
    "decision",
    "violations",
    "driver",
    "send_mailer",
    "preflight",
    "json",
    "transcript",
    "answer",
    "outcome",
    "address",
    "html",
    "compose",
];

pub(crate) fn write(root: &Path) -> Result<String, String> {
    let folder = root.join("ffi/src");
    let sources: Vec<PathBuf> = SOURCES
        .into_iter()
        .map(|name| folder.join(name).with_extension("rs"))
        .collect();
    let mut config = Config {
        language: Language::C,
        style: Style::Type,
        documentation_style: DocumentationStyle::Doxy,
        cpp_compat: true,
        include_guard: Some("FRANKING_H".to_owned()),
        no_includes: true,
        sys_includes: vec!["stddef.h".to_owned(), "stdint.h".to_owned()],
        header: Some(include_str!("header_top.h").trim_end().to_owned()),
        line_length: 120,
        tab_width: 4,
        usize_is_size_t: true,
        sort_by: cbindgen::SortKey::None,
        ..Config::default()
    };
    config.export.item_types = vec![
        cbindgen::ItemType::Constants,
        cbindgen::ItemType::Structs,
        cbindgen::ItemType::OpaqueItems,
        cbindgen::ItemType::Functions,
        cbindgen::ItemType::Typedefs,
    ];
    for (name, renamed) in type_names(&sources)? {
        config.export.rename.insert(name, renamed);
    }
    let trailer = include_str!("header_end.h").trim_end();
    let asserts = asserts(&layout::read(root)?);
    let trailer = trailer
        .replace("/*TEXTS*/", constants::texts().trim_end())
        .replace("/*SIZES*/", asserts.trim_end());
    config.trailer = Some(trailer);
    let mut builder = Builder::new().with_config(config);
    for source in &sources {
        builder = builder.with_src(source);
    }
    let bindings = builder.generate().map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    bindings.write(&mut out);
    String::from_utf8(out).map_err(|error| error.to_string())
}

fn asserts(structures: &[Structure]) -> String {
    let mut out = String::new();
    for structure in structures {
        let name = c_name(&structure.name);
        out.push_str(&format!(
            "FRANKING_STATIC_ASSERT(sizeof({name}) == {}, \"{name}\");\n",
            structure.size
        ));
        for (member, offset) in &structure.members {
            out.push_str(&format!(
                "FRANKING_STATIC_ASSERT(offsetof({name}, {member}) == {offset}, \"{name}.{member}\");\n"
            ));
        }
    }
    out
}

/// Every type of the boundary and its name in C: FrankingText is franking_text.
fn type_names(sources: &[PathBuf]) -> Result<Vec<(String, String)>, String> {
    let mut names = Vec::new();
    for path in sources {
        let source = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        for line in source.lines() {
            let Some(rest) = line.strip_prefix("pub struct Franking") else {
                continue;
            };
            let name: String = rest
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric())
                .collect();
            let name = format!("Franking{name}");
            names.push((name.clone(), c_name(&name)));
        }
    }
    Ok(names)
}

pub(crate) fn c_name(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
