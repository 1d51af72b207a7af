//! The operator's commands, beside a running service.

use std::process::Output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;

use crate::returned::wait;
use crate::support::database::{Database, on_both};
use crate::support::ends::Ends;
use crate::support::scripted::{At, Does, Server};
use crate::support::{KEY, http_send_mail, runtime, send_mailer};

fn try_run(database: &Database, arguments: &[&str]) -> Output {
    let mut command = crate::support::program();
    command.args(arguments).args(database.flags());
    command.output().unwrap()
}

fn run(database: &Database, arguments: &[&str]) -> String {
    let output = try_run(database, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

on_both! {
    fn commands_change_what_a_running_service_answers(database: &Database) {
        let service = database.serve(&[]);
        let call = || {
            let body = send_mailer("a@customer.example");
            service.post("/v4/sendMailer", &[], &body).code()
        };
        assert_eq!(call(), Some(200));
        run(database, &["account", "state", "1", "--blocked"]);
        assert_ne!(call(), Some(200));
        run(database, &["account", "state", "1", "--blocked=false"]);
        assert_eq!(call(), Some(200));
        let key = run(database, &["key", "add", "1"]);
        let body = String::from_utf8(send_mailer("a@customer.example")).unwrap();
        let body = body.replace(KEY, key.trim());
        let answer = service.post("/v4/sendMailer", &[], body.as_bytes());
        assert_eq!(answer.code(), Some(200));
    }

    fn commands_and_calls_at_once_wait_for_each_other(database: &Database) {
        let service = database.serve(&[]);
        let is_over = AtomicBool::new(false);
        let calls: usize = thread::scope(|scope| {
            let ends = Ends(&is_over);
            let callers: Vec<_> = (0..4)
                .map(|caller| {
                    let (service, is_over) = (&service, &is_over);
                    scope.spawn(move || {
                        let mut calls = 0;
                        while calls == 0 || !is_over.load(Ordering::Relaxed) {
                            let body = send_mailer(&format!("a{caller}-{calls}@customer.example"));
                            let answer = service.post("/v4/sendMailer", &[], &body);
                            assert_eq!(answer.code(), Some(200), "{answer:?}");
                            calls += 1;
                        }
                        calls
                    })
                })
                .collect();
            for number in 0..10 {
                run(database, &["list", "add", "1", &format!("List {number}")]);
            }
            drop(ends);
            callers.into_iter().map(|caller| caller.join().unwrap()).sum()
        });
        let lists = run(database, &["list", "list", "1"]);
        assert_eq!(lists.lines().filter(|line| line.starts_with("List ")).count(), 10);
        service.end();
        assert_eq!(database.calls().len(), calls);
    }

    fn sending_is_paused_and_resumed_beside_a_running_service(database: &Database) {
        let maildir = tempfile::tempdir().unwrap();
        let service = database.serve(&["--maildir", maildir.path().to_str().unwrap()]);
        run(database, &["queue", "pause"]);
        let body = send_mailer("a@customer.example");
        assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
        let sent = || {
            let entries = maildir.path().join("new").read_dir();
            entries.map_or(0, Iterator::count)
        };
        let waiting = "SELECT count(*) FROM deliveries WHERE state = 'queued'";
        assert_eq!((database.number(waiting), sent()), (1, 0));
        run(database, &["queue", "resume"]);
        wait("the service does not notice the end of the pause", || sent() > 0);
        wait("the end of the email is not written", || database.number(waiting) == 0);
    }

    fn an_operator_finds_a_call_and_an_email_and_what_became_of_it(database: &Database) {
        run(database, &["account", "add", "Other"]);
        let service = database.serve(&[]);
        let mut ids = Vec::new();
        for number in 0..3 {
            let to = format!("reader@example.org,other{number}@example.org");
            let answer = service.post("/v4/httpSendMail", &[], &http_send_mail(&to));
            assert_eq!(answer.code(), Some(200), "{answer:?}");
            ids.push(answer.transaction_id().unwrap().to_string());
        }
        wait("they are not sent", || database.number("SELECT count(*) FROM events WHERE number IS NOT NULL") == 6);
        let rows = |arguments: &[&str]| -> Vec<Value> {
            let printed = run(database, &[arguments, &["--json"]].concat());
            printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        // The last call comes first, and `--before` goes on from a call.
        let calls = rows(&["call", "list", "1"]);
        let listed: Vec<String> = calls.iter().map(|row| row["call"].to_string()).collect();
        assert_eq!(listed, ids.iter().rev().cloned().collect::<Vec<_>>());
        assert_eq!((&calls[0]["operation"], &calls[0]["emails"]), (&"httpSendMail".into(), &2.into()));
        let before = rows(&["call", "list", "1", "--before", &ids[1], "--limit", "5"]);
        assert_eq!(before, calls[2..]);
        let shown = &rows(&["call", "show", &ids[0]])[0];
        let counts = ["waiting", "delivered", "bounced", "left_out"].map(|name| shown[name].as_i64().unwrap());
        assert_eq!(counts, [0, 2, 0, 0]);
        // Deliveries are listed by reader and by call, and shown one by one.
        let to_reader = rows(&["delivery", "list", "1", "--recipient", "Reader@Example.org"]);
        assert_eq!(to_reader.len(), 3);
        assert!(to_reader.iter().all(|row| row["recipient"] == "reader@example.org" && row["state"] == "delivered"));
        let of_call = rows(&["delivery", "list", "1", "--call", &ids[2]]);
        assert_eq!((of_call.len(), &of_call[1]), (2, &to_reader[0]));
        let last = to_reader[0]["delivery"].to_string();
        let older = rows(&["delivery", "list", "1", "--recipient", "reader@example.org", "--before", &last, "--limit", "1"]);
        assert_eq!(older, to_reader[1..2]);
        let one = rows(&["delivery", "show", &last]);
        assert_eq!((&one[0], &one[1]["event"], one.len()), (&to_reader[0], &"delivered".into(), 2));
        // Lines for other programs have the same values.
        let lines = run(database, &["delivery", "show", &last]);
        assert!(lines.starts_with(&format!("{last}\t{}\t", ids[2])) && lines.contains("\tdelivered\t"), "{lines}");
        // Waiting deliveries, and those of another account.
        run(database, &["queue", "pause"]);
        service.post("/v4/httpSendMail", &[], &http_send_mail("waits@example.org"));
        let queued = rows(&["delivery", "list", "1", "--queued"]);
        assert_eq!((queued.len(), &queued[0]["recipient"]), (1, &"waits@example.org".into()));
        assert!(queued[0]["next_attempt"].is_string() && queued[0]["ended"].is_null());
        for which in [["--call", ids[0].as_str()], ["--recipient", "reader@example.org"]] {
            assert_eq!(rows(&[&["delivery", "list", "2"], &which[..]].concat()), Vec::<Value>::new());
        }
        for empty in [
            ["call", "list"], ["delivery", "list"], ["key", "list"], ["subscriber", "list"], ["list", "list"],
            ["sender", "list"], ["mailer", "list"], ["suppression", "list"], ["unsubscribed", "list"], ["webhook", "list"],
        ] {
            let output = try_run(database, &[&empty[..], &["77"]].concat());
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code() == Some(1) && error.contains("there is no such account"), "{empty:?}: {error}");
        }
        for missing in [["call", "show", "77"], ["delivery", "show", "77"]] {
            let output = try_run(database, &missing);
            assert!(String::from_utf8_lossy(&output.stderr).contains("there is no such"), "{output:?}");
        }
    }

    fn commands_do_what_they_say_and_no_more(database: &Database) {
        run(database, &["account", "state", "1", "--expired"]);
        run(database, &["account", "state", "1", "--blocked"]);
        let list = run(database, &["account", "list"]);
        assert!(list.contains("\tyes\tyes\tno"), "{list}");
        assert!(!try_run(database, &["account", "state", "1"]).status.success());
        run(database, &["blacklist", "set", "bad.example", "content"]);
        assert!(!try_run(database, &["blacklist", "set", "bad.example"]).status.success());
        assert!(run(database, &["blacklist", "list"]).contains("bad.example\tcontent"));
        run(database, &["blacklist", "remove", "bad.example"]);
        assert!(!run(database, &["blacklist", "list"]).contains("bad.example"));
        // The domain is not listed any more. Removing it fails, so an operator notices a mistyped domain.
        let again = try_run(database, &["blacklist", "remove", "bad.example"]);
        let error = String::from_utf8_lossy(&again.stderr);
        assert!(again.status.code() == Some(1) && error.contains("no such entry of the blacklists"), "{again:?}");
        let credit = run(database, &["account", "credit", "1", "--email", "5"]);
        assert!(credit.contains("email credit "), "{credit}");
        let all = try_run(database, &["queue", "cancel", "--all"]);
        assert!(String::from_utf8_lossy(&all.stderr).contains("--yes"), "{all:?}");
        assert_eq!(run(database, &["queue", "cancel", "--all", "--yes"]), "0\n");
        let missing = ["mailer", "set", "1", "--from", "news@shop.example", "--subject", "s", "/no/such.html"];
        let missing = try_run(database, &missing);
        assert!(String::from_utf8_lossy(&missing.stderr).contains("/no/such.html"), "{missing:?}");
        // A pipe that nobody reads is not a failure of the command.
        let (unread, closed) = std::io::pipe().unwrap();
        drop(unread);
        let mut command = crate::support::program();
        command.args(["account", "list"]).args(database.flags()).stdout(closed);
        let output = command.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        // The world's account is not that of the demo.
        let demo = try_run(database, &["serve", "--demo"]);
        assert!(String::from_utf8_lossy(&demo.stderr).contains("--demo needs a database"), "{demo:?}");
    }

    fn what_cannot_be_undone_is_asked_about_and_what_was_done_is_noted_without_texts(database: &Database) {
        let key = run(database, &["key", "add", "1", "--label", "the canary's key"]);
        let keys = run(database, &["key", "list", "1"]);
        let row = keys.lines().find(|line| line.contains("the canary's key")).unwrap();
        let number = row.split('\t').next().unwrap();
        let asked = try_run(database, &["key", "revoke", "1", number]);
        assert_eq!((asked.status.code(), String::from_utf8_lossy(&asked.stderr).contains("--yes")), (Some(2), true));
        let dry = run(database, &["key", "revoke", "1", number, "--dry-run"]);
        assert!(dry.contains(number) && dry.contains("Nothing was done"), "{dry}");
        assert_eq!(run(database, &["key", "list", "1"]), keys);
        run(database, &["key", "revoke", "1", number, "--yes"]);
        assert!(!run(database, &["key", "list", "1"]).contains("canary"));
        // The status is 1 if something is not there, and the error names what was typed. It is 2 if the command cannot run.
        let missing = try_run(database, &["key", "revoke", "1", "999", "--yes"]);
        let error = String::from_utf8_lossy(&missing.stderr).into_owned();
        assert_eq!((missing.status.code(), &*error), (Some(1), "error: there is no such key (key revoke 1 999 --yes)\n"));
        let unknown = try_run(database, &["key", "revoke", "1"]);
        assert_eq!(unknown.status.code(), Some(2));
        run(database, &["subscriber", "add", "1", "canary@canary.example", "--inactive"]);
        run(database, &["blacklist", "set", "bad.example", "content"]);
        run(database, &["account", "state", "1", "--blocked=false"]);
        let noted = run(database, &["audit", "list"]);
        assert!(!noted.contains("canary") && !noted.contains(key.trim()), "{noted}");
        let commands: Vec<&str> = noted.lines().map(|line| line.split('\t').nth(3).unwrap()).collect();
        assert_eq!(commands[..3], ["account state 1 --blocked false", "blacklist set bad.example content", "subscriber add 1 … --inactive"]);
        let ends: Vec<&str> = noted.lines().map(|line| line.split('\t').nth(4).unwrap()).collect();
        assert_eq!((ends[3], ends[4]), ("failed", "done"), "{noted}");
        let names = noted.lines().all(|line| line.contains("(user ") || line.contains("\tuser "));
        assert!(names, "{noted}");
    }

    fn an_account_shows_its_credits_and_who_gave_them_and_a_key_when_it_was_used(database: &Database) {
        run(database, &["account", "credit", "1", "--email", "5"]);
        run(database, &["account", "credit", "1", "--email", "-2", "--subscriber", "1"]);
        let shown = run(database, &["account", "show", "1", "--json"]);
        let rows: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((&rows[1]["email"], &rows[1]["subscriber"], &rows[2]["email"]), (&(-2).into(), &1.into(), &5.into()));
        assert!(rows[1]["operator"].as_str().unwrap().contains("user "));
        assert_eq!(try_run(database, &["account", "show", "77"]).status.code(), Some(1));
        let made = run(database, &["account", "add", "Shop", "--email-credit", "1000"]);
        let shown = run(database, &["account", "show", made.trim()]);
        assert!(shown.lines().nth(1).unwrap().contains("\t0\t1000\t"), "{shown}");
        let used = || -> Value { serde_json::from_str(&run(database, &["key", "list", "1", "--json"])).unwrap() };
        assert!(used()["last_used"].is_null());
        let service = database.serve(&[]);
        service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example"));
        wait("the use is not noted", || used()["last_used"].is_string());
        drop(service);
        let mailer = run(database, &["mailer", "show", "1", "42", "--json"]);
        let mailer: Value = serde_json::from_str(&mailer).unwrap();
        assert_eq!(mailer["html"].as_str().unwrap().to_owned() + "\n", run(database, &["mailer", "show", "1", "42", "--html"]));
        assert_eq!(try_run(database, &["mailer", "show", "1", "4242"]).status.code(), Some(1));
        // A test email is sent before a reader gets the email.
        let folder = tempfile::tempdir().unwrap();
        let to = ["--to", "me@shop.example", "--transport", "maildir", "--maildir", folder.path().to_str().unwrap()];
        run(database, &[&["mailer", "send-test", "1", "42", "--field", "firstName=Ada"], &to[..]].concat());
        let sent = folder.path().join("new").read_dir().unwrap().next().unwrap().unwrap().path();
        let sent = std::fs::read_to_string(sent).unwrap();
        assert!(sent.contains("To: me@shop.example") && sent.contains("Message-ID: <test."), "{sent}");
        assert_eq!(database.number("SELECT count(*) FROM deliveries"), 1);
    }

    fn each_attempt_is_shown_with_the_servers_words_and_an_email_is_sent_again_when_told(database: &Database) {
        let runtime = runtime();
        let server = runtime.block_on(Server::start(At::Rcpt, Does::SayAndDrop("450 4.2.1 the mailbox is busy"), 1));
        let service = database.serve_to(crate::support::program(), server.port);
        let answer = service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example"));
        assert_eq!(answer.code(), Some(200), "{answer:?}");
        wait("it is not tried", || database.number("SELECT count(*) FROM attempts") == 1);
        let waits = run(database, &["queue", "show"]);
        assert!(waits.contains("because\t1: 450 4.2.1 the mailbox is busy"), "{waits}");
        run(database, &["queue", "retry", "--all"]);
        let messages = || server.seen.lock().unwrap().messages.clone();
        let delivered = "SELECT count(*) FROM deliveries WHERE state = 'delivered'";
        wait("it is not sent", || database.number(delivered) == 1);
        let became = || -> Vec<(String, String)> {
            let shown = run(database, &["delivery", "show", "1", "--json"]);
            let rows = shown.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
            rows.map(|row| (row["event"].as_str().unwrap().to_owned(), row["reason"].as_str().unwrap_or("").to_owned())).collect()
        };
        let told = became();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].0 == "postponed" && told[0].1.contains("4.2.1 the mailbox is busy"), "{told:?}");
        assert!(told[1].0 == "delivered" && told[1].1.contains("queued"), "{told:?}");
        let such = |more: &[&str]| run(database, &[&["delivery", "list", "1"], more].concat()).lines().count();
        assert_eq!((such(&[]), such(&["--state", "delivered"]), such(&["--state", "bounced"])), (1, 1, 0));
        assert_eq!((such(&["--domain", "Customer.example"]), such(&["--domain", "other.example"])), (1, 0));
        assert_eq!((such(&["--since", "2020-01-01T00:00:00Z"]), such(&["--until", "2020-01-01T00:00:00Z"])), (1, 0));
        assert_eq!((such(&["--custom-field", "x"]), such(&["--before", "1"])), (0, 0));
        run(database, &["queue", "pause"]);
        run(database, &["delivery", "resend", "1", "--yes"]);
        let again = try_run(database, &["delivery", "resend", "1", "--yes"]);
        let error = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(again.status.code() == Some(1) && error.contains("still waits"), "{error}");
        run(database, &["queue", "resume"]);
        wait("it is not sent again", || messages().len() == 2);
        let both = messages();
        assert_eq!(both[0], both[1]);
        assert_eq!(try_run(database, &["delivery", "resend", "77", "--yes"]).status.code(), Some(1));
        wait("it is not settled", || database.number(delivered) == 1);
        // An event takes back the bounce of an email that is sent again.
        service.end();
        let change = "UPDATE deliveries SET state = 'bounced', events = 1 WHERE id = 1";
        database.execute(change, change);
        run(database, &["delivery", "resend", "1", "--yes"]);
        assert_eq!(became().last().unwrap().0, "not_bounced");
    }

    fn subscribers_are_brought_in_set_and_shown(database: &Database) {
        let add = ["subscriber", "add", "1", "new@customer.example", "--id", "77", "--inactive"];
        assert_eq!(run(database, &add), "77\n");
        assert!(!try_run(database, &add).status.success());
        let service = database.serve(&[]);
        let body = br#"{"apiKey":"key-1","mailerID":42,"subID":77,"city":"Turin"}"#;
        let call = || service.post("/v4/sendMailer", &[], body).code();
        assert_eq!(call(), Some(443));
        run(database, &["subscriber", "set", "1", "77"]);
        assert_eq!(call(), Some(200));
        assert_eq!(run(database, &["subscriber", "show", "1", "77", "--json"]).lines().last(), Some("{\"field\":\"city\",\"value\":\"Turin\"}"));
        let listed = run(database, &["subscriber", "list", "1", "--address", "New@customer.example"]);
        assert!(listed.starts_with("77\tnew@customer.example\tno\t"), "{listed}");
        assert!(run(database, &["subscriber", "list", "1", "--after", "76"]).starts_with("77\t"));
        assert_eq!(run(database, &["subscriber", "list", "1", "--after", "77"]), "");
        run(database, &["subscriber", "set", "1", "77", "--inactive"]);
        assert_eq!(call(), Some(443));
        for refused in [
            ["subscriber", "set", "1", "78"],
            ["subscriber", "set", "1", "0"],
            ["subscriber", "add", "1", "nobody"],
        ] {
            let output = try_run(database, &refused);
            assert!(!output.status.success());
            assert!(!String::from_utf8_lossy(&output.stderr).contains("nobody"));
        }
    }
}

