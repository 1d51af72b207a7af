//! What comes back after an email was sent, through the program: its command, its maildir and its address for reports.

mod matching;
mod suppression;
mod ways_in;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use franking_service::key_file::KeyFile;
use franking_service::outcomes::ReturnPaths;
use franking_service::store::Domain;
use tempfile::TempDir;

use crate::report_formats::read;
use crate::support::database::Database;
use crate::support::{Answer, PATIENCE, Service, http_send_mail, program, request, send_mailer};

pub(crate) const DOMAIN: &str = "bounces.example.com";
pub(crate) const TOKEN: &str = "a token of some length";
pub(crate) const READER: &str = "reader@example.org";

/// All outcomes of a delivery.
pub(crate) fn outcomes(database: &Database, delivery: i64) -> Vec<String> {
    database.texts(&format!(
        "SELECT kind FROM events WHERE delivery = {delivery} ORDER BY happened, kind"
    ))
}

pub(crate) fn all_events(database: &Database) -> i64 {
    database.number("SELECT count(*) FROM events")
}

/// Waits until something is so. Asking may start a program, so the pauses between two questions grow.
pub(crate) fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let mut pause = Duration::from_millis(5);
    let mut paused = Duration::ZERO;
    while !is_so() {
        assert!(paused < 3 * PATIENCE, "{what}");
        // clock: how long that takes does not matter; a wait without an end fails a test, however late
        thread::sleep(pause);
        paused += pause;
        pause = (pause * 5 / 4).min(Duration::from_millis(500));
    }
}

/// The key file of a database's program. It is made if it is missing.
pub(crate) fn keys(database: &Database) -> String {
    let path = database.data().join("franking.key");
    KeyFile::make(&path).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(crate) fn return_path(database: &Database, delivery: i64) -> String {
    let keys = KeyFile::read(Path::new(&keys(database))).unwrap();
    let paths = ReturnPaths::of(Domain::parse(DOMAIN).unwrap(), &keys).unwrap();
    paths.address(delivery.try_into().unwrap())
}

pub(crate) fn report_command(database: &Database, flags: &[&str]) -> Command {
    let mut command = program();
    command.arg("report").args(flags).args(database.flags());
    command
}

/// Passes a message to a command, as the pipe of a mail server does.
pub(crate) fn pipe(mut command: Command, message: &[u8]) -> ExitStatus {
    let stderr = Stdio::null();
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let written = child.stdin.take().unwrap().write_all(message);
    let status = child.wait().unwrap();
    // A command that fails may end before it has read the message. One that succeeds has read it to the end.
    assert!(written.is_ok() || !status.success(), "{written:?}");
    status
}

pub(crate) fn report(database: &Database, message: &[u8]) {
    let status = pipe(report_command(database, &[]), message);
    assert_eq!(status.code(), Some(0));
}

pub(crate) fn report_by_path(database: &Database, to: Option<&str>, message: &[u8]) {
    let keys = keys(database);
    let mut flags = vec!["--bounce-domain", DOMAIN, "--key-file", &keys];
    flags.extend(to.iter().flat_map(|to| ["--to", to]));
    let status = pipe(report_command(database, &flags), message);
    assert_eq!(status.code(), Some(0));
}

pub(crate) fn try_run(database: &Database, arguments: &[&str]) -> (bool, String) {
    let mut command = program();
    let output = command
        .args(arguments)
        .args(database.flags())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

pub(crate) fn run(database: &Database, arguments: &[&str]) -> String {
    let (succeeds, text) = try_run(database, arguments);
    assert!(succeeds, "{arguments:?}: {text}");
    text
}

/// Sends an email to each of these addresses, and waits until all have ended. Returns the new deliveries, each with its
/// Message-ID.
pub(crate) fn send(database: &Database, service: &Service, to: &[&str]) -> Vec<(i64, String)> {
    let before: Vec<i64> = sent(database).into_keys().collect();
    let answer = service.post("/v4/httpSendMail", &[], &http_send_mail(&to.join(",")));
    assert_eq!(answer.code(), Some(200), "{answer:?}");
    let ended = "SELECT count(*) FROM deliveries WHERE state = 'queued'";
    wait("they are not sent", || database.number(ended) == 0);
    let mut sent = sent(database);
    sent.retain(|id, _| !before.contains(id));
    assert_eq!(sent.len(), to.len());
    sent.into_iter().collect()
}

/// The emails in the maildir: the Message-ID of each delivery.
pub(crate) fn sent(database: &Database) -> BTreeMap<i64, String> {
    let Ok(entries) = database.data().join("mail/new").read_dir() else {
        return BTreeMap::new();
    };
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let email = std::fs::read_to_string(path).unwrap();
        let id = email
            .lines()
            .find_map(|line| line.strip_prefix("Message-ID: <"));
        let id = id.unwrap().trim_end().strip_suffix('>').unwrap().to_owned();
        (name.split('.').nth(1).unwrap().parse().unwrap(), id)
    };
    entries.map(read).collect()
}

/// An empty maildir.
pub(crate) fn maildir() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in ["tmp", "new", "cur"] {
        std::fs::create_dir(folder.path().join(part)).unwrap();
    }
    folder
}

pub(crate) fn code_of_a_call(service: &Service) -> Option<u16> {
    service
        .post("/v4/sendMailer", &[], &send_mailer(READER))
        .code()
}

/// A report of Postfix about an email. Reports with different numbers are different.
pub(crate) fn bounce(message_id: &str, code: &str, number: usize) -> Vec<u8> {
    let text = String::from_utf8(read("postfix_unknown_user")).unwrap();
    let text = text.replace("17@mail.example.com", message_id);
    let text = text
        .replace("5.1.1", code)
        .replace("4A1B2C", &format!("4A1B{number}"));
    text.into_bytes()
}

pub(crate) fn complaint(message_id: &str) -> Vec<u8> {
    let text = String::from_utf8(read("arf_abuse")).unwrap();
    text.replace("17@mail.example.com", message_id).into_bytes()
}

pub(crate) fn post_report(
    service: &Service,
    path: &str,
    token: Option<&str>,
    message: &[u8],
) -> Answer {
    let token = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<(&str, &str)> = token
        .iter()
        .map(|token| ("Authorization", token.as_str()))
        .collect();
    service.tell_operator(&request("POST", path, &headers, message))
}
