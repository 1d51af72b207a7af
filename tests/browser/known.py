"""Documents whose links a browser sees and a scanner easily misses, by the reason why.

`H` stands for a host that no other document has, a new one each time. `[[base64 …]]` and the like are encoded when a
document is made (see `documents.py`). The links of some documents are followed only by Firefox or WebKit.
"""

DEEP = "[[times:1600 <div>]]"
JP = "%1B$B<!--%1B(B"
SVG = "xmlns='http://www.w3.org/2000/svg'"
XHTML = "xmlns='http://www.w3.org/1999/xhtml'"
XSL = (
    "<?xml-stylesheet type='text/xsl' href='%23s'?><x><xsl:stylesheet xml:id='s' version='1.0' "
    "xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'>"
    "<html xmlns='http://www.w3.org/1999/xhtml'>{}</html></xsl:template></xsl:stylesheet></x>"
)


def base64_inside(levels):
    """A document in base64 in a document in base64, and so on."""
    html = "<img src=https://H>"
    for _ in range(levels):
        html = f"<iframe src='data:text/html;base64,[[base64 {html}]]'></iframe>"
    return html


KNOWN = {
    "a raw text element with a link attribute": [
        "<style ping=x></style>http://q.test<a href=//H>",
        "<title href=x></title><a href=//H>",
        "<textarea cite=//a></textarea><img srcset=//H>",
        "<style srcdoc></style><a href=http://H>",
        '<style style="background:url(x)"></style><a href=http://H>',
    ],
    "a base that a browser ignores": [
        "<svg><base href=mailto:x></svg><img src=//H>",
        "<math><base href=foo:x></math><a href=//H>",
        "<template><base href=foo:x></template><a href=//H>",
        "<frameset><base href=foo:x><frame src=//H>",
        "<p><base href=foo:x></p><frameset><frame src=//H>",
        "<table><tr><td><base href=mailto:x></td></tr><base href=https://q.test/></table><img src=//H>",
        "<div><template shadowrootmode=open><base href=mailto:x></template></div><a href=//H>",
        '<base href="foo://["><img src=//H>',
        r'<base href=foo://x.example><a href="//x.example\@H">',
        "<base href='x://a:b/'><img src=//H>",
        "<base href='x://^/'><img src=//H>",
    ],
    "NUL before an attribute's name": [
        "<math><annotation-xml \0encoding=text/html><style><img src=//H>",
        "<svg><font \0color><script><a href=//H>",
        "<p><b \0x><b x><b \0x><b x></p><p></b></b><svg></b><![CDATA[><a href=//H>]]>",
    ],
    "equal formatting elements, written differently": [
        "<p><b x=a><b x=&#97;><b x=a><b x=a></p><p></b></b></b><svg></b><style><img src=//H>",
        '<p><b x="a\r\nb"><b x="a\nb"><b x="a\rb"><b x="a\nb"></p><p></b></b></b><svg></b><style><img src=//H>',
        '<p><b x="\0"><b x="\ufffd"><b x="\0"><b x="\ufffd"></p><p></b></b></b><svg></b><style><img src=//H>',
    ],
    "special elements of SVG and MathML": [
        "<b><math><annotation-xml></b><xmp><a href=//H>",
        "<div><math><annotation-xml></div><noframes><img src=//H>",
        "<span><math><annotation-xml><svg></span><script><a href=//H>",
        "<h1><math><annotation-xml></h2><iframe><a href=//H>",
        "<select><math><annotation-xml></select><script><a href=//H>",
        "<body><noscript/><svg><title><math></noscript><textarea><a href=//H>",
    ],
    "thead in a template": [
        "<template><thead><svg></table><![CDATA[<g><g href=//H/>",
        "<template><thead/><tfoot><svg></thead><xmp><a href=//H>",
    ],
    "an end tag of foreignObject": [
        "<foreignObject><svg></foreignObject><style><img src=//H>",
    ],
    "an end tag of form in a template": [
        "<template><form><fieldset><svg></form><iframe><a href=//H>",
    ],
    "title and noframes in a template": [
        "<template><title></title><tr><svg></tr><style><a href=//H>",
        "<template><noframes></noframes><td><svg></td><style><a href=//H>",
        "<div><template shadowrootmode=open><title></title><tr><svg></tr><style><img src=//H>",
    ],
    "hosts that IDNA refuses": [
        "<img src=//xn--a.H>",
        "<img src=//xn--.H>",
        "<img src=//xn--a-ecp.ru.H>",
        "<img src='//a b.H'>",
        "<img src=//%20.H>",
        "<img src='//a\u3000b.H'>",
    ],
    "deep documents": [
        f"{DEEP}<svg><style>@import '&#47;/H'</style>",
        f"{DEEP}<svg><style>@imp<!-- -->ort '//H'</style>",
        f"{DEEP}<svg></svg><![CDATA[><svg><style><a href=//H></style></svg>]]>",
        f"{DEEP}<svg><![CDATA[><plaintext>]]></svg><a href=//H>",
    ],
    "presentation attributes of SVG": [
        f'<svg><rect width=9 height=9 {name}="url(//H/x)"/></svg>'
        for name in ("fill", "stroke", "filter", "mask", "clip-path", "cursor")
    ]
    + [
        '<svg><path d="M0 0L9 9" marker-start="url(//H/x#y)" />',
        "<svg><rect width=9 height=9 mask=\"image-set('//H/x' 1x)\"/></svg>",
        '<svg><rect width=9 height=9 fill="u\\72l(//H#x)"/></svg>',
    ],
    "animations of SVG": [
        "<svg><image width=9 height=9><set attributeName=href to=https://H/ /></image></svg>",
        "<svg><image width=9 height=9 id=q /><set href=#q attributeName=href to=//H />",
        "<svg><image width=9 height=9><animate attributeName=href values='//H;//H' dur=1s /></image>",
        "<svg><rect width=9 height=9><set attributeName=mask to='url(//H/x)'/></rect></svg>",
    ],
    "strings that CSS puts into image-set()": [
        "<style>p{background:image-set(var(--n,'//H') 1x)}</style><p>x",
        "<style>p{--n:'//H';background:image-set(var(--n) 1x)}</style><p>x",
        "<style>p{background:image-set(env(z,'//H') 1x)}</style><p>x",
        "<style>p{background:image-set(if(else:'//H') 1x)}</style><p>x",
        "<style>@property --p{syntax:'*';inherits:false;initial-value:'//H'}"
        "p{background:image-set(var(--p) 1x)}</style><p>x",
        "<style>@function --f(){result:'//H'}p{background:image-set(--f() 1x)}</style><p>x",
    ],
    "data: style sheets": [
        "<link rel=stylesheet href=\"data:text/css,@import 'https://H'\">",
        "<link rel=stylesheet href=\"data:,@import 'https://H'\">",
        "<link rel=stylesheet href=\"data:text/css;base64,[[base64 @import 'https://H']]\">",
        "<style>@import \"data:text/css,@import 'https://H'\";</style>",
    ],
    "data: documents of XML and of other charsets": [
        f'<{frame}="data:{kind},{xml}">'
        for frame in ("iframe src", "object data", "embed src")
        for kind, xml in (
            ("image/svg+xml", f"<svg {SVG}><image width='9' height='9' href='https://H'/></svg>"),
            ("application/xhtml+xml", f"<html {XHTML}><img src='https://H'/></html>"),
            ("text/xml", f"<html {XHTML}><img src='https://H'/></html>"),
            ("application/xml", "<?xml-stylesheet href='https://H'?><x/>"),
            ("text/xsl", f"<html {XHTML}><img src='https://H'/></html>"),
            ("application/rss+xml", f"<html {XHTML}><img src='https://H'/></html>"),
        )
    ]
    + [
        "<iframe src='data:text/html;charset=utf-16le;base64,[[utf16le <img src=https://H>]]'>",
        "<iframe src='data:text/html;charset=utf-16be;base64,[[utf16be <img src=https:/H>]]'>",
        "<iframe src='data:text/html;base64,[[utf16bom <img src=https://H>]]'>",
        f"<iframe src='data:text/html;charset=iso-2022-jp,{JP}<img src=https://H>'>",
        f"<iframe src='data:text/html,<meta charset=iso-2022-jp>{JP}<img src=https://H>'>",
    ],
    "documents twice inside": [
        "<iframe srcdoc=\"<iframe srcdoc='<img src=//H>'>\">",
        "<iframe srcdoc=\"<iframe src='data:text/html,<img src=https://H>'>\">",
        "<iframe src=\"data:text/html,<iframe srcdoc='<img src=https://H>'>\">",
    ],
    "refresh": [
        "<meta http-equiv=refresh content=\"0;url='//'@H/'\">",
        "<meta http-equiv=refresh content=\"0;url='//x'y@H'\">",
        '<meta http-equiv=refresh content="0\x0b;url=//H">',
        '<meta http-equiv=refresh content="\x0b0;url=//H">',
    ],
    "speculative preloading": [
        "<svg><![CDATA[><img src=//H>]]></svg>",
        "<math><![CDATA[><video poster=//H>]]>",
        '<svg><![CDATA[><style>@import "//H";</style>]]>',
        "<svg><xmp></svg><!--</xmp><img src=//H>-->",
        "<svg><xmp></svg><style></xmp><img src=//H></style>",
        "<frameset><xmp></frameset><!--</xmp><img src=//H>-->",
        "<svg><script><![CDATA[</script><img src=//H>]]></script>",
        '<svg><style/>@import "//H/x";',
        '<style>@import url(//H/a"b);</style>',
        "<style>@import url(//H/a(b);</style>",
        "<style>@import //H/x;</style>",
        '<style>@im\0port "//H";</style>',
    ],
    "preloading of a style sheet without its escapes": [
        "<style>@import 'https:\\ab.H';</style>",
        "<style>@import 'https:/\\ab.H';</style>",
    ],
    "hosts in lists, and odd ones, where no tag is certain": [
        "<svg><![CDATA[><img srcset='//H, //x'>]]></svg>",
        "<iframe srcdoc=\"<img srcset='//H, //x'>\">",
        '<svg><![CDATA[><img src="//a\'b.H">]]></svg>',
        "<svg><![CDATA[><img src='//a b.H'>]]></svg>",
        "<svg><![CDATA[><img src='//a(b.H'>]]></svg>",
    ],
    "an import behind one with a block": [
        "<style>@import{}@import '//H'",
        "<style>@import p{mask:url(x)}@import '//H' layer(x);</style>",
    ],
    "raw text in a select": [
        "<select><title></select><a href=//H></title>",
        "<select><xmp></select><img src=//H></xmp>",
    ],
    "data: of any type": [
        "<link rel=stylesheet href=\"data:text/plain,@import'http://H'\">",
        "<link rel=stylesheet href=\"data:image/png,@import'http://H'\">",
        "<style>@import \"data:x/y,@import'http://H'\";</style>",
        "<!doctype html><link rel=stylesheet href=\"data:*/*,@import'http://H'\">",
        "<!doctype html><link rel=stylesheet href=\"data:application/x-unknown-content-type,@import'http://H'\">",
        '<iframe src="data:*/*,<html><img src=http://H>">',
        '<iframe src="data:application/x-unknown-content-type,<html><img src=http://H>">',
        '<iframe src="data:multipart/x-mixed-replace,<img src=http://H>">',
    ],
    "hosts that XSLT computes": [
        f'<iframe src="data:text/xml,{XSL.format(image)}">'
        for image in (
            "<img src='https://H'/>",
            "<img src='{concat(&quot;ht&quot;,&quot;tp:/&quot;,&quot;/&quot;,&quot;H&quot;,&quot;/&quot;)}'/>",
        )
    ],
    "entities and attribute defaults of XML": [
        f"<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENTITY e 'tp:/'>]><img {XHTML} src='ht%26e;/H'/>\">",
        f"<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENTITY colon '://H/'>]><img {XHTML} src='http%26colon;'/>\">",
        f"<iframe src=\"data:text/xml,<!DOCTYPE x[<!ATTLIST img src CDATA 'http://H'>]><html {XHTML}><img/></html>\">",
    ],
    "CDATA marks and instructions that part a URL": [
        f"<iframe src=\"data:text/xml,<style {XHTML}>@import'ht<![CDATA[tp:]]>//H'</style>\">",
        f"<iframe src=\"data:text/xml,<style {XHTML}>@import'ht<?x >?>tp://H'</style>\">",
    ],
    "escapes of ISO-2022-JP": [
        '<iframe src="data:text/html;charset=iso-2022-jp,<img src=http://x%1B(Bx.H>">',
        '<iframe src="data:text/html;charset=iso-2022-jp,<img src=ht%1B(Btp://H>">',
        '<iframe src="data:text/html,<meta charset=iso-2022-jp><img s%1B(Jrc=http%1B(B://H>">',
        "<iframe src=\"data:text/html;charset=iso-2022-jp,<style>@im%1B(Bport 'http://H'</style>\">",
    ],
    "strings of one sheet in image-set() of another": [
        '<p style="--n:\'//H\'"><b style="background:image-set(var(--n) 1x)">x',
        "<style>b{background:image-set(var(--n) 1x)}</style><p style=\"--n:'//H'\"><b>x",
        "<style>p{--n:'//H'}</style><style>b{background:image-set(var(--n) 1x)}</style><p><b>x",
    ],
    "animation values that are CSS": [
        "<svg><rect width=9 height=9><set attributeName=mask to=\"image-set('//H' 1x)\"/></rect></svg>",
        "<svg><rect width=9 height=9><animate dur=1s attributeName=mask values=\"url('//H');none\"/></rect></svg>",
    ],
    "letters that JSON takes for an escape": [
        "<svg><rect width=9 height=9 mask=\"image-set('//\\ucafe.H' 1x)\"/></svg>",
    ],
    "several ports in CSS": ["<style>html{background:url(//H:80:)}</style>x", "<p style='background:url(//H::80)'>x"],
    "backslashes of a file": ['<img src="file:/\\H">', '<img src="file:\\\\H">'],
    "capital sharp s": ["<img src=//\u1e9e.H>"],
    "code of embed": ["<embed type=text/html code=//H>", "<embed src=x code=//H>"],
    "base64 in base64": [base64_inside(levels) for levels in (1, 2, 5, 8)],
}