#[test]
fn a_command_of_another_release_leaves_a_served_sqlite_database_alone() {
    let database = Database::sqlite(&crate::support::world("world.json"));
    let service = database.serve(&[]);
    let connection = rusqlite::Connection::open(database.folder().unwrap().join("franking.db"));
    let connection = connection.unwrap();
    let version = |version: i64| {
        let sql = "UPDATE schema_version SET version = ?1, least = ?1";
        connection.execute(sql, [version])
    };
    let known = "SELECT version FROM schema_version";
    let known: i64 = connection.query_row(known, [], |row| row.get(0)).unwrap();
    for (other, word) in [
        (known - 1, "End the earlier program"),
        (known + 1, "Run the newer program"),
    ] {
        version(other).unwrap();
        let output = try_run(&database, &["account", "list"]);
        assert!(!output.status.success());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(word), "{error}");
    }
    version(known).unwrap();
    run(&database, &["account", "list"]);
    service.end();
}

#[test]
fn a_mistyped_folder_makes_no_database_and_migrate_does() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let command = |arguments: &[&str]| {
        let mut command = crate::support::program();
        command
            .args(arguments)
            .arg("--data")
            .arg(&data)
            .output()
            .unwrap()
    };
    let output = command(&["account", "list"]);
    assert!(!output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("there is no database"),
        "{output:?}"
    );
    assert!(!data.exists());
    assert!(command(&["migrate"]).status.success());
    assert!(command(&["account", "list"]).status.success());
}

