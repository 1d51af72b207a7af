"""Links in soup: the documents that count as soup, and the hosts in them."""

import base64

from .kit import Suite


def encoded(text, encoding="utf-8"):
    return base64.b64encode(text.encode(encoding)).decode()


# The document, and the hosts. In an ordinary document the attribute `alt` has no links; soup finds its host.
ORDINARY = {
    "no start tag that depends on a tree": ("<p><img alt=//a.example/>", []),
    "svg": ("<svg></svg><img alt=//a.example/>", ["a.example"]),
    "SVG": ("<SVG/><img alt=//a.example/>", ["a.example"]),
    "math": ("<math></math><img alt=//a.example/>", ["a.example"]),
    "template": ("<template></template><img alt=//a.example/>", ["a.example"]),
    "select": ("<select></select><img alt=//a.example/>", ["a.example"]),
    "frameset": ("<frameset></frameset><img alt=//a.example/>", ["a.example"]),
    "what is before svg is ordinary alone": ("<img alt=//a.example/><svg><img alt=//b.example/>", ["b.example"]),
    "svg that the document does not finish": ('<svg x="<img alt=//a.example/>', ["a.example"]),
    "a second tag that depends on a tree": ("<svg><img alt=//a.example/><math>", ["a.example"]),
    "a longer name": ("<svgx><selection><svg:rect><maths><img alt=//a.example/>", []),
    "end tags alone": ("</svg></select></template><img alt=//a.example/>", []),
    "svg in a comment": ("<!-- <svg> --><img alt=//a.example/>", []),
    "svg in raw text": ("<xmp><svg></xmp><style><svg></style><title><svg></title><img alt=//a.example/>", []),
    "svg in a script": ("<script>'<svg>'</script><img alt=//a.example/>", []),
    "svg in an attribute": ("<p title='<svg>'><img alt=//a.example/>", []),
    "svg in a conditional comment is soup there": (
        "<!--[if mso]><svg></svg><img alt=//b.example/><![endif]--><img alt=//a.example/>",
        ["b.example"],
    ),
    "a conditional comment beside svg": (
        "<svg></svg><!--[if mso]><img alt=//b.example/><![endif]--><img alt=//a.example/>",
        ["a.example", "b.example"],
    ),
    "noscript and its end tag": (
        "<noscript><img src=//b.example></noscript><img alt=//a.example/>",
        ["b.example"],
    ),
    "noscript without end": ("<img alt=//b.example/><noscript><img alt=//a.example/>", ["a.example"]),
    "noscript that ends in a comment": (
        "<noscript><!-- </noscript><img alt=//a.example/> -->",
        ["a.example"],
    ),
    "noscript that ends in an attribute": (
        '<noscript><p title="</noscript><img alt=//a.example/>">x</noscript>',
        ["a.example"],
    ),
    "noscript that ends in raw text": (
        "<noscript><xmp></NOSCRIPT><img alt=//a.example/></xmp>",
        ["a.example"],
    ),
    "noscript that another end tag seems to end": (
        "<noscript></noscriptx><!-- </noscript><img alt=//a.example/> -->",
        ["a.example"],
    ),
    "two of noscript, one ends in a comment": (
        "<noscript>x</noscript><noscript><!--</noscript>--></noscript><img alt=//a.example/>",
        ["a.example"],
    ),
    "noscript in a conditional comment": (
        "<!--[if mso]><noscript><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml></noscript><![endif]--><img alt=//a.example/>",
        [],
    ),
    "the end of noscript in a comment before it": (
        "<!-- </noscript> --><noscript></noscript><img alt=//a.example/>",
        [],
    ),
    "text in brackets that is no tag": ("a < svg and <3<img alt=//a.example/>", []),
    "text of a title in soup": ("<svg><title>www.a.example/</title>", ["www.a.example"]),
    "a comment in soup": ("<svg><!-- //a.example/ -->", ["a.example"]),
    "a doctype before soup": ('<!DOCTYPE html PUBLIC "x" "http://a.example/x"><svg>', []),
    "a doctype in soup": ('<svg><!DOCTYPE html PUBLIC "x" "http://a.example/x">', ["a.example"]),
    "a string of CSS before soup": ("<p style=\"--x:'//a.example/'\"><svg>", ["a.example"]),
    "a namespace in soup": ('<svg xmlns="http://a.example/2000/svg">', ["a.example"]),
    "an end tag's attribute in soup": ("<svg></svg href=//a.example/>", ["a.example"]),
    "noscript whose end tag the document cuts off": ("<noscript><img alt=//a.example/></noscript", ["a.example"]),
    "noscript whose end tag is cut off in a quote": ('<noscript><img alt=//a.example/></noscript x=">', ["a.example"]),
    "noscript whose end tag has an attribute": ("<noscript><img alt=//a.example/></noscript x>", []),
}

