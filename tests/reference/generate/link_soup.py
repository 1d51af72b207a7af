"""Links in soup: which documents count as soup, and what is a host there."""

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
    "svg behind the link": ("<img alt=//a.example/><svg>", ["a.example"]),
    "svg that the document does not finish": ('<img alt=//a.example/><svg x="', ["a.example"]),
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
    "noscript without end": ("<noscript><img alt=//a.example/>", []),
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
    "text of a title in soup": ("<title>www.a.example/</title><svg>", ["www.a.example"]),
    "a comment in soup": ("<!-- //a.example/ --><svg>", ["a.example"]),
    "a doctype in soup": ('<!DOCTYPE html PUBLIC "x" "http://a.example/x"><svg>', ["a.example"]),
    "a namespace in soup": ('<svg xmlns="http://a.example/2000/svg">', ["a.example"]),
    "an end tag's attribute in soup": ("<svg></svg href=//a.example/>", ["a.example"]),
    "noscript whose end tag the document cuts off": ("<noscript><img alt=//a.example/></noscript", ["a.example"]),
    "noscript whose end tag is cut off in a quote": ('<noscript><img alt=//a.example/></noscript x=">', ["a.example"]),
    "noscript whose end tag has an attribute": ("<noscript><img alt=//a.example/></noscript x>", []),
    "namespace of XSL without its scheme": (
        "<p src=data:www.w3.org/1999/XSL/Transform>",
        ["computed.invalid", "www.w3.org"],
    ),
    "addresses up to markup that is left out": ("<svg>mailto:x y@<b>a.example", ["a.example"]),
}

