"""Links, sentence by sentence of the rules: which documents are soup, where links stand, what their hosts are."""

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
    "noscript and its end tag": ("<noscript><img src=//b.example></noscript><img alt=//a.example/>", ["b.example"]),
    "noscript without end": ("<noscript><img alt=//a.example/>", []),
    "noscript that ends in a comment": ("<noscript><!-- </noscript><img alt=//a.example/> -->", ["a.example"]),
    "noscript that ends in an attribute": (
        '<noscript><p title="</noscript><img alt=//a.example/>">x</noscript>',
        ["a.example"],
    ),
    "noscript that ends in raw text": ("<noscript><style></NOSCRIPT><img alt=//a.example/></style>", ["a.example"]),
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
    "the end of noscript in a comment before it": ("<!-- </noscript> --><noscript></noscript><img alt=//a.example/>", []),
    "text in brackets that is no tag": ("a < svg and <3<img alt=//a.example/>", []),
    "text of a title in soup": ("<title>www.a.example/</title><svg>", ["www.a.example"]),
    "a comment in soup": ("<!-- //a.example/ --><svg>", ["a.example"]),
    "a doctype in soup": ('<!DOCTYPE html PUBLIC "x" "http://a.example/x"><svg>', ["a.example"]),
    "a namespace in soup": ('<svg xmlns="http://a.example/2000/svg">', ["a.example"]),
    "an end tag's attribute in soup": ("<svg></svg href=//a.example/>", ["a.example"]),
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
    "a domain with a parenthesis in it": ("//a(b.example/", ["a", "a(b.example"]),
    "a user name": ("//x:y@a.example/", ["a.example"]),
    "a user name with a quote": ("//x'y@a.example/", ["a.example", "x"]),
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
    "another escape of ISO-2022-JP in a host": ("http:a.exa\x1b(Jmple/", ["a.example"]),
    "a reference in a percent escape": ("&#37;2f&#x25;2fa.example/", ["a.example"]),
    "a percent escape in a reference": ("%26#47;%26sol;a.example/", ["a.example"]),
    "six rounds": ("&amp;#38;#38;amp;#38;#38;sol;&#47;a.example/", ["a.example"]),
    "many rounds": ("&" + "amp;" * 100 + "sol;%" + "25" * 100 + "2fa.example/", ["a.example"]),
    "a user name that a later step would end": ("//x&#37;2f@a.example/", ["a.example", "x", "x&"]),
    "base64": (f";base64,{encoded('//a.example/')}", ["a.example"]),
    "base64 in upper case with spaces around": (f"; BASE64 ,{encoded('//a.example/')}", ["a.example"]),
    "base64 without padding": (f";base64,{encoded('//a.example/').rstrip('=')}", ["a.example"]),
    "base64 with escapes": (f";base64,{encoded('//a.example/')[:-2]}%{ord(encoded('//a.example/')[-2]):02x}", ["a.example"]),
    "base64 without its mark": (encoded("http:a.example/"), []),
    "base64 of UTF-16, least byte first": (f";base64,{encoded('//bücher.example/', 'utf-16-le')}", ["xn--bcher-kva.example"]),
    "base64 of UTF-16, most byte first": (f";base64,{encoded('//bücher.example/', 'utf-16-be')}", ["xn--bcher-kva.example"]),
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
    "a host in the attribute of a tag in a host": ("//a.<b c=//b.example/>example/", ["a.", "a.example", "b.example"]),
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
    "an entity without a data document": ("<!ENTITY e 'y'>", []),
}

IN_SOUP = {
    "a document with svg": "<svg></svg> {}",
    "srcdoc": '<p srcdoc="{}">',
    "linked data": "<script type=application/ld+json>{}</script>",
    "data: of an iframe": '<iframe src="data:x/y,{}">',
}

