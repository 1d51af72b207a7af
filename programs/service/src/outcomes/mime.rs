//! The header section of a message, and the first level of its parts (RFC 2045, RFC 2046).
//!
//! Anybody can send a message to the address for reports, and parts can be nested in parts. Nothing here looks into a part,
//! so neither the stack nor the memory depends on how deep a message is nested.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{ContentType, HeaderName, Message, MessageParser, MimeHeaders as _};

/// The longest Content-Type that is read, in bytes. The work of reading one grows faster than its length.
const LONGEST_TYPE: usize = 2_048;

/// A message, or a part of one.
pub(super) struct Part<'a> {
    /// A message of one field, the Content-Type.
    content_type: Option<Message<'static>>,
    encoding: Encoding,
    body: &'a [u8],
}

/// The encoding of a body.
#[derive(Clone, Copy)]
enum Encoding {
    /// No encoding, or one that is not read.
    None,
    Base64,
    QuotedPrintable,
}

/// Reads the fields of a header section, up to its first empty line. All values stay as they were sent, except those of
/// Message-ID and Content-Transfer-Encoding, which are parsed.
pub(super) fn fields(header_section: &[u8]) -> Option<Message<'_>> {
    MessageParser::new()
        .header_id(HeaderName::MessageId)
        .header_text(HeaderName::ContentTransferEncoding)
        .parse_headers(header_section)
}

impl<'a> Part<'a> {
    /// Splits a part at its first empty line. Also returns the fields of its header section: the part does not keep them,
    /// because a message can have very many parts.
    pub(super) fn read(part: &'a [u8]) -> (Self, Option<Message<'a>>) {
        let (header_section, body) = part.split_at(header_bytes(part));
        let fields = fields(header_section);
        let content_type = fields.as_ref().and_then(|fields| {
            let value = fields.header_raw(HeaderName::ContentType)?;
            (value.len() <= LONGEST_TYPE).then(|| content_type(value))?
        });
        let part = Self {
            content_type,
            encoding: fields.as_ref().map_or(Encoding::None, Encoding::of),
            body,
        };
        (part, fields)
    }

    /// Whether its Content-Type is this one. A part without a Content-Type is plain text, but it has no type here.
    pub(super) fn is(&self, kind: &str, subtype: &str) -> bool {
        self.content_type().is_some_and(|found| {
            let found_subtype = found.subtype().unwrap_or_default();
            found.ctype().eq_ignore_ascii_case(kind) && found_subtype.eq_ignore_ascii_case(subtype)
        })
    }

    /// Whether it is plain text, with or without a Content-Type that says so.
    pub(super) fn is_plain_text(&self) -> bool {
        self.content_type.is_none() || self.is("text", "plain")
    }

    /// Its parts, which are between the lines with its boundary. Without a boundary it has no parts. The last part may have
    /// been cut off.
    pub(super) fn parts(&self) -> Vec<Part<'a>> {
        let boundary = self
            .content_type()
            .and_then(|found| found.attribute("boundary"));
        let Some(boundary) = boundary.filter(|boundary| !boundary.is_empty()) else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        let mut begin = None;
        let mut end = 0;
        for line in self.body.split_inclusive(|&byte| byte == b'\n') {
            let next = end + line.len();
            if let Some(delimiter) = Delimiter::read(line, boundary.as_bytes()) {
                parts.extend(begin.and_then(|begin| self.body.get(begin..end)));
                begin = (delimiter == Delimiter::Between).then_some(next);
                if delimiter == Delimiter::Close {
                    break;
                }
            }
            end = next;
        }
        parts.extend(begin.and_then(|begin| self.body.get(begin..)));
        parts.into_iter().map(|part| Part::read(part).0).collect()
    }

    /// Its body, decoded. If the body is not in the encoding that its field names, it stays as it was sent.
    pub(super) fn decoded(&self) -> Cow<'a, [u8]> {
        let decoded = match self.encoding {
            Encoding::None => None,
            Encoding::Base64 => base64_decode(self.body),
            Encoding::QuotedPrintable => quoted_printable_decode(self.body),
        };
        decoded.map_or(Cow::Borrowed(self.body), Cow::Owned)
    }

    fn content_type(&self) -> Option<&ContentType<'_>> {
        self.content_type.as_ref()?.content_type()
    }
}

impl Encoding {
    /// The encoding that a field of a header section names.
    fn of(fields: &Message<'_>) -> Self {
        let named = fields.header(HeaderName::ContentTransferEncoding);
        let named = named.and_then(|named| named.as_text());
        let is = |name: &str| named.is_some_and(|named| named.eq_ignore_ascii_case(name));
        if is("base64") {
            Self::Base64
        } else if is("quoted-printable") {
            Self::QuotedPrintable
        } else {
            Self::None
        }
    }
}

/// Reads the value of a Content-Type.
fn content_type(value: &str) -> Option<Message<'static>> {
    let field = ["Content-Type:", value.trim_end(), "\n\n"].concat();
    let message = MessageParser::new().parse_headers(field.as_bytes())?;
    Some(message.into_owned())
}

/// The length of a header section with the empty line that ends it.
fn header_bytes(part: &[u8]) -> usize {
    let mut length = 0;
    for line in part.split_inclusive(|&byte| byte == b'\n') {
        length += line.len();
        if matches!(line, b"\n" | b"\r\n") {
            break;
        }
    }
    length
}

/// A line of a boundary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delimiter {
    /// It comes before a part.
    Between,
    /// It comes after the last part.
    Close,
}

impl Delimiter {
    fn read(line: &[u8], boundary: &[u8]) -> Option<Self> {
        let after = line.strip_prefix(b"--")?.strip_prefix(boundary)?;
        match after.trim_ascii_end() {
            b"" => Some(Self::Between),
            b"--" => Some(Self::Close),
            _ => None,
        }
    }
}
