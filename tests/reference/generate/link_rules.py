"""Links, sentence by sentence of the rules: where they stand, CSS, and what their hosts are."""

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
    "srcdoc in srcdoc": ("<iframe srcdoc=\"<iframe srcdoc='//a.example/'>\">", ["a.example"]),
    "srcdoc, its comment": ("<iframe srcdoc='<!-- //a.example/ -->'>", ["a.example"]),
    "linked data": (
        '<script type="application/ld+json">{"@context":"https:\\/\\/a.example\\/","@id": "http:b.example/"}</script>',
        ["a.example", "b.example", 'id"'],
    ),
    "linked data with parameters": (
        "<script type=' Application/LD+JSON;x=y'>//a.example/</script>",
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
    "data: of a raster image in a link": ("<link rel=icon href=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in an iframe": ("<iframe src=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in a frame": ("<frame src=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in an object": ("<object data=data:image/png,//a.example/>", ["a.example"]),
    "data: of a raster image in an embed": ("<embed src=data:image/png,//a.example/>", ["a.example"]),
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
    "another scheme and a host that is refused": ("x-app://a b.shop.example", ["shop.example"]),
    "another scheme and a backslash": ("x-app://u\\@a.example", ["a.example"]),
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
    """Whether the URL can stand in text as it stands in an attribute."""
    return url.startswith("//") and not any(mark in url for mark in " \u3000")
