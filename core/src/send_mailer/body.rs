//! A sendMailer body by its places (interface, section 4.1).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::violation::{Common, member_or_object};
use crate::wire::address::SentAddress;
use crate::wire::field::{Field as _, SendMailerField};
use crate::wire::json::{Reader, Shape, SyntaxError, UNESCAPE_ROOM, Value, unescape_to};
use crate::wire::object::{Seen, not_object, read_object};
use crate::wire::repeats::Repeats;
use crate::wire::value::{id, text};

/// The length of a body up to which it is kept as text. The texts of longer ones are checked or unescaped whenever they are
/// handed out.
const SHORT: usize = 4096;

/// What stands where in a sendMailer body.
// With the values and the ends among the first, an empty one is made where it stays. In the compiler's own order it is made on the stack
// and copied, and the first reads wait for that copy (store forwarding).
#[derive(Clone, Default)]
#[repr(C)]
pub(crate) struct Body {
    pub(crate) object: Value,
    values: OfFields<Value>,
    /// Where in `text` each text that had escapes ends, by its number. No field has more than one.
    ends: OfFields<u16>,
    /// A short body once more, as text, and behind it the texts that had escapes. Bytes of the body itself would have
    /// to be checked to be UTF-8 each time that they are handed out as text.
    text: String,
    /// `mailerID`, if it is one.
    pub(crate) mailer: Option<u64>,
    pub(crate) seen: Seen,
    /// `from` and `email`, where they are addresses.
    pub(crate) from: Option<SentAddress>,
    pub(crate) email: Option<SentAddress>,
    /// The second values of names that stand twice, by position.
    pub(crate) repeats: Vec<u32>,
}

/// One for each field, by its position.
#[derive(Clone)]
struct OfFields<T>([T; SendMailerField::COUNT]);

impl<T: Copy + Default> Default for OfFields<T> {
    fn default() -> Self {
        Self([T::default(); SendMailerField::COUNT])
    }
}

impl Body {
    /// Reads a body in one pass. It is called on an empty one, where that is to stay, because a body is large.
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
        // An error that comes sooner may have been passed over.
        self.read_again(body)
    }

    /// Reads a body that is not UTF-8, or of which a string is not well-formed, as far as its first error.
    #[cold]
    fn read_again(&mut self, body: &[u8]) -> Result<(), SyntaxError> {
        *self = Self::default();
        self.read_members::<false>(body)?;
        self.read_values(body);
        Ok(())
    }

    /// Reads what more than one rule, question or part of the plan depends on.
    fn read_values(&mut self, body: &[u8]) {
        self.from = SentAddress::read(self.get(SendMailerField::From), body);
        self.email = SentAddress::read(self.get(SendMailerField::Email), body);
        self.mailer = id(self.get(SendMailerField::MailerId), body);
    }

    /// What the body has as those of every operation have it.
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
        /// The room for texts without an allocation: escaped texts of most bodies are shorter.
        const FEW: usize = 512;
        let escaped = ones(self.seen.escaped);
        let length = |index| self.at(index).content().len();
        let room = escaped.clone().map(length).sum::<usize>() + UNESCAPE_ROOM;
        let (mut few, mut many) = ([0; FEW], Vec::new());
        let texts: &mut [u8] = if room > FEW {
            many.resize(room, 0);
            &mut many
        } else {
            &mut few
        };
        let mut end = 0;
        let mut places = self.ends.0.iter_mut().zip(1..);
        for index in escaped {
            let value = self.values.0.get_mut(index);
            if let Some(value) = value.filter(|value| value.shape == Shape::Escaped) {
                end = unescape_to(texts, end, body.as_bytes(), value.content())?;
                let (place, number) = places.next()?;
                *place = u16::try_from(body.len() + end).ok()?;
                value.set_unescaped(number);
            }
        }
        let texts = simdutf8::basic::from_utf8(texts.get(..end)?).ok()?;
        self.text.reserve_exact(body.len() + texts.len());
        self.text.push_str(body);
        self.text.push_str(texts);
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
        let end_of = |number: usize| self.ends.0.get(number).copied().map(usize::from);
        let start = number.checked_sub(1).map_or(Some(body.len()), end_of)?;
        self.text.get(start..end_of(number)?).map(Cow::Borrowed)
    }

    /// `subID` alone identifies the subscriber when it is there.
    pub(super) fn is_by_id(&self) -> bool {
        !self.get(SendMailerField::SubId).is_absent()
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
        // Every field has a place among them; one without would be absent.
        self.values.0.get(index).copied().unwrap_or_default()
    }
}

/// The positions of the bits.
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
