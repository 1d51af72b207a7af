//! A mail server as the transport.
//!
//! The crate mail-send writes commands and reads answers. The steps of the dialogue are in [`session`], and the meaning of a
//! failure at each step is in [`failure`].

mod failure;
mod session;
mod tls;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use failure::Failure;
use session::{Server, Session};

use super::transport::{MayFinish, Sending, Transport};
use super::{Email, MailSettingsError, Outcome, Reason, SmtpSettings};

/// The maximum number of idle connections that are kept open.
const MAX_IDLE: usize = 64;
/// How long an idle connection is kept open. Servers close theirs after some minutes.
const MAX_IDLE_TIME: Duration = Duration::from_secs(60);

/// How long each step of a dialogue may take. The defaults are those of RFC 5321, 4.5.3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Connecting, with TLS.
    pub connect: Duration,
    /// The greeting.
    pub greeting: Duration,
    /// EHLO, STARTTLS, AUTH, MAIL, RCPT and RSET, each.
    pub command: Duration,
    /// DATA.
    pub data: Duration,
    /// Each 64 KB of the message.
    pub block: Duration,
    /// The answer to the message.
    pub end: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(60),
            greeting: Duration::from_secs(5 * 60),
            command: Duration::from_secs(5 * 60),
            data: Duration::from_secs(2 * 60),
            block: Duration::from_secs(3 * 60),
            end: Duration::from_secs(10 * 60),
        }
    }
}

/// Hands emails to a mail server. Connections are kept for the next email.
pub struct Smtp {
    server: Server,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    session: Session,
    since: Instant,
}

impl Smtp {
    /// Makes the transport for the mail server of the settings. It connects when it sends the first email.
    ///
    /// # Errors
    /// A setting is not valid.
    pub fn new(settings: &SmtpSettings) -> Result<Self, MailSettingsError> {
        Ok(Self {
            server: Server::new(settings)?,
            idle: Mutex::new(Vec::new()),
        })
    }

    async fn deliver(&self, email: &Email, may_finish: MayFinish) -> Outcome {
        let (mut session, accepted) = match self.begin(email).await {
            Ok(begun) => begun,
            Err(failure) => return failure.outcome(),
        };
        if let Err(failure) = accepted {
            // The session is kept if the server answered, and closed if it did not.
            if failure.leaves_session() {
                self.keep(session);
            }
            return failure.outcome();
        }
        match session.data(email, may_finish).await {
            Ok(Some(answer)) => {
                self.keep(session);
                Outcome::Delivered { answer }
            }
            Ok(None) => Outcome::Deferred {
                reason: Reason::new("the lease of the email ended before it was sent"),
            },
            Err(failure) => {
                if failure.leaves_session() {
                    self.keep(session);
                }
                failure.outcome()
            }
        }
    }

    /// Returns a session, and the result of sending the envelope in it. A server may have closed an idle connection. This
    /// says nothing about the email, so another connection is opened.
    async fn begin(&self, email: &Email) -> Result<(Session, Result<(), Failure>), Failure> {
        while let Some(mut session) = self.take() {
            let accepted = match session.reset().await {
                Ok(()) => session.envelope(email).await,
                Err(failure) => Err(failure),
            };
            match accepted {
                Err(failure) if failure.is_of_an_idle_session() => {}
                accepted => return Ok((session, accepted)),
            }
        }
        let mut session = Session::open(&self.server).await?;
        let accepted = session.envelope(email).await;
        Ok((session, accepted))
    }

    fn take(&self) -> Option<Session> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = |idle: &mut Idle| idle.since.elapsed() >= MAX_IDLE_TIME;
        close(idle.extract_if(.., is_old));
        idle.pop().map(|idle| idle.session)
    }

    fn keep(&self, session: Session) {
        if !session.is_usable() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let since = Instant::now();
        idle.push(Idle { session, since });
        if idle.len() > MAX_IDLE {
            close([idle.remove(0)]);
        }
    }
}

/// Ends dialogues as RFC 5321, 4.1.1.10 requires, in the background.
fn close(idle: impl IntoIterator<Item = Idle>) {
    for Idle { session, .. } in idle {
        // Without a runtime the process is ending.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(session.quit());
        }
    }
}

impl Drop for Smtp {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        close(idle.drain(..));
    }
}

impl Transport for Smtp {
    fn send(&self, email: Email, may_finish: MayFinish) -> Sending<'_> {
        Box::pin(async move { self.deliver(&email, may_finish).await })
    }
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Smtp")
    }
}
