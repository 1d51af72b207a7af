//! Draws a summary as bars, in SVG.

use std::fmt::Write as _;

use crate::summary::{Summary, grouped, label};

/// The most bars.
const MOST: usize = 30;
const WIDTH: usize = 760;
const LABEL: usize = 320;
const NUMBER: usize = 90;
const LINE: usize = 26;

/// Colours that can be read on light and on dark pages.
const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#1f2328}rect{fill:#0969da}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#58a6ff}}";

/// Draws a bar for each outcome that is refused or changed, the most frequent first.
pub(crate) fn svg(summary: &Summary) -> String {
    let outcomes = summary.by_count();
    let most = outcomes.first().map_or(1, |(_, count)| *count).max(1);
    let height = (outcomes.len().min(MOST) + 1) * LINE + 12;
    let mut svg = String::new();
    let title = format!(
        "{} of {} calls",
        grouped(summary.notable()),
        grouped(summary.calls)
    );
    // Writing to a String does not fail.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\"><style>{STYLE}</style><text x=\"8\" y=\"20\">{title}</text>"
    );
    let available = (WIDTH - LABEL - NUMBER) as f64;
    for (line, (outcome, count)) in (1..).zip(outcomes.iter().take(MOST)) {
        let top = line * LINE + 6;
        let base = top + 14;
        let width = (available * *count as f64 / most as f64).max(1.0);
        let end = LABEL as f64 + width + 8.0;
        // The identifiers of rules have nothing to escape.
        let _ = write!(
            svg,
            "<text x=\"8\" y=\"{base}\">{}</text><rect x=\"{LABEL}\" y=\"{top}\" width=\"{width:.1}\" height=\"18\" rx=\"2\"/>\
             <text x=\"{end:.1}\" y=\"{base}\">{}</text>",
            label(*outcome),
            grouped(*count)
        );
    }
    svg.push_str("</svg>\n");
    svg
}
