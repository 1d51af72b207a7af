//! Hosts of HTML as it was sent: the walk over encoded text against decoding and then scanning.

use std::collections::BTreeSet;

use franking::HtmlEncoding;
use franking::html::{self, NotUtf8};
use franking::unstable::text::links;
use franking::unstable::text::links::{Scratch, Sent};

use crate::corpus::Corpus;
use crate::rng::Rng;
use crate::{Checked, ensure};

/// What HTML with links, or nearly with links, is made of.
const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "\"",
    "'",
    "=",
    " ",
    "\n",
    "\r\n",
    "\t",
    "&",
    ";",
    ":",
    ".",
    "!",
    "-",
    "--",
    "%",
    "+",
    "#",
    "?",
    "@",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "|",
    "~",
    "^",
    "`",
    "*",
    ",",
    "\0",
    "\u{b}",
    "\u{7f}",
    "\u{e9}",
    "\u{3000}",
    "\u{ff0e}",
    "\u{1f600}",
    "\u{a0}",
    "\u{feff}",
    "<a ",
    "<A\n",
    "<td ",
    "<style",
    "<style>",
    "<title",
    "<title>",
    "<textarea>",
    "<meta ",
    "<base ",
    "<object ",
    "<img ",
    "<p>",
    "<b",
    "</p>",
    "</style>",
    "</style",
    "</title",
    "</title >",
    "</textarea>",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "<!--[if",
    "<!--[if mso]>",
    "]>",
    "<![endif]",
    "<![endif]-->",
    "<!doctype html>",
    "<?x",
    "<!x",
    "</>",
    "</ x>",
    "<svg>",
    "</svg>",
    "<math>",
    "<script>",
    "</script>",
    "<template>",
    "<frameset>",
    "<xmp>",
    "<plaintext>",
    "<noembed>",
    "<noscript>",
    "<noframes>",
    "<v:x ",
    "<iframe ",
    "<![CDATA[",
    "href=",
    "href = ",
    "href",
    "src=",
    "HREF=\"",
    "style=\"",
    "style='",
    "style=",
    "srcset='",
    "imagesrcset=\"",
    "ping=\"",
    "srcdoc=\"",
    "content=\"0;url=",
    "http-equiv=refresh ",
    "http-equiv=\"refresh\" ",
    "data=\"",
    "xlink:href=\"",
    "background='",
    "width=\"600\" ",
    "alt=\"\" ",
    "class=\"a b\" ",
    "longdesc=\"",
    "cite=\"",
    "https://a.example",
    "http://b.example/",
    "//c.example/x",
    "www.d.example",
    "HTTPS://e.example:80",
    "https://f.example?",
    "https://g--h.i",
    "https://xn--bcher-kva.example",
    "https://1.2.3.4/",
    "https://u@j.example",
    "https://k.5/",
    "https://L.example",
    "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example",
    "http:m.example",
    "url(",
    "url('//g.example')",
    "url(//n.example)",
    "@import '//h.example'",
    "image-set('//o.example' 1x)",
    "\\75",
    "/*",
    "*/",
    "&amp;",
    "&colon;",
    "&period;",
    "&sol;",
    "&#119;",
    "&#46;",
    "&#x2e;",
    "&#058;",
    "&#58",
    "&#8217;",
    "&nbsp;",
    "&copy",
    "&lpar;",
    "&commat;",
    "&bsol;",
    "www",
    "WwW.",
    "ww",
    "http",
    "http:",
    "https:/",
    "://",
    "mailto:x@i.example",
    "mailto:?to=y@p.example",
    "data:text/html,<a href=//j.example>",
    "javascript:x",
    "{{host}}",
    "x",
    "1",
    "width=3 ",
    "/>",
    "\">",
    "'>",
    "\" ",
    "' ",
    // In text that is not encoded, these are.
    "%3C",
    "%3c",
    "%3E",
    "%22",
    "%27",
    "%2F",
    "%3A",
    "%2E",
    "%26",
    "%00",
    "%0A",
    "%20",
    "%25",
    "%41",
    "%77",
    "%C3%A9",
    "%C3",
    "%A9",
    "%cA",
    "%ED%A0%80",
    "%E2%80%94",
    "%F0%9F%98%80",
    "%FF",
    "%2",
    "%g0",
    "%%3C",
];

