//! What comes back after an email was sent, through the program: its command, its maildir and its address for reports.

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

use crate::report_formats::{FILES, read};
use crate::support::database::{Database, on_both};
use crate::support::scripted::{At, Does, Server};
use crate::support::{Answer, Service, http_send_mail, program, request, runtime, send_mailer};

const DOMAIN: &str = "bounces.example.com";
const TOKEN: &str = "a token of some length";
const READER: &str = "reader@example.org";

/// All outcomes of a delivery.
fn outcomes(database: &Database, delivery: i64) -> Vec<String> {
    database.texts(&format!(
        "SELECT kind FROM events WHERE delivery = {delivery} ORDER BY happened, kind"
    ))
}

fn all_events(database: &Database) -> i64 {
    database.number("SELECT count(*) FROM events")
}

fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let mut tries = 0;
    while !is_so() {
        tries += 1;
        assert!(tries < 3000, "{what}");
        // clock: how long that takes is of no account
        thread::sleep(Duration::from_millis(20));
    }
}

/// The key file of a database's program, which is made if it is not there.
fn keys(database: &Database) -> String {
    let path = database.data().join("franking.key");
    KeyFile::make(&path).unwrap();
    path.to_str().unwrap().to_owned()
}

fn return_path(database: &Database, delivery: i64) -> String {
    let keys = KeyFile::read(Path::new(&keys(database))).unwrap();
    let paths = ReturnPaths::of(Domain::parse(DOMAIN).unwrap(), &keys).unwrap();
    paths.address(delivery.try_into().unwrap())
}

fn report_command(database: &Database, flags: &[&str]) -> Command {
    let mut command = program();
    command.arg("report").args(flags).args(database.flags());
    command
}

/// Hands a message to a command, as a mail server's pipe does.
fn pipe(mut command: Command, message: &[u8]) -> ExitStatus {
    let stderr = Stdio::null();
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    // A command that does not read to the end fails the writing.
    child.stdin.take().unwrap().write_all(message).unwrap();
    child.wait().unwrap()
}

fn report(database: &Database, message: &[u8]) {
    let status = pipe(report_command(database, &[]), message);
    assert_eq!(status.code(), Some(0));
}

fn report_by_path(database: &Database, to: Option<&str>, message: &[u8]) {
    let keys = keys(database);
    let mut flags = vec!["--bounce-domain", DOMAIN, "--key-file", &keys];
    flags.extend(to.iter().flat_map(|to| ["--to", to]));
    let status = pipe(report_command(database, &flags), message);
    assert_eq!(status.code(), Some(0));
}

