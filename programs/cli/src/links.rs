//! `franking links`: the links of HTML with their places, and the hosts that are judged.

use std::collections::BTreeSet;

use franking::HtmlEncoding;
use franking::html;

use crate::Status;
use crate::arguments::Links;
use crate::error::CommandError;
use crate::input::{label, read_text};
use crate::output::Output;
use crate::places::Places;
use crate::visible::visible;

pub(crate) fn run(options: &Links, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let text = read_text(&options.file)?;
    let html = if options.encoded {
        let decoded = html::decode(&text, HtmlEncoding::Detect);
        let decoded = decoded.map_err(|_| CommandError::NotUtf8 {
            path: options.file.clone(),
        })?;
        decoded.html.into_owned()
    } else {
        text
    };
    let file = label(&options.file);
    if options.why {
        return why(&html, &file, &Places::new(html.as_bytes()), output);
    }
    show(&file, &html, output)?;
    Ok(Status::Fine)
}

/// Shows the links of HTML, and the hosts that are judged.
pub(crate) fn show(file: &str, html: &str, output: &mut Output<'_>) -> Result<(), CommandError> {
    let places = Places::new(html.as_bytes());
    let mut seen = BTreeSet::new();
    for link in html::links(html) {
        let place = places.of(link.span.start);
        let hosts = if link.hosts.is_empty() {
            "no host".to_string()
        } else {
            link.hosts.join(", ")
        };
        let mut remarks = String::new();
        if link.in_conditional_comment {
            remarks.push_str(", in a conditional comment");
        }
        if !link.readable {
            remarks.push_str(", which no browser can read");
        }
        output.line(&format!(
            "{file}:{}:{}: {}{remarks}: {}\n    {}",
            place.line + 1,
            place.column + 1,
            visible(&link.place.to_string()),
            visible(&link.url),
            visible(&hosts),
        ))?;
        seen.extend(link.hosts);
    }
    // Hosts that no link has, because readers differ on the document, or because it has another document inside it.
    let hosts = html::hosts(html);
    let others: Vec<&str> = hosts.iter().filter(|host| !seen.contains(*host)).collect();
    if !others.is_empty() {
        output.line(
            "also judged, because readers differ on how this document is read, or because they are in a document inside it:",
        )?;
        for host in others {
            output.line(&format!("    {}", visible(host)))?;
        }
    }
    Ok(())
}

/// Shows where any host could be hidden in the HTML, and why.
fn why(
    html: &str,
    file: &str,
    places: &Places<'_>,
    output: &mut Output<'_>,
) -> Result<Status, CommandError> {
    let Some(hidden) = html::hidden_host(html) else {
        output.line(&format!("{file}: no host can be hidden"))?;
        return Ok(Status::Fine);
    };
    let place = places.of(hidden.span.start);
    // The span may be a whole document. Its start is enough to recognize it.
    let written = html.get(hidden.span).into_iter().flat_map(str::chars);
    let written: String = written.take(200).collect();
    output.line(&format!(
        "{file}:{}:{}: {}: {}",
        place.line + 1,
        place.column + 1,
        hidden.clause,
        visible(&written),
    ))?;
    Ok(Status::Wrong)
}
