//! The desk: who may see it, what its pages say, and what no page allows.

mod actions;
mod forms;
mod hostile;
mod lists;
mod logging_in;
mod masking;
mod statements;
mod trial;

use std::io::Write as _;
use std::process::Stdio;

use crate::returned::wait;
use crate::support::database::{Database, on_both};
use crate::support::{Answer, Service, http_send_mail, program, request};
use crate::transcripts::{refused_call, run, serve};

const PASSWORD: &str = "correct horse battery";
const SAME: (&str, &str) = ("Sec-Fetch-Site", "same-origin");

/// Adds an operator.
fn add(database: &Database, name: &str, flags: &[&str]) {
    let mut command = program();
    command
        .args(["operator", "add", name])
        .args(flags)
        .args(database.flags());
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{PASSWORD}\n").as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
}

fn log_in(service: &Service, name: &str, password: &str, headers: &[(&str, &str)]) -> Answer {
    let form = format!("name={name}&password={}", password.replace(' ', "+"));
    service.tell_operator(&request("POST", "/desk/login", headers, form.as_bytes()))
}

/// The cookie of an operator who has logged in.
fn cookie(service: &Service, name: &str) -> String {
    let answer = log_in(service, name, PASSWORD, &[SAME]);
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/desk")),
        "{answer:?}"
    );
    let cookie = answer.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/desk"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    cookie.split(';').next().unwrap().to_owned()
}

/// The cookie of a new operator.
pub fn signed_in(database: &Database, service: &Service) -> String {
    add(database, "ada", &[]);
    cookie(service, "ada")
}

pub fn get(service: &Service, path: &str, cookie: &str) -> Answer {
    service.tell_operator(&request("GET", path, &[("Cookie", cookie)], b""))
}

/// Sends a form of the desk.
fn send(service: &Service, path: &str, cookie: &str, form: &str) -> Answer {
    let headers = [("Cookie", cookie), SAME];
    service.tell_operator(&request("POST", path, &headers, form.as_bytes()))
}

/// A service with several calls, one of them refused, and an operator.
fn desk(database: &Database, flags: &[&str]) -> (Service, String) {
    add(database, "ada", flags);
    let service = serve(database, &["--transcripts", "whole"]);
    let body = http_send_mail("Secret.Reader@customer.example");
    assert_eq!(
        service.post("/v4/httpSendMail", &[], &body).code(),
        Some(200)
    );
    refused_call(&service);
    wait("calls are not kept", || {
        database.number("SELECT count(*) FROM transcripts") == 2
    });
    let cookie = cookie(&service, "ada");
    (service, cookie)
}

/// The paths of a page's links.
fn links(page: &str) -> Vec<String> {
    let links = page.split("href=\"").skip(1);
    links
        .map(|rest| {
            rest.split('"')
                .next()
                .unwrap()
                .replace("&amp;", "&")
                .replace("&#x2f;", "/")
                .replace("&#x3d;", "=")
        })
        .collect()
}

fn link(page: &str, begins: &str) -> String {
    let links = links(page);
    let found = links.iter().find(|link| link.starts_with(begins));
    found
        .unwrap_or_else(|| panic!("{begins}: {links:?}"))
        .clone()
}

