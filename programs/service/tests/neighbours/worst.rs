//! The ways in which an account or a client harms others.

use std::net::SocketAddr;
use std::sync::Arc;
// clock: how long a case takes to begin; it is not judged.
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::client::{ask, connect, exchange};
use super::relay::Relay;
use crate::support::{self, Answer, KEY, PATIENCE};

/// The harmful client has another address than the one that it harms.
const FROM: Option<[u8; 4]> = Some([127, 0, 0, 2]);

/// The events of a page: the most that a page can have.
const EVENTS: usize = 1_000;

/// One way to harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worst {
    /// Nothing: the steady account is alone.
    Nothing,
    RefusedSender,
    OneBigDomain,
    HangingDomains,
    IdleConnections,
    StalledUploads,
    ManyRecipients,
    LargeBodies,
    StuckRelay,
    ManyDue,
    ManyCallers,
    ManyReaders,
}

impl Worst {
    pub(crate) const ALL: [Self; 11] = [
        Self::RefusedSender,
        Self::OneBigDomain,
        Self::HangingDomains,
        Self::IdleConnections,
        Self::StalledUploads,
        Self::ManyRecipients,
        Self::LargeBodies,
        Self::StuckRelay,
        Self::ManyDue,
        Self::ManyCallers,
        Self::ManyReaders,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::RefusedSender => "a refused sender",
            Self::OneBigDomain => "one big domain",
            Self::HangingDomains => "200 hanging domains",
            Self::IdleConnections => "idle connections",
            Self::StalledUploads => "stalled uploads",
            Self::ManyRecipients => "300,000 recipients",
            Self::LargeBodies => "six large bodies",
            Self::StuckRelay => "a stuck relay",
            Self::ManyDue => "many due",
            Self::ManyCallers => "callers at once",
            Self::ManyReaders => "readers of events",
        }
    }
}

/// The amount of harm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Bytes of a large body.
    pub body: usize,
    /// Connections that say nothing.
    pub idle: usize,
    /// Recipients of one call, more than allowed.
    pub recipients: usize,
    /// Emails to one domain.
    pub emails: usize,
    /// Emails that are due.
    pub due: usize,
    /// Connections that each send one request after the other.
    pub callers: usize,
}

/// The harm, which goes on until this is dropped.
#[derive(Default)]
pub(crate) struct Harm {
    _open: Vec<TcpStream>,
    _tasks: JoinSet<()>,
}

/// Begins to do harm, and returns when it is at work.
pub(crate) async fn begin(
    worst: Worst,
    size: Size,
    address: SocketAddr,
    relay: &Arc<Relay>,
) -> Harm {
    let mut harm = Harm::default();
    match worst {
        Worst::Nothing | Worst::ManyDue => {}
        Worst::RefusedSender => send(address, "bad@shop.example", &many(200, "a.example")).await,
        Worst::OneBigDomain => {
            send(
                address,
                "news@shop.example",
                &many(size.emails, "big.example"),
            )
            .await;
            let mut tries = 0;
            while relay.count() == 0 {
                tries += 1;
                assert!(tries < 90_000, "no email of the big domain is sent");
                // clock: until it is at work
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
        Worst::HangingDomains => {
            let to = (0..200).map(|n| format!("a@h{n}.hang.example"));
            send(
                address,
                "news@shop.example",
                &to.collect::<Vec<_>>().join(","),
            )
            .await;
        }
        Worst::StuckRelay => send(address, "stuck@shop.example", &many(200, "a.example")).await,
        Worst::IdleConnections => {
            for _ in 0..size.idle {
                harm._open.push(connect(address, FROM).await);
            }
        }
        Worst::StalledUploads => {
            for _ in 0..8 {
                let mut stream = connect(address, FROM).await;
                let length = size.body;
                let head = format!(
                    "POST /v4/httpSendMail HTTP/1.1\r\nHost: h\r\nContent-Length: {length}\r\n\r\n"
                );
                stream.write_all(head.as_bytes()).await.unwrap();
                // A client for which there is no capacity is told so, and may be cut off.
                let _ = stream.write_all(&vec![b' '; length - 1]).await;
                harm._open.push(stream);
            }
        }
        Worst::ManyRecipients => {
            repeat(
                &mut harm,
                address,
                1,
                call("news@shop.example", &many(size.recipients, "a.example")),
            );
        }
        Worst::LargeBodies => {
            let count = size.body / "a1000000@a.example,".len();
            repeat(
                &mut harm,
                address,
                6,
                call("news@shop.example", &many(count, "a.example")),
            );
        }
        Worst::ManyCallers => {
            // Each call is to a reader of its own.
            let calls = (0..size.callers).map(|number| {
                let body = support::send_mailer(&format!("a{number}@caller.example"));
                support::request("POST", "/v4/sendMailer", &[], &body)
            });
            let is_accepted = |answer: &Answer| answer.code() == Some(200);
            ask_all_the_time(&mut harm, address, calls.collect(), is_accepted).await;
        }
        Worst::ManyReaders => {
            let bearer = format!("Bearer {KEY}");
            let path = format!("/events?limit={EVENTS}");
            let page = support::request("GET", &path, &[("Authorization", &bearer)], b"");
            if !is_whole_page(&ask(address, FROM, &page).await) {
                send(address, "news@shop.example", &many(EVENTS, "a.example")).await;
            }
            let pages = vec![page; size.callers];
            ask_all_the_time(&mut harm, address, pages, is_whole_page).await;
        }
    }
    // clock: what was begun is at work by then, or soon after
    tokio::time::sleep(Duration::from_millis(300)).await;
    harm
}

/// Sends a call again and again over this number of connections at once.
fn repeat(harm: &mut Harm, address: SocketAddr, at_once: usize, body: String) {
    let body: Arc<str> = body.into();
    for _ in 0..at_once {
        let body = Arc::clone(&body);
        harm._tasks.spawn(async move {
            loop {
                exchange(address, FROM, "/v4/httpSendMail", body.as_bytes()).await;
            }
        });
    }
}

/// Sends each request again and again over a connection of its own. Returns when each has had an answer for which
/// `is_such` is true.
async fn ask_all_the_time(
    harm: &mut Harm,
    address: SocketAddr,
    requests: Vec<Vec<u8>>,
    is_such: fn(&Answer) -> bool,
) {
    let begun = Arc::new(Barrier::new(requests.len() + 1));
    for request in requests {
        let begun = Arc::clone(&begun);
        harm._tasks.spawn(async move {
            while !is_such(&ask(address, FROM, &request).await) {}
            begun.wait().await;
            loop {
                ask(address, FROM, &request).await;
            }
        });
    }
    // clock: a test that gets no such answer has to end as well
    tokio::time::timeout(3 * PATIENCE, begun.wait())
        .await
        .expect("a request never gets the answer that does harm");
}

fn is_whole_page(answer: &Answer) -> bool {
    answer.body.matches("\"timestamp\"").count() == EVENTS
}

async fn send(address: SocketAddr, from: &str, to: &str) {
    let body = call(from, to);
    let answer = exchange(address, FROM, "/v4/httpSendMail", body.as_bytes()).await;
    assert_eq!(answer.code(), Some(200), "{answer:?}");
}

fn many(count: usize, domain: &str) -> String {
    let to: Vec<String> = (0..count)
        .map(|n| format!("a{}@{domain}", 1_000_000 + n))
        .collect();
    to.join(",")
}

fn call(from: &str, to: &str) -> String {
    format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"News","body":"%3Cp%3ENews","from":"{from}","to":"{to}"}}]}}"#
    )
}
