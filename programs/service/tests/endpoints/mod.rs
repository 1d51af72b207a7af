//! Webhooks, through the program: what an endpoint gets, and what a misbehaving endpoint does to others.
//!
//! The tests of a program begin in the order of their names. Some of these wait for 15 seconds, the time that an endpoint has, so
//! their name puts them where many others still run beside them.

mod endpoint;
mod faults;
mod others;
mod posting;

use std::process::Command;

use crate::returned::{READER, keys, run, try_run, wait};
use crate::support::database::Database;
use crate::support::{KEY, Service, program};
use endpoint::Endpoint;

/// The network of the tests' endpoints.
const NETWORK: [&str; 2] = ["--webhook-networks", "127.0.0.0/8"];

/// Serves a database with webhooks to endpoints on this host.
fn serve(database: &Database) -> Service {
    serve_by(database, program())
}

fn serve_by(database: &Database, command: Command) -> Service {
    let keys = keys(database);
    let mut flags = NETWORK.to_vec();
    flags.extend(["--key-file", &keys]);
    database.serve_by(command, &flags)
}

/// Runs a webhook command for the first account. Returns its output.
fn webhook(database: &Database, arguments: &[&str]) -> String {
    run(database, &of_webhook(database, arguments))
}

fn of_webhook<'a>(database: &Database, arguments: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["webhook", "--key-file"];
    all.push(keys(database).leak());
    all.extend(NETWORK);
    all.extend(arguments);
    all
}

/// Adds a webhook to the first account. Returns its number and its secret.
fn add(database: &Database, endpoint: &Endpoint, more: &[&str]) -> (String, String) {
    let url = endpoint.url();
    let mut arguments = vec!["add", "1", &url];
    arguments.extend(more);
    let printed = webhook(database, &arguments);
    let (id, secret) = printed.trim().split_once('\t').unwrap();
    (id.to_owned(), secret.to_owned())
}

/// Sends an email to each of this number of readers, which causes as many events.
fn send(service: &Service, count: usize) {
    let to: Vec<String> = (0..count).map(|n| format!("r{n}@example.org")).collect();
    let body = format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"Hello","body":"Hello","to":"{}","from":"news@shop.example","customField":"order 1"}}]}}"#,
        to.join(",")
    );
    let answer = service.post("/v4/httpSendMail", &[], body.as_bytes());
    assert_eq!(answer.code(), Some(200), "{answer:?}");
}

/// The numbers of all events.
fn events(database: &Database) -> Vec<String> {
    database.texts(
        "SELECT CAST(number AS text) FROM events WHERE number IS NOT NULL ORDER BY events.number",
    )
}

/// Whether nothing is left to post.
fn is_done(database: &Database, webhook: &str) -> bool {
    let left = format!(
        "SELECT count(*) FROM webhooks w WHERE w.id = {webhook} AND (
            EXISTS (SELECT 1 FROM webhook_retries r WHERE r.webhook = w.id)
            OR EXISTS (SELECT 1 FROM events e WHERE e.account = w.account AND (e.number IS NULL OR e.number > w.position)))"
    );
    database.number(&left) == 0
}

/// Lets time pass, so that failed posts are tried again.
fn pass(database: &Database, seconds: u32) {
    database.execute(
        &format!("UPDATE webhook_retries SET due = due - {seconds}, first = first - {seconds}"),
        &format!("UPDATE webhook_retries SET due = due - interval '{seconds} seconds', first = first - interval '{seconds} seconds'"),
    );
}
