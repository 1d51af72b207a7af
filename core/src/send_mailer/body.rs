//! The body of a sendMailer call: its members and their places (interface, section 4.1).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::violation::{Common, member_or_object};
use crate::wire::address::SentAddress;
use crate::wire::field::{Field as _, SendMailerField};
use crate::wire::json::{Reader, Shape, SyntaxError, UNESCAPE_PADDING, Value, unescape_to};
use crate::wire::object::{Seen, not_object, read_object};
use crate::wire::repeats::Repeats;
use crate::wire::value::{id, text};

/// The longest body, in bytes, of which a copy is kept as text. The texts of longer ones are checked and unescaped each time
/// that they are handed out.
const MAX_KEPT_BYTES: usize = 4096;

/// The members of a sendMailer body and their places.
// Field order matters: with `values` and `ends` among the first, an empty body is built in place. In the compiler's own
// order it is built on the stack and copied, and the first reads wait for that copy (store forwarding).
#[derive(Clone, Default)]
#[repr(C)]
pub(crate) struct Body {
    pub(crate) object: Value,
    values: OfFields<Value>,
    /// The end of each unescaped text in `text`, by the text's index. Each field has at most one.
    ends: OfFields<u16>,
    /// A copy of a short body as text, followed by the unescaped texts; empty for a long body. Without the copy, each text
    /// that is handed out would have to be checked to be UTF-8 again.
    text: String,
    /// `mailerID`, if it is a valid id.
    pub(crate) mailer: Option<u64>,
    pub(crate) seen: Seen,
    /// `from`, if it is a valid address.
    pub(crate) from: Option<SentAddress>,
    /// `email`, if it is a valid address.
    pub(crate) email: Option<SentAddress>,
    /// The offsets of the second values of repeated names, in order.
    pub(crate) repeats: Vec<u32>,
}

/// One item for each field, in the interface's order.
#[derive(Clone)]
struct OfFields<T>([T; SendMailerField::COUNT]);

impl<T: Copy + Default> Default for OfFields<T> {
    fn default() -> Self {
        Self([T::default(); SendMailerField::COUNT])
    }
}

impl Body {
    /// Reads a body in one pass. `self` has to be empty. The result is not returned, because moving a `Body` is expensive.
    pub(crate) fn read(&mut self, body: &[u8]) -> Result<(), SyntaxError> {
        if let Ok(text) = simdutf8::basic::from_utf8(body) {
            let read = self.read_members::<true>(body);
            if read.is_err() && self.has_good_escapes(body) {
                return read;
            }
            if read.is_ok() && self.keep_texts(text).is_some() {
                self.read_values(body);
                return Ok(());
            }
        }
        // An escape that was not checked may be an earlier error.
        self.read_again(body)
    }

    /// Reads a body again and checks each string on the way, so that the first error is reported.
    #[cold]
    fn read_again(&mut self, body: &[u8]) -> Result<(), SyntaxError> {
        *self = Self::default();
        self.read_members::<false>(body)?;
        self.read_values(body);
        Ok(())
    }

    /// Reads the values that several rules, questions or parts of the plan need.
    fn read_values(&mut self, body: &[u8]) {
        self.from = SentAddress::read(self.get(SendMailerField::From), body);
        self.email = SentAddress::read(self.get(SendMailerField::Email), body);
        self.mailer = id(self.get(SendMailerField::MailerId), body);
    }

