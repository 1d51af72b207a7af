"""httpSendMail: subjects, bodies and their encodings."""

from .kit import REQUEST, Suite, batch


def suite_content():
    suite = Suite(
        "http-send-mail-content",
        "What the body of an httpSendMail call alone shows: subjects with control characters and "
        "placeholders, names, reply addresses, and bodies that are missing, plain, encoded or no UTF-8.",
    )
    add = suite.http

    def one(name, code, rule, policy=None, **fields):
        return add(name, batch({**REQUEST, **fields}), code, rule, policy=policy)

    for char in (
        "\u0000",
        "\u0001",
        "\t",
        "\n",
        "\r",
        "\u001f",
        "\u007f",
        "\u0080",
        "\u0085",
        "\u009f",
        "\u2028",
        "\u2029",
    ):
        one(f"subject with U+{ord(char):04X}", 476, "subject-control", subject=f"a{char}b")
        one(f"fromName with U+{ord(char):04X}", 477, "from-name-control", fromName=f"a{char}b")
    for char in (
        "\u00a0",
        "\u00ad",
        "\u200b",
        "\u202e",
        "\ufeff",
        "\ue000",
        "\uffff",
        "\u0378",
        "😀",
        "\u3000",
        "\u202f",
    ):
        one(f"subject with U+{ord(char):04X}", 200, None, subject=f"a{char}b")
        one(f"fromName with U+{ord(char):04X}", 200, None, fromName=f"a{char}b")
    n64, n65 = "n" * 64, "n" * 65
    held = [
        "{{name}}",
        "{{ name }}",
        "{{  name  }}",
        "Hi {{name}}!",
        "{%name%}",
        "{% name %}",
        "%%name%%",
        "%% first name %%",
        "*|NAME|*",
        "*| NAME |*",
        "{*name*}",
        "{* name *}",
        "${name}",
        "${ name }",
        "{{_}}",
        "{{_1}}",
        "{{a.b-c~d e}}",
        "{{é}}",
        "{{имя}}",
        "{{名前}}",
        "{{a\u0661}}",
        "{{{name}}}",
        "{{{{name}}}}",
        "{{1}} {{a}}",
        f"{{{{{n64}}}}}",
        f"{{{{ {n64} }}}}",
        f"{{{{{n64[:63]}.}}}}",
        "{{a}}{{b}}",
        "%%%name%%",
        "$${name}",
        "{{x} {{y}}",
        "${{name}}",
        "{%%a%%}",
        # A mark that does not close a placeholder can open one.
        "%%1%%b%%",
        "%%%a%%",
        "*|1|*|b|*",
        "{{ {{a}} }}",
    ]
    clear = [
        "{{}}",
        "{{ }}",
        "{{1}}",
        "{{1a}}",
        "{{-a}}",
        "{{.a}}",
        "{{~a}}",
        "{{a",
        "a}}",
        "{ {a}}",
        "{{a} }",
        "{a}",
        "{{a\u00a0b}}",
        "{{\u00a0a}}",
        "{{a,b}}",
        "{{a|b}}",
        "{{a(b)}}",
        f"{{{{{n65}}}}}",
        "{{a:b}}",
        "{{#if a}}",
        "{{/a}}",
        "{% 1 %}",
        "%%",
        "%%%%",
        "100%% sure",
        "%name%",
        "*|1|*",
        "*|a*",
        "{*a}",
        "$name",
        "${}",
        "${1}",
        "$ {a}",
        "{{a%}",
        "{%a}}",
        "[name]",
        "<name>",
        "{{a\u0301}}",
        "{{😀}}",
        "{{a/b}}",
        "{{a!}}",
        "}}a{{",
        "{{'a'}}",
        "5 * | a | * 5",
    ]
    for subject in held:
        one(
            f"a placeholder: {subject if len(subject) < 40 else 'a name of 64'}",
            476,
            "subject-placeholder",
            subject=subject,
        )
    for subject in clear:
        one(f"no placeholder: {subject if len(subject) < 40 else 'a name of 65'}", 200, None, subject=subject)
    one(
        "no pair of marks: nothing is a placeholder",
        200,
        None,
        {"placeholders": []},
        subject="{{name}} %%name%% ${name}",
    )
    one(
        "other marks: theirs count",
        476,
        "subject-placeholder",
        {"placeholders": [["[[", "]]"], ["<", ">"]]},
        subject="Hi <first name>",
    )
    for marks, subject, is_held in [
        (["a", "b"], "axb", True),
        (["a", "b"], "aab", True),
        (["a", "b"], "ab", False),
        (["a", "b"], "a-b", False),
        (["a", "b"], "a" * 70 + "b", True),
        (["_", "_"], "___", True),
        (["_", "_"], "__", False),
        (["<", "x>"], "<xx>", True),
        (["<", "x>"], "<x>", False),
    ]:
        code, rule = (476, "subject-placeholder") if is_held else (200, None)
        # With a name, so that the page of rules goes on showing a call with the usual marks, which is shorter.
        fields = {"subject": subject, "fromName": "The Shop"}
        one(f"marks of letters {marks}: {subject}", code, rule, {"placeholders": [marks]}, **fields)
    one("other marks: the usual ones do not", 200, None, {"placeholders": [["[[", "]]"]]}, subject="{{name}}")
    one(
        "other marks: the second pair",
        476,
        "subject-placeholder",
        {"placeholders": [["[[", "]]"], ["«", "»"]]},
        subject="Hi «имя»",
    )
    one("a placeholder in another field is text", 200, None, fromName="{{name}}", customField="{{name}}")
    for text in ("b@c.example", " b@c.example ", "B@BÜCHER.example"):
        one(f"replyTo {text!a}", 200, None, replyTo=text)
    for text in (
        "b",
        "b@c",
        "a@b.example,c@d.example",
        "a@b.example,",
        ",a@b.example",
        "A <a@b.example>",
        "a@b.example c@d.example",
        "\u200ba@b.example",
        "a@b.example;",
    ):
        one(f"replyTo {text!a}", 407, "reply-to-malformed", replyTo=text)
    for text in (
        "s",
        "s@shop",
        "news@shop.example,news@shop.example",
        "Shop <news@shop.example>",
        "news@shop.example.",
        "news @shop.example",
        ",",
    ):
        one(f"from {text!a}", 410, "sender-malformed", **{"from": text})
    for text in (
        "plain",
        "a@b",
        "a@b.example c@d.example",
        "a@b.example;c@d.example",
        "a@b.example,nope",
        "nope,a@b.example",
        "A <a@b.example>",
        "a@@b.example",
    ):
        one(f"to {text!a}", 412, "recipient-malformed", to=text)
    one("a bad cc beside a good to", 412, "recipient-malformed", cc="nope")
    one("a bad bcc beside a good to", 412, "recipient-malformed", bcc="nope")
    bodies = [
        # body, code, rule, html, encoding
        ("Hello", 200, None, "Hello", "form"),
        ("Hello+you", 200, None, "Hello you", "form"),
        ("%3Cp%3EHi%3C%2Fp%3E", 200, None, "<p>Hi</p>", "form"),
        ("%3cp%3e", 200, None, "<p>", "form"),
        ("caf%C3%A9", 200, None, "café", "form"),
        ("100%25", 200, None, "100%", "form"),
        ("100%", 200, None, "100%", "form"),
        ("%zz%4", 200, None, "%zz%4", "form"),
        ("%%34", 200, None, "%4", "form"),
        ("%253C", 200, None, "%3C", "form"),
        ("%00a", 200, None, "\u0000a", "form"),
        (" \tHello+you \n", 200, None, "Hello you", "form"),
        ("\u00a0Hello\u3000", 200, None, "Hello", "form"),
        ("+Hello+", 200, None, " Hello ", "form"),
        ("<p>a+b %41</p>", 200, None, "<p>a+b %41</p>", "plain"),
        (" <p> ", 200, None, " <p> ", "plain"),
        ("a b", 200, None, "a b", "plain"),
        ("é", 200, None, "é", "plain"),
        ("a\nb", 200, None, "a\nb", "plain"),
        ("a\u007fb", 200, None, "a\u007fb", "plain"),
        ("http://a.example/?q=%41+b", 200, None, "http://a.example/?q=%41+b", "plain"),
        ("HTTPS://a.example/", 200, None, "HTTPS://a.example/", "plain"),
        (" http:x", 200, None, " http:x", "plain"),
        ("xhttp:%41", 200, None, "xhttp:A", "form"),
        ("ftp:%41", 200, None, "ftp:A", "form"),
        ("%22%5C%5E%60%7B%7C%7D+", 200, None, '"\\^`{|} ', "form"),
        ("'();:@&=$,/?#[]!*~", 200, None, "'();:@&=$,/?#[]!*~", "form"),
        ("%20", 408, "html-missing", None, None),
        ("+", 408, "html-missing", None, None),
        ("+%09%0A%0D%0C", 408, "html-missing", None, None),
        ("%C2%A0%E3%80%80%E2%80%A8", 408, "html-missing", None, None),
        ("%E2%80%8B", 200, None, "\u200b", "form"),
        ("%FF", 408, "html-not-utf8", None, None),
        ("%C3", 408, "html-not-utf8", None, None),
        ("a%C3b", 408, "html-not-utf8", None, None),
        ("%ED%A0%80", 408, "html-not-utf8", None, None),
        ("%C0%80", 408, "html-not-utf8", None, None),
        ("%F4%90%80%80", 408, "html-not-utf8", None, None),
        ("caf%E9", 408, "html-not-utf8", None, None),
        ("%F0%9F%98%80", 200, None, "😀", "form"),
        ("<%FF>", 200, None, "<%FF>", "plain"),
    ]
    bodies += [(f"%41{mark}", 200, None, f"%41{mark}", "plain") for mark in '<>"\\^`{|}']
    for text, code, rule, html, encoding in bodies:
        answer = one(f"body {text!a}", code, rule, body=text)
        if code == 200:
            mail = answer["plan"]["messages"][0]
            assert (mail["html"], mail["encoding"]) == (html, encoding), (text, mail)
    for text, html in [
        ("<p>a+b</p>", "<p>a b</p>"),
        (" é%41 ", "éA"),
        ("http:%41", "http:A"),
        ("a b+c", "a b c"),
        ("%41", "A"),
        ("\u00a0<%C3%A9>\u00a0", "<é>"),
    ]:
        answer = one(f"always decoded: {text!a}", 200, None, {"html_encoding": "always"}, body=text)
        assert (
            answer["plan"]["messages"][0]["html"] == html
            and answer["plan"]["messages"][0]["encoding"] == "form"
        )
    one("always decoded: no UTF-8", 408, "html-not-utf8", {"html_encoding": "always"}, body="<%FF>")
    one("always decoded: nothing left", 408, "html-missing", {"html_encoding": "always"}, body="\u2003+")
    return suite


