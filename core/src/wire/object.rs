//! Reading the members of an object whose fields the interface defines.

use super::field::Field;
use super::json::{MAX_OPEN, Reader, SyntaxError, SyntaxReason, Value};
use super::repeats::Repeats;

/// Reads an object whole, from its opening brace. `open` counts the objects and arrays around it.
///
/// `values` gets each field's first value that is not absent. `read` reads a field's value.
pub(crate) fn read_object<'b, F: Field>(
    reader: &mut Reader<'b>,
    open: u32,
    repeats: &mut Repeats,
    values: &mut [Value],
    mut read: impl FnMut(&mut Reader<'b>, F, u32, &mut Repeats) -> Result<Value, SyntaxError>,
) -> Result<(), SyntaxError> {
    if open >= MAX_OPEN {
        return Err(SyntaxError {
            at: reader.position(),
            reason: SyntaxReason::TooDeep,
        });
    }
    let inside = open.saturating_add(1);
    let opened = repeats.open();
    let mut seen: u64 = 0;
    let mut seen_twice: u64 = 0;
    let mut is_first = true;
    reader.take(b'{');
    while let Some(name) = reader.next_name(is_first)? {
        is_first = false;
        let found = if name.is_escaped {
            F::find(&name.text())
        } else {
            F::find(name.raw)
        };
        let Some((field, is_alias)) = found else {
            repeats.name(&name, reader.body());
            reader.value(inside, repeats)?;
            continue;
        };
        let bit = 1_u64 << field.index();
        let at = reader.position();
        let Some(slot) = values.get_mut(field.index()) else {
            continue;
        };
        if seen & bit != 0 && !slot.is_absent() {
            reader.value(inside, repeats)?;
        } else {
            let mut value = read(reader, field, inside, repeats)?;
            value.is_alias = is_alias;
            if seen & bit == 0 || !value.is_absent() {
                *slot = value;
            }
        }
        if seen & bit != 0 && seen_twice & bit == 0 {
            repeats.field(at);
            seen_twice |= bit;
        }
        seen |= bit;
    }
    repeats.close(opened, reader.body());
    Ok(())
}
