//! Single values and errors that were made of a canary.

use franking::unstable::text::{address, date, form};
use franking::{
    Commit, Conflict, DecideError, Facts, HostAnswer, Mailer, Misuse, Response, Rule, Subscriber,
    Subscribers,
};

use super::{CANARY, Seen};

#[test]
fn small_values_show_nothing_personal_either() {
    let mut seen = Seen::new(vec![CANARY.to_string()]);
    let mailer = Mailer {
        from: "canary@canary.example",
        from_name: Some("Canary"),
        blacklisted: Some(false),
    };
    let subscriber = Subscriber {
        id: 1,
        email: "canary@canary.example",
        inactive: true,
        blacklisted: Some(true),
    };
    let mut column = Subscribers::default();
    column.push(Some(subscriber));
    let facts = Facts {
        mailers: [Some(mailer)].into_iter().collect(),
        subscribers: column.clone(),
        ..Facts::default()
    };
    seen.debug(&mailer);
    seen.debug(&subscriber);
    seen.debug(&column);
    seen.debug(&facts);
    seen.debug(&HostAnswer::Facts(facts));
    seen.debug(&HostAnswer::Commit(Commit::Conflict(Conflict::Other)));
    seen.error(&Misuse::SubscriberId);
    seen.error(&DecideError::<Misuse>::Misuse(Misuse::SubscriberId));
    for text in [
        "canary",
        "{}",
        r#"{"code":"canary"}"#,
        r#"{"code":"200","status":["canary"]}"#,
        r#"{"code":"200","status":"x","transactionId":"canary"}"#,
    ] {
        seen.error(&Response::read(text).unwrap_err());
    }
    seen.debug(&Response::read(r#"{"code":"412","status":"canary at /canary"}"#).unwrap());
    for rule in Rule::ALL {
        seen.error(rule);
    }
    for text in [
        "canary",
        "canary@",
        "@canary.example",
        "canary@-canary.example",
        "canary canary@canary.example",
        "\"canary\"@canary.example",
        "canary@canary..example",
        "canary@canary.1",
    ] {
        seen.error(&address::parse(text).unwrap_err());
    }
    seen.debug(&address::parse("canary@canary.example").unwrap());
    for text in [
        "canary",
        "can ary.example",
        "-canary.example",
        "canary..example",
    ] {
        if let Err(error) = franking::domain::parse(text) {
            seen.error(&error);
        }
    }
    seen.error(&date::parse_day("canary").unwrap_err());
    let decoded = form::decode("canary", franking::HtmlEncoding::Detect).unwrap();
    seen.debug(&decoded);
}

#[test]
fn what_reads_links_shows_nothing_of_the_html_and_its_hosts() {
    use franking::html::links;
    let html = "<a href='https://canary.example/canary'>canary</a>";
    // An address in angle brackets is read as a tag, whose name is the address.
    let address =
        "Ada <canary@shop.example <a href='//a.example' style='background:url(//b.example)'>";
    let found: Vec<_> = links(html).chain(links(address)).collect();
    let shown = format!("{:?} {found:?}", links(html));
    assert_eq!(found.len(), 3);
    assert!(
        !shown.contains("canary") && !shown.contains("99, 97, 110"),
        "{shown}"
    );
}
