//! A sendMailer body by its places (interface, section 4.1).

use alloc::vec::Vec;

use super::field::SendMailerField;
use super::json::{Reader, Shape, SyntaxError, SyntaxReason, Value};
use super::object::read_object;
use super::repeats::Repeats;

/// What stands where in a sendMailer body.
#[derive(Clone, Debug)]
pub(crate) struct SendMailerBody {
    pub(crate) object: Value,
    values: [Value; SendMailerField::COUNT],
    /// The second values of names that stand twice, by position.
    pub(crate) repeats: Vec<u32>,
}

impl SendMailerBody {
    /// Reads a body in one pass.
    pub(crate) fn read(body: &[u8]) -> Result<Self, SyntaxError> {
        let mut reader = Reader::new(body)?;
        let start = reader.position();
        if reader.peek() != Some(b'{') {
            return Err(not_object(reader));
        }
        let mut values = [Value::default(); SendMailerField::COUNT];
        let mut repeats = Repeats::default();
        read_object::<SendMailerField>(
            &mut reader,
            0,
            &mut repeats,
            &mut values,
            |reader, _, open, repeats| reader.value(open, repeats),
        )?;
        let object = reader.read_container(Shape::Object, start);
        reader.finish()?;
        Ok(Self {
            object,
            values,
            repeats: repeats.finish(),
        })
    }

    pub(crate) fn get(&self, field: SendMailerField) -> Value {
        self.values.get(field as usize).copied().unwrap_or_default()
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
