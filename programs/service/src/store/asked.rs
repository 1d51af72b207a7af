//! An owned copy of the questions of a call, which outlives the caller.

use franking::{DomainRoles, Questions};

/// The most domains that are looked up at once. A call can ask about millions, so their texts are held a slice at a time.
pub const DOMAINS_AT_ONCE: usize = 5_000;

/// The questions of one call, by column. Debug shows only how many there are.
#[derive(Clone, Default)]
pub struct Asked {
    pub(super) mailers: Vec<i64>,
    pub(super) senders: Vec<String>,
    pub(super) subscriber_ids: Vec<i64>,
    pub(super) subscribers: Vec<String>,
    pub(super) lists: Vec<String>,
    pub(super) domains: Vec<(String, DomainRoles)>,
    /// Whether stored addresses are read and looked up on the blacklists: only sendMailer is judged by them.
    pub(super) wants_addresses: bool,
}

impl Asked {
    /// Copies the questions. Of the domains, only the first slice is copied: [`Asked::more`] copies the others.
    #[must_use]
    pub fn of(questions: &Questions<'_>) -> Self {
        Self {
            mailers: questions.mailers().map(to_signed).collect(),
            senders: questions.senders().map(Into::into).collect(),
            subscriber_ids: questions.subscriber_ids().map(to_signed).collect(),
            subscribers: questions.subscribers().map(Into::into).collect(),
            lists: questions.lists().map(Into::into).collect(),
            domains: slice(questions, 0),
            wants_addresses: questions.single().is_some(),
        }
    }

    /// Copies the next slice of the domains, after the first `answered` ones. `None` if all domains were answered.
    #[must_use]
    pub fn more(questions: &Questions<'_>, answered: usize) -> Option<Self> {
        let domains = slice(questions, answered);
        (!domains.is_empty()).then(|| Self {
            domains,
            ..Self::default()
        })
    }
}

fn slice(questions: &Questions<'_>, first: usize) -> Vec<(String, DomainRoles)> {
    let slice = questions.domains().skip(first).take(DOMAINS_AT_ONCE);
    slice
        .map(|(domain, roles)| (domain.into(), roles))
        .collect()
}

/// Up to this many questions are looked up without delaying others.
const FEW: usize = 64;

impl Asked {
    /// The stored email that a call sends. `None` for httpSendMail.
    pub(super) fn mailer(&self) -> Option<i64> {
        self.mailers.first().copied()
    }

    /// Whether the questions are few enough to be looked up without delaying others.
    pub(super) fn are_few(&self) -> bool {
        let all = [
            self.mailers.len(),
            self.senders.len(),
            self.subscriber_ids.len(),
            self.subscribers.len(),
            self.lists.len(),
            self.domains.len(),
        ];
        all.into_iter().fold(0, usize::saturating_add) <= FEW
    }
}

/// Converts an id to the signed integers of databases. The interface's ids go up to 2^63-1, so no id is changed.
pub(super) fn to_signed(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asked")
            .field("mailers", &self.mailers.len())
            .field("senders", &self.senders.len())
            .field("subscriber_ids", &self.subscriber_ids.len())
            .field("subscribers", &self.subscribers.len())
            .field("lists", &self.lists.len())
            .field("domains", &self.domains.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{DOMAINS_AT_ONCE, FEW};

    #[test]
    fn the_pages_say_how_many_questions_are_few_and_how_many_domains_are_looked_up_at_once() {
        let page = include_str!("../../../../docs/load.md");
        let words: Vec<&str> = page.split_whitespace().collect();
        let page = words.join(" ");
        for sentence in [
            format!("Look-ups of up to {FEW} questions are made on the thread that asks."),
            format!("A call with more than {FEW} questions is looked up alone."),
        ] {
            assert!(page.contains(&sentence), "{sentence}");
        }
        let page = include_str!("../../../../docs/limits.md");
        let bound = format!(
            "The texts of domains that are held for one call: those of {},000 domains",
            DOMAINS_AT_ONCE / 1000
        );
        assert!(page.contains(&bound), "{bound}");
    }
}
