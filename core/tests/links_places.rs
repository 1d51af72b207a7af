//! What the scanner of links finds, place by place and trick by trick, and what it ignores.

use franking::html::{Link, LinkPlace, hosts, links};

fn sorted(html: &str) -> Vec<String> {
    hosts(html).iter().map(String::from).collect()
}

fn check(table: &[(&str, &str)]) {
    let different: Vec<String> = table
        .iter()
        .map(|(html, expected)| (html, expected, sorted(html).join(" ")))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(html, expected, found)| format!("{html:?}: {expected:?}, found {found:?}"))
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn every_attribute_that_holds_a_url_is_searched_on_any_element() {
    for attribute in [
        "href",
        "xlink:href",
        "src",
        "srcset",
        "imagesrcset",
        "background",
        "action",
        "formaction",
        "poster",
        "codebase",
        "cite",
        "longdesc",
        "ping",
        "lowsrc",
        "dynsrc",
        "data-saferedirecturl",
        "HREF",
        "Src",
        "STYLE=x Background",
    ] {
        for element in [
            "a",
            "x",
            "v:fill",
            "svg:image",
            "td",
            "TEXTAREA",
            "meta",
            "script",
            "plaintext",
        ] {
            check(&[(
                &format!("<{element} {attribute}='//a.example/x'>"),
                "a.example",
            )]);
        }
    }
    check(&[
        ("<object data=//a.example>", "a.example"),
        ("<OBJECT DATA=//a.example>", "a.example"),
        ("<a data=//a.example>", ""),
        (
            "<a title=//a.example alt=//b.example value=//c.example>",
            "",
        ),
        ("<a ping='//a.example\n//b.example'>", "a.example b.example"),
        (
            "<img srcset='//a.example 1x, //b.example/x,y 2x,//c.example'>",
            "a.example b.example c.example",
        ),
    ]);
}

#[test]
fn tags_are_read_as_browsers_read_them() {
    check(&[
        ("<a href=//a.example/>", "a.example"),
        ("<a/href=//a.example>", "a.example"),
        ("<a\nhref\t=\r\n//a.example>", "a.example"),
        ("<a x='>'href=//a.example>", "a.example"),
        ("<a x=\"'\"href='//a.example'>", "a.example"),
        (
            "<a href=//a.example href=//b.example>",
            "a.example b.example",
        ),
        (
            "<a HREF=//a.example href=//b.example>",
            "a.example b.example",
        ),
        ("<a = href=//a.example>", "a.example"),
        ("<a href=\"//a.example/\nx", "a.example"),
        ("<a href=\"//a.example\"", "a.example"),
        ("<a href=//a.example", "a.example"),
        ("</a href=//a.example>", ""),
        ("< a href=//a.example>", ""),
        ("<a b<c href=//a.example>", "a.example"),
        ("<?x <a href=//a.example>", ""),
        ("<? > <a href=//a.example>", "a.example"),
        ("</ <a href=//a.example>", ""),
        ("<!x><a href=//a.example>", "a.example"),
        ("<!doctype html '<a href=//a.example>'>", ""),
        ("</><a href=//a.example>", "a.example"),
        ("<a\0 href=//a.example>", "a.example"),
        ("<a hr\0ef=//a.example>", "a.example"),
        ("<td><tr><caption href=//a.example>", "a.example"),
        (
            "<frameset><frame src=//a.example><td background=//b.example>",
            "a.example b.example",
        ),
        ("<noscript><img src=//a.example></noscript>", "a.example"),
        (
            "<head><noscript><link href=//a.example></noscript>",
            "a.example",
        ),
    ]);
}

