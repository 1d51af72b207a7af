"""Addresses, lists of them, domains on blacklists."""

from .kit import Suite

LOCAL_64 = "a" * 64
LOCAL_65 = "a" * 65
# 254 octets: 64 + 1 + 189; the domain is three labels of 61 and one of 3.
DOMAIN_189 = ".".join(["b" * 61] * 3) + ".ccc"
DOMAIN_252 = ".".join(["c" * 61] * 4) + ".dddd"
DOMAIN_190 = ".".join(["b" * 61] * 3) + ".cccc"

VALID = [
    # text, key, domain
    ("a@b.example", "a@b.example", "b.example"),
    ("A@B.Example", "a@b.example", "b.example"),
    ("first.last@b.example", "first.last@b.example", "b.example"),
    ("first+tag@b.example", "first+tag@b.example", "b.example"),
    ("!#$%&'*+-/=?^_`{|}~@b.example", "!#$%&'*+-/=?^_`{|}~@b.example", "b.example"),
    ("0@b.example", "0@b.example", "b.example"),
    # 253 octets.
    (f"{LOCAL_64[1:]}@{DOMAIN_189}", f"{LOCAL_64[1:]}@{DOMAIN_189}", DOMAIN_189),
    ("-@b.example", "-@b.example", "b.example"),
    ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("a@bücher.example", "a@xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("a@BÜCHER.example", "a@xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("a@bu\u0308cher.example", "a@xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("a@XN--BCHER-KVA.example", "a@xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("a@straße.example", "a@xn--strae-oqa.example", "xn--strae-oqa.example"),
    ("a@βόλος.example", "a@xn--nxasmm1c.example", "xn--nxasmm1c.example"),
    ("a@b\u3002example", "a@b.example", "b.example"),
    ("a@b\uff0eexample", "a@b.example", "b.example"),
    ("a@b\uff61example", "a@b.example", "b.example"),
    ("a@\uff42.example", "a@b.example", "b.example"),
    ("a@\u24d1.example", "a@b.example", "b.example"),
    ("a@b\u00adc.example", "a@bc.example", "bc.example"),
    ("a@b\u200bc.example", "a@bc.example", "bc.example"),
    ("a@\u212a.example", "a@k.example", "k.example"),
    ("a@1.example", "a@1.example", "1.example"),
    ("a@1.2.3.4a", "a@1.2.3.4a", "1.2.3.4a"),
    ("a@b.c", "a@b.c", "b.c"),
    ("a@b.c-d", "a@b.c-d", "b.c-d"),
    ("a@ab--cd.example", "a@ab--cd.example", "ab--cd.example"),
    ("a@b--c.example", "a@b--c.example", "b--c.example"),
    ("a@shop.測試", "a@shop.xn--g6w251d", "shop.xn--g6w251d"),
    ("a@אבג.example", "a@xn--4dbcd.example", "xn--4dbcd.example"),
    ("a@אב1.example", None, None),
    ("a@क्\u200dष.example", None, None),
    ("a@क्\u200cष.example", None, None),
    ("a@مثال.example", None, None),
    ("Ä@b.example", "ä@b.example", "b.example"),
    ("a\u0308@b.example", "ä@b.example", "b.example"),
    ("A\u030a@b.example", "å@b.example", "b.example"),
    ("\u212b@b.example", "å@b.example", "b.example"),
    ("\u212a@b.example", "k@b.example", "b.example"),
    ("\u2126@b.example", "ω@b.example", "b.example"),
    ("ΟΔΟΣ@b.example", "οδος@b.example", "b.example"),
    ("ΟΔΟΣ.Α@b.example", None, None),
    ("ΣΑΣ@b.example", "σας@b.example", "b.example"),
    ("Σ@b.example", "σ@b.example", "b.example"),
    ("Α.Σ@b.example", None, None),
    ("ΑΣ1@b.example", "ας1@b.example", "b.example"),
    ("İ@b.example", "i\u0307@b.example", "b.example"),
    ("I@b.example", "i@b.example", "b.example"),
    ("ı@b.example", "ı@b.example", "b.example"),
    ("STRASSE@b.example", "strasse@b.example", "b.example"),
    ("straße@b.example", "straße@b.example", "b.example"),
    ("ﬁ@b.example", "ﬁ@b.example", "b.example"),
    ("ｆｕｌｌ@b.example", "ｆｕｌｌ@b.example", "b.example"),
    ("😀@b.example", "😀@b.example", "b.example"),
    ("用户@b.example", "用户@b.example", "b.example"),
    ("a\uff20c@b.example", "a\uff20c@b.example", "b.example"),
    # Assigned since Unicode 14, with a lower case of its own.
    ("\ua7c0@b.example", "\ua7c1@b.example", "b.example"),
    ("\u2c2f@b.example", "\u2c5f@b.example", "b.example"),
    ("\ua7d0@b.example", "\ua7d1@b.example", "b.example"),
    ("\U00010570@b.example", "\U00010597@b.example", "b.example"),
    (f"{LOCAL_64}@b.example", f"{LOCAL_64}@b.example", "b.example"),
    ("é" * 32 + "@b.example", "é" * 32 + "@b.example", "b.example"),
    (f"{LOCAL_64}@{DOMAIN_189}", f"{LOCAL_64}@{DOMAIN_189}", DOMAIN_189),
    ("a" * 63 + "@" + DOMAIN_190, "a" * 63 + "@" + DOMAIN_190, DOMAIN_190),
    ("a@" + "b" * 63 + ".example", "a@" + "b" * 63 + ".example", "b" * 63 + ".example"),
    (f"a@{DOMAIN_252}", f"a@{DOMAIN_252}", DOMAIN_252),
    # The longest label beside one that is not ASCII.
    (
        "a@" + "b" * 63 + ".bücher.example",
        "a@" + "b" * 63 + ".xn--bcher-kva.example",
        "b" * 63 + ".xn--bcher-kva.example",
    ),
]

INVALID = {
    "nothing": "",
    "no at sign": "b.example",
    "no local part": "@b.example",
    "no domain": "a@",
    "only the at sign": "@",
    "two at signs": "a@b@c.example",
    "a space before": " a@b.example",
    "a space after": "a@b.example ",
    "a space inside the local part": "a b@c.example",
    "a space inside the domain": "a@b c.example",
    "a tab": "a\tb@c.example",
    "a line break after": "a@b.example\n",
    "NUL": "a\u0000@b.example",
    "DEL": "a\u007f@b.example",
    "a dot first": ".a@b.example",
    "a dot last": "a.@b.example",
    "two dots": "a..b@c.example",
    "a quoted local part": '"a"@b.example',
    "a quoted local part with a space": '"a b"@c.example',
    "a display name": "A <a@b.example>",
    "angle brackets": "<a@b.example>",
    "a comment": "a(c)@b.example",
    "a comma": "a,b@c.example",
    "a colon": "a:b@c.example",
    "a semicolon": "a;b@c.example",
    "a backslash": "a\\b@c.example",
    "a bracket": "a[b@c.example",
    "an address literal": "a@[192.0.2.1]",
    "an IPv6 literal": "a@[IPv6:2001:db8::1]",
    "a numeric domain": "a@192.0.2.1",
    "a last label of digits": "a@b.123",
    "one label": "a@localhost",
    "one label with a dot": "a@localhost.",
    "a dot at the end": "a@b.example.",
    "an ideographic dot at the end": "a@b.example\u3002",
    "a dot first in the domain": "a@.b.example",
    "two dots in the domain": "a@b..example",
    "a hyphen first in a label": "a@-b.example",
    "a hyphen last in a label": "a@b-.example",
    "a hyphen first in the last label": "a@b.-example",
    "an underscore in the domain": "a@b_c.example",
    "an exclamation mark in the domain": "a@b!c.example",
    "a slash in the domain": "a@b/c.example",
    "a fullwidth slash in the domain": "a@b\uff0fc.example",
    "a percent sign in the domain": "a@b%41.example",
    "a port": "a@b.example:25",
    "a label of 64 octets": "a@" + "b" * 64 + ".example",
    "a local part of 65 octets": f"{LOCAL_65}@b.example",
    "a local part of 33 two-octet characters": "é" * 33 + "@b.example",
    "a local part of 22 three-octet characters": "用" * 22 + "@b.example",
    "255 octets in all, by the domain": f"{LOCAL_64}@{DOMAIN_190}",
    "255 octets in all, by the local part": "é" * 32 + "@" + DOMAIN_190,
    "a domain of 253 octets, for no local part is short enough": f"a@{DOMAIN_252}d",
    "a domain of 254 octets": "a@" + ".".join(["c" * 62] * 4) + ".dd",
    "an empty Punycode label": "a@xn--.example",
    "a Punycode label of plain ASCII": "a@xn--abc-.example",
    "a Punycode label that decodes to upper case": "a@xn--Bcher-kva-.example",
    "no Punycode": "a@xn--a.example",
    "Punycode of a fullwidth letter": "a@xn--" + "\uff42".encode("punycode").decode() + ".example",
    "Punycode of an upper-case letter": "a@xn--" + "\u00dc".encode("punycode").decode() + ".example",
    "Punycode of what is not NFC": "a@xn--" + "bu\u0308".encode("punycode").decode() + ".example",
    "a mark first in a label": "a@\u0301b.example",
    "a joiner without a virama": "a@b\u200dc.example",
    "a non-joiner without a virama": "a@b\u200cc.example",
    "right to left with a Latin letter in one label": "a@אa.example",
    "right to left that ends in a hyphenless sign": "a@א\u0660 1.example",
    "European and Arabic digits in one right-to-left label": "a@א1\u0660.example",
    "a label of digits first beside a right-to-left label": "a@1.אב.example",
    "a label that begins with a digit beside a right-to-left label": "a@1a.אב.example",
    "a symbol that UTS 46 forbids": "a@b\u2024\u2024c.example",
    "a control character of C1": "a\u0085@b.example",
    "a no-break space": "a\u00a0b@c.example",
    "an ideographic space": "a\u3000b@c.example",
    "an en quad": "a\u2000@b.example",
    "a line separator": "a\u2028@b.example",
    "a format character: soft hyphen": "a\u00ad@b.example",
    "a format character: zero-width space": "a\u200b@b.example",
    "a format character: right-to-left override": "a\u202e@b.example",
    "a format character: byte-order mark": "a\ufeff@b.example",
    "a format character: zero-width joiner": "a\u200d@b.example",
    "a private-use character": "a\ue000@b.example",
    "a private-use character of plane 15": "a\U000f0000@b.example",
    "a character that is not assigned": "a\u0378@b.example",
    "a noncharacter": "a\uffff@b.example",
    "the replacement character is fine, but not a bare accent of the domain": "\ufffd@\u0301.example",
    "a Greek question mark, which NFC turns into a semicolon": "a\u037eb@c.example",
    "a local part that NFC makes longer than 64 octets": "\u0958" * 21 + "@b.example",
    "only white space": "   ",
    "mailto": "mailto:a@b.example",
    "a percent hack with two at signs": "a%b@c@d.example",
}


def address_suite():
    suite = Suite(
        "addresses",
        "One address each: valid or not, its match key and the ASCII form of its domain. Lengths at "
        "their limits, international names, normal forms, case mapping, and characters that no address holds.",
    )
    for text, key, domain in VALID:
        wants = {"valid": True} if key is None else {"valid": True, "key": key, "domain": domain}
        shown = text if len(text) < 40 else f"{text[:12]}… of {len(text.encode())} octets"
        suite.add(f"valid: {shown}", {"do": "address", "text": text}, wants)
    for name, text in INVALID.items():
        suite.add(
            f"not valid: {name}",
            {"do": "address", "text": text},
            {"valid": False, "key": None, "domain": None},
        )
    for char in '()<>[]:;@\\," ':
        suite.add(
            f"not valid: U+{ord(char):04X} in the local part",
            {"do": "address", "text": f"a{char}b@c.example"},
            {"valid": False},
        )
    for char in '()<>[]:;\\," \u00e9':
        suite.add(
            f"not valid: U+{ord(char):04X} instead of the at sign",
            {"do": "address", "text": f"a{char}b.example"},
            {"valid": False},
        )
    for char in "!#$%&'*+-/=?^_`{|}~":
        suite.add(
            f"valid: {char} in the local part",
            {"do": "address", "text": f"a{char}b@c.example"},
            {"valid": True, "key": f"a{char}b@c.example"},
        )
    for code in (
        0x85,
        0xA0,
        0x1680,
        0x2000,
        0x2001,
        0x2002,
        0x2003,
        0x2004,
        0x2005,
        0x2006,
        0x2007,
        0x2008,
        0x2009,
        0x200A,
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    ):
        suite.add(
            f"not valid: white space U+{code:04X} in the local part",
            {"do": "address", "text": f"a{chr(code)}b@c.example"},
            {"valid": False},
        )
    return suite


def list_suite():
    suite = Suite(
        "address-lists",
        "Comma-separated lists: where they are split, what is trimmed, which entries are skipped, and "
        "that every entry is judged for itself.",
    )
    two = [("a@b.example", True), ("c@d.example", True)]
    for name, text, entries in [
        ("nothing", "", []),
        ("white space", " \t\n", []),
        ("only commas", ",,,", []),
        ("commas and spaces", " , ,\u00a0, ", []),
        ("one", "a@b.example", two[:1]),
        ("two", "a@b.example,c@d.example", two),
        ("spaces around", " a@b.example , c@d.example ", two),
        ("a comma last", "a@b.example,c@d.example,", two),
        ("a comma first", ",a@b.example,c@d.example", two),
        ("two commas", "a@b.example,,c@d.example", two),
        ("line breaks around", "a@b.example,\r\n\tc@d.example\n", two),
        ("a no-break space around", "\u00a0a@b.example\u00a0,\u3000c@d.example", two),
        (
            "an ideographic comma does not split",
            "a@b.example\u3001c@d.example",
            [("a@b.example\u3001c@d.example", False)],
        ),
        (
            "a fullwidth comma does not split",
            "a@b.example\uff0cc@d.example",
            [("a@b.example\uff0cc@d.example", False)],
        ),
        ("a semicolon does not split", "a@b.example;c@d.example", [("a@b.example;c@d.example", False)]),
        ("a space does not split", "a@b.example c@d.example", [("a@b.example c@d.example", False)]),
        (
            "a display name with a comma is two bad entries",
            '"B, A" <a@b.example>',
            [('"B', False), ('A" <a@b.example>', False)],
        ),
        ("good and bad", "a@b.example,bad,c@d.example", [two[0], ("bad", False), two[1]]),
        ("a zero-width space is no white space", "\u200ba@b.example", [("\u200ba@b.example", False)]),
        ("a byte-order mark is no white space", "\ufeffa@b.example", [("\ufeffa@b.example", False)]),
        ("U+001F is no white space", "\u001fa@b.example", [("\u001fa@b.example", False)]),
        ("duplicates are listed", "a@b.example,A@B.EXAMPLE", [("a@b.example", True), ("A@B.EXAMPLE", True)]),
    ]:
        answer = suite.add(name, {"do": "addresses", "text": text})
        assert [(entry["text"], entry["valid"]) for entry in answer["entries"]] == entries, (name, answer)
    thousand = {"$parts": [["person#@customer.example,", 1000, 0]]}
    answer = suite.add("a thousand entries", {"do": "addresses", "text": thousand})
    assert len(answer["entries"]) == 1000
    return suite


def blacklist_suite():
    suite = Suite(
        "blacklisted",
        "A domain against a blacklist: the walk up to two labels, plain equality, and entries that the "
        "library normalizes.",
    )
    for domain, entries, listed in [
        ("shop.example", ["shop.example"], True),
        ("shop.example", [], False),
        ("shop.example", ["other.example"], False),
        ("www.shop.example", ["shop.example"], True),
        ("a.b.c.shop.example", ["shop.example"], True),
        ("a.b.c.shop.example", ["c.shop.example"], True),
        ("a.b.c.shop.example", ["a.b.c.shop.example"], True),
        ("a.b.c.shop.example", ["b.shop.example"], False),
        ("shop.example", ["www.shop.example"], False),
        ("myshop.example", ["shop.example"], False),
        ("shop.example.test", ["shop.example"], False),
        ("SHOP.Example", ["shop.example"], True),
        ("shop.example", ["SHOP.Example"], True),
        ("bücher.example", ["xn--bcher-kva.example"], True),
        ("xn--bcher-kva.example", ["bücher.example"], True),
        ("www.bücher.example", ["BÜCHER.example"], True),
        ("bu\u0308cher.example", ["bücher.example"], True),
        ("straße.example", ["strasse.example"], False),
        ("shop\u3002example", ["shop.example"], True),
        ("192.0.2.7", ["192.0.2.7"], True),
        ("192.0.2.7", ["0.2.7", "2.7"], False),
        ("a.co.example", ["co.example"], True),
        ("a_b.shop.example", ["shop.example"], True),
        ("a_b.example", ["A_B.example"], True),
        ("shop.example", ["one.example", "two.example", "shop.example"], True),
        ("shop.example", ["example"], False),
        ("a.b.shop.example", ["example"], False),
        ("localhost", ["localhost"], True),
        ("a.localhost", ["localhost"], False),
        ("a.localhost", ["a.localhost"], True),
        ("shop.example.", ["shop.example"], True),
        ("shop.example", ["shop.example."], True),
        ("a--b.shop.example", ["shop.example"], True),
        ("a--b.example", ["a--b.example"], True),
        ("[::ffff:192.0.2.7]", ["192.0.2.7"], True),
        ("[::FFFF:c000:207]", ["[::ffff:192.0.2.7]"], True),
        ("192.0.2.7", ["[::ffff:192.0.2.7]"], False),
        ("[2001:DB8:0::1]", ["[2001:db8::1]"], True),
        # The hosts of URLs, in every spelling that the URL standard takes.
        ("0x7f.1", ["127.0.0.1"], True),
        ("127.0.0.1", ["0x7f.1"], True),
        ("127.1.", ["127.0.0.1"], True),
        ("-a.shop.example", ["shop.example"], True),
        ("-a.example", ["-A.example"], True),
        ("{{name}}.shop.example", ["shop.example"], True),
        ("a*b.shop.example", ["shop.example"], True),
        ("%73hop.example", ["shop.example"], True),
        ("shop.example", ["%73hop.example"], True),
        ("shop.example..", ["shop.example"], True),
        ("shop.example", ["shop.example.."], True),
    ]:
        suite.add(
            f"{domain} against {', '.join(entries) or 'nothing'}: {'listed' if listed else 'not listed'}",
            {"do": "blacklisted", "domain": domain, "entries": entries},
            {"blacklisted": listed},
        )
    for name, domain, entries in [
        ("an empty domain", "", ["shop.example"]),
        ("a domain with a space", "sh op.example", ["shop.example"]),
        ("an address", "a@shop.example", ["shop.example"]),
        ("an empty entry", "shop.example", [""]),
        ("an entry that is a URL", "shop.example", ["https://shop.example/"]),
        ("an entry with a wildcard", "shop.example", ["*.shop.example"]),
        ("an entry that is a wildcard", "shop.example", ["*"]),
        ("an entry of wildcards", "shop.example", ["*.*"]),
        ("no Punycode", "xn--a.example", ["shop.example"]),
        ("an entry that is no Punycode", "shop.example", ["xn--a.example"]),
        ("Punycode of what is not NFC", "xn--u-ccb.example", ["shop.example"]),
        ("an entry that is Punycode of what is not NFC", "shop.example", ["xn--u-ccb.example"]),
        ("an IPv6 address without its end", "[2001:db8::1", ["shop.example"]),
        ("only a dot", ".", ["shop.example"]),
        ("a domain with a wildcard", "*.shop.example", ["shop.example"]),
        ("a domain with an encoded wildcard", "%2A.shop.example", ["shop.example"]),
        ("five numbers", "1.2.3.4.5", ["4.5"]),
        ("a number too large for an IPv4 address", "256.1.1.1", ["1.1"]),
        ("a name that ends in a number", "shop.1", ["shop.1"]),
        ("an empty label between others", "a..shop.example", ["shop.example"]),
        ("a label of 64 octets", "a" * 64 + ".shop.example", ["shop.example"]),
        ("an IPv6 address with a zone", "[fe80::1%eth0]", ["shop.example"]),
        ("an IPv6 address whose bracket is an escape", "%5B2001:db8::1]", ["shop.example"]),
    ]:
        suite.add(f"no domain: {name}", {"do": "blacklisted", "domain": domain, "entries": entries}, error="")
    # No URL has such a host, and an address may have such a domain.
    suite.add(
        "a domain that ends in a hexadecimal number",
        {"do": "blacklisted", "domain": "a.b.0x1", "entries": ["B.0x1"]},
        {"blacklisted": True},
    )
    return suite


def suites():
    return [address_suite(), list_suite(), blacklist_suite()]
