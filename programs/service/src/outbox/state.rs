//! The state of sending, as the rest of the service sees it.

use std::sync::Arc;

use tokio::sync::watch;

/// Why nothing is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The transport is at fault, for example because of a wrong password. The log says why.
    Transport,
    /// The database does not carry out the outbox's requests.
    Database,
}

impl Trouble {
    /// The reason as a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Transport => {
                "Sending is paused: the mail server (or the maildir) cannot be used. The log says why."
            }
            Self::Database => "Sending is paused: the database does not answer.",
        }
    }
}

/// Whether emails are being sent. Clones share the state.
#[derive(Clone, Debug)]
pub struct SendingState(Arc<watch::Sender<Option<Trouble>>>);

impl Default for SendingState {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(None)))
    }
}

impl SendingState {
    /// Why nothing is sent, or `None` if emails are sent.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        *self.0.borrow()
    }

    pub(super) fn set(&self, trouble: Option<Trouble>) {
        self.0.send_replace(trouble);
    }
}
