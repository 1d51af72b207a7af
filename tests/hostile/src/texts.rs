//! Texts that programs pass to single functions of the library.

use std::hint::black_box;

use franking::unstable::text::{address, domain, form, links, placeholder};
use franking::{DomainSet, HtmlEncoding, Policy, Response, Transcript};

use crate::subject::{Done, Limit, Prepared, Subject};

/// A kind of text, how it is made, and what is done with it.
struct Text {
    name: &'static str,
    make: Make,
    run: fn(&str),
}

const TEXTS: &[Text] = &[
    text(
        "placeholders: opening characters",
        |size| repeated("{", size),
        find,
    ),
    text(
        "placeholders: opening marks",
        |size| repeated("{{", size),
        find,
    ),
    text(
        "placeholders: opening marks and a letter",
        |size| repeated("{{a", size),
        find,
    ),
    text(
        "placeholders: opening marks and a space",
        |size| repeated("{{ ", size),
        find,
    ),
    text(
        "placeholders: equal marks",
        |size| repeated("%%", size),
        find,
    ),
    text(
        "placeholders: equal marks and a letter",
        |size| repeated("%% a", size) + "!",
        find,
    ),
    text(
        "placeholders: opening marks, then spaces",
        |size| repeated("{{", size / 2) + "a" + &repeated(" ", size / 2) + "!}}",
        find,
    ),
    text(
        "placeholders: spaces on both sides of a letter",
        |size| repeated(" ", size / 2) + "a" + &repeated(" ", size / 2),
        find,
    ),
    text("placeholders: letters", |size| repeated("a", size), find),
    text(
        "placeholders: a long identifier",
        |size| format!("{{{{a{}}}}}", repeated("a ", size)),
        find,
    ),
    text(
        "domains: one long label",
        |size| ideographs(size / 3) + ".example",
        parse_domain,
    ),
    text(
        "domains: long labels",
        |size| repeated(&(ideographs(999) + "."), size) + "example",
        parse_domain,
    ),
    text(
        "domains: short labels",
        |size| repeated("\u{fc}.", size) + "example",
        parse_domain,
    ),
    text(
        "domains: a set of different ones",
        |size| listed(size, |n| format!("{n}.example")),
        collect_domains,
    ),
    text(
        "domains: a set of one",
        |size| listed(size, |_| "a.example".to_string()),
        collect_domains,
    ),
    text(
        "addresses: a long local part",
        |size| repeated("a", size) + "@b.example",
        parse_address,
    ),
    text(
        "addresses: many at signs",
        |size| repeated("@", size),
        parse_address,
    ),
    text(
        "addresses: many quotes",
        |size| repeated("\"\\", size) + "@b.example",
        parse_address,
    ),
    text("forms: percent signs", |size| repeated("%", size), decode),
    text(
        "forms: plus signs and escapes",
        |size| repeated("+%2B", size),
        decode,
    ),
    text(
        "forms: escapes that are not UTF-8 to the end",
        |size| repeated("%C3%A4", size) + "%C3",
        decode,
    ),
    text(
        "hosts: links to different ones",
        |size| listed(size, |n| format!("<a href=//{n}.example>")),
        find_hosts,
    ),
    text("answers: an object of many members", members, read_json),
    text(
        "answers: an object in an object",
        |size| repeated("{\"a\":", size),
        read_json,
    ),
    text(
        "answers: a long status",
        |size| {
            format!(
                "{{\"code\":\"200\",\"status\":\"{}\"}}",
                repeated("\\n", size)
            )
        },
        read_json,
    ),
    text(
        "policies: many marks",
        |size| {
            format!(
                "{{\"placeholders\":[{}]}}",
                listed(size, |n| format!("[\"<{n}\",\">\"]"))
            )
        },
        read_json,
    ),
];

/// Makes a text of about this many bytes.
type Make = fn(usize) -> String;

