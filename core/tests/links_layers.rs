//! Checks that a host is found, or the mail refused, if it is in a text inside another text, in another charset, or read by
//! other rules.
//!
//! Each class is a way by which a reader gets to a host that the letters of the document do not show.

use crate::links_classes::{HOST, base64};
use franking::domain::walk;
use franking::html::hosts;

/// The name that is reported for HTML in which any host could be hidden.
const OPEN: &str = "computed.invalid";

/// A class and its documents, in which `HOST` is the host.
struct Class {
    name: &'static str,
    documents: Vec<String>,
}

fn class<const N: usize>(name: &'static str, documents: [&str; N]) -> Class {
    let documents = documents.map(|html| html.replace("HOST", HOST)).to_vec();
    Class { name, documents }
}

/// A class whose documents have `inner` in base64 in place of `{}`. `escape` writes the character at two thirds of the
/// base64.
fn in_base64(
    name: &'static str,
    documents: &[(&str, &str)],
    escape: impl Fn(char) -> String,
) -> Class {
    let documents = documents.iter().map(|(outer, inner)| {
        let encoded = base64(&inner.replace("HOST", HOST));
        let at = encoded.len() * 2 / 3;
        let (head, tail) = encoded.split_at(at);
        let mut rest = tail.chars();
        let escaped = escape(rest.next().unwrap());
        outer.replace("{}", &format!("{head}{escaped}{}", rest.as_str()))
    });
    Class {
        name,
        documents: documents.collect(),
    }
}

fn inside_css() -> Vec<Class> {
    vec![
        in_base64(
            "the marker or a letter of base64 is escaped in CSS",
            &[
                (
                    "<iframe srcdoc=\"<style>@import 'data:text/css;base\\36 4,{}'</style>\">",
                    "@import '//HOST/a'",
                ),
                (
                    "<link rel=stylesheet href='d&#97;ta:text/css,@import \"d\\61ta:text/css;base64,{}\"'>",
                    "@import 'http://HOST/a'",
                ),
                (
                    "<svg><rect filter=\"url(&#34;data:image/svg+xml;base\\36 4,{}#x&#34;)\"/>",
                    "<svg><image href='http://HOST/a'/></svg>",
                ),
                (
                    "<svg><style>@imp&#111;rt \"data:text/css;base\\36 4,{}\"</style>",
                    "@import '//HOST/a'",
                ),
            ],
            |letter| format!("\\{:x} ", u32::from(letter)),
        ),
        class(
            "several levels of escapes of CSS",
            [
                "<style>@import \"data:text/css,@import \\22 data:text/css,@import 'ht\\5c 5c 74p:\\5c 5c 2f\\5c 5c 2fHOST/a'\\22 \";</style>",
                "<svg><style>@import \"data:text/css,@import 'h\\5c 74 tp:\\5c 2f\\5c 2f HOST/a'\"</style>",
                "<p style=\"background:url('data:image/svg+xml,<svg><style>@import \\5c 22 http\\5c 3a//HOST/a\\5c 22 </style>')\">",
            ],
        ),
        class(
            "a percent sign that is escaped in CSS",
            [
                "<iframe srcdoc=\"<style>@import 'data:text/css,@import &quot;http:\\25 2f\\25 2fHOST/a&quot;'</style>\">",
                "<svg><style>@import 'data:text/css,@import \"ht\\25 74p:\\25 2f/HOST/a\"'</style>",
                "<svg><style>@import 'data:text/css,@import \"http:\\000025 2f\\000025 2fHOST\"'</style>",
            ],
        ),
        class(
            "image-set in a sheet of a data URL, written otherwise",
            [
                "<link rel=stylesheet href=\"data:text/css,b{background:im\\61 ge-set(var(--n) 1x)}\"><p style=\"--n:'http://HOST/a'\"><b>x",
                "<style>@import \"data:text/css,b{background:image-s\\5c 65t(var(--n) 1x)}\"</style><p style=\"--n:'http://HOST/a'\"><b>x",
                "<link rel=stylesheet href=\"data:text/css,b{background:image-&#9;set(var(--n) 1x)}\"><p style=\"--n:'http://HOST/a'\"><b>x",
            ],
        ),
    ]
}

