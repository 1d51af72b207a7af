//! The program sends what it has accepted, whichever process is killed and whatever the mail server does.
//!
//! `KILLS` sets the number of kills. The seed of the moments is printed.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::returned::wait;
use crate::support::closed_port::ClosedPort;
use crate::support::database::{Database, on_both};
use crate::support::ends::Ends;
use crate::support::scripted::Server;
use crate::support::{KEY, PATIENCE, Service, program, request, runtime, send_mailer};
use franking_service::store::{CallRow, Queue};
use rustix::process::Signal;

/// Ends the leases of killed processes, so that the test does not wait for them.
const EXPIRE: (&str, &str) = (
    "UPDATE queue SET due = due WHERE false",
    "UPDATE queue SET leased = '-infinity'",
);

/// A call with three emails.
fn call(number: u64) -> Vec<u8> {
    let to = format!("a{number}@customer.example,b{number}@other.example,c@third{number}.example");
    format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"S{number}","body":"%3Cp%3E{number}","to":"{to}","from":"news@shop.example"}}]}}"#
    )
    .into_bytes()
}

/// Returns the answer to a call, or `None` if it was not answered.
fn post(address: SocketAddr, number: u64) -> Option<String> {
    let post = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(address)?;
        // clock: a service that never answers fails a test, however late
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(&request("POST", "/v4/httpSendMail", &[], &call(number)))?;
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut stream, &mut bytes)?;
        Ok(bytes)
    };
    let answer = String::from_utf8(post().ok()?).unwrap();
    (!answer.is_empty()).then_some(answer)
}

/// The emails of a maildir, by the names of their files.
fn emails(maildir: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = maildir.join("new").read_dir() else {
        return BTreeMap::new();
    };
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    entries.map(read).collect()
}

fn queue(database: &Database) -> Queue {
    runtime().block_on(async { database.store().await.queue(u32::MAX).await.unwrap() })
}

/// The numbers of deliveries that were delivered and that bounced.
fn ended(database: &Database) -> (u64, u64) {
    let calls = database.calls();
    let sum = |of: fn(&CallRow) -> u64| calls.iter().map(of).sum();
    (sum(|call| call.delivered), sum(|call| call.bounced))
}

/// Waits until a page of the service has this text.
fn until(service: &Service, path: &str, says: &str) -> String {
    for _ in 0..3000 {
        let answer = service.ask_operator(path, "localhost");
        assert_eq!(answer.status, 200);
        if answer.body.contains(says) {
            return answer.body;
        }
        // clock: how long that takes does not matter
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{path} does not say {says}");
}

/// Kills this number of processes at once, again and again. Their emails go to a mail server that lives on.
fn kill_and_count(database: &Database, processes: usize) {
    let kills: u64 = std::env::var("KILLS").map_or(10, |kills| kills.parse().unwrap());
    let mut seed = RandomState::new().hash_one(kills) | 1;
    println!("seed {seed}");
    let runtime = runtime();
    let mail = runtime.block_on(Server::good());
    let serve = || database.serve_to(program(), mail.port);
    // The number of emails that had come when each life of the processes ended.
    let mut lives = Vec::new();
    let next = AtomicU64::new(0);
    let has_accepted = AtomicBool::new(false);
    for _ in 0..kills {
        let mut services: Vec<Service> = (0..processes).map(|_| serve()).collect();
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let ends = Ends(&is_over);
            for service in &services {
                for _ in 0..4 {
                    scope.spawn(|| {
                        while !is_over.load(Ordering::Relaxed) {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            let Some(answer) = post(service.address, number) else {
                                break;
                            };
                            let is_accepted = answer.contains(r#""code":"200""#);
                            has_accepted.fetch_or(is_accepted, Ordering::Relaxed);
                        }
                    });
                }
            }
            // A busy machine may take longer than that for the first call.
            wait("no call is accepted", || {
                has_accepted.load(Ordering::Relaxed)
            });
            // clock: a random moment, at which nothing may go wrong
            thread::sleep(Duration::from_micros(seed % 600_000));
            services
                .iter()
                .for_each(|service| service.signal(Signal::KILL));
            drop(ends);
        });
        for service in &mut services {
            service.process.wait().unwrap();
        }
        // The server reads what the processes had written.
        wait("a connection stays open", || {
            mail.seen.lock().unwrap().open == 0
        });
        lives.push(mail.seen.lock().unwrap().messages.len());
        // The claim of an unfinished commit would keep its lease.
        database.settle();
        database.execute(EXPIRE.0, EXPIRE.1);
    }
    let accepted: u64 = database.calls().iter().map(|call| call.deliveries).sum();
    assert!(accepted > 0, "nothing was tried");
    let last = serve();
    let waiting = "SELECT count(*) FROM deliveries WHERE state = 'queued'";
    wait("emails stay", || database.number(waiting) == 0);
    assert_eq!(last.end().0, Some(0));
    assert_eq!(ended(database), (accepted, 0));
    // Each end of a delivery is an event of the same transaction, even if the process was killed.
    let events = "SELECT count(*) FROM events WHERE kind = 'delivered'";
    assert_eq!(database.number(events).unsigned_abs(), accepted);

    let seen = mail.seen.lock().unwrap();
    let life = |place: usize| lives.partition_point(|end| *end <= place);
    let mut emails: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, email) in seen.messages.iter().enumerate() {
        emails.entry(message_id(email)).or_default().push(place);
    }
    assert_eq!(emails.len() as u64, accepted, "lost");
    for places in emails.values() {
        let same = |place: &usize| seen.messages[*place] == seen.messages[places[0]];
        assert!(places.iter().all(same), "a repeat is the same email");
        let died = |pair: &[usize]| life(pair[0]) < life(pair[1]);
        assert!(
            places.windows(2).all(died),
            "a repeat whose process did not die"
        );
    }
    let repeats = seen.messages.len() as u64 - accepted;
    println!("{kills} kills, {accepted} emails, none lost, {repeats} sent again after a kill");
    println!("cases tried {accepted}, findings 0");
}

