//! Tables of byte classes, computed when the crate is compiled.

/// A table with an entry for each of the 256 bytes.
pub(crate) struct ByteTable<T>([T; 256]);

impl<T: Copy> ByteTable<T> {
    /// Called only by [`byte_table`].
    pub(crate) const fn new(table: [T; 256]) -> Self {
        Self(table)
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the table has 256 entries and the index is a byte, so the compiler emits no bounds check"
    )]
    #[inline]
    pub(crate) const fn of(&self, byte: u8) -> T {
        self.0[byte as usize]
    }
}

/// Makes a table by evaluating an expression for each byte: `byte_table!(|byte| byte.is_ascii_digit())`.
macro_rules! byte_table {
    (|$byte:ident| $class:expr) => {{
        let mut table = [{
            let $byte = 0_u8;
            $class
        }; 256];
        let mut at = 0_usize;
        while let (Some((_, [entry, ..])), true) = (table.split_at_mut_checked(at), at < 256) {
            let $byte = at as u8;
            *entry = $class;
            at += 1;
        }
        crate::bytes::class::ByteTable::new(table)
    }};
}

pub(crate) use byte_table;

/// The value of each hexadecimal digit; [`NO_DIGIT`] for any other byte.
pub(crate) static HEX_VALUES: ByteTable<u8> =
    byte_table!(|byte| match (byte as char).to_digit(16) {
        Some(value) => value as u8,
        None => NO_DIGIT,
    });

/// Greater than the value of any digit. It is a single bit that no digit has, so one comparison checks several values that are
/// OR-ed together.
pub(crate) const NO_DIGIT: u8 = 16;
