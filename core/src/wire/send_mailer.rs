//! A sendMailer body by its places (interface, section 4.1).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use smallvec::SmallVec;

use super::field::{Field as _, SendMailerField};
use super::json::{Reader, Shape, SyntaxError, SyntaxReason, UNESCAPE_ROOM, Value, unescape_to};
use super::object::{Seen, read_object};
use super::repeats::Repeats;
use super::value::{id, text};
use crate::text::address::scan_first;

/// The texts of longer bodies are checked or unescaped whenever they are handed out.
const SHORT: usize = 4096;

/// What stands where in a sendMailer body.
#[derive(Clone, Default)]
pub(crate) struct SendMailerBody {
    pub(crate) object: Value,
    values: Values,
    /// A short body once more, as text, and behind it the texts that had escapes. What lies in the body itself can only
    /// be handed out as text when it was checked to be UTF-8, each time.
    text: String,
    /// Where in it each text that had escapes ends.
    ends: SmallVec<[u16; 16]>,
    /// `mailerID`, if it is one.
    pub(crate) mailer: Option<u64>,
    pub(crate) seen: Seen,
    /// `from` and `email` where they are ordinary ASCII addresses.
    from: Ordinary,
    email: Ordinary,
    /// The second values of names that stand twice, by position.
    pub(crate) repeats: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Values([Value; SendMailerField::COUNT]);

impl Default for Values {
    fn default() -> Self {
        Self([Value::default(); SendMailerField::COUNT])
    }
}

impl SendMailerBody {
    /// Reads a body in one pass. To be called on an empty one, where it is to stay: it is large.
    pub(crate) fn read(&mut self, body: &[u8]) -> Result<(), SyntaxError> {
        if let Ok(text) = simdutf8::basic::from_utf8(body) {
            let read = self.read_members::<true>(body);
            if read.is_err() && self.has_good_escapes(body) {
                return read;
            }
            if read.is_ok() && self.keep_texts(text).is_some() {
                self.from = Ordinary::read(self.get(SendMailerField::From), body);
                self.email = Ordinary::read(self.get(SendMailerField::Email), body);
                self.mailer = id(self.get(SendMailerField::MailerId), body);
                return Ok(());
            }
        }
        // What is wrong first may have been passed over.
        *self = Self::default();
        self.read_members::<false>(body)
    }

    pub(super) fn read_members<const IS_UTF8: bool>(
        &mut self,
        body: &[u8],
    ) -> Result<(), SyntaxError> {
        let mut reader = Reader::new(body)?;
        let start = reader.position();
        if reader.peek() != Some(b'{') {
            return Err(not_object(reader));
        }
        let mut repeats = Repeats::default();
        read_object::<SendMailerField, IS_UTF8>(
            &mut reader,
            0,
            &mut repeats,
            &mut self.seen,
            &mut self.values.0,
            |reader, _, open, repeats| reader.value(open, repeats),
        )?;
        self.object = reader.read_container(Shape::Object, start);
        reader.finish()?;
        self.repeats = repeats.finish();
        Ok(())
    }

    /// Keeps the body as text, and its unescaped texts; of a long one nothing. `None` if escapes are not as they should be.
    fn keep_texts(&mut self, body: &str) -> Option<()> {
        if body.len() > SHORT {
            return self.has_good_escapes(body.as_bytes()).then_some(());
        }
        if self.seen.escaped == 0 {
            self.text = body.into();
            return Some(());
        }
        self.keep_escaped(body)
    }

    /// Whether the strings that were read so far, and may have escapes, are well-formed.
    fn has_good_escapes(&self, body: &[u8]) -> bool {
        ones(self.seen.escaped).all(|index| {
            let mut reader = Reader::at(body, self.at(index).span().start);
            reader.value(0, &mut Repeats::default()).is_ok()
        })
    }

    fn keep_escaped(&mut self, body: &str) -> Option<()> {
        /// Most have less.
        const FEW: usize = 512;
        let escaped = ones(self.seen.escaped);
        let length = |index| self.at(index).content().len();
        let room = escaped.clone().map(length).sum::<usize>() + UNESCAPE_ROOM;
        let mut texts = SmallVec::<[u8; FEW]>::from_elem(0, room);
        let mut end = 0;
        for index in escaped {
            let value = self.values.0.get_mut(index);
            if let Some(value) = value.filter(|value| value.shape == Shape::Escaped) {
                end = unescape_to(&mut texts, end, body.as_bytes(), value.content())?;
                self.ends.push(body.len().wrapping_add(end) as u16);
                value.set_unescaped(self.ends.len() as u16);
            }
        }
        let texts = simdutf8::basic::from_utf8(texts.get(..end)?).ok()?;
        self.text = [body, texts].concat();
        Some(())
    }

    /// The body as text; nothing of a long one.
    pub(crate) fn kept_text(&self) -> &str {
        &self.text
    }

    /// The text of the field with that position, as [`text`] gives it.
    #[inline]
    pub(crate) fn text<'c>(&'c self, index: usize, body: &'c [u8]) -> Option<Cow<'c, str>> {
        let value = self.values.0.get(index)?;
        match value.plain_content().and_then(|plain| self.text.get(plain)) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.other_text(*value, body),
        }
    }

