//! Tracked emails through the program: where their links lead, what is stored about the readers who follow them, and what
//! comes of it.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use crate::mail::support::tried;
use crate::returned::{READER, keys, run, wait};
use crate::support::cases;
use crate::support::database::{Database, on_both};
use crate::support::{Answer, KEY, Service, http_send_mail, request};

const BASE: &str = "https://track.example.com";
const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// Three links that are tracked, and three that are left alone.
const HTML: &str = concat!(
    "<html><body><a href=\"https://shop.example/a?x=1&amp;y=2\">one</a> <A HREF='http://shop.example/b'>two</A>",
    "<map><area href=https://shop.example/c></map>",
    "<a rel=\"nofollow unsubscribe\" href=\"https://shop.example/off\">out</a><a href=\"mailto:a@shop.example\">mail</a>",
    "<a href=\"#top\">top</a></body></html>"
);
const TARGETS: [&str; 3] = [
    "https://shop.example/a?x=1&y=2",
    "http://shop.example/b",
    "https://shop.example/c",
];

fn serve(database: &Database, flags: &[&str]) -> Service {
    let keys = keys(database);
    let all = ["--tracking-url", BASE, "--key-file", &keys];
    database.serve(&[&all, flags].concat())
}

fn call(to: &str, html: &str, opens: bool, clicks: bool) -> Vec<u8> {
    let body = serde_json::json!({"ApiKey": KEY, "requests": [{
        "subject": "Hello", "body": html, "to": to, "from": "news@shop.example",
        "trackOpens": u8::from(opens), "trackClicks": u8::from(clicks),
    }]});
    body.to_string().into_bytes()
}

fn send(service: &Service, body: &[u8]) {
    let answer = service.post("/v4/httpSendMail", &[], body);
    assert_eq!(answer.code(), Some(200), "{answer:?}");
}

/// The HTML of each sent email, in the order of the deliveries. Waits until all accepted emails are sent.
fn sent(database: &Database) -> Vec<String> {
    wait("they are not sent", || {
        database.number("SELECT count(*) FROM deliveries WHERE state = 'queued'") == 0
    });
    let entries = database.data().join("mail/new").read_dir().unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort_by_key(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.split('.').nth(1).unwrap().parse::<u64>().unwrap()
    });
    let emails = paths.iter().map(std::fs::read_to_string);
    emails.map(|email| html_of(&email.unwrap())).collect()
}

fn part<'e>(email: &'e str, kind: &str) -> &'e str {
    let (_, part) = email
        .split_once(&format!("Content-Type: text/{kind}"))
        .unwrap();
    let (_, part) = part.split_once("\r\n\r\n").unwrap();
    part.split_once("\r\n--").unwrap().0
}

fn html_of(email: &str) -> String {
    let encoded: String = part(email, "html").split_whitespace().collect();
    String::from_utf8(BASE64_STANDARD.decode(encoded).unwrap()).unwrap()
}

/// The paths of the tracked links and of the image, in order.
fn paths(html: &str) -> Vec<String> {
    let mut parts = html.split(BASE);
    parts.next();
    let end = |part: &str| {
        let end = part.find(['"', '\'', '>']).unwrap();
        part[..end].to_owned()
    };
    parts.map(end).collect()
}

fn follow(service: &Service, path: &str) -> Answer {
    service.exchange(&request("GET", path, &[("User-Agent", BROWSER)], b""))
}

/// Lets time pass: hits can be decided, and the emails were delivered long before.
fn later(database: &Database) {
    database.execute(
        "UPDATE deliveries SET ended = ended - 3600",
        "UPDATE deliveries SET ended = ended - interval '1 hour'",
    );
    database.execute(
        "UPDATE hits SET happened = happened - 60",
        "UPDATE hits SET happened = happened - interval '1 minute'",
    );
    wait("hits are not decided", || {
        database.number("SELECT count(*) FROM hits WHERE NOT decided") == 0
    });
}

fn events(database: &Database) -> Vec<String> {
    let unnumbered = "SELECT count(*) FROM events WHERE number IS NULL";
    wait("events are not numbered", || {
        database.number(unnumbered) == 0
    });
    database.texts("SELECT kind FROM events WHERE kind IN ('opened', 'clicked') ORDER BY number")
}

fn reasons(database: &Database) -> Vec<String> {
    database.texts("SELECT DISTINCT reason FROM hits ORDER BY reason")
}