# Text in a document that is soup, and the hosts.
SOUP = {
    "two slashes": ("//a.example/", ["a.example"]),
    "a slash and a backslash": ("/\\a.example/", ["a.example"]),
    "many slashes": ("\\\\//\\/shop.example/", ["shop.example"]),
    "one slash": ("/a.example/", []),
    "http: without slashes": ("http:a.example/", ["a.example"]),
    "HTTPS: with one": ("HTTPS:/a.example/", ["a.example"]),
    "ftp:": ("ftp:a.example/", ["a.example"]),
    "ws:": ("ws:a.example/", ["a.example"]),
    "wss:": ("wss:a.example/", ["a.example"]),
    "another scheme with slashes": ("x-app://a.example/", ["a.example"]),
    "another scheme without slashes": ("x-app:a.example/", []),
    "a scheme in a scheme": ("http:http:a.example/", ["a.example", "http"]),
    "mailto:": ("mailto:x@a.example,y@b.example?subject=z", ["a.example", "b.example"]),
    "mailto: with a semicolon and a name": ("mailto:x@a.example;Y%20&lt;y@b.example.&gt;", ["a.example", "b.example"]),
    "mailto: with a field": ("mailto:?cc=x@a.example&bcc=y@b.example", ["a.example", "b.example"]),
    "mailto: with a quote and a slash": ("mailto:o'x@a.example,y/z@b.example", ["a.example", "b.example"]),
    "mailto: with white space": ("mailto:x@a.example, y@b.example", ["a.example", "b.example"]),
    "mailto: up to a mark": ("mailto:x@a.example> y@b.example", ["a.example"]),
    "mailto: with an address of one label": ("mailto:x@a", []),
    "mailto: with an encoded sign": ("mailto:x%40a.example", ["a.example"]),
    "an address without mailto:": ("x@a.example", []),
    "mailto: with nobody": ("mailto:a.example/", []),
    "www.": ("www.a.example/", ["www.a.example"]),
    "WWW. behind a letter": ("xWWW.a.example/", ["www.a.example"]),
    "www. alone": ("www. x", ["www."]),
    "a bare domain": ("a.example/", []),
    # The readings.
    "a domain up to a backslash": ("//a.example\\x", ["a.example", "a.examplex"]),
    "a domain up to a question mark": ("//a.example?x", ["a.example"]),
    "a domain up to a number sign": ("//a.example#x", ["a.example"]),
    "a domain up to a quote": ("//b.a.example' x y/", ["b.a.example"]),
    "a domain up to a parenthesis": ("//b.a.example) x y/", ["b.a.example"]),
    "a domain up to a mark": ("//b.a.example> x y/", ["b.a.example"]),
    "a domain up to a no-break space": ("//b.a.example\u00a0x y/", ["b.a.example"]),
    "a domain up to a line break, which a value in quotes may hold": ("//b.a.example\nx=y/", ["b.a.example", "b.a.examplex=y"]),
    "a domain with a parenthesis in it": ("//a(b.example/", ["a", "a(b.example"]),
    "a user name": ("//x:y@a.example/", ["a.example"]),
    "a user name with a quote": ("//x'y@a.example/", ["a.example", "x"]),
    "a user name with a quote, and more text": ("//x'y@b.a.example> x y@z/", ["b.a.example", "x", "z"]),
    "a user name with both quotes": ("//x'y\"z@a.example' u@b.example/", ["a.example", "b.example", "x", "x'y"]),
    "a quote in a host that the standard takes": ("//a'b.example/", ["a", "a'b.example"]),
    "white space in a host that the standard refuses": ("//a b.shop.example/", ["a", "shop.example"]),
    "a parenthesis before a host": ("//).shop.example/", [").shop.example"]),
    "a comma behind a host": ("//b.a.example, x/", ["b.a.example"]),
    "a semicolon behind a host": ("//b.a.example;x/", ["b.a.example", "b.a.example;x"]),
    "a host that the standard refuses, by its longest end": ("//a^b.shop.example/", ["shop.example"]),
    "an empty label": ("//a..shop.example/", ["shop.example"]),
    "dots at the end": ("//shop.example../", ["shop.example.."]),
    "text behind a mark": ("//b.a.example> and more.text/", ["b.a.example"]),
    "a link in text up to a bracket": ("http://a.example]] x", ["a.example"]),
    "a link in text up to a sign": ("www.a.example!x", ["www.a.example", "www.a.example!x"]),
    "a link in text up to a letter beyond ASCII": ("ftp://a.example\u3092 x", ["a.example", "a.xn--example-9m4f"]),
    "of several www. to one end the first and the last": (
        "www.a~www.b~www.c~www.d/",
        ["www.a~www.b~www.c~www.d", "www.d"],
    ),
    "of several www. up to a sign the first and the last": (
        "www.a~www.b~www.c!www.d~www.e~www.f/",
        [
            "www.a~www.b~www.c",
            "www.a~www.b~www.c!www.d~www.e~www.f",
            "www.c",
            "www.d~www.e~www.f",
            "www.f",
        ],
    ),
    "several www. behind slashes": (
        "//x~www.a~www.b~www.c/",
        ["www.a~www.b~www.c", "www.c", "x~www.a~www.b~www.c"],
    ),
    "several www. parted by colons": ("www.a:www.b~www.c~www.d:80/", ["www.a", "www.b~www.c~www.d", "www.d"]),
    "slashes are no link in text": ("//a.example\u3092 x", ["a.xn--example-9m4f"]),
    "a port": ("//a.example:8080/", ["a.example"]),
    "a port that is none": ("//a.example:99999/ http:b.example:x/", ["a.example", "b.example"]),
    "IPv6": ("//[::1]:80/", ["[::1]"]),
    "IPv4 as one number": ("//3221225985/", ["192.0.2.1"]),
    "sharp s": ("//straße.example/", ["strasse.example", "xn--strae-oqa.example"]),
    "a srcset": ("srcset='//a.example/1 1x,//b.example/2'", ["a.example", "b.example"]),
    "several starts with one end": ("www.www.a.example/", ["www.a.example", "www.www.a.example"]),
    # The four texts.
    "a character reference": ("&#104;ttp:a.example&sol;", ["a.example"]),
    "a character reference without semicolon": ("&#47&#x2F&#97.example/", ["a.example"]),
    "a percent escape of a slash is none": ("%2F%2fa.example%2F", []),
    "a percent escape of an international name": ("//b%C3%BCcher.example/", ["xn--bcher-kva.example"]),
    "a CSS escape": ("\\68\\74 tp:a.example/", ["a.example"]),
    "a CSS escape of a tab in a scheme": ("ht\\9tp:a.example/", ["a.example"]),
    "a reference, then a CSS escape": ("&#92;68 ttp:a.example/", ["a.example"]),
    "a CSS escape, then a reference, is none": ("\\26 #104;ttp://a.example/", ["a.example"]),
    "references are resolved once": ("&amp;#104;ttp:a.example/", []),
    "a line break in a scheme": ("ht\r\ntp:a.example/", ["a.example"]),
    "a tab in a host": ("http:a.ex\tample/", ["a.ex", "a.example"]),
    "a NUL in a scheme": ("ht\0tp:a.example/", ["a.example"]),
    "a line break ends a CSS escape": ("\\68\nttp:a.example/", ["a.example"]),
    # Nothing in it closes anything, and nothing is left out.
    "a tag in a scheme": ("ht<b>tp:a.example/", []),
    "a tag in a host": ("//a.exa<b>mple/", ["a.exa"]),
    "a tag in a user name": ("//x<y@a.example/", ["a.example", "x"]),
    "an escape of JSON": ("http:\\u002f\\u002fa.example\\u002fx", ["u002f", "u002fu002fa.exampleu002fx"]),
    # The cases that it leaves open.
    "a named reference before a letter in a host": ("//a&shyb.example/", ["a&shyb.example", "ab.example", "computed.invalid"]),
    "a named reference before a digit behind a host": ("//a.example&copy2 x", ["a.example&copy2", "a.xn--example2-0ka", "computed.invalid"]),
    "a named reference before another sign": ("//a&shy-b.example/", ["a&shy-b.example", "a-b.example"]),
    "a named reference in a path": ("//a.example/&copyx", ["a.example"]),
    "a name that is no reference": ("//a&xyzzy.example/", ["a&xyzzy.example"]),
    "ESC": ("\x1b", ["computed.invalid"]),
    "ESC as a reference": ("&#27;", ["computed.invalid"]),
    "ESC as a CSS escape": ("\\1b", ["computed.invalid"]),
    "a style sheet with markup in a path": ("<style>@import '//a.example/'<g/></style>", ["a.example"]),
    "a style sheet with markup in a scheme": ("<style>@import 'ht<g/>tp:a.example'</style>", ["computed.invalid"]),
    "a style sheet with a comment in it": ("<style><!-- a{} --></style><g>", []),
}

