use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::{Clause, hidden_host, hosts};

fn found(html: &str) -> Vec<String> {
    hosts(html).iter().map(String::from).collect()
}

fn clause(html: &str) -> Option<Clause> {
    hidden_host(html).map(|hidden| hidden.clause)
}

#[test]
fn a_host_begins_after_slashes_a_scheme_or_with_www() {
    for (text, host) in [
        ("x//a.example/", "a.example"),
        ("\\\\a.example\\", "a.example"),
        ("HTTP:a.example", "a.example"),
        ("https:/a.example", "a.example"),
        ("wss:///a.example?", "a.example"),
        ("xwww.a.example#", "www.a.example"),
        ("//u:p@a.example:80/", "a.example"),
        ("mailto:x@a.example", "a.example"),
        ("mailto:?to=x%40a.example", "a.example"),
        ("mailto:Bob <x@a.example>", "a.example"),
        (
            "<e srcdoc='<a href=\"mailto:y>?cc=x%40a.example\">'>",
            "a.example",
        ),
        (
            "<e srcdoc='<a href=&quot;mailto:y>,x@a.example&quot;>'>",
            "a.example",
        ),
        ("//[::1]:80/", "[::1]"),
        ("//a.example\"x", "a.example"),
        ("//a.example)x", "a.example"),
        ("//a.example, x", "a.example"),
        ("//a.example;x", "a.example"),
        ("//a.example\u{a0}x", "a.example"),
        ("'http://u\"x@a.example'", "a.example"),
        ("'http://u'x,y@a.example'", "a.example"),
        ("ht\ntp:\t//a.ex\0ample/", "a.example"),
        ("http:&#x2f;/a&period;example/", "a.example"),
        ("u\\72l(\\2f/a\\.example/)", "a.example"),
        ("&#92;2f/a.example/", "a.example"),
        ("//%61.example/", "a.example"),
        ("//a b.shop.example/", "shop.example"),
        ("<a href=//a\u{3000}b.shop.example >", "shop.example"),
        ("//\u{e9}www.a.example/", "www.a.example"),
        ("//a^www.shop.example/", "www.shop.example"),
        ("http:/</>/a.example/", "a.example"),
        ("http://</>a.example/", "a.example"),
        ("http://a.</></>example/", "a.example"),
        ("<e srcdoc=\"http://</>a.example\">", "a.example"),
        ("<e srcdoc=\"<p>http:&#x2f;/</>a.example\">", "a.example"),
        ("<style>www.).a.example<b>", "www.).a.example"),
        ("<script>www.a.example-\nb", "www.a.example"),
        ("<style>www.x\nwww.a.example\nwww.y", "www.a.example"),
        ("<style>www.;.a.example\nx", "www.;.a.example"),
        ("<e srcdoc='<a href=//a.example&#1;&#31;>'>", "a.example"),
        ("<e srcdoc='http://a.example.&#1;&#31;<p>'>", "a.example"),
        (
            "<e srcdoc='www.x&#10;www.a.example&#10;www.y'>",
            "www.a.example",
        ),
        ("<style>http://x,.a.example<b>", "x,.a.example"),
        ("<p>http://,.a.example\u{3002}<b>", ",.a.example"),
        ("<noscript //a.example><frameset></noscript", "a.example"),
        ("<object data='http://a&#39;b.example'x>", "a'b.example"),
        ("<object data=\"//a&quot;b.example\"x>", "a\"b.example"),
        ("<p style='b:url(//a\\)b.example)x'>", "a)b.example"),
        ("<a href='mailto:a&gt;b&#64;a.example'>", "a.example"),
    ] {
        let html = format!("<svg>{text}");
        assert!(
            found(&html).contains(&host.into()),
            "{html} {:?}",
            found(&html)
        );
        assert_eq!(clause(&html), None, "{html}");
    }
    for text in ["a.example", "x@a.example", "// a note.", "http:"] {
        assert!(found(&format!("<svg>{text}")).is_empty(), "{text}");
    }
}