/// The hosts in the order in which they are first found, and what else is told.
type Answer = Result<(Vec<String>, Sent), NotUtf8>;

/// The walk finds the same hosts as the scanner, and the same texts that are not UTF-8.
pub(crate) fn sent(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let html = if rng.one_in(3) {
        corpus.text(rng)
    } else {
        let count = rng.below(24);
        (0..count)
            .filter_map(|_| rng.pick(PIECES).copied())
            .collect()
    };
    let mut text = encoded(&html, rng);
    for _ in 0..rng.below(3) {
        spoil(&mut text, rng);
    }
    let setting = if rng.one_in(8) {
        HtmlEncoding::Always
    } else {
        HtmlEncoding::Detect
    };
    let (walked, decoded) = (walked(&text, setting), decoded(&text, setting));
    ensure!(
        walked == decoded,
        "{text:?} has {decoded:?}, and the walk finds {walked:?}"
    );
    Ok(())
}

/// As one of many encoders leaves it.
fn encoded(html: &str, rng: &mut Rng) -> String {
    let left: &[u8] = match rng.below(8) {
        0 => return html.to_string(),
        1 => b"-_.!~*'()",
        2 => b"-_.~/",
        3 => b"-_.~!$&'()*+,;=:@/?#[]",
        4 => b"",
        _ => b"-_.*",
    };
    let (space, lower) = (rng.one_in(3), rng.one_in(4));
    let mut text = String::new();
    for byte in html.bytes() {
        match byte {
            b' ' if !space => text.push('+'),
            _ if byte.is_ascii_alphanumeric() || left.contains(&byte) => text.push(byte.into()),
            _ if lower => text.push_str(&format!("%{byte:02x}")),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Changes a character or a few.
fn spoil(text: &mut String, rng: &mut Rng) {
    let bounds: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let at = rng.pick(&bounds).copied().unwrap_or_default();
    let end = bounds
        .iter()
        .copied()
        .find(|end| *end >= at + 1 + rng.below(8))
        .unwrap_or(text.len());
    match rng.below(6) {
        0 => text.insert_str(at, &format!("%{:02X}", rng.below(256))),
        1 => text.insert_str(at, &format!("%{:02x}", rng.below(256))),
        2 => text.insert(at, char::from(u8::try_from(rng.below(128)).unwrap_or(b'x'))),
        3 => text.replace_range(at..end, ""),
        4 => text.truncate(at),
        _ => {
            let copy = text.get(at..end).unwrap_or_default().to_string();
            text.insert_str(at, &copy);
        }
    }
}

fn walked(text: &str, setting: HtmlEncoding) -> Answer {
    let mut hosts = Distinct::default();
    let sent = links::visit_sent_hosts(text, setting, &mut Scratch::default(), &mut |host| {
        hosts.add(host);
    })?;
    Ok((hosts.in_order, sent))
}

fn decoded(text: &str, setting: HtmlEncoding) -> Answer {
    let decoded = html::decode(text, setting)?;
    let mut hosts = Distinct::default();
    let mut hidden = None;
    if !decoded.is_blank() {
        hidden = links::visit_hosts(&decoded.html, &mut Scratch::default(), &mut |host| {
            hosts.add(host);
        });
    }
    let sent = Sent {
        encoding: decoded.encoding,
        is_blank: decoded.is_blank(),
        hidden,
    };
    Ok((hosts.in_order, sent))
}

#[derive(Debug, Default)]
struct Distinct {
    seen: BTreeSet<String>,
    in_order: Vec<String>,
}

impl Distinct {
    fn add(&mut self, host: &str) {
        if self.seen.insert(host.to_string()) {
            self.in_order.push(host.to_string());
        }
    }
}
