//! The line of a body around a place, cut to the terminal's width.

use std::ops::Range;

use crate::places::{LineColumn, Places};
use crate::visible::{columns, cut_end, cut_start, visible_line};

/// The columns before the marked part that are always kept.
const LEAD: usize = 24;

/// The most bytes that a column takes, apart from combining marks. Only as much of a line is read as could be shown.
const BYTES_PER_COLUMN: usize = 16;

/// A line of a body as shown, or the part of it that fits.
pub(crate) struct Excerpt {
    pub(crate) place: LineColumn,
    pub(crate) text: String,
    /// The bytes of `text` that are to be underlined.
    pub(crate) marked: Range<usize>,
}

/// The line in which a span starts, with the span marked as far as it is in that line. The text is at most `available` columns
/// wide, and `label` columns after the marked part stay free.
pub(crate) fn excerpt(
    places: &Places<'_>,
    span: Range<usize>,
    available: usize,
    label: usize,
) -> Excerpt {
    let body = places.body();
    let looked_at = available.saturating_mul(BYTES_PER_COLUMN);
    let start = span.start.min(body.len());
    let line_start = start
        - body.get(..start).map_or(0, |before| {
            before
                .iter()
                .rev()
                .take(looked_at)
                .take_while(|byte| **byte != b'\n')
                .count()
        });
    let rest = body.get(start..).unwrap_or_default();
    let line_end = start
        + rest
            .iter()
            .take(looked_at)
            .take_while(|byte| !matches!(byte, b'\n'))
            .count();
    // The carriage return of a line break is not part of the line.
    let has_return = line_end > start && body.get(line_end - 1) == Some(&b'\r');
    let line_end = line_end - usize::from(has_return && body.get(line_end) == Some(&b'\n'));
    let end = span.end.clamp(start, line_end);
    let part = |range: Range<usize>| visible_line(body.get(range).unwrap_or_default());

    let (before, inside, after) = (
        part(line_start..start),
        part(start..end),
        part(end..line_end),
    );
    let before = if line_start > 0 && body.get(line_start - 1) != Some(&b'\n') {
        // The line starts before the bytes that were read.
        format!("…{before}")
    } else {
        before
    };
    let lead = columns(&before).min(LEAD);
    let inside = cut_end(&inside, available.saturating_sub(lead + label).max(8));
    let left = available.saturating_sub(columns(&inside));
    // The text after the marked part gets at most half of the columns that are left. The text before it gets the rest.
    let before_room = left
        .saturating_sub(columns(&after).max(label))
        .max(left / 2)
        .max(lead);
    let before = cut_start(&before, before_room);
    let after = cut_end(&after, left.saturating_sub(columns(&before)));
    let marked = before.len()..before.len() + inside.len();
    Excerpt {
        place: places.of(start),
        text: format!("{before}{inside}{after}"),
        marked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &[u8], span: Range<usize>) -> (String, String) {
        let excerpt = excerpt(&Places::new(body), span, 40, 0);
        let marked = excerpt.text[excerpt.marked].to_string();
        (excerpt.text, marked)
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        let body = b"{\n  \"a\": 1,\r\n}";
        assert_eq!(of(body, 9..10), ("  \"a\": 1,".into(), "1".into()));
        assert_eq!(of(body, 0..body.len()), ("{".into(), "{".into()));
        assert_eq!(of(b"", 0..0), (String::new(), String::new()));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let body = format!("{}[mark]{}", "x".repeat(1 << 20), "y".repeat(1 << 20));
        let (text, marked) = of(body.as_bytes(), (1 << 20)..(1 << 20) + 6);
        assert_eq!(marked, "[mark]");
        assert_eq!(columns(&text), 40);
        assert!(text.starts_with("…x") && text.ends_with("y…"));
    }

    #[test]
    fn a_long_span_is_cut_and_what_leads_to_it_is_kept() {
        let body = format!("\"subject\": \"{}\"", "z".repeat(1000));
        let (text, marked) = of(body.as_bytes(), 11..body.len());
        assert!(text.starts_with("\"subject\": \"zz"));
        assert!(marked.ends_with("z…"));
        assert_eq!(columns(&text), 40);
    }
}
