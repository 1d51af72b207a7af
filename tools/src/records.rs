//! The records of the core as structures of C: ffi/src/records.rs and ffi/src/tool_records.rs.

use franking::{Field, Kind, RECORDS, Record};

use crate::header::c_name;
use crate::words::{enumeration, family};

/// The part of a record that only C has.
pub(crate) struct Own {
    pub(crate) name: &'static str,
    /// The size of the first version of a structure that begins with its size. It never changes.
    first: Option<usize>,
    /// How it is used, and how long its texts live.
    about: &'static str,
    /// Whether it is in franking_tools.h.
    is_tool: bool,
}

const fn own(name: &'static str, first: Option<usize>, about: &'static str) -> Own {
    Own {
        name,
        first,
        about,
        is_tool: false,
    }
}

pub(crate) const OWN: &[Own] = &[
    own(
        "Violation",
        Some(80),
        "Start from FRANKING_VIOLATION_INIT. Texts live until the cursor moves on or is freed, or the call is answered or freed.",
    ),
    own(
        "Warning",
        Some(80),
        "Start from FRANKING_WARNING_INIT. Texts live until the cursor moves on or is freed.",
    ),
    own(
        "Decision",
        Some(120),
        "Start from FRANKING_DECISION_INIT. Texts live until the call is freed.",
    ),
    own(
        "BlacklistedLink",
        Some(80),
        "Start from FRANKING_BLACKLISTED_LINK_INIT. Texts live until the call is freed. If the data of url is NULL, the decision is not about a link.",
    ),
    own("Explained", None, "One row of franking_call_explanation."),
    own("Field", None, "The name lives forever."),
    own("NewSubscriber", None, ""),
    own("Update", None, ""),
    own("Recipient", None, ""),
    own("Message", None, "Its HTML comes from franking_call_html."),
    own("Collapsed", None, ""),
    own("Debit", None, ""),
    Own {
        is_tool: true,
        ..own(
            "Link",
            Some(80),
            "Start from FRANKING_LINK_INIT. Texts live until the cursor moves on or is freed.",
        )
    },
    Own {
        is_tool: true,
        ..own(
            "Notice",
            Some(128),
            "Start from FRANKING_NOTICE_INIT. Texts live until the string that owns them is freed.",
        )
    },
];

/// A member of a structure.
struct Member {
    name: String,
    /// Its type in Rust.
    of: String,
    size: usize,
    about: String,
}

impl Member {
    fn new(name: &str, of: &str, size: usize, about: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            of: of.to_owned(),
            size,
            about: about.into(),
        }
    }
}

pub(crate) fn record(name: &str) -> Result<&'static Record, String> {
    let found = RECORDS.iter().find(|record| record.name == name);
    found.ok_or_else(|| format!("there is no record {name}"))
}

/// The file with the structures of one of the headers.
pub(crate) fn write(is_tool: bool) -> Result<String, String> {
    let mut structures = String::new();
    for own in OWN.iter().filter(|own| own.is_tool == is_tool) {
        structures.push_str(&structure(own)?);
    }
    let mut out = String::from(
        "//! Records as structures of C. Generated from core/src/record.rs by `cargo run -p franking-tools -- header`: do not edit.\n\n",
    );
    let texts: Vec<&str> = ["FrankingSpan", "FrankingText"]
        .into_iter()
        .filter(|name| structures.contains(name))
        .collect();
    out.push_str("use crate::size::Grows;\n");
    out.push_str(&format!("use crate::text::{{{}}};\n", texts.join(", ")));
    Ok(out + &structures)
}

fn structure(own: &Own) -> Result<String, String> {
    let record = record(own.name)?;
    let name = format!("Franking{}", own.name);
    let about = format!("{} {}", record.about, own.about);
    let mut out = format!(
        "\n{}#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n",
        comment("", about.trim())
    );
    for member in members(own, record)? {
        out.push_str(&comment("    ", &member.about));
        out.push_str(&format!("    pub {}: {},\n", member.name, member.of));
    }
    out.push_str("}\n");
    if let Some(first) = own.first {
        out.push_str(&format!(
            "\n// SAFETY: it begins with its size, and every member takes any bytes.\n\
             unsafe impl Grows for {name} {{\n    const FIRST: usize = {first};\n}}\n"
        ));
    }
    Ok(out)
}

/// Lines of a comment of at most 120 characters.
fn comment(indent: &str, text: &str) -> String {
    let mut out = String::new();
    let mut line = format!("{indent}///");
    for word in text.split(' ') {
        if line.len() + word.len() + 1 > 120 {
            out.push_str(&line);
            out.push('\n');
            line = format!("{indent}///");
        }
        line.push(' ');
        line.push_str(word);
    }
    out + &line + "\n"
}

