//! The facts of a call. The memory for them is reserved, and of many domains only a slice is held at a time.

use franking::{HostAnswer, Questions, Step};

use super::{Conversation, Outcome, Stop, Trouble, fault, panicked};
use crate::store::{Asked, Journal};
use crate::transcripts::MOST_QUESTIONS;

impl Conversation {
    /// Looks up the facts of the call, and answers it with them.
    pub(super) async fn facts(&mut self) -> Result<(), Stop> {
        let Some((account, _)) = self.authenticated else {
            return Err(Stop(fault("facts were asked without an account")));
        };
        let counts = match self.call()?.step() {
            Step::Facts(questions) => Some((
                questions.subscriber_count(),
                questions.sender_count(),
                questions.domain_count(),
            )),
            Step::Account(_) | Step::Commit(_) | Step::Done(_) => None,
        };
        let (recipients, senders, domains) = counts.ok_or_else(nothing_asked)?;
        if recipients > self.bounds.max_recipients {
            return Err(Stop(Outcome::TooManyRecipients));
        }
        let questions = recipients.saturating_add(senders).saturating_add(domains);
        if questions > MOST_QUESTIONS {
            // A transcript takes about 1 KB of memory for each question.
            self.journal = Journal::default();
        }
        let memory = self.worker.hold_facts(recipients, domains).await;
        memory.ok_or(Stop(Outcome::Undone(Trouble::NoMemory)))?;
        let asked = self.asked(|questions| Some(Asked::of(questions))).await?;
        let mut found = self.store.facts(account, asked).await?;
        self.mailer_revision = found.mailer_revision;
        let answers = &mut found.facts.domains;
        let first = answers.len();
        answers.reserve_exact(domains.saturating_sub(first));
        // Each look-up gives its connection back, so that others are served in between.
        while answers.len() < domains {
            let answered = answers.len();
            let asked = self.asked(move |questions| Asked::more(questions, answered));
            let asked = asked.await?;
            let more = self.store.facts(account, asked).await?;
            answers.extend(more.facts.domains);
        }
        self.domains = answers.get(first..).unwrap_or_default().to_vec();
        self.step(HostAnswer::Facts(found.facts)).await
    }

    /// Copies questions of the call. For a large call, this is done on a thread for large bodies.
    async fn asked(
        &mut self,
        copy: impl FnOnce(&Questions<'_>) -> Option<Asked> + Send + 'static,
    ) -> Result<Asked, Stop> {
        let asked = self.worker.work(move |call| match call.step() {
            Step::Facts(questions) => copy(&questions),
            Step::Account(_) | Step::Commit(_) | Step::Done(_) => None,
        });
        let asked = asked.await.ok_or_else(panicked)?;
        asked.ok_or_else(nothing_asked)
    }
}

fn nothing_asked() -> Stop {
    Stop(fault("the call did not ask for facts"))
}
