//! Header fields. Their text may come from anybody, and cannot break out of its field.

use std::fmt;

use email_encoding::headers::rfc2047;
use email_encoding::headers::writer::EmailWriter;

use super::email::Mailbox;

/// The longest line that is written without encoding. RFC 5322 advises 78 characters, and RFC 2047 allows 76 with encoded
/// words.
const LINE: usize = 76;

/// The head of a message.
#[derive(Default)]
pub(super) struct Head {
    text: String,
}

impl Head {
    /// Adds a field whose value the program makes: printable ASCII of less than 900 octets.
    pub(super) fn own(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        self.text.push_str(": ");
        self.text.push_str(value);
        self.text.push_str("\r\n");
    }

    /// Adds a field of text.
    pub(super) fn text(&mut self, name: &str, text: &str) -> fmt::Result {
        self.text.push_str(name);
        self.text.push_str(": ");
        self.write_text(text, name.len().saturating_add(2))?;
        self.text.push_str("\r\n");
        Ok(())
    }

    /// Adds a field with a mailbox and its display name.
    pub(super) fn mailbox(&mut self, name: &str, display: &str, mailbox: &Mailbox) -> fmt::Result {
        self.text.push_str(name);
        self.text.push_str(": ");
        if display.is_empty() {
            self.text.push_str(&mailbox.address);
        } else {
            let start = self.text.len();
            self.write_phrase(display, name.len().saturating_add(2))?;
            // An address has up to 254 octets, so after a long name it gets a line of its own.
            let is_short = self.text.len().saturating_sub(start) < LINE
                && !self.text.get(start..).unwrap_or_default().contains('\n');
            self.text.push_str(if is_short { " " } else { "\r\n " });
            self.text.push('<');
            self.text.push_str(&mailbox.address);
            self.text.push('>');
        }
        self.text.push_str("\r\n");
        Ok(())
    }

    /// Adds a field with a URL in angle brackets. A URL cannot be folded, so the caller has to limit its length.
    pub(super) fn url(&mut self, name: &str, url: &str) {
        self.text.push_str(name);
        self.text.push_str(":\r\n <");
        self.text.push_str(url);
        self.text.push_str(">\r\n");
    }

    /// Returns the fields, each ended by CR LF.
    pub(super) fn into_string(self) -> String {
        self.text
    }

    fn write_text(&mut self, text: &str, column: usize) -> fmt::Result {
        if is_plain(text) && column.saturating_add(text.len()) <= LINE {
            self.text.push_str(text);
            return Ok(());
        }
        self.write_encoded(text, column)
    }

    /// Writes a name. Letters, digits and spaces are written as they are, other plain text is quoted, and everything else
    /// becomes encoded words.
    fn write_phrase(&mut self, name: &str, column: usize) -> fmt::Result {
        let is_short = column.saturating_add(name.len()).saturating_add(2) <= LINE;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b' ';
        if is_short && is_plain(name) && name.bytes().all(is_word) {
            self.text.push_str(name);
            return Ok(());
        }
        if is_short && is_plain(name) && !name.contains(['"', '\\']) {
            self.text.push('"');
            self.text.push_str(name);
            self.text.push('"');
            return Ok(());
        }
        self.write_encoded(name, column)
    }

    /// Writes encoded words, in which no byte of the text appears unchanged.
    fn write_encoded(&mut self, text: &str, column: usize) -> fmt::Result {
        let mut writer = EmailWriter::new(&mut self.text, column, 0, false);
        rfc2047::encode(text, &mut writer)
    }
}

/// Whether the text can be written as it is. It has to be printable ASCII without anything that looks like an encoded word,
/// and without a space at an end or after another space, which folding and unfolding could change.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !text.contains("=?")
        && !text.contains("  ")
        && text.trim_matches(' ') == text
}
