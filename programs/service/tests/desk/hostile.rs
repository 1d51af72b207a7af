//! Shows hostile texts of calls, subjects and servers' answers on every page.

use super::{add, cookie, get, links};
use crate::returned::wait;
use crate::support::database::on_both;
use crate::support::{KEY, cases};
use crate::transcripts::serve;

/// Texts that break out of HTML, attributes, templates, URLs and terminals if they are not escaped.
const PIECES: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(2)>",
    "'><svg/onload=alert(3)>",
    "{{'xq'~'zj'}}",
    "{% include 'x' %}",
    "</pre><h1>out",
    "</textarea><b>",
    "</title>",
    "-->",
    "<!--",
    "]]>",
    "&lt;script&gt;",
    "javascript:alert(4)",
    "\u{202e}",
    "\u{1b}[31m",
    "\u{0}",
    "\r\nSet-Cookie: a=b",
    "` onmouseover=alert(5) `",
    "\u{feff}",
    "<a href=//attacker.example>",
    "%00%0d%0a",
    "data:text/html,x",
];

/// Texts that no page may have.
const OUT: &[&str] = &[
    "<script",
    "<img",
    "<svg/onload",
    "<h1>out",
    "<b>",
    "<!--",
    "xqzj",
    "<a href=//",
    "\u{1b}",
    "\u{0}",
];

/// A text made of the pieces. It differs for each number.
fn text(number: usize) -> String {
    let piece = |place: usize| PIECES[place % PIECES.len()];
    format!(
        "{number} {}{}",
        piece(number),
        piece(number / PIECES.len() + 7 * number)
    )
}

on_both! {
    fn nothing_of_hostile_calls_breaks_out_of_a_page(database: &Database) {
        add(database, "ada", &["--unmask", "--act"]);
        let service = serve(database, &["--transcripts", "whole"]);
        let calls = cases("HOSTILE_CALLS", 100);
        for number in 0..usize::try_from(calls).unwrap() {
            let text = text(number);
            let body = match number % 3 {
                0 => serde_json::json!({"ApiKey": KEY, "requests": [{
                    "from": "news@shop.example", "fromName": text, "to": format!("reader{number}@customer.example"), "subject": text,
                    "body": text, "customField": text, "mailingName": text }]}),
                1 => serde_json::json!({"apiKey": KEY, "mailerID": 42, "email": text, "firstName": text, text.clone(): text}),
                _ => serde_json::json!({"apiKey": KEY, "mailerID": 42, "email": format!("r{number}@customer.example"), "firstName": text, "list": text}),
            };
            let path = if number % 3 == 0 { "/v4/httpSendMail" } else { "/v4/sendMailer" };
            service.post(path, &[], body.to_string().as_bytes());
        }
        wait("calls are not kept", || database.number("SELECT count(*) FROM transcripts") >= calls * 99 / 100);
        // These are answers of servers, and names that operators have typed.
        let quoted = text(5).replace('\0', "").replace('\'', "''");
        database.script(&format!(
            "UPDATE deliveries SET reason = '{quoted}', to_address = '{quoted}';
             UPDATE accounts SET name = '{quoted}';
             UPDATE mailers SET subject = '{quoted}', from_name = '{quoted}';
             INSERT INTO audit (operator, action) VALUES ('{quoted}', '{quoted}')"
        ));
        let cookie = cookie(&service, "ada");
        let mut seen = std::collections::BTreeSet::new();
        let mut waiting = vec!["/desk".to_owned(), "/desk/account/show?account=1".to_owned()];
        let mut each_kind = std::collections::BTreeMap::<String, u32>::new();
        while let Some(path) = waiting.pop() {
            let kind = each_kind.entry(path.split('?').next().unwrap().to_owned()).or_default();
            if *kind >= 30 || !seen.insert(path.clone()) {
                continue;
            }
            *kind += 1;
            for path in [path.clone(), format!("{path}{}unmask=on", if path.contains('?') { '&' } else { '?' })] {
                let answer = get(&service, &path, &cookie);
                let is_page = answer.header("content-type").unwrap().starts_with("text/html");
                if !is_page || path.starts_with("/desk/preview/html") {
                    continue;
                }
                for out in OUT {
                    let place = answer.body.find(out);
                    assert!(place.is_none(), "{out:?} on {path}: {:?}", place.map(|place| &answer.body[place.saturating_sub(200)..place]));
                }
                assert!(answer.header("set-cookie").is_none(), "{path}");
                waiting.extend(links(&answer.body).into_iter().filter_map(|link| match link.strip_prefix('?') {
                    Some(query) => Some(format!("{}?{query}", path.split('?').next().unwrap())),
                    None => link.starts_with("/desk").then_some(link),
                }));
            }
        }
        assert!(seen.len() > 150, "{}", seen.len());
    }
}