# Styles in soup with and without markup in the beginning of a URL, and the cases that are left open.
STYLES = {
    "a part of a scheme": ("@import 'h<g/>ttp:a.example'", True),
    "a scheme": ("@import 'http:<g/>a.example'", True),
    "a host": ("@import 'http:a<g/>.example'", True),
    "a host with a space": ("@import 'http:a b@c<g/>.example'", True),
    "a host after escapes whose white space an escape wrote": (r"@import 'url('http:%5C5c\20 \5c 5c\20 a<g/>.example'", True),
    "a path": ("@import 'http:/a.example/x<g/>y'", False),
    "a query": ("@import 'http:/a.example?x<g/>y'", False),
    "a closed string": ("@import 'http:/a.example'<g/>", False),
    "white space before the scheme": ("@import '  ht<g/>tp:a.example'", True),
    "a slash": ("url(/<g/>/a.example)", True),
    "www.": ("url(ww<g/>w.a.example)", True),
    "double quotes": ('@import "ht<g/>tp:a.example"', True),
    "parentheses": ("a{b:url(ht<g/>tp:a.example)}", True),
    "without quotes": ("@import ht<g/>tp:a.example;", True),
    "a part of @import": ("@im<g/>port 'http:a.example'", True),
    "an at sign": ("@<g/>import 'http:a.example'", True),
    "@media": ("@me<g/>dia x{}", False),
    "@import and a part of url": ("@import u<g/>rl(http:a.example)", True),
    "@import, a comment and a part of url": ("@import/**/ur<g/>l(http:a.example)", True),
    "@import and a quote": ("@import '<g/>http:a.example'", True),
    "a quote alone": ("a{b:'<g/>c'}", False),
    "a quote, markup, and a part of a scheme": ("a{b:url('<g/>ht<g/>tp:a.example')}", True),
    "text that is no part of a scheme": ("a{b:'x<g/>y'}", False),
    "data:": ("@import 'da<g/>ta:text/css,x'", True),
    "the type of data:": ("@import 'data:te<g/>xt/css,x'", True),
    "base64": ("@import 'data:text/css;base64,QGlt<g/>cG9y'", True),
    "the text of data:": ("@import 'data:text/css,x<g/>y'", False),
    "the text of data:, with a quote": ("@import 'data:text/css,@import %22ht<g/>tp:a.example%22'", True),
    "an unfinished percent escape": ("@import 'data:text/css,@import %22%6<g/>8ttp:a.example%22'", True),
    "an unfinished CSS escape": ("@import 'ht\\7<g/>4p:a.example'", True),
    "an escape of an at sign": ("@import 'data:text/css,%4<g/>0import \\2<g/>2 %68ttp:a.example'", True),
    "an escape of an at sign after other markup": ("@import 'data:text/css,x<g/>y%4<g/>0import %2<g/>2 %68ttp:a.example'", True),
    "a percent sign": ("a{b:url('data:text/css,x')}c{width:100%<g/>40}", False),
    "a finished percent escape": ("@import 'data:text/css,%41<g/>c'", False),
    "a finished CSS escape": ("a{b:'\\41 <g/>c'}", False),
    "an unfinished reference": ("@import '&#10<g/>4;ttp:a.example'", True),
    "a reference": ("@import '&#104;t<g/>tp:a.example'", True),
    "a reference of a quote": ("@import &#39;ht<g/>tp:a.example'", True),
    "a CSS escape": ("@import '\\68 t<g/>tp:a.example'", True),
    "a comment": ("@import 'ht<!-- -->tp:a.example'", True),
    "a processing instruction": ("@import 'ht<?x ?>tp:a.example'", True),
    "CDATA": ("@import 'ht<![CDATA[tp:]]>a.example'", True),
    "the end of CDATA": ("<![CDATA[@import 'ht]]>tp:a.example'", True),
    "an end tag": ("<g>@import 'ht</g>tp:a.example'", True),
    "an element of XML": ("@import 'ht<_g/>tp:a.example'", True),
    "a less-than sign alone": ("@media (w < 4){a{b:'ht< tp:a.example'}}", False),
    "a less-than sign and a number": ("a{b:'ht<4tp:a.example'}", False),
    "a width": ("@media (400px<width){a{}}", False),
    "its end tag": ("@import 'ht", False),
    "an end tag in a comment": ("<!--</style>-->@import 'ht<g/>tp:a.example'", True),
    "an element, and a second end tag": ("<g></style>@import 'ht<g/>tp:a.example'", True),
    "an end tag, and text behind it": ("a{}</style>'ht<g/>tp:a.example'", False),
}

