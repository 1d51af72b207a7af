//! include/franking.h and include/franking_tools.h, written by cbindgen from the sources of the C library.

use std::path::{Path, PathBuf};

use crate::constants;
use crate::layout::{self, Structure};
use crate::records;

use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};

/// A header: the declarations that cbindgen writes from the sources, in their order, and the text around them.
struct Header {
    guard: &'static str,
    top: &'static str,
    includes: &'static [&'static str],
    /// The text before the first declaration.
    first: &'static str,
    sources: &'static [&'static str],
    end: &'static str,
}

/// The header for hosts.
const HOST: Header = Header {
    guard: "FRANKING_H",
    top: include_str!("header_top.h"),
    includes: &["<stddef.h>", "<stdint.h>", "<stdlib.h>", "<string.h>"],
    first: "#if UINTPTR_MAX != UINT64_MAX\n\
            #error \"franking.h describes libfranking for systems with pointers of 64 bits only: compile for one of these\"\n\
            #endif\n\n",
    sources: &[
        "constants",
        "numbers",
        "status",
        "text",
        "error",
        "rules",
        "policy",
        "rows",
        "records",
        "route",
        "call",
        "questions",
        "facts",
        "blacklists",
        "plan",
        "commit",
        "by_hand",
        "decision",
        "decided",
        "http",
        "transcript",
        "driver",
        "send_mailer",
        "preflight",
        "violations",
        "json",
    ],
    end: include_str!("header_end.h"),
};

/// The header for other programs, which include the one for hosts as well.
const TOOLS: Header = Header {
    guard: "FRANKING_TOOLS_H",
    top: include_str!("tools_top.h"),
    includes: &["\"franking.h\""],
    first: "/** A stream of Arrow's C stream interface. Your Arrow library has this structure. */\nstruct ArrowArrayStream;\n\n",
    sources: &[
        "columns",
        "strings",
        "address",
        "domain_set",
        "tool_records",
        "html",
        "response",
        "notice",
        "outcome",
        "compose",
        "replay",
        "webhook",
        "tables",
    ],
    end: include_str!("tools_end.h"),
};

/// Both headers, whose structures all have a layout.
pub(crate) fn write(root: &Path, structures: &[Structure]) -> Result<[String; 2], String> {
    let folder = root.join("ffi/src");
    let names = type_names(&[paths(&folder, &HOST), paths(&folder, &TOOLS)].concat())?;
    Ok([
        HOST.write(&folder, &names, structures)?,
        TOOLS.write(&folder, &names, structures)?,
    ])
}

fn paths(folder: &Path, header: &Header) -> Vec<PathBuf> {
    let names = header.sources.iter();
    names
        .map(|name| folder.join(name).with_extension("rs"))
        .collect()
}

impl Header {
    fn write(
        &self,
        folder: &Path,
        names: &[(String, String)],
        structures: &[Structure],
    ) -> Result<String, String> {
        let mut config = Config {
            language: Language::C,
            style: Style::Type,
            documentation_style: DocumentationStyle::Doxy,
            cpp_compat: true,
            no_includes: true,
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
        config.export.rename.extend(names.iter().cloned());
        // `PlanCall` is the same handle. The rows of a plan know only its address.
        let of_plan = ("PlanCall".to_owned(), "franking_call".to_owned());
        config.export.rename.extend([of_plan]);
        // A structure of another library's header.
        let of_arrow = "ArrowArrayStream".to_owned();
        let with_its_tag = format!("struct {of_arrow}");
        config.export.rename.extend([(of_arrow, with_its_tag)]);
        config.export.exclude = vec!["PlanCall".to_owned()];
        let mut builder = Builder::new().with_config(config);
        for source in paths(folder, self) {
            builder = builder.with_src(source);
        }
        let bindings = builder.generate().map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        bindings.write(&mut out);
        let body = String::from_utf8(out).map_err(|error| error.to_string())?;
        layout::check_all(&body, structures)?;
        let body = format!("{}{body}", self.first);
        let includes = self.includes.iter();
        let includes: Vec<String> = includes.map(|file| format!("#include {file}")).collect();
        let end = self.end.replace("/*TEXTS*/", constants::texts().trim_end());
        let end = with_inits(&end)?;
        Ok(format!(
            "{top}\n#ifndef {guard}\n#define {guard}\n\n{includes}\n\n{body}\n\n{end}\n\n#endif\n",
            top = self.top.trim_end(),
            guard = self.guard,
            includes = includes.join("\n"),
            body = dense(body.trim()),
            end = end.trim(),
        ))
    }
}

/// Replaces each line that names a record by the macro that initializes it.
fn with_inits(end: &str) -> Result<String, String> {
    let mut lines = Vec::new();
    for line in end.lines() {
        lines.push(match line.strip_prefix("/*INIT ") {
            Some(name) => records::init(name.trim_end_matches("*/"))?,
            None => line.to_owned(),
        });
    }
    Ok(lines.join("\n"))
}

/// The text in fewer lines: short comments on one line, and no empty lines between the constants of one family.
fn dense(body: &str) -> String {
    let lines: Vec<&str> = body.lines().collect();
    let mut out: Vec<String> = Vec::new();
    let mut rest = lines.as_slice();
    while let [line, tail @ ..] = rest {
        rest = tail;
        let indent = line.len() - line.trim_start().len();
        if let (true, [text, close, after @ ..]) = (line.trim() == "/**", tail)
            && close.trim() == "*/"
        {
            let text = text.trim().trim_start_matches("* ");
            let comment = format!("{:indent$}/** {text} */", "");
            if comment.len() <= 120 {
                out.push(comment);
                rest = after;
                continue;
            }
        }
        // C90 has no comments with `//`.
        out.push(match line.split_once(" // ") {
            Some((code, comment)) => format!("{} /* {comment} */", code.trim_end()),
            None => (*line).to_owned(),
        });
    }
    without_gaps(&out).join("\n")
}

fn without_gaps(lines: &[String]) -> Vec<String> {
    let family = |line: &str| {
        let name = line.strip_prefix("#define FRANKING_")?.split(' ').next()?;
        Some(name.split('_').next()?.to_owned())
    };
    let mut out: Vec<String> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let before = out.last().and_then(|line| family(line));
        let rest = lines.get(index + 1..).unwrap_or_default();
        // The line after the comment of the next constant, if there is such a constant.
        let next = rest.iter().find(|line| !line.starts_with(['/', ' ']));
        let is_gap = line.is_empty() && before.is_some();
        if is_gap && before == next.and_then(|line| family(line)) {
            continue;
        }
        out.push(line.clone());
    }
    out
}

/// The assertions of every layout in C and C++: tests/c/layout.h.
pub(crate) fn asserts(structures: &[Structure]) -> String {
    let mut out = String::from(
        "/* The layout that programs rely on, where a pointer has 8 bytes. Generated by franking-tools: do not edit. */\n",
    );
    for structure in structures {
        let name = c_name(&structure.name);
        out.push_str(&format!(
            "LAYOUT(sizeof({name}) == {}, \"{name}\");\n",
            structure.size
        ));
        for (member, offset) in &structure.members {
            out.push_str(&format!(
                "LAYOUT(offsetof({name}, {member}) == {offset}, \"{name}.{member}\");\n"
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