fn parted() -> Vec<Class> {
    vec![
        in_base64(
            "base64 that markup parts",
            &[
                (
                    "<svg><style>@import \"data:text/css;base64,{}\"</style>",
                    "@import '//HOST/a'",
                ),
                (
                    "<svg><style>@import \"data:text/css;bas<!-- -->e64,{}\"</style>",
                    "@import '//HOST/abc'",
                ),
                (
                    "<math><mtext><style>@import \"data:text/css;base64,{}\"</style>",
                    "@import 'http://HOST/a'",
                ),
            ],
            |letter| format!("<!-- -->{letter}"),
        ),
        class(
            "escapes that markup parts",
            [
                "<svg><style>@import \"data:text/css,@import 'http:%2<!-- -->f/HOST/a'\"</style>",
                "<svg><style>@import \"data:text/css,@import 'http:%<![CDATA[2]]>f/HOST/a'\"</style>",
                "<svg><style>@import \"data:text/css,@import 'http:/%2<b>f</b>HOST/a'\"</style>",
            ],
        ),
        class(
            "escapes that tabs and line breaks part",
            [
                "<iframe src=\"data:text/html,<img src=http:%2&#9;f%2&#9;fHOST/a>\">",
                "<link rel=stylesheet href=\"data:text/css,@import 'http:%2&#10;f%2&#10;fHOST/a'\">",
                "<style>@import \"data:text/css,@import 'http:%2\\9 f%2\\9 fHOST/a'\"</style>",
            ],
        ),
        class(
            "words of computed hosts that tabs and line breaks part",
            [
                "<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENT&#9;ITY e 'tp:/'>]><html xmlns='http://www.w3.org/1999/xhtml'><img src='ht&amp;e;/HOST/a'/></html>\">",
                "<iframe src=\"da&#10;ta:text/xml,<!DOCTYPE x[<!ENTITY e 'tp:/'>]><img xmlns='http://www.w3.org/1999/xhtml' src='ht&amp;e;/HOST/a'/>\">",
                "<iframe src=\"data&Tab;:text/xml,<!DOCTYPE x[<!ENTITY e 'tp:/'>]><img src='ht&amp;e;/HOST/a'/>\">",
                "<iframe src=\"data:image/svg+xml,<svg><sty&#9;le>@import 'ht<g>x</g>tp://HOST/a'</style></svg>\">",
            ],
        ),
    ]
}

fn layers() -> Vec<Class> {
    vec![
        in_base64(
            "base64 whose letters are percent-encoded or references",
            &[
                (
                    "<iframe src=\"data:text/html,<iframe src=%22data:text/html;base64,{}%22>\">",
                    "<img src=http://HOST/a>",
                ),
                (
                    "<iframe src='data:text/html,<iframe src=data:text/html;base64,{}>'>",
                    "<a href=http://HOST/>x</a>",
                ),
                (
                    "<object data='data:text/html,<embed src=%27data:image/svg+xml;base64,{}%27>'>",
                    "<svg><image href='//HOST/a'/></svg>",
                ),
            ],
            |letter| format!("%25{:02x}", u32::from(letter)),
        ),
        in_base64(
            "base64 whose letters are references several levels deep",
            &[
                (
                    "<iframe srcdoc=\"<iframe srcdoc=&quot;<iframe src=&amp;quot;data:text/html;base64,{}&amp;quot;>&quot;>\">",
                    "<img src=http://HOST/a>",
                ),
                (
                    "<svg><iframe srcdoc=\"<iframe src=&quot;data:text/html;base64,{}&quot;>\">",
                    "<a href=http://HOST/>x</a>",
                ),
                (
                    "<iframe srcdoc=\"<link rel=stylesheet href=&quot;data:text/css;base64,{}&quot;>\">",
                    "@import '//HOST/a'",
                ),
            ],
            |letter| format!("&amp;amp;#{};", u32::from(letter)),
        ),
        class(
            "percents between two levels of references",
            [
                "<iframe srcdoc=\"<iframe srcdoc='<img src=http:&amp;amp;#x2f;&amp;amp;#x2f;x%23@HOST/a>'>\">",
                "<iframe srcdoc=\"<iframe srcdoc='<a href=ht&amp;amp;#x74;p:&amp;amp;#x2f;/x%2f@HOST/a>'>\">",
                "<iframe srcdoc=\"<iframe src='data:text/html,<img src=http:&amp;#x2f;/x%253f@HOST/a>'>\">",
            ],
        ),
        class(
            "references without a semicolon before percents",
            [
                "<iframe src=\"data:text/html,<iframe srcdoc='<img src=http://listed&amp;amp%3b%2346;example/>'>\">",
                "<iframe src=\"data:text/html,<iframe srcdoc='<img src=http://lis&amp;amp%3b%23116;ed.example/>'>\">",
                "<iframe src=\"data:text/html,<iframe srcdoc='<a href=http:/&amp;amp%3b%2347;HOST/>x</a>'>\">",
            ],
        ),
        Class {
            name: "documents in documents beyond four levels",
            documents: (4..7)
                .map(|depth| {
                    (0..depth).fold(
                        format!("<img src='ht&#116;p:&#x2f;&#x2f;x%2f@{HOST}/a'>"),
                        |html, _| {
                            let encoded = html
                                .replace('%', "%25")
                                .replace('#', "%23")
                                .replace('"', "%22");
                            format!(
                                "<iframe src=\"data:text/html,{}\">",
                                encoded.replace('&', "&amp;")
                            )
                        },
                    )
                })
                .collect(),
        },
    ]
}

