//! An operator searches the emails of an account. A search looks at a bounded number of them.

use std::process::Output;

use crate::desk::{get, signed_in};
use crate::support::database::{Database, on_both};
use crate::transcripts::{serve, try_run};

/// The time of the earlier call, and that of the later one.
const TIMES: [i64; 2] = [1_700_000_000, 1_700_000_100];
const LATER: &str = "2023-11-14T22:15:00Z";

/// Stores a call with a message. `emails` is the number of emails that the call says it has.
fn call(database: &Database, id: i64, emails: i64, custom_field: &str) {
    let time = time(database, id);
    database.script(&format!(
        "INSERT INTO calls (id, account, operation, emails, subscribers, created)
            VALUES ({id}, 1, 'httpSendMail', {emails}, 0, {time});
         INSERT INTO messages (call, position, request, subject, from_address, custom_field, track_opens, track_clicks)
            VALUES ({id}, 0, 0, 'Hello', 'news@shop.example', '{custom_field}', false, false)"
    ));
}

fn time(database: &Database, call: i64) -> String {
    let seconds = TIMES[call as usize - 1];
    match database.address() {
        None => seconds.to_string(),
        Some(_) => format!("to_timestamp({seconds})"),
    }
}

/// Stores emails of a call, a second after the call.
fn emails(database: &Database, call: i64, state: &str, count: u32) {
    let time = match database.address() {
        None => format!("{} + 1", time(database, call)),
        Some(_) => format!("{} + interval '1 second'", time(database, call)),
    };
    database.script(&format!(
        "INSERT INTO deliveries (call, message, account, subscriber, to_address, state, created)
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count})
         SELECT {call}, 0, 1, 7, 'r' || n || '@reader.example', '{state}', {time} FROM n"
    ));
}

/// Makes the calls recent, because a service deletes old ones. The later call is a hundred seconds old.
fn make_recent(database: &Database) {
    database.script(match database.address() {
        None => "UPDATE calls SET created = created + unixepoch() - 1700000200",
        Some(_) => "UPDATE calls SET created = created + (now() - to_timestamp(1700000200))",
    });
}

/// Lists emails. Returns the numbers of their calls, and what is said on standard error.
fn list(database: &Database, which: &[&str]) -> (Vec<String>, String) {
    let Output {
        stdout,
        stderr,
        status,
    } = try_run(database, &[&["delivery", "list", "1"], which].concat());
    let [printed, said] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(status.success(), "{said}");
    let calls = printed.lines().map(|line| line.split('\t').nth(1).unwrap());
    (calls.map(str::to_owned).collect(), said)
}

on_both! {
    fn a_search_says_where_it_ended_and_goes_on_from_there(database: &Database) {
        call(database, 1, 2, "early");
        emails(database, 1, "delivered", 2);
        call(database, 2, 100_000, "late");
        emails(database, 2, "delivered", 2);
        let (found, said) = list(database, &["--custom-field", "early"]);
        assert!(found.is_empty() && said.contains(&format!("add --until {LATER}")), "{found:?}: {said}");
        let early = (vec!["1".to_owned(); 2], String::new());
        assert_eq!(list(database, &["--custom-field", "early", "--until", LATER]), early);
        // A search begins at the email that it goes on from, and not at the latest one.
        let last = database.number("SELECT min(id) FROM deliveries WHERE call = 2").to_string();
        assert_eq!(list(database, &["--before", &last]), early);
        // A full list goes on after its last row.
        let late = (vec!["2".to_owned(); 2], String::new());
        assert_eq!(list(database, &["--limit", "2"]), late);
        assert_eq!(list(database, &["--since", LATER]), late);
    }

    fn the_desk_says_where_a_search_ended_to_those_who_may_not_see_personal_data(database: &Database) {
        call(database, 1, 2, "early");
        emails(database, 1, "delivered", 2);
        call(database, 2, 100_000, "late");
        emails(database, 2, "delivered", 2);
        make_recent(database);
        let service = serve(database, &[]);
        let cookie = signed_in(database, &service);
        let search = |more: &str| {
            let path = format!("/desk/delivery/list?account=1&custom_field=early{more}");
            get(&service, &path, &cookie)
        };
        let first = search("");
        let Some((_, until)) = first.body.split_once("add --until ") else {
            panic!("{first:?}")
        };
        assert!(!first.body.contains("@reader.example"), "{first:?}");
        let until = until.split('<').next().unwrap();
        let rest = search(&format!("&until={until}"));
        assert!(rest.body.contains("r…@reader.example") && !rest.body.contains("add --until"), "{rest:?}");
    }

    fn emails_that_bounced_are_found_however_many_have_bounced_since(database: &Database) {
        call(database, 1, 1, "early");
        emails(database, 1, "bounced", 1);
        call(database, 2, 100_001, "late");
        emails(database, 2, "bounced", 100_001);
        let bounced = ["--state", "bounced"];
        let early = (vec!["1".to_owned()], String::new());
        assert_eq!(list(database, &[&bounced[..], &["--until", LATER]].concat()), early);
        let (found, said) = list(database, &[&bounced[..], &["--custom-field", "early"]].concat());
        let (_, before) = said.split_once("--before ").unwrap();
        let before = before.trim_end();
        assert_eq!(found, Vec::<String>::new());
        let (found, said) = list(database, &[&bounced[..], &["--before", before]].concat());
        assert_eq!((found, said), (vec!["2".to_owned(), "1".to_owned()], String::new()));
        // The next page goes on within a call.
        let last = database.number("SELECT max(id) FROM deliveries").to_string();
        let next = list(database, &[&bounced[..], &["--before", &last, "--limit", "1"]].concat());
        assert_eq!(next, (vec!["2".to_owned()], String::new()));
    }
}
