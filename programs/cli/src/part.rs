//! The part of a body that a finding underlines.

use std::ops::Range;

/// The part of a place that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The value.
    Value,
    /// The member's name: the finding is about the member being there at all.
    Name,
    /// The opening brace of the object that lacks the member. If the member exists, its value.
    Lacking,
    /// The opening brace of an object that lacks one of several members. If one of them exists, its value.
    Opening,
    /// The token at which reading stopped.
    Token,
}

/// The bytes of a place to underline, and whether they are the opening brace of an object that lacks the member.
pub(crate) fn part_of(body: &[u8], span: Range<usize>, part: Part) -> (Range<usize>, bool) {
    let start = span.start;
    let whole = (span.clone(), false);
    match part {
        Part::Value => whole,
        Part::Name => (name_before(body, start).unwrap_or(span), false),
        Part::Lacking | Part::Opening => {
            let is_member = name_before(body, start).is_some();
            if body.get(start) == Some(&b'{') && !is_member {
                (start..start + 1, part == Part::Lacking)
            } else {
                whole
            }
        }
        Part::Token => {
            let rest = body.get(start..).unwrap_or_default();
            (start..start + token(rest).max(1), false)
        }
    }
}

/// The name, including quotes, of the member whose value starts at this offset; `None` for an entry of an array, and for the
/// body.
fn name_before(body: &[u8], value: usize) -> Option<Range<usize>> {
    let before = body.get(..value)?.trim_ascii_end();
    let before = before.strip_suffix(b":")?.trim_ascii_end();
    let mut inside = before.strip_suffix(b"\"")?;
    loop {
        let quote = inside.iter().rposition(|byte| *byte == b'"')?;
        inside = inside.get(..quote)?;
        let escapes = inside.iter().rev().take_while(|byte| **byte == b'\\');
        // A quotation mark that is part of the name follows an odd number of backslashes.
        if escapes.count().is_multiple_of(2) {
            return Some(quote..before.len());
        }
    }
}

/// The length of the token that a text begins with, as its author probably meant it.
fn token(text: &[u8]) -> usize {
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    let line = lines.next().unwrap_or_default();
    match line {
        // A comment, or an unfinished string, extends to the end of the line.
        [b'/', b'/' | b'*', ..] => line.len(),
        [quote @ (b'"' | b'\''), inside @ ..] => inside
            .iter()
            .position(|byte| byte == quote)
            .map_or(line.len(), |end| end + 2),
        [b'\\', b'u', digits @ ..] => {
            let digits = digits.iter().take(4);
            2 + digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
        }
        [b'\\', escaped @ ..] => 1 + character(escaped),
        [first, ..] if is_word(*first) => line.iter().take_while(|byte| is_word(**byte)).count(),
        _ => character(line),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.')
}

/// The length of the first character, or of the first bytes that are not UTF-8.
fn character(text: &[u8]) -> usize {
    let start = text.get(..4).unwrap_or(text);
    let chunk = start.utf8_chunks().next();
    chunk.map_or(0, |chunk| match chunk.valid().chars().next() {
        Some(character) => character.len_utf8(),
        None => chunk.invalid().len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn underlined(body: &str, at: usize, part: Part) -> &str {
        let (span, _) = part_of(body.as_bytes(), at..at + 1, part);
        body.get(span).unwrap()
    }

    #[test]
    fn a_token_is_what_its_author_probably_meant() {
        for (text, token) in [
            ("tru, 1", "tru"),
            ("-01}", "-01"),
            ("// the key\nnext", "// the key"),
            ("'apiKey': 1", "'apiKey'"),
            ("\"unfinished", "\"unfinished"),
            ("\"b\": 1", "\"b\""),
            ("\\q\"", "\\q"),
            ("\\ud800x", "\\ud800"),
            ("é}", "é"),
            ("]}", "]"),
            ("\n}", "\n"),
        ] {
            assert_eq!(underlined(text, 0, Part::Token), token, "{text}");
        }
        assert_eq!(part_of(b"", 0..0, Part::Token), (0..1, false));
        assert_eq!(part_of(b"\xff\xfe", 0..1, Part::Token), (0..1, false));
    }

    #[test]
    fn a_name_is_found_before_its_value_whatever_it_holds() {
        let body = r#"{"a\"b\\" : 1, "c":2}"#;
        let value = body.find("1").unwrap();
        assert_eq!(underlined(body, value, Part::Name), r#""a\"b\\""#);
        assert_eq!(underlined("[1]", 1, Part::Name), "1");
    }

    #[test]
    fn the_brace_of_an_object_that_lacks_a_member_is_underlined() {
        let lacking = |body: &str, span| part_of(body.as_bytes(), span, Part::Lacking);
        assert_eq!(lacking(r#"[{"a":1}]"#, 1..8), (1..2, true));
        assert_eq!(lacking(r#"{"a":""}"#, 5..7), (5..7, false));
        assert_eq!(lacking(r#"{"a":{}}"#, 5..7), (5..7, false));
    }
}
