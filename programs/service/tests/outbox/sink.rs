//! A transport whose answers a test sets, and that records what it took.

use std::collections::HashMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use franking_service::mail::{
    Composer, Email, MailSettings, MayFinish, Outcome, Reason, Sending, Transport,
};
use franking_service::outbox::{Limits, Retry, Running, SendingState, Worker};
use franking_service::store::Store;
use tokio::sync::Semaphore;

/// What a transport does with an email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    Deliver,
    Refuse,
    Defer,
    Fault,
    /// Refuses the sender.
    RefuseSender,
    /// Says at once that mail comes too fast.
    TooFast,
    /// Accepts no further connection.
    Busy,
    /// Takes the email, and loses the connection after the end of the data.
    TakeUnanswered,
    /// Loses the connection after the end of the data, without taking the email.
    LoseUnanswered,
    /// Never ends, and does not reach the end of the data.
    HangBefore,
    /// Takes the email, and never ends.
    HangAfter,
    Panic,
}

/// Chooses by the email, the number of earlier attempts, and the number of emails on their way.
type Script = Box<dyn Fn(&Email, usize, usize) -> Does + Send + Sync>;

/// One attempt.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) id: i64,
    pub(crate) message_id: String,
    pub(crate) destination: String,
    pub(crate) does: Does,
    /// Whether the attempt reached the end of the data.
    pub(crate) finished: bool,
}

#[derive(Default)]
struct Seen {
    attempts: Vec<Attempt>,
    tries: HashMap<i64, usize>,
    at_once: HashMap<String, usize>,
    most_of_all: usize,
    most_at_once: HashMap<String, usize>,
}

pub(crate) struct Sink {
    script: Script,
    time: Duration,
    /// It has no permits. It is closed when emails are held no longer.
    held: Semaphore,
    seen: Mutex<Seen>,
}

impl Sink {
    pub(crate) fn new(script: impl Fn(&Email, usize) -> Does + Send + Sync + 'static) -> Arc<Self> {
        Self::slow(Duration::ZERO, script)
    }

    /// A sink that takes this time for each email.
    pub(crate) fn slow(
        time: Duration,
        script: impl Fn(&Email, usize) -> Does + Send + Sync + 'static,
    ) -> Arc<Self> {
        let script =
            Box::new(move |email: &Email, attempt: usize, _: usize| script(email, attempt));
        Arc::new(Self::with(time, script))
    }

    /// A sink that holds each email on its way until [`Sink::let_go`] is called.
    pub(crate) fn held(
        script: impl Fn(&Email, usize) -> Does + Send + Sync + 'static,
    ) -> Arc<Self> {
        let script =
            Box::new(move |email: &Email, attempt: usize, _: usize| script(email, attempt));
        Arc::new(Self {
            held: Semaphore::new(0),
            ..Self::with(Duration::ZERO, script)
        })
    }

    /// A sink whose answers depend on the number of emails on their way.
    pub(crate) fn limited(
        time: Duration,
        script: impl Fn(usize) -> Does + Send + Sync + 'static,
    ) -> Arc<Self> {
        let script = Box::new(move |_: &Email, _: usize, now: usize| script(now));
        Arc::new(Self::with(time, script))
    }

    fn with(time: Duration, script: Script) -> Self {
        let sink = Self {
            script,
            time,
            held: Semaphore::new(0),
            seen: Mutex::default(),
        };
        sink.let_go();
        sink
    }

    /// Holds no email any longer.
    pub(crate) fn let_go(&self) {
        self.held.close();
    }

    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        self.seen.lock().unwrap().attempts.clone()
    }

    /// The number of attempts.
    pub(crate) fn count(&self) -> usize {
        self.seen.lock().unwrap().attempts.len()
    }

    /// How often each email was taken.
    pub(crate) fn taken(&self) -> HashMap<i64, usize> {
        let mut taken = HashMap::new();
        for attempt in self.attempts() {
            let took = [Does::Deliver, Does::TakeUnanswered, Does::HangAfter];
            if attempt.finished && took.contains(&attempt.does) {
                *taken.entry(attempt.id).or_default() += 1;
            }
        }
        taken
    }

    /// The largest number of emails to a domain that were on their way at the same time.
    pub(crate) fn most_at_once(&self, domain: &str) -> usize {
        let seen = self.seen.lock().unwrap();
        seen.most_at_once.get(domain).copied().unwrap_or(0)
    }

    /// The largest number of emails that were on their way at the same time.
    pub(crate) fn most_at_once_of_all(&self) -> usize {
        self.seen.lock().unwrap().most_of_all
    }

    fn begin(&self, email: &Email) -> (Does, usize) {
        let mut seen = self.seen.lock().unwrap();
        let tries = seen.tries.entry(email.id()).or_default();
        let before = *tries;
        *tries += 1;
        let domain = email.destination().to_owned();
        let now = seen.at_once.entry(domain.clone()).or_default();
        *now += 1;
        let now = *now;
        let most = seen.most_at_once.entry(domain).or_default();
        *most = now.max(*most);
        let of_all = seen.at_once.values().sum();
        seen.most_of_all = seen.most_of_all.max(of_all);
        let does = (self.script)(email, before, of_all);
        let place = seen.attempts.len();
        seen.attempts.push(Attempt {
            id: email.id(),
            message_id: message_id(email),
            destination: email.destination().to_owned(),
            does,
            finished: false,
        });
        (does, place)
    }
}