    /// The members that the bodies of both operations have.
    pub(crate) fn common(&self) -> Common<'_> {
        let key = self.get(SendMailerField::ApiKey);
        Common {
            object: self.object,
            key,
            key_place: member_or_object(SendMailerField::ApiKey, key, self.object),
            repeats: &self.repeats,
        }
    }

    pub(crate) fn read_members<const IS_UTF8: bool>(
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
        self.object = Value::new(Shape::Object, start, reader.position());
        reader.finish()?;
        self.repeats = repeats.finish();
        Ok(())
    }

    /// Keeps a copy of the body as text, and its unescaped texts. Of a long body it keeps nothing. `None` if an escape is
    /// ill-formed.
    fn keep_texts(&mut self, body: &str) -> Option<()> {
        if body.len() > MAX_KEPT_BYTES {
            return self.has_good_escapes(body.as_bytes()).then_some(());
        }
        if self.seen.escaped == 0 {
            self.text = body.into();
            return Some(());
        }
        self.keep_escaped(body)
    }

    /// Whether all strings with escapes that were read so far are well-formed.
    fn has_good_escapes(&self, body: &[u8]) -> bool {
        ones(self.seen.escaped).all(|index| {
            let mut reader = Reader::at(body, self.at(index).span().start);
            reader.value(0, &mut Repeats::default()).is_ok()
        })
    }

    fn keep_escaped(&mut self, body: &str) -> Option<()> {
        /// The number of bytes that need no allocation: the escaped texts of most bodies are shorter.
        const INLINE_BYTES: usize = 512;
        let escaped = ones(self.seen.escaped);
        let length = |index| self.at(index).content().len();
        let capacity = escaped.clone().map(length).sum::<usize>() + UNESCAPE_PADDING;
        let (mut inline, mut allocated) = ([0; INLINE_BYTES], Vec::new());
        let texts: &mut [u8] = if capacity > INLINE_BYTES {
            allocated.resize(capacity, 0);
            &mut allocated
        } else {
            &mut inline
        };
        let mut end = 0;
        let mut text_ends = self.ends.0.iter_mut().zip(1..);
        for index in escaped {
            let value = self.values.0.get_mut(index);
            if let Some(value) = value.filter(|value| value.shape == Shape::Escaped) {
                end = unescape_to(texts, end, body.as_bytes(), value.content())?;
                let (text_end, number) = text_ends.next()?;
                *text_end = u16::try_from(body.len() + end).ok()?;
                value.set_unescaped(number);
            }
        }
        let texts = simdutf8::basic::from_utf8(texts.get(..end)?).ok()?;
        self.text.reserve_exact(body.len() + texts.len());
        self.text.push_str(body);
        self.text.push_str(texts);
        Some(())
    }

    /// The body as text, followed by its unescaped texts; empty for a long body.
    pub(crate) fn kept_text(&self) -> &str {
        &self.text
    }

    /// The text of the field at this position in the interface's order, as [`text`] gives it.
    #[inline]
    pub(crate) fn text<'c>(&'c self, index: usize, body: &'c [u8]) -> Option<Cow<'c, str>> {
        let value = self.values.0.get(index)?;
        match value.plain_content().and_then(|plain| self.text.get(plain)) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.other_text(*value, body),
        }
    }

    /// [`Self::text`] of a value with escapes, of a number, or of a long body.
    #[cold]
    fn other_text<'c>(&'c self, value: Value, body: &'c [u8]) -> Option<Cow<'c, str>> {
        let Some(number) = value.unescaped() else {
            return text(value, body);
        };
        let end_of = |number: usize| self.ends.0.get(number).copied().map(usize::from);
        let start = number.checked_sub(1).map_or(Some(body.len()), end_of)?;
        self.text.get(start..end_of(number)?).map(Cow::Borrowed)
    }

    /// Whether the subscriber is identified by `subID`. If it is there, `email` does not count.
    pub(super) fn is_by_id(&self) -> bool {
        !self.get(SendMailerField::SubId).is_absent()
    }

    /// The fields whose value may have the wrong type: all others are text fields with a text.
    pub(crate) fn non_texts(&self) -> impl Iterator<Item = SendMailerField> + use<> {
        ones(self.seen.non_texts | SendMailerField::NON_TEXTS)
            .filter_map(|index| SendMailerField::ALL.get(index).copied())
    }

    #[inline]
    pub(crate) fn get(&self, field: SendMailerField) -> Value {
        self.at(field as usize)
    }

    /// The value of the field at this position in the interface's order.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Value {
        // Every field has an entry, even if its value is missing.
        self.values.0.get(index).copied().unwrap_or_default()
    }
}

/// The positions of the bits that are set, ascending.
fn ones(bits: u64) -> impl Iterator<Item = usize> + Clone {
    let mut left = bits;
    core::iter::from_fn(move || {
        let index = left.trailing_zeros();
        left &= left.checked_sub(1)?;
        Some(index as usize)
    })
}

/// Shows nothing of the call.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn texts(body: &str) -> Vec<Option<String>> {
        let mut read = Body::default();
        read.read(body.as_bytes()).unwrap();
        assert_eq!(read.text.is_empty(), body.len() > MAX_KEPT_BYTES);
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
                "x".repeat(MAX_KEPT_BYTES)
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
