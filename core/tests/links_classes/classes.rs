use super::Class;

pub(crate) const CLASSES: &[Class] = &[
    (
        "a raw element whose start tag has a link",
        &[
            "<style ping=x></style>http://H",
            "<title href=x></title><a href=//H>",
            "<textarea cite=//a></textarea><img srcset=//H>",
            "<style srcdoc></style>http://H",
            "<style style='background:url(x)'></style>http://H",
        ],
    ),
    (
        "a base wherever it stands",
        &[
            "<svg><base href=mailto:x></svg><img src=//H>",
            "<template><base href=foo:x></template><a href=//H>",
            "<frameset><base href=foo:x><frame src=//H>",
            "<p><base href=foo:x></p><frameset><frame src=//H>",
            "<table><tr><td><base href=mailto:x></td></tr><base href=https://q.test/></table><img src=//H>",
            "<div><template shadowrootmode=open><base href=mailto:x></template></div><a href=//H>",
            "<base href='foo://['><img src=//H>",
            "<base href='x://a:b/'><img src=//H>",
        ],
    ),
    (
        "NUL before an attribute's name",
        &[
            "<math><annotation-xml \0encoding=text/html><style><img src=//H>",
            "<svg><font \0color><script><a href=//H>",
            "<p><b \0x><b x><b \0x><b x></p><p></b></b></b><svg></b><![CDATA[><a href=//H>]]>",
        ],
    ),
    (
        "equal formatting elements, written differently",
        &[
            "<p><b x=a><b x=&#97;><b x=a><b x=a></p><p></b></b></b><svg></b><style><img src=//H>",
            "<p><b x='a\r\nb'><b x='a\nb'><b x='a\rb'></p><p></b></b></b><svg></b><style><img src=//H>",
        ],
    ),
    (
        "special elements of SVG and MathML",
        &[
            "<b><math><annotation-xml></b><xmp><a href=//H>",
            "<div><math><annotation-xml></div><noframes><img src=//H>",
            "<span><math><annotation-xml><svg></span><script><a href=//H>",
            "<h1><math><annotation-xml></h2><iframe><a href=//H>",
            "<select><math><annotation-xml></select><script><a href=//H>",
            "<body><noscript/><svg><title><math></noscript><textarea><a href=//H>",
        ],
    ),
    (
        "thead in a template",
        &[
            "<template><thead><svg></table><![CDATA[<g><g href=//H/>",
            "<template><thead/><tfoot><svg></thead><xmp><a href=//H>",
        ],
    ),
    (
        "foreignObject's end tag",
        &["<foreignObject><svg></foreignObject><style><img src=//H>"],
    ),
    (
        "form's end tag in a template",
        &["<template><form><fieldset><svg></form><iframe><a href=//H>"],
    ),
    (
        "title and noframes in a template",
        &[
            "<template><title></title><tr><svg></tr><style><a href=//H>",
            "<template><noframes></noframes><td><svg></td><style><a href=//H>",
            "<div><template shadowrootmode=open><title></title><tr><svg></tr><style><img src=//H>",
        ],
    ),
    (
        "hosts that UTS 46 refuses",
        &[
            "<img src=//xn--a.H>",
            "<img src=//xn--.H>",
            "<img src=//xn--a-ecp.ru.H>",
            "<img src='//a b.H'>",
            "<img src=//%20.H>",
            "<img src='//a\u{3000}b.H'>",
        ],
    ),
    (
        "deep elements",
        &[
            "<svg><plaintext></svg><![CDATA[><a href=//H>x</a>]]>",
            "<svg></svg><svg><xmp></svg><![CDATA[><a href=//H>x</a>]]>",
            "<svg><style>@import '&#47;/H'</style>",
            "<svg><style>@imp<!-- -->ort '//H'</style>",
            "<svg></svg><![CDATA[><svg><style><a href=//H></style></svg>]]>",
        ],
    ),
    (
        "presentation attributes",
        &[
            "<svg><rect width=9 height=9 mask=\"url(//H/x)\"/></svg>",
            "<svg><rect fill=\"u\\72l(//H)\"/></svg>",
            "<svg><rect fill='image-set(\"//H\" 1x)'/></svg>",
            "<svg><rect fill='url(\\2f\\2fH)'/></svg>",
        ],
    ),
    (
        "SMIL",
        &[
            "<svg><image width=9 height=9><set attributeName=href to=https://H/ /></image></svg>",
            "<svg><a><set href=#q attributeName=href to=//H></a></svg>",
            "<svg><animate attributeName=href values='x;//H;y'/></svg>",
        ],
    ),
    (
        "strings that become an image",
        &[
            "<p style=\"background:image-set(var(--n,'//H') 1x)\">",
            "<p style=\"--n:'//H';background:image-set(var(--n) 1x)\">",
            "<p style=\"background:image-set(env(z,'//H') 1x)\">",
            "<p style=\"background:image-set(if(else:'//H') 1x)\">",
            "<style>@property --p{syntax:'<string>';inherits:false;initial-value:\"//H\"}p{background:image-set(var(--p) 1x)}</style>",
            "<style>@function --f(){result:\"//H\"}p{background:im\\61ge-set(--f() 1x)}</style>",
        ],
    ),
    (
        "style sheets in data URLs",
        &[
            "<link rel=stylesheet href=\"data:text/css,@import 'https://H'\">",
            "<link rel=stylesheet href=\"data:,@import 'https://H'\">",
            "<style>@import \"data:text/css,@import 'https://H'\";</style>",
            "<style>@import \"data:text/css;base64,QGltcG9ydCAnaHR0cHM6Ly9saXN0ZWQuZXhhbXBsZSc=\";</style>",
        ],
    ),
    (
        "documents of XML and in other charsets in data URLs",
        &[
            "<iframe src='data:image/svg+xml,<svg><image href=\"//H\"/></svg>'>",
            "<embed src='data:application/xhtml+xml,<img src=\"https://H\"/>'>",
            "<object data='data:text/xml,<?xml-stylesheet href=\"https://H\"?><x/>'>",
            "<iframe src='data:text/html;charset=utf-16le,%3C%00i%00m%00g%00 %00s%00r%00c%00=%00/%00/%00H%00>%00'>",
            "<iframe src='data:text/html;charset=utf-16le,https%3a%00%2f%00H'>",
            "<iframe src='data:text/html;charset=iso-2022-jp,%1B$B<!--%1B(B<img src=https://H>'>",
            "<iframe srcdoc='<iframe srcdoc=\"<a href=//H>\">'>",
            "<iframe src=\"data:text/html,<iframe src='data:text/html,<img src=//H>'>\">",
            "<iframe srcdoc=\"<iframe src='data:text/html,<img src=//H>'>\">",
        ],
    ),
    (
        "a refresh by its last quote",
        &[
            "<meta http-equiv=refresh content=\"0;url='//'@H/'\">",
            "<meta http-equiv=refresh content=\"0;url='//x'y@H'\">",
            "<meta http-equiv=refresh content=\"0\x0b;url=//H\">",
            "<meta http-equiv=refresh content=\"\x0b0;url=//H\">",
        ],
    ),
    (
        "preloading",
        &[
            "<svg><![CDATA[><img src=//H>]]></svg>",
            "<math><![CDATA[><video poster=//H>]]>",
            "<svg><![CDATA[><style>@import \"//H\";</style>]]>",
            "<svg><xmp></svg><!--</xmp><img src=//H>-->",
            "<svg><xmp></svg><style></xmp><img src=//H></style>",
            "<frameset><xmp></frameset><!--</xmp><img src=//H>-->",
            "<svg><script><![CDATA[</script><img src=//H>]]></script>",
            "<svg><style/>@import \"//H/x\";",
            "<style>@import url(//H/a\"b);</style>",
            "<style>@import url(//H/a(b);</style>",
            "<style>@import //H/x;</style>",
            "<style>@im\0port \"//H\";</style>",
        ],
    ),
    (
        "raw elements in a select",
        &["<select><title></select><a href=//H></title>"],
    ),
    (
        "VML and filters",
        &[
            "<v:fill o:href=//H>",
            "<p style=\"filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='//H',sizingMethod=scale)\">",
        ],
    ),
    (
        "data URLs of any type",
        &[
            "<link rel=stylesheet href=\"data:text/plain,@import'http://H'\">",
            "<link rel=stylesheet href=\"data:image/png,@import'http://H'\">",
            "<!doctype html><link rel=stylesheet href=\"data:*/*,@import'http://H'\">",
            "<iframe src=\"data:*/*,<html><img src=http://H>\"></iframe>",
            "<object data=\"data:application/x-unknown-content-type,<img src=http://H>\"></object>",
            "<iframe src=\"data:multipart/x-mixed-replace,<img src=http://H>\"></iframe>",
            "<p style=\"filter:url('data:image/svg+xml,<svg><style>@import%20%22//H%22</style></svg>#x')\">",
        ],
    ),
    (
        "CDATA marks and processing instructions in a URL",
        &[
            "<embed src='data:text/xml,<style>@import\"ht<![CDATA[tp:]]>//H\"</style>'>",
            "<embed src='data:text/xml,<style>@import\"ht<?x >?>tp://H\"</style>'>",
            "<svg><style>@import\"ht<![CDATA[tp:]]>//lis<!-- > -->ted.exa<b x=\">\">mple\"</style>",
            "<svg><style>@import\"//lis<?x >?>ted.exa<b x='>'></b>mple\"</style>",
        ],
    ),
    (
        "escapes of ISO-2022-JP",
        &[
            "<iframe src=\"data:text/html;charset=iso-2022-jp,<img src=http://lis%1B(Bted.example>\">",
            "<iframe src=\"data:text/html;charset=iso-2022-jp,<img src=ht%1B(Jtp%1B(B://H>\">",
        ],
    ),
    (
        "strings of one sheet in another",
        &[
            "<p style=\"--n:'//H'\"><b style=\"background:image-set(var(--n) 1x)\">x",
            "<p style=\"--n:'//H'\"><style>@import \"data:text/css,b{background:image%2Dset(var(--n) 1x)}\";</style><b>x",
        ],
    ),
    (
        "values of SMIL that are CSS",
        &[
            "<svg><mask><set attributeName=mask to=\"image-set('//H' 1x)\"/></mask></svg>",
            "<svg><mask><set attributeName=mask values=\"none;image-set('//H' 1x)\"/></mask></svg>",
        ],
    ),
    (
        "embed code",
        &["<embed type=text/html code=//H>", "<embed src=x code=//H>"],
    ),
];