#[test]
fn character_references_resolve_in_attributes_and_in_text() {
    check(&[
        (
            "<a href='https&colon;&sol;&sol;a&period;example'>",
            "a.example",
        ),
        (
            "<a href='&#104;ttps:&#x2F;&#x2f;a&#46example'>",
            "a.example",
        ),
        ("<a href='https:/&Tab;/a&NewLine;.example'>", "a.example"),
        ("<a href='https://a.example&sol;x'>", "a.example"),
        ("<a href='https://a.example&num;x'>", "a.example"),
        ("<a href='https://a.example?x&copy=1'>", "a.example"),
        ("<a href='//a&shy;b.example'>", "ab.example"),
        (
            "<div style='background:url(&quot;//a.example&quot;)'>",
            "a.example",
        ),
        (
            "<img srcset='&#47;/a.example&comma; //b.example'>",
            "a.example b.example",
        ),
        ("www&period;a.example", "www.a.example"),
        ("&#119;ww.a.example", "www.a.example"),
        ("http&colon;//a.example&nbsp;x", "a.example"),
        ("http://a.example&lt;x", "a.example"),
        ("http://a.example&quot;", "a.example"),
        ("http://a&ampb.example", "a a&b.example"),
        ("ht<b>tp://a.example", ""),
        ("http://a.example&#1;", "a.example"),
    ]);
}

#[test]
fn elements_whose_content_is_no_markup_are_read_for_what_they_are() {
    check(&[
        (
            "<script><a href=//a.example>'http://b.example'</script><a href=//c.example>",
            "c.example",
        ),
        (
            "<script><!--<script></script><a href=//a.example>--></script><a href=//c.example>",
            "c.example",
        ),
        ("<script><!--</script><a href=//a.example>", "a.example"),
        (
            "<script><!--><script></script><a href=//a.example>",
            "a.example",
        ),
        ("<title><a href=//a.example>http://b.example</title>", ""),
        (
            "<textarea><a href=//a.example>www.b.example</textarea >",
            "",
        ),
        (
            "<xmp><a href=//a.example>http://b.example/</xmp>",
            "a.example b.example",
        ),
        (
            "<iframe><a href=//a.example>http://b.example </iframe>",
            "a.example b.example",
        ),
        (
            "<noembed><a href=//a.example></noembed><noframes><a href=//a.example></noframes>",
            "a.example",
        ),
        (
            "<plaintext></plaintext><a href=//a.example> www.b.example",
            "www.b.example",
        ),
        ("<style><a href=//a.example></style>", ""),
        ("<style></styles><a href=//a.example></style/>", ""),
        ("<style></STYLE\n><a href=//a.example>", "a.example"),
        ("<style/><a href=//a.example>", ""),
        ("<svg><style/><a href=//a.example>", "a.example"),
        ("<svg><style><a href=//a.example></style>", "a.example"),
        (
            "<svg><title><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<svg></svg><style><a href=//a.example></style>",
            "a.example",
        ),
        ("<svg></p><style><a href=//a.example></style>", "a.example"),
        ("<svg><p><style><a href=//a.example></style>", "a.example"),
        (
            "<div><svg></div><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<svg></div><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<svg><font><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<svg><font color><style><a href=//a.example></style>",
            "a.example",
        ),
        ("<math><mi><style><a href=//a.example></style>", "a.example"),
        (
            "<math><mi><mglyph><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<math><annotation-xml encoding=text/html><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<math><annotation-xml><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<svg><![CDATA[<a href=//a.example/>]]><a href=//b.example>",
            "a.example b.example",
        ),
        (
            "<![CDATA[<a href=//a.example>]]><a href=//b.example>",
            "b.example",
        ),
        ("<![CDATA[><a href=//a.example>]]>", "a.example"),
        ("<frameset><style><a href=//a.example></style>", "a.example"),
        (
            "<div><frameset></div><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "x<frameset><style><a href=//a.example></style>",
            "a.example",
        ),
        (
            "<template><col><title><a href=//a.example></title>",
            "a.example",
        ),
        ("<template><style><a href=//a.example></style>", "a.example"),
        ("<select><style><a href=//a.example></style>", "a.example"),
    ]);
}

