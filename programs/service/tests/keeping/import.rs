//! Imports and exports of thousands of rows.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{filled, rows_of};
use crate::support::database::{Database, on_both};
use crate::support::program;
use crate::transcripts::{rows, run, try_run};

/// A file in the folder of the test.
fn file(database: &Database, name: &str, text: &str) -> String {
    let path = database.data().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The rows that were refused: the line and the reason of each.
fn refused(path: &str) -> Vec<(u64, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    if Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "jsonl")
    {
        let rows = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        return rows
            .map(|row| {
                (
                    row["line"].as_u64().unwrap(),
                    row["reason"].as_str().unwrap().to_owned(),
                )
            })
            .collect();
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            (record[0].parse().unwrap(), record[1].to_owned())
        })
        .collect()
}

/// A CSV file with `count` subscribers. Each hundredth of them is followed by a row without an address, and by the same row
/// again.
fn many(count: usize) -> String {
    let mut text = "email,firstName,lists\n".to_owned();
    for number in 0..count {
        let row = format!("reader{number}@import.example,Reader {number},Spring\n");
        text += &row;
        if number % 100 == 99 {
            text += &format!("no address,,\n{row}");
        }
    }
    text
}

/// The lines of the rows of such a file that are refused.
fn lines_of_many(count: usize) -> Vec<u64> {
    let parts = 0..count as u64 / 100;
    parts
        .flat_map(|part| [part * 102 + 102, part * 102 + 103])
        .collect()
}

fn refused_of_many(path: &str) -> Vec<u64> {
    refused(path).into_iter().map(|(line, _)| line).collect()
}

/// Two scripts for each database: one keeps a subscriber of such a file from being stored, and the other one ends that.
const STOPS: [[&str; 2]; 2] = [
    [
        "CREATE TRIGGER stop BEFORE INSERT ON subscribers WHEN NEW.email LIKE 'reader1500@%'
         BEGIN SELECT RAISE(ABORT, 'stop'); END",
        "DROP TRIGGER stop",
    ],
    [
        "CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''stop''; END';
         CREATE TRIGGER stop BEFORE INSERT ON subscribers FOR EACH ROW
         WHEN (NEW.email LIKE 'reader1500@%') EXECUTE FUNCTION stop()",
        "DROP TRIGGER stop ON subscribers",
    ],
];