fn charsets() -> Vec<Class> {
    vec![
        class(
            "the escapes of ISO-2022-JP that take an at sign",
            [
                "<iframe srcdoc=\"<img src='http://x&amp;#27;(@HOST/a'>\">",
                "<svg><style>@import \"http://x&#27;(@HOST/a\"</style>",
                "<svg><rect mask=\"url('http://x&#27;(@HOST/a')\"/>",
                "<svg><image><set attributeName=href to=\"http://x&#27;(@HOST/a\" /></image>",
            ],
        ),
        class(
            "a data URL whose bytes are not UTF-8",
            [
                "<iframe src=\"data:text/html,<img src=http://li%ADsted.example/a>\">",
                "<object data=\"data:text/html;charset=iso-8859-1,<img src=http://list%ADed.example/a>\"></object>",
                "<embed src=\"data:text/html,<a href=http://listed.ex%AAmple/>x</a>\">",
                "<iframe src=\"data:text/html;base64,PGltZyBzcmM9aHR0cDovL2xpc3StZWQuZXhhbXBsZS9hPg==\">",
            ],
        ),
        class(
            "a data URL in a charset of Asia",
            [
                "<iframe src=\"data:text/html;charset=gbk,<img src=http://%A3%ECisted.example/a>\">",
                "<iframe src=\"data:text/html,<meta charset=euc-jp><img src=http://%A3%ECisted.example/a>\">",
                "<link rel=stylesheet href=\"data:text/css,@charset 'shift_jis';@import 'http://%82%8Cisted.example/a'\">",
                "<iframe src=\"data:text/html;charset=iso-2022-jp,<img src=http://%1B$B%23l%1B(Bisted.example/a>\">",
            ],
        ),
        class(
            "a data URL in UTF-16",
            [
                "<iframe src=\"data:text/html;charset=utf-16le,%3C%00i%00m%00g%00 %00s%00r%00c%00=%00/%00/%00%4C%FFi%00s%00t%00e%00d%00.%00e%00x%00a%00m%00p%00l%00e%00>%00\">",
                "<link rel=stylesheet href=\"data:text/css,%FE%FF%00@%00i%00m%00p%00o%00r%00t%00'%00/%00/%FF%4Cisted\">",
                "<iframe src=\"data:text/html,%FF%FE%3C%00a%00 %00h%00r%00e%00f%00=%00/%00/%00%4C%FF%53%FF\">",
            ],
        ),
        class(
            "a soft hyphen in a data URL",
            [
                "<iframe src=\"data:text/html,<img src=http://lis&shy;ted.example>\">",
                "<iframe src=\"data:text/html,<img src=http://listed.ex\u{ad}ample/a>\">",
                "<object data='data:text/html,<a href=//l\u{ad}isted.example>x</a>'></object>",
            ],
        ),
        class(
            "a meta that names another charset",
            [
                "<meta charset=iso-2022-jp>\u{1b}$B<!--\u{1b}(B<img src=\"http://HOST/a\">",
                "<meta charset=iso-2022-jp><img src=\"http://lis\u{1b}(Bted.example/a\">",
                "<meta http-equiv=content-type content='text/html; charset=iso-2022-jp'><img src=\"http://listed\u{1b}$B!%\u{1b}(Bexample\">",
            ],
        ),
    ]
}

