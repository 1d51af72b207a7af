//! A sendMailer body by its places (interface, section 4.1).

use alloc::vec::Vec;

use super::field::{Field as _, SendMailerField};
use super::json::{Reader, Shape, SyntaxError, SyntaxReason, Value};
use super::object::{Seen, read_object};
use super::repeats::Repeats;
use crate::text::address::scan_ascii;

/// What stands where in a sendMailer body.
#[derive(Clone, Debug, Default)]
pub(crate) struct SendMailerBody {
    pub(crate) object: Value,
    values: Values,
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
        let mut reader = Reader::new(body)?;
        let start = reader.position();
        if reader.peek() != Some(b'{') {
            return Err(not_object(reader));
        }
        let mut repeats = Repeats::default();
        self.seen = read_object::<SendMailerField>(
            &mut reader,
            0,
            &mut repeats,
            &mut self.values.0,
            |reader, _, open, repeats| reader.value(open, repeats),
        )?;
        self.object = reader.read_container(Shape::Object, start);
        reader.finish()?;
        self.repeats = repeats.finish();
        self.from = Ordinary::read(self.get(SendMailerField::From), body);
        self.email = Ordinary::read(self.get(SendMailerField::Email), body);
        Ok(())
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
        let mut left = self.seen.no_strings | SendMailerField::NO_TEXTS;
        core::iter::from_fn(move || {
            let index = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            SendMailerField::ALL.get(index as usize).copied()
        })
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

/// An ordinary ASCII address, as far as it has to be known again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ordinary {
    /// Where its `@` is; 0 for what is no ordinary address.
    at: u8,
    pub(crate) is_match_key: bool,
    pub(crate) upper_domain: bool,
}

impl Ordinary {
    fn read(value: Value, body: &[u8]) -> Self {
        if value.shape != Shape::Text {
            return Self::default();
        }
        let text = body.get(value.content()).unwrap_or_default();
        scan_ascii(text).map_or_else(Self::default, |scan| Self {
            at: u8::try_from(scan.at).unwrap_or_default(),
            is_match_key: scan.is_match_key(),
            upper_domain: scan.upper_domain,
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
