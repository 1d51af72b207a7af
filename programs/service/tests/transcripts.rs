//! What is stored of calls, so that an operator can explain them.

use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use franking::Transcript;
use franking_service::key_file::KeyFile;
use franking_service::store::{Expired, Explained, KeptOf, Position};
use serde_json::Value;

use crate::returned::{keys, wait};
use crate::support::database::{Database, on_both};
use crate::support::{
    Answer, KEY, Service, http_send_mail, links_to, memory, program, runtime, send_mailer,
};

/// A text of a call that must not be found anywhere.
const ADDRESS: &str = "canary.reader@canary.example";

pub fn serve(database: &Database, flags: &[&str]) -> Service {
    let keys = keys(database);
    let service = database.serve(&[flags, &["--key-file", &keys, "--transport", "none"]].concat());
    drop(keys);
    service
}

fn command(database: &Database, arguments: &[&str]) -> Command {
    let keys = keys(database);
    let mut command = program();
    command
        .args(arguments)
        .args(database.flags())
        .args(["--key-file", &keys]);
    command
}

pub fn try_run(database: &Database, arguments: &[&str]) -> Output {
    command(database, arguments).output().unwrap()
}

/// As [`try_run`], but the output is closed already, as by a `head` that has read enough.
pub fn unread(database: &Database, arguments: &[&str]) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = command(database, arguments);
    command.stdout(writer).output().unwrap()
}

