//! Calls that are tried at the desk, and previews of stored emails.

use super::{SAME, add, cookie, desk, get, link};
use crate::support::database::on_both;
use crate::support::{Answer, KEY, Service, http_send_mail, links_to, request};
use crate::transcripts::{run, serve};

/// Sends a form with a text, as browsers send a form with a file.
fn try_text(service: &Service, cookie: &str, fields: &[(&str, &str)]) -> Answer {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_bytes()))
        .collect();
    try_bytes(service, cookie, &fields)
}

fn try_bytes(service: &Service, cookie: &str, fields: &[(&str, &[u8])]) -> Answer {
    let mut body = Vec::new();
    for (name, value) in fields {
        let file = if *name == "file" {
            "; filename=\"call.json\""
        } else {
            ""
        };
        let head =
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        body.extend(head.as_bytes());
        body.extend(*value);
        body.extend(b"\r\n");
    }
    body.extend(b"--edge--\r\n");
    let kind = ("Content-Type", "multipart/form-data; boundary=edge");
    let headers = [("Cookie", cookie), SAME, kind];
    service.tell_operator(&request("POST", "/desk/call/try", &headers, &body))
}

/// The texts of a page.
fn texts(answer: &Answer) -> String {
    let parts = answer.body.split("<pre").skip(1);
    let parts = parts.map(|rest| rest.split("</pre>").next().unwrap());
    let text = parts.collect::<Vec<_>>().join("\n");
    text.replace("&#x27;", "'")
        .replace("&#x2f;", "/")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
}