def decode_suite():
    suite = Suite(
        "decode", "A body field alone: the HTML that is delivered and the encoding that was assumed."
    )
    for text, html, encoding in [
        ("", "", "form"),
        (" ", "", "form"),
        ("\n\u00a0\t", "", "form"),
        ("+", " ", "form"),
        ("a", "a", "form"),
        ("a+b%2Bc", "a b+c", "form"),
        ("%41%5a%5A", "AZZ", "form"),
        ("%4", "%4", "form"),
        ("%", "%", "form"),
        ("%%", "%%", "form"),
        ("%4G%G4", "%4G%G4", "form"),
        ("%25%34%31", "%41", "form"),
        ("%e2%82%ac", "€", "form"),
        ("%FF", None, None),
        ("ok%80", None, None),
        ("%C3%", None, None),
        ("<b>", "<b>", "plain"),
        (" <b>+%41 ", " <b>+%41 ", "plain"),
        ("é", "é", "plain"),
        ("a%20b", "a b", "form"),
        ("a b", "a b", "plain"),
        ("\ta\t", "a", "form"),
        ("a\tb", "a\tb", "plain"),
        ("a\u0001", "a\u0001", "plain"),
        ("\u0085a", "a", "form"),
        ("\ufeffa", "\ufeffa", "plain"),
        ("%EF%BB%BFa", "\ufeffa", "form"),
        ("a\u0000b", "a\u0000b", "plain"),
        ("http:", "http:", "plain"),
        ("https:", "https:", "plain"),
        ("hTTp://x/%41", "hTTp://x/%41", "plain"),
        ("httpx:%41", "httpx:A", "form"),
        ("http%3A%2F%2Fx", "http://x", "form"),
        ("\nhttp:%41", "\nhttp:%41", "plain"),
        ("http", "http", "form"),
        ("a{b", "a{b", "plain"),
        ("a%7Bb", "a{b", "form"),
        ("%3Chtml%3E%0D%0A", "<html>\r\n", "form"),
        ("%F0%9F%98%80", "😀", "form"),
        ("%F0%9F%98", None, None),
        ("%ud83d", "%ud83d", "form"),
        ("a&amp;b", "a&amp;b", "form"),
        ("a;b=c", "a;b=c", "form"),
    ]:
        suite.add(f"{text!a}", {"do": "decode", "text": text}, {"html": html, "encoding": encoding})
    for mark in '<>"\\^`{|} ':
        suite.add(
            f"plain by {mark!r}",
            {"do": "decode", "text": f"%41{mark}%42"},
            {"html": f"%41{mark}%42", "encoding": "plain"},
        )
    for mark in "!#$&'()*,-./:;=?@[]_~":
        suite.add(
            f"not plain by {mark!r}",
            {"do": "decode", "text": f"%41{mark}%42"},
            {"html": f"A{mark}B", "encoding": "form"},
        )
    return suite


def suites():
    return [suite_content(), decode_suite()]
