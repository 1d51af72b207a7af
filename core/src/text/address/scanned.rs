//! The result of scanning an ordinary address, and the classes of octets that the scan uses.

use core::num::NonZeroU32;

use super::{MAX_ADDRESS_LEN, MAX_LOCAL_PART_LEN};
use crate::bytes::class::{ByteTable, byte_table};

/// The result of one pass over the octets of an ordinary ASCII address. It fits into a register, so it need not go through
/// memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan(NonZeroU32);

const UPPER_LOCAL_PART: u32 = 1 << 16;
const UPPER_DOMAIN: u32 = 1 << 17;

impl Scan {
    /// `None` when the address is empty or too long.
    #[inline]
    pub(super) fn new(
        at: usize,
        len: usize,
        upper_local_part: bool,
        upper_domain: bool,
    ) -> Option<Self> {
        if at > MAX_LOCAL_PART_LEN || len > MAX_ADDRESS_LEN {
            return None;
        }
        let upper_local_part = u32::from(upper_local_part) * UPPER_LOCAL_PART;
        let upper_domain = u32::from(upper_domain) * UPPER_DOMAIN;
        NonZeroU32::new((at as u32) << 8 | len as u32 | upper_local_part | upper_domain).map(Self)
    }

    /// The position of the `@`.
    #[inline]
    pub(crate) fn at(self) -> usize {
        (self.0.get() >> 8 & 0xFF) as usize
    }

    /// The number of octets of the address.
    #[inline]
    pub(crate) fn len(self) -> usize {
        (self.0.get() & 0xFF) as usize
    }

    /// Whether the domain has an upper-case letter.
    #[inline]
    pub(crate) fn upper_domain(self) -> bool {
        self.0.get() & UPPER_DOMAIN != 0
    }

    /// Whether the address is its own match key. If not, its key is the address in ASCII lower case.
    #[inline]
    pub(crate) fn is_match_key(self) -> bool {
        self.0.get() & (UPPER_LOCAL_PART | UPPER_DOMAIN) == 0
    }
}

pub(super) const ATEXT: u8 = 1;
pub(super) const DOT: u8 = 2;
pub(super) const UPPER: u8 = 4;

static CLASSES: ByteTable<u8> = byte_table!(|byte| match byte {
    b'A'..=b'Z' => ATEXT | UPPER,
    b'a'..=b'z' | b'0'..=b'9' => ATEXT,
    b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'/' | b'=' | b'?' => ATEXT,
    b'^'..=b'`' | b'{'..=b'~' => ATEXT,
    b'.' => DOT,
    _ => 0,
});

#[inline]
pub(super) fn class(byte: u8) -> u8 {
    CLASSES.of(byte)
}