on_both! {
    fn a_call_that_is_tried_is_judged_and_nothing_of_it_is_kept(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let counts = || ["calls", "deliveries", "subscribers", "transcripts", "audit"]
            .map(|table| database.number(&format!("SELECT count(*) FROM {table}")));
        let before = counts();
        let wrong = format!(r#"{{"apiKey":"{KEY}","mailerID":42,"email":"not an address"}}"#);
        let answer = try_text(&service, &cookie, &[("text", &wrong)]);
        let said = texts(&answer);
        assert!(answer.status == 200 && said.contains("recipient-malformed") && said.contains("^^^"), "{said}");
        // In the world of the account, the call has a plan.
        let right = r#"{"apiKey":"any","mailerID":42,"email":"Secret.Reader@customer.example"}"#.to_owned();
        let answer = try_text(&service, &cookie, &[("file", &right), ("account", "1")]);
        let said = texts(&answer);
        assert!(said.contains("Decided with the data of account 1.") && said.contains("answer   200"), "{said}");
        assert!(said.contains("nothing is wrong") && !answer.body.contains("Show personal"), "{said}");
        let unknown = right.replace("42", "4242");
        let said = texts(&try_text(&service, &cookie, &[("text", &unknown), ("account", "1")]));
        assert!(said.contains("mailer-unknown"), "{said}");
        assert_eq!(counts(), before);
        // Stored data about people is shown only to operators who may see it, and that is noted.
        let stored = |answer: &Answer| texts(answer).matches("Secret.Reader").count();
        add(database, "bob", &["--unmask"]);
        let bob = self::cookie(&service, "bob");
        let fields = [("text", right.as_str()), ("account", "1"), ("unmask", "on")];
        assert_eq!(stored(&try_text(&service, &cookie, &fields)), 0);
        assert!(stored(&try_text(&service, &bob, &fields)) > 0);
        assert!(run(database, &["audit", "list"]).contains("bob\tdesk: call try --account 1 --unmasked\tdone"));
    }

    fn a_trial_says_that_a_call_has_too_many_recipients(database: &Database) {
        add(database, "ada", &[]);
        let service = serve(database, &["--max-recipients", "2"]);
        let cookie = cookie(&service, "ada");
        let tried = |to: &str| {
            let call = String::from_utf8(http_send_mail(to)).unwrap();
            texts(&try_text(&service, &cookie, &[("text", &call), ("account", "1")]))
        };
        let said = tried("a@c.example,b@c.example");
        assert!(said.contains("answer   200") && !said.contains("HTTP status 413"), "{said}");
        let said = tried("a@c.example,b@c.example,c@c.example");
        assert!(said.contains("HTTP status 413") && !said.contains("answer   200"), "{said}");
    }

    fn a_trial_says_that_a_call_asks_about_too_many_domains(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let tried = |hosts: usize| {
            let call = String::from_utf8(links_to("news@shop.example", 0..hosts)).unwrap();
            texts(&try_text(&service, &cookie, &[("text", &call), ("account", "1")]))
        };
        // A host has 111 names.
        let said = tried(40);
        assert!(said.contains("answer   200") && !said.contains("5000 domains"), "{said}");
        let said = tried(50);
        assert!(said.contains("more than 5000 domains") && !said.contains("answer   200"), "{said}");
    }

    fn a_trial_says_that_an_operation_is_retired(database: &Database) {
        add(database, "ada", &[]);
        let service = serve(database, &["--retire"]);
        let cookie = cookie(&service, "ada");
        let call = String::from_utf8(http_send_mail("a@c.example")).unwrap();
        let text = ("text", call.as_str());
        for fields in [&[text][..], &[text, ("account", "1")]] {
            let said = texts(&try_text(&service, &cookie, fields));
            assert!(said.contains("operation-retired") && !said.contains("answer   200"), "{said}");
        }
    }

    fn a_file_is_judged_in_place_of_what_was_typed_before_and_does_not_become_typed(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let typed = r#"{"apiKey":"typed","mailerID":42,"email":"not an address"}"#;
        let file = r#"{"apiKey":"chosen","mailerID":42,"email":"a@customer.example"}"#;
        let field = |answer: &Answer| {
            let (_, rest) = answer.body.split_once("<textarea").unwrap();
            rest.split("</textarea>").next().unwrap().to_owned()
        };
        let both = try_text(&service, &cookie, &[("text", typed), ("file", file)]);
        let said = texts(&both);
        assert!(said.contains("nothing is wrong") && !said.contains("recipient-malformed"), "{said}");
        assert!(field(&both).contains("typed") && !field(&both).contains("chosen"), "{both:?}");
        let alone = try_text(&service, &cookie, &[("text", ""), ("file", file)]);
        assert!(texts(&alone).contains("nothing is wrong") && !field(&alone).contains("chosen"), "{alone:?}");
        // A browser sends an empty file if none was chosen.
        let said = texts(&try_text(&service, &cookie, &[("text", typed), ("file", "")]));
        assert!(said.contains("recipient-malformed"), "{said}");
    }

    fn a_file_is_judged_byte_for_byte(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let body = b"{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"\xff@customer.example\"}";
        let said = texts(&try_bytes(&service, &cookie, &[("file", body)]));
        assert!(said.contains("body-not-json") && said.contains("UTF-8"), "{said}");
    }

    fn html_is_tried_alone(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let html = r#"<p>x<a href="https://shop.example/a">y</a><script>alert(1)</script>"#;
        let answer = try_text(&service, &cookie, &[("text", html), ("html", "on")]);
        assert!(texts(&answer).contains("shop.example"), "{answer:?}");
        assert!(!answer.body.contains("<script>"), "{answer:?}");
        let both = try_text(&service, &cookie, &[("text", html), ("html", "on"), ("account", "1")]);
        assert!(both.status == 400 && both.body.contains("cannot be used with"), "{both:?}");
    }

    fn what_is_too_long_or_no_form_is_refused(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let long = "x".repeat((1 << 20) + 1);
        assert_eq!(try_text(&service, &cookie, &[("text", &long)]).status, 413);
        let kind = ("Content-Type", "multipart/form-data");
        let headers = [("Cookie", cookie.as_str()), SAME, kind];
        let broken = service.tell_operator(&request("POST", "/desk/call/try", &headers, b"--edge"));
        assert_eq!(broken.status, 400);
        let headers = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "cross-site"), kind];
        let other = service.tell_operator(&request("POST", "/desk/call/try", &headers, b""));
        assert_eq!(other.status, 403);
    }

    fn a_preview_is_for_those_who_may_see_it_in_a_frame_that_loads_nothing(database: &Database) {
        let (service, cookie) = desk(database, &["--unmask"]);
        add(database, "bob", &[]);
        let bob = self::cookie(&service, "bob");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mail.html");
        std::fs::write(&file, "<p style=color:red>Hello<img src=https://images.example/a.png><script>alert(1)</script>").unwrap();
        let file = file.to_str().unwrap();
        run(database, &["mailer", "set", "1", "--id", "77", "--from", "news@shop.example", "--subject", "s", file]);
        let shown = get(&service, "/desk/mailer/show?account=1&id=77", &cookie);
        let preview = get(&service, &link(&shown.body, "/desk/preview?"), &cookie);
        assert!(preview.body.contains("<iframe sandbox src=") && texts(&preview).contains("images.example"), "{preview:?}");
        let frame = get(&service, "/desk/preview/html?account=1&id=77", &cookie);
        assert!(frame.status == 200 && frame.body.starts_with("<p style=color:red>"), "{frame:?}");
        let policy = frame.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'"), "{policy}");
        for path in ["/desk/preview?account=1&id=77", "/desk/preview/html?account=1&id=77"] {
            let answer = get(&service, path, &bob);
            assert!(answer.status == 400 && !answer.body.contains("Hello"), "{answer:?}");
            assert_eq!(get(&service, path, "").status, 401);
        }
        assert_eq!(get(&service, "/desk/preview?account=1&id=78", &cookie).status, 404);
        assert!(run(database, &["audit", "list"]).contains("ada\tdesk: mailer show 1 77 --unmasked\tdone"));
    }
}