fn readers() -> Vec<Class> {
    vec![
        class(
            "what readers in a terminal see",
            [
                "<!-- a -- > <a href=\"http://HOST/\">x</a> -->",
                "<iframe><a href=\"//HOST\">x</a></iframe>",
                "<a\u{b}href=\"http://HOST/\">x</a>",
                "<a hr\u{e}ef=\"http://HOST/\">x</a>",
                "<noframes><a href=\"//HOST\">x</a></noframes>",
            ],
        ),
        class(
            "an attribute that is repeated",
            [
                "<a href=\"http://a.example/\" href=\"http://HOST/\">x</a>",
                "<img src=a.png src=//HOST/a>",
                "<a href=# HREF='https://HOST'>x</a>",
            ],
        ),
        class(
            "file: with any slashes",
            [
                "<a href='file:///\\\\HOST\\test\\x.rtf!y'>x</a>",
                "<a href='file:////HOST/x'>x</a>",
                "<a href='file:\\\\\\\\HOST\\x'>x</a>",
                "<a href='\\\\HOST@SSL\\DavWWWRoot\\x'>x</a>",
                "<a href='file://HOST@80/x'>x</a>",
            ],
        ),
        class(
            "schemes that carry another URL",
            [
                "<a href='microsoft-edge:https://HOST'>x</a>",
                "<a href='ms-word:ofe|u|https://HOST/a.docx'>x</a>",
                "<a href='itms-services://?action=download-manifest&amp;url=https://HOST/a'>x</a>",
                "<a href='intent://a.example#Intent;S.browser_fallback_url=https%3A%2F%2FHOST;end'>x</a>",
                "<a href='view-source:https://HOST'>x</a>",
            ],
        ),
        class(
            "addresses in mailto:",
            [
                "<a href='mailto:x@HOST;y@a.example'>x</a>",
                "<a href='mailto:Bob%20<x@HOST>'>x</a>",
                "<a href='mailto:A%20<b>%20<x@HOST>'>x</a>",
                "<a href='mailto:x@HOST.'>x</a>",
            ],
        ),
        class(
            "where a link in text ends",
            [
                "<p>http://HOST,x",
                "<p>http://HOST)x",
                "<p>http://HOST;x",
                "<p>http://HOST&amp;x",
                "<p>http://HOST\u{3092}\u{3054}\u{89a7}\u{304f}\u{3060}\u{3055}\u{3044}",
            ],
        ),
        class(
            "where a link in text begins",
            [
                "<p>\u{3053}\u{3061}\u{3089}http://HOST/",
                "<p>x/http://HOST",
                "<p>@http://HOST",
                "<p>_http://HOST",
                "<p>ftp://HOST/x",
            ],
        ),
    ]
}

fn classes() -> Vec<Class> {
    let mut classes = inside_css();
    classes.extend(parted());
    classes.extend(layers());
    classes.extend(charsets());
    classes.extend(readers());
    classes
}

/// Whether the host, or that any host could be hidden, is reported.
fn is_found_or_open(html: &str) -> bool {
    hosts(html)
        .iter()
        .any(|found| found == OPEN || walk(found).any(|parent| parent == HOST))
}

fn check(vary: impl Fn(&str) -> String) {
    let mut missed = Vec::new();
    for class in classes() {
        for html in class.documents {
            if !is_found_or_open(&vary(&html)) {
                missed.push(format!("{}: {html}", class.name));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn there_are_three_documents_of_each_class() {
    for class in classes() {
        assert!(class.documents.len() >= 3, "{}", class.name);
    }
    assert!(classes().len() >= 24);
}

#[test]
fn each_class_alone() {
    check(str::to_owned);
}

#[test]
fn each_class_in_the_middle_of_an_ordinary_mail() {
    check(|html| {
        format!(
            "<!doctype html><html><body><table><tr><td><p>Hello <a href=https://b.example/>you</a></p>{html}"
        )
    });
}

#[test]
fn each_class_after_a_tag_that_depends_on_a_tree() {
    check(|html| format!("<svg></svg>{html}"));
}
