//! The body of a sendMailer call: its members and their places (interface, section 4.1).

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::bytes::{narrow, text_part};
use crate::debug::debug_shows;
use crate::violation::{Common, member_or_object};
use crate::wire::address::SentAddress;
use crate::wire::field::{Field as _, SendMailerField};
use crate::wire::json::{Reader, Shape, SyntaxError, UNESCAPE_PADDING, Value, unescape_to};
use crate::wire::object::{Seen, first_error, read_object};
use crate::wire::repeats::Repeats;
use crate::wire::value::id;

/// The members of a sendMailer body and their places.
// Field order matters: with `values` and `ends` among the first, an empty body is built in place. In the compiler's own
// order it is built on the stack and copied, and the first reads wait for that copy (store forwarding).
#[derive(Clone, Default)]
#[repr(C)]
pub(crate) struct Body {
    pub(crate) object: Value,
    values: OfFields<Value>,
    /// The end of each unescaped text in `unescaped`, by the text's index. Each field has at most one.
    ends: OfFields<u32>,
    /// The texts of the strings with escapes, one after the other.
    unescaped: String,
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
    pub(crate) fn read(&mut self, sent: &str) -> Result<(), SyntaxError> {
        let bytes = sent.as_bytes();
        // Escapes are checked when they are resolved, so an ill-formed one may come before another error.
        if self.read_members(bytes).is_err() || self.unescape(bytes).is_none() {
            return Err(first_error(bytes));
        }
        self.from = SentAddress::read(self.get(SendMailerField::From), sent);
        self.email = SentAddress::read(self.get(SendMailerField::Email), sent);
        self.mailer = id(self.get(SendMailerField::MailerId), sent);
        Ok(())
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

    /// Reads a body of UTF-8. The strings of the fields in `seen.escaped` may be ill-formed.
    fn read_members(&mut self, body: &[u8]) -> Result<(), SyntaxError> {
        let mut reader = Reader::new(body)?;
        let start = reader.position();
        if reader.peek() != Some(b'{') {
            return Err(first_error(body));
        }
        let mut repeats = Repeats::default();
        read_object::<SendMailerField>(
            &mut reader,
            0,
            &mut repeats,
            &mut self.seen,
            &mut self.values.0,
            |reader, _, _, open, repeats| reader.value(open, repeats),
        )?;
        self.object = Value::new(Shape::Object, start, reader.position());
        reader.finish()?;
        self.repeats = repeats.finish();
        Ok(())
    }

    /// Resolves the escapes of all strings. `None` if one is ill-formed.
    fn unescape(&mut self, body: &[u8]) -> Option<()> {
        if self.seen.escaped == 0 {
            return Some(());
        }
        let escaped = ones(self.seen.escaped);
        let length = |index| self.at(index).content().len();
        let capacity = escaped.clone().map(length).sum::<usize>() + UNESCAPE_PADDING;
        let mut texts = vec![0; capacity];
        let mut end = 0;
        let mut text_ends = self.ends.0.iter_mut().zip(1..);
        for index in escaped {
            let value = self.values.0.get_mut(index);
            if let Some(value) = value.filter(|value| value.shape == Shape::Escaped) {
                end = unescape_to(&mut texts, end, body, value.content())?;
                let (text_end, number) = text_ends.next()?;
                *text_end = narrow(end);
                value.set_unescaped(number);
            }
        }
        texts.truncate(end);
        self.unescaped = String::from_utf8(texts).ok()?;
        Some(())
    }

    /// The text of the field at this position in the interface's order; `None` for a value that a text field does not take,
    /// and for an absent one.
    #[inline]
    pub(crate) fn text<'c>(&'c self, index: usize, sent: &'c str) -> Option<&'c str> {
        let value = *self.values.0.get(index)?;
        match value.shape {
            Shape::Text | Shape::Number => Some(text_part(sent, value.content())),
            _ => self.unescaped_text(value),
        }
    }

    /// The text of a value with escapes.
    #[cold]
    fn unescaped_text(&self, value: Value) -> Option<&str> {
        let end_of = |number: usize| self.ends.0.get(number).map(|end| *end as usize);
        let number = value.unescaped()?;
        let start = number.checked_sub(1).map_or(Some(0), end_of)?;
        self.unescaped.get(start..end_of(number)?)
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
pub(super) fn ones(bits: u64) -> impl Iterator<Item = usize> + Clone {
    let mut left = bits;
    core::iter::from_fn(move || {
        let index = left.trailing_zeros();
        left &= left.checked_sub(1)?;
        Some(index as usize)
    })
}

debug_shows!(Body {});

#[cfg(test)]
mod tests;
