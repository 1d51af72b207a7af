//! The hosts of mail as tools and people write it: those in its links, and what else is reported.

use std::collections::BTreeSet;

use crate::links_classes::ENCODERS;
use franking::html::hosts;
use franking::{Operation, Policy, Preflight};
use serde_json::json;

/// A name, the mail, the hosts in its links, and what is reported besides them.
const MAIL: &[(&str, &str, &str, &str)] = &[
    (
        "amp",
        include_str!("mail/amp.html"),
        "cdn.ampproject.example pics.amp.example www.amp.example",
        "",
    ),
    (
        "forwarded",
        include_str!("mail/forwarded.html"),
        "ci3.proxy.example docs.work.example work.example www.safe.example",
        "",
    ),
    (
        "foundation",
        include_str!("mail/foundation.html"),
        "assets.news.example click.news.example news.example www.news.example",
        "",
    ),
    (
        "international",
        include_str!("mail/international.html"),
        "angebote.html cdn.laden.example www.laden.example www.xn--mller-kva.example zitat.example",
        "",
    ),
    // Linked data is soup: a host ends at the next slash, and at the first quote.
    (
        "linked_data",
        include_str!("mail/linked_data.html"),
        "schema.org www.travel.example",
        "",
    ),
    (
        "mailchimp",
        include_str!("mail/mailchimp.html"),
        "cdn.campaign.example gallery.campaign.example list.campaign.example www.social.example",
        "",
    ),
    (
        "mjml",
        include_str!("mail/mjml.html"),
        "fonts.fonts.example img.shop.example shop.example www.shop.example",
        "",
    ),
    // Another host is reported, because `o:href` is a place of a link.
    (
        "outlook",
        include_str!("mail/outlook.html"),
        "office.example portal.office.example",
        r#"static.office.example"#,
    ),
    (
        "placeholders",
        include_str!("mail/placeholders.html"),
        "t.crm.example www.crm.example {{account}}.crm.example",
        "",
    ),
    (
        "retina",
        include_str!("mail/retina.html"),
        "img.brand.example www.brand.example",
        "",
    ),
    (
        "select_form",
        include_str!("mail/select_form.html"),
        "survey.poll.example www.poll.example",
        "",
    ),
    // Another host is reported: a document with `svg` is soup, and its namespace looks like a host.
    (
        "svg_logo",
        include_str!("mail/svg_logo.html"),
        "billing.saas.example",
        r#"www.w3.org"#,
    ),
];

fn words<'a>(text: &'a str) -> impl Iterator<Item = String> + 'a {
    text.split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
}

#[test]
fn the_hosts_of_ordinary_mail_are_those_in_its_places() {
    for (name, html, in_places, more) in MAIL {
        let found: BTreeSet<String> = hosts(html).iter().map(String::from).collect();
        let expected: BTreeSet<String> = words(in_places).chain(words(more)).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn ordinary_mail_has_the_same_hosts_in_a_call_however_it_is_sent() {
    for (name, html, ..) in MAIL {
        let encoders = ENCODERS.iter().map(|encode| encode(html));
        for text in encoders.chain([(*html).to_owned()]) {
            let body = json!({"requests": [{"body": text}]}).to_string();
            let operation = Operation::HttpSendMail;
            let preflight = Preflight::new(&Policy::default(), operation, body.as_bytes());
            assert_eq!(
                preflight.hosts(),
                hosts(html).iter().map(String::from).collect(),
                "{name}: {text}"
            );
        }
    }
}