/// The members in their places. Members of one byte fill the gap before the next member that has to be aligned.
fn members(own: &Own, record: &Record) -> Result<Vec<Member>, String> {
    let mut placed = Vec::new();
    let mut at = 0;
    if own.first.is_some() {
        let about = format!("sizeof({}).", c_name(&format!("Franking{}", own.name)));
        placed.push(Member::new("size", "usize", 8, about));
        at = 8;
    }
    let is_flag = |field: &&Field| field.kind == Kind::Flag;
    let (flags, others): (Vec<_>, Vec<_>) = record.fields.iter().partition(is_flag);
    let mut bytes: Vec<Member> = flags.into_iter().chain(others).filter_map(flag).collect();
    bytes.reverse();
    for field in record.fields {
        for member in large(field)? {
            if member.size >= 8 {
                fill(&mut placed, &mut at, &mut bytes);
            }
            at += member.size;
            placed.push(member);
        }
    }
    while !bytes.is_empty() || !at.is_multiple_of(8) {
        if at.is_multiple_of(8)
            && let Some(member) = bytes.pop()
        {
            at += 1;
            placed.push(member);
        }
        fill(&mut placed, &mut at, &mut bytes);
    }
    Ok(placed)
}

/// Fills a gap up to the next multiple of 8 bytes, first with the members of one byte that are left, and then with a
/// reserved member.
fn fill(placed: &mut Vec<Member>, at: &mut usize, bytes: &mut Vec<Member>) {
    while !(*at).is_multiple_of(8)
        && let Some(member) = bytes.pop()
    {
        *at += 1;
        placed.push(member);
    }
    let gap = (8 - *at % 8) % 8;
    let reserved = match gap {
        0 => return,
        1 => "u8".to_owned(),
        4 => "i32".to_owned(),
        gap => format!("[u8; {gap}]"),
    };
    *at += gap;
    placed.push(Member::new("reserved", &reserved, gap, "0."));
}

/// The member of one byte that a field needs: the flag itself, or whether the field is there.
fn flag(field: &Field) -> Option<Member> {
    let name = format!("has_{}", field.name);
    match (field.kind, field.absent) {
        (Kind::Flag, _) => {
            let about = format!("Not 0: {}", lower(field.about));
            Some(Member::new(field.name, "u8", 1, about))
        }
        (Kind::Span | Kind::Position, Some(absent)) => {
            Some(Member::new(&name, "u8", 1, format!("0: {absent}.")))
        }
        _ => None,
    }
}

/// The members of a field that take more than a byte.
fn large(field: &Field) -> Result<Vec<Member>, String> {
    let Field {
        name, about, kind, ..
    } = *field;
    let absent = |how: &str| match field.absent {
        Some(when) => format!("{about} {how}: {when}."),
        None => about.to_owned(),
    };
    let has = match field.absent {
        Some(_) => format!("{about} Only if has_{name}."),
        None => about.to_owned(),
    };
    let rows = |of: &str| {
        let count = format!("{}_count", name.strip_suffix('s').unwrap_or(name));
        vec![
            Member::new(name, &format!("*const Franking{of}"), 8, about),
            Member::new(&count, "usize", 8, "How many."),
        ]
    };
    let grown = |of: &str| {
        let about = format!("The size of each, by which {} finds it.", at(of));
        Member::new(&stride_of(name), "usize", 8, about)
    };
    Ok(match kind {
        Kind::Word(of) => {
            let one = format!("{about} One of FRANKING_{}.", family(&enumeration(of)?));
            let one = match field.absent {
                Some(when) => format!("{one} 0: {when}."),
                None => one,
            };
            vec![Member::new(name, "i32", 4, one)]
        }
        Kind::Code => vec![Member::new(name, "i32", 4, absent("0"))],
        Kind::Number | Kind::Id => vec![Member::new(name, "u64", 8, absent("0"))],
        Kind::Position => vec![Member::new(name, "u64", 8, has)],
        Kind::Text => vec![Member::new(name, "FrankingText", 16, absent("data NULL"))],
        Kind::Span => vec![Member::new(name, "FrankingSpan", 16, has)],
        Kind::Texts => rows("Text"),
        Kind::Rows(of) if is_fixed(of) => rows(of),
        Kind::Rows(of) => rows(of).into_iter().chain([grown(of)]).collect(),
        Kind::Flag => Vec::new(),
        _ => return Err(format!("C has no type for {name}")),
    })
}

/// Whether the rows of a record never grow: a name and its value.
pub(crate) fn is_fixed(of: &str) -> bool {
    of == "Field"
}

/// The member that says how large the rows of a member are.
pub(crate) fn stride_of(rows: &str) -> String {
    format!("{}_size", rows.strip_suffix('s').unwrap_or(rows))
}

/// The function of the header that finds a row.
fn at(of: &str) -> String {
    format!("{}_at", c_name(&format!("Franking{of}")))
}

/// A sentence as it is written after a colon.
fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// The macro that initializes a structure that begins with its size.
pub(crate) fn init(name: &str) -> Result<String, String> {
    let own = OWN.iter().find(|own| own.name == name);
    let own = own.ok_or_else(|| format!("there is no structure {name}"))?;
    let c = c_name(&format!("Franking{name}"));
    let mut values = Vec::new();
    for member in members(own, record(name)?)? {
        values.push(match member.of.as_str() {
            _ if member.name == "size" => format!("sizeof({c})"),
            "FrankingText" => "{NULL, 0}".to_owned(),
            "FrankingSpan" => "{0, 0}".to_owned(),
            of if of.starts_with('*') => "NULL".to_owned(),
            of if of.starts_with('[') => format!("{{{}}}", vec!["0"; member.size].join(", ")),
            _ => "0".to_owned(),
        });
    }
    Ok(format!(
        "#define {}_INIT \\\n    {{{}}}",
        c.to_ascii_uppercase(),
        values.join(", ")
    ))
}