on_both! {
    fn subscribers_come_in_as_they_went_out(database: &Database) {
        let text = "email,id,inactive,lists,firstName,city,birthday\n\
            Ada@Import.Example,900,yes,Spring; Summer,Ada,\"Spring, Field\",1990-02-28\n\
            eve@import.example,,,,Eve \u{1f600},,\n";
        let path = file(database, "in.csv", text);
        let said = run(database, &["subscriber", "import", "1", &path]);
        assert_eq!(said, "imported: 2\n");
        let shown = rows(database, &["subscriber", "show", "1", "900"]);
        assert_eq!(shown[0]["address"], "Ada@Import.Example");
        assert_eq!(shown[0]["inactive"], true);
        let others: Vec<&Value> = shown[1..].iter().collect();
        assert_eq!(
            json!(others),
            json!([
                {"list": "Spring"}, {"list": "Summer"},
                {"field": "birthday", "value": "1990-02-28"}, {"field": "city", "value": "Spring, Field"}, {"field": "firstName", "value": "Ada"},
            ])
        );
        for format in ["csv", "jsonl"] {
            let exported = run(database, &["subscriber", "export", "1", "--format", format]);
            let another = run(database, &["account", "add", "Another"]);
            let path = file(database, &format!("{format}.{format}"), &exported);
            let said = run(database, &["subscriber", "import", another.trim(), &path]);
            // The subscriber of the world has the number 7.
            assert_eq!(said, "imported: 3\n");
            let again = run(database, &["subscriber", "export", another.trim(), "--format", format]);
            assert_eq!(again, exported);
        }
    }

    fn rows_that_cannot_be_taken_are_in_a_file_with_line_and_reason(database: &Database) {
        let text = "email,id,inactive,birthday\n\
            good@import.example,,,\n\
            bad,,,\n\
            GOOD@import.example,,,\n\
            a@import.example,7,,\n\
            b@import.example,x,,\n\
            c@import.example,,maybe,\n\
            d@import.example,,,1990-02-30\n\
            e@import.example\n\
            known@customer.example,,,\n\
            A@import.example,,,\n";
        let path = file(database, "in.csv", text);
        let tried = run(database, &["subscriber", "import", "1", &path, "--dry-run"]);
        assert_eq!(rows_of(database, "subscribers"), 1);
        assert!(!Path::new(&format!("{path}.refused.csv")).exists());
        let said = run(database, &["subscriber", "import", "1", &path]);
        // The address of a row that was refused for its number is stored when a later row has it.
        assert!(said.starts_with("imported: 2\n"), "{said}");
        let beside = format!("{path}.refused.csv");
        assert_eq!(said, format!("{}refused rows are in {beside}\n", tried.replace("would be ", "")));
        let reasons = refused(&beside);
        let lines: Vec<u64> = reasons.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [3, 4, 5, 6, 7, 8, 9, 10]);
        // A dry run does not write that file, which may belong to an import that has not ended. It writes only a file that is
        // named.
        let another = format!("{path}.tried.csv");
        run(database, &["subscriber", "import", "1", &path, "--dry-run"]);
        assert_eq!(refused(&beside), reasons);
        run(database, &["subscriber", "import", "1", &path, "--dry-run", "--refused", &another]);
        assert_eq!(refused(&another).len(), reasons.len() + 2);
        for (line, says) in [
            (4, "a subscriber with this address exists already"), (5, "a subscriber with this number exists already"),
            (6, "id is not a number"), (7, "inactive is neither yes nor no"), (8, "birthday"), (9, "another number of cells"),
            (10, "a subscriber with this address exists already"),
        ] {
            assert!(reasons.iter().any(|(at, reason)| *at == line && reason.contains(says)), "{line}: {reasons:?}");
        }
        let unknown = file(database, "unknown.csv", "email,colour\n");
        let failed = try_run(database, &["subscriber", "import", "1", &unknown]);
        assert_eq!(failed.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&failed.stderr).contains("colour"), "{failed:?}");
        let unknown = file(database, "unknown.jsonl", "{\"email\":\"f@import.example\",\"colour\":\"red\"}\n");
        run(database, &["subscriber", "import", "1", &unknown]);
        assert_eq!(refused(&format!("{unknown}.refused.jsonl")), [(1, "there is no colour".to_owned())]);
    }

    fn an_import_that_is_killed_goes_on_and_no_row_is_there_twice_or_lost(database: &Database) {
        let count = 40_000;
        let path = file(database, "many.csv", &many(count));
        let mut kills = 0;
        loop {
            let mut command = program();
            command.args(["subscriber", "import", "1", &path]).args(database.flags());
            let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
            let before = rows_of(database, "subscribers");
            if kills < 5 {
                // The import is killed once it has stored something.
                crate::returned::wait("nothing is imported", || {
                    rows_of(database, "subscribers") > before || child.try_wait().unwrap().is_some()
                });
                kills += 1;
                let _ = child.kill();
                child.wait().unwrap();
                database.settle();
                continue;
            }
            let said: Vec<String> = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
            assert!(child.wait().unwrap().success());
            assert!(said[0].starts_with("rows done before: "), "{said:?}");
            break;
        }
        assert_eq!(rows_of(database, "subscribers"), count as i64 + 1);
        assert_eq!(rows_of(database, "subscriber_fields"), count as i64);
        assert_eq!(rows_of(database, "list_members"), count as i64);
        assert_eq!(rows_of(database, "imports"), 0);
        assert_eq!(refused_of_many(&format!("{path}.refused.csv")), lines_of_many(count));
        // Importing the same file again finds all subscribers already there.
        let another = database.data().join("another.csv");
        let said = run(database, &["subscriber", "import", "1", &path, "--refused", another.to_str().unwrap()]);
        assert!(said.starts_with("imported: 0\n"), "{said}");
        assert_eq!(rows_of(database, "subscribers"), count as i64 + 1);
    }

    fn long_rows_are_stored_a_few_at_a_time_and_one_without_an_end_is_an_error_with_its_line(database: &Database) {
        // Four rows of two megabytes are a batch. The fifth is in the batch that does not end.
        let long = format!("{},\n", "x".repeat(2 << 20)).repeat(5);
        let text = format!("domain,roles\n{long}\"never closed\n{long}");
        let path = file(database, "in.csv", &text);
        let failed = try_run(database, &["blacklist", "import", &path]);
        assert_eq!(failed.status.code(), Some(2));
        let error = String::from_utf8_lossy(&failed.stderr);
        assert!(error.contains("in.csv, line 7: the row that begins here is longer than 4 MB"), "{error}");
        let refused = refused(&format!("{path}.refused.csv"));
        assert_eq!(refused.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 4, 5]);
        assert_eq!(database.number("SELECT done FROM imports"), 4);
    }

    fn an_import_begins_only_with_a_new_file_for_refused_rows(database: &Database) {
        let path = file(database, "in.csv", "email\nnew@import.example\nno address\n");
        let import = |more: &[&str]| try_run(database, &[&["subscriber", "import", "1", path.as_str()], more].concat());
        let failed = import(&["--refused", "/no/such/folder/refused.csv"]);
        assert_eq!(failed.status.code(), Some(2), "{failed:?}");
        let beside = file(database, "in.csv.refused.csv", "of another import");
        let failed = import(&[]);
        let error = String::from_utf8_lossy(&failed.stderr).into_owned();
        assert!(failed.status.code() == Some(2) && error.contains("move it away"), "{error}");
        assert_eq!(std::fs::read_to_string(&beside).unwrap(), "of another import");
        assert_eq!([rows_of(database, "subscribers"), rows_of(database, "imports")], [1, 0]);
        std::fs::remove_file(&beside).unwrap();
        assert!(import(&[]).status.success());
        assert_eq!(refused(&beside).len(), 1);
        // Without refused rows there is no file of them.
        let whole = file(database, "whole.csv", "email\nwhole@import.example\n");
        assert_eq!(run(database, &["subscriber", "import", "1", &whole]), "imported: 1\n");
        assert!(!Path::new(&format!("{whole}.refused.csv")).exists());
    }

    fn an_import_that_failed_goes_on_and_writes_each_refused_row_once(database: &Database) {
        let path = file(database, "in.csv", &many(2_500));
        let import = ["subscriber", "import", "1", &path];
        let [stop, go_on] = STOPS[usize::from(database.address().is_some())];
        // The second batch is not stored. Its refused rows are written before that is known.
        database.script(stop);
        assert_eq!(try_run(database, &import).status.code(), Some(2));
        let beside = format!("{path}.refused.csv");
        assert!(refused(&beside).len() > 20);
        database.script(go_on);
        let said = run(database, &import);
        assert!(said.starts_with("rows done before: 1000\n"), "{said}");
        assert_eq!(refused_of_many(&beside), lines_of_many(2_500));
        assert_eq!(rows_of(database, "subscribers"), 2_501);
    }

    fn blacklists_come_in_and_out_and_say_why_a_host_is_refused(database: &Database) {
        let path = file(database, "in.csv", "domain,roles\nSpam.Example,\nb\u{fc}cher.example,sender;content\nnot a domain,\nspam.example,recipient\nc.example,colour\n");
        let said = run(database, &["blacklist", "import", &path]);
        assert!(said.starts_with("imported: 3\n"), "{said}");
        assert_eq!(refused(&format!("{path}.refused.csv")).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4, 6]);
        let exported = run(database, &["blacklist", "export"]);
        assert_eq!(exported, "domain,roles\nspam.example,recipient\nxn--bcher-kva.example,sender;content\n");
        let why = rows(database, &["blacklist", "why", "Deep.Down.Spam.Example"]);
        assert_eq!(json!(why), json!([{"domain": "spam.example", "roles": "recipient"}]));
        assert_eq!(try_run(database, &["blacklist", "why", "example"]).status.code(), Some(1));
    }

    fn suppressions_come_in_and_out_and_a_suppressed_subscriber_is_inactive_until_it_is_lifted(database: &Database) {
        let path = file(database, "in.jsonl", "{\"email\":\"known@customer.example\",\"cause\":\"complaint\"}\n{\"email\":\"new@import.example\"}\n{\"email\":\"x@import.example\",\"cause\":\"dislike\"}\n");
        let said = run(database, &["suppression", "import", "1", &path]);
        assert!(said.starts_with("imported: 2\n"), "{said}");
        let exported = run(database, &["suppression", "export", "1"]);
        assert_eq!(exported, "email,cause\nknown@customer.example,complaint\nnew@import.example,bounces\n");
        assert_eq!(database.number("SELECT count(*) FROM subscribers WHERE inactive"), 2);
        run(database, &["suppression", "lift", "1", "7", "--reason", "asked"]);
        assert_eq!(database.number("SELECT count(*) FROM subscribers WHERE inactive"), 1);
        let made = database.number("SELECT id FROM subscribers WHERE inactive").to_string();
        run(database, &["suppression", "lift", "1", &made, "--reason", "asked"]);
        assert_eq!(database.number("SELECT count(*) FROM subscribers WHERE inactive"), 0);
    }

    fn suppressed_subscribers_come_in_with_their_suppressions_as_they_went_out(database: &Database) {
        let off = run(database, &["subscriber", "add", "1", "off@import.example", "--inactive"]);
        let path = file(database, "in.csv", "email\nknown@customer.example\noff@import.example\n");
        run(database, &["suppression", "import", "1", &path]);
        let another = run(database, &["account", "add", "Another"]);
        for what in ["subscriber", "suppression"] {
            let exported = run(database, &[what, "export", "1"]);
            let path = file(database, &format!("{what}.csv"), &exported);
            assert_eq!(run(database, &[what, "import", another.trim(), &path]), "imported: 2\n");
        }
        let inactive = "SELECT count(*) FROM subscribers WHERE inactive";
        assert_eq!(database.number(inactive), 4);
        let lift = |id: &str| run(database, &["suppression", "lift", another.trim(), id, "--reason", "asked"]);
        assert_eq!(lift("7"), "");
        assert!(lift(off.trim()).contains("stays INACTIVE"));
        assert_eq!(database.number(inactive), 3);
    }

    fn stored_emails_come_in_as_they_went_out(database: &Database) {
        let exported = run(database, &["mailer", "export", "1", "--format", "jsonl"]);
        let another = run(database, &["account", "add", "Another"]);
        let path = file(database, "in.jsonl", &exported);
        assert_eq!(run(database, &["mailer", "import", another.trim(), &path]), "imported: 1\n");
        assert_eq!(run(database, &["mailer", "export", another.trim(), "--format", "jsonl"]), exported);
        let broken = file(database, "broken.jsonl", "{\"id\":1,\"from\":\"a@b.example\",\"subject\":\"{{\",\"html\":\"\"}\n");
        run(database, &["mailer", "import", "1", &broken]);
        assert_eq!(refused(&format!("{broken}.refused.jsonl")).len(), 1);
    }

    fn thousands_of_stored_emails_come_in_in_the_order_of_their_file(database: &Database) {
        let row = |id: usize, subject: &str| json!({"id": id, "from": "a@b.example", "subject": subject, "html": "<p>Hello"}).to_string();
        let mut rows: Vec<String> = (1..=2_500).map(|id| row(id, "First")).collect();
        rows.push(row(2_400, "Last"));
        let path = file(database, "in.jsonl", &rows.join("\n"));
        assert_eq!(run(database, &["mailer", "import", "1", &path]), "imported: 2501\n");
        assert_eq!(rows_of(database, "mailers"), 2_500);
        let last: Vec<String> = database.texts("SELECT CAST(id AS text) FROM mailers WHERE subject = 'Last'");
        assert_eq!(last, ["2400"]);
        assert_eq!(rows_of(database, "imports"), 0);
    }

    fn an_account_is_exported_with_all_that_is_known_of_it_and_nothing_secret(database: &Database) {
        filled(database);
        let path = database.data().join("account.tar");
        run(database, &["account", "export", "1", path.to_str().unwrap()]);
        let mut archive = tar::Archive::new(std::fs::File::open(&path).unwrap());
        let mut files = std::collections::BTreeMap::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let name = entry.path().unwrap().display().to_string();
            let mut text = String::new();
            std::io::Read::read_to_string(&mut entry, &mut text).unwrap();
            let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            files.insert(name, rows);
        }
        let count = |name: &str| files[&format!("{name}.jsonl")].len();
        for (name, rows) in [
            ("account", 1), ("keys", 1), ("senders", 1), ("mailers", 1), ("subscribers", 3), ("calls", 3), ("deliveries", 4),
            ("refused_calls", 1), ("credit_changes", 1), ("reports", 4),
        ] {
            assert_eq!(count(name), rows, "{name}: {files:?}");
        }
        let delivery = &files["deliveries.jsonl"][0];
        assert_eq!([&delivery["to_address"], &delivery["subject"], &delivery["state"]], ["ada@reader.example", "Hello", "delivered"]);
        assert_eq!(files["account.jsonl"][0]["blocked"], false);
        let all = json!(files).to_string();
        assert!(!all.contains("hash") && !all.contains("sealed"), "{all}");
        let again = try_run(database, &["account", "export", "1", path.to_str().unwrap()]);
        assert_eq!(again.status.code(), Some(2), "{again:?}");
    }
}