on_both! {
    fn nobody_sees_a_page_without_logging_in_and_none_after_logging_out(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        for path in ["/desk", "/desk/call/list?account=1", "/desk/refused/list", "/desk/nothing/here"] {
            for cookie in ["", "franking_desk=", "franking_desk=00", "other=1"] {
                let answer = get(&service, path, cookie);
                assert_eq!(answer.status, 401, "{path} {cookie}");
                assert!(!answer.body.contains("customer"), "{answer:?}");
            }
        }
        assert_eq!(get(&service, "/desk", &cookie).status, 200);
        let out = service.tell_operator(&request("POST", "/desk/logout", &[("Cookie", &cookie), SAME], b""));
        assert_eq!(out.status, 303);
        assert_eq!(get(&service, "/desk", &cookie).status, 401);
        // A new password logs out everyone who uses that name.
        let again = self::cookie(&service, "ada");
        add(database, "ada", &[]);
        assert_eq!(get(&service, "/desk", &again).status, 401);
        let last = self::cookie(&service, "ada");
        run(database, &["operator", "remove", "ada"]);
        assert_eq!(get(&service, "/desk", &last).status, 401);
        assert_eq!(log_in(&service, "ada", PASSWORD, &[SAME]).status, 401);
    }

    fn a_session_ends_after_12_hours(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let older = match database.address() {
            None => "UPDATE operator_sessions SET created = created - ",
            Some(_) => "UPDATE operator_sessions SET created = created - interval '1 second' * ",
        };
        database.script(&format!("{older}(12 * 3600 - 60)"));
        assert_eq!(get(&service, "/desk", &cookie).status, 200);
        database.script(&format!("{older}61"));
        assert_eq!(get(&service, "/desk", &cookie).status, 401);
        // Sessions that have ended are deleted when the next session begins.
        self::cookie(&service, "ada");
        assert_eq!(database.number("SELECT count(*) FROM operator_sessions"), 1);
    }

    fn many_guesses_at_once_are_no_more_than_those_one_by_one(database: &Database) {
        add(database, "ada", &[]);
        let service = serve(database, &[]);
        let wrong = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..24 {
                scope.spawn(|| {
                    if log_in(&service, "ada", "wrong", &[SAME]).status == 401 {
                        wrong.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                });
            }
        });
        // Two passwords are hashed at the same time, so one more than five may be tried.
        let wrong = wrong.into_inner();
        assert!((5..=6).contains(&wrong), "{wrong}");
    }

    fn wrong_passwords_have_to_wait_and_names_that_are_not_there_are_not_told(database: &Database) {
        add(database, "ada", &[]);
        let service = serve(database, &[]);
        let unknown = log_in(&service, "eve", PASSWORD, &[SAME]);
        let mut wrong = Vec::new();
        for _ in 0..6 {
            wrong.push(log_in(&service, "ada", "wrong", &[SAME]));
        }
        let said = |answer: &Answer| answer.body.contains("The name or the password is wrong.");
        assert!(unknown.status == 401 && said(&unknown), "{unknown:?}");
        assert!(wrong[..5].iter().all(|answer| answer.status == 401 && said(answer)), "{wrong:?}");
        assert_eq!(wrong[5].status, 429);
        // Even the right password has to wait. Another name does not.
        assert_eq!(log_in(&service, "ada", PASSWORD, &[SAME]).status, 429);
        add(database, "bob", &[]);
        assert_eq!(log_in(&service, "bob", PASSWORD, &[SAME]).status, 303);
    }

    fn another_site_can_neither_log_in_nor_out(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        for headers in [
            &[("Sec-Fetch-Site", "cross-site")][..],
            &[("Sec-Fetch-Site", "same-site")],
            &[("Sec-Fetch-Site", "none")],
            &[("Origin", "https://attacker.example")],
            &[("Origin", "null")],
            &[],
        ] {
            assert_eq!(log_in(&service, "ada", PASSWORD, headers).status, 403, "{headers:?}");
            let headers = [headers, &[("Cookie", cookie.as_str())]].concat();
            let out = service.tell_operator(&request("POST", "/desk/logout", &headers, b""));
            assert_eq!(out.status, 403, "{headers:?}");
        }
        assert_eq!(get(&service, "/desk", &cookie).status, 200);
        let rebound = "GET /desk HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n\r\n";
        assert_eq!(service.tell_operator(rebound.as_bytes()).status, 421);
    }

    fn why_a_call_was_refused_is_three_clicks_away_and_shows_nothing_of_a_person(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let now = get(&service, "/desk", &cookie);
        let refused = get(&service, &link(&now.body, "/desk/refused/list"), &cookie);
        assert!(refused.body.contains("mailer-unknown"), "{refused:?}");
        let by_code = get(&service, &link(&refused.body, "/desk/refused/list?code=442"), &cookie);
        assert!(by_code.body.contains("mailer-unknown"), "{by_code:?}");
        let of_others = get(&service, "/desk/refused/list?code=412", &cookie);
        assert!(of_others.body.contains("None.") && !of_others.body.contains("mailer-unknown"), "{of_others:?}");
        let why = get(&service, &link(&refused.body, "/desk/call/explain"), &cookie);
        assert!(why.body.contains("mailer-unknown") && why.body.contains("&#x2f;mailerID"), "{why:?}");
        assert!(!why.body.to_lowercase().contains("canary"), "{why:?}");
    }

    fn where_an_email_is_is_three_clicks_away(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let now = get(&service, "/desk", &cookie);
        assert!(links(&now.body).contains(&"/desk/delivery/list".to_owned()));
        let list = get(&service, "/desk/delivery/list?account=1&recipient=secret.reader@customer.example", &cookie);
        assert!(list.body.contains("S…@customer.example") && !list.body.contains("Secret.Reader"), "{list:?}");
        let one = get(&service, &link(&list.body, "/desk/delivery/show"), &cookie);
        assert!(one.body.contains("queued"), "{one:?}");
        let call = get(&service, &link(&one.body, "/desk/call/show"), &cookie);
        assert!(links(&call.body).iter().any(|link| link.starts_with("/desk/delivery/list?account=1&call=")), "{call:?}");
    }

    fn every_page_is_one_that_is_there_and_keeps_to_itself(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let mut seen = std::collections::BTreeSet::new();
        let mut waiting = vec!["/desk".to_owned(), "/desk/account/show?account=1".to_owned()];
        while let Some(path) = waiting.pop() {
            if !seen.insert(path.clone()) || seen.len() > 60 {
                continue;
            }
            let answer = get(&service, &path, &cookie);
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
            let is_page = answer.header("content-type").unwrap().starts_with("text/html");
            assert_eq!(answer.header("cache-control"), Some("no-store"));
            if is_page {
                let policy = answer.header("content-security-policy").unwrap();
                assert!(policy.starts_with("default-src 'none'; style-src 'nonce-"), "{policy}");
                assert!(!answer.body.contains("<script") && !answer.body.contains("://"), "{path}: {answer:?}");
            }
            for link in links(&answer.body) {
                let link = match link.strip_prefix('?') {
                    Some(query) => format!("{}?{query}", path.split('?').next().unwrap()),
                    None => link,
                };
                if link.starts_with('/') {
                    waiting.push(link);
                }
            }
        }
        assert!(seen.len() > 30, "{seen:?}");
    }

    fn lists_are_json_and_csv_at_the_same_address(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let json = get(&service, "/desk/delivery/list?account=1&as=json", &cookie);
        let rows: serde_json::Value = serde_json::from_str(&json.body).unwrap();
        assert_eq!(rows[0]["recipient"], "S…@customer.example");
        let csv = get(&service, "/desk/delivery/list?account=1&as=csv", &cookie);
        assert!(csv.body.starts_with("delivery,call,accepted,"), "{csv:?}");
        assert!(!csv.body.contains("Secret"), "{csv:?}");
    }

    fn personal_data_is_shown_to_those_who_may_see_it_and_that_is_noted(database: &Database) {
        let (service, cookie) = desk(database, &["--unmask"]);
        add(database, "bob", &[]);
        let other = self::cookie(&service, "bob");
        let path = "/desk/delivery/list?account=1";
        let masked = get(&service, path, &cookie);
        assert!(!masked.body.contains("Secret.Reader"));
        let shown = format!("{path}&unmask=on");
        assert!(get(&service, &shown, &cookie).body.contains("Secret.Reader"));
        assert!(!get(&service, &shown, &other).body.contains("Secret.Reader"));
        let why = get(&service, "/desk/call/explain?call=2&unmask=on", &cookie);
        assert!(why.body.to_lowercase().contains("canary.reader"), "{why:?}");
        let audit = run(database, &["audit", "list"]);
        assert!(audit.contains("ada\tdesk: delivery list 1 --unmasked\tdone"), "{audit}");
        assert!(audit.contains("ada\tdesk: call explain 2 --unmasked\tdone") && !audit.contains("bob\tdesk"), "{audit}");
    }

    fn a_trusted_proxy_says_who_the_operator_is_and_nobody_else_does(database: &Database) {
        add(database, "ada", &["--unmask"]);
        let flags = ["--operator-header", "X-Operator", "--trusted-proxies", "127.0.0.1/32"];
        let service = serve(database, &flags);
        let as_who = |service: &Service, fields: &[(&str, &str)]| {
            service.tell_operator(&request("GET", "/desk/account/list", fields, b""))
        };
        let named = as_who(&service, &[("X-Operator", "ada")]);
        assert_eq!(named.status, 200, "{named:?}");
        // Logging out is left to the proxy.
        assert!(named.body.contains(">ada<") && !named.body.contains("Log out"), "{named:?}");
        for fields in [&[][..], &[("X-Operator", "eve")], &[("X-Operator", "")], &[("X-Operator", "eve"), ("X-Operator", "ada")]] {
            let answer = as_who(&service, fields);
            assert_eq!(answer.status, 401, "{fields:?} {answer:?}");
            assert!(answer.body.contains("You are not an operator"), "{answer:?}");
        }
        assert_eq!(log_in(&service, "ada", PASSWORD, &[SAME]).status, 403);
        drop(service);
        let flags = ["--operator-header", "X-Operator", "--trusted-proxies", "192.0.2.0/24"];
        let service = serve(database, &flags);
        assert_eq!(as_who(&service, &[("X-Operator", "ada")]).status, 401);
    }

    fn an_account_is_chosen_where_none_is_named(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let page = get(&service, "/desk/delivery/list", &cookie);
        let chosen = get(&service, &link(&page.body, "/desk/delivery/list?account=1"), &cookie);
        assert!(chosen.body.contains("S…@customer.example"), "{chosen:?}");
    }

    fn days_are_counted_and_drawn(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        wait("calls are not counted", || database.number("SELECT count(*) FROM call_counts") == 2);
        let page = get(&service, "/desk/call/count", &cookie);
        assert_eq!(page.body.matches("<rect class=\"kind").count(), 4, "{page:?}");
        assert!(page.body.contains(": 1 of 200</title>") && page.body.contains(": 1 of 442</title>"), "{page:?}");
        let none = get(&service, "/desk/call/count?account=7", &cookie);
        assert!(!none.body.contains("<svg") && none.body.contains("None."), "{none:?}");
        // The email bounces when it is cancelled.
        run(database, &["queue", "cancel", "--account", "1", "--yes"]);
        for of in ["", "?account=1"] {
            wait("an event is not counted", || {
                let page = get(&service, &format!("/desk/delivery/count{of}"), &cookie);
                page.body.contains(": 1 of bounced</title>")
            });
        }
        let none = get(&service, "/desk/delivery/count?account=7", &cookie);
        assert!(none.body.contains("None."), "{none:?}");
    }

    fn hostile_texts_stay_texts(database: &Database) {
        let (service, cookie) = desk(database, &["--unmask"]);
        let hostile = r#"<script>alert(1)</script>"><img src=x onerror=alert(2)>{{7*7}}"#;
        run(database, &["account", "add", hostile]);
        run(database, &["list", "add", "1", hostile]);
        let quoted = percent(hostile);
        for path in [
            "/desk/account/list".to_owned(), "/desk/list/list?account=1".to_owned(), format!("/desk/refused/list?rule={quoted}"),
            format!("/desk/list/show?account=1&name={quoted}"), format!("/desk/delivery/list?account={quoted}"),
            format!("/desk/delivery/list?account=1&custom_field={quoted}"), format!("/desk/blacklist/why?host={quoted}"),
        ] {
            let answer = get(&service, &path, &cookie);
            assert!(!answer.body.contains("<script>") && !answer.body.contains("<img") && !answer.body.contains(">49<"), "{path}: {answer:?}");
        }
    }
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
