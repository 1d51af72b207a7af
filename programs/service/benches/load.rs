//! Measures the calls a second that the service takes on each database, and compares them with an axum handler that reads
//! the body and does nothing, over loopback.
//!
//! `make load` prints, at 1, 16 and 256 connections, calls a second, the times within which half of the calls and 99 of 100
//! were answered, the ratio to the handler that does nothing, the processor time that the service's process spent on a call,
//! and the library's share of that time. Calls are of one account, then of 64. The last rows are of one account on
//! PostgreSQL while another program holds a transaction open, so that the database keeps every older version of a row.
//! Nothing is judged: all of it shares one machine with what sends the calls.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a measurement that meets the unexpected should stop"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use franking::{Account, Call, Commit, DomainRoles, Facts, Mailer, Operation, Policy, Step};
use franking_service::key_file::KeyFile;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use support::{KEY, Service, fill, processor, quiet, world};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const CONNECTIONS: [usize; 3] = [1, 16, 256];
const ACCOUNTS: [usize; 2] = [1, 64];
/// The number of times that each service is measured for the cost of transcripts.
const ROUNDS: usize = 3;
/// Numbers the recipients, so that each call creates a subscriber.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The mailerID of calls. A stored email has the number 42, so that calls are accepted.
static MAILER: AtomicU64 = AtomicU64::new(42);

fn main() {
    if std::env::args().any(|argument| argument == "--nothing") {
        return runtime().block_on(nothing());
    }
    let seconds: u64 = std::env::var("SECONDS_EACH").map_or(3, |text| text.parse().unwrap());
    let time = Duration::from_secs(seconds);
    let mut world = world("world.json");
    // Each call writes what it takes of the credits.
    for credit in ["subscriber_credit", "email_credit"] {
        world["accounts"][KEY][credit] = 1_000_000_000_000_i64.into();
    }
    if std::env::var_os("TRANSCRIPTS").is_some() {
        return transcripts(&world, time);
    }
    for account in 1..ACCOUNTS[1] {
        world["accounts"][key(account)] = world["accounts"][KEY].clone();
    }
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), &world);
    let sqlite = Service::run(quiet(), folder.path(), &["--transport", "none"]);
    let mut services = vec![("sqlite", sqlite, &ACCOUNTS[..])];
    let server = runtime();
    let mut held = None;
    match support::postgres(&world).zip(support::postgres(&world)) {
        Some((address, of_held)) => {
            server.block_on(support::sync(&address));
            held = Some(server.block_on(hold(&of_held)));
            for (name, address, accounts) in [
                ("postgres", address, &ACCOUNTS[..]),
                ("held open", of_held, &ACCOUNTS[..1]),
            ] {
                let flags = ["--transport", "none", "--database", &address];
                let service = Service::run(quiet(), folder.path(), &flags);
                services.push((name, service, accounts));
            }
        }
        None => println!("NOT MEASURED: PostgreSQL, for want of a server"),
    }
    let mut nothing = Nothing::start();
    let core = library(20_000);
    println!(
        "The library alone decides such a call in {:.1} us.",
        core * 1e6
    );
    println!(
        "{:<12}{:>10}{:>10}{:>10}{:>10}{:>10}{:>8}{:>14}{:>10}",
        "connections",
        "accounts",
        "",
        "calls/s",
        "p50 ms",
        "p99 ms",
        "ratio",
        "cpu us/call",
        "library"
    );
    for connections in CONNECTIONS {
        let idle = measure(nothing.address, nothing.process.id(), connections, 1, time);
        idle.print(connections, 1, "nothing", None, None);
        for (name, service, accounts) in &services {
            for &accounts in *accounts {
                let process = service.process.id();
                let busy = measure(service.address, process, connections, accounts, time);
                let ratio = busy.rate / idle.rate;
                busy.print(connections, accounts, name, Some(ratio), Some(core));
            }
        }
    }
    nothing.process.kill().unwrap();
    nothing.process.wait().unwrap();
    if let Some(held) = held {
        server.block_on(held.batch_execute("COMMIT")).unwrap();
    }
}

/// Opens a transaction that sees the database as it is now, as a backup does.
async fn hold(address: &str) -> tokio_postgres::Client {
    let client = support::databases::connect(address).await;
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM accounts";
    client.batch_execute(begin).await.unwrap();
    client
}

/// The API key of an account.
fn key(account: usize) -> String {
    if account == 0 {
        return KEY.to_owned();
    }
    format!("key-of-account-{account}")
}

/// Measures the cost of transcripts: calls a second with none, masked and whole ones.
fn transcripts(world: &serde_json::Value, time: Duration) {
    const KINDS: [&str; 3] = ["none", "masked", "whole"];
    for database in ["SQLite", "PostgreSQL"] {
        let mut services = Vec::new();
        for kind in KINDS {
            let folder = tempfile::tempdir().unwrap();
            fill(folder.path(), world);
            let key_file = folder.path().join("key");
            KeyFile::make(&key_file).unwrap();
            let key_file = key_file.to_str().unwrap().to_owned();
            let mut flags = vec![
                "--transport",
                "none",
                "--transcripts",
                kind,
                "--key-file",
                &key_file,
            ];
            flags.extend(["--transcript-bytes", "17179869184"]);
            let address = (database == "PostgreSQL").then(|| support::postgres(world).unwrap());
            if let Some(address) = &address {
                runtime().block_on(support::sync(address));
                flags.extend(["--database", address]);
            }
            services.push((Service::run(quiet(), folder.path(), &flags), folder));
        }
        for (what, mailer) in [("accepted", 42), ("refused", 9999)] {
            MAILER.store(mailer, Ordering::Relaxed);
            let mut rates = [0.0; 3];
            for _ in 0..ROUNDS {
                for (rate, (service, _)) in rates.iter_mut().zip(&services) {
                    *rate += measure(service.address, service.process.id(), 16, 1, time).rate
                        / ROUNDS as f64;
                }
            }
            for ((kind, rate), (service, _)) in KINDS.iter().zip(rates).zip(&services) {
                let lost = service.metrics();
                let lost = lost
                    .lines()
                    .find(|line| line.starts_with("franking_transcripts_lost_total"));
                let ratio = rate / rates[0];
                println!(
                    "{database}, {what} calls, {kind}: {rate:.0} a second, ratio {ratio:.2}; {}",
                    lost.unwrap_or("-")
                );
            }
        }
    }
}