/// Counts the email as no longer on its way, however its attempt ends.
struct Ends<'s>(&'s Sink, String);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        *self
            .0
            .seen
            .lock()
            .unwrap()
            .at_once
            .get_mut(&self.1)
            .unwrap() -= 1;
    }
}

fn message_id(email: &Email) -> String {
    let text = String::from_utf8_lossy(email.bytes());
    let line = text.lines().find(|line| line.starts_with("Message-ID:"));
    line.unwrap().to_owned()
}

impl Transport for Sink {
    fn send(&self, email: Email, may_finish: MayFinish) -> Sending<'_> {
        let (does, place) = self.begin(&email);
        let ends = Ends(self, email.destination().to_owned());
        let reason = |text: &str| Reason::new(text);
        Box::pin(async move {
            let _ends = ends;
            if does != Does::TooFast {
                // clock: how long that takes does not matter
                tokio::time::sleep(self.time).await;
                drop(self.held.acquire().await);
            }
            match does {
                Does::Fault => {
                    let reason = reason("535 5.7.8 authentication failed");
                    return Outcome::TransportFault { reason };
                }
                Does::RefuseSender => {
                    let reason = reason("550 5.7.1 not you");
                    return Outcome::SenderRefused { reason };
                }
                Does::TooFast => {
                    let reason = reason("450 4.7.28 too fast");
                    return Outcome::TooFast { reason };
                }
                Does::Busy => {
                    let reason = reason("421 4.7.0 too many connections");
                    return Outcome::Busy { reason };
                }
                Does::HangBefore => pending::<()>().await,
                Does::Panic => panic!("this is the poison that a test wants"),
                _ => {}
            }
            if !may_finish.await {
                let reason = reason("the lease was lost");
                return Outcome::Deferred { reason };
            }
            self.seen.lock().unwrap().attempts[place].finished = true;
            match does {
                Does::Refuse => Outcome::Refused {
                    reason: reason("550 5.1.1 unknown"),
                },
                Does::Defer => Outcome::Deferred {
                    reason: reason("451 4.3.0 later"),
                },
                Does::TakeUnanswered | Does::LoseUnanswered => Outcome::Unanswered {
                    reason: reason("the connection was lost"),
                },
                Does::HangAfter => pending().await,
                _ => Outcome::Delivered {
                    answer: reason("250 OK"),
                },
            }
        })
    }
}

/// Limits that keep tests from waiting.
pub(crate) fn quick() -> Limits {
    Limits {
        sends: 8,
        batch: 32,
        retry: Retry {
            first: Duration::ZERO,
            ..Retry::default()
        },
        pause: Duration::from_millis(5),
        longest_pause: Duration::from_millis(50),
        ..Limits::default()
    }
}

/// Starts a worker. Returns it with its state.
pub(crate) fn work(
    store: &Arc<dyn Store>,
    sink: &Arc<Sink>,
    limits: Limits,
) -> (Running, SendingState) {
    work_until(store, sink, limits, Duration::from_secs(60))
}

/// Like [`work`], with a time for emails in flight when the worker is ended.
pub(crate) fn work_until(
    store: &Arc<dyn Store>,
    sink: &Arc<Sink>,
    limits: Limits,
    shutdown: Duration,
) -> (Running, SendingState) {
    let composer = Arc::new(Composer::new(&MailSettings::default()).unwrap());
    let state = SendingState::default();
    let worker = Worker::new(store.clone(), composer, sink.clone(), limits, state.clone());
    (worker.start(shutdown), state)
}
