"""Links that browsers were seen to follow where a reader of HTML had missed them, by class; plain and encoded."""

import base64
import re

from .. import form
from .kit import WORLD, Suite, dump, put

LISTED = ["listed.example", "listess.example"]
HIDDEN = "computed.invalid"
DEEP = {"$parts": [["<div>", 1600]]}


def nested(levels, mime, innermost):
    """A `data:` URL with base64 within base64."""
    url = innermost
    for _ in range(levels):
        inside = f"<iframe src='{url}'>" if mime == "text/html" else f"@import '{url}';"
        url = f"data:{mime};base64," + base64.b64encode(inside.encode()).decode()
    return url


XSL = "http://www.w3.org/1999/XSL/Transform"

# class: documents; H is a host on the list.
CLASSES = {
    "raw text behind a start tag with a link attribute": [
        "<style ping=x></style>http://H",
        "<title href=x></title><a href=//H>",
        "<textarea cite=//a></textarea><img srcset=//H>",
        "<style srcdoc></style>http://H",
        '<style style="background:url(x)"></style>http://H',
    ],
    "a base that stands where no tree has it": [
        "<svg><base href=mailto:x></svg><img src=//H>",
        "<math><base href=foo:x></math><a href=//H>",
        "<template><base href=foo:x></template><a href=//H>",
        "<frameset><base href=foo:x><frame src=//H>",
        "<p><base href=foo:x></p><frameset><frame src=//H>",
        "<table><tr><td><base href=mailto:x></td></tr><base href=https://q.test/></table><img src=//H>",
        "<div><template shadowrootmode=open><base href=mailto:x></template></div><a href=//H>",
        '<base href="foo://["><img src=//H>',
    ],
    "NUL before an attribute's name": [
        "<math><annotation-xml \0encoding=text/html><style><img src=//H>",
        "<svg><font \0color><script><a href=//H>",
        "<p><b \0x><b x><b \0x><b x></p><p></b></b></b><svg></b><![CDATA[><a href=//H>]]>",
        "<table><input \0type=hidden><svg><style><img src=//H>",
    ],
    "formatting elements that are equal but written otherwise": [
        "<p><b x=a><b x=&#97;><b x=a><b x=a></p><p></b></b></b><svg></b><style><img src=//H>",
        '<p><b x="a\r\nb"><b x="a\nb"><b x="a\rb"><b x="a\nb"></p><p></b></b></b><svg></b><style><img src=//H>',
        '<p><b x="\0"><b x="\ufffd"><b x="\0"><b x="\0"></p><p></b></b></b><svg></b><style><img src=//H>',
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
    "the end tag of foreignObject": ["<foreignObject><svg></foreignObject><style><img src=//H>"],
    "the end tag of form in a template": ["<template><form><fieldset><svg></form><iframe><a href=//H>"],
    "a row behind title or noframes in a template": [
        "<template><title></title><tr><svg></tr><style><a href=//H>",
        "<template><noframes></noframes><td><svg></td><style><a href=//H>",
        "<div><template shadowrootmode=open><title></title><tr><svg></tr><style><img src=//H>",
    ],
    "a host that UTS 46 refuses": [
        "<a href=//xn--a.H>",
        "<a href=//xn--.H>",
        "<a href=//xn--a-ecp.ru.H>",
        '<a href="//a b.H">',
        "<a href=//%20.H>",
        '<a href="//a\u3000b.H">',
        "<a href=//" + "ü" * 300 + ".H>",
    ],
    "a document of many elements": [
        [DEEP, "<svg><style>@import '&#47;/H'</style>"],
        [DEEP, "<svg><style>@imp<!-- -->ort '//H'</style>"],
        [DEEP, "<svg></svg><![CDATA[><svg><style><a href=//H></style></svg>]]>"],
        [DEEP, "<svg><plaintext><a href=//H>"],
        [{"$parts": [["<font color=#>", 2200, 1]]}, "<svg><xmp><a href=//H>"],
    ],
    "presentation attributes": [
        '<svg><rect width=9 height=9 mask="url(//H/x)"/></svg>',
        '<svg><rect fill="u\\72l(//H)"/></svg>',
        "<svg><rect marker-start=\"image-set('//H' 1x)\"/></svg>",
    ],
    "animation of links": [
        "<svg><image width=9 height=9><set attributeName=href to=https://H/ /></image></svg>",
        "<svg><a><set href=#q attributeName=href to=//H></a>",
        '<svg><image><animate attributeName=href values="//H;//x"/></image></svg>',
    ],
    "strings that CSS substitutes into image-set()": [
        "<style>p{background:image-set(var(--n,'//H') 1x)}</style>",
        "<style>p{--n:'//H';background:image-set(var(--n) 1x)}</style>",
        "<style>p{background:image-set(env(z,'//H') 1x)}</style>",
        "<style>p{background:image-set(if(else:'//H') 1x)}</style>",
        '<style>@property --p{initial-value:"//H"}p{background:image-set(var(--p) 1x)}</style>',
        '<style>@function --f(){result:"//H"}p{background:image-set(--f() 1x)}</style>',
    ],
    "data: style sheets": [
        "<link rel=stylesheet href=\"data:text/css,@import 'https://H'\">",
        "<link rel=stylesheet href=\"data:,@import 'https://H'\">",
        "<link rel=stylesheet href=data:text/css;base64,"
        + base64.b64encode(b"@import 'https://h.listed.example'").decode()
        + ">",
        "<style>@import \"data:text/css,@import 'https://H'\";</style>",
    ],
    "data: documents of XML and of other charsets": [
        "<iframe src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='https://H'/></svg>\"></iframe>",
        "<object data=\"data:application/xhtml+xml,<img xmlns='x' src='https://H'/>\"></object>",
        "<embed src=\"data:text/xml,<?xml-stylesheet href='https://H'?><x/>\">",
        "<frame src=data:application/rss+xml,https://H>",
        "<iframe src=data:text/html;charset=utf-16le,"
        + "".join(f"%{byte:02x}" for byte in "<img src=https:/h.listed.example>".encode("utf-16-le"))
        + ">",
        "<iframe src=data:text/html;charset=utf-16be;base64,"
        + base64.b64encode("<img src=https:/h.listed.example>".encode("utf-16-be")).decode()
        + ">",
        '<iframe src="data:text/html;charset=iso-2022-jp,%1B$B<!--%1B(B<img src=https://H>">',
        "<iframe srcdoc=\"<iframe srcdoc='<img src=//H>'>\">",
        '<iframe src="data:text/html,<iframe srcdoc=%26lt;img%26#32;src=//H>">',
    ],
    "a refresh to a quoted URL": [
        "<meta http-equiv=refresh content=\"0;url='//'@H/'\">",
        "<meta http-equiv=refresh content=\"0;url='//x'y@H'\">",
        '<meta http-equiv=refresh content="0\x0b;url=//H">',
        '<meta http-equiv=refresh content="\x0b0;url=//H">',
    ],
    "speculative loading": [
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
    "raw text in a select": [
        "<select><title></select><a href=//H></title>",
        "<select><style></select><img src=//H></style>",
        "<select><plaintext></select><a href=//H>",
    ],
    "signs behind or in a host in soup": [
        "<svg><![CDATA[><img srcset='//H, //x'>]]></svg>",
        "<iframe srcdoc=\"<img srcset='//H, //x'>\">",
        '<svg><![CDATA[><img src="//a\'b.H">]]></svg>',
        '<svg><![CDATA[><img src="//a b.H">]]></svg>',
        '<svg><![CDATA[><img src="//a(b.H">]]></svg>',
        "<svg><set attributeName=href from='//).H'>",
        '<svg><set attributeName=href to="&#47/ .H">',
        '<svg><style><a href="//x\'y@H">x</a>',
        "<iframe src=\"data:image/svg+xml,<svg xmlns='x'><image href='https://u&quot;x@H'/></svg>\">",
        '<svg><style><a href="mailto:?cc=x@H">',
        '<script type=application/ld+json>{"url":"http:\\u002f\\u002fh.listed.example"}</script>',
    ],
    "a backslash in a scheme that the standard does not know": ['<a href="foo://u\\@H">'],
    "VML and filters": [
        '<v:fill o:href="//H"/>',
        "<p style=\"filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='//H',sizingMethod='crop')\">x</p>",
        '<p style="filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(sizingMethod=scale, src=//H)">x</p>',
    ],
    "data: of any type": [
        "<link rel=stylesheet href=\"data:text/plain,@import'http://H'\">",
        "<link rel=stylesheet href=\"data:image/png,@import'http://H'\">",
        "<style>@import \"data:x/y,@import'http://H'\";</style>",
        '<iframe src="data:*/*,<html><img src=http://H>">',
        '<object data="data:application/x-unknown-content-type,<html><img src=http://H>">',
        '<iframe src="data:multipart/x-mixed-replace,<img src=http://H>">',
    ],
    "XSLT that computes a host": [
        f"<iframe src=\"data:text/xml,<?xml-stylesheet type='text/xsl' href='%23s'?><xsl:stylesheet id='s' xmlns:xsl='{XSL}'>"
        "<xsl:template match='/'><img src='{concat('ht','tp:/','/sho','p.exam','ple/')}'/></xsl:template>\">",
        "<embed src=\"data:text/xml,<t:transform xmlns:t='" + XSL.replace("h", "&amp;#104;", 1) + "'/>\">",
    ],
    "entities and attribute defaults of XML": [
        "<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENTITY e 'tp:/'>]><img src='ht%26e;/q.example'/>\">",
        "<object data=\"data:image/svg+xml,<!DOCTYPE x[<!ATTLIST img src CDATA 'q'>]><img/>\"></object>",
        "<iframe src=data:text/xml;base64,"
        + base64.b64encode(b"<!DOCTYPE x[<!ENTITY e 'tp:/'>]>").decode()
        + ">",
    ],
    "marks of CDATA and processing instructions in a URL": [
        "<iframe src=\"data:text/xml,<style>@import'ht<![CDATA[tp:]]>//H'</style>\">",
        "<iframe src=\"data:text/xml,<style>@import'ht<?x >?>tp://H'</style>\">",
        "<svg><style>@import'ht<![CDATA[tp:]]>H'</style>",
        "<svg><style>@import'http:<g title='>'/>H'</style>",
    ],
    "escapes of ISO-2022-JP": [
        '<iframe src="data:text/html;charset=iso-2022-jp,<img src=http://h.lis%1B(Bted.example>">',
        '<iframe src="data:text/html;charset=iso-2022-jp,<img src=h%1B(Jttp:H>">',
    ],
    "strings of one sheet in image-set() of another": [
        '<p style="--n:\'//H\'"><b style="background:image-set(var(--n) 1x)">x',
        "<style>p{--n:'//H'}</style><b style=\"background:im\\61ge-set(var(--n) 1x)\">x",
    ],
    "animation of CSS": [
        "<svg><rect><set attributeName=mask to=\"image-set('//H' 1x)\"/>",
        "<svg><rect><animate attributeName=mask values=\"image-set('//x' 1x);image-set('//H' 1x)\"/>",
    ],
    "capital sharp s": [
        "<a href=//listeẞ.example>x</a>",
        "<a href=//listeß.example>x</a>",
        "<a href=//www.LISTEẞ.example>x</a>",
    ],
    "code of embed": ["<embed type=text/html code=//H>", "<embed src=x code=//H>"],
    "base64 in base64": [
        f"<iframe src={nested(levels, mime, 'http://h.listed.example')}>"
        for levels, mime in [(5, "text/html"), (6, "text/html"), (10, "text/html"), (7, "text/css")]
    ],
}


def base64_of(text):
    return base64.b64encode(text.encode()).decode()


IMPORT = "@import 'http:h.listed.example'"
IMAGE = "<img src=http:h.listed.example>"
XHTML = "xmlns='http://www.w3.org/1999/xhtml'"

# The same, in soup and in documents in documents.
CLASSES |= {
    "CSS escapes before base64 and percents": [
        f"<iframe srcdoc=\"<style>@import 'data:text/css;base\\36 4,{base64_of(IMPORT)}'</style>\">",
        f'<svg><style>@imp&#111;rt "d\\61ta:text/css;base64,{base64_of(IMPORT)}"</style>',
        '<svg><style>@import "data:text/css;base64,QGltcG9ydCAnaHR0\\63 DovL2gubGlzdGVkLmV4YW1wbGUvJw=="</style>',
        "<style>@import \"data:text/css,@import \\22 data:text/css,@import 'ht\\5c 5c 74p:\\5c 5c 2f\\5c 5c 2fh.listed.example/a'\\22 \";</style>",
        "<iframe srcdoc=\"<style>@import 'data:text/css,@import &quot;http:\\25 2f\\25 2fh.listed.example/a&quot;'</style>\">",
        f'<link rel=stylesheet href="data:text/css,@import \'d\\61ta:text/css;base64,{base64_of(IMPORT)}\'">',
    ],
    "markup in base64 and in escapes": [
        '<svg><style>@import "data:text/css;base64,QGltcG9yd<!-- -->CAnaHR0cDpoLmxpc3RlZC5leGFtcGxlJw=="</style>',
        '<svg><style>@import "data:text/css;bas<g/>e64,QGltcG9ydCAnaHR0cDpoLmxpc3RlZC5leGFtcGxlJw=="</style>',
        "<svg><style>@import \"data:text/css,@import %27ht<!-- -->tp:H'\"</style>",
        "<svg><style>@import \"data:text/css,@import 'http:%2<!-- -->f/H/a'\"</style>",
        '<svg><style>@import "data:text/css;base64,QGltcG9yd<![CDATA[CAnaHR0cDpoLmxpc3RlZC5leGFtcGxlJw==]]>"</style>',
    ],
    "tabs and line breaks in data:": [
        '<iframe src="data:text/html,<img src=http:%2&#9;f%2&#9;fh.listed.example/a>">',
        "<link rel=stylesheet href=\"data:text/css,@import 'http:%2&#10;f%2&#10;fh.listed.example/a'\">",
        "<style>@import \"data:text/css,@import 'http:%2\\9 f%2\\9 fh.listed.example/a'\"</style>",
        "<svg><style><iframe src=data:text/html,%3Cimg%20src=http:%2&#9;f%2&#9;fh.listed.example/a%3E>",
    ],
    "base64 in which escapes are": [
        '<iframe src="data:text/html,<iframe src=%22data:text/html;base64,PGltZyBzc%256D%22>">',
        '<iframe srcdoc="<iframe srcdoc=&quot;<iframe src=&amp;quot;data:text/html;base64,PGltZyBz&amp;amp;#99;mM9&amp;quot;>&quot;>">',
        f'<svg><iframe src="data:text/html;base64,{base64_of(IMAGE)[:8]}&#{ord(base64_of(IMAGE)[8])};{base64_of(IMAGE)[9:]}">',
        f'<svg><iframe src="data:text/html;base64,{base64_of(IMAGE)[:8]}%{ord(base64_of(IMAGE)[8]):02x}{base64_of(IMAGE)[9:]}">',
    ],
    "escapes that end a host too early": [
        "<iframe srcdoc=\"<iframe srcdoc='<img src=http:&amp;amp;#x2f;&amp;amp;#x2f;x%23@H/a>'>\">",
        "<iframe srcdoc=\"<iframe srcdoc='<a href=ht&amp;amp;#x74;p:&amp;amp;#x2f;/x%2f@H/a>'>\">",
        "<iframe srcdoc='<img src=http:&amp;#x2f;&amp;#x2f;x%23@H/a>'>",
        "<svg><image href='ht&#116;p:&#x2f;&#x2f;x%3f@H/a'/>",
    ],
    "references before percents": [
        "<iframe src=\"data:text/html,<iframe srcdoc='<img src=http://h&amp;amp%3b%2345;d.H/>'>\">",
        "<iframe src=\"data:text/html,<img src=http://x&amp;amp%3b@H/>\">",
        "<iframe src='data:text/html,<img src=http://h&amp;shyd.example/>'>",
        "<svg><image href='http://h&shyd.example/'/>",
    ],
    "escapes of ISO-2022 that take a character": [
        "<iframe srcdoc=\"<img src='http://x&amp;#27;(@H/a'>\">",
        '<svg><style>@import "http://x&#27;(@H/a"</style>',
        "<svg><rect mask=\"url('http://x&#27;(@H/a')\"/>",
        '<svg><image><set attributeName=href to="http://x&#27;(@H/a" /></image>',
        '<svg><style>@import "http://x\\1b (@H/a"</style>',
    ],
    "words of computed hosts, with tabs and escapes": [
        "<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENT&#9;ITY e 'tp:/'>]><img src='ht%26e;/q.example'/>\">",
        "<iframe src=\"da&#10;ta:text/xml,<!DOCTYPE x[<!ENTITY e 'tp:/'>]>\">",
        f"<iframe src=\"data&Tab;:text/xml,<x xmlns='{XSL[:30]}&#9;{XSL[30:]}'/>\">",
        "<iframe src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><sty&#9;le>@import 'ht<g>x</g>tp:H'</style></svg>\">",
        '<svg><rect filter="url(&#34;d\\61ta:image/svg+xml,%3C!DOCTYPE svg[%3C!ENTITY e \'tp:\'>]>&#34;)"/>',
    ],
    "image-set in data: sheets, written otherwise": [
        '<link rel=stylesheet href="data:text/css,b{background:im\\61 ge-set(var(--n) 1x)}"><p style="--n:\'http://H/a\'"><b>x',
        "<style>@import \"data:text/css,b{background:image-s\\5c 65t(var(--n) 1x)}\"</style><p style=\"--n:'http://H/a'\"><b>x",
        "<style>@import \"data:text/css,b{background:image-\\9 set(var(--n) 1x)}\"</style><p style=\"--n:'http://H/a'\"><b>x",
    ],
    "charsets of data:": [
        '<iframe src="data:text/html,<img src=http://sh%ADop.example/a>">',
        '<object data="data:text/html;charset=iso-8859-1,<img src=http://ex%AAmple.example/a>"></object>',
        "<iframe src=\"data:text/html;charset=gbk,<img src=http://%A3%F3%A3%E8%A3%EF%A3%F0.example/a>\">",
        '<iframe src="data:text/html;charset=iso-2022-jp,<img src=http://%1B$B%23s%23h%23o%23p%1B(B.example>">',
        "<link rel=stylesheet charset=gbk href=\"data:text/css,@import 'http://%A3%F3.example'\">",
        "<iframe src=\"data:text/xml,<?xml version='1.0' encoding='gbk'?><img src='http://%A3%F3.example'/>\">",
        "<link rel=stylesheet href=\"data:text/xml,@charset 'gbk';@import 'http://%A3%F3.example'\">",
        "<iframe src=data:text/html;charset=utf-16le,%FF%FE%70%21>",
        "<link charset=utf-16be rel=stylesheet href=\"data:text/css,%00@%00i\">",
        "<iframe src='data:text/html,<img src=http://h&amp;shy;x.example>'>",
        "<iframe src='data:text/html,<a href=mailto:x@sh%ADop.example>'>",
    ],
    "ISO-2022-JP in the document": [
        '<meta charset=iso-2022-jp>\x1b$B<!--\x1b(B<img src="http://H/a">',
        '<meta charset=iso-2022-jp><img src="http://sh\x1b(Bop.example/a">',
        '<meta charset=iso-2022-jp><img src="http://\x1b$B#s#h#o#p\x1b(B.example/a">',
    ],
    "readers in a terminal": [
        '<!-- a -- > <a href="http://H/">x</a> -->',
        '<a\x0bhref="http://H/">x</a>',
        '<a href="http://a.example/" href="http://H/">x</a>',
        '<a hr\0ef="http://H/">x</a>',
        "<noframes><a href=//H>x</a></noframes>",
        "<noembed><a href=//H>x</a></noembed>",
        "<iframe><a href=//H>x</a></iframe>",
    ],
    "file: and shares": [
        '<a href="file:///\\\\H\\test\\x.rtf!y">',
        '<a href="file:////H/x">',
        '<a href="file://///H/x">',
        '<a href="file:\\\\\\\\H\\x">',
        '<a href="\\\\H@SSL\\DavWWWRoot\\x">',
        '<a href="\\\\H@80\\x">',
        '<a href="file://H@SSL/x">',
    ],
    "schemes that carry a URL": [
        '<a href="microsoft-edge:https://H">',
        '<a href="ms-word:ofe|u|https://H/a.docx">',
        '<a href="search-ms:query=x&crumb=location:\\\\H">',
        '<a href="ms-appinstaller:?source=https://H">',
        '<a href="mhtml:https://H!x">',
        '<a href="intent://a#Intent;S.browser_fallback_url=https%3A%2F%2Fh.listed.example;end">',
        '<a href="feed:https://H">',
        '<a href="view-source:https://H">',
    ],
    "mailto: as people write it": [
        '<a href="mailto:x@H;y@a.example">',
        '<a href="mailto:Bob%20<x@H>">',
        '<a href="mailto:x@H.">',
        '<svg><a href="mailto:Bob%20<x@H>;y@a.example">',
    ],
    "where links of text begin and end": [
        "see http://H,x",
        "see http://H)x",
        "see http://H;x",
        "see http://H&x",
        "http://h.listed.example\u3092\u3054\u89a7",
        "\u3053\u3061\u3089http://H/",
        "x/http://H @http://H _http://H",
        "ftp://H",
        "<svg><style/></svg>http://h.listed.example\u3092\u3054\u89a7</style>",
        "<svg><![CDATA[http://H]]></svg>",
    ],
    "values without quotes that a line break ends": [
        "<svg><style><img src=//H\nalt=x>",
        "<math><style><a href=http:H\tid=x>",
        "<select><style></select><img src=//H\r\nalt=x></style>",
    ],
    "marks of data: that escapes write": [
        "<svg><style>@import \"d\\61ta:text/css,@import\\22 h%74tp:H\\22 ;\"</style>",
        "<svg><style>@import \"d\\6&#49; ta:text/css,@import\\22 h%74tp:H\\22 ;&#x22;</style>",
        "<svg><style>@import url(d\\61ta:text/css,@import\\20url\\28h%74tp:H\\29)</style>",
        "<svg><style><iframe src=data:text/html,%3Cimg&#32;src=h%74tp:H&#62;>",
    ],
    "escapes in the beginning of a URL": [
        "<svg><style>@import \"data:text/css,@import %27%68ttp:x<g/>.H%27\"</style>",
        "<svg><style>*{background:url(\"http:/u\\22p@x<g/>.H\")}</style>",
        "<svg><style>*{background:url('<g/>http:/\\5Cu\\27p@x<g/>.H')}</style>",
        "<svg><style>@import 'data:text/css,*{background:url(\\27 https:\\5c 5c u@x<!-- -->.H\\27)}'</style>",
        "<svg><style>@import 'data:text/css;BAS\\A E64,QGltcG9ydCAnaHR0c<?x ?>DpoLmxpc3RlZC5leGFtcGxlJw'</style>",
        "<svg><style>@import 'data:text/css;base64,QGltcG9ydCAnaHR0c\\0000<?x ?>44poLmxpc3RlZC5leGFtcGxlJw'</style>",
        "<svg><style>*{background:url('<?x ?>HTTP://u;p@x.<g/>H')}</style>",
    ],
    "markup of XML in the beginning of a URL": [
        f"<iframe src=\"data:text/xml,<style {XHTML}>@import 'ht<_g/>tp:H'</style>\">",
        f"<iframe src=\"data:text/xml,<style {XHTML}>@import 'ht<\u00e9/>tp:H'</style>\">",
        f"<iframe src=\"data:text/xml,<h:style xmlns:h='http://www.w3.org/1999/xhtml'>@import 'ht<?x ?>tp:H'</h:style>\">",
    ],
}


def pieces(document):
    """A document as a list of its texts and recipes."""
    parts = document if isinstance(document, list) else [document]
    return [re.sub(r"\bH\b", "h.listed.example", part) if isinstance(part, str) else part for part in parts]


def written(document, how):
    """A document as one value, each of its texts written by `how`."""
    if len(document) == 1:
        return how(document[0])
    (recipe, text) = document
    return {"$parts": [[how(part), *rest] for part, *rest in recipe["$parts"]] + [[how(text), 1]]}


def whole(value, before, after):
    """A text or recipe between two texts."""
    if isinstance(value, str):
        return before + value + after
    return {"$parts": [[before, 1], *value["$parts"], [after, 1]]}


def percent_encoded(text):
    """Each byte as an escape, in lower case; the mark that a recipe counts with stays."""
    return "".join(
        char if char == "#" else "".join(f"%{byte:02x}" for byte in char.encode()) for char in text
    )


def suites():
    suite = Suite(
        "links-classes",
        "Documents whose links browsers follow and simple readers of HTML miss, by class: the hosts, and the "
        "call with the document plain and in two encodings. Each has a host that is on the content blacklist.",
    )
    world = {**WORLD, "blacklists": {"content": LISTED}}
    head, tail = (
        dump({"ApiKey": "key-1", "requests": [{"subject": "s", "to": "new@customer.example"}]})[:-3],
        "}]}",
    )
    assert len(CLASSES) >= 49, len(CLASSES)
    for name, documents in CLASSES.items():
        for document in map(pieces, documents):
            answer = suite.add(name, {"do": "hosts", "html": written(document, str)})
            is_hidden = HIDDEN in answer["hosts"]
            is_found = any(host.rstrip(".").endswith(tuple(LISTED)) for host in answer["hosts"])
            assert is_hidden or is_found, (name, document, answer)
            rule = "html-host-hidden" if is_hidden else "html-domain-blacklisted"
            for encoding, how in {
                "plain": str,
                "encoded": form.encode,
                "each byte encoded": percent_encoded,
            }.items():
                text = written(document, lambda part, how=how: dump(how(part))[1:-1])
                body = whole(text, head + ',"from":"news@shop.example","body":"', '"' + tail)
                suite.add(
                    f"{name}, {encoding}",
                    {"do": "decide", "operation": "httpSendMail", **put(body), "world": world},
                    {"code": 413, "rule": rule, "pointer": "/requests/0/body"},
                )
    return [suite]
