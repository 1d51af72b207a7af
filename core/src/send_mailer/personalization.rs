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
    let names = SendMailerField::NAMES.iter().enumerate();
    names
        .filter(|(index, _)| SendMailerField::PERSONALIZATION >> index & 1 == 1)
        .map(|(_, name)| *name)
}

/// The names and texts of the personalization fields that were sent, in the interface's order. If an empty string clears a
/// field, such fields are included, with the text `""`.
#[derive(Clone)]
pub(crate) struct Personalization<'c> {
    body: &'c Body,
    sent: &'c str,
    /// The fields that are left, one bit each.
    left: u64,
}

impl<'c> Personalization<'c> {
    pub(crate) fn new(body: &'c Body, sent: &'c str, empty_clears: bool) -> Self {
        let seen = body.seen;
        let mut given = seen.fields & SendMailerField::PERSONALIZATION;
        for field in ones(given & seen.non_texts) {
            let is_given = match body.at(field).shape {
                Shape::Number => true,
                Shape::Empty => empty_clears,
                _ => false,
            };
            if !is_given {
                given &= !(1 << field);
            }
        }
        Self {
            body,
            sent,
            left: given,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left == 0
    }
}

impl<'c> Iterator for Personalization<'c> {
    type Item = (&'static str, Cow<'c, str>);

    // Inlined, because a result that is returned through memory is slow to read (store forwarding).
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.left.trailing_zeros() as usize;
        let name = *SendMailerField::NAMES.get(field)?;
        self.left &= self.left.wrapping_sub(1);
        // A field to be cleared has no text.
        let text = self.body.text(field, self.sent);
        Some((name, Cow::Borrowed(text.unwrap_or_default())))
    }
}
