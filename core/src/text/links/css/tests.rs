use super::*;
use alloc::vec::Vec;

fn urls(css: &str) -> Vec<String> {
    let mut scan = Css::default();
    let mut buffer = String::new();
    let mut urls = Vec::new();
    while let Some(span) = scan.next(css, Strings::Expected, &mut buffer) {
        let url = match scan.is_in_buffer {
            true => buffer.as_str(),
            false => span.of(css),
        };
        // A second reading of a text with a backslash has its own test.
        if scan.is_second && !scan.is_import && url.contains('\\') {
            continue;
        }
        urls.push(url.into());
    }
    assert!(urls.is_empty() || may_hold_url(css.as_bytes()), "{css}");
    urls
}

#[test]
fn urls_are_found_in_every_spelling() {
    for (css, expected) in [
        ("a{b:url(x)}", &["x"][..]),
        ("a{b:URL( 'x' )}", &["x"]),
        ("a{b:u\\72 l(x)}", &["x"]),
        ("a{b:\\75\\72\\6c(\\2f/a\\.b)}", &["//a.b"]),
        ("a{b:url(\"x\\\ny\")}", &["xy"]),
        ("a{b:url(x", &["x"]),
        ("a{b:url('x", &["x"]),
        ("a{b:url( x ) url(y)}", &["x", "y"]),
        ("a{b:src('x')}", &["x"]),
        ("a{b:image-set('x' 1x, url(y) 2x)}", &["y"]),
        ("@import x;@import a\\62 c'd'", &["x", "abc", "a\\62 c"]),
        ("a{filter:AlphaImageLoader(src='x',sizingMethod=y)}", &["x"]),
        ("a{filter:AlphaImageLoader( SRC = x ,y)}", &["x"]),
        ("a{filter:AlphaImageLoader(src/**/=/**/x)}", &["x"]),
        ("a{filter:AlphaImageLoader(src/**/= 'x' 'y')}", &["x"]),
        ("a{filter:AlphaImageLoader(src 'x')}", &[]),
        ("@import '//x\n;", &["//x"]),
        ("a{b:url(x y)}", &["x", "x y"]),
        ("a{b:url(x'y)}", &["x", "x'y"]),
        ("@import url(x\"y);", &["x", "x\"y"]),
        ("@namespace svg url(x);url(y)", &["y"]),
        ("@namespace 'x';@import 'y'", &["y"]),
        ("a{b:url('x' 'y')}", &["x", "y"]),
        ("a{b:url('x\n='y')}", &["x", "y"]),
        ("a{b:url(x;y'z)}", &["x;y", "x", "x;y'z"]),
        ("a{b:url(x;y'z(u)}", &["x;y", "x;y'z", "x", "x;y'z(u"]),
        ("a{b:url('//x y\nz)}", &["//x", "//x y"]),
        ("a{b:url(' \t//x y\nz)}", &["//x", "//x y"]),
        ("@import url/**/;'x'", &["url/**/"]),
        ("a{b:-webkit-image-set(url(x) 1x)}", &["x"]),
        ("@import 'x';", &["x"]),
        ("@IMPORT/**/url(x) screen;", &["x"]),
        ("@im\\70ort\"x\";", &["x"]),
        ("<!--@import 'x';-->", &["x"]),
        ("<!--url(x)-->url(y)", &["x", "y"]),
        ("/*url(x)*/url(y)/*", &["y"]),
        ("a{b:url(//a/*b*/)}", &["//a/*b*/"]),
        ("a{b:1px url(x)}", &["x"]),
        ("a{b:'c\nurl(x)}", &["x"]),
        ("@namespace n{}a{b:url(x)}", &["x"]),
        ("[@namespace]url(x)", &["x"]),
        (
            "a{b:url('x\\\r\ny') url('x\\\ry') url('x\\\x0cy')}",
            &["xy", "xy", "xy"],
        ),
        ("a{b:src('n\r'x')}", &["n", "x"]),
        (
            "a{b:url(\\6a\r\nx) url(\\6a\x0cx) url(\\6a\tx)}",
            &["jx", "jx", "jx"],
        ),
        ("a{b:url(\\00006ax)}", &["jx"]),
        ("a{b:url(\\1f600x)}", &["\u{1f600}x"]),
        (
            "a{b:url(\\0 x) url(\\d800 x) url(\\110000 x)}",
            &["\u{fffd}x"; 3],
        ),
        (
            "a{b:url(x\0y) url('\0') url(\\\0)}",
            &["x\u{fffd}y", "\u{fffd}", "\u{fffd}"],
        ),
        ("a{b:url(\\\u{e9}x) \\u\\rl(y)}", &["\u{e9}x", "y"]),
        ("\\000075\r\n\\000072\r\n\\00006c\r\n(x)", &["x"]),
        ("url(n/\\\n)url(x)", &["n/", "n/", "n/", "x"]),
        ("#\\\rurl(x) \\\rurl(y)", &["x", "y"]),
    ] {
        assert_eq!(urls(css), expected, "{css}");
    }
}

#[test]
fn the_url_of_an_import_or_without_quotes_is_handed_out_as_written_too() {
    let css = "a{b:url(\\61 b)} @import 'c\\61';";
    let mut scan = Css::default();
    let mut buffer = String::new();
    let mut written = Vec::new();
    while let Some(span) = scan.next(css, Strings::Expected, &mut buffer) {
        if !scan.is_in_buffer {
            written.push(span.of(css));
        }
    }
    assert_eq!(written, ["\\61 b", "c\\61"]);
}

#[test]
fn what_is_no_url_is_left_alone() {
    for css in [
        "a{b:'x'}",
        "a{b:rgb(1,2,3)}",
        "a{b:1url(x)}",
        "#url(x){}",
        "@url(x)",
        "a{b:--url(x)}",
        "a{b:myurl(x)}",
        "a{b:url (x)}",
        "/*url(x)",
        "@charset 'x';",
        "a{b:type('x')}",
        "[src='x']{}[src=x]{}",
        "a{b:'x\n}",
    ] {
        assert_eq!(urls(css), Vec::<String>::new(), "{css}");
    }
}

#[test]
fn most_css_is_seen_at_once_to_hold_no_url() {
    for css in [
        "",
        "a{color:#333;margin:0 auto}",
        "@media print{a{b:rgb(1,2,3)}}",
        "a{b:calc(1px + (2px))}",
        "@",
        "(",
        "curl",
    ] {
        assert!(!may_hold_url(css.as_bytes()), "{css}");
    }
}
