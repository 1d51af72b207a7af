//! The ways in which reports arrive: a mail server's pipe, a maildir, HTTP.

use std::path::Path;

use super::{
    DOMAIN, READER, TOKEN, bounce, keys, maildir, outcomes, pipe, post_report, report,
    report_command, return_path, run, send, wait,
};
use crate::support::database::on_both;
use crate::support::{Service, fill, program, send_mailer, world};

/// Puts a message into a maildir, as a mail server does: whole when it is there.
fn deliver(maildir: &Path, name: &str, message: &[u8]) {
    let part = maildir.join("tmp").join(name);
    std::fs::write(&part, message).unwrap();
    std::fs::rename(part, maildir.join("new").join(name)).unwrap();
}

on_both! {
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
        let misspelt = report_command(database, &["--too", READER]);
        assert_eq!(pipe(misspelt, b"").code(), Some(75));
        for (arguments, status) in [(&[][..], 75), (&["list"], 2)] {
            let mut command = report_command(database, arguments);
            command.env("FRANKING_SUPPRESS_DAYS", "never");
            assert_eq!(pipe(command, b"").code(), Some(status), "{arguments:?}");
        }
    }

    fn reports_in_a_maildir_are_taken_in_and_moved(database: &Database) {
        let folder = maildir();
        let service = database.serve(&["--reports-maildir", folder.path().to_str().unwrap()]);
        let sent = send(database, &service, &[READER]);
        let new = |name: &str, message: &[u8]| deliver(folder.path(), name, message);
        // A process that was killed before it moved the first file leaves the second one.
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

    fn a_maildir_without_cur_gets_it_and_its_reports_are_moved_there(database: &Database) {
        let folder = maildir();
        std::fs::remove_dir(folder.path().join("cur")).unwrap();
        let service = database.serve(&["--reports-maildir", folder.path().to_str().unwrap()]);
        deliver(folder.path(), "1.a.host", b"Subject: Hello\n\nHello\n");
        wait("it is not moved", || folder.path().join("cur/1.a.host:2,S").exists());
        assert_eq!(folder.path().join("new").read_dir().unwrap().count(), 0);
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
        deliver(folder.path(), "1.a.host", &messages[0]);
        let answer = post_report(&service, "/reports", Some(TOKEN), &messages[1]);
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")), "{answer:?}");
        assert_eq!(pipe(report_command(database, &[]), &messages[2]).code(), Some(75));
        // Nothing was recorded.
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
}

#[test]
fn a_maildir_that_cannot_be_read_is_named_in_the_log_and_calls_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), &world("world.json"));
    let [log, taken] = ["log", "file"].map(|name| folder.path().join(name));
    // Root may read every folder. A file in the place of a folder can be read by nobody.
    std::fs::write(&taken, "").unwrap();
    let mut command = program();
    command.stderr(std::fs::File::create(&log).unwrap());
    let flags = ["--reports-maildir", taken.to_str().unwrap()];
    let service = Service::run_as_it_is(command, folder.path(), &flags);
    let logged = || std::fs::read_to_string(&log).unwrap();
    wait("the folder is not named", || {
        logged().contains("reports_maildir or a file in it cannot be read")
    });
    assert!(logged().contains("has to be able to"), "{}", logged());
    let body = send_mailer(READER);
    assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
    assert_eq!(service.end().0, Some(0));
}
