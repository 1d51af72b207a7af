//! Reading the members of an object whose fields the interface defines.

use super::field::Field;
use super::json::{Marks, Reader, Shape, SyntaxError, SyntaxReason, Value};
use super::repeats::Repeats;

/// The fields that an object has, one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) fields: u64,
    /// The fields whose value is not a string, or is an empty or blank one.
    pub(crate) non_texts: u64,
    /// The fields whose value may be a string with escapes.
    pub(crate) escaped: u64,
    /// Whether the object has a name that is not a field's.
    pub(crate) has_unknown: bool,
}

impl Seen {
    /// Notes the shape of a field's value. A text without escapes needs no note, unless another value came first.
    #[inline]
    pub(super) fn note(&mut self, bit: u64, value: Value) {
        match value.shape {
            Shape::Text => self.non_texts &= !bit,
            Shape::Escaped => {
                self.non_texts &= !bit;
                self.escaped |= bit;
            }
            _ => self.non_texts |= bit,
        }
    }

    /// Checks the strings that may have escapes. `values` are those of the object. The error is that of the first field whose
    /// string is ill-formed.
    pub(crate) fn check_escapes(&self, values: &[Value], body: &[u8]) -> Result<(), SyntaxError> {
        if self.escaped == 0 {
            return Ok(());
        }
        let escaped = values.iter().enumerate();
        let mut escaped = escaped.filter(|(field, _)| self.escaped >> (field % 64) & 1 == 1);
        escaped.try_for_each(|(_, value)| {
            let mut reader = Reader::at(body, value.span().start);
            reader.value(0, &mut Repeats::default()).map(drop)
        })
    }
}

/// Reads a whole object, from its opening brace on. `open` is the number of objects and arrays around it.
///
/// Pass an empty `seen`. `values[f]` becomes the first value of field `f` that is not absent. `read` reads a field's value, and
/// gets whether the field has a value already. On an error, both describe the members that were read before it. The body is
/// known to be UTF-8, but the strings of the fields in `seen.escaped` may still be ill-formed.
pub(crate) fn read_object<'b, F: Field>(
    reader: &mut Reader<'b>,
    open: u32,
    repeats: &mut Repeats,
    seen: &mut Seen,
    values: &mut [Value],
    mut read: impl FnMut(&mut Reader<'b>, F, bool, u32, &mut Repeats) -> Result<Value, SyntaxError>,
) -> Result<(), SyntaxError> {
    let inside = reader.inside(open)?;
    repeats.open();
    let mut seen_twice: u64 = 0;
    let mut marks = Marks::default();
    reader.take(b'{');
    let mut has_member = reader.next_member(true)?;
    while has_member {
        if reader.plain_members::<F>(&mut marks, seen, values) {
            has_member = reader.next_member(false)?;
            continue;
        }
        let name = reader.name()?;
        let found = F::find(&name.text());
        let slot = found.and_then(|(field, _)| values.get_mut(field.index()));
        if let (Some((field, is_alias)), Some(slot)) = (found, slot) {
            let bit = 1_u64 << (field.index() % 64);
            let at = reader.position();
            let is_first = seen.fields & bit == 0;
            let has_value = !slot.is_absent();
            let value = read(reader, field, has_value, inside, repeats)?;
            if is_first || !has_value && !value.is_absent() {
                *slot = value;
                slot.is_alias = is_alias;
                seen.note(bit, *slot);
            }
            if !is_first && seen_twice & bit == 0 {
                repeats.field(at);
                seen_twice |= bit;
            }
            seen.fields |= bit;
        } else {
            seen.has_unknown = true;
            repeats.name(&name);
            reader.value(inside, repeats)?;
        }
        has_member = reader.next_member(false)?;
    }
    repeats.close(reader.body());
    Ok(())
}

/// The error of a body that is not read: its first syntax error, else [`SyntaxReason::NotObject`]. Every string is checked.
#[cold]
pub(crate) fn first_error(body: &[u8]) -> SyntaxError {
    let read = Reader::new(body).and_then(|mut reader| {
        let at = reader.position();
        reader.value(0, &mut Repeats::default())?;
        reader.finish()?;
        Ok(at)
    });
    match read {
        Err(error) => error,
        Ok(at) => SyntaxError {
            at,
            reason: SyntaxReason::NotObject,
        },
    }
}
