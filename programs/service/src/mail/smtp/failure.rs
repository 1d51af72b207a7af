//! Failures of the steps of a dialogue, and their meaning for the email.

use mail_send::Error;
use smtp_proto::Response;

use crate::mail::{Outcome, Reason};

/// A step of the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// The TCP connection, and TLS.
    Connect,
    /// The greeting, EHLO, STARTTLS and AUTH.
    Greet,
    /// RSET, on a connection that was idle.
    Reset,
    Mail,
    Rcpt,
    /// DATA and the message, up to the final dot.
    Data,
    /// The final dot and its answer.
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
    /// The server refused.
    Answer(Response<String>),
    /// The server cannot be used with these settings.
    Unusable(Reason),
    /// The server cannot take this email.
    Unsuitable(Reason),
    /// The connection was lost, or the answer is not SMTP.
    Lost(Reason),
}

/// The codes of answers that say that the service has to authenticate, or that it could not (RFC 4954).
const AUTHENTICATION: [u16; 4] = [530, 534, 535, 538];

impl Failure {
    /// The failure of an answer that the step does not expect.
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
                "the connection was lost, or the server's answer is not SMTP",
            )),
        };
        Self { step, cause }
    }

    /// The failure of a server that cannot be used with these settings.
    pub(super) fn unusable(why: &str) -> Self {
        Self {
            step: Step::Connect,
            cause: Cause::Unusable(Reason::new(why)),
        }
    }

    /// The failure of a server that cannot be reached.
    pub(super) fn unreachable(why: &str) -> Self {
        Self {
            step: Step::Connect,
            cause: Cause::Lost(Reason::new(why)),
        }
    }

    /// The failure of an email that the server cannot accept.
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

    /// Whether the failure shows that an idle connection was closed. The server has said nothing about the email then.
    pub(super) fn is_of_an_idle_session(&self) -> bool {
        match &self.cause {
            Cause::Answer(answer) => {
                self.step <= Step::Reset || answer.code == 421 && self.step == Step::Mail
            }
            Cause::Lost(_) => self.step <= Step::Mail,
            Cause::Unusable(_) | Cause::Unsuitable(_) => false,
        }
    }

    /// Returns what the failure means for the email.
    ///
    /// A 5xx answer to RCPT, to DATA or to the message refuses the email. A 5xx answer to MAIL refuses the email if its
    /// enhanced status code is about the sender's address (X.1.x), the size of the email (X.2.3, X.3.4) or its content
    /// (X.6.x). Otherwise it refuses the sender, so that other senders' emails are not held up.
    ///
    /// A 5xx answer before MAIL is a fault of the transport, so that no email bounces because of a wrong password. So is an
    /// answer to MAIL that asks for authentication. After MAIL, such an answer defers the email: it may be the answer of another
    /// server about this recipient, and must not hold up the emails of others.
    ///
    /// A server accepts no further connection for now if it cannot be reached, closes the connection at once, or answers 4xx
    /// before MAIL.
    pub(super) fn outcome(self) -> Outcome {
        let step = self.step;
        match self.cause {
            Cause::Answer(answer) => {
                let reason = Reason::of_answer(answer.code, answer.esc, &answer.message);
                match answer.code {
                    500.. if AUTHENTICATION.contains(&answer.code) && step <= Step::Mail => {
                        Outcome::TransportFault { reason }
                    }
                    500.. if AUTHENTICATION.contains(&answer.code) => Outcome::Deferred { reason },
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

/// Whether an answer says that mail comes too fast, by the code 4.7.28 (mail flood in RFC 3463's registry) or in the words
/// that servers use.
fn is_of_rate(answer: &Response<String>) -> bool {
    const WORDS: [&str; 5] = ["rate limit", "too many", "too fast", "throttl", "slow down"];
    let text = answer.message.to_lowercase();
    matches!(answer.esc, [4, 7, 28]) || WORDS.iter().any(|word| text.contains(word))
}