pub fn run(database: &Database, arguments: &[&str]) -> String {
    let output = try_run(database, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn rows(database: &Database, arguments: &[&str]) -> Vec<Value> {
    let printed = run(database, &[arguments, &["--json"]].concat());
    let lines = printed.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub fn refused_call(service: &Service) -> Answer {
    let body =
        format!(r#"{{"apiKey":"{KEY}","mailerID":9999,"email":"{ADDRESS}","Canary":"Canary 7"}}"#);
    let answer = service.post(
        "/v4/sendMailer",
        &[("X-Request-Id", "request-7")],
        body.as_bytes(),
    );
    assert_eq!(answer.code(), Some(442), "{answer:?}");
    answer
}

fn kept(database: &Database, count: i64) {
    wait("calls are not kept", || {
        database.number("SELECT count(*) FROM transcripts") == count
    });
}

/// All transcripts, opened.
fn opened(database: &Database) -> Vec<String> {
    let keys = KeyFile::read(Path::new(&keys(database))).unwrap();
    let count = database.number("SELECT count(*) FROM transcripts");
    runtime().block_on(async {
        let store = database.visit().await;
        let mut all = Vec::new();
        for number in 1..=count {
            let (_, sealed) = store.transcript(Explained::Number(number)).await.unwrap();
            let sealed = sealed.unwrap();
            let plain = [KEY, "canary", "operation", "sendMailer"];
            let holds = |text: &str| {
                sealed
                    .windows(text.len())
                    .any(|part| part == text.as_bytes())
            };
            assert!(!plain.iter().any(|text| holds(text)));
            all.push(String::from_utf8(keys.open("transcript", &sealed).unwrap()).unwrap());
        }
        all
    })
}

on_both! {
    fn a_refused_call_is_found_and_explained_and_none_of_its_texts_is_anywhere(database: &Database) {
        let service = serve(database, &[]);
        let answer = refused_call(&service);
        assert_eq!(answer.header("X-Request-Id"), Some("request-7"));
        assert_eq!(service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example")).code(), Some(200));
        kept(database, 1);
        let row = &rows(database, &["refused", "list"])[0];
        let told = ["account", "code", "rule", "place", "peer", "request"].map(|name| row[name].to_string());
        assert_eq!(told, ["1", "442", "\"mailer-unknown\"", "\"/mailerID\"", "\"127.0.0.1\"", "\"request-7\""]);
        for arguments in [
            &["--account", "1"][..], &["--rule", "mailer-unknown"], &["--account", "1", "--rule", "mailer-unknown"],
            &["--since", "2020-01-01T00:00:00Z"], &["--until", "2100-01-01T00:00:00Z"], &["--before", "2"],
        ] {
            assert_eq!(rows(database, &[&["refused", "list"], arguments].concat()), std::slice::from_ref(row), "{arguments:?}");
        }
        for arguments in [
            &["--account", "2"][..], &["--rule", "list-unknown"], &["--account", "1", "--rule", "list-unknown"],
            &["--since", "2100-01-01T00:00:00Z"], &["--until", "2020-01-01T00:00:00Z"], &["--before", "1"],
        ] {
            assert!(rows(database, &[&["refused", "list"], arguments].concat()).is_empty(), "{arguments:?}");
        }
        let explained = run(database, &["call", "explain", "1"]);
        assert!(explained.contains("account 1, ") && explained.contains("mailers 9999: null"), "{explained}");
        assert!(explained.contains("✗ broken         442 mailer-unknown"), "{explained}");
        assert!(explained.contains("^^^^ /mailerID"), "{explained}");
        assert_eq!(run(database, &["call", "explain", "--request", "request-7"]), explained);
        let json = run(database, &["call", "explain", "1", "--json"]);
        let unmasked = try_run(database, &["call", "explain", "1", "--unmasked"]);
        assert!(!unmasked.status.success());
        let metrics = service.metrics();
        let (_, log) = service.end();
        assert!(log.contains("account=1") && log.contains("request=\"request-7\""), "{log}");
        let error = String::from_utf8(unmasked.stderr).unwrap();
        for text in [&explained, &json, &metrics, &log, &error, &opened(database)[0]] {
            assert!(!text.to_lowercase().contains("canary") && !text.contains(KEY), "{text}");
        }
    }

    fn a_transcript_that_is_whole_is_replayed_and_holds_no_key(database: &Database) {
        let service = serve(database, &["--transcripts", "whole"]);
        // Four callers create the same subscribers, so that some calls meet conflicts and are judged again.
        thread::scope(|scope| {
            for caller in 0..4 {
                let service = &service;
                scope.spawn(move || {
                    for number in 0..3 {
                        let to = format!("{ADDRESS},new{number}@canary.example");
                        let body = match caller % 2 {
                            0 => http_send_mail(&to),
                            _ => send_mailer(&format!("new{number}@canary.example")),
                        };
                        let path = ["/v4/httpSendMail", "/v4/sendMailer"][caller % 2];
                        assert_eq!(service.post(path, &[], &body).status, 200);
                    }
                });
            }
        });
        refused_call(&service);
        kept(database, 13);
        let accepted = database.texts("SELECT CAST(call AS text) FROM transcripts WHERE call IS NOT NULL");
        let all = opened(database);
        for text in &all {
            assert!(!text.contains(KEY), "{text}");
            let transcript = Transcript::from_json(text).unwrap();
            let replay = transcript.replay().unwrap();
            assert!(replay.steps.iter().all(Result::is_ok));
            let noted: Value = serde_json::from_str(text).unwrap();
            let decided: Value = serde_json::from_str(&replay.decision.unwrap()).unwrap();
            assert_eq!(noted["decision"], decided);
        }
        let masked = run(database, &["call", "explain", &accepted[0]]);
        assert!(!masked.contains("canary") && masked.contains("transaction_id"), "{masked}");
        let unmasked = run(database, &["call", "explain", &accepted[0], "--unmasked"]);
        assert!(unmasked.contains("canary.example") && !unmasked.contains(KEY), "{unmasked}");
        // The file has two keys. After one rotation the old key can still open the transcript, and after two it is gone.
        let file = keys(database);
        for opens in [true, false] {
            KeyFile::rotate(Path::new(&file)).unwrap();
            let output = try_run(database, &["call", "explain", &accepted[0]]);
            assert_eq!(output.status.success(), opens, "{output:?}");
        }
    }

    fn calls_are_exported_in_their_order_and_those_with_their_texts_can_be_replayed(database: &Database) {
        // One call is kept masked, and the others are kept whole.
        let masked = serve(database, &[]);
        refused_call(&masked);
        kept(database, 1);
        masked.end();
        let service = serve(database, &["--transcripts", "whole"]);
        for number in 0..39 {
            let answer = service.post("/v4/sendMailer", &[], &send_mailer(&format!("reader{number}@canary.example")));
            assert_eq!(answer.code(), Some(200), "{answer:?}");
        }
        refused_call(&service);
        kept(database, 41);
        let lines = |arguments: &[&str]| -> Vec<Value> {
            let printed = run(database, &[&["call", "export"], arguments].concat());
            printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let all = lines(&[]);
        let numbers: Vec<i64> = all.iter().map(|line| line["number"].as_i64().unwrap()).collect();
        assert_eq!(numbers, (1..=41).collect::<Vec<_>>());
        let whole = lines(&["--unmasked"]);
        assert_eq!(whole.len(), 40);
        for line in &whole {
            let transcript = Transcript::from_json(&line["transcript"].to_string()).unwrap();
            assert_eq!(transcript.code().map(|code| u64::from(code.number())), line["code"].as_u64());
            assert_eq!((line["operation"].as_str(), line["account"].as_i64()), (Some("sendMailer"), Some(1)));
            assert_eq!(line["call"].is_null(), line["code"] != 200);
        }
        assert_eq!(whole[39]["rule"], "mailer-unknown");
        assert!(whole.iter().any(|line| line.to_string().contains("canary")));
        assert!(!all.iter().any(|line| line.to_string().contains("canary")));
        assert_eq!(lines(&["--account", "1", "--since", "2020-01-01T00:00:00Z", "--until", "2100-01-01T00:00:00Z"]), all);
        for none in [&["--account", "2"][..], &["--since", "2100-01-01T00:00:00Z"], &["--until", "2020-01-01T00:00:00Z"]] {
            assert!(lines(none).is_empty(), "{none:?}");
        }
        let output = try_run(database, &["call", "export", "--unmasked"]);
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "calls left out because they are kept masked: 1\n");
        let audit = run(database, &["audit", "list"]);
        assert!(audit.contains("call export --unmasked"), "{audit}");
        service.end();
    }

    fn kept_calls_are_read_at_once_up_to_their_bytes(database: &Database) {
        let service = serve(database, &["--transcripts", "whole"]);
        for number in 0..3 {
            service.post("/v4/sendMailer", &[], &send_mailer(&format!("reader{number}@customer.example")));
        }
        kept(database, 3);
        service.end();
        let read = |after: i64, bytes: u64| {
            let which = KeptOf { after, ..KeptOf::default() };
            runtime().block_on(async { database.visit().await.kept(which, 10, bytes).await.unwrap() })
        };
        let numbers = |after: i64, bytes: u64| -> Vec<i64> {
            read(after, bytes).iter().map(|(row, _)| row.id).collect()
        };
        let lengths: Vec<u64> = read(0, u64::MAX).iter().map(|(_, sealed)| sealed.len() as u64).collect();
        assert_eq!(lengths.len(), 3);
        assert_eq!(numbers(0, lengths[0] + 1), [1, 2]);
        assert_eq!(numbers(0, lengths[0]), [1]);
        assert_eq!(numbers(1, lengths[1]), [2]);
        assert_eq!(numbers(1, 1), [2], "one that is longer is read as well");
        assert_eq!(numbers(3, 1), [0; 0]);
    }

    fn calls_whose_key_is_gone_are_left_out_of_an_export_and_counted(database: &Database) {
        let file = keys(database);
        let exported = |lines: usize, note: &str| {
            let output = try_run(database, &["call", "export"]);
            assert!(output.status.success(), "{output:?}");
            assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), lines);
            assert_eq!(String::from_utf8(output.stderr).unwrap(), note);
        };
        for count in [1, 2] {
            let service = serve(database, &[]);
            refused_call(&service);
            kept(database, count);
            service.end();
            KeyFile::rotate(Path::new(&file)).unwrap();
        }
        // The file has two keys, and the first call was sealed with an older one.
        exported(1, "calls left out because the key file does not open them: 1\n");
        KeyFile::rotate(Path::new(&file)).unwrap();
        exported(0, "calls left out because the key file does not open them: 2\n");
    }

    fn where_nothing_is_kept_calls_are_counted_by_rule_and_client(database: &Database) {
        let service = serve(database, &["--transcripts", "none"]);
        for _ in 0..3 {
            refused_call(&service);
        }
        let unknown = br#"{"apiKey":"nobody's","mailerID":42,"email":"a@customer.example"}"#;
        for _ in 0..2 {
            assert_eq!(service.post("/v4/sendMailer", &[], unknown).code(), Some(403));
        }
        service.get("/v4/sendMailer");
        service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example"));
        wait("calls are not counted", || {
            database.number("SELECT CAST(coalesce(sum(calls), 0) AS bigint) FROM call_counts") == 7
        });
        let counted = |of: &[&str]| run(database, &[&["refused", "count"], of].concat());
        assert_eq!(
            counted(&[]),
            "3\t-\tsendMailer\t442\tmailer-unknown\t-\n\
             2\t-\tsendMailer\t403\tkey-unknown\t-\n\
             1\t-\tsendMailer\t401\tmethod-not-post\t-\n"
        );
        let of_account = "3\t1\tsendMailer\t442\tmailer-unknown\t-\n";
        assert_eq!(counted(&["--account", "1"]), of_account);
        assert_eq!(counted(&["--rule", "mailer-unknown"]), of_account);
        assert_eq!(counted(&["--account", "1", "--rule", "mailer-unknown"]), of_account);
        assert_eq!(counted(&["--account", "1", "--rule", "key-unknown"]), "");
        assert_eq!(counted(&["--rule", "key-unknown"]), "2\t-\tsendMailer\t403\tkey-unknown\t127.0.0.1\n");
        // Accepted calls do not count, however many there are.
        for table in ["call_counts", "call_totals"] {
            let many = format!("UPDATE {table} SET calls = 1000 WHERE code = 200");
            database.execute(&many, &many);
        }
        assert_eq!(counted(&["--limit", "1"]), "3\t-\tsendMailer\t442\tmailer-unknown\t-\n");
        assert_eq!(counted(&["--account", "1", "--limit", "1"]), of_account);
        assert_eq!(database.number("SELECT count(*) FROM transcripts"), 0);
        let output = try_run(database, &["call", "explain", "1"]);
        assert!(!output.status.success());
    }

    fn an_account_fills_no_disk_with_calls_that_are_refused(database: &Database) {
        // 1,200 bytes are two rows of 512 bytes. A transcript does not fit.
        let service = serve(database, &["--transcript-bytes", "1200"]);
        for _ in 0..4 {
            refused_call(&service);
        }
        wait("calls are not counted", || {
            database.number("SELECT CAST(coalesce(sum(calls), 0) AS bigint) FROM call_counts") == 4
        });
        kept(database, 2);
        assert_eq!(database.number("SELECT count(*) FROM transcripts WHERE sealed IS NOT NULL"), 0);
        assert!(service.metrics().contains("franking_transcripts_lost_total 2"));
        let output = try_run(database, &["call", "explain", "1"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("this call has no transcript"), "{error}");
    }

    fn of_a_body_over_a_megabyte_there_is_a_row_and_no_transcript(database: &Database) {
        let service = serve(database, &[]);
        for length in [1_000_000, 1 << 20] {
            let html = "a".repeat(length);
            let body = format!(r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"s","body":"{html}","to":"a@b.example","from":"no@shop.example"}}]}}"#);
            assert_ne!(service.post("/v4/httpSendMail", &[], body.as_bytes()).code(), Some(200));
        }
        kept(database, 2);
        assert_eq!(database.number("SELECT count(*) FROM transcripts WHERE sealed IS NULL"), 1);
    }

    fn of_a_refused_call_of_very_many_domains_there_is_a_row_and_no_transcript(database: &Database) {
        let service = serve(database, &[]);
        let most_after = |hosts: usize, calls: i64| {
            let body = links_to("no@shop.example", (0..3_600).map(|link| link % hosts));
            let answer = service.post("/v4/httpSendMail", &[], &body);
            assert_eq!((answer.status, answer.code() == Some(200)), (200, false), "{answer:?}");
            kept(database, calls);
            memory(service.process.id(), "VmHWM")
        };
        // Of 40 hosts with 111 names each there is a transcript.
        let before = most_after(40, 1);
        assert_eq!(database.number("SELECT count(*) FROM transcripts WHERE sealed IS NOT NULL"), 1);
        // Each of the 400,000 names would take 1 KB.
        let more = most_after(3_600, 2).saturating_sub(before);
        assert_eq!(database.number("SELECT count(*) FROM transcripts WHERE sealed IS NULL"), 1);
        assert!(more < 64 << 20, "{more}");
    }

    fn calls_are_kept_for_their_days(database: &Database) {
        let service = serve(database, &[]);
        refused_call(&service);
        kept(database, 1);
        service.end();
        let runtime = runtime();
        let store = runtime.block_on(database.store());
        let forget = |days: i64| {
            runtime.block_on(async {
                // A time is shown without the fraction of a second.
                let until = store.time().await.unwrap() + 1 - days * 86_400;
                store.forget(Expired::Transcripts, until, Position::default()).await.unwrap().rows
            })
        };
        assert_eq!((forget(1), database.number("SELECT count(*) FROM transcripts")), (0, 1));
        assert_eq!((forget(0), database.number("SELECT count(*) FROM transcripts")), (1, 0));
        assert_eq!(database.number("SELECT count(*) FROM call_counts"), 1);
    }
}
