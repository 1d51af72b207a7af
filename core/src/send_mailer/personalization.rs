//! The personalization of a sendMailer call: the fields that are stored with the subscriber (interface, section 2.3).

use alloc::borrow::Cow;

use super::body::{Body, ones};
use crate::wire::field::{Field as _, SendMailerField};
use crate::wire::json::Shape;

/// The names of the fields of personalization, in the interface's order (section 2.3). A host stores these fields of a
/// subscriber in addition to the address.
///
/// ```
/// let names: Vec<_> = franking::personalization_fields().collect();
/// assert!(names.contains(&"firstName") && names.contains(&"birthday") && !names.contains(&"email"));
/// ```
pub fn personalization_fields() -> impl Iterator<Item = &'static str> {
    let fields = ones(SendMailerField::PERSONALIZATION);
    fields.filter_map(|field| SendMailerField::NAMES.get(field).copied())
}

/// The names and texts of the personalization fields that were sent, in the interface's order. If an empty string clears a
/// field, a field with an empty string is included, with the text `""`.
#[derive(Clone)]
pub(super) struct Personalization<'c> {
    body: &'c Body,
    sent: &'c str,
    /// The fields that are left, one bit each.
    left: u64,
}

impl<'c> Personalization<'c> {
    pub(super) fn new(body: &'c Body, sent: &'c str, empty_clears: bool) -> Self {
        let seen = body.seen;
        let mut left = seen.fields & SendMailerField::PERSONALIZATION;
        for field in ones(left & seen.non_texts) {
            let is_given = match body.at(field).shape {
                Shape::Number => true,
                Shape::Empty => empty_clears,
                _ => false,
            };
            if !is_given {
                left &= !(1 << field);
            }
        }
        Self { body, sent, left }
    }
}

impl<'c> Iterator for Personalization<'c> {
    type Item = (&'static str, Cow<'c, str>);

    // Inlined by force, because a field that is returned through memory is slow to read (store forwarding). Through C, a call
    // with fifteen fields would take 7 % more instructions.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.left.trailing_zeros() as usize;
        self.left &= self.left.checked_sub(1)?;
        let name = *SendMailerField::NAMES.get(field)?;
        // A field to be cleared has no text.
        let text = self.body.text(field, self.sent);
        Some((name, Cow::Borrowed(text.unwrap_or_default())))
    }
}
