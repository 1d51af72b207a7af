//! Columns that grow row by row.

use core::ffi::CStr;

use franking::Rule;

use crate::array::{Array, Buffer, Type};
use crate::error::ColumnError;

/// One bit for each row. As a bitmap of validity, a set bit means that the row is not null.
#[derive(Default)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    length: usize,
    pub(crate) nulls: usize,
}

impl Bits {
    pub(crate) fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.length % 8);
        }
        self.length = self.length.saturating_add(1);
        self.nulls = self.nulls.saturating_add(usize::from(!bit));
    }

    pub(crate) fn into_buffer(self) -> Buffer {
        match self.nulls {
            0 => Buffer::None,
            _ => Buffer::Bytes(self.bytes),
        }
    }
}

/// A column of numbers.
#[derive(Default)]
pub(crate) struct Numbers<T> {
    valid: Bits,
    pub(crate) numbers: Vec<T>,
}

impl<T: Default> Numbers<T> {
    pub(crate) fn push(&mut self, number: Option<T>) {
        self.valid.push(number.is_some());
        self.numbers.push(number.unwrap_or_default());
    }

    pub(crate) fn into_array(
        self,
        buffer: fn(Vec<T>) -> Buffer,
        dictionary: Option<Box<Array>>,
    ) -> Array {
        Array {
            length: self.valid.length,
            nulls: self.valid.nulls,
            buffers: vec![self.valid.into_buffer(), buffer(self.numbers)],
            children: Vec::new(),
            dictionary,
        }
    }
}

/// A column of texts.
pub(crate) struct Texts {
    valid: Bits,
    ends: Vec<i32>,
    bytes: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            valid: Bits::default(),
            ends: vec![0],
            bytes: Vec::new(),
        }
    }
}

impl Texts {
    pub(crate) fn push(&mut self, text: Option<&str>) -> Result<(), ColumnError> {
        self.valid.push(text.is_some());
        self.bytes.extend(text.unwrap_or_default().as_bytes());
        let end = i32::try_from(self.bytes.len()).map_err(|_| ColumnError::TooLarge)?;
        self.ends.push(end);
        Ok(())
    }

    pub(crate) fn into_array(self) -> Array {
        Array {
            length: self.valid.length,
            nulls: self.valid.nulls,
            buffers: vec![
                self.valid.into_buffer(),
                Buffer::Small(self.ends),
                Buffer::Bytes(self.bytes),
            ],
            children: Vec::new(),
            dictionary: None,
        }
    }
}

/// A column of truth values.
#[derive(Default)]
pub(crate) struct Flags {
    valid: Bits,
    flags: Bits,
}

impl Flags {
    pub(crate) fn push(&mut self, flag: Option<bool>) {
        self.valid.push(flag.is_some());
        self.flags.push(flag.unwrap_or_default());
    }

    pub(crate) fn into_array(self) -> Array {
        Array {
            length: self.valid.length,
            nulls: self.valid.nulls,
            buffers: vec![self.valid.into_buffer(), Buffer::Bytes(self.flags.bytes)],
            children: Vec::new(),
            dictionary: None,
        }
    }
}

/// The identifiers of all rules, in the order of their table.
fn rules() -> Result<Box<Array>, ColumnError> {
    let mut texts = Texts::default();
    for rule in Rule::ALL {
        texts.push(Some(rule.identifier()))?;
    }
    Ok(Box::new(texts.into_array()))
}

/// The position of a rule in their table.
fn position(rule: Rule) -> Result<i32, ColumnError> {
    let at = Rule::ALL.iter().position(|own| *own == rule);
    let at = at.and_then(|at| i32::try_from(at).ok());
    at.ok_or(ColumnError::Internal)
}

/// A column of rules: their positions in the table, which is its dictionary.
#[derive(Default)]
pub(crate) struct Rules(Numbers<i32>);

impl Rules {
    pub(crate) fn push(&mut self, rule: Option<Rule>) -> Result<(), ColumnError> {
        self.0.push(rule.map(position).transpose()?);
        Ok(())
    }

    pub(crate) fn into_array(self) -> Result<Array, ColumnError> {
        Ok(self.0.into_array(Buffer::Small, Some(rules()?)))
    }

    pub(crate) fn column_type(name: &'static CStr) -> Type {
        Type {
            dictionary: Some(Box::new(Type::new(c"", c"u"))),
            ..Type::new(name, c"i")
        }
    }
}

pub(crate) fn signed(number: usize) -> Result<i64, ColumnError> {
    i64::try_from(number).map_err(|_| ColumnError::TooLarge)
}

/// A batch of columns.
pub(crate) fn batch(length: usize, children: Vec<Array>) -> Array {
    Array {
        length,
        nulls: 0,
        buffers: vec![Buffer::None],
        children,
        dictionary: None,
    }
}
