"""Lists the hosts that a browser saw and that the library does not find."""

import re
import urllib.parse

# Hosts that a document computes are not in its text: the library says that there may be some.
COMPUTED = "computed.invalid"
# A host that documents have of their own, at the end of another host or alone.
OWN = re.compile(r"(?<![^.])h([0-9]+)-[0-9]+\.example(?=\.?$)")
# An ordinary label: without Punycode, which may be ill-formed, and without characters that hosts of the DNS lack.
LABEL = re.compile(r"(?!xn--)[a-z0-9_-]{1,63}")
# The characters that the URL standard takes for a dot.
IDEOGRAPHIC_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))


def missed(library, html, seen):
    """The hosts that were seen and that the library does not find, in a document as it is or URL-encoded."""
    found = library.hosts(html)
    if COMPUTED in found:
        return set()
    seen = set(map(spelled, seen))
    lost = {host for host in seen - found if not judged_by_its_end(host, found)}
    own = {match[0] for match in map(OWN.search, seen & found) if match}
    return lost | {f"{host} (URL-encoded)" for host in own if not library.refuses(html, host)}


def spelled(host):
    """The host as the library writes it. Chromium leaves percent escapes in a scheme that it does not know."""
    try:
        plain = urllib.parse.unquote(host, errors="strict")
        return plain if plain.isascii() else mapped(plain)
    except UnicodeError:
        return host


def mapped(host):
    """The Punycode of a host. Python maps by IDNA 2003, which knows dots that the URL standard refuses (U+2024): a host
    that gets one more of these is left as it is."""
    dotted = host.translate(IDEOGRAPHIC_DOTS)
    ascii_form = dotted.encode("idna").decode()
    return ascii_form if ascii_form.count(".") == dotted.count(".") else host


def judged_by_its_end(host, found):
    """Whether the standard refuses a label of the host, and the library judges the host by an end of two or more labels
    after that label. Also true if no such end is left."""
    labels = host.split(".")
    refused = [at for at, label in enumerate(labels[:-2]) if LABEL.fullmatch(label) is None]
    none_left = any(LABEL.fullmatch(label) is None for label in labels[-2:])
    return none_left or any(is_end(name, labels, at) for name in found for at in refused)


def is_end(name, labels, at):
    """Whether a host that was found is the part after a refused label, or after a character that divides that label."""
    behind = ".".join(labels[at + 1 :])
    if name == behind:
        return True
    begin, dot, rest = name.partition(".")
    return bool(dot) and rest == behind and labels[at].endswith(begin)