# What stands in a document that is soup, and the hosts.
SOUP = {
    "two slashes": ("//a.example/", ["a.example"]),
    "a slash and a backslash": ("/\\a.example/", ["a.example"]),
    "many slashes": ("\\\\//\\shop.example/", ["shop.example"]),
    "one slash": ("/a.example/", []),
    "http: without slashes": ("http:a.example/", ["a.example"]),
    "HTTPS: with one": ("HTTPS:/a.example/", ["a.example"]),
    "ftp:": ("ftp:a.example/", ["a.example"]),
    "ws:": ("ws:a.example/", ["a.example"]),
    "wss:": ("wss:a.example/", ["a.example"]),
    "another scheme with slashes": ("x-app://a.example/", ["a.example"]),
    "another scheme without slashes": ("x-app:a.example/", []),
    "mailto:": ("mailto:x@a.example,y@b.example?subject=z", ["a.example", "b.example"]),
    "mailto: with a field": (
        "mailto:?cc=x@a.example&bcc=y@b.example",
        ["a.example", "b.example"],
    ),
    "mailto: with a quote and a slash": ("mailto:o'x@a.example,y/z@b.example", ["a.example", "b.example"]),
    "mailto: with white space": ("mailto:x@a.example, y@b.example", ["a.example", "b.example"]),
    "mailto: up to a tag": ("mailto:x@a.example<b> y@b.example", ["a.example"]),
    "mailto: with an address of one label": ("mailto:x@a", ["a"]),
    "an address without mailto:": ("x@a.example", []),
    "an escape of JSON": ("http:\\u002f\\u002fa.example\\u002fx", ["a.example", "u002f", "u002fu002fa.exampleu002fx"]),
    "a NUL in a reference": ("&#4\x007;&#47;a.example/", ["a.example"]),
    "an escape of ISO-2022-JP in a percent escape": ("%2\x1b(Bf%2fa.example/", ["a.example"]),
    "mailto: with nobody": ("mailto:a.example/", []),
    "www.": ("www.a.example/", ["www.a.example"]),
    "WWW. behind a letter": ("xWWW.a.example/", ["www.a.example"]),
    "a bare domain": ("a.example/", []),
    "a domain up to a backslash": ("//a.example\\x", ["a.example", "a.examplex"]),
    "a domain up to a question mark": ("//a.example?x", ["a.example"]),
    "a domain up to a number sign": ("//a.example#x", ["a.example"]),
    "a domain up to a quote": ("//b.a.example' x y/", ["b.a.example"]),
    "a domain up to a parenthesis": ("//b.a.example) x y/", ["b.a.example"]),
    "a domain up to a mark": ("//b.a.example> x y/", ["b.a.example"]),
    "a domain up to a no-break space": ("//b.a.example\u00a0x y/", ["b.a.example"]),
    "a domain with a parenthesis in it": ("//a(b.example/", ["a", "a(b.example", "b.example"]),
    "a user name": ("//x:y@a.example/", ["a.example"]),
    "a user name with a quote": ("//x'y@a.example/", ["a.example", "x"]),
    "a user name with a quote, and more text": ("//x'y@b.a.example> x y@z/", ["b.a.example", "x", "z"]),
    "a quote in a host that the standard takes": ("//a'b.example/", ["a", "a'b.example", "b.example"]),
    "white space in a host that the standard refuses": ("//a b.shop.example/", ["a", "b.shop.example"]),
    "a parenthesis before a host": ("//).shop.example/", [").shop.example", ".shop.example"]),
    "a comma behind a host": ("//b.a.example, x/", ["b.a.example"]),
    "a semicolon behind a host": ("//b.a.example;x/", ["b.a.example", "b.a.example;x"]),
    "a host that the standard refuses, by its longest end": ("//a^b.shop.example'/", ["shop.example"]),
    "text behind a mark": ("//b.a.example> and more.text/", ["b.a.example"]),
    "a port": ("//a.example:8080/", ["a.example"]),
    "a port that is none": ("//a.example:99999/ http:b.example:x/", ["a.example", "b.example"]),
    "IPv6": ("//[::1]:80/", ["[::1]"]),
    "IPv4 as one number": ("//3221225985/", ["192.0.2.1"]),
    "a character reference": ("&#104;ttp:a.example&sol;", ["a.example"]),
    "a character reference without semicolon": ("&#47&#x2F&#97.example/", ["a.example"]),
    "a percent escape": ("%2F%2fa.example%2F", ["a.example"]),
    "a percent escape of an international name": ("//b%C3%BCcher.example/", ["xn--bcher-kva.example"]),
    "a CSS escape": ("\\68\\74 tp:a.example/", ["a.example"]),
    "a CSS escape of a tab in a scheme": ("ht\\9tp:a.example/", ["a.example"]),
    "a line break in a scheme": ("ht\r\ntp:a.example/", ["a.example"]),
    "a tab in a host": ("http:a.ex\tample/", ["a.ex", "a.example"]),
    "a NUL in a scheme": ("ht\0tp:a.example/", ["a.example"]),
    "an escape of ISO-2022-JP in a scheme": ("ht\x1b(Btp:a.example/", ["a.example"]),
    "another escape of ISO-2022-JP in a host": ("http:a.exa\x1b(Jmple/", ["a.exa", "a.example"]),
    "a reference in a percent escape": ("&#37;2f&#x25;2fa.example/", ["a.example"]),
    "a percent escape in a reference": ("%26#47;%26sol;a.example/", ["a.example"]),
    "six rounds": ("&amp;#38;#38;amp;#38;#38;sol;&#47;a.example/", ["a.example"]),
    "many rounds": ("&" + "amp;" * 100 + "sol;%" + "25" * 100 + "2fa.example/", ["a.example"]),
    "a user name that a later step would end": ("//x&#37;2f@a.example/", ["a.example", "x", "x&"]),
    "base64": (f";base64,{encoded('//a.example/')}", ["a.example"]),
    "base64 in upper case with spaces around": (f"; BASE64 ,{encoded('//a.example/')}", ["a.example"]),
    "base64 of a host without slash behind it": (f";base64,{encoded('http:a.example')}", ["a.example"]),
    "base64 with padding of a host without slash behind it": (
        f";base64,{encoded('//b.a.example')}",
        ["b.a.example"],
    ),
    "base64 without padding": (f";base64,{encoded('//a.example/').rstrip('=')}", ["a.example"]),
    "base64 with escapes": (
        f";base64,{encoded('//a.example/')[:-2]}%{ord(encoded('//a.example/')[-2]):02x}",
        ["a.example"],
    ),
    "base64 without its mark": (encoded("http:a.example/"), []),
    "base64 of UTF-16, least byte first": (
        f";base64,{encoded('//bücher.example/', 'utf-16-le')}",
        ["xn--bcher-kva.example"],
    ),
    "base64 of UTF-16, most byte first": (
        f";base64,{encoded('//bücher.example/', 'utf-16-be')}",
        ["xn--bcher-kva.example"],
    ),
    "base64 in base64": (f";base64,{encoded(';base64,' + encoded('www.a.example/'))}", ["www.a.example"]),
    "references in base64": (f";base64,{encoded('&#119;ww.a.example/')}", ["www.a.example"]),
    "a tag in a scheme": ("ht<b>tp:a.example/", ["a.example"]),
    "a tag with a mark in quotes": ("ht<b title='>'>tp:a.example/", ["a.example"]),
    "a tag with a quote alone": ("ht<b '>tp:a.example/'", ["a.example"]),
    "an end tag in a scheme": ("ht<b/>tp:a.example/", ["a.example"]),
    "a comment in a scheme": ("ht<!-- > -->tp:a.example/", ["a.example"]),
    "an abrupt comment in a scheme": ("ht<!-->tp:a.example/", ["a.example"]),
    "a comment that an exclamation mark ends": ("ht<!-- > --!>tp:a.example/", ["a.example"]),
    "a processing instruction in a scheme": ("ht<?x > ?>tp:a.example/", ["a.example"]),
    "a processing instruction that a mark ends": ("ht<?x>tp:a.example/", ["a.example"]),
    "CDATA in a scheme": ("h<![CDATA[t]]>tp:a.example/", ["a.example"]),
    "several kinds between the slashes": ("/<b><!-- x --><![CDATA[/]]>a.example/", ["a.example"]),
    "a tag in a host": ("//a.exa<b>mple/", ["a.exa", "a.example"]),
    "a scheme that begins in a tag": ("<b ht<i>tp:a.example/", ["a.example"]),
    "a host in the attribute of a tag in a host": (
        "//a.<b c=//b.example/>example/",
        ["a", "a.", "a.example", "b.example"],
    ),
    "a host that the standard refuses": ("//a^b.shop.example/", ["shop.example"]),
    "sharp s": ("//straße.example/", ["strasse.example", "xn--strae-oqa.example"]),
    "a srcset": ("srcset='//a.example/1 1x,//b.example/2'", ["a.example", "b.example"]),
    "an entity of a data document": ("data:text/xml,<!DOCTYPE x[<!ENTITY e 'y'>]>", ["computed.invalid"]),
    "an attribute list of a data document": ("data:text/xml,%3C!ATTLIST x y>", ["computed.invalid"]),
    "the namespace of XSL in a data document": (
        "data:text/xml,<x xmlns='http://www.w3.org/1999/XSL/Transform'>",
        ["computed.invalid", "www.w3.org"],
    ),
    "an entity before any data document": ("<!ENTITY e 'y'> data:text/xml,x", []),
    "a style sheet with an element in it": (
        "<style>@import '//a.example/'<g/></style>",
        ["a.example", "computed.invalid"],
    ),
    "a style sheet with a comment in it": ("<style><!-- a{} --></style><g>", []),
    "an empty style element": ("<style/><g/>", []),
    "a tag in a user name": ("//x<y@a.example/", ["a.example", "x"]),
    "a comment in a user name": ("//x<!--y@a.example/ -->", ["a.example", "x"]),
    "nothing in a host, and a tag behind it": ("http://</>x<b>y/", ["x", "xy"]),
    "an entity without a data document": ("<!ENTITY e 'y'>", []),
}

IN_SOUP = {
    "a document with svg": "<svg></svg> {}",
    "srcdoc": '<p srcdoc="{}">',
    "linked data": "<script type=application/ld+json>{}</script>",
    "data: of an iframe": '<iframe src="data:x/y,{}">',
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
        "What is a host in soup: in a document whose tags depend on a tree, in srcdoc, in linked data, in data: URLs.",
    )
    for name, (text, hosts) in SOUP.items():
        for place, template in IN_SOUP.items():
            # What would end the value or the script, or be read already before it is soup.
            if place != "a document with svg" and any(mark in text for mark in '"&\0'):
                continue
            if place == "linked data" and "<!--" in text:
                continue
            # To the document, what is behind the mark of its type is a data document; a URL has no tabs and line breaks.
            if place.startswith("data:") and (any(mark in text for mark in "\t\r\n") or "ENTITY" in text):
                continue
            soup.hosts(f"{place}: {name}", template.replace("{}", text), hosts)
    return [ordinary, soup]
