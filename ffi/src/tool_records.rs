//! Records as structures of C. Generated from core/src/record.rs by `cargo run -p franking-tools -- header`: do not edit.

use crate::size::Grows;
use crate::text::{FrankingSpan, FrankingText};

/// A URL in HTML that a mail reader would follow, load or turn into a link. Start from FRANKING_LINK_INIT. Texts live
/// until the cursor moves on or is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingLink {
    /// sizeof(franking_link).
    pub size: usize,
    /// Where it is in the HTML, as a person would name it: href of <a>.
    pub place: FrankingText,
    /// The URL, character references and escapes of CSS resolved.
    pub url: FrankingText,
    /// The bytes of the HTML in which it is written.
    pub span: FrankingSpan,
    /// The hosts to judge it by; none for a relative URL and for a scheme without hosts, several perhaps for mailto.
    pub hosts: *const FrankingText,
    /// How many.
    pub host_count: usize,
    /// Not 0: some browser can read it.
    pub readable: u8,
    /// Not 0: it is in a conditional comment, which only some mail readers read.
    pub in_conditional_comment: u8,
    /// 0.
    pub reserved: [u8; 6],
}

// SAFETY: repr(C), without padding (layout.rs), and every member takes any bytes.
unsafe impl Grows for FrankingLink {
    const FIRST: usize = 80;
}
