//! The host's answers: an account, and facts in columns that are parallel to those of the questions.

/// What the columns of answers have in common. Debug shows the length.
macro_rules! column {
    ($Column:ident $Answer:ident) => {
        impl $Column {
            /// The number of answers.
            #[must_use]
            pub fn len(&self) -> usize {
                self.rows.len()
            }

            /// Whether it is empty.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.rows.is_empty()
            }

            /// The answers, in order.
            pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<$Answer<'_>>> {
                (0..self.len()).map(|index| self.get(index))
            }
        }

        impl<'a> FromIterator<Option<$Answer<'a>>> for $Column {
            fn from_iter<I: IntoIterator<Item = Option<$Answer<'a>>>>(answers: I) -> Self {
                let mut column = Self::default();
                for answer in answers {
                    column.push(answer);
                }
                column
            }
        }

        impl Serialize for $Column {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter())
            }
        }

        debug_shows!($Column { len() });
    };
}

mod mailers;
mod subscribers;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use serde::{Deserialize, Serialize};

use crate::roles::DomainRoles;
pub use mailers::{Mailer, Mailers};
pub use subscribers::{Subscriber, Subscribers};

/// What the host knows of an account (interface, section 2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Account {
    /// Whether sending is blocked: code 404.
    pub blocked: bool,
    /// Whether the account has expired: code 405.
    pub expired: bool,
    /// Whether the account is deactivated: code 448.
    pub deactivated: bool,
    /// How many more subscribers may be created (code 444). `None` means that there is no limit; a negative number counts as
    /// zero.
    pub subscriber_credit: Option<i64>,
    /// How many more emails may be sent (code 445). `None` means that there is no limit; a negative number counts as zero.
    pub email_credit: Option<i64>,
}

/// The credits that a plan costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Debit {
    /// The email credits: one for each email.
    pub email: u64,
    /// The subscriber credits: one for each subscriber that is created.
    pub subscriber: u64,
}

/// There is not enough memory for the answers. The column has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is not enough memory for the answers")]
pub struct OutOfMemory;

/// The host's answer to [`Questions`](crate::Questions): one entry for each member of each column, in the same order.
///
/// The entry of something that does not exist is `None` or `false`. A host that could not look something up does not answer:
/// it drops the call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The stored emails.
    pub mailers: Mailers,
    /// Whether each address belongs to an active sender of the account.
    pub senders: Vec<bool>,
    /// The subscribers with these ids.
    pub subscriber_ids: Subscribers,
    /// The subscribers with these addresses.
    pub subscribers: Subscribers,
    /// Whether each list exists.
    pub lists: Vec<bool>,
    /// The roles for which each domain is on a blacklist. Domains are compared by plain equality, because the library asks
    /// about their parents as well.
    pub domains: Vec<DomainRoles>,
}

/// The text at this place in the texts of a column; empty when no text was pushed there.
#[inline]
fn text_at(texts: &str, place: Range<usize>) -> &str {
    texts.get(place).unwrap_or("")
}

/// Makes room for the first text of a column. Most columns have one, and growing a text takes longer than making it.
#[inline]
fn reserve_text(texts: &mut String, bytes: usize) {
    if texts.capacity() == 0 {
        *texts = String::with_capacity(bytes);
    }
}