#[test]
fn migrate_makes_a_key_file_for_its_owner_alone_and_adds_a_key_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let migrate = |more: &[&str]| {
        let mut command = crate::support::program();
        command
            .args(["migrate", "--data"])
            .arg(folder.path())
            .args(more);
        command.output().unwrap()
    };
    let file = folder.path().join("franking.key");
    let lines = || std::fs::read_to_string(&file).unwrap().lines().count();
    assert!(migrate(&[]).status.success());
    assert_eq!(lines(), 1);
    let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&file).unwrap());
    assert_eq!(mode & 0o777, 0o600);
    assert!(migrate(&[]).status.success());
    assert_eq!(lines(), 1);
    assert!(migrate(&["--new-key"]).status.success());
    assert_eq!(lines(), 2);
    std::fs::write(&file, "something else").unwrap();
    let refused = migrate(&[]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("franking.key"));
}

#[test]
fn a_database_that_is_taken_away_ends_the_service_and_accepts_nothing() {
    let database = Database::sqlite(&crate::support::world("world.json"));
    let mut service = database.serve(&["--transport", "none"]);
    let file = database.folder().unwrap().join("franking.db");
    std::fs::rename(&file, file.with_extension("away")).unwrap();
    let body = send_mailer("a@customer.example");
    let request = crate::support::request("POST", "/v4/sendMailer", &[], &body);
    if let Some(answer) = service.exchange_at_end(&request) {
        assert_ne!(answer.status, 200, "{answer:?}");
    }
    assert_eq!(service.process.wait().unwrap().code(), Some(1));
}
