//! Measures the emails a second that the service sends from each database, and compares them with a loop of the SMTP client
//! alone, which sends the same bytes over as many connections to the same kind of server, over loopback. Each email has ten
//! links. Each database has a row without tracking and a row with opens and clicks tracked.
//!
//! Each row of `make deliveries` has both rates, measured one right after the other, their ratio, and the processor time
//! that the service's process spent on an email. Nothing is judged, because all of it shares one machine with the mail
//! server, which answers and remembers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a measurement that meets the unexpected should stop"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use franking_service::key_file::KeyFile;
use mail_send::SmtpClient;
use mail_send::smtp::message::Message;
use serde_json::{Value, json};
use support::database::Database;
use support::scripted::Server;
use support::{KEY, processor, quiet, runtime, world};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// The service's default of `max_sends`.
const CONNECTIONS: usize = 32;
/// Recipients of a call.
const RECIPIENTS: usize = 500;

fn main() {
    let emails: usize = std::env::var("EMAILS").map_or(20_000, |text| text.parse().unwrap());
    let emails = emails.next_multiple_of(RECIPIENTS);
    let mut world = world("world.json");
    world["accounts"][KEY]["subscriber_credit"] = Value::Null;
    world["accounts"][KEY]["email_credit"] = Value::Null;
    let mut databases = vec![("sqlite", Database::sqlite(&world))];
    match Database::postgres(&world) {
        Some(database) => {
            runtime().block_on(support::sync(database.flags()[1]));
            databases.push(("postgres", database));
        }
        None => println!("NOT MEASURED: PostgreSQL, for want of a server"),
    }
    println!(
        "{:<20}{:>12}{:>16}{:>8}{:>14}",
        "", "emails/s", "client alone/s", "ratio", "cpu us/email"
    );
    for _ in 0..3 {
        for (name, database) in &databases {
            for tracked in [false, true] {
                let (mut sent, bytes) = serve(database, emails, tracked);
                let alone = client_alone(&bytes, CONNECTIONS, emails);
                sent.cost *= 1e6;
                let name = if tracked {
                    format!("{name}, tracked")
                } else {
                    name.to_string()
                };
                println!(
                    "{name:<20}{:>12.0}{alone:>16.0}{:>8.3}{:>14.0}",
                    sent.rate,
                    sent.rate / alone,
                    sent.cost
                );
            }
        }
    }
}

struct Sent {
    rate: f64,
    /// The processor seconds that the service spent on an email.
    cost: f64,
}

/// Accepts `emails` emails and then sends them. Also returns the bytes of one of them.
fn serve(database: &Database, emails: usize, tracked: bool) -> (Sent, Vec<u8>) {
    let service = database.serve_by(quiet(), &["--transport", "none"]);
    for number in 0..emails / RECIPIENTS {
        let answer = service.post("/v4/httpSendMail", &[], &call(number, tracked));
        assert_eq!(answer.code(), Some(200), "{answer:?}");
    }
    assert_eq!(service.end().0, Some(0));

    let runtime = runtime();
    let server = runtime.block_on(Server::good());
    let keys = database.data().join("franking.key");
    KeyFile::make(&keys).unwrap();
    let mut command = quiet();
    command
        .env("FRANKING_TRACKING_URL", "https://track.example.com")
        .env("FRANKING_KEY_FILE", &keys);
    let service = database.serve_to(command, server.port);
    // Measures from the first email on, without the time of the start.
    let count = || server.seen.lock().unwrap().messages.len();
    wait(|| count() > 0);
    let (started, before) = (Instant::now(), count());
    let cost = processor(service.process.id());
    wait(|| count() == emails);
    let rate = (emails - before) as f64 / started.elapsed().as_secs_f64();
    let cost = (processor(service.process.id()) - cost) / (emails - before) as f64;
    assert_eq!(service.end().0, Some(0));
    let bytes = server.seen.lock().unwrap().messages[0].clone();
    (Sent { rate, cost }, bytes)
}

/// A call to recipients at 100 domains, with 2 KB of HTML and ten links in it.
fn call(number: usize, tracked: bool) -> Vec<u8> {
    let to: Vec<String> = (0..RECIPIENTS)
        .map(|one| format!("reader{number}x{one}@d{}.example", one % 100))
        .collect();
    let part = "<p>News from the shop</p>".repeat(5);
    let link = |number| format!("{part}<a href=\"https://shop.example/news/{number}\">read on</a>");
    let html: String = (0..10).map(link).collect();
    let html: String = html.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let request = json!({
        "subject": "News", "body": html, "from": "news@shop.example", "to": to.join(","),
        "trackOpens": u8::from(tracked), "trackClicks": u8::from(tracked),
    });
    json!({"ApiKey": KEY, "requests": [request]})
        .to_string()
        .into_bytes()
}

fn wait(is_so: impl Fn() -> bool) {
    while !is_so() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns the number of emails a second that loops of the client send.
fn client_alone(bytes: &[u8], connections: usize, emails: usize) -> f64 {
    let bytes: Arc<[u8]> = Arc::from(bytes);
    let mail = runtime();
    let server = mail.block_on(Server::good());
    let port = server.port;
    runtime().block_on(async {
        let started = Instant::now();
        let mut loops = JoinSet::new();
        for _ in 0..connections {
            let bytes = Arc::clone(&bytes);
            loops.spawn(async move {
                let mut client = connect(port).await;
                for _ in 0..emails / connections {
                    let message = Message::new("news@shop.example", ["reader@d1.example"], &*bytes);
                    client.send(message).await.unwrap();
                }
            });
        }
        while let Some(ended) = loops.join_next().await {
            ended.unwrap();
        }
        (emails / connections * connections) as f64 / started.elapsed().as_secs_f64()
    })
}

async fn connect(port: u16) -> SmtpClient<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut client = SmtpClient {
        stream,
        timeout: Duration::from_secs(60),
    };
    assert_eq!(client.read().await.unwrap().code, 220);
    client.ehlo("localhost").await.unwrap();
    client
}
