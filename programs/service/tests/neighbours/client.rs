//! An account that calls steadily, and the times of its calls and of its emails.

use std::net::SocketAddr;
use std::sync::Arc;
// clock: printed in the table, or judged by a benchmark.
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use super::relay::Relay;
use crate::support::{self, Answer};

/// The key of the account that calls steadily.
pub(crate) const KEY: &str = "key of b";

/// What the account has seen.
#[derive(Default)]
pub(crate) struct Seen {
    /// The time of each call.
    pub calls: Vec<Duration>,
    /// The time of each email, from the answer to its call on.
    pub emails: Vec<Duration>,
    /// The most emails of others that were taken between a call's answer and its email.
    pub others: usize,
    /// Answers that were not code 200.
    pub refused: Vec<Answer>,
}

impl Seen {
    /// The time within which this part of a hundred were done.
    pub(crate) fn within(times: &[Duration], part: usize) -> Duration {
        let mut times = times.to_vec();
        times.sort_unstable();
        let place = (times.len() * part / 100).min(times.len() - 1);
        times[place]
    }
}

/// Sends this number of calls, one after the other, and waits for their emails.
pub(crate) async fn call_steadily(address: SocketAddr, relay: &Arc<Relay>, calls: usize) -> Seen {
    let mut seen = Seen::default();
    let mut sent = Vec::new();
    for number in 0..calls {
        let to = format!("b{number}@b.example");
        let body = format!(r#"{{"apiKey":"{KEY}","mailerID":42,"email":"{to}"}}"#);
        // clock: printed in the table, or judged by a benchmark
        let began = Instant::now();
        let answer = exchange(address, None, "/v4/sendMailer", body.as_bytes()).await;
        seen.calls.push(began.elapsed()); // clock: as above, it is printed
        match answer.code() {
            // clock: printed in the table, or judged by a benchmark
            Some(200) => sent.push((to, Instant::now(), relay.count())),
            _ => seen.refused.push(answer),
        }
        // clock: the calls are steady, and do not fill the service
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for (to, answered, before) in sent {
        let (came, others) = loop {
            if let Some(took) = relay.took(&to) {
                break took;
            }
            // clock: how long that takes does not matter
            tokio::time::sleep(Duration::from_millis(2)).await;
        };
        seen.emails.push(came.saturating_duration_since(answered));
        seen.others = seen.others.max(others.saturating_sub(before));
    }
    seen
}

/// Sends a call over a connection of its own, from this address of the machine or from any.
pub(crate) async fn exchange(
    address: SocketAddr,
    from: Option<[u8; 4]>,
    path: &str,
    body: &[u8],
) -> Answer {
    ask(address, from, &support::request("POST", path, &[], body)).await
}

/// Sends a request as [`exchange`] sends a call.
pub(crate) async fn ask(address: SocketAddr, from: Option<[u8; 4]>, request: &[u8]) -> Answer {
    let mut stream = connect(address, from).await;
    // The service may stop reading a body that it refuses.
    let _ = stream.write_all(request).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let none = Answer {
        status: 0,
        head: String::new(),
        body: String::new(),
    };
    support::parse(&bytes).unwrap_or(none)
}

pub(crate) async fn connect(address: SocketAddr, from: Option<[u8; 4]>) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    if let Some(from) = from {
        socket.bind((from, 0).into()).unwrap();
    }
    let stream = socket.connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}
