//! Measures how fast the hosts of a body are found, beside the ordinary ways to find them in Rust, and on hostile input.
//!
//! `cargo bench -p franking-bench --bench links`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a program for people at a terminal"
)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt::Write;
use std::hint::black_box;

use franking::HtmlEncoding;
use franking::unstable::text::form;
use franking::unstable::text::links::visit_hosts;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, Selector, Settings};
use rustix::time::{ClockId, clock_gettime};
use url::Url;

/// A body like those that companies send: tables, inline styles, links with tracking, images.
fn body(kilobytes: usize, links: usize, images: usize) -> String {
    let mut html = String::from(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; charset=UTF-8\" />\n\
         <title>Your order has been dispatched</title>\n<style type=\"text/css\">\n\
         body,table,td,a{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}\n\
         @media screen and (max-width:525px){.wrapper{width:100%!important;max-width:100%!important}.logo img{margin:0 auto!important}}\n\
         </style>\n</head>\n<body style=\"margin:0 !important;padding:0 !important;background-color:#f4f4f4;\">\n\
         <div style=\"display:none;font-size:1px;color:#fefefe;line-height:1px;max-height:0;overflow:hidden;\">Thank you for shopping with us.</div>\n\
         <table border=\"0\" cellpadding=\"0\" cellspacing=\"0\" width=\"100%\">\n",
    );
    let (mut link, mut image, mut row) = (0, 0, 0);
    let rows = kilobytes * 1024 / 620;
    while html.len() < kilobytes * 1024 {
        row += 1;
        html.push_str(
            "<tr>\n  <td align=\"center\" valign=\"top\" style=\"padding:15px 20px 15px 20px;font-family:Helvetica,Arial,sans-serif;\
             font-size:16px;line-height:24px;color:#333333;background-color:#ffffff;\" class=\"section-padding\">\n",
        );
        html.push_str(
            "    <table border=\"0\" cellpadding=\"0\" cellspacing=\"0\" width=\"100%\" style=\"max-width:500px;\" class=\"responsive-table\"><tr><td>",
        );
        if image * rows < images * row && image < images {
            image += 1;
            write!(html, "<img src=\"https://images.example.com/mail/2024/banner-{image}.png\" width=\"500\" height=\"200\" border=\"0\" alt=\"Item {image}\" style=\"display:block;\" />").unwrap();
        }
        if link * rows < links * row && link < links {
            link += 1;
            write!(html, "<a href=\"https://shop{}.example.net/item/{link}?utm_source=mail&amp;utm_medium=order&amp;id={row}\" target=\"_blank\" style=\"color:#256f9c;text-decoration:none;\">View item {link}</a>", link % 5).unwrap();
        }
        html.push_str(
            "</td></tr></table>\n    <p style=\"margin:0;\">Your parcel left our warehouse today, and should reach you within 3 days. \
             If you are not at home, it will be kept at the nearest shop: bring an identity card.</p>\n  </td>\n</tr>\n",
        );
    }
    html.push_str("</table>\n</body>\n</html>\n");
    html
}

fn ours(html: &str, hosts: &mut HashSet<String>) {
    visit_hosts(html, false, &mut |host| {
        if !hosts.contains(host) {
            hosts.insert(host.to_owned());
        }
    });
}

const ATTRIBUTES: [&str; 3] = ["href", "src", "background"];

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

fn with_lol_html(html: &str, selectors: &[Selector; 3], hosts: &mut HashSet<String>) {
    let hosts = RefCell::new(hosts);
    let mut settings = Settings::new();
    for (selector, name) in selectors.iter().zip(ATTRIBUTES) {
        let hosts = &hosts;
        let handler = move |element: &mut Element<'_, '_>| {
            let url = element.get_attribute(name);
            hosts.borrow_mut().extend(url.as_deref().and_then(host));
            Ok(())
        };
        settings = settings.append_element_content_handler((
            Cow::Borrowed(selector),
            ElementContentHandlers::default().element(handler),
        ));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes()).unwrap();
    rewriter.end().unwrap();
}

fn with_html5gum(html: &str, hosts: &mut HashSet<String>) {
    let mut wanted = false;
    let emitter = CallbackEmitter::new(move |event: CallbackEvent<'_>, _: Span<()>| match event {
        CallbackEvent::AttributeName { name } => {
            wanted = matches!(name, b"href" | b"src" | b"background");
            None
        }
        CallbackEvent::AttributeValue { value } if wanted => {
            std::str::from_utf8(value).ok().and_then(host)
        }
        _ => None,
    });
    hosts.extend(Tokenizer::new_with_emitter(html, emitter).flatten());
}