#[test]
fn comments_are_not_read_but_conditional_ones_are() {
    check(&[
        ("<!-- <a href=//a.example> -->", ""),
        ("<!--> <a href=//a.example> -->", "a.example"),
        ("<!---> <a href=//a.example> -->", "a.example"),
        ("<!-- --!><a href=//a.example> -->", "a.example"),
        ("<!-- --><a href=//a.example> -->", "a.example"),
        ("<!-- <!-- --><a href=//a.example>", "a.example"),
        ("<!-- <a href=//a.example>", ""),
        (
            "<!--[if mso]><v:fill src='//a.example'/><![endif]-->",
            "a.example",
        ),
        (
            "<!--[IF mso]><v:fill src='//a.example'/><![ENDIF]-->",
            "a.example",
        ),
        // A reader that knows the mark only in small letters reads on.
        (
            "<!--[if mso]>x<![ENDIF]><a href=//a.example>-->",
            "a.example",
        ),
        (
            "<!--[if mso]>x<![ENDIF]><a href=//a.example><![endif]<a href=//b.example>-->",
            "a.example",
        ),
        ("<!--[if mso]>http://a.example<![endif]-->", "a.example"),
        ("<!--[if mso]><a href=//a.example>", "a.example"),
        ("<!--[if mso]><a href=//a.example>-->", "a.example"),
        ("<!--[if mso]><a href=//a.example><![endif]", "a.example"),
        (
            "<!--[if mso]><![endif]><a href=//a.example><![endif]--><!-- <![endif]><a href=//b.example>-->",
            "a.example",
        ),
        (
            "<!--[if mso]><!-- --><a href=//a.example><!--[if x]><a href=//b.example><![endif]-->",
            "a.example b.example",
        ),
        (
            "<!--[if mso]><a srcdoc='<!--[if x]><a href=//a.example><![endif]-->'><![endif]-->",
            "a.example",
        ),
        (
            "<!--[if !mso]><!--><a href=//a.example><!--<![endif]-->",
            "a.example",
        ),
        ("<!--[if mso]><!-- <a href=//a.example> <![endif]-->", ""),
        ("<!-- [if mso]><a href=//a.example><![endif]-->", ""),
        (
            "<!--[if mso]><p style='background:url(//a.example)'><style>@import '//b.example'</style><![endif]-->",
            "a.example b.example",
        ),
    ]);
}

#[test]
fn a_base_counts_and_takes_no_host_away() {
    check(&[
        ("<base href=mailto:x><a href=//a.example>", "a.example"),
        (
            "<base href='x://b.example/'><a href=//a.example>",
            "a.example b.example",
        ),
        ("<base href='data:,x'><a href=//a.example>", "a.example"),
        (
            "<base href=x:y><!--[if x]><a href=//a.example><![endif]-->",
            "a.example",
        ),
    ]);
}

#[test]
fn a_text_with_a_space_is_not_a_host() {
    check(&[
        ("<a href='https://a.example /'>", ""),
        (
            "<a href='https://a.example /x' style='background:url(\"https://b.example /\")'>",
            "",
        ),
        ("<style>@import 'https://a.example /x';</style>", ""),
        ("<a href='//a.example /'><a href='https:a.example /'>", ""),
        ("<a href='https://a.example '>", "a.example"),
        ("<a href='https://a.example&#32;/'>", ""),
        ("<a href='https://u @a.example/'>", "a.example"),
    ]);
}

#[test]
fn what_the_document_does_not_finish_counts() {
    check(&[
        ("<a href='//a.example'", "a.example"),
        ("<a href='//a.example", "a.example"),
        ("<p style='background:url(//a.example)' ", "a.example"),
        (
            "http://a.example<a href='//b.example'",
            "a.example b.example",
        ),
        ("<style>@import '//a.example'", "a.example"),
    ]);
}

#[test]
fn ip_addresses_with_user_names_in_text_are_hosts() {
    check(&[
        ("http://@[::1]", "[::1]"),
        ("http://@[::1]@", "[::1]"),
        ("http://@[::1]@a.example", "a.example"),
        ("http://u:p@[::1]:80/x", "[::1]"),
        ("http://[::1]@[::2].", "[::2]"),
    ]);
}

