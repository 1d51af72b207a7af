//! The scanner finds links that a browser follows but that are not in a tree of the document, as they are and in variations.

use crate::links_classes::{CLASSES, ENCODERS, HOST, base64};
use franking::HtmlEncoding;
use franking::domain::walk;
use franking::html::{Clause, decode, hidden_host, hosts};

/// The name that is reported for HTML in which any host could be hidden. Such HTML is refused, or the host is asked about
/// this name.
const OPEN: &str = "computed.invalid";

/// Whether a host is found, or the library reports that any host could be hidden.
fn is_found_or_open(html: &str) -> bool {
    finds(html, HOST) || finds(html, OPEN)
}

fn finds(html: &str, host: &str) -> bool {
    hosts(html)
        .iter()
        .any(|found| walk(found).any(|parent| parent == host))
}

/// Each document of each class, with the name of the class.
fn documents() -> impl Iterator<Item = (&'static str, String)> {
    CLASSES.iter().flat_map(|(name, documents)| {
        documents.iter().map(|html| match html.contains("base64") {
            true => (*name, (*html).to_owned()),
            false => (*name, html.replace('H', HOST)),
        })
    })
}

fn check(vary: impl Fn(&str) -> String) {
    let mut missed = Vec::new();
    for (class, html) in documents() {
        let varied = vary(&html);
        if !is_found_or_open(&varied) {
            missed.push(format!("{class}: {html}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn each_class_as_it_stands() {
    check(str::to_owned);
}

#[test]
fn each_class_in_upper_case() {
    check(
        |html| match html.contains("base64") || html.contains("CDATA") {
            true => html.to_owned(),
            false => html.to_uppercase(),
        },
    );
}

#[test]
fn each_class_after_ordinary_mail_and_before_it() {
    check(|html| {
        format!(
            "<!doctype html><table><tr><td style='color:red'>Dear{html}</td></tr></table><p title=\"x\">"
        )
    });
}

#[test]
fn each_class_deep_in_elements() {
    for element in ["div", "font", "b", "table", "span", "a"] {
        for depth in [1, 99, 3_000] {
            check(|html| format!("{}{html}", format!("<{element}>").repeat(depth)));
        }
    }
    check(|html| format!("{}{html}", "<div>".repeat(100_000)));
}

#[test]
fn each_class_in_a_conditional_comment() {
    for depth in [1, 2, 12] {
        check(|html| match html.contains("--") {
            true => html.to_owned(),
            false => format!("{}{html}", "<!--[if mso]>x".repeat(depth)),
        });
    }
}

#[test]
fn each_class_in_documents_inside_documents() {
    for depth in 1..=12 {
        check(|html| {
            (0..depth).fold(html.to_owned(), |html, _| {
                format!(
                    "<iframe srcdoc=\"{}\">",
                    html.replace('&', "&amp;").replace('"', "&quot;")
                )
            })
        });
        check(|html| {
            (0..depth).fold(html.to_owned(), |html, _| {
                format!("<iframe src=\"data:text/html;base64,{}\">", base64(&html))
            })
        });
    }
    for depth in 1..=8 {
        check(|html| {
            (0..depth).fold(html.to_owned(), |html, _| {
                let text: String = ENCODERS[4](&html);
                format!("<iframe src=\"data:text/html,{text}\">")
            })
        });
    }
}

#[test]
fn each_class_is_the_same_document_however_it_is_encoded() {
    for (class, html) in documents() {
        for (index, encode) in ENCODERS.iter().enumerate() {
            let text = encode(&html);
            let decoded = decode(&text, HtmlEncoding::Always).map(|decoded| decoded.html);
            assert_eq!(
                decoded,
                Ok(html.as_str().into()),
                "{class} by encoder {index}"
            );
        }
    }
}

#[test]
fn a_host_with_a_sharp_s_counts_in_both_forms() {
    for html in [
        "<a href=//\u{1e9e}.example>",
        "<svg><a href=//\u{df}.example>",
        "<svg><a href=//&#7838;.example>",
    ] {
        assert!(
            finds(html, "ss.example") && finds(html, "xn--zca.example"),
            "{html}"
        );
    }
}

#[test]
fn a_document_that_computes_hosts_counts_as_one() {
    for html in [
        "<iframe src='data:text/xml,<!DOCTYPE x[<!ENTITY e \"tp:/\">]><img xmlns=x src=\"ht&amp;e;/a\"/>'>",
        "<object data='data:application/xhtml+xml,<!DOCTYPE x[<!ATTLIST img src CDATA \"//a\">]><img/>'>",
        "<embed src='data:text/xml,<x xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"/>'>",
        "<iframe src='data:text/xml;base64,PCFFTlRJVFkgeCAieSI+'>",
        "<svg><![CDATA[><iframe src='data:text/xml,%3C!ENTITY x \"y\">'>]]>",
        "<iframe srcdoc='<iframe src=\"data:text/xml,<!ENTITY x>\">'>",
    ] {
        assert!(finds(html, "computed.invalid"), "{html}");
    }
    assert!(!finds("<p>&lt;!ENTITY x> <svg></svg>", "computed.invalid"));
}

#[test]
fn base64_is_read_once_and_what_is_deeper_is_open() {
    let deep = |depth| {
        (0..depth).fold(format!("@import'//{HOST}'"), |text, _| {
            format!("@import \"data:text/css;base64,{}\"", base64(&text))
        })
    };
    assert!(finds(&format!("<style>{}</style>", deep(1)), HOST));
    for depth in [2, 4, 16] {
        assert!(
            finds(&format!("<style>{}</style>", deep(depth)), OPEN),
            "{depth}"
        );
    }
}

#[test]
fn the_rest_of_a_comment_after_its_early_end_is_read_once() {
    // The inner comment ends before `<![endif]`, and no reader of conditional comments ends it at `-- >`.
    let html = "<!--[if a]><a><!--<!-- >http://x y.b.example<![endif]-->";
    let found = hosts(html);
    assert!(found.iter().eq(["x"]), "{found:?}");
}

/// Different hosts, each followed by every sign at which some reader ends a host.
fn with_each_end(count: usize) -> String {
    let hosts = (0..count).map(|number| format!("//a{number}.b!c;d\"e'f)g&comma;h/"));
    format!("<svg>{}", hosts.collect::<String>())
}

#[test]
fn html_whose_soup_names_more_hosts_than_can_be_judged_is_open() {
    let html = with_each_end(10_000);
    let hidden = hidden_host(&html).unwrap();
    assert_eq!(hidden.clause, Clause::TooMany);
    assert!(html.get(hidden.span).unwrap().starts_with('a'));
    let found: Vec<String> = hosts(&html).iter().map(String::from).collect();
    let octets: usize = found.iter().map(String::len).sum();
    assert!(
        octets <= 2 * html.len() + 512 && octets > html.len(),
        "{octets}"
    );
    assert_eq!(found.last().unwrap(), OPEN);
    // A few of them are judged.
    assert_eq!(hidden_host(&with_each_end(3)), None);
}

#[test]
fn html_whose_soup_has_long_tags_within_one_another_is_open() {
    for tag in ["<link a=\"x\" ", "<iframe/a=", "<script/a="] {
        let html = format!("<svg>{}", tag.repeat(1_000));
        let hidden = hidden_host(&html).unwrap();
        assert_eq!(hidden.clause, Clause::TooMany, "{tag}");
        assert_eq!(html.get(hidden.span), Some("<"));
        // Tags that end, and a few that do not, are read.
        let ended = format!("{tag}>").repeat(1_000);
        let html = format!("<svg>{ended}{}", tag.repeat(3));
        assert_eq!(hidden_host(&html), None, "{tag}");
    }
}

#[test]
fn tags_of_soup_may_have_exactly_their_bound_with_the_sign_at_their_end() {
    let with_padding = |padding: usize| {
        let tags = "<iframe/a=".repeat(6);
        format!("<svg>{tags}{}>", "x".repeat(padding))
    };
    // All six tags end at the same sign. With 1,003 bytes before it, they are together twice as long as the HTML, and 4,096
    // bytes more.
    assert_eq!(hidden_host(&with_padding(1_003)), None);
    let hidden = hidden_host(&with_padding(1_004)).unwrap();
    assert_eq!(hidden.clause, Clause::TooMany);
}

#[test]
fn html_whose_soup_begins_more_hosts_than_can_be_judged_is_open() {
    // The same host each time: its octets do not count.
    let repeated = |every: usize, count: usize| {
        let link = format!("<i a='//a.b'>{:every$}", "");
        format!("<svg>{}", link.repeat(count))
    };
    let html = repeated(0, 10_000);
    let hidden = hidden_host(&html).unwrap();
    assert_eq!(hidden.clause, Clause::TooMany);
    // The starts that are read are one for every 16 bytes and 256 more. Each link takes 13 bytes; the links after these are
    // not read.
    let begins = (html.len() / 16 + 256) * 13;
    assert!(
        hidden.span.start.abs_diff(begins) < 32,
        "{:?}, {begins}",
        hidden.span
    );
    // A smaller number of links, or longer links, are judged.
    assert_eq!(hidden_host(&repeated(0, 256)), None);
    assert_eq!(hidden_host(&repeated(4, 10_000)), None);
}