    /// Of one that stands elsewhere, or that is no plain text.
    #[cold]
    fn other_text<'c>(&'c self, value: Value, body: &'c [u8]) -> Option<Cow<'c, str>> {
        let Some(number) = value.unescaped() else {
            return text(value, body);
        };
        let before = number
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        let start = before.map_or(body.len(), |end| usize::from(*end));
        let end = usize::from(*self.ends.get(number)?);
        self.text.get(start..end).map(Cow::Borrowed)
    }

    /// What is known of a field that is an ordinary ASCII address, with nothing around it.
    pub(crate) fn address(&self, field: SendMailerField) -> Option<Ordinary> {
        let address = match field {
            SendMailerField::From => self.from,
            SendMailerField::Email => self.email,
            _ => return None,
        };
        (address.at > 0).then_some(address)
    }

    /// The fields that may hold what they do not take.
    pub(crate) fn no_texts(&self) -> impl Iterator<Item = SendMailerField> + use<> {
        ones(self.seen.no_texts | SendMailerField::NO_TEXTS)
            .filter_map(|index| SendMailerField::ALL.get(index).copied())
    }

    #[inline]
    pub(crate) fn get(&self, field: SendMailerField) -> Value {
        self.at(field as usize)
    }

    /// The value of the field with that position.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Value {
        self.values.0.get(index).copied().unwrap_or_default()
    }
}

/// The positions of the bits.
fn ones(bits: u64) -> impl Iterator<Item = usize> + Clone {
    let mut left = bits;
    core::iter::from_fn(move || {
        let index = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (index < u64::BITS).then_some(index as usize)
    })
}

/// Shows nothing of the call.
impl fmt::Debug for SendMailerBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SendMailerBody").finish_non_exhaustive()
    }
}

/// An ordinary ASCII address, as far as it has to be known again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ordinary {
    /// Where its `@` is; 0 for what is no ordinary address.
    at: u8,
    pub(crate) is_match_key: bool,
    pub(crate) upper_domain: bool,
}

impl Ordinary {
    // Not inlined: there are two of them.
    #[inline(never)]
    fn read(value: Value, body: &[u8]) -> Self {
        if value.shape != Shape::Text {
            return Self::default();
        }
        let content = value.content();
        let text = body.get(content.start..).unwrap_or_default();
        scan_first(text, content.len()).map_or_else(Self::default, |scan| Self {
            at: u8::try_from(scan.at()).unwrap_or_default(),
            is_match_key: scan.is_match_key(),
            upper_domain: scan.upper_domain(),
        })
    }

    /// Where its `@` is.
    pub(crate) fn at(self) -> usize {
        usize::from(self.at)
    }
}

/// The error of a body that is no object: of its syntax if that is wrong, else of its type.
pub(super) fn not_object(mut reader: Reader<'_>) -> SyntaxError {
    let at = reader.position();
    match reader
        .value(0, &mut Repeats::default())
        .and_then(|_| reader.finish())
    {
        Err(error) => error,
        Ok(()) => SyntaxError {
            at,
            reason: SyntaxReason::NotObject,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn texts(body: &str) -> Vec<Option<String>> {
        let mut read = SendMailerBody::default();
        read.read(body.as_bytes()).unwrap();
        assert_eq!(read.text.is_empty(), body.len() > SHORT);
        (0..SendMailerField::COUNT)
            .map(|index| read.text(index, body.as_bytes()).map(Cow::into_owned))
            .collect()
    }

    #[test]
    fn texts_are_the_same_in_short_and_long_bodies_however_they_are_spaced() {
        let members = [
            (r#""firstName""#, r#""Amber""#, Some("Amber")),
            (
                r#""lastName""#,
                r#""L\u00f6wenzahn\/\"\ud83c\udf3c""#,
                Some("Löwenzahn/\"🌼"),
            ),
            (r#""city""#, r#""Højby""#, Some("Højby")),
            (r#""state""#, r#""!""#, Some("!")),
            (r#""pinCode""#, "411001", Some("411001")),
            (r#""phone""#, r#""""#, None),
            (r#""country""#, "\" \\t\u{a0}\"", None),
            (r#""extra1""#, r#""\\""#, Some("\\")),
            (r#""company""#, "null", None),
            (r#""extra2""#, r#""a""#, Some("a")),
        ];
        for (colon, comma) in [
            (":", ","),
            (": ", ", "),
            (" : ", " ,\n"),
            (": ", ","),
            (":", ", "),
        ] {
            let written = members.map(|(name, value, _)| format!("{name}{colon}{value}"));
            let written = written.join(comma);
            let short = format!("{{{written}}}");
            let long = format!(
                "{{{written}{comma}\"other\"{colon}\"{}\"}}",
                "x".repeat(SHORT)
            );
            let short = texts(&short);
            assert_eq!(short, texts(&long));
            for (name, _, text) in members {
                let (field, _) = SendMailerField::find(name.trim_matches('"').as_bytes()).unwrap();
                assert_eq!(
                    short[field as usize].as_deref(),
                    text,
                    "{name} {colon:?} {comma:?}"
                );
            }
        }
    }
}