#[test]
fn css_is_read_by_its_tokens() {
    check(&[
        ("<p style='background:url(//a.example/x)'>", "a.example"),
        (
            "<p style='background:URL( \"//a.example/x\" )'>",
            "a.example",
        ),
        (
            "<p style='background:\\75 rl(\\2f\\2f a\\2e example)'>",
            "a.example",
        ),
        ("<p style='background:u\\r\\l(//a.example)'>", "a.example"),
        ("<p style='background:u\\000052l(//a.example'>", "a.example"),
        ("<style>@import '//a.example';</style>", "a.example"),
        (
            "<style>@import/**/url(//a.example) screen;</style>",
            "a.example",
        ),
        (
            "<style><!-- @import \"//a.example\" --></style>",
            "a.example",
        ),
        (
            "<style>p{background:image-set('//a.example' 1x,url(//b.example) 2x)}</style>",
            "a.example b.example",
        ),
        (
            "<style>p{background:src('//a.example')}</style>",
            "a.example",
        ),
        ("<style>/*</style><a href=//a.example>", "a.example"),
        (
            "<style>/*url(//a.example)*/p{content:'url(//b.example)'}</style>",
            "",
        ),
        (
            "<style>@namespace url(http://a.example);@namespace x 'http://b.example';</style>",
            "",
        ),
        (
            "<svg><style>p{background:url(&sol;/a.example/)}</style>",
            "a.example",
        ),
        (
            "<svg><style>@import '//a.ex<!-- -->ample/'</style>",
            "a.ex computed.invalid",
        ),
        (
            "<svg><style><![CDATA[@import '//a.example/']]></style>",
            "a.example",
        ),
        ("<svg><style>@import '//a.ex", "a.ex"),
        (
            "<p style='background:url(www.a.example/x)'>",
            "www.a.example",
        ),
    ]);
}

#[test]
fn documents_in_attributes_are_soup() {
    check(&[
        (
            "<iframe srcdoc='<a href=//a.example>http://b.example'>",
            "a.example b.example",
        ),
        ("<iframe srcdoc='&lt;a href=//a.example&gt;'>", "a.example"),
        (
            "<iframe srcdoc=\"<iframe srcdoc='<a href=//a.example>'>\">",
            "a.example computed.invalid",
        ),
        (
            "<iframe srcdoc='<!--[if mso]><a href=//a.example><![endif]-->'>",
            "a.example",
        ),
        (
            "<a href='data:text/html,<a href=//a.example>'>",
            "a.example",
        ),
        (
            "<a href=' DATA:Text/HTML;charset=utf-8,%3Ca%20href=//a.example%3E'>",
            "a.example",
        ),
        (
            "<a href='data:text/html;base64,PGEgaHJlZj0vL2EuZXhhbXBsZT4='>",
            "a.example",
        ),
        (
            "<a href='data:text/html,<a href=//a.example>#'>",
            "a.example",
        ),
        (
            "<a href='data:text/plain,<a href=//a.example>'>",
            "a.example",
        ),
        ("<img src='data:image/png,<a href=//a.example>'>", ""),
        ("<embed src='data:image/png,<a href=//a.example>'>", ""),
        (
            "<iframe srcdoc='<a href=\"data:text/html,<a href=//a.example>\">'>",
            "a.example computed.invalid",
        ),
        (
            "<a href=\"data:text/html,<a href='data:text/html,<b src=//a.example>'>\">",
            "a.example computed.invalid",
        ),
    ]);
}

