//! The result of scanning an ordinary address, and the octets of its local part.

use core::num::NonZeroU32;

use crate::bytes::class::{ByteTable, byte_table};

/// The result of one pass over the octets of an ordinary ASCII address. It fits into a register, so it need not go through
/// memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan(NonZeroU32);

const UPPER_LOCAL_PART: u32 = 1 << 16;
const UPPER_DOMAIN: u32 = 1 << 17;

impl Scan {
    /// `None` when the address is empty. `at` and `len` are less than 64, because the address was found in a window.
    #[inline]
    pub(super) fn new(
        at: usize,
        len: usize,
        upper_local_part: bool,
        upper_domain: bool,
    ) -> Option<Self> {
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

/// The octets that a dot-atom has between its dots (RFC 5322, `atext`).
pub(super) static ATEXT: ByteTable<bool> = byte_table!(|byte| byte.is_ascii_alphanumeric()
    || matches!(
        byte,
        b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'/' | b'=' | b'?' | b'^'..=b'`' | b'{'..=b'~'
    ));
