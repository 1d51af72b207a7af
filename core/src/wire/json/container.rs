//! Values of any kind, read whole: objects and arrays that no field defines, and the names that stand in them.

use super::{MAX_OPEN, Reader, Result, Shape, SyntaxReason, Value};
use crate::wire::repeats::{Opened, Repeats};

impl Reader<'_> {
    /// Reads a value whole. `open` counts the objects and arrays around it.
    pub(crate) fn value(&mut self, open: u32, repeats: &mut Repeats) -> Result<Value> {
        let start = self.at;
        let shape = match self.peek() {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::Array,
            _ => return self.scalar(),
        };
        self.container(open, repeats)?;
        Ok(Value::new(shape, start, self.at))
    }

    /// Reads an object or array that no field defines, without recursion.
    #[cold]
    fn container(&mut self, open: u32, repeats: &mut Repeats) -> Result<()> {
        // One bit a level: set for an object.
        let mut objects: u128 = 0;
        let mut level: u32 = 0;
        // Whether the innermost container was opened just now, so that no comma stands before its first value.
        let mut is_first;
        let mut before = [Opened::default(); MAX_OPEN as usize];
        loop {
            let byte = self.peek();
            if let Some(b'{' | b'[') = byte {
                if open.saturating_add(level) >= MAX_OPEN {
                    return self.error(SyntaxReason::TooDeep);
                }
                let is_object = byte == Some(b'{');
                if let Some(slot) = before.get_mut(level as usize).filter(|_| is_object) {
                    *slot = repeats.open();
                }
                objects = (objects << 1) | u128::from(is_object);
                level = level.saturating_add(1);
                self.advance(1);
                is_first = true;
            } else {
                self.scalar()?;
                is_first = false;
            }
            // Up to the next value, closing what ends here.
            loop {
                if level == 0 {
                    return Ok(());
                }
                let more = if objects & 1 == 1 {
                    match self.next_name(is_first)? {
                        Some(name) => {
                            repeats.name(&name, self.bytes);
                            true
                        }
                        None => {
                            if let Some(opened) = before.get(level.saturating_sub(1) as usize) {
                                repeats.close(*opened, self.bytes);
                            }
                            false
                        }
                    }
                } else {
                    self.next_entry(is_first)?
                };
                if more {
                    break;
                }
                level = level.saturating_sub(1);
                objects >>= 1;
                is_first = false;
            }
        }
    }
}
