//! The personalization of a sendMailer call: what is stored with the subscriber (interface, section 2.3).

use alloc::borrow::Cow;

use crate::check::send_mailer::SendMailerCheck;
use crate::wire::field::{Field as _, SendMailerField};
use crate::wire::json::{Shape, Value};
use crate::wire::value::text;

/// Texts that lie farther apart are checked one by one.
const WINDOW: usize = 4096;

/// The fields that were sent and, where the policy says so, those to be cleared as `""`: their names and texts, in the
/// interface's order.
#[derive(Clone)]
pub(crate) struct Personalization<'c> {
    check: SendMailerCheck<'c>,
    /// The fields that are still to come, one bit each.
    left: u64,
    /// Where in the body the texts without escapes lie.
    start: usize,
    end: usize,
    /// That part of the body, once it was looked at. A text can only be handed out when it was checked to be UTF-8:
    /// for all of them together that is much quicker than for each.
    window: Option<&'c str>,
}

impl<'c> Personalization<'c> {
    pub(crate) fn new(check: SendMailerCheck<'c>, empty_clears: bool) -> Self {
        let mut given = check.body.seen.fields & SendMailerField::PERSONALIZATION;
        let (mut start, mut end) = (usize::MAX, 0);
        let mut left = given;
        while left != 0 {
            let value = check.body.at(left.trailing_zeros() as usize);
            match value.shape {
                Shape::Text => {
                    start = start.min(value.span().start);
                    end = end.max(value.span().end);
                }
                Shape::Escaped | Shape::Number => {}
                Shape::Empty if empty_clears => {}
                _ => given ^= left & left.wrapping_neg(),
            }
            left &= left.wrapping_sub(1);
        }
        Self {
            check,
            left: given,
            start,
            end,
            window: None,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left == 0
    }

    #[cold]
    fn window(&self) -> &'c str {
        let bytes = self.check.bytes.get(self.start..self.end);
        let near = bytes.filter(|bytes| bytes.len() <= WINDOW);
        core::str::from_utf8(near.unwrap_or_default()).unwrap_or_default()
    }

    /// What does not lie in the window as it is.
    #[cold]
    fn other(&self, value: Value) -> Option<Cow<'c, str>> {
        match value.shape {
            Shape::Empty => Some(Cow::Borrowed("")),
            _ => text(value, self.check.bytes),
        }
    }
}

impl<'c> Iterator for Personalization<'c> {
    type Item = (&'static str, Cow<'c, str>);

    // Inlined, so that what is handed out need not go through memory: a text that is copied right after its parts were
    // stored costs more than making it.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.left.trailing_zeros() as usize;
        let name = *SendMailerField::NAMES.get(field)?;
        self.left &= self.left.wrapping_sub(1);
        let window = match self.window {
            Some(window) => window,
            None => *self.window.insert(self.window()),
        };
        let value = self.check.body.at(field);
        let content = value.content();
        let start = content.start.wrapping_sub(self.start);
        let end = content.end.wrapping_sub(self.start);
        match window.get(start..end) {
            Some(text) if value.shape == Shape::Text => Some((name, Cow::Borrowed(text))),
            _ => Some((name, self.other(value)?)),
        }
    }
}