fn try_run(database: &Database, arguments: &[&str]) -> (bool, String) {
    let mut command = program();
    let output = command
        .args(arguments)
        .args(database.flags())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn run(database: &Database, arguments: &[&str]) -> String {
    let (succeeds, text) = try_run(database, arguments);
    assert!(succeeds, "{arguments:?}: {text}");
    text
}

/// Sends an email to each of these addresses, and waits until it has ended. Answers with the new deliveries, and the Message-ID
/// of each.
fn send(database: &Database, service: &Service, to: &[&str]) -> Vec<(i64, String)> {
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

/// What lies in the maildir: the Message-ID of each delivery.
fn sent(database: &Database) -> BTreeMap<i64, String> {
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
fn maildir() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in ["tmp", "new", "cur"] {
        std::fs::create_dir(folder.path().join(part)).unwrap();
    }
    folder
}

fn code_of_a_call(service: &Service) -> Option<u16> {
    service
        .post("/v4/sendMailer", &[], &send_mailer(READER))
        .code()
}

/// A report of Postfix's about an email, which `number` makes another than others.
fn bounce(message_id: &str, code: &str, number: usize) -> Vec<u8> {
    let text = String::from_utf8(read("postfix_unknown_user")).unwrap();
    let text = text.replace("17@mail.example.com", message_id);
    let text = text
        .replace("5.1.1", code)
        .replace("4A1B2C", &format!("4A1B{number}"));
    text.into_bytes()
}

fn complaint(message_id: &str) -> Vec<u8> {
    let text = String::from_utf8(read("arf_abuse")).unwrap();
    text.replace("17@mail.example.com", message_id).into_bytes()
}

fn post_report(service: &Service, path: &str, token: Option<&str>, message: &[u8]) -> Answer {
    let token = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<(&str, &str)> = token
        .iter()
        .map(|token| ("Authorization", token.as_str()))
        .collect();
    service.tell_operator(&request("POST", path, &headers, message))
}

on_both! {
    fn each_report_is_the_right_event_or_none(database: &Database) {
        let service = database.serve(&[]);
        let to: Vec<String> = FILES.iter().enumerate().map(|(place, _)| format!("r{place}@example.org")).collect();
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        let sent = send(database, &service, &to);
        for ((delivery, message_id), (name, says, _)) in sent.iter().zip(FILES) {
            let message = String::from_utf8(read(name)).unwrap().replace("17@mail.example.com", message_id);
            report(database, message.as_bytes());
            let expected: &[&str] = match *says {
                says if says.starts_with("failed") => &["bounced", "delivered"],
                "complaint" => &["complained", "delivered"],
                _ => &["delivered"],
            };
            let mut found = outcomes(database, *delivery);
            found.sort_unstable();
            assert_eq!(found, expected, "{name}");
        }
        let list = run(database, &["report", "list"]);
        let expected = FILES.iter().filter(|(_, says, _)| *says != "nothing").count();
        assert_eq!(list.lines().count(), expected, "{list}");
        assert!(!list.contains('@'), "{list}");
    }

    fn who_pipes_a_report_is_told_by_the_status_whether_to_keep_it(database: &Database) {
        for message in ["", "Subject: Hello\n\nHello\n", "\0\u{1}", &"x".repeat(1 << 20)] {
            report(database, message.as_bytes());
        }
        assert_eq!(run(database, &["report", "list"]), "");
        let away = [
            ["--database", "postgres://u@127.0.0.1:1/none"],
            ["--data", "/nowhere"],
            ["--settings", "/nowhere"],
        ];
        for flags in away {
            let mut command = program();
            command.arg("report").args(flags);
            assert_eq!(pipe(command, &bounce("17@mail.example.com", "5.1.1", 1)).code(), Some(75), "{flags:?}");
        }
    }

    fn a_report_is_about_the_email_whose_return_path_it_came_to(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER, "b@example.org", "c@example.org"]);
        let message = bounce("of-somebody@else.example", "5.1.1", 1);
        // As the mail server knows it, and as it or the reporter notes it in the headers.
        report_by_path(database, Some(&return_path(database, sent[0].0)), &message);
        let to_b = return_path(database, sent[1].0).to_uppercase();
        let to_c = return_path(database, sent[2].0);
        let noted = [format!("Delivered-To: {to_b}\n").as_bytes(), &message].concat();
        report_by_path(database, None, &noted);
        let text = String::from_utf8(message).unwrap();
        report_by_path(database, None, text.replace("To: bounces@in.example.com", &format!("To: <{to_c}>")).as_bytes());
        for (delivery, _) in &sent {
            assert!(outcomes(database, *delivery).contains(&"bounced".to_owned()), "{delivery}");
        }
        let matched = database.texts("SELECT matched FROM reports");
        assert_eq!(matched, ["return path"; 3]);
    }

    fn a_report_to_a_forged_return_path_changes_nothing(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        let (delivery, message_id) = &sent[0];
        let before = all_events(database);
        let good = return_path(database, *delivery);
        let (head, tail) = good.split_at(good.find('@').unwrap() - 1);
        let forged = [
            format!("{head}{}{}", if tail.starts_with('0') { '1' } else { '0' }, &tail[1..]),
            good.replacen("b1-", "b2-", 1),
            good.replacen(&format!("-{delivery:x}-"), &format!("-{:x}-", delivery + 1), 1),
            format!("anybody@{DOMAIN}"),
        ];
        // Also with the Message-ID of the email, which its reader knows.
        let message = bounce(message_id, "5.1.1", 1);
        for forged in forged {
            assert_ne!(forged, good);
            report_by_path(database, Some(&forged), &message);
            let noted = [format!("Delivered-To: {forged}\n").as_bytes(), &message].concat();
            report_by_path(database, None, &noted);
            report_by_path(database, Some(&forged), &complaint(message_id));
        }
        // A Message-ID that was changed is of no email.
        let other = message_id.replacen(|c: char| c.is_ascii_digit(), "x", 1);
        report(database, &bounce(&other, "5.1.1", 2));
        assert_eq!(all_events(database), before);
        assert_eq!(database.texts("SELECT coalesce(matched, 'none') FROM reports"), ["none"]);
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn a_second_report_of_an_email_and_a_message_that_is_handed_over_twice_count_once(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        let (delivery, message_id) = &sent[0];
        for number in [1, 1, 2, 3, 3] {
            report(database, &bounce(message_id, "5.1.1", number));
        }
        let mut found = outcomes(database, *delivery);
        found.sort_unstable();
        assert_eq!(found, ["bounced", "delivered"]);
        assert_eq!(run(database, &["report", "list"]).lines().count(), 3);
        assert_eq!(run(database, &["suppression", "list", "1"]), "");
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn reports_from_three_processes_twice_and_in_any_order_are_one_summary(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER, "b@example.org", "c@example.org", "d@example.org"]);
        let mut messages = Vec::new();
        for (place, (_, message_id)) in sent.iter().enumerate() {
            // The place in binary digits: whether it bounces, and whether it is complained of.
            if place & 1 != 0 {
                messages.push(bounce(message_id, "5.2.2", 1));
            }
            if place & 2 != 0 {
                messages.push(complaint(message_id));
            }
        }
        thread::scope(|scope| {
            for turn in 0..3 {
                let mut messages = [messages.as_slice(), &messages].concat();
                messages.rotate_left(turn * 3);
                scope.spawn(move || messages.iter().for_each(|message| report(database, message)));
            }
        });
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id");
        assert_eq!(bits, ["2", "3", "18", "19"]);
        assert_eq!(all_events(database), 4 + 4 + database.number("SELECT count(*) FROM suppressions"));
        assert_eq!(database.number("SELECT count(*) FROM reports"), 4);
    }

    fn three_reports_of_a_dead_address_make_its_subscriber_inactive_until_that_is_lifted(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..3 {
            assert_eq!(run(database, &["suppression", "list", "1"]), "");
            let sent = send(database, &service, &[READER]);
            report(database, &bounce(&sent[0].1, "5.1.1", number));
        }
        assert_eq!(code_of_a_call(&service), Some(443));
        let list = run(database, &["suppression", "list", "1"]);
        let fields: Vec<&str> = list.trim_end().split('\t').collect();
        assert_eq!(fields[2..4], ["bounces", "3"], "{list}");
        assert!(fields[4].starts_with("5.1.1 ") && !list.contains('@'), "{list}");
        let (succeeds, text) = try_run(database, &["subscriber", "set", "1", fields[0]]);
        assert!(!succeeds && text.contains("the subscriber is suppressed"), "{text}");
        let lift = ["suppression", "lift", "1", fields[0], "--reason", "asked for it"];
        assert_eq!(run(database, &lift), "");
        assert!(!try_run(database, &lift).0);
        assert!(run(database, &["suppression", "list", "1"]).contains("lifted: asked for it"));
        // It begins anew.
        let sent = send(database, &service, &[READER]);
        report(database, &bounce(&sent[0].1, "5.1.1", 9));
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn what_does_not_say_that_the_address_is_dead_suppresses_nobody(database: &Database) {
        let service = database.serve(&[]);
        for (number, code) in ["5.7.1", "5.2.2", "5.7.1", "5.0.0", "4.1.1", "5.7.26"].into_iter().enumerate() {
            let sent = send(database, &service, &[READER]);
            report(database, &bounce(&sent[0].1, code, number));
        }
        assert_eq!(code_of_a_call(&service), Some(200));
        assert_eq!(run(database, &["suppression", "list", "1"]), "");
    }

    fn a_report_of_an_alias_that_somebody_reads_does_not_count_as_a_dead_address(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..3 {
            let sent = send(database, &service, &[READER]);
            let message = String::from_utf8(read("postfix_alias_of_two")).unwrap();
            let message = message.replace("17@mail.example.com", &sent[0].1);
            report(database, message.as_bytes());
            assert_eq!(database.number("SELECT count(*) FROM events WHERE kind = 'bounced'"), number + 1);
        }
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn one_that_was_delivered_between_dead_ones_begins_the_count_anew(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..5 {
            let sent = send(database, &service, &[READER]);
            if number != 2 {
                report(database, &bounce(&sent[0].1, "5.1.1", number));
            }
        }
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn an_address_that_the_mail_server_says_is_dead_counts_as_well(database: &Database) {
        let runtime = runtime();
        let mail = runtime.block_on(Server::start(At::Rcpt, Does::Say("550 5.1.1 nobody"), 100));
        let service = database.serve_to(program(), mail.port);
        let bounced = "SELECT count(*) FROM deliveries WHERE state = 'bounced'";
        for number in 1..=3 {
            assert_eq!(code_of_a_call(&service), Some(200));
            wait("it does not bounce", || database.number(bounced) == number);
        }
        wait("it is not suppressed", || code_of_a_call(&service) == Some(443));
        let list = run(database, &["suppression", "list", "1"]);
        assert!(list.contains("\tbounces\t-\t5.1.1 "), "{list}");
    }

    fn a_complaint_suppresses_at_once_and_undoing_its_report_lifts_that(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        report(database, &complaint(&sent[0].1));
        assert_eq!(code_of_a_call(&service), Some(443));
        let id = run(database, &["report", "list"]).split('\t').next().unwrap().to_owned();
        let undo = ["report", "undo", &id, "--reason", "a misclick"];
        run(database, &undo);
        assert_eq!(code_of_a_call(&service), Some(200));
        assert!(run(database, &["report", "list"]).contains("undone: a misclick"));
        assert!(run(database, &["suppression", "list", "1"]).contains("lifted: a misclick"));
        let (succeeds, text) = try_run(database, &undo);
        assert!(!succeeds && text.contains("there is no such report"), "{text}");
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id LIMIT 1");
        assert_eq!(bits, ["2"]);
    }

    fn undoing_one_of_three_bounces_lifts_and_one_that_another_report_repeats_does_not(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..3 {
            let sent = send(database, &service, &[READER]);
            report(database, &bounce(&sent[0].1, "5.1.1", number));
            if number == 1 {
                report(database, &bounce(&sent[0].1, "5.1.1", 9));
            }
        }
        // The reports 2 and 3 are of the same email.
        run(database, &["report", "undo", "2", "--reason", "one of two"]);
        assert_eq!(code_of_a_call(&service), Some(443));
        run(database, &["report", "undo", "3", "--reason", "the other"]);
        assert_eq!(code_of_a_call(&service), Some(200));
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id LIMIT 3");
        assert_eq!(bits, ["3", "2", "3"]);
    }

    fn who_was_inactive_before_a_complaint_stays_so_after_it_is_lifted(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        let id = database.number("SELECT subscriber FROM deliveries").to_string();
        run(database, &["subscriber", "set", "1", &id, "--inactive"]);
        report(database, &complaint(&sent[0].1));
        let said = run(database, &["suppression", "lift", "1", &id, "--reason", "asked"]);
        assert!(said.starts_with("still INACTIVE"), "{said}");
        assert_eq!(code_of_a_call(&service), Some(443));
    }

    fn reports_in_a_maildir_are_taken_in_and_moved(database: &Database) {
        let folder = maildir();
        let service = database.serve(&["--reports-maildir", folder.path().to_str().unwrap()]);
        let sent = send(database, &service, &[READER]);
        let new = |name: &str, message: &[u8]| {
            std::fs::write(folder.path().join("tmp").join(name), message).unwrap();
            std::fs::rename(folder.path().join("tmp").join(name), folder.path().join("new").join(name)).unwrap();
        };
        // The second one is what a process leaves that was killed before it had moved the first.
        let message = bounce(&sent[0].1, "5.1.1", 1);
        new("1.a.host", &message);
        new("2.a.host", &message);
        new("3.a.host", b"Subject: Hello\n\nHello\n");
        wait("they are not moved", || folder.path().join("new").read_dir().unwrap().count() == 0);
        let mut names: Vec<String> = folder.path().join("cur").read_dir().unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["1.a.host:2,S", "2.a.host:2,S", "3.a.host:2,S"]);
        let mut found = outcomes(database, sent[0].0);
        found.sort_unstable();
        assert_eq!(found, ["bounced", "delivered"]);
        assert_eq!(database.number("SELECT count(*) FROM reports"), 1);
        assert_eq!(service.end().0, Some(0));
    }

    fn while_the_database_fails_each_way_in_keeps_its_report_and_takes_it_in_later(database: &Database) {
        let folder = maildir();
        let flags = ["--reports-token", TOKEN, "--reports-maildir", folder.path().to_str().unwrap()];
        let service = database.serve(&flags);
        let sent = send(database, &service, &[READER, "b@example.org", "c@example.org"]);
        let messages: Vec<Vec<u8>> = sent.iter().map(|(_, message_id)| bounce(message_id, "5.1.1", 1)).collect();
        let fails = "ALTER TABLE events RENAME TO events_away";
        database.execute(fails, fails);
        std::fs::write(folder.path().join("new/1.a.host"), &messages[0]).unwrap();
        let answer = post_report(&service, "/reports", Some(TOKEN), &messages[1]);
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")), "{answer:?}");
        assert_eq!(pipe(report_command(database, &[]), &messages[2]).code(), Some(75));
        // Nothing of it was done.
        assert_eq!(database.number("SELECT count(*) FROM reports"), 0);
        assert!(folder.path().join("new/1.a.host").exists());
        let works = "ALTER TABLE events_away RENAME TO events";
        database.execute(works, works);
        assert_eq!(post_report(&service, "/reports", Some(TOKEN), &messages[1]).status, 200);
        report(database, &messages[2]);
        wait("it is not moved", || folder.path().join("cur/1.a.host:2,S").exists());
        let bounced = "SELECT count(*) FROM events WHERE kind = 'bounced'";
        assert_eq!(database.number(bounced), 3);
    }

    fn reports_are_deleted_when_their_time_is_over_and_what_they_said_stays(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER, "b@example.org"]);
        report(database, &bounce(&sent[0].1, "5.1.1", 1));
        report(database, &bounce(&sent[1].1, "5.1.1", 2));
        assert_eq!(service.end().0, Some(0));
        database.execute(
            "UPDATE reports SET received = received - 8 * 86400 WHERE id = 1",
            "UPDATE reports SET received = received - interval '8 days' WHERE id = 1",
        );
        let _service = database.serve(&["--reports-days", "7"]);
        wait("it is not deleted", || database.number("SELECT count(*) FROM reports") == 1);
        assert!(run(database, &["report", "list"]).starts_with("2\t"));
        let mut found = outcomes(database, sent[0].0);
        found.sort_unstable();
        assert_eq!(found, ["bounced", "delivered"]);
    }

    fn reports_are_posted_with_the_token_and_to_the_operators_address_alone(database: &Database) {
        let keys = keys(database);
        let flags = ["--reports-token", TOKEN, "--bounce-domain", DOMAIN, "--key-file", &keys];
        let service = database.serve(&flags);
        let sent = send(database, &service, &[READER, "b@example.org"]);
        let message = bounce(&sent[0].1, "5.1.1", 1);
        for token in [None, Some(""), Some("another token of it"), Some(&TOKEN[1..]), Some("a token of some lengt")] {
            let answer = post_report(&service, "/reports", token, &message);
            assert_eq!(answer.status, 401, "{answer:?}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        }
        let authorization = format!("Bearer {TOKEN}");
        let elsewhere = service.post("/reports", &[("Authorization", &authorization)], &message);
        assert_eq!(elsewhere.status, 404);
        assert_eq!(outcomes(database, sent[0].0), ["delivered"]);
        let answer = post_report(&service, "/reports", Some(TOKEN), &message);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, r#"{"found":true,"kind":"failed","new":true,"report":1}"#);
        let again = post_report(&service, "/reports", Some(TOKEN), &message);
        assert_eq!(again.body, r#"{"found":true,"kind":"failed","new":false,"report":1}"#);
        let path = format!("/reports?to={}", return_path(database, sent[1].0).replace('@', "%40"));
        let answer = post_report(&service, &path, Some(TOKEN), &bounce("a@b.example", "5.1.1", 2));
        assert!(answer.body.contains(r#""found":true"#), "{answer:?}");
        let answer = post_report(&service, "/reports", Some(TOKEN), b"Subject: Hello\n\nHello\n");
        assert_eq!(answer.body, r#"{"kind":"nothing"}"#);
        let path = format!("/reports?to=anybody@{DOMAIN}");
        let answer = post_report(&service, &path, Some(TOKEN), &message);
        assert_eq!(answer.body, r#"{"kind":"forged"}"#);
        let metrics = service.metrics();
        assert!(metrics.contains(r#"franking_reports_total{kind="failed",found="yes"} 3"#), "{metrics}");
        let (_, log) = service.end();
        assert!(!log.contains(TOKEN) && !log.contains("reader"), "{log}");
    }

    fn a_report_of_32_mb_is_taken_in_by_each_way_and_a_longer_one_is_not_posted(database: &Database) {
        let service = database.serve(&["--reports-token", TOKEN]);
        let sent = send(database, &service, &[READER, "b@example.org"]);
        let long = |message_id: &str, length: usize| {
            let mut message = bounce(message_id, "5.1.1", 1);
            message.resize(length, b'x');
            message
        };
        report(database, &long(&sent[0].1, 33 << 20));
        let answer = post_report(&service, "/reports", Some(TOKEN), &long(&sent[1].1, 32 << 20));
        assert_eq!(answer.status, 200, "{answer:?}");
        for (delivery, _) in &sent {
            assert!(outcomes(database, *delivery).contains(&"bounced".to_owned()));
        }
        let answer = post_report(&service, "/reports", Some(TOKEN), &long("a@b.example", (32 << 20) + 1));
        assert_eq!(answer.status, 413, "{answer:?}");
    }

    fn without_a_token_no_report_is_posted(database: &Database) {
        let service = database.serve(&[]);
        let answer = post_report(&service, "/reports", Some(""), b"Subject: Hello\n\nHello\n");
        assert_eq!(answer.status, 404, "{answer:?}");
    }

    fn with_a_domain_for_them_each_email_has_a_signed_return_path_and_without_one_that_of_its_sender(database: &Database) {
        let runtime = runtime();
        let mail = runtime.block_on(Server::good());
        let sent = |service: Service, number: i64| {
            assert_eq!(code_of_a_call(&service), Some(200));
            let delivered = "SELECT count(*) FROM deliveries WHERE state = 'delivered'";
            wait("it is not sent", || database.number(delivered) == number);
            assert_eq!(service.end().0, Some(0));
            let mut seen = mail.seen.lock().unwrap();
            let commands = std::mem::take(&mut seen.commands);
            commands.into_iter().find(|line| line.starts_with("MAIL FROM")).unwrap()
        };
        let plain = sent(database.serve_to(program(), mail.port), 1);
        assert!(plain.starts_with("MAIL FROM:<news@shop.example>"), "{plain}");
        let keys = keys(database);
        let mut command = program();
        command.env("FRANKING_BOUNCE_DOMAIN", DOMAIN).env("FRANKING_KEY_FILE", &keys);
        let signed = sent(database.serve_to(command, mail.port), 2);
        let delivery = database.number("SELECT max(id) FROM deliveries");
        let expected = format!("MAIL FROM:<{}>", return_path(database, delivery));
        assert!(signed.starts_with(&expected), "{signed}");
        let seen = mail.seen.lock().unwrap();
        let from = |message: &Vec<u8>| String::from_utf8_lossy(message).contains("From: The Shop <news@shop.example>");
        assert!(seen.messages.iter().all(from));
    }
}