/// Returns the seconds that the library alone takes for a call like those that are sent.
fn library(calls: u32) -> f64 {
    let policy = Policy::default();
    let started = Instant::now();
    for number in 0..calls {
        let body = body(KEY, u64::from(number)).into_bytes();
        let mut call = Call::new(&policy, Operation::SendMailer, "POST", body);
        call.answer_account(Some(Account::default())).unwrap();
        let mut facts = Facts::default();
        if let Step::Facts(questions) = call.step() {
            facts.mailers.push(Some(Mailer {
                from: "news@shop.example",
                from_name: None,
                blacklisted: Some(false),
            }));
            facts.subscribers.push(None);
            facts
                .domains
                .extend(questions.domains().map(|_| DomainRoles::NONE));
        }
        call.answer_facts(facts).unwrap();
        assert_eq!(call.begin_commit().unwrap().email_count(), 1);
        call.answer_commit(Commit::Done { transaction_id: 1 })
            .unwrap();
        assert!(call.decision().unwrap().response().is_some());
    }
    started.elapsed().as_secs_f64() / f64::from(calls)
}

/// The body of a call to a recipient that no other number has.
fn body(key: &str, number: u64) -> String {
    let mailer = MAILER.load(Ordering::Relaxed);
    format!(
        r#"{{"apiKey":"{key}","mailerID":{mailer},"email":"reader{number}@customer.example","firstName":"Reader"}}"#
    )
}

fn runtime() -> tokio::runtime::Runtime {
    support::runtime()
}

/// The handler that does nothing, in a process of its own as the service is.
struct Nothing {
    process: Child,
    address: SocketAddr,
}

impl Nothing {
    fn start() -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .arg("--nothing")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line.trim().parse().unwrap();
        Self { process, address }
    }
}

async fn nothing() {
    const ANSWER: &str = r#"{"code":"200","status":"Success","transactionId":"1"}"#;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    let read = async |body: Bytes| {
        assert!(!body.is_empty());
        ANSWER
    };
    let routes = Router::new().route("/v4/sendMailer", post(read));
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let routes = TowerToHyperService::new(routes.clone());
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), routes);
        tokio::spawn(connection);
    }
}

struct Measured {
    rate: f64,
    times: Vec<Duration>,
    /// The processor seconds that the server spent on a call.
    cost: f64,
}

impl Measured {
    fn print(
        &self,
        connections: usize,
        accounts: usize,
        name: &str,
        ratio: Option<f64>,
        core: Option<f64>,
    ) {
        let at = |part: usize| {
            let place = self.times.len() * part / 100;
            self.times[place.min(self.times.len() - 1)].as_secs_f64() * 1000.0
        };
        let (rate, half, most, cost) = (self.rate, at(50), at(99), self.cost * 1e6);
        let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.3}"));
        let share = core.map_or_else(String::new, |core| {
            format!("{:.1} %", core / self.cost * 100.0)
        });
        println!(
            "{connections:<12}{accounts:>10}{name:>10}{rate:>10.0}{half:>10.2}{most:>10.2}{ratio:>8}{cost:>14.0}{share:>10}"
        );
    }
}

fn measure(
    address: SocketAddr,
    process: u32,
    connections: usize,
    accounts: usize,
    time: Duration,
) -> Measured {
    runtime().block_on(async {
        let before = processor(process);
        let started = Instant::now();
        let end = started + time;
        let all: Vec<_> = (0..connections)
            .map(|number| tokio::spawn(send(address, key(number % accounts), end)))
            .collect();
        let mut times = Vec::new();
        for one in all {
            times.extend(one.await.unwrap());
        }
        let rate = times.len() as f64 / started.elapsed().as_secs_f64();
        let cost = (processor(process) - before) / times.len() as f64;
        times.sort_unstable();
        Measured { rate, times, cost }
    })
}

/// Sends calls over one connection, each when the one before is answered.
async fn send(address: SocketAddr, key: String, end: Instant) -> Vec<Duration> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut times = Vec::new();
    let mut buffer = [0; 4096];
    while Instant::now() < end {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let body = body(&key, number);
        let length = body.len();
        let request = format!(
            "POST /v4/sendMailer HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let started = Instant::now();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut read = 0;
        loop {
            let count = stream.read(&mut buffer[read..]).await.unwrap();
            assert_ne!(count, 0, "the connection ended");
            read += count;
            let answer = support::parse(&buffer[..read]);
            let length = answer
                .as_ref()
                .and_then(|answer| answer.header("content-length")?.parse().ok());
            if let Some(answer) = answer
                && length == Some(answer.body.len())
            {
                let code = if MAILER.load(Ordering::Relaxed) == 42 {
                    "200"
                } else {
                    "442"
                };
                assert!(answer.body.contains(code), "{answer:?}");
                break;
            }
        }
        times.push(started.elapsed());
    }
    times
}