#[test]
fn a_host_from_www_on_is_found_however_long_it_is_written() {
    let ignored = "\u{ad}".repeat(10_000);
    let hosts = found(&format!("<svg>http://xwww.\u{e9}{ignored}.example/"));
    assert!(hosts.contains(&"www.xn--9ca.example".into()), "{hosts:?}");
}

#[test]
fn an_escape_that_markup_cuts_may_be_within_others() {
    let html =
        r#"<svg><style>@import "data:x/y,%40import%20%22%5C000064a%5C0000%3\<g></g>37 4"</style>"#;
    assert_eq!(
        clause(&html.replace(r"\\", r"\")),
        Some(Clause::MarkupInUrl)
    );
}

#[test]
fn a_host_in_bytes_of_no_charset_is_open() {
    for byte in ["%e9", "%f5", "%fc", "%ff"] {
        let html = format!("<iframe src='data:text/html,//{byte}a.example/'>");
        assert_eq!(clause(&html), Some(Clause::Charset), "{html}");
    }
}

#[test]
fn a_tag_in_the_value_of_another_one_is_read_to_its_end() {
    let html = "<svg><link title=\"<link charset=utf-16 \" rel=stylesheet href='data:text/css,x'>";
    assert_eq!(clause(html), Some(Clause::Charset));
    let html = "<svg><link title=\"<link href='data:text/css,x' \" charset=utf-16>";
    assert_eq!(clause(html), Some(Clause::Charset));
    let html =
        r#"<svg><script x='<script type="application/ld+json" ' y='"'>{"x":"\u002f/a.example/"}"#;
    assert_eq!(found(html), ["a.example"]);
}

#[test]
fn each_charset_of_a_data_url_counts() {
    let html = "<iframe src='data:text/html;charset=utf-8;charset=gbk,//\u{e9}a.example/'>";
    assert_eq!(clause(html), Some(Clause::Charset));
}

#[test]
fn markup_directly_after_the_beginning_of_a_url_in_a_style_is_open() {
    for sheet in [
        "@import '//a<g>b</g>c.example'",
        "@import 'ht<g>tp://a.example'",
        "@import \"<!-- -->d<g>ata:text/css,x\"",
        "@im<g>port '//a.example'",
        "@import <g></g>url(//a.example)",
        "@import u<g>rl(//a.example)",
        "p{background:url(http:<![CDATA[//a.example)",
        "p{background:url( \n/<g>/a.example)",
        "p{background:url(&#104;ttp:/<g>/a.example)",
        "p{background:url(http:\\2f<g>/a.example)",
        "p{background:url(data:text/<g>html,x)",
        "p{background:url(data:text/html;base64,AA<g>AA)",
        "p{x:'<g>http:<b>//a.example'",
        "@import '//a]]>b.example'",
    ] {
        for html in [
            format!("<svg><style>{sheet}</style>"),
            format!("<svg><x:style>{sheet}</x:style>"),
        ] {
            assert_eq!(clause(&html), Some(Clause::MarkupInUrl), "{html}");
            assert!(found(&html).contains(&"computed.invalid".into()));
        }
        let escaped = sheet.replace('&', "&amp;").replace('"', "&quot;");
        let html = format!("<iframe srcdoc=\"<style>{escaped}</style>\">");
        assert!(clause(&html).is_some(), "{html}");
    }
    for sheet in [
        "@import '//a.example/x'; <g>",
        "p{color:red}<g>",
        "p{background:url(//a.example/)}<g>",
        "@media (400px<width){}",
        "p{background:url(\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>\")}",
        "<!-- p{color:red} -->",
        "p{content:'<b>'}",
    ] {
        let html = format!("<svg></svg><style>{sheet}</style>");
        assert_eq!(clause(&html), None, "{html}");
    }
}

#[test]
fn a_style_ends_at_its_end_tag_and_not_at_one_within_a_tag_or_a_comment() {
    for html in [
        "<svg><style><g a='</style'/>@import '//<g/>a.example'",
        "<svg><style><g/><!--</style>-->@import '//<g/>a.example'",
        "<svg><style><![CDATA[</style>]]>@import '//<g/>a.example'",
        "<math/<style><l'</style'//<b",
        "<svg><style @import '//<b></style",
    ] {
        assert_eq!(clause(html), Some(Clause::MarkupInUrl), "{html}");
    }
    for html in [
        "<svg><style></style a='//<g/>a.example'>",
        "<svg><style><!----></style>@import '//<g/>a.example'",
        "<svg><style><![CDATA[]]></style>@import '//<g/>a.example'",
    ] {
        assert_eq!(clause(html), None, "{html}");
    }
}

#[test]
fn a_named_reference_without_its_semicolon_in_a_host_is_open() {
    for html in ["<svg>http://sh&copyop.example/", "<svg>//a&amp=b.example/"] {
        assert_eq!(clause(html), Some(Clause::OpenReference), "{html}");
    }
    for html in [
        "<svg>http://a.example/?x=1&copy=2",
        "<svg>http://a.example/&copyx",
        "<svg>http://a&amp;b.example/",
        "<svg>http://a&#45b.example/",
        "<a href='http://sh&copyop.example/'>",
    ] {
        assert_eq!(clause(html), None, "{html}");
    }
}

#[test]
fn an_esc_is_open_anywhere() {
    for html in [
        "a\u{1b}b",
        "<svg>&#27;",
        "<svg>\\1b",
        "<a href='data:text/html,%1b'>",
        "<!--\u{1b}-->",
    ] {
        assert_eq!(clause(html), Some(Clause::Escape), "{html}");
    }
    for html in ["&#27;", "\\1b", "%1b"] {
        assert_eq!(clause(html), None, "{html}");
    }
}

#[test]
fn a_document_in_a_document_whose_charset_matters_is_open() {
    for url in [
        "data:text/html,<img src=http://sh%ADop.example/a>",
        "data:text/html;charset=gbk,//%A3%F3.example/",
        "data:text/html,//h\u{ad}x.example/",
        "data:text/html,//\u{e9}:x@a.example/",
        "data:text/html;charset=utf-16le,x",
        "data:text/html;charset=utf-8,%FF%FEx",
        "data:text/xml,<?xml version='1.0' encoding='gbk'?>//%A3%F3.example/",
        "data:text/html,<meta charset=iso-2022-jp>x",
    ] {
        assert_eq!(
            clause(&format!("<iframe src=\"{url}\">")),
            Some(Clause::Charset),
            "{url}"
        );
    }
    for url in [
        "data:text/html;charset=utf8,//b%C3%BCcher.example/",
        "data:image/svg+xml,//b%C3%BCcher.example/",
        "data:text/html,<p title=%C3%BC>//a.example/",
        "data:image/png;charset=utf-16,x",
    ] {
        assert_eq!(clause(&format!("<iframe src=\"{url}\">")), None, "{url}");
    }
    assert_eq!(clause("<iframe srcdoc='//b\u{fc}cher.example/'>"), None);
}

#[test]
fn a_document_in_a_document_that_holds_another_one_or_computes_is_open() {
    for html in [
        "<iframe srcdoc=\"<iframe srcdoc='x'>\">",
        "<iframe srcdoc=\"<iframe src='data:text/html,x'>\">",
        "<iframe src='data:text/xml,<!ENTITY e \"tp:/\">'>",
        "<iframe src='data:text/xml,<!ATTLIST a b c>'>",
        "<iframe src='data:text/xml,http://www.w3.org/1999/XSL/Transform'>",
        "<link rel=stylesheet href='data:text/css,b{x:image-set(y)}'>",
        "<style>@import 'data:text/css,b{x:im\\\\61 ge-set(y)}'</style>",
        "<iframe srcdoc=\"<link rel=x href=data:a/b,x>\">",
        "<script type=application/ld+json>\"data:text/html,x\"</script>",
    ] {
        assert_eq!(clause(html), Some(Clause::Nested), "{html}");
    }
    for html in [
        "<iframe srcdoc=\"<img src='data:image/png;base64,AAAA'>\">",
        "<iframe srcdoc=\"<link rel=icon href='data:a/b,'>\">",
        "<iframe src='data:image/svg+xml,<!ENTITY ns \"http://a.example/2000/svg\">'>",
        "<iframe srcdoc=\"<p style='background:image-set(x)'>\">",
        "<script type=application/ld+json>\"see data:text/html,x\"</script>",
        "<script type=application/ld+json>\"<iframe src='data:text/html,x'>\"</script>",
        "<link rel=stylesheet charset=utf-8 href='data:text/css,b{}'>",
    ] {
        assert_eq!(clause(html), None, "{html}");
    }
}

#[test]
fn documents_in_documents_are_decoded_once() {
    for html in [
        "<iframe srcdoc=\"<a href='//a.example/'>\">",
        "<a href='data:text/html,%3Ca%20href=//a.example/%3E'>",
        "<a href='data:text/html;base64,PGEgaHJlZj0vL2EuZXhhbXBsZT4='>",
        "<a href='data:;base64 ,PGEgaHJl Zj0vL2EuZXhhbXBsZT4'>",
        // For some readers this is base64, for others it is text.
        "<a href='data:;base64&#11;,PGEgaHJlZj0vL2EuZXhhbXBsZT4'>",
        "<a href='data:;base64&#11;,<a href=//a.example/>'>",
        "<a href='data:;&#1;base64&#1;,PGEgaHJlZj0vL2EuZXhhbXBsZT4'>",
        "<a href='data:;base64\u{a0},<a href=//a.example/>'>",
        "<svg fill='url(\"data:text/html,//a.example/\")'>",
        "<svg><a href= data:text/html,%2f/a.example/>",
        "<svg><style>@import /* */ url( 'data:a/b,%2f/a.example/')",
        "<svg><x:link href='data:a/b,%2f/a.example/'>",
        "<svg><?xml-stylesheet href='data:a/b,%2f/a.example/'?>",
        "<svg><p srcdoc = '&#47;/a.example/'>",
        // Only white space of HTML ends a value without quotes.
        "<svg><style><iframe srcdoc=x\u{a0}&amp;#47;/a.example/>",
        "<svg><style><a href=data:text/html,\u{a0}\"'%2f/a.example/>",
        "<svg><script type=application/ld+json>{\"x\":\"\\u002f/a.example/\"}</script>",
        "<svg><script type=application/ld+json>{\"x\":\"\\u0026#47;/a.example/\"}</script>",
        "<script type=application/ld+json>{\"x\":\"http:\\/\\/a.example\\/\"}</script>",
        // Of these scripts, the tokenizer sees a text or a value alone.
        "<svg><style><script type=application/ld+json>{\"x\":\"\\u002f/a.example/\"}</script>",
        "<svg><p title='<script type=application/ld+json>{\"x\":\"\\u002f/a.example/\"}</script>'>",
        "<object data='data:a/b,//a.example/'>",
    ] {
        assert_eq!(found(html), ["a.example"], "{html}");
    }
    for html in [
        "<img src='data:image/png,//a.example/'>",
        "<img src='data:application/x,//a.example/'>",
        "<iframe src='data:image/png,//a.example/'>",
        "<link rel='shortcut icon' href='data:a/b,//a.example/'>",
    ] {
        assert!(found(html).is_empty(), "{html}");
    }
}

#[test]
fn a_span_is_that_of_what_is_written() {
    for (html, written) in [
        ("<svg>x&#27;y", "&#27;"),
        ("<svg>x\\1b y", "\\1b "),
        ("<svg>x\n&#92;1b y", "&#92;1b "),
        ("<svg>\n\t//sh&copyop.example/", "sh&copyop.example"),
        ("<svg><style>a'//x<b>", "<"),
        ("<p><a href='data:text/html,%1b'>", "data:text/html,%1b"),
        ("<svg>('data:text/html,%1b')", "data:text/html,%1b"),
    ] {
        let span = hidden_host(html).unwrap().span;
        assert_eq!(&html[span], written, "{html}");
    }
}
