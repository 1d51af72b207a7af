//! include/franking/records.hpp: the records of the core as structures of C++, and the functions that read them.

use franking::{Field, Kind};

use crate::header::c_name;
use crate::records::{OWN, is_fixed, record, stride_of};

/// Rows of a plan, which are views of the library's memory. The others are copies.
const LENT: &[&str] = &[
    "Field",
    "NewSubscriber",
    "Update",
    "Recipient",
    "Message",
    "Collapsed",
];

const TOP: &str = "/* The rows that the library hands out. Generated from core/src/record.rs by franking-tools: do not edit. */
#ifndef FRANKING_RECORDS_HPP
#define FRANKING_RECORDS_HPP

#include \"rows.hpp\"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace franking {

struct HttpAnswer;
";

pub(crate) fn write() -> Result<String, String> {
    let mut out = String::from(TOP);
    // C++ reads the credits of a plan as C does.
    for own in OWN.iter().filter(|own| own.name != "Debit") {
        let record = record(own.name)?;
        let is_lent = LENT.contains(&own.name);
        let name = own.name;
        out.push_str(&comment("\n", record.about));
        out.push_str(&format!("struct {name} {{\n"));
        for field in record.fields {
            let about = match field.absent {
                Some(when) => format!("{} None: {when}.", field.about),
                None => field.about.to_owned(),
            };
            out.push_str(&comment("    ", &about));
            out.push_str(&format!("    {};\n", member(field, is_lent)?));
        }
        if name == "Decision" {
            out.push_str(&comment("    ", "The HTTP answer of the host."));
            out.push_str("    HttpAnswer http() const;\n");
        }
        out.push_str("};\n\nnamespace detail {\n\n");
        let form = c_name(&format!("Franking{name}"));
        out.push_str(&format!(
            "inline {name} read(const {form} &form) {{\n    {name} row;\n"
        ));
        for field in record.fields {
            out.push_str(&format!("    {}\n", read(field, is_lent)?));
        }
        out.push_str("    return row;\n}\n\n} // namespace detail\n");
    }
    Ok(out + "\n} // namespace franking\n\n#endif\n")
}

/// A comment in lines of at most 120 characters, after `before`.
fn comment(before: &str, text: &str) -> String {
    let indent = before.trim_start_matches('\n');
    let mut out = String::new();
    let mut line = format!("{before}/*");
    for word in text.split(' ') {
        if line.len() + word.len() + 4 > 120 {
            out.push_str(&line);
            line = format!("\n{indent}  ");
        }
        line.push(' ');
        line.push_str(word);
    }
    out + &line + " */\n"
}

fn member(field: &Field, is_lent: bool) -> Result<String, String> {
    let Field { name, kind, .. } = *field;
    let text = if is_lent {
        "std::string_view"
    } else {
        "std::string"
    };
    let (of, start) = match kind {
        Kind::Word(of) => (of.to_owned(), "{}"),
        Kind::Code => ("std::int32_t".to_owned(), " = 0"),
        Kind::Number | Kind::Id | Kind::Position => ("std::uint64_t".to_owned(), " = 0"),
        Kind::Text => (text.to_owned(), ""),
        Kind::Texts => (format!("std::vector<{text}>"), ""),
        Kind::Span => ("franking_span".to_owned(), "{0, 0}"),
        Kind::Flag => ("bool".to_owned(), " = false"),
        Kind::Rows(of) => (format!("Rows<{of}>"), ""),
        _ => return Err(format!("C++ has no type for {name}")),
    };
    Ok(match field.absent {
        Some(_) => format!("std::optional<{of}> {name}"),
        None => format!("{of} {name}{start}"),
    })
}

/// The statement that reads a member of a structure of C.
fn read(field: &Field, is_lent: bool) -> Result<String, String> {
    let Field { name, kind, .. } = *field;
    let is_there = match kind {
        Kind::Span | Kind::Position => format!("form.has_{name}"),
        _ => format!("form.{name}"),
    };
    let value = match kind {
        Kind::Word(of) => format!("static_cast<{of}>(form.{name})"),
        Kind::Code | Kind::Number | Kind::Id | Kind::Position | Kind::Span => {
            format!("form.{name}")
        }
        Kind::Flag => format!("form.{name} != 0"),
        Kind::Text => {
            let read = match (field.absent, is_lent) {
                (None, _) => "view",
                (Some(_), true) => "view_if_any",
                (Some(_), false) => "copy_if_any",
            };
            return Ok(format!("row.{name} = {read}(form.{name});"));
        }
        Kind::Texts => {
            let count = count_of(name);
            return Ok(format!(
                "for (std::size_t i = 0; i < form.{count}; i++) row.{name}.emplace_back(view(form.{name}[i]));"
            ));
        }
        Kind::Rows(of) => {
            let (form, count) = (c_name(&format!("Franking{of}")), count_of(name));
            let stride = match is_fixed(of) {
                true => format!("sizeof({form})"),
                false => format!("form.{}", stride_of(name)),
            };
            return Ok(format!(
                "row.{name} = rows<{of}, {form}, read>(form.{name}, form.{count}, {stride});"
            ));
        }
        _ => return Err(format!("C++ cannot read {name}")),
    };
    Ok(match field.absent {
        Some(_) => format!("if ({is_there} != 0) row.{name} = {value};"),
        None => format!("row.{name} = {value};"),
    })
}

fn count_of(name: &str) -> String {
    format!("{}_count", name.strip_suffix('s').unwrap_or(name))
}
