//! Makes text from a body safe to show in a terminal.
//!
//! A body may have escape sequences, bidirectional controls, NULs and bytes that are not UTF-8. The terminal gets a
//! visible placeholder for each.

use std::borrow::Cow;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

const TAB: &str = "    ";

/// The text with placeholders for all characters that a terminal would obey or not show, including line breaks.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    push(&mut shown, text.as_bytes(), "\u{2409}");
    shown
}

/// Like [`visible`], for bytes of a line of a body. A tab becomes four spaces.
pub(crate) fn visible_line(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    push(&mut shown, bytes, TAB);
    shown
}

fn push(shown: &mut String, bytes: &[u8], tab: &str) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\t' => shown.push_str(tab),
                character => shown.push(stand_in(character)),
            }
        }
        if !chunk.invalid().is_empty() {
            shown.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// The character itself, or the placeholder that is shown for it.
fn stand_in(character: char) -> char {
    match character {
        ' '..='~' => character,
        // Unicode has a picture for each control character, in the same order.
        '\0'..='\x1f' => {
            char::from_u32(0x2400 + u32::from(character)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\x7f' => '\u{2421}',
        _ if is_hidden(character) => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// Whether a terminal might obey the character, show nothing for it, or show something that depends on the font.
fn is_hidden(character: char) -> bool {
    matches!(
        CodePointMapData::<GeneralCategory>::new().get(character),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Unassigned
    )
}

/// The number of columns that a text without control characters takes in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A text that is already visible, cut off with an ellipsis if it is wider than `available` columns.
pub(crate) fn cut_end(text: &str, available: usize) -> Cow<'_, str> {
    if columns(text) <= available {
        return Cow::Borrowed(text);
    }
    let kept = fitting(text.chars(), available.saturating_sub(1));
    let mut cut: String = text.chars().take(kept).collect();
    cut.push('…');
    Cow::Owned(cut)
}

/// Like [`cut_end`], but keeps the end of the text.
pub(crate) fn cut_start(text: &str, available: usize) -> Cow<'_, str> {
    if columns(text) <= available {
        return Cow::Borrowed(text);
    }
    let kept = fitting(text.chars().rev(), available.saturating_sub(1));
    let all = text.chars().count();
    let mut cut = String::from("…");
    cut.extend(text.chars().skip(all.saturating_sub(kept)));
    Cow::Owned(cut)
}

/// The number of characters that fit into `available` columns.
fn fitting(characters: impl Iterator<Item = char>, available: usize) -> usize {
    let mut used = 0;
    characters
        .take_while(|character| {
            used += unicode_width::UnicodeWidthChar::width(*character).unwrap_or(1);
            used <= available
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let hostile = "\x1b[2J\u{9b}31m\u{202e}rtl\u{200b}\0\r\n\u{2028}\u{e000}\u{85}";
        let shown = visible(hostile);
        assert_eq!(
            shown,
            "␛[2J\u{fffd}31m\u{fffd}rtl\u{fffd}␀␍␊\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(visible_line(b"a\tb\xff"), "a    b\u{fffd}");
    }

    #[test]
    fn every_character_is_shown_as_one_that_is_not_hidden() {
        for character in '\0'..=char::MAX {
            let shown = stand_in(character);
            assert!(!is_hidden(shown) && !shown.is_control(), "{character:?}");
        }
    }

    #[test]
    fn a_text_is_cut_to_columns_and_not_to_characters() {
        assert_eq!(cut_end("日本語", 6), "日本語");
        assert_eq!(cut_end("日本語", 5), "日本…");
        assert_eq!(cut_end("日本語", 4), "日…");
        assert_eq!(cut_start("日本語", 4), "…語");
        assert_eq!(cut_start("abc", 2), "…c");
        assert_eq!(cut_end("abc", 0), "…");
    }
}
