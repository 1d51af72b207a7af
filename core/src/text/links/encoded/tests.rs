use super::*;
use crate::text::form::{HtmlEncoding, NotUtf8, decode, encode};
use crate::text::links::{Scratch, Sent, visit_hosts, visit_sent_hosts};
use alloc::format;
use alloc::string::String;
use proptest::prelude::*;

/// The hosts found in the order in which they are first found, and what else is told.
type Answer = Result<(Vec<String>, Sent), NotUtf8>;

fn distinct(hosts: Vec<String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for host in hosts {
        if !distinct.contains(&host) {
            distinct.push(host);
        }
    }
    distinct
}

fn encoded(text: &str) -> Answer {
    let mut hosts = Vec::new();
    let sent = visit_sent_hosts(
        text,
        HtmlEncoding::Detect,
        &mut Scratch::default(),
        &mut |host| hosts.push(host.into()),
    )?;
    Ok((distinct(hosts), sent))
}

fn decoded(text: &str) -> Answer {
    let decoded = decode(text, HtmlEncoding::Detect)?;
    let mut hosts = Vec::new();
    let mut hidden = None;
    if !decoded.is_blank() {
        hidden = visit_hosts(&decoded.html, &mut Scratch::default(), &mut |host| {
            hosts.push(host.into());
        });
    }
    let sent = Sent {
        encoding: decoded.encoding,
        is_blank: decoded.is_blank(),
        hidden,
    };
    Ok((distinct(hosts), sent))
}

/// Whether a text is read without decoding all of it.
fn is_walked(text: &str) -> bool {
    walk(text.as_bytes(), &mut Buffers::default(), &mut |_| false)
}

/// As JavaScript's `encodeURIComponent` leaves it.
fn encode_component(html: &str) -> String {
    ["%21!", "%27'", "%28(", "%29)", "%2A*"]
        .iter()
        .fold(encode(html).replace('+', "%20"), |text, pair| {
            text.replace(&pair[..3], &pair[3..])
        })
}

/// As `quote` of Python leaves it.
fn encode_path(html: &str) -> String {
    encode(html).replace('+', "%20").replace("%2F", "/")
}

#[test]
fn ordinary_mail_is_walked_however_it_is_encoded() {
    let html = "<!DOCTYPE html>\r\n<html xmlns:v=\"urn:x\"><head><meta name=\"viewport\" content='w'>\n<title>A < b</title>\
        <style>p{color:red}@media screen{td{background:url(//css.example/x)}}</style></head><body style=\"margin:0\">\
        <!-- preview --><!--[if mso]><v:fill src=\"//vml.example/x\"/><![endif]-->\
        <a href=\"https://www.a.example/x?y=1&amp;z\" style='color:rgb(1,2,3)'>it&#8217;s caf&eacute; &amp; na\u{ef}ve</a>\
        <img src=https://b.example alt=\"\" /><td background=\"//c.example\" width = 3 nowrap>www.d.example, http://e.example/\
        </td ><a href='#x'>1.5 now. soon</a><a name=x href=\"https://f.example\">x</a><br/></body></html>";
    let expected = [
        "css.example",
        "vml.example",
        "www.a.example",
        "b.example",
        "c.example",
        "www.d.example",
        "e.example",
        "f.example",
    ];
    for text in [encode(html), encode_component(html), encode_path(html)] {
        assert!(is_walked(&text), "{text}");
        assert_eq!(encoded(&text).unwrap().0, expected);
        assert_eq!(encoded(&text), decoded(&text));
    }
}

#[test]
fn what_follows_characters_beyond_ascii_is_no_part_of_them() {
    for text in ["x%E2%80%94+dear", "x%C3%A9faced", "x%C3%A9%20%C3%A9aa"] {
        assert!(is_walked(text), "{text}");
        assert_eq!(encoded(text), decoded(text));
    }
}

#[test]
fn what_is_not_ordinary_is_decoded_as_a_whole() {
    for html in [
        "<svg><a href='//a.example'>",
        "<script><a href='//a.example'></script>",
        "<base href='//a.example'>",
        "a\0<a href='//a.example'>",
        "ww</>w.a.example",
        "</3 x=\"><a href=//a.example>\">",
    ] {
        let text = encode(html);
        assert!(!is_walked(&text), "{html}");
        assert_eq!(encoded(&text), decoded(&text));
    }
    for text in [
        "<a href='//a.example'>",
        "%3C%61+href%3D%27//a.example%27%3E",
        "%77ww.a.example",
        "www%2Ea.example",
        "%3Ca+href=%27//a.example%27%3E",
        "%",
        "+%0A",
        "",
        "%FF",
        "a%C3",
        "a%C3xa9",
        "http://a.example",
    ] {
        assert!(!is_walked(text), "{text}");
        assert_eq!(encoded(text), decoded(text), "{text}");
    }
}