/// HTML in which links are hard to find.
const HTML: &[(&str, Make)] = &[
    ("references in text", |size| {
        format!("www.a.example{}", repeated("&lt;", size))
    }),
    ("references in an attribute", |size| {
        format!("<a href=\"//a.example/{}\">", repeated("&lt;", size))
    }),
    ("links in the text of references", |size| {
        repeated("www&#46;a ", size)
    }),
    ("CSS with escapes", |size| {
        format!("<style>{}</style>", repeated("url(\\2f\\2f a.b)", size))
    }),
    ("one URL of CSS with escapes", |size| {
        format!(
            "<p style=\"background:url(//a.b/{})\">",
            repeated("\\61 ", size)
        )
    }),
    ("conditional comments in each other", |size| {
        repeated("<!--[if a]>", size)
    }),
    (
        "conditional comments before a mark in other letters",
        |size| repeated("<!--[if a]>", size / 2) + "<![ENDIF]" + &repeated("<", size / 2),
    ),
    ("one tag of charsets and of links to data:", |size| {
        format!(
            "<a {}{}>",
            repeated("charset=x ", size / 2),
            repeated("href=data:, ", size / 2)
        )
    }),
    ("one tag of charsets and of a srcset of data:", |size| {
        format!(
            "<img {} srcset=\"{}\">",
            repeated("charset=x ", size / 2),
            repeated("data:, ", size / 2)
        )
    }),
    ("one tag of attributes without values", |size| {
        format!("<a {}>", repeated("src ", size))
    }),
    ("the same with a vertical tab", |size| {
        format!("<a \x0b {}>", repeated("src ", size))
    }),
    ("elements in each other", |size| {
        repeated("<p>", size) + "<a href=//a.example>"
    }),
    ("of addresses", |size| {
        format!(
            "<a href=\"mailto:{}\">",
            listed(size, |n| format!("a@{n}.c"))
        )
    }),
    ("of a srcset", |size| {
        format!(
            "<img srcset=\"{}\">",
            listed(size, |n| format!("//{n}.c 1x"))
        )
    }),
    ("soup of different ones", |size| {
        format!("<svg>{}", listed(size, |n| format!("//{n}.c")))
    }),
    ("soup with references", |size| {
        format!("<svg>//a.b{}", repeated("&lt;", size))
    }),
    ("soup of data: on lines of their own", |size| {
        format!("<svg>{}", repeated("data:,\n", size))
    }),
    ("soup of www. on lines of their own", |size| {
        format!("<svg>{}", repeated("www.aaaaaaaaaaa\n", size))
    }),
    ("soup of one gap and many data:", |size| {
        format!("<svg>{}\tx", repeated("data:", size))
    }),
    ("soup of ports after a mark that an escape writes", |size| {
        let host = format!("www.{}:", "a".repeat(59));
        format!("<svg>&quot;{}", repeated(&host, size))
    }),
    ("soup of signs of addresses before one gap", |size| {
        format!("<svg>mailto:{}\tx", repeated("%40", size))
    }),
    ("soup of imports before one comment's end", |size| {
        let imports = repeated("@import/*", size / 2);
        format!("<svg>data:, {imports}*/url({}", " ".repeat(size / 2))
    }),
    ("soup of tags in values", |size| {
        format!("<svg>{}", repeated("<link/y=", size))
    }),
    ("soup of tags in names", |size| {
        let tags = repeated("<link\x0b", size / 2);
        format!("<svg>{tags}{}", " ".repeat(size / 2))
    }),
    ("soup of documents in tags in values", |size| {
        format!("<svg>{}", repeated("<iframe/y=data:,", size))
    }),
    ("soup of linked data without strings", |size| {
        format!(
            "<svg>{}",
            repeated("<script type=application/ld+json>", size)
        )
    }),
    ("soup of a long style with every escape", |size| {
        let escapes = "&amp; \\22 \t%25%09%5c22%5c9 ";
        format!("<svg><style>{escapes}{}<x", repeated("a", size))
    }),
    ("soup of a long document with every escape", |size| {
        let escapes = "&quot;&Tab;&bsol;22 data:text/html,%26quot%3b%09%26bsol%3b22%20";
        format!("<svg>{escapes}{}", repeated("a", size))
    }),
    ("international ones", |size| {
        listed(size, |n| format!("<a href=//\u{fc}{n}.c>"))
    }),
    ("different ones", |size| {
        listed(size, |n| format!("<a href=//{n}.c>"))
    }),
    ("a long name of an element", |size| {
        format!("<a{} href=//a.example>", repeated("B", size))
    }),
];

/// The uses of texts, as subjects.
pub(crate) fn texts() -> impl Iterator<Item = Subject> {
    let texts = TEXTS
        .iter()
        .map(|text| subject(text.name.to_string(), None, text.make, text.run));
    let html = HTML.iter().flat_map(|(name, make)| {
        let hosts = subject(
            format!("hosts: {name}"),
            Some(Limit::Hosts),
            *make,
            find_hosts,
        );
        let links = subject(
            format!("links: {name}"),
            Some(Limit::Links),
            *make,
            list_links,
        );
        [hosts, links]
    });
    texts.chain(html)
}

fn subject(name: String, limit: Option<Limit>, make: Make, run: fn(&str)) -> Subject {
    Subject {
        name,
        code: None,
        limit,
        prepare: Box::new(move |size| -> Prepared {
            let made = make(size);
            Box::new(move || {
                run(&made);
                Done::default()
            })
        }),
    }
}

const fn text(name: &'static str, make: Make, run: fn(&str)) -> Text {
    Text { name, make, run }
}

fn repeated(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

/// Different ideographs, over and over.
fn ideographs(count: usize) -> String {
    let different = (0..20_000).filter_map(|step| char::from_u32(0x4e00 + step));
    different.cycle().take(count).collect()
}

/// The entries of a list, each made from its number.
fn listed(size: usize, entry: fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        text.push_str(&entry(number));
        if text.len() >= size {
            break;
        }
        text.push(',');
    }
    text
}

/// An object of members that no reader asks for.
fn members(size: usize) -> String {
    let members = listed(size, |number| format!("\"a{number}\":{number}"));
    format!("{{\"code\":\"200\",{members}}}")
}

/// Marks that are hard to tell from each other and from the text around them.
const MARKS: [(&str, &str); 7] = [
    ("{{", "}}"),
    ("%%", "%%"),
    ("a", "x"),
    (" a", "!"),
    ("${", "}"),
    ("a ", " !"),
    (" a ", "  x"),
];

fn find(text: &str) {
    let pairs = placeholder::Pairs::new(MARKS).unwrap();
    black_box(placeholder::find(text, &pairs));
}

fn parse_domain(text: &str) {
    assert!(domain::parse(text).is_err());
}

fn decode(text: &str) {
    let decoded = form::decode(text, HtmlEncoding::Detect);
    black_box(decoded.is_ok());
    black_box(form::encode(text));
}

fn list_links(html: &str) {
    black_box(links::links(html).count());
}

fn find_hosts(text: &str) {
    black_box(links::hosts(text).len());
}

fn collect_domains(text: &str) {
    let mut set = DomainSet::new();
    for entry in text.split(',') {
        black_box(set.insert(entry).is_ok());
    }
    let listed = text.split(',').filter(|host| set.is_listed(host)).count();
    black_box(listed);
    black_box(set.iter().count());
}

fn parse_address(text: &str) {
    black_box(address::parse(text).is_ok());
}

fn read_json(text: &str) {
    black_box(Response::read(text).is_ok());
    black_box(Policy::from_json(text).is_ok());
    black_box(Transcript::from_json(text).is_ok());
}
