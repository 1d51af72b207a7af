//! Reads whole values of any kind. Names in objects and arrays that no field defines are checked for repetitions.

use super::{Reader, Result, Shape, Value};
use crate::wire::repeats::Repeats;

impl Reader<'_> {
    /// Reads a whole value. `open` is the number of objects and arrays around it.
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
        // One bit for each level, set for an object.
        let mut objects: u128 = 0;
        let mut level = open;
        // Whether nothing of the innermost container has been read yet, so that its next value has no comma before it.
        let mut is_first;
        loop {
            let byte = self.peek();
            if let Some(b'{' | b'[') = byte {
                level = self.inside(level)?;
                let is_object = byte == Some(b'{');
                if is_object {
                    repeats.open();
                }
                objects = (objects << 1) | u128::from(is_object);
                self.advance(1);
                is_first = true;
            } else {
                self.scalar()?;
                is_first = false;
            }
            // Read up to the next value, and close each container that ends before it.
            loop {
                if level == open {
                    return Ok(());
                }
                let more = if objects & 1 == 1 {
                    match self.next_name(is_first)? {
                        Some(name) => {
                            repeats.name(&name);
                            true
                        }
                        None => {
                            repeats.close(self.bytes);
                            false
                        }
                    }
                } else {
                    self.next_entry(is_first)?
                };
                if more {
                    break;
                }
                level -= 1;
                objects >>= 1;
                is_first = false;
            }
        }
    }
}