#[test]
fn no_reference_that_is_passed_over_makes_text_a_link() {
    let mark = |value: &str| value.contains(['.', ':', 'w', 'W']);
    for (name, value) in html_escape::NAMED_ENTITIES {
        let name = core::str::from_utf8(name).unwrap();
        assert!(!mark(value) || matches!(name, "colon" | "period"), "{name}");
    }
    let mut buffers = Buffers::default();
    for number in 0..70_000_u32 {
        for text in [format!("&#{number};"), format!("&#0{number};")] {
            let text = encode(&text);
            let mut found = |_: Found<'_>| false;
            let walk = Walk::new(text.as_bytes(), &mut buffers, &mut found);
            let is_mark = char::from_u32(number).is_some_and(|c| mark(c.encode_utf8(&mut [0; 4])));
            assert!(!is_mark || walk.may_be_mark(3), "{number}");
        }
    }
}

#[test]
fn references_that_make_text_a_link_are_read_and_others_are_passed_over() {
    for html in [
        "<p>http&colon;//a.example",
        "<p>http&#58;//a.example",
        "<p>http&#x3a;//a.example",
        "<p>www&period;a.example",
        "<p>www&#46;a.example",
        "<p>ww&#119;.a.example",
        "<p>http:&sol;/a.example",
        "<p>http:/&#47;a.example",
        "<p>&nbsp;www.a.example &amp; &eacute;",
        "<p>&ampwww.a.example",
        "<p>&www.a.example",
        "<p>&#8217;www.a.example",
    ] {
        let text = encode(html);
        assert!(is_walked(&text), "{html}");
        assert_eq!(encoded(&text), decoded(&text), "{html}");
    }
    for html in [
        "http&colon;//a.example",
        "www&period;a.example",
        "ww&#119;.a.example",
    ] {
        let hosts = encoded(&encode(html)).unwrap().0;
        let name = if html.starts_with("http") {
            "a.example"
        } else {
            "www.a.example"
        };
        assert_eq!(hosts, [name], "{html}");
    }
}

const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "\"",
    "'",
    "=",
    " ",
    "\n",
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
    "é",
    "\0",
    "\u{3000}",
    "<a ",
    "<td ",
    "<style",
    "<title",
    "<textarea>",
    "<meta ",
    "<base ",
    "<object ",
    "<p>",
    "</p>",
    "</style>",
    "</title",
    "<!--",
    "-->",
    "<!--[if",
    "]>",
    "<![endif]",
    "<!doctype html>",
    "<?x",
    "</>",
    "<svg>",
    "</svg>",
    "<script>",
    "</script>",
    "<v:x ",
    "<iframe ",
    "href=",
    "href = ",
    "src=",
    "HREF=\"",
    "style=\"",
    "srcset='",
    "content=\"0;url=",
    "http-equiv=refresh ",
    "data=\"",
    "xlink:href=\"",
    "background='",
    "https://a.example",
    "http://b.example/",
    "//c.example/x",
    "www.d.example",
    "HTTPS://e.example:80",
    "https://f.example?",
    "url(",
    ")",
    "url('//g.example')",
    "@import '//h.example'",
    "\\75",
    "&amp;",
    "&colon;",
    "&period;",
    "&#119;",
    "&#46;",
    "&#8217;",
    "&nbsp;",
    "www",
    "http",
    "://",
    "wWw.",
    "mailto:x@i.example",
    "data:text/html,<a href=//j.example>",
    "x",
    "width=3 ",
    " width=\"3\"",
    " alt=\"",
    " style=\"color:red;margin:0 0 0 0\"",
    " href=\"https://www.k.example/x?y=1&amp;z\"",
    " src=\"//l.example\"",
    " data=\"//m.example\"",
    "<td",
    "</td>",
    "<meta",
    " http-equiv=\"Refresh\"",
    " http-equiv=\"Content-Type\"",
    " content=\"0;url=//n.example\"",
    "rgb(",
    "@media (",
    "image-set('//o.example')",
    "\r\n",
    "/>",
    "\">",
    "'>",
];

fn html() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_walk_finds_what_the_scanner_finds(html in html(), cut in 0_usize..40) {
        for text in [encode(&html), encode_component(&html), encode_path(&html)] {
            let text = text.get(..text.len().saturating_sub(cut)).unwrap_or_default();
            prop_assert_eq!(encoded(text), decoded(text), "{}", html);
        }
        // Far from the end, more is read at once.
        let text = format!("{}%22%3E{}", encode(&html), "x".repeat(80));
        prop_assert_eq!(encoded(&text), decoded(&text), "{}", html);
        prop_assert_eq!(encoded(&html), decoded(&html));
    }

    #[test]
    fn escapes_of_any_byte_are_read_as_when_decoded(html in html(), at in any::<prop::sample::Index>(), escape in "%[0-9a-fA-F]{2}") {
        let mut text = encode(&html);
        let at = at.index(text.len() + 1);
        text.insert_str(at, &escape);
        text.push_str("%22%3Exxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        prop_assert_eq!(encoded(&text), decoded(&text), "{}", text);
    }
}