on_both! {
    fn links_lead_where_they_led_and_what_a_person_follows_is_an_event_once(database: &Database) {
        let service = serve(database, &[]);
        send(&service, &call(READER, HTML, true, true));
        let html = sent(database).remove(0);
        let paths = paths(&html);
        assert_eq!(paths.len(), 4);
        // Everything else is unchanged, to the byte.
        let mut whole = html;
        let links = ["\"https://shop.example/a?x=1&amp;y=2\"", "'http://shop.example/b'", "https://shop.example/c>"];
        for (path, link) in paths.iter().zip(links) {
            let mark = link.trim_start_matches(['"', '\'']).trim_end_matches(['"', '\'', '>']);
            whole = whole.replace(&format!("{BASE}{path}"), mark);
        }
        let image = format!("<img src=\"{BASE}{}\" width=\"1\" height=\"1\" alt=\"\"></body>", paths[3]);
        assert_eq!(whole.replace(&image, "</body>"), HTML);

        for (path, target) in paths.iter().zip(TARGETS).take(2) {
            let answer = follow(&service, path);
            assert_eq!((answer.status, answer.header("Location")), (302, Some(target)));
            assert_eq!(answer.header("Cache-Control"), Some("no-store"));
            assert_eq!(answer.header("Referrer-Policy"), Some("no-referrer"));
        }
        for _ in 0..2 {
            let image = follow(&service, &paths[3]);
            assert_eq!((image.status, image.header("Content-Type")), (200, Some("image/gif")));
            assert!(image.body.starts_with("GIF89a"));
            assert_eq!(image.header("Cache-Control"), Some("no-store"));
        }
        assert!(events(database).is_empty(), "they are decided before the time is over");
        later(database);
        assert_eq!(reasons(database), ["nothing"]);
        let mut seen = events(database);
        seen.sort();
        assert_eq!(seen, ["clicked", "opened"]);
        assert_eq!(database.number("SELECT count(*) FROM deliveries WHERE events = 2 + 4 + 8"), 1);
        assert_eq!(database.number("SELECT count(*) FROM hits"), 4);
        // A second hit is stored, but makes no event.
        assert_eq!(follow(&service, &paths[2]).header("Location"), Some(TARGETS[2]));
        later(database);
        assert_eq!(database.number("SELECT count(*) FROM hits"), 5);
        assert_eq!(events(database).len(), 2);
    }

    fn what_a_call_does_not_ask_for_is_not_tracked(database: &Database) {
        let service = serve(database, &[]);
        for (opens, clicks) in [(false, false), (false, true), (true, false)] {
            send(&service, &call(READER, HTML, opens, clicks));
        }
        let all = sent(database);
        assert_eq!(all[0], HTML);
        assert_eq!(paths(&all[1]).len(), 3);
        assert!(!all[1].contains("<img"));
        assert_eq!(all[2].replace(&paths(&all[2])[0], ""), HTML.replace(
            "</body>",
            &format!("<img src=\"{BASE}\" width=\"1\" height=\"1\" alt=\"\"></body>"),
        ));
    }

    fn a_stored_email_leads_by_the_values_of_its_acceptance(database: &Database) {
        let html = database.data().join("mailer.html");
        std::fs::write(&html, "<a href=\"https://shop.example/{{ city }}?e={{ email }}\">x</a>").unwrap();
        let path = html.to_str().unwrap();
        let set = ["mailer", "set", "1", "--id", "43", "--from", "news@shop.example", "--subject", "Hello", path];
        run(database, &set);
        let service = serve(database, &[]);
        let body = |city: &str| format!(
            r#"{{"apiKey":"{KEY}","mailerID":43,"email":"{READER}","city":"{city}","trackClicks":1}}"#
        ).into_bytes();
        for city in ["Rome", "Oslo"] {
            assert_eq!(service.post("/v4/sendMailer", &[], &body(city)).code(), Some(200));
        }
        std::fs::write(&html, "<a href=\"https://other.example/\">x</a>").unwrap();
        run(database, &set);
        for (html, city) in sent(database).iter().zip(["Rome", "Oslo"]) {
            let answer = follow(&service, &paths(html)[0]);
            let target = format!("https://shop.example/{city}?e={READER}");
            assert_eq!((answer.status, answer.header("Location")), (302, Some(&*target)));
        }
    }

    fn a_scanner_that_follows_everything_is_no_person(database: &Database) {
        run(database, &["account", "http-unsubscribe", "1", "list"]);
        let keys = keys(database);
        let service = database.serve(&[
            "--tracking-url", BASE, "--unsubscribe-url", BASE, "--key-file", &keys,
        ]);
        let readers = cases("SCANNED", 100);
        let to: Vec<String> = (0..readers).map(|n| format!("reader{n}@example.org")).collect();
        send(&service, &call(&to.join(","), HTML, true, true));
        let all = sent(database);
        assert_eq!(all.len(), to.len());
        for html in &all {
            for path in paths(html) {
                let head = service.exchange(&request("HEAD", &path, &[("User-Agent", BROWSER)], b""));
                let get = follow(&service, &path);
                assert_eq!((head.status, head.header("Location")), (get.status, get.header("Location")));
                assert!(matches!(get.status, 200 | 302), "{get:?}");
            }
        }
        database.execute(
            "UPDATE hits SET happened = happened - 60",
            "UPDATE hits SET happened = happened - interval '1 minute'",
        );
        wait("hits are not decided", || database.number("SELECT count(*) FROM hits WHERE NOT decided") == 0);
        assert_eq!(database.number("SELECT count(*) FROM hits"), readers * 8);
        assert_eq!(database.number("SELECT count(*) FROM hits WHERE link IS NOT NULL AND reason = 'nothing'"), 0);
        assert!(!events(database).contains(&"clicked".to_owned()));
        assert_eq!(database.number("SELECT count(*) FROM unsubscribed"), 0);
        tried(all.len());
    }

    fn hits_from_three_processes_twice_and_in_any_order_are_one_summary(database: &Database) {
        // A SQLite file can be served by one process only.
        let processes = if database.address().is_some() { 3 } else { 1 };
        let services: Vec<Service> = (0..processes).map(|_| serve(database, &[])).collect();
        send(&services[0], &call("a@example.org,b@example.org,c@example.org,d@example.org", HTML, true, true));
        let all = sent(database);
        // The bits of an email's place say whether it is opened, and whether a link of it is followed.
        let mut asked = Vec::new();
        for (place, html) in all.iter().enumerate() {
            let paths = paths(html);
            asked.extend((place & 1 != 0).then(|| paths[3].clone()));
            asked.extend((place & 2 != 0).then(|| paths[1].clone()));
        }
        std::thread::scope(|scope| {
            for (turn, service) in services.iter().cycle().take(3).enumerate() {
                let mut asked = [asked.as_slice(), &asked].concat();
                asked.rotate_left(turn * 3);
                scope.spawn(move || {
                    for path in asked {
                        assert!(matches!(follow(service, &path).status, 200 | 302));
                    }
                });
            }
        });
        later(database);
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id");
        assert_eq!(bits, ["2", "6", "10", "14"]);
        assert_eq!(events(database).len(), 4);
        assert_eq!(database.number("SELECT count(*) FROM hits"), 6 * 4);
    }

    fn a_link_that_is_changed_leads_nowhere(database: &Database) {
        let service = serve(database, &[]);
        send(&service, &call("a@example.org,b@example.org", HTML, true, true));
        let all = sent(database);
        let (one, other) = (paths(&all[0]), paths(&all[1]));
        let halves = |path: &str| path.rsplit_once('-').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let mut forged = vec![
            format!("{}-{}", halves(&one[0]).0, halves(&other[0]).1),
            format!("{}-{}", halves(&one[0]).0, halves(&one[1]).1),
            format!("{}-{}", halves(&one[3]).0, halves(&one[0]).1),
            format!("{}/https://evil.example/", one[0]),
            format!("{}0", one[0]),
            one[0].to_ascii_uppercase(),
            "/t/".to_owned(),
            "/t/https://evil.example/".to_owned(),
            "/t/1-1-1".to_owned(),
        ];
        for at in "/t/".len()..one[0].len() {
            let mut changed = one[0].clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            forged.push(String::from_utf8(changed).unwrap());
        }
        for path in forged {
            let answer = follow(&service, &path);
            assert!(answer.status == 404 && answer.header("Location").is_none(), "{path} {answer:?}");
        }
        // The text after the path has no effect.
        let answer = follow(&service, &format!("{}?to=https://evil.example/", one[0]));
        assert_eq!(answer.header("Location"), Some(TARGETS[0]));
        assert_eq!(service.post(&one[0], &[], b"").status, 405);
        assert_eq!(database.number("SELECT count(*) FROM hits"), 1);
    }

    fn a_link_never_leads_to_the_target_of_its_neighbour(database: &Database) {
        let service = serve(database, &[]);
        send(&service, &call(READER, HTML, true, true));
        let paths = paths(&sent(database)[0]);
        // The first link is not one any more, so that each place has the target of the next link. A later version of the
        // service may find other links as well.
        let changed = database.execute(
            "UPDATE contents SET html = CAST(replace(CAST(html AS text), '<a href=', '<a name=') AS blob)",
            "UPDATE contents SET html = convert_to(replace(convert_from(html, 'UTF8'), '<a href=', '<a name='), 'UTF8')",
        );
        assert!(changed > 0);
        for path in &paths[..3] {
            let answer = follow(&service, path);
            assert!(answer.status == 404 && answer.header("Location").is_none(), "{path} {answer:?}");
        }
        assert_eq!(follow(&service, &paths[3]).status, 200);
        assert_eq!(database.number("SELECT count(*) FROM hits"), 1);
    }

    fn a_reader_who_is_erased_is_followed_nowhere(database: &Database) {
        let service = serve(database, &[]);
        send(&service, &call(READER, HTML, true, true));
        let paths = paths(&sent(database)[0]);
        let erase = format!("DELETE FROM subscribers WHERE match_key = '{READER}'");
        assert_eq!(database.execute(&erase, &erase), 1);
        for path in &paths {
            assert_eq!(follow(&service, path).status, 404);
        }
        assert_eq!(database.number("SELECT count(*) FROM hits"), 0);
    }

    fn without_a_url_a_call_is_accepted_and_a_warning_is_logged(database: &Database) {
        let service = database.serve(&[]);
        send(&service, &call(READER, HTML, true, true));
        send(&service, &http_send_mail(READER));
        assert_eq!(sent(database)[0], HTML);
        let metrics = service.metrics();
        assert!(metrics.contains("franking_untracked_calls_total 1\n"), "{metrics}");
        let (code, log) = service.end();
        let warnings = log.lines().filter(|line| line.contains("tracking_url is not set"));
        assert_eq!((code, warnings.count()), (Some(0), 1), "{log}");
    }

    fn of_one_email_a_thousand_hits_are_kept_and_its_links_go_on(database: &Database) {
        let service = serve(database, &[]);
        send(&service, &call(READER, HTML, true, true));
        let paths = paths(&sent(database)[0]);
        for _ in 0..1002 {
            assert_eq!(follow(&service, &paths[3]).status, 200);
        }
        assert_eq!(follow(&service, &paths[0]).status, 302);
        assert_eq!(database.number("SELECT count(*) FROM hits"), 1000);
    }

    fn who_a_reader_is_is_kept_for_the_days_of_a_setting_and_not_without_it(database: &Database) {
        let service = serve(database, &[]);
        send(&service, &call(READER, HTML, true, true));
        let paths = paths(&sent(database)[0]);
        follow(&service, &paths[3]);
        assert_eq!(database.number("SELECT count(*) FROM hits WHERE address IS NULL AND agent IS NULL"), 1);
        drop(service);
        let service = serve(database, &["--reader-days", "7"]);
        let agent = "x".repeat(600);
        service.exchange(&request("GET", &paths[3], &[("User-Agent", &agent)], b""));
        assert_eq!(database.texts("SELECT address FROM hits WHERE address IS NOT NULL"), ["127.0.0.1"]);
        assert_eq!(database.number("SELECT count(*) FROM hits WHERE length(agent) = 512"), 1);
        let (_, log) = service.end();
        assert!(!log.contains("127.0.0.1\"") && !log.contains("xxx"), "{log}");
        database.execute(
            "UPDATE hits SET happened = happened - 8 * 86400",
            "UPDATE hits SET happened = happened - interval '8 days'",
        );
        let _service = serve(database, &["--reader-days", "7"]);
        wait("readers are not forgotten", || {
            database.number("SELECT count(*) FROM hits WHERE address IS NOT NULL OR agent IS NOT NULL") == 0
        });
        assert_eq!(database.number("SELECT count(*) FROM hits"), 2);
    }
}