/// The processor time of this thread, in seconds. Other work on the machine does not count.
fn now() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// The median time of a call in seconds, of runs that take turns.
fn compare(contenders: &mut [(&str, &mut dyn FnMut())], rounds: usize, calls: usize) -> Vec<f64> {
    let mut times = vec![Vec::new(); contenders.len()];
    for _ in 0..rounds {
        for ((_, call), times) in contenders.iter_mut().zip(&mut times) {
            let start = now();
            for _ in 0..calls {
                call();
            }
            times.push((now() - start) / calls as f64);
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
        })
        .collect()
}

fn ordinary(name: &str, html: &str) {
    let expect = |find: &mut dyn FnMut(&mut HashSet<String>)| {
        let mut hosts = HashSet::new();
        find(&mut hosts);
        hosts
    };
    let selectors = ATTRIBUTES.map(|name| format!("[{name}]").parse().unwrap());
    let found = expect(&mut |hosts| ours(html, hosts));
    assert_eq!(
        found,
        expect(&mut |hosts| with_lol_html(html, &selectors, hosts))
    );
    assert_eq!(found, expect(&mut |hosts| with_html5gum(html, hosts)));
    let mut copy = String::new();
    let medians = compare(
        &mut [
            ("franking", &mut || {
                ours(black_box(html), &mut HashSet::new())
            }),
            ("lol_html and url", &mut || {
                with_lol_html(black_box(html), &selectors, &mut HashSet::new())
            }),
            ("html5gum and url", &mut || {
                with_html5gum(black_box(html), &mut HashSet::new())
            }),
            ("memcpy", &mut || {
                copy.clear();
                copy.push_str(black_box(html));
            }),
        ],
        101,
        20,
    );
    println!(
        "{name}, {} bytes, {} hosts; last, the ratio of franking to it",
        html.len(),
        found.len()
    );
    for (contender, median) in ["franking", "lol_html and url", "html5gum and url", "memcpy"]
        .iter()
        .zip(&medians)
    {
        let ratio = medians.first().copied().unwrap_or(f64::NAN) / median;
        println!(
            "  {contender:18} {:8.2} us {:8.0} MB/s {ratio:8.3}",
            median * 1e6,
            html.len() as f64 / median / 1e6
        );
    }
}

/// Measures a URL-encoded body, as it is sent: decoding alone, and decoding together with finding its hosts.
fn encoded(name: &str, html: &str) {
    let text = form::encode(html);
    let (mut alone, mut buffer) = (String::new(), String::new());
    let decode = |buffer: &mut String| {
        form::decode_into(black_box(text.as_bytes()), HtmlEncoding::Detect, buffer).unwrap();
    };
    let medians = compare(
        &mut [
            ("", &mut || decode(&mut alone)),
            ("", &mut || {
                decode(&mut buffer);
                visit_hosts(&buffer, false, &mut |host| {
                    black_box(host.len());
                });
            }),
        ],
        101,
        20,
    );
    println!("{name}, {} bytes", text.len());
    for (what, median) in ["decoding", "and its hosts"].iter().zip(&medians) {
        println!(
            "  {what:18} {:8.2} us {:8.0} MB/s",
            median * 1e6,
            text.len() as f64 / median / 1e6
        );
    }
}

fn hostile(name: &str, html: &str) {
    let mut count = 0_usize;
    let start = now();
    visit_hosts(html, false, &mut |_| count += 1);
    let time = now() - start;
    println!(
        "  {name:44} {:6.1} MB {count:9} hosts {:8.0} MB/s",
        html.len() as f64 / 1e6,
        html.len() as f64 / time / 1e6
    );
}