fn message_id(email: &[u8]) -> &str {
    let text = std::str::from_utf8(email).unwrap();
    let line = text.lines().find(|line| line.starts_with("Message-ID: "));
    line.unwrap()
}

on_both! {
    fn what_is_accepted_is_sent_whenever_the_service_is_killed(database: &Database) {
        kill_and_count(database, 1);
    }

    fn with_no_settings_emails_go_to_a_maildir_in_the_data_folder(database: &Database) {
        let service = database.serve(&[]);
        let body = send_mailer("reader@customer.example");
        assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
        until(&service, "/metrics", "franking_deliveries_total{state=\"delivered\"} 1\n");
        assert_eq!(service.get("/readyz").body, "ready\n");
        let (code, log) = service.end();
        assert_eq!(code, Some(0));
        assert!(!log.contains("customer.example") && !log.contains("Hello"), "{log}");
        if let Some(folder) = database.folder() {
            let emails = emails(&folder.join("mail"));
            let email = emails.values().next().unwrap();
            assert_eq!(emails.len(), 1);
            assert!(email.contains("To: reader@customer.example\r\n"), "{email}");
        }
        assert_eq!(ended(database), (1, 0));
    }

    fn without_a_transport_deliveries_stay_accepted(database: &Database) {
        let service = database.serve(&["--transport", "none"]);
        let body = send_mailer("reader@customer.example");
        assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
        assert_eq!(service.get("/readyz").body, "ready\n");
        service.end();
        assert_eq!(queue(database).due(), 1);
        assert_eq!(ended(database), (0, 0));
    }

    fn a_mail_server_that_cannot_be_reached_bounces_nobody_and_the_service_says_so(database: &Database) {
        let closed = ClosedPort::any();
        let service = database.serve_to(program(), closed.port());
        for number in 0..3 {
            let body = send_mailer(&format!("reader{number}@customer.example"));
            assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
        }
        until(&service, "/readyz", "Sending is paused: the mail server");
        let (code, log) = service.end();
        assert_eq!(code, Some(0));
        assert!(log.contains("sending is paused"), "{log}");
        assert!(!log.contains("customer.example"), "{log}");
        let queue = queue(database);
        assert_eq!(queue.emails(), 3);
        assert_eq!(ended(database), (0, 0));
    }
}

#[test]
fn what_is_accepted_is_sent_by_processes_of_one_database_whenever_they_are_killed() {
    if let Some(database) = Database::postgres(&crate::support::world("world.json")) {
        kill_and_count(&database, 2);
    }
}

#[test]
fn the_operator_counts_pauses_retries_and_cancels() {
    let database = Database::sqlite(&crate::support::world("world.json"));
    let folder = database.folder().unwrap();
    let service = database.serve(&["--transport", "none"]);
    let mut ids = Vec::new();
    for number in 0..3 {
        let body = send_mailer(&format!("reader{number}@customer.example"));
        let answer = service.post("/v4/sendMailer", &[], &body);
        ids.push(answer.transaction_id().unwrap().to_string());
    }
    service.end();
    let queue = |args: &[&str]| {
        let mut command = program();
        command.arg("queue").args(args).arg("--data").arg(folder);
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.success(), error.is_empty(), "{error}");
        (String::from_utf8(output.stdout).unwrap(), error)
    };
    assert!(queue(&["show"]).0.starts_with("due\t3\nlater\t0\n"));
    queue(&["pause"]);
    queue(&["pause", "1"]);
    let (shown, _) = queue(&["show"]);
    assert!(
        shown.contains("paused\tall accounts\npaused\taccount 1\nwaiting\taccount 1: 3 emails\n"),
        "{shown}"
    );
    let service = database.serve(&[]);
    service.post("/v4/sendMailer", &[], &send_mailer("late@customer.example"));
    service.end();
    assert_eq!(queue(&["cancel", "--call", &ids[0], "--yes"]).0, "1\n");
    assert_eq!(queue(&["retry", "--all"]).0, "0\n");
    queue(&["resume", "1"]);
    queue(&["resume"]);
    assert!(queue(&["show"]).0.starts_with("due\t3\nlater\t0\n"));
    assert_eq!(ended(&database), (0, 1));
    assert!(queue(&["pause", "77"]).1.contains("no such account"));
    let service = database.serve(&[]);
    until(
        &service,
        "/metrics",
        "franking_deliveries_total{state=\"delivered\"} 3\n",
    );
    service.end();
    assert_eq!(queue(&["cancel", "--account", "1", "--yes"]).0, "0\n");
    assert_eq!(queue(&["show"]).0, "due\t0\nlater\t0\n");
    assert_eq!(ended(&database), (3, 1));
}
