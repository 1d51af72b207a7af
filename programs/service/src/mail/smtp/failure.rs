//! What a failure at a step of the dialogue means for the email.

use mail_send::Error;
use smtp_proto::Response;

use crate::mail::{Outcome, Reason};

/// A step of the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Up to the TCP connection, and TLS.
    Connect,
    /// The greeting, EHLO, STARTTLS and AUTH.
    Greet,
    /// RSET, on a connection that was idle.
    Reset,
    Mail,
    Rcpt,
    /// DATA and the message, up to the final dot.
    Data,
    /// From the final dot on.
    End,
}

/// A step that failed.
#[derive(Debug)]
pub(super) struct Failure {
    step: Step,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    /// The server said no.
    Answer(Response<String>),
    /// The server cannot be used as it is set.
    Unusable(Reason),
    /// The server cannot take this email.
    Unsuitable(Reason),
    /// The connection was lost, or what came is no SMTP.
    Lost(Reason),
}

/// Answers that say that the service has to authenticate, or could not (RFC 4954).
const AUTHENTICATION: [u16; 4] = [530, 534, 535, 538];

impl Failure {
    /// An answer that is not the one that the step needs.
    pub(super) fn of_answer(step: Step, answer: Response<String>) -> Self {
        let cause = match answer.code {
            400..600 => Cause::Answer(answer),
            _ => Cause::Lost(Reason::new("the server's answer does not fit the command")),
        };
        Self { step, cause }
    }

    pub(super) fn of_error(step: Step, error: Error) -> Self {
        let cause = match error {
            Error::UnexpectedReply(answer) | Error::AuthenticationFailed(answer) => {
                return Self::of_answer(step, answer);
            }
            Error::UnsupportedAuthMechanism | Error::Auth(_) | Error::Base64(_) => Cause::Unusable(
                Reason::new("the server offers neither AUTH PLAIN nor AUTH LOGIN"),
            ),
            Error::Timeout => Cause::Lost(Reason::new("the server did not answer in time")),
            Error::Io(error) => Cause::Lost(Reason::new(&format!(
                "the connection was lost: {}",
                error.kind()
            ))),
            _ => Cause::Lost(Reason::new(
                "the connection was lost, or the server's answer is no SMTP",
            )),
        };
        Self { step, cause }
    }

    /// A server that cannot be used as it is set.
    pub(super) fn unusable(why: &str) -> Self {
        Self {
            step: Step::Connect,
            cause: Cause::Unusable(Reason::new(why)),
        }
    }

    /// A server to which there is no connection.
    pub(super) fn unreachable(why: &str) -> Self {
        Self {
            step: Step::Connect,
            cause: Cause::Lost(Reason::new(why)),
        }
    }

    /// An email that the server cannot take.
    pub(super) fn unsuitable(why: &str) -> Self {
        Self {
            step: Step::Mail,
            cause: Cause::Unsuitable(Reason::new(why)),
        }
    }

    /// Whether the dialogue can go on with another email.
    pub(super) fn leaves_session(&self) -> bool {
        match &self.cause {
            Cause::Answer(answer) => self.step > Step::Reset && !matches!(answer.code, 421 | 521),
            Cause::Unsuitable(_) => true,
            Cause::Unusable(_) | Cause::Lost(_) => false,
        }
    }

    /// Whether a connection that was idle has shown to be closed: nothing is known of the email then.
    pub(super) fn is_of_an_idle_session(&self) -> bool {
        match &self.cause {
            Cause::Answer(answer) => {
                self.step <= Step::Reset || answer.code == 421 && self.step == Step::Mail
            }
            Cause::Lost(_) => self.step <= Step::Mail,
            Cause::Unusable(_) | Cause::Unsuitable(_) => false,
        }
    }

    /// What it means for the email.
    ///
    /// A 5xx to RCPT, to DATA or to the message refuses the email. To MAIL it refuses the email if its enhanced status code says
    /// that the server minds this sender's address (X.1.x), this email's size (X.2.3, X.3.4) or its content (X.6.x), and the
    /// sender if not: nobody else's mail is held up by it. An earlier one is the transport's fault, so that nobody bounces for
    /// a wrong password, and so is one that asks for authentication at any step. A server that is not there, closes at once, or
    /// says 4xx before MAIL, takes no further connection for now.
    pub(super) fn outcome(self) -> Outcome {
        let step = self.step;
        match self.cause {
            Cause::Answer(answer) => {
                let reason = Reason::of_answer(answer.code, answer.esc, &answer.message);
                match answer.code {
                    500.. if AUTHENTICATION.contains(&answer.code) => {
                        Outcome::TransportFault { reason }
                    }
                    500.. if step >= Step::Rcpt => Outcome::Refused { reason },
                    500..
                        if step == Step::Mail
                            && matches!(answer.esc, [5, 1 | 6, _] | [5, 2, 3] | [5, 3, 4]) =>
                    {
                        Outcome::Refused { reason }
                    }
                    500.. if step == Step::Mail => Outcome::SenderRefused { reason },
                    500.. => Outcome::TransportFault { reason },
                    _ if step <= Step::Reset => Outcome::Busy { reason },
                    421 if step == Step::Mail => Outcome::Busy { reason },
                    _ if step >= Step::Rcpt && is_of_rate(&answer) => Outcome::TooFast { reason },
                    _ => Outcome::Deferred { reason },
                }
            }
            Cause::Unsuitable(reason) => Outcome::Refused { reason },
            Cause::Unusable(reason) => Outcome::TransportFault { reason },
            Cause::Lost(reason) if step <= Step::Reset => Outcome::Busy { reason },
            Cause::Lost(reason) if step == Step::End => Outcome::Unanswered { reason },
            Cause::Lost(reason) => Outcome::Deferred { reason },
        }
    }
}

/// Whether an answer says that mail comes too fast: by X.7.28 (RFC 3463's registry: mail flood), or in the words that servers
/// use.
fn is_of_rate(answer: &Response<String>) -> bool {
    const WORDS: [&str; 5] = ["rate limit", "too many", "too fast", "throttl", "slow down"];
    let text = answer.message.to_lowercase();
    matches!(answer.esc, [4, 7, 28]) || WORDS.iter().any(|word| text.contains(word))
}