# Documents in documents that some readers read in another way than others.
DOCUMENTS = {
    "white space behind the mark of base64 that is no space, before text": (
        '<iframe src="data:text/html;base64&#11;,<img src=//a.example/>">',
        ["a.example"],
    ),
    "the same before base64": ('<iframe src="data:text/html;base64&#11;,Ly9hLmV4YW1wbGUv">', ["a.example"]),
    "a tag that names a charset, in the value of another one": (
        "<svg><link title='<link charset=utf-16 ' rel=stylesheet href=\"data:text/css,x\">",
        ["computed.invalid"],
    ),
    "a tag whose charset the one around it shares": (
        "<svg><link title='<link href=\"data:text/css,x\" ' charset=utf-16>",
        ["computed.invalid"],
    ),
    "srcdoc without quotes that has a space beyond ASCII": (
        "<svg><style><iframe srcdoc=x\u00a0&amp;#47;/a.example/>",
        ["a.example"],
    ),
    "data: without quotes that has a space beyond ASCII": (
        "<svg><style><a href=data:text/html,\u00a0\"'%2f/a.example/>",
        ["a.example"],
    ),
    "a script in the value of another one": (
        "<svg><script x='<script type=\"application/ld+json\" ' y='\"'>{\"x\":\"\\u002f/a.example/\"}</script>",
        ["a.example"],
    ),
}

