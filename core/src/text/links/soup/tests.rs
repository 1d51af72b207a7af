use super::*;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

fn hosts(text: &str) -> Vec<String> {
    let mut hosts = Vec::new();
    visit(text, &mut |host| hosts.push(host.into()));
    hosts.sort();
    hosts.dedup();
    hosts
}

#[test]
fn what_looks_like_a_host_is_one() {
    for (text, host) in [
        ("x//a.example/", "a.example"),
        ("\\\\a.example\\", "a.example"),
        ("HTTP:a.example", "a.example"),
        ("https:/a.example", "a.example"),
        ("wss:///a.example?", "a.example"),
        ("xwww.a.example#", "www.a.example"),
        ("//u:p@a.example:80/", "a.example"),
        ("mailto:x@a.example", "a.example"),
        ("mailto:a/o'x?cc=@a.example&bcc=y", "a.example"),
        ("mailto:x@{{n}}.a.example?y", "{{n}}.a.example"),
        ("mailto:x@a", "a"),
        ("<g href='mailto:>?cc=x@a.example'>", "a.example"),
        (
            "<g href='mailto:x@y.example, \"x\"@a.example'>",
            "a.example",
        ),
        // To HTML `</>` is nothing: the text that it stands in goes on.
        ("//</>x<g>y", "x"),
        ("//</>x</>z<g>y", "xz"),
        ("//</>x<!-- -->z<g>y", "xz"),
        ("//</>x<!-- -->z<g>y", "x"),
        ("www.\u{1}", "www."),
        ("//a.example\u{1}x", "a.example"),
        // In an attribute these are a part of the URL.
        ("<a href=\"//x<y@a.example\">", "a.example"),
        ("<a href=\"//x<!--y@a.example\">-->", "a.example"),
        ("//x<!-- --!>y-->z.example/", "xz.example"),
        ("//x<_y>z.example/", "xz.example"),
        ("//x<\u{e9}>z.example/", "xz.example"),
        ("//a.example@.<b>", "a.example"),
        ("//[::1].<b>", "[::1]"),
        ("www.a.example@\u{a0}", "www.a.example"),
        ("//:\u{3000}@a.example", "a.example"),
        ("//a@a.example@b", "a.example"),
        ("www.<![CDATA[x<![CDATA[9", "www.x"),
        ("mailto:?to=x%40a.example", "a.example"),
        ("//[::1]:80/", "[::1]"),
        ("//a.example\"x", "a.example"),
        ("//a.example)x", "a.example"),
        ("//a.example, x", "a.example"),
        ("//a.example;x", "a.example"),
        ("//a.example\u{a0}x", "a.example"),
        ("ht<b x>tp:a.ex<!-- > -->ample/", "a.example"),
        ("//a.ex<b x='>'>ample/", "a.example"),
        ("//a.ex<?x > ?>ample/", "a.example"),
        ("//a.ex<![CDATA[am]]>ple/", "a.example"),
        ("www.]]>a.example<b>x", "www.a.example"),
        ("h\tt\ntp:a.exam\0ple", "a.example"),
        ("//a.ex\u{1b}(Bample/", "a.example"),
        ("\\68ttp\\3a //a.exam\\70 le/", "a.example"),
        ("//a.exam\\70\tle/", "a.example"),
        // To JSON an escape of four digits, to CSS one of the letter.
        ("//a.exam\\u0070le/", "a.example"),
        ("//\\u0070.example/", "u0070.example"),
        ("//x\\75\\u007a.example/", "xuu007a.example"),
        ("&#47;&sol;a.example/", "a.example"),
        ("%2F%2Fa.example/", "a.example"),
        ("&#37;2F&percnt;2Fa.example/", "a.example"),
    ] {
        assert!(
            hosts(text).iter().any(|found| found == host),
            "{text}: {:?}",
            hosts(text)
        );
    }
}

#[test]
fn what_does_not_look_like_a_host_is_none() {
    for text in [
        "",
        "/",
        "a.example",
        "/a.example",
        "http",
        "www",
        "mailto:x",
        "data:a.example",
        "a@b.example",
    ] {
        assert_eq!(hosts(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_is_escaped_any_number_of_times_is_found() {
    for times in [1, 2, 5, 11, 12, 13, 14, 40, 999] {
        for text in [
            format!("%{}2F%2Fa.example/", "25".repeat(times)),
            format!("&{}sol;/a.example/", "amp;".repeat(times)),
            format!("&{}#47;/a.example/", "amp".repeat(times)),
        ] {
            assert!(
                hosts(&text).iter().any(|found| found == "a.example"),
                "{times}: {text}"
            );
        }
    }
}

#[test]
fn a_host_that_is_found_in_every_way_to_read_a_text_is_visited_once() {
    let text = "//a.example<b '>'>\\62 \t<?x > ?>/".repeat(50);
    let mut visited = 0;
    visit(&text, &mut |_| visited += 1);
    assert!(visited <= 8, "{visited}");
}

#[test]
fn base64_is_read_in_every_byte_order() {
    for text in [
        ";base64,Ly9hLmV4YW1wbGUv",
        ";BASE64 ,Ly9hLm\nV4YW1wbGUv",
        "%3Bbase64,Ly9hLmV4YW1wbGUv",
        // UTF-16, the other byte first, with a letter that is not ASCII.
        ";base64,LwAvAED/LgBlAHgAYQBtAHAAbABlAC8A",
        ";base64,AC8AL/9BAC4AZQB4AGEAbQBwAGwAZQAv",
    ] {
        assert!(
            hosts(text).iter().any(|found| found.ends_with(".example")),
            "{text}: {:?}",
            hosts(text)
        );
    }
}

#[test]
fn a_host_that_the_dns_cannot_carry_counts_by_its_longest_end() {
    let long = "a".repeat(64);
    assert_eq!(
        hosts(&format!("//{long}.b.example,/")),
        ["b.example", "b.example,"]
    );
}

#[test]
fn a_style_sheet_with_an_element_in_it_computes_hosts() {
    for text in [
        "<style>@import '//a<g>b</g>c.example'",
        "<STYLE x>/*</g>*/",
        "<svg:style><g/></svg:style>",
        "<x></style><style\n>a<\u{e9}>",
        "<style><!-- </style> --><g>",
        "<style><![CDATA[</style>]]><g>",
        "<style></x y='></style>'><g>",
        "<style></style<><g>",
        "<style></sty\0le><g>",
        "<style><!--[if x]><style><g><![endif]-->",
        "<style><!----!><g>-->",
        "<style </style>e<g>",
        "<style x='></style>'><g>",
        "<style><?x </style>?><g>",
        "<style>a{}</style><style><g>",
        "&lt;style>&lt;g>",
    ] {
        assert!(hosts(text).iter().any(|host| host == COMPUTED), "{text}");
    }
    for text in [
        "<style>a{b:c}</style><g>",
        "<style><!-- a>b{c:d} --></style><g>",
        "<style><![CDATA[ a>b{c:d} ]]></style><g>",
        "<style>@media (1px<2px){}</style><g>",
        "<style>a{}",
        "<styled><g>",
        "<style/><g>",
        "style><g>",
        "<title><g></title>",
    ] {
        assert_eq!(hosts(text), Vec::<String>::new(), "{text}");
    }
}
