//! The actions of operators at the desk.

use super::{add, cookie, get, link, links, send};
use crate::returned::wait;
use crate::support::Service;
use crate::support::database::{Database, on_both};
use crate::support::{Answer, request, send_mailer};
use crate::transcripts::{run, serve};

/// The hidden fields of a question, as the body of a form.
pub(super) fn answered(question: &Answer) -> String {
    let fields = question
        .body
        .split("<input type=\"hidden\" name=\"")
        .skip(1);
    let pairs = fields.map(|rest| {
        let (name, rest) = rest.split_once("\" value=\"").unwrap();
        let (value, _) = rest.split_once('"').unwrap();
        let value = value.replace("&#x2f;", "/").replace("&amp;", "&");
        format!("{name}={}", super::percent(&value))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// The sentence of a question.
fn sentence(answer: &Answer) -> &str {
    let (_, rest) = answer
        .body
        .split_once("<p role=\"alert\" tabindex=\"-1\" autofocus>")
        .unwrap_or_else(|| panic!("{answer:?}"));
    rest.split_once("</p>").unwrap().0
}

/// Asks for an action, and confirms it.
fn does(service: &Service, cookie: &str, path: &str, form: &str) -> Answer {
    let question = send(service, path, cookie, form);
    assert_eq!(question.status, 200, "{question:?}");
    let done = send(service, path, cookie, &answered(&question));
    assert!(
        done.status == 200 && done.body.contains("It is done"),
        "{done:?}"
    );
    done
}

/// A desk whose operator may act, with an account that has something for every action.
pub(super) fn acting(database: &Database) -> (Service, String) {
    add(database, "ada", &["--act"]);
    let service = serve(database, &["--webhook-networks", "127.0.0.0/8"]);
    let body = send_mailer("reader@customer.example");
    assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
    run(
        database,
        &[
            "subscriber",
            "add",
            "1",
            "left@customer.example",
            "--id",
            "900",
        ],
    );
    let webhook = [
        "webhook",
        "add",
        "1",
        "http://127.0.0.1:9/",
        "--webhook-networks",
        "127.0.0.0/8",
    ];
    run(database, &webhook);
    run(database, &["key", "add", "1", "--label", "second"]);
    let now = match database.address() {
        None => "unixepoch()",
        Some(_) => "clock_timestamp()",
    };
    database.script(&format!(
        "INSERT INTO suppressions (account, subscriber, cause, was_active, created) VALUES (1, 900, 'bounces', {}, {now});
         UPDATE subscribers SET inactive = {} WHERE account = 1 AND id = 900;
         INSERT INTO unsubscribed (account, reader, scope, subscriber, delivery, created)
             VALUES (1, {}, 'account', 900, 1, {now})",
        if database.address().is_none() { "1" } else { "TRUE" },
        if database.address().is_none() { "1" } else { "TRUE" },
        if database.address().is_none() { "zeroblob(32)" } else { "decode(repeat('00', 32), 'hex')" },
    ));
    let cookie = cookie(&service, "ada");
    (service, cookie)
}

/// The actions: the path, the form, the sentence, and the change, as a query with its result before and after.
const ACTIONS: &[(&str, &str, &str, &str, [i64; 2])] = &[
    (
        "queue/pause",
        "account=1",
        "This stops sending for account 1; waiting: 1 email.",
        "SELECT count(*) FROM accounts WHERE paused = TRUE",
        [0, 1],
    ),
    (
        "queue/resume",
        "account=1",
        "This resumes sending for account 1; waiting: 1 email.",
        "SELECT count(*) FROM accounts WHERE paused = TRUE",
        [1, 0],
    ),
    (
        "queue/pause",
        "",
        "This stops sending for all accounts; waiting: 1 email.",
        "SELECT count(*) FROM outbox WHERE paused = TRUE",
        [0, 1],
    ),
    (
        "queue/resume",
        "",
        "This resumes sending for all accounts; waiting: 1 email.",
        "SELECT count(*) FROM outbox WHERE paused = TRUE",
        [1, 0],
    ),
    (
        "queue/retry",
        "all=on",
        "This tries to send 1 email of all accounts at once.",
        "SELECT count(*) FROM deliveries WHERE state = 'queued'",
        [1, 1],
    ),
    (
        "queue/cancel",
        "account=1",
        "This cancels 1 email of account 1, recorded as bounced.",
        "SELECT count(*) FROM deliveries WHERE state = 'queued'",
        [1, 0],
    ),
    (
        "delivery/resend",
        "delivery=1",
        "This sends email 1 once more to its reader.",
        "SELECT count(*) FROM deliveries WHERE state = 'queued'",
        [0, 1],
    ),
    (
        "account/state",
        "account=1&blocked=true",
        "This makes account 1 (world) blocked; waiting to be sent: 1 email.",
        "SELECT count(*) FROM accounts WHERE blocked = TRUE",
        [0, 1],
    ),
    (
        "account/credit",
        "account=1&email=5",
        "This adds 0 to the subscriber credit of account 1",
        "SELECT count(*) FROM credit_changes WHERE operator = 'ada'",
        [0, 1],
    ),
    (
        "suppression/lift",
        "account=1&subscriber=900&reason=they+asked",
        "This makes subscriber 900 of account 1 active again.",
        "SELECT count(*) FROM suppressions WHERE lifted IS NULL",
        [1, 0],
    ),
    (
        "unsubscribed/lift",
        "account=1&entry=1&reason=they+asked",
        "This sends again to the reader of entry 1 of account 1.",
        "SELECT count(*) FROM unsubscribed WHERE lifted IS NULL",
        [1, 0],
    ),
    (
        "subscriber/set",
        "account=1&id=900&inactive=on",
        "This makes subscriber 900 of account 1 INACTIVE.",
        "SELECT count(*) FROM subscribers WHERE id = 900 AND inactive = TRUE",
        [0, 1],
    ),
    (
        "subscriber/erase",
        "address=left%40customer.example",
        "This removes the person from account 1, with 0 emails to that person, and kept calls that name the address from all accounts.",
        "SELECT count(*) FROM subscribers WHERE id = 900",
        [1, 0],
    ),
    (
        "webhook/disable",
        "account=1&webhook=1&reason=they+moved",
        "This stops posting to webhook 1.",
        "SELECT count(*) FROM webhooks WHERE disabled IS NOT NULL",
        [0, 1],
    ),
    (
        "webhook/enable",
        "account=1&webhook=1",
        "This resumes posting to webhook 1 from where it stopped.",
        "SELECT count(*) FROM webhooks WHERE disabled IS NOT NULL",
        [1, 0],
    ),
    (
        "webhook/replay",
        "account=1&webhook=1&after=0",
        "This posts the events after event 0 to webhook 1 again: ",
        "SELECT count(*) FROM webhooks WHERE id = 1",
        [1, 1],
    ),
    (
        "blacklist/set",
        "domain=listed.example&roles=sender&roles=content",
        "This blacklists listed.example and all domains below it as sender, content, for all accounts.",
        "SELECT count(*) FROM blacklist WHERE domain = 'listed.example'",
        [0, 1],
    ),
    (
        "blacklist/remove",
        "domain=listed.example",
        "This takes listed.example off the blacklists.",
        "SELECT count(*) FROM blacklist WHERE domain = 'listed.example'",
        [1, 0],
    ),
    (
        "key/revoke",
        "account=1&key=2",
        "This revokes key 2 of account 1 for good.",
        "SELECT count(*) FROM keys",
        [2, 1],
    ),
];

on_both! {
    fn each_action_says_what_it_would_do_changes_nothing_by_that_and_is_then_done_and_noted(database: &Database) {
        let (service, cookie) = acting(database);
        for (path, form, says, sql, [before, after]) in ACTIONS {
            let count = |sql: &str| match database.address() {
                None => database.number(&sql.replace("TRUE", "1")),
                Some(_) => database.number(sql),
            };
            if *path == "delivery/resend" {
                // Until then the email that was cancelled may be on its way.
                let ended = "UPDATE deliveries SET ended = ended -";
                database.execute(&format!("{ended} 3600"), &format!("{ended} interval '1 hour'"));
            }
            let path = format!("/desk/{path}");
            assert_eq!(count(sql), *before, "{path}");
            let noted = count("SELECT count(*) FROM audit");
            let question = send(&service, &path, &cookie, form);
            assert!(sentence(&question).starts_with(says), "{path}: {}", sentence(&question));
            assert_eq!((count(sql), count("SELECT count(*) FROM audit")), (*before, noted), "{path}");
            let form = answered(&question);
            let done = send(&service, &path, &cookie, &form);
            assert!(done.status == 200 && done.body.contains("It is done"), "{path}: {done:?}");
            assert_eq!((count(sql), count("SELECT count(*) FROM audit")), (*after, noted + 1), "{path}");
            // A form that is sent twice is carried out only once.
            let again = send(&service, &path, &cookie, &form);
            assert!(again.status == 409 && again.body.contains("This form was sent before"), "{path}: {again:?}");
            assert_eq!(count("SELECT count(*) FROM audit"), noted + 1, "{path}");
        }
        let audit = run(database, &["audit", "list"]);
        assert!(audit.contains("ada\tdesk: account credit 1 --email 5\tdone"), "{audit}");
        // The audit log has no text that people typed.
        assert!(audit.contains("desk: suppression lift 1 900 --reason …\tdone") && !audit.contains("left@"), "{audit}");
    }

    fn who_may_only_look_changes_nothing(database: &Database) {
        let (service, _) = acting(database);
        add(database, "bob", &["--unmask"]);
        let bob = cookie(&service, "bob");
        let page = get(&service, "/desk/account/show?account=1", &bob);
        assert!(!page.body.contains("queue/pause"), "{page:?}");
        let form = get(&service, "/desk/queue/pause?account=1", &bob);
        assert!(form.body.contains("You may only look.") && !form.body.contains("<button>Say"), "{form:?}");
        for form in ["account=1", "account=1&form=0123456789abcdef0123456789abcdef"] {
            assert_eq!(send(&service, "/desk/queue/pause", &bob, form).status, 403);
        }
        assert_eq!(database.number("SELECT count(*) FROM accounts WHERE paused <> (id <> id)"), 0);
    }

    fn another_site_can_change_nothing(database: &Database) {
        let (service, cookie) = acting(database);
        for headers in [
            &[("Sec-Fetch-Site", "cross-site")][..],
            &[("Sec-Fetch-Site", "same-site")],
            &[("Origin", "https://attacker.example")],
            &[("Origin", "null")],
            &[],
        ] {
            let headers = [headers, &[("Cookie", cookie.as_str())]].concat();
            for form in ["account=1", "account=1&form=0123456789abcdef0123456789abcdef"] {
                let answer = service.tell_operator(&request("POST", "/desk/queue/pause", &headers, form.as_bytes()));
                assert_eq!(answer.status, 403, "{headers:?}");
            }
        }
        // Following a link to an action changes nothing.
        let form = get(&service, "/desk/queue/pause?account=1&form=0123456789abcdef0123456789abcdef", &cookie);
        assert!(form.status == 200 && !form.body.contains("It is done"), "{form:?}");
        assert_eq!(database.number("SELECT count(*) FROM accounts WHERE paused <> (id <> id)"), 0);
    }

    fn what_does_not_fit_is_said_and_nothing_is_done(database: &Database) {
        let (service, cookie) = acting(database);
        for (path, form, status, says) in [
            ("queue/cancel", "", 400, "--account"),
            ("queue/pause", "account=77", 404, "there is no such account"),
            ("queue/pause", "account=x", 400, "invalid value"),
            ("account/state", "account=1", 400, "name a state"),
            ("blacklist/set", "domain=listed.example", 400, "A required field is missing."),
            ("suppression/lift", "account=1&subscriber=900", 400, "A required field is missing."),
            ("delivery/resend", "delivery=99", 404, "there is no such delivery"),
            ("account/delete", "account=1", 404, "There is no such page"),
            ("delivery/list", "account=1", 404, "There is no such page"),
        ] {
            let path = format!("/desk/{path}");
            let mut answer = send(&service, &path, &cookie, form);
            if answer.body.contains("name=\"form\"") {
                // Whether it exists is found out only when the action is carried out.
                answer = send(&service, &path, &cookie, &answered(&answer));
            }
            assert!(answer.status == status && answer.body.contains(says), "{path}: {answer:?}");
            assert!(!answer.body.contains("Usage:"), "{path}: {answer:?}");
        }
        let long = format!("domain={}", "x".repeat(70_000));
        assert_eq!(send(&service, "/desk/blacklist/remove", &cookie, &long).status, 413);
        assert_eq!(send(&service, "/desk/queue/pause", &cookie, "account=1&form=x").status, 400);
    }

    fn an_action_is_three_clicks_from_the_page_that_shows_why(database: &Database) {
        let (service, cookie) = acting(database);
        let account = get(&service, "/desk/account/show?account=1", &cookie);
        let form = get(&service, &link(&account.body, "/desk/queue/pause"), &cookie);
        assert!(form.body.contains("name=\"account\" value=\"1\""), "{form:?}");
        does(&service, &cookie, "/desk/queue/pause", "account=1");
        let now = get(&service, "/desk", &cookie);
        assert!(now.body.contains("Accounts whose sending is paused: 1."), "{now:?}");
        let queue = get(&service, "/desk/queue/show", &cookie);
        assert!(links(&queue.body).iter().any(|link| link.starts_with("/desk/queue/resume")), "{queue:?}");
        does(&service, &cookie, "/desk/queue/resume", "account=1");
        wait("the desk does not say that all is well", || {
            get(&service, "/desk", &cookie).body.contains("Nothing is wrong at this moment.")
        });
    }
}