IN_SOUP = {
    "a document with svg": "<svg></svg> {}",
    "raw text of xmp": "<xmp>{}</xmp>",
    "srcdoc": '<p srcdoc="{}">',
    "linked data": '<script type=application/ld+json>{"a":"{}"}</script>',
    "data: of an iframe": '<iframe src="data:x/y;charset=utf-8,{}">',
}


def suites():
    ordinary = Suite(
        "links-ordinary",
        "Which documents the tokenizer reads alone, and which count as soup as well.",
    )
    for name, (html, hosts) in ORDINARY.items():
        ordinary.hosts(name, html, hosts)
    soup = Suite(
        "links-soup",
        "What is a host in soup, and what it leaves open: in a document whose tags depend on a tree, in raw text that readers "
        "in a terminal take for markup, in srcdoc, in linked data, in data: URLs.",
    )
    for name, (text, hosts) in SOUP.items():
        for place, template in IN_SOUP.items():
            if is_read_alike(place, text):
                soup.hosts(f"{place}: {name}", template.replace("{}", text), hosts)
    for name, (css, is_open) in STYLES.items():
        for prefix in ("", "x:"):
            answer = soup.add(
                f"a {prefix}style, {name}",
                {"do": "hosts", "html": f"<svg><{prefix}style>{css}</{prefix}style>"},
            )
            assert ("computed.invalid" in answer["hosts"]) == is_open, (name, answer)
    for name, (html, hosts) in DOCUMENTS.items():
        soup.hosts(name, html, hosts)
    return [ordinary, soup]


def is_read_alike(place, text):
    """Whether it is read in that place as in a document with svg: nothing ends it there, and it has no other escapes."""
    if place == "a document with svg":
        return True
    if place == "raw text of xmp":
        # It is text, too.
        return not any(mark in text for mark in ("http", "HTTP", "www", "WWW", "ftp", "mailto", "\0"))
    if any(mark in text for mark in '"&\0\\') or "\r" in text:
        return False
    if place == "linked data":
        return "\n" not in text and "\t" not in text and "<" not in text and "\x1b" not in text
    return place == "srcdoc" or not any(mark in text for mark in "\t\n%#\x1b")