PLACES = {
    "o:href": ("<v:fill o:href=//a.example>", ["a.example"]),
    "archive": ("<object archive=//a.example>", ["a.example"]),
    "profile": ("<head profile=//a.example>", ["a.example"]),
    "usemap": ("<img usemap=//a.example>", ["a.example"]),
    "usemap of this document": ("<img usemap=#map>", []),
    "classid of object": ("<object classid=//a.example>", ["a.example"]),
    "classid of object with clsid:": ("<object classid=clsid:D27CDB6E-AE6D-11cf-96B8-444553540000>", []),
    "classid elsewhere": ("<p classid=//a.example>", []),
    "code of embed": ("<embed code=//a.example>", ["a.example"]),
    "code elsewhere": ("<applet code=//a.example>", []),
    "data of object": ("<object data=//a.example>", ["a.example"]),
    "href of an unknown element in VML": ("<v:roundrect href=//a.example><w:anchorlock/></v:roundrect>", ["a.example"]),
    "content of a meta with itemprop": ("<meta itemprop=image content=//a.example>", ["a.example"]),
    "content of a meta with property": ("<meta property=og:image content=//a.example>", []),
    "content of another element with itemprop": ("<p itemprop=image content=//a.example>", []),
    "a number as content of a meta with itemprop": ("<meta itemprop=price content=12.50>", []),
    "refresh, U+000B before": ('<meta http-equiv=refresh content="\x0b0;url=//a.example">', ["a.example"]),
    "refresh, U+000B behind the number": ('<meta http-equiv=refresh content="0\x0b//a.example">', ["a.example"]),
    "refresh, to the last quote": (
        "<meta http-equiv=refresh content=\"0;url='//x'y@a.example'\">",
        ["a.example", "x"],
    ),
    "refresh, to the first quote": (
        "<meta http-equiv=refresh content=\"0;url='//a.example/'//b.example'\">",
        ["a.example"],
    ),
    "a base in another scheme takes no host away": ("<base href=foo:x><a href=//a.example>", ["a.example"]),
    "a base that cannot be read takes no host away": ("<base href=//[><a href=//a.example>", ["a.example"]),
    "a base of a second document": ("<base href=//a.example/><base href=//b.example/>", ["a.example", "b.example"]),
    "an unfinished tag": ("<img alt=x src=//a.example ", ["a.example"]),
    "an unfinished tag's quoted value": ('<img src="//a.example', ["a.example"]),
    "an unfinished end tag": ("</a href=//a.example ", []),
    "an unfinished comment": ("<!-- <a href=//a.example>", []),
    "a conditional comment without end": ("<!--[if mso]><a href=//a.example>", ["a.example"]),
    "a conditional comment without mark of its end": ("<!--[if mso]><a href=//a.example>--> x", ["a.example"]),
    "a conditional comment, from the first mark": (
        "<!--[if mso]><p title=]><a href=//a.example>x<![endif]-->",
        ["a.example"],
    ),
    "a conditional comment, to the last mark": (
        "<!--[if mso]><![endif]><a href=//a.example>x<![endif]<a href=//b.example>-->",
        ["a.example"],
    ),
    "a conditional comment in another": ("<!--[if mso]><!--[if x]><a href=//a.example>", ["a.example"]),
    "a comment that does not begin with the condition": ("<!-- [if mso]><a href=//a.example><![endif]-->", []),
    "a condition without its mark": ("<!--[if mso>//a.example-->", []),
    "srcdoc in srcdoc": ("<iframe srcdoc=\"<iframe srcdoc='//a.example/'>\">", ["a.example"]),
    "srcdoc, its comment": ("<iframe srcdoc='<!-- //a.example/ -->'>", ["a.example"]),
    "linked data": (
        '<script type="application/ld+json">{"@context":"https:\\/\\/a.example\\/","@id": "http:b.example/"}</script>',
        ["a.example", "b.example", 'id"'],
    ),
    "linked data with parameters": ("<script type=' Application/LD+JSON;x=y'>//a.example/</script>", ["a.example"]),
    "a script of another type": ("<script type=application/json>//a.example/</script>", []),
    "a style with the type of linked data": ("<style type=application/ld+json>//a.example/</style>", []),
    "data: of no type": ("<a href=data:,//a.example/>", ["a.example"]),
    "data: of text": ("<a href=data:text/plain,//a.example/>", ["a.example"]),
    "data: of SVG": ("<img src=data:image/svg+xml,//a.example/>", ["a.example"]),
    "data: of a raster image": ("<img src=data:image/png,//a.example/>", []),
    "data: of sound": ("<audio src=data:audio/ogg,//a.example/>", []),
    "data: of video": ("<video src=DATA:VIDEO/MP4,//a.example/>", []),
    "data: of a font": ("<style>@font-face{src:url(data:font/woff2,//a.example/)}</style>", []),
    "data: of a font of old": ("<style>@font-face{src:url(data:application/x-font-woff,//a.example/)}</style>", []),
    "data: of a raster image in a link": ("<link rel=icon href=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in an iframe": ("<iframe src=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in a frame": ("<frame src=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in an object": ("<object data=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in an embed": ("<embed src=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in @import": ("<style>@import 'data:image/png,//a.example/';</style>", ["a.example"]),
    "data: of a raster image in url()": ("<style>p{background:url(data:image/png,//a.example/)}</style>", []),
    "data: of SVG in url()": ("<style>p{filter:url(data:image/svg+xml,//a.example/)}</style>", ["a.example"]),
    "data: of a raster image in a srcset": ("<img srcset='data:image/gif,//b.example/ 1x, //a.example 2x'>", ["a.example"]),
    "data: of a raster image in the style of an iframe": (
        '<iframe style="background:url(data:image/png,//a.example/)">',
        [],
    ),
    "an entity in a data document": (
        '<iframe src="data:text/xml,<!DOCTYPE x[<!ENTITY e \'y\'>]><x/>">',
        ["computed.invalid"],
    ),
    "an entity in the document": ("<!DOCTYPE x[<!ENTITY e 'y'>]><p>x", []),
    "text with a NUL": ("see www.a.ex\0ample", ["www.a.example"]),
    "text parted by a tag": ("http://a.ex<wbr>ample", ["a.ex"]),
}

SHEETS = {
    "@import without quotes": ("@import //a.example/x;", ["a.example"]),
    "@import without quotes, up to a quote": ("@import //a.example'x'", ["a.example"]),
    "@import without quotes, up to white space": ("@import //a.example screen;", ["a.example"]),
    "@import without quotes, up to a semicolon": ("@import //a.example;p{}", ["a.example"]),
    "@import without quotes, with escapes": ("@import \\2f\\2f a.ex\\61mple;", ["a.example"]),
    "@import without quotes at the end": ("@import//a.example", ["a.example"]),
    "@import behind a rule": ("p{color:red}@import '//a.example';", ["a.example"]),
    "@import in a block": ("p{@import '//a.example';}", ["a.example"]),
    "@import of a medium alone": ("@import screen;", []),
    "@importx": ("@importx '//a.example';", []),
    "a NUL in @import": ("@im\0port '//a.example';", ["a.example"]),
    "a NUL in url()": ("a{b:u\0rl(//a.example)}", ["a.example"]),
    "a bad url token, up to a quote": ("@import url(//a.example\"x);", ["a.example", 'a.example"x']),
    "a bad url token, up to a parenthesis": ("a{b:url(//a.example(x)}", ["a.example", "a.example(x"]),
    "a bad url token in a path": ('a{b:url(//a.example/"x)}', ["a.example"]),
    "a bad url token in upper case": ("a{b:URL( //a.example/ x)}", ["a.example"]),
    "a bad string in @import": ("@import '//a.example/\n;", ["a.example"]),
    "a bad string in url()": ("a{b:url('//a.example/\n)}", ["a.example"]),
    "a bad string elsewhere": ("a{content:'//a.example/\n}", []),
    "AlphaImageLoader": ("a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='//a.example')}", ["a.example"]),
    "AlphaImageLoader in lower case, without quotes": ("a{filter:alphaimageloader(enabled=1,src=//a.example)}", ["a.example"]),
    "AlphaImageLoader without src": ("a{filter:AlphaImageLoader(sizingMethod='//a.example')}", []),
    "another filter with src": ("a{filter:Alpha(src='//a.example')}", []),
    "image-set beside a string": ("a{b:image-set('//a.example')}c{content:'//b.example'}", ["a.example", "b.example"]),
    "image-set in a comment beside a string": ("/* image-set */c{content:'//b.example'}", ["b.example"]),
    "image-set with an escape beside a string": ("a{b:im\\61ge-set()}c{content:'//b.example'}", ["b.example"]),
    "-WEBKIT-IMAGE-SET beside a string": ("a{b:-WEBKIT-IMAGE-SET()}c{content:'//b.example'}", ["b.example"]),
    "a string without image-set": ("a{content:'//a.example'}", []),
    "a comment beside image-set": ("a{b:image-set()}/* '//a.example' */", []),
    "a string with words beside image-set": ("a{b:image-set();font-family:'Open Sans','Arial'}", []),
}

SHEETS_TOGETHER = {
    "image-set in a style attribute, the string in a sheet": (
        "<style>p{--n:'//a.example'}</style><p style='background:image-set(var(--n))'>",
        ["a.example"],
    ),
    "image-set in a sheet, the string in a style attribute before it": (
        "<p style=\"--n:'//a.example'\"><style>p{background:image-set(var(--n))}</style>",
        ["a.example"],
    ),
    "image-set in text": ("image-set <p style=\"--n:'//a.example'\">", ["a.example"]),
    "image-set in a conditional comment": (
        "<p style=\"--n:'//a.example'\"><!--[if mso]><p style='background:image-set()'><![endif]-->",
        ["a.example"],
    ),
}

HOSTS = {
    "a Punycode label that is none": ("//xn--a.shop.example/", ["shop.example"]),
    "an empty Punycode label": ("//xn--.shop.example/", ["shop.example"]),
    "a space": ("//a b.shop.example/", ["shop.example"]),
    "an encoded space": ("//%20.shop.example/", ["shop.example"]),
    "an ideographic space": ("//a\u3000b.shop.example/", ["shop.example"]),
    "a space, and a dot that mapping makes": ("//a b。shop。example/", ["shop.example"]),
    "a space, and an encoded dot": ("//a b%2eshop%2Eexample/", ["shop.example"]),
    "a space, and upper case": ("//a b.SHOP.Example/", ["shop.example"]),
    "a space in the second label": ("//a.b c.shop.example/", ["shop.example"]),
    "a space in the last label but one": ("//a.b c.example/", []),
    "a space in the last label": ("//a.shop.exa mple/", []),
    "a space, and a dot at the end": ("//a b.shop.example./", ["shop.example."]),
    "a space, and one label with a dot at the end": ("//a b.example./", []),
    "a percent sign that is encoded": ("//a%2561.shop.example/", ["shop.example"]),
    "a NUL that is encoded": ("//%00.shop.example/", ["shop.example"]),
    "a slash that is encoded": ("//a%2fb.shop.example/", ["shop.example"]),
    "an at sign that is encoded": ("//a%40b.shop.example/", ["shop.example"]),
    "a bracket": ("//[a.shop.example/", ["shop.example"]),
    "bytes that are not UTF-8": ("//%ff.shop.example/", ["shop.example"]),
    "a port behind it": ("//a^b.shop.example:80/", ["shop.example"]),
    "a port that is none": ("//shop.example:x/", []),
    "a user name before it": ("//x@a^b.shop.example/", ["shop.example"]),
    "a label of 63": ("//" + "a" * 63 + ".shop.example/", ["a" * 63 + ".shop.example"]),
    "a label of 64": ("//" + "a" * 64 + ".shop.example/", ["shop.example"]),
    "a label of 64 in Punycode": ("//" + "ü" * 70 + ".shop.example/", ["shop.example"]),
    "a label of 300 in Punycode": ("//" + "ü" * 300 + ".shop.example/", ["shop.example"]),
    "253 in all": ("//" + "a." * 120 + "b.shop.example/", ["a." * 119 + "b.shop.example"]),
    "a parent alone that is too long": ("//x." + "a" * 64 + "/", []),
    "sharp s": ("//faß.example/", ["fass.example", "xn--fa-hia.example"]),
    "capital sharp s": ("//FAẞ.example/", ["fass.example", "xn--fa-hia.example"]),
    "encoded sharp s": ("//fa%C3%9f.example/", ["fass.example", "xn--fa-hia.example"]),
    "final sigma": ("//\u03b2\u03cc\u03bb\u03bf\u03c2.example/", ["xn--nxasmm1c.example", "xn--nxasmq6b.example"]),
    "a joiner out of place": ("//a\u200db.example/", ["ab.example"]),
    "a joiner in its place": ("//\u0915\u094d\u200d\u0937.example/", ["xn--11b2ezc.example", "xn--11b2ezcw70k.example"]),
    "two deviations": ("//faßς.example/", ["xn--fa-hia070a.example", "xn--fass-ood.example"]),
    "sharp s in a label that is refused": ("//a b.faß.example/", ["fass.example", "xn--fa-hia.example"]),
    "sharp s in a relative reference": ("faß.example/x", ["fass.example", "xn--fa-hia.example"]),
    "sharp s in mailto": ("mailto:x@faß.example", ["fass.example", "xn--fa-hia.example"]),
    "Punycode of sharp s": ("//xn--fa-hia.example/", ["xn--fa-hia.example"]),
    "another scheme": ("x-app://A.example/x", ["a.example"]),
    "another scheme with one slash": ("x-app:/a.example/x", []),
    "another scheme and a host that is refused": ("x-app://a b.shop.example", ["shop.example"]),
    "javascript with slashes": ("javascript://a.example/%0aalert(1)", ["a.example"]),
    "file": ("file://a.example/x", ["a.example"]),
    "tel": ("tel:+491234", []),
    "cid": ("cid:part1.a@b.example", []),
    "a domain and a port": ("www.shop.example:80/x", ["www.shop.example"]),
    "a domain, encoded": ("www%2eshop.example/x", ["www.shop.example"]),
    "a file name is a domain": ("logo.png", ["logo.png"]),
    "a relative path": ("img/logo.png", []),
    "a placeholder as a URL": ("{{url}}", []),
    "a placeholder in a path": ("http://shop.example/{{id}}", ["shop.example"]),
    "https without slashes": ("https:a.example", ["a.example"]),
    "http with one slash": ("http:/a.example", ["a.example"]),
}


def suites():
    ordinary = Suite(
        "links-ordinary",
        "Which documents the tokenizer reads alone, and which count as soup as well.",
    )
    for name, (html, hosts) in ORDINARY.items():
        stated(ordinary, name, html, hosts)

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
            stated(soup, f"{place}: {name}", template.replace("{}", text), hosts)

    places = Suite("links-places", "The places in which links stand, and what looks like one of them.")
    for name, (html, hosts) in PLACES.items():
        stated(places, name, html, hosts)

    sheets = Suite("links-css", "Links in CSS, also in what the standard calls a bad token or a misplaced rule.")
    for name, (css, hosts) in SHEETS.items():
        stated(sheets, name, f"<style>{css}</style>", hosts)
        if '"' not in css and "\0" not in css:
            stated(sheets, f"in a style attribute: {name}", f'<p style="{css}">', hosts)
    for name, (html, hosts) in SHEETS_TOGETHER.items():
        stated(sheets, name, html, hosts)

    names = Suite("links-hosts", "The hosts of URLs: those that the URL standard refuses, long ones, old forms.")
    for name, (url, hosts) in HOSTS.items():
        stated(names, name, f'<a href="{url}">x</a>', hosts)
        if is_text(url):
            stated(names, f"in text: {name}", f"http:{url}", hosts)
    return [ordinary, soup, places, sheets, names]


def is_text(url):
    """Whether the URL can stand in text as it stands in an attribute."""
    return url.startswith("//") and not any(mark in url for mark in " \u3000")


def stated(suite, name, html, hosts):
    suite.add(name, {"do": "hosts", "html": html}, {"hosts": sorted(set(hosts))})