fn main() {
    // A profiler or a count of instructions wants nothing but the scan.
    if std::env::args().any(|argument| argument == "--scan-only") {
        let html = body(24, 15, 8);
        for _ in 0..2000 {
            ours(black_box(&html), &mut HashSet::new());
        }
        return;
    }
    ordinary("a body of 11 KiB", &body(11, 20, 8));
    ordinary("a body of 24 KiB", &body(24, 15, 8));
    encoded("a body of 11 KiB, encoded", &body(11, 20, 8));
    encoded("a body of 24 KiB, encoded", &body(24, 15, 8));
    let full = std::env::args().any(|argument| argument == "--full");
    let size = if full { 32_000_000 } else { 8_000_000 };
    println!("an ordinary body");
    hostile(
        "tables, styles, links",
        &body(size / 1024, size / 1600, size / 3000),
    );
    println!("hostile input");
    let repeat = |unit: &str| unit.repeat(size / unit.len());
    for unit in [
        "<",
        "&",
        "<!",
        "<!--[if",
        "<!--[if]>",
        "</",
        "<a",
        "<a ",
        "<a>",
        "<b>",
        "<div>",
        "<p>",
        "<table>",
        "<svg>",
        "<svg><p>",
        "<svg><style>",
        "<style>",
        "<script>",
        "<!--<script>",
        "<title></titl",
        "url(",
        "\"",
        "a=b ",
        "<b><p></b>",
        "<b id=",
        "<svg><desc>",
        "<template>",
        "<table><svg>",
        "www.a,",
        "http://a,",
        "http://",
        "www.",
        "&#",
        "&nbsp;",
        "<![CDATA[",
        "<base href=//a>",
        "<a href=//a.example>",
        "<a href='data:text/html,",
        "<i></b>",
        "</p>",
        "<svg></x>",
    ] {
        hostile(unit, &repeat(unit));
    }
    for (name, begin, unit, end) in [
        ("an attribute of hrefs", "<a href='", "http://a/", "'>"),
        ("an attribute of references", "<a href='", "&#47;", "'>"),
        ("a srcset", "<a srcset='", "//a,", "'>"),
        ("a srcset of words", "<a srcset='", "//a 1x,", "'>"),
        ("a million attributes", "<a ", "href=//a ", ">"),
        ("a style attribute of url(", "<a style='", "url(", "'>"),
        (
            "a style attribute of url(x)",
            "<a style='",
            "url(//a)",
            "'>",
        ),
        (
            "a style attribute of open functions",
            "<a style='",
            "a(",
            "url(//a)'>",
        ),
        ("a style attribute of escapes", "<a style='", "\\75", "'>"),
        ("a srcdoc", "<a srcdoc='", "<a href=//a>", "'>"),
        (
            "a conditional comment",
            "<!--[if]>",
            "<a href=//a>",
            "<![endif]-->",
        ),
        ("soup of www", "<svg>", "www.a!", ""),
        ("soup of slashes", "<svg>", "//", ""),
        ("soup of hosts", "<svg>", "//a.example", ""),
        ("soup of hosts and tags", "<svg>", "//a<b ", ">x"),
        ("soup of quotes", "<svg>", "//a<b \"", ">x"),
        ("soup of tags", "<svg>", "<b //a>", ""),
        ("soup of schemes", "<svg>", "http:", ""),
        ("soup of users", "<svg>", "http:a@", ""),
        ("soup of schemes of mail", "<svg>", "mailto:", ""),
        ("soup of percent signs", "<svg>%", "25", "2F%2Fa.example"),
        ("soup of ampersands", "<svg>&", "amp;", "amp"),
        ("soup of attributes", "<svg>", "href=href=", ""),
        ("soup of documents", "<svg>", "srcdoc=srcdoc=", ""),
        ("soup of soft hyphens", "<svg>//", "\u{ad}", "a.example"),
        ("soup of good labels", "<svg>//", "a.", "/"),
        ("soup of bad labels", "<svg>//", "xn--a.", "/"),
        ("soup in base64", "<svg>;base64,", "Ly9hL2Jj", ""),
        ("soup of base64", "<svg>", ";base64,Ly9hL2Jj-", ""),
        ("conditional soup", "", "<!--[if]><svg>", ""),
        ("unended scripts", "", "<noscript><!--[if]>", "</noscript>"),
        (
            "SVG in nested elements",
            "",
            "<div>",
            "<svg></p></p></p></p>",
        ),
        (
            "nested elements and end tags in SVG",
            "<svg>",
            "<g><x></g>",
            "",
        ),
        (
            "formatting to be adopted",
            "<svg></svg><b>",
            "<div></b>",
            "",
        ),
    ] {
        hostile(name, &format!("{begin}{}{end}", repeat(unit)));
    }
    let ideographs: String = ('\u{4e00}'..='\u{51e6}').collect();
    let label = format!("<a href=\"//{ideographs}.example\">");
    hostile("a link with a label of 999 ideographs", &repeat(&label));
    let label = format!(
        "<a href=\"//{}.example\">",
        ideographs.chars().take(250).collect::<String>()
    );
    hostile("a link with a label of 250 ideographs", &repeat(&label));
    let deep = size / 20;
    hostile(
        "deep, then many end tags",
        &format!(
            "<svg></svg>{}{}",
            "<span>".repeat(deep),
            "</x></p>".repeat(deep)
        ),
    );
}
