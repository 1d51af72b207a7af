"""Links, sentence by sentence of the rules: their places, CSS, and their hosts."""

from .kit import Suite

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
    "href of an unknown element in VML": (
        "<v:roundrect href=//a.example><w:anchorlock/></v:roundrect>",
        ["a.example"],
    ),
    "content of a meta with itemprop": ("<meta itemprop=image content=//a.example>", ["a.example"]),
    "content of a meta with property": ("<meta property=og:image content=//a.example>", []),
    "content of another element with itemprop": ("<p itemprop=image content=//a.example>", []),
    "a number as content of a meta with itemprop": ("<meta itemprop=price content=12.50>", []),
    "refresh, U+000B before": ('<meta http-equiv=refresh content="\x0b0;url=//a.example">', ["a.example"]),
    "refresh, U+000B behind the number": (
        '<meta http-equiv=refresh content="0\x0b//a.example">',
        ["a.example"],
    ),
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
    "a base of a second document": (
        "<base href=//a.example/><base href=//b.example/>",
        ["a.example", "b.example"],
    ),
    "an unfinished tag": ("<img alt=x src=//a.example ", ["a.example"]),
    "an unfinished tag's quoted value": ('<img src="//a.example', ["a.example"]),
    "an unfinished end tag": ("</a href=//a.example ", []),
    "an unfinished comment": ("<!-- <a href=//a.example>", []),
    "a conditional comment without end": ("<!--[if mso]><a href=//a.example>", ["a.example"]),
    "a conditional comment without mark of its end": (
        "<!--[if mso]><a href=//a.example>--> x",
        ["a.example"],
    ),
    "a conditional comment, from the first mark": (
        "<!--[if mso]><p title=]><a href=//a.example>x<![endif]-->",
        ["a.example"],
    ),
    "a conditional comment, to the last mark": (
        "<!--[if mso]><![endif]><a href=//a.example>x<![endif]<a href=//b.example>-->",
        ["a.example"],
    ),
    "a conditional comment in another": ("<!--[if mso]><!--[if x]><a href=//a.example>", ["a.example"]),
    "a comment that does not begin with the condition": (
        "<!-- [if mso]><a href=//a.example><![endif]-->",
        [],
    ),
    "a condition without its mark": ("<!--[if mso>//a.example-->", []),
    "srcdoc in srcdoc": ("<iframe srcdoc=\"<iframe srcdoc='//a.example/'>\">", ["a.example", "computed.invalid"]),
    "srcdoc, its comment": ("<iframe srcdoc='<!-- //a.example/ -->'>", ["a.example"]),
    "linked data": (
        '<script type="application/ld+json">{"@context":"https:\\/\\/a.example\\/","@id": "http:b.example/"}</script>',
        ["a.example", "b.example"],
    ),
    "linked data with parameters": (
        "<script type=' Application/LD+JSON;x=y'>[\"//a.example/\"]</script>",
        ["a.example"],
    ),
    "a script of another type": ("<script type=application/json>//a.example/</script>", []),
    "a style with the type of linked data": ("<style type=application/ld+json>//a.example/</style>", []),
    "data: of no type": ("<a href=data:,//a.example/>", ["a.example"]),
    "data: of text": ("<a href=data:text/plain,//a.example/>", ["a.example"]),
    "data: of SVG": ("<img src=data:image/svg+xml,//a.example/>", ["a.example"]),
    "data: of a raster image": ("<img src=data:image/png,//a.example/>", []),
    "data: of sound": ("<audio src=data:audio/ogg,//a.example/>", []),
    "data: of video": ("<video src=DATA:VIDEO/MP4,//a.example/>", []),
    "data: of a font": ("<style>@font-face{src:url(data:font/woff2,//a.example/)}</style>", []),
    "data: of a font of old": (
        "<style>@font-face{src:url(data:application/x-font-woff,//a.example/)}</style>",
        [],
    ),
    "data: of a raster image in a link": ("<link href=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in an icon": ("<link rel='shortcut icon' href=data:image/png,//a.example/>", []),
    "data: of a document in an icon": ("<link rel=icon href=data:text/html,//a.example/>", ["a.example"]),
    "data: of a raster image in an icon that is a sheet, too": (
        "<link rel='icon stylesheet' href=data:image/png,//a.example/>",
        ["a.example"],
    ),
    "data: of a raster image in an iframe": ("<iframe src=data:image/png,//a.example/>", []),
    "data: of SVG in an iframe": ("<iframe src=data:image/svg+xml,//a.example/>", ["a.example"]),
    "data: of a PDF in an object": ("<object data=data:application/pdf,//a.example/>", []),
    "data: of an unknown type in an object": ("<object data=data:x/y,//a.example/>", ["a.example"]),
    "data: of an unknown type elsewhere": ("<img src=data:x/y,//a.example/>", []),
    "data: of a malformed type": ("<img src=data:image,//a.example/>", ["a.example"]),
    "data: without a comma": ("<iframe src=data:text/html;//a.example/>", []),
    "data: in base64": ("<a href=data:text/html;base64,Ly9hLmV4YW1wbGUv>", ["a.example"]),
    "data: in base64 with spaces around and no padding": (
        "<a href='data:text/html; BASE64 ,aHR0cDph LmV4YW1wbGU'>",
        ["a.example"],
    ),
    "data: in base64, up to what is none": ("<a href='data:text/html;base64,Ly9hLmV4YW1wbGUv!!!!'>", ["a.example"]),
    "data: in base64, percent-encoded": ("<a href='data:text/html;base64,%4Cy9hLmV4YW1wbGUv'>", ["a.example"]),
    "data: with a tab in it": ("<a href='da&#9;ta:text/html,%2&#9;f/a.example/'>", ["a.example"]),
    "data: decoded once": ("<a href=data:text/html,%252f%252fa.example/>", []),
    "data: with a byte beyond ASCII in a host": (
        "<iframe src='data:text/html,//b%FCcher.example/'>",
        ["computed.invalid"],
    ),
    "data: with a byte beyond ASCII in a user name": (
        "<iframe src='data:text/html,//%FC@a.example/'>",
        ["a.example", "computed.invalid"],
    ),
    "data: with a byte beyond ASCII in a path": ("<iframe src='data:text/html,//a.example/%FC'>", ["a.example"]),
    "data: with a byte beyond ASCII in an address": (
        "<iframe src='data:text/html,mailto:x@b%FCcher.example'>",
        ["computed.invalid"],
    ),
    "data: in UTF-8": (
        "<iframe src='data:text/html;charset=UTF8,//b%C3%BCcher.example/'>",
        ["xn--bcher-kva.example"],
    ),
    "data: of XML is in UTF-8": (
        "<iframe src='data:image/svg+xml,//b%C3%BCcher.example/'>",
        ["xn--bcher-kva.example"],
    ),
    "data: of XML in another encoding": (
        "<iframe src=\"data:text/xml,<?xml version='1.0' encoding='gbk'?><x>//b%C3%BCcher.example/\">",
        ["computed.invalid", "xn--bcher-kva.example"],
    ),
    "data: of XML as a sheet, which can name its charset": (
        "<link rel=stylesheet href='data:text/xml,//b%C3%BCcher.example/'>",
        ["computed.invalid", "xn--bcher-kva.example"],
    ),
    "data: in UTF-16": ("<iframe src='data:text/html;charset=utf-16le,x'>", ["computed.invalid"]),
    "data: that a mark says is in UTF-16": ("<iframe src=data:text/html,%FF%FEx>", ["computed.invalid"]),
    "data: that names UTF-16": ("<link rel=stylesheet href='data:text/css,@charset \"utf-16be\";'>", ["computed.invalid"]),
    "data: of a link that names UTF-16": ("<link charset=UTF-16 rel=stylesheet href='data:text/css,x'>", ["computed.invalid"]),
    "data: that speaks of UTF-16": ("<iframe src='data:text/plain,utf-16 is wide'>", []),
    "data: with ESC": ("<iframe src=data:text/html,%1B>", ["computed.invalid"]),
    "data: in data:": ("<iframe src='data:text/html,<iframe src=data:text/html,x>'>", ["computed.invalid"]),
    "data: of a raster image in data:": ("<iframe src='data:text/html,<img src=data:image/png,//a.example/>'>", ["a.example"]),
    "data: in linked data": (
        '<script type=application/ld+json>{"a":"data:text/html,x","b":"see data:text/html,x"}</script>',
        ["computed.invalid"],
    ),
    "data: within a string of linked data": (
        '<script type=application/ld+json>{"b":"see data:text/html,x"}</script>',
        [],
    ),
    "image-set in a data: sheet": ("<style>@import 'data:text/css,image-set';</style>", ["computed.invalid"]),
    "image-set in a data: document": ("<iframe src='data:text/html,image-set'>", []),
    "data: in soup after a quote": ("<svg><a x=' data:text/html,<b y=z>//a.example/'>", ["a.example"]),
    "data: in soup after a parenthesis": ("<svg><a fill=\"url(data:text/html,'%2f/a.example/')\">", ["a.example"]),
    "data: in soup after an equals sign": ("<svg><a x=data:text/html,%2f/a.example\ty=z>", ["a.example", "a.exampley=z"]),
    "data: in soup in @import": ("<svg><style>@import/**/url( 'data:x/y,%2f/a.example/' )</style>", ["a.example"]),
    "data: in soup in a literal link": ("<svg><x y='<link href=\"data:x/y,%2f/a.example/\">'>", ["a.example"]),
    "data: in soup in a literal iframe with a prefix": ("<svg><x y='<h:iframe src=data:x/y,%2f/a.example/>'>", ["a.example"]),
    "data: in soup in an instruction": ("<svg><?xml-stylesheet href='data:x/y,%2f/a.example/'?>", ["a.example"]),
    "data: in soup elsewhere": ("<svg><x y=data:x/y,%2f/a.example/>", []),
    "srcdoc in soup": ("<svg><x srcdoc = '&amp;#x2f;/a.example/'>", ["a.example"]),
    "linked data in soup": (
        '<svg><script type=application/ld+json>{"a":"\\u002f\\u002fa.example/"}</script>',
        ["a.example"],
    ),
    "data: of a raster image in @import": (
        "<style>@import 'data:image/png,//a.example/';</style>",
        ["a.example"],
    ),
    "data: of a raster image in url()": ("<style>p{background:url(data:image/png,//a.example/)}</style>", []),
    "data: of SVG in url()": ("<style>p{filter:url(data:image/svg+xml,//a.example/)}</style>", ["a.example"]),
    "data: of a raster image in a srcset": (
        "<img srcset='data:image/gif,//b.example/ 1x, //a.example 2x'>",
        ["a.example"],
    ),
    "data: of a raster image in the style of an iframe": (
        '<iframe style="background:url(data:image/png,//a.example/)">',
        [],
    ),
    "an entity in a data document": (
        "<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENTITY e 'y'>]><x/>\">",
        ["computed.invalid"],
    ),
    "an entity in the document": ("<!DOCTYPE x[<!ENTITY e 'y'>]><p>x", []),
    "an entity that is a whole URL": (
        "<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENTITY e 'http://a.example/x'>]><x/>\">",
        ["a.example"],
    ),
    "an entity that is a whole URL without a path": (
        "<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENTITY e 'http://a.example'>]><x/>\">",
        ["a.example", "computed.invalid"],
    ),
    "a parameter entity": (
        "<iframe src=\"data:text/xml,<!DOCTYPE x[<!ENTITY %25 e 'http://a.example/x'>]><x/>\">",
        ["a.example", "computed.invalid"],
    ),
    "repeated attributes": ("<a href=//a.example href=//b.example href=//c.example>", ["a.example", "b.example", "c.example"]),
    "a refresh whose attributes are repeated": (
        "<meta http-equiv=x http-equiv=refresh content=5 content='0;url=//a.example'>",
        ["a.example"],
    ),
    "U+000B between attributes": ("<a\x0btitle=x\x0bhref='//a.example'>", ["a.example"]),
    "U+000B in a value without quotes": ("<a href=//a.example\x0bping=//b.example>", ["a.example", "b.example"]),
    "U+000B in a value with quotes": ("<a title='x\x0bhref=//a.example'>", []),
    "U+000B, and a mark in quotes": ("<a\x0btitle='>'\x0bhref='//a.example'>", ["a.example"]),
    "a control in a name": ("<a h\x01r\x02ef=//a.example>", ["a.example"]),
    "a NUL in a name": ("<a hr\0ef=//a.example>", ["a.example"]),
    "a NUL in the name of CSS": ("<a st\0yle=background:url(//a.example)>", ["a.example"]),
    "markup in xmp": ("<xmp><a href=//a.example>x</a></xmp>", ["a.example"]),
    "markup in an iframe": ("<iframe><img alt=//a.example/></iframe>", ["a.example"]),
    "markup in noembed": ("<noembed><img alt=//a.example/></noembed>", ["a.example"]),
    "markup in noframes": ("<noframes><a href=mailto:x@a.example></noframes>", ["a.example"]),
    "markup in xmp does not make the document soup": ("<xmp><svg></xmp><img alt=//a.example/>", []),
    "markup in a title": ("<title><a href=//a.example></title>", []),
    "a comment that ends early for readers in a terminal": ("<!-- x -- > <a href=//a.example> -->", ["a.example"]),
    "a comment with dashes and no mark": ("<!-- x -- <a href=//a.example> -->", []),
    "ESC in the document": ("<p>\x1b</p>", ["computed.invalid"]),
    "ESC as a reference in an ordinary document": ("<p>&#27;</p>", []),
    "text with a NUL": ("see www.a.ex\0ample", ["www.a.example"]),
    "text parted by a tag": ("http://a.ex<wbr>ample", ["a.ex"]),
    "text up to a sign": ("http://a.example&x http://b.example|x", ["a.example", "a.example&x", "b.example"]),
    "text up to a letter beyond ASCII": (
        "http://shop.example\u3092\u3054\u89a7\u304f\u3060\u3055\u3044",
        ["shop.example", "shop.xn--example-g43fod2bm5k01ah190h"],
    ),
    "text with several www., the first and the last to each end": (
        "www.a~www.b~www.c!www.d~www.e~www.f",
        [
            "www.a~www.b~www.c",
            "www.a~www.b~www.c!www.d~www.e~www.f",
            "www.c",
            "www.d~www.e~www.f",
            "www.f",
        ],
    ),
    "text with several www. behind a scheme": (
        "http://x~www.a~www.b~www.c/",
        ["www.a~www.b~www.c", "www.c", "x~www.a~www.b~www.c"],
    ),
    "text with a www. behind a colon, and a port": ("http://x:www.a~www.b~www.c:80/", ["www.a~www.b~www.c", "www.c"]),
    "text after a letter beyond ASCII": ("\u3053\u3061\u3089http://shop.example/", ["shop.example"]),
    "text after a letter beyond ASCII, www.": ("\u3053\u3061\u3089www.shop.example/", []),
    "text after an ASCII letter": ("xftp://shop.example/", []),
    "text with a dot and a bracket before the path": ("http://a.example.)/x", ["a.example"]),

    "content of a meta that refreshes and has itemprop": (
        "<meta http-equiv=refresh itemprop=image content=//a.example/x.png>",
        ["a.example"],
    ),
    "a refresh of a meta that has itemprop": ("<meta http-equiv=refresh itemprop=image content='0;//a.example'>", ["a.example"]),
    "mailto: with an address in the second of two angle brackets": ('<a href="mailto:A%20<b>%20<x@a.example>">', ["a.example"]),
    "a conditional comment, past a mark in other letters": (
        "<!--[if mso]>x<![ENDIF]><a href=//a.example>-->",
        ["a.example"],
    ),
    "data: of an element with a charset that loads nothing": (
        '<a charset=utf-16 href="data:text/html,x">',
        ["computed.invalid"],
    ),
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
    "a bad url token, up to a quote": ('@import url(//a.example"x);', ["a.example", 'a.example"x']),
    "a bad url token, up to a parenthesis": ("a{b:url(//a.example(x)}", ["a.example", "a.example(x"]),
    "a bad url token in a path": ('a{b:url(//a.example/"x)}', ["a.example"]),
    "a bad url token in upper case": ("a{b:URL( //a.example/ x)}", ["a.example"]),
    "a bad string in @import": ("@import '//a.example/\n;", ["a.example"]),
    "a bad string in url()": ("a{b:url('//a.example/\n)}", ["a.example"]),
    "a bad string elsewhere": ("a{content:'//a.example/\n}", []),
    "AlphaImageLoader": (
        "a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='//a.example')}",
        ["a.example"],
    ),
    "AlphaImageLoader in lower case, without quotes": (
        "a{filter:alphaimageloader(enabled=1,src=//a.example)}",
        ["a.example"],
    ),
    "AlphaImageLoader without src": ("a{filter:AlphaImageLoader(sizingMethod='//a.example')}", []),
    "another filter with src": ("a{filter:Alpha(src='//a.example')}", []),
    "image-set beside a string": (
        "a{b:image-set('//a.example')}c{content:'//b.example'}",
        ["a.example", "b.example"],
    ),
    "image-set in a comment beside a string": ("/* image-set() */c{content:'//b.example'}", []),
    "image-set with an escape beside a string": (
        "a{b:im\\61ge-set()}c{content:'//b.example'}",
        ["b.example"],
    ),
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
    "image-set in text": ("image-set() <p style=\"--n:'//a.example'\">", []),
    "image-set in a conditional comment": (
        "<p style=\"--n:'//a.example'\"><!--[if mso]><p style='background:image-set()'><![endif]-->",
        [],
    ),
    "AlphaImageLoader with comments": (
        "<p style='filter:AlphaImageLoader(src/**/=/**/\"//a.example\") AlphaImageLoader(src/**/=/**/ //b.example)'>",
        ["a.example", "b.example"],
    ),
    "AlphaImageLoader with brackets": ("<p style=filter:AlphaImageLoader((src=//a.example))>", ["a.example"]),
    "src behind AlphaImageLoader": ("<p style='filter:AlphaImageLoader() src=//a.example'>", ["a.example"]),
    "src before AlphaImageLoader": ("<p style='x:src=//a.example;filter:AlphaImageLoader()'>", []),
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
    "final sigma": (
        "//\u03b2\u03cc\u03bb\u03bf\u03c2.example/",
        ["xn--nxasmm1c.example", "xn--nxasmq6b.example"],
    ),
    "a joiner out of place": ("//a\u200db.example/", ["ab.example"]),
    "a joiner in its place": (
        "//\u0915\u094d\u200d\u0937.example/",
        ["xn--11b2ezc.example", "xn--11b2ezcw70k.example"],
    ),
    "two deviations": ("//faßς.example/", ["xn--fa-hia070a.example", "xn--fass-ood.example"]),
    "sharp s in a label that is refused": ("//a b.faß.example/", ["fass.example", "xn--fa-hia.example"]),
    "sharp s in a relative reference": ("faß.example/x", ["fass.example", "xn--fa-hia.example"]),
    "sharp s in mailto": ("mailto:x@faß.example", ["fass.example", "xn--fa-hia.example"]),
    "Punycode of sharp s": ("//xn--fa-hia.example/", ["xn--fa-hia.example"]),
    "another scheme": ("x-app://A.example/x", ["a.example"]),
    "another scheme with one slash": ("x-app:/a.example/x", []),
    "another scheme and a host that is refused": ("x-app://a b.shop.example", ["a", "shop.example"]),
    "another scheme and a backslash": ("x-app://u\\@a.example", ["a.example", "u"]),
    "another scheme that carries a URL": ("ms-word:ofe|u|https://a.example/x.docx", ["a.example"]),
    "another scheme that carries an encoded URL": (
        "intent:x#Intent;S.browser_fallback_url=https%3A%2F%2Fa.example%2Fx;end",
        ["a.example"],
    ),
    "another scheme that carries data:": ("view-source:data:text/html,%2f%2fa.example/", ["a.example"]),
    "view-source": ("view-source:https://a.example", ["a.example"]),
    "file with three slashes": ("file:///a.example/x", ["a.example"]),
    "file with slashes of both kinds": ("file:///\\\\a.example\\x", ["a.example"]),
    "file with one slash": ("file:/a.example/x", ["a.example"]),
    "file without slashes": ("file:a.example/x", []),
    "file with a drive": ("file:///C:/a.example/x", []),
    "file with a drive and a bar": ("file:///c|\\a.example\\x", []),
    "a share with SSL": ("\\\\a.example@SSL\\x", ["a.example", "ssl"]),
    "a share with a port": ("\\\\a.example@80\\x", ["0.0.0.80", "a.example"]),
    "a share with SSL and a port": ("file://a.example@SSL@443/x", ["0.0.1.187", "a.example"]),
    "mailto with a semicolon": ("mailto:x@a.example;y@b.example", ["a.example", "b.example"]),
    "mailto with a name": ("mailto:Bob%20<x@a.example>", ["a.example"]),
    "mailto with a name that has a comma": ("mailto:%22Roe,%20Bob%22%20<x@a.example>", ["a.example"]),
    "mailto with a dot at the end": ("mailto:x@a.example.", ["a.example"]),
    "mailto with a semicolon in a field": ("mailto:?cc=x@a.example;y@b.example", ["a.example", "b.example"]),
    "two dots at the end": ("//shop.example../", ["shop.example.."]),
    "an empty label": ("//a..shop.example/", ["shop.example"]),
    "an empty label first": ("//.shop.example/", ["shop.example"]),
    "an empty label before the last": ("//shop..example/", []),
    "127 empty labels": ("//a" + "." * 127 + "shop.example/", ["shop.example"]),
    "dots alone": ("//../", []),
    "a space, and dots at the end": ("//a b.shop.example.../", ["shop.example..."]),
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
    "Punycode of a combining mark first": ("//xn--fa-hie.shop.example/", ["shop.example"]),
}


def suites():
    places = Suite("links-places", "The places in which links stand, and what looks like one of them.")
    for name, (html, hosts) in PLACES.items():
        places.hosts(name, html, hosts)

    sheets = Suite(
        "links-css", "Links in CSS, also in what the standard calls a bad token or a misplaced rule."
    )
    for name, (css, hosts) in SHEETS.items():
        sheets.hosts(name, f"<style>{css}</style>", hosts)
        if '"' not in css and "\0" not in css:
            sheets.hosts(f"in a style attribute: {name}", f'<p style="{css}">', hosts)
    for name, (html, hosts) in SHEETS_TOGETHER.items():
        sheets.hosts(name, html, hosts)

    names = Suite(
        "links-hosts", "The hosts of URLs: those that the URL standard refuses, long ones, old forms."
    )
    for name, (url, hosts) in HOSTS.items():
        names.hosts(name, f'<a href="{url}">x</a>', hosts)
        if is_text(url):
            names.hosts(f"in text: {name}", f"http:{url}", hosts)
    return [places, sheets, names]


def is_text(url):
    """Whether the URL can be in text as it is in an attribute."""
    return url.isascii() and url.startswith("//") and " " not in url and "../" not in url