#[test]
fn meta_refresh_and_base_are_read() {
    check(&[
        (
            "<meta http-equiv=refresh content='0;url=//a.example'>",
            "a.example",
        ),
        (
            "<META content=\"0, URL = '//a.example' x\" http-equiv=REFRESH>",
            "a.example",
        ),
        (
            "<meta http-equiv='&#114;efresh' content='0;&#47;/a.example'>",
            "a.example",
        ),
        (
            "<meta http-equiv=refresh content='0; //a.example'>",
            "a.example",
        ),
        (
            "<meta http-equiv=refreshed content='0;url=//a.example'>",
            "",
        ),
        ("<meta name=x content='0;url=//a.example'>", ""),
        (
            "<meta http-equiv=refresh itemprop=image content=//a.example/x.png>",
            "a.example",
        ),
        (
            "<meta itemprop=url http-equiv=refresh content='0;url=//a.example'>",
            "a.example",
        ),
        ("<p http-equiv=refresh content='0;url=//a.example'>", ""),
        ("<base href=//a.example><a href=x>", "a.example"),
        (
            "<a href=x><base href='https:a.example'><base href=//b.example>",
            "a.example b.example",
        ),
        (
            "<base href='http://a.example'><a href='http:b.example'>",
            "a.example b.example",
        ),
    ]);
}

#[test]
fn what_is_no_link_does_not_count() {
    check(&[
        (
            "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:v=\"urn:schemas-microsoft-com:vml\">",
            "",
        ),
        (
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0//EN\" \"http://www.w3.org/TR/xhtml1/DTD/x.dtd\">",
            "",
        ),
        (
            "<a href='{{host}}'><a href='{{url.host}}/x'><a href='*|URL|*'>{{host}} %%x%%",
            "",
        ),
        (
            "<a href='tel:1'><a href='javascript:x'><img src='cid:a@a.example'><a href='#a.example'>",
            "",
        ),
        ("write to someone@a.example or a.example", ""),
        ("<a href='https://notevil.example'>", "notevil.example"),
        ("<a href='https://a.example.'>", "a.example."),
    ]);
}

#[test]
fn a_link_says_where_it_is_and_how_it_is_written() {
    let html = "<p>é<A HREF='https://a.example/?x&amp;y'>x</A> (www&period;b.example) <img srcset='&#47;/c.example 1x, //d.example'>\
                <td style='background:url(//e.ex\\61mple)'><meta http-equiv=refresh content='0;url=//f.example'>\
                <style>@import '//g.example'</style><!--[if mso]><v:fill src='//h.example'><![endif]-->\
                <iframe srcdoc='<a href=//i.example>'></iframe><a href='https://a b'>";
    let found: Vec<Link<'_>> = links(html).collect();
    let rows: Vec<(String, &str, &str)> = found
        .iter()
        .map(|link| (link.place.to_string(), &html[link.span.clone()], &*link.url))
        .collect();
    let expected = [
        (
            "href of <a>",
            "https://a.example/?x&amp;y",
            "https://a.example/?x&y",
        ),
        ("text", "www&period;b.example", "www.b.example"),
        ("srcset of <img>", "&#47;/c.example", "//c.example"),
        ("srcset of <img>", "//d.example", "//d.example"),
        ("style of <td>", "//e.ex\\61mple", "//e.ex\u{61}mple"),
        ("style of <td>", "//e.ex\\61mple", "//e.ex\\61mple"),
        (
            "content of <meta http-equiv=refresh>",
            "//f.example",
            "//f.example",
        ),
        ("<style>", "//g.example", "//g.example"),
        ("src of <v:fill>", "//h.example", "//h.example"),
        ("href of <a>", "https://a b", "https://a b"),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, (place, written, url)) in rows.iter().zip(expected) {
        assert_eq!((row.0.as_str(), row.1, row.2), (place, written, url));
    }
    assert_eq!(
        found
            .iter()
            .map(|link| link.readable)
            .filter(|readable| !readable)
            .count(),
        1
    );
    assert!(found[8].in_conditional_comment && !found[9].in_conditional_comment);
    assert_eq!(
        found[0].place,
        LinkPlace::Attribute {
            element: "a".into(),
            attribute: "href"
        }
    );
    assert!(
        !format!("{found:?}").contains("?x"),
        "a URL may name a person"
    );
}
