"""The hosts that a URL names: by the URL standard, and by readers that are less strict."""

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

import ada_url
from idna import IDNAError, uts46_remap

from . import address
from .domain import is_host, mail_domain

WITH_HOSTS = {"http", "https", "ftp", "ws", "wss"}
KNOWN_SCHEMES = WITH_HOSTS | {"mailto", "file", "data"}
DRIVE = re.compile("[A-Za-z][:|]")
PORT_OF_SHARE = re.compile(r"(?:@(?:ssl|[0-9]+))+\Z", re.IGNORECASE | re.ASCII)
C0_AND_SPACE = "".join(chr(code) for code in range(0x21))
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
SLASHES = "/\\"
# The host of an authority without user name: up to the first colon outside brackets.
HOST = re.compile(r"(?:\[[^\]]*(?:\]|$)|[^:\[]+)*")
# The characters that end or divide an authority, or are left out of a URL, so that a parser would not see them in the host.
NOT_IN_A_HOST = re.compile(r"[\x00-\x20#%/:<>?@\\^|\x7f]")
IPV6 = re.compile(r"\[[0-9A-Fa-f:.]*\]")
NEW_FORM = str.maketrans({"ẞ": "ß"})
# The older UTS 46, which mapped the characters that it calls deviations.
OLD_FORM = str.maketrans({"ß": "ss", "ẞ": "ss", "ς": "σ", "\u200c": "", "\u200d": ""})
DNS_LABEL, DNS_NAME = 63, 253
# No host that the DNS carries is longer as written, except for characters that are ignored.
LONGEST = 4096


def clean(text):
    """The text that the URL standard reads: without spaces and controls at the ends, and without tabs and line breaks."""
    return re.sub("[\t\n\r]", "", text.strip(C0_AND_SPACE))


def is_readable(text):
    """Whether a browser can read the URL. The base is https with no host, in place of which any host is possible."""
    try:
        parsed = ada_url.URL(text, "https://host.invalid/")
    except ValueError:
        return False
    return is_valid(parsed.hostname)


def is_valid(host):
    """Whether the standard takes a host; ada-url takes some Punycode that the standard does not."""
    return "xn--" not in host or is_host(host)


def hosts_of(text):
    """The hosts of a URL in an attribute, in CSS or in text, except those that an unknown scheme carries."""
    text = clean(text)
    scheme = SCHEME.match(text)
    if not scheme:
        after = text.lstrip(SLASHES)
        if len(text) - len(after) >= 2:
            return hosts_of_share(authority(after)) + hosts_below_other_base(text)
        return domain_of_relative(text)
    name, rest = scheme.group(1).lower(), text[scheme.end() :]
    if name in WITH_HOSTS:
        # Without slashes, or with one, this is a host to some and a path to others: the path names none.
        return hosts_of_authority(authority(rest.lstrip(SLASHES)))
    if name == "mailto":
        return mailto_domains(rest)
    if name == "file":
        after = rest.lstrip(SLASHES)
        return [] if after == rest or DRIVE.fullmatch(authority(after)) else hosts_of_share(authority(after))
    if name == "data":
        return []
    if "." in name and re.match(r"[0-9]+(?:[/\\?#]|$)", rest):
        # A domain and a port, which are a scheme and a path to a browser.
        return mail_domains(name)
    # In a scheme that the standard does not know, a backslash is not a slash.
    return hosts_of_authority(authority(rest[2:], "/")) if rest.startswith("//") else []


def carried(text):
    """The text after a scheme that the standard does not know, which may be a URL; else an empty text."""
    text = clean(text)
    scheme = SCHEME.match(text)
    return text[scheme.end() :] if scheme and scheme.group(1).lower() not in KNOWN_SCHEMES else ""


def hosts_of_share(authority):
    """The hosts of a share of Windows, `host@SSL@port`, where the standard sees a user name and a host."""
    host = PORT_OF_SHARE.sub("", authority)
    return hosts_of_authority(authority) + (hosts_of_authority(host) if host != authority else [])


def hosts_below_other_base(text):
    """Below a `base` whose scheme the standard does not know, `\\` is not a slash, and can be in a user name."""
    if not text.startswith("//"):
        return []
    user, _, host = authority(text[2:], "/").rpartition("@")
    return hosts_of_authority(host) if "\\" in user and "\\" not in host else []


def authority(text, slashes=SLASHES):
    return re.split(f"[{re.escape(slashes)}?#]", text, maxsplit=1)[0]


def host_of(authority):
    """The host of an authority as written, without user name and port."""
    return HOST.match(authority.rpartition("@")[2]).group()


def hosts_of_authority(text, any_port=False):
    """The hosts of `user@host:port`. With an invalid port there is no host, unless any port is allowed."""
    text = text.rpartition("@")[2]
    host = HOST.match(text).group()
    port = text[len(host) + 1 :]
    if not any_port and not all(map(is_port, port.split(":"))):
        return []
    return hosts_of_host(host)


FIRST_MARK = re.compile(r"[,;()&!*|{}\[\]]")
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
ENDS_IN_IPV6_HOST = re.compile(r"(?:.*@)?\[[^\[\]]*\]", re.DOTALL)


def authorities_in_text(text):
    """Where readers end the authority of a link in text that has no other end: at its end, at a mark, beyond ASCII."""
    for end in (None, FIRST_MARK, BEYOND_ASCII):
        found = end.search(text) if end else None
        yield without_punctuation(text[: found.start()] if found else text)


class Sharing:
    """The starts without slashes in a text, for one kind of end: of those whose hosts share an end the first and the last count."""

    def __init__(self, text):
        self.text = text
        self.end = 0
        self.last = None

    def add(self, start, end, reading):
        """Adds a reading from `start` to `end`, and yields the readings that count now."""
        if "@" in self.text[start:end]:
            # The host comes after the part that this start begins.
            yield reading
        elif start >= self.end:
            yield from self.rest()
            self.end = start + len(HOST.match(self.text, start, end)[0])
            self.last = None
            yield reading
        else:
            self.last = reading

    def rest(self):
        return [] if self.last is None else [self.last]


def without_punctuation(text):
    # A bracket that closes an address stays.
    while text and unicodedata.category(text[-1]).startswith("P") and not ENDS_IN_IPV6_HOST.fullmatch(text):
        text = text[:-1]
    return text


def is_port(text):
    return not text or text.isascii() and text.isdigit() and int(text.lstrip("0")[:6] or 0) < 65536


def hosts_of_host(host):
    """A host as written: in its standard form, by its longest end, and in both forms of UTS 46."""
    # Between brackets nothing is percent-decoded, and brackets that are escapes hold no address.
    decoded = host if host.startswith("[") else unquote(host[-LONGEST:], errors="replace")
    if decoded.startswith("[") and decoded != host:
        return []
    hosts = []
    for form in dict.fromkeys([decoded.translate(NEW_FORM), decoded.translate(OLD_FORM)]):
        taken = standard_host(form)
        if taken is None or not dns_carries(taken):
            taken = longest_end(form)
        if taken is not None:
            hosts.append(taken)
    return hosts


def standard_host(text):
    """The host by the URL standard, of a host that is percent-decoded already, or None."""
    if text == "" or NOT_IN_A_HOST.search(text) and not IPV6.fullmatch(text):
        return None
    try:
        host = ada_url.URL(f"https://{text}/").hostname
    except ValueError:
        return None
    return host if host and is_valid(host) else None


def dns_carries(host):
    name = host.rstrip(".")
    return host.startswith("[") or (
        len(name) <= DNS_NAME and all(1 <= len(label) <= DNS_LABEL for label in name.split("."))
    )


def blacklist_entry(text):
    """An entry of a blacklist, or a host to look up in one, without dots at its end; None when the text is neither."""
    decoded = text if text.startswith("[") else unquote(text, errors="replace")
    is_address_in_escapes = decoded.startswith("[") and decoded != text
    host = None if is_address_in_escapes else standard_host(decoded) or mail_domain(text)
    if host is None or "*" in host.split(".") or not dns_carries(host):
        return None
    return host.rstrip(".")


def longest_end(host):
    """The longest end, cut at a dot after mapping, that the standard takes and that has two labels or more."""
    # No ASCII form is shorter than the mapped text, so a longer end is too long as well.
    end, dots = "", ""
    for char in reversed(host):
        mapped = mapped_character(char)
        if end == "" and mapped.strip(".") == "":
            dots += mapped
            continue
        end = mapped + end
        if len(end) > DNS_NAME + 2:
            break
    return longest_end_of_mapped(end + dots)


@lru_cache(maxsize=4096)
def longest_end_of_mapped(end):
    while "." in end:
        end = end.partition(".")[2]
        if sum(label != "" for label in end.split(".")) < 2:
            return None
        taken = standard_host(end)
        if taken is not None and dns_carries(taken):
            return taken
    return None


@lru_cache(maxsize=4096)
def mapped_character(char):
    try:
        return uts46_remap(char, std3_rules=False)
    except IDNAError:
        return char


def mail_domains(text):
    """A domain of section 7 in both forms of UTS 46, in a list."""
    forms = dict.fromkeys([text.translate(NEW_FORM), text.translate(OLD_FORM)])
    return [domain for domain in map(mail_domain, forms) if domain is not None]


def domain_of_relative(text):
    """The first segment of a relative reference, when it is a domain."""
    first = unquote(authority(text), errors="replace")
    return mail_domains(re.sub(r":[0-9]*$", "", first))


def mailto_domains(rest):
    path, _, query = rest.partition("#")[0].partition("?")
    lists = [path]
    for field in query.split("&"):
        # Some write semicolons between fields; in a field they are between addresses as well.
        for part in [field, *field.split(";")[1:]]:
            name, _, value = part.partition("=")
            if unquote(name).lower() in ("to", "cc", "bcc"):
                lists.append(value)
    return [domain for addresses in lists for domain in address_domains(addresses)]


def address_domains(addresses):
    """The domains of the valid addresses of a list in which commas and semicolons may be percent-encoded."""
    domains = []
    for entry in re.split("[,;]", unquote(addresses)):
        # The address itself, or the address after a display name.
        for text in [entry, *re.findall("<([^<>]*)", entry)]:
            text = text.strip().rstrip(".")
            if address.parse(text):
                domains.extend(mail_domains(text.rpartition("@")[2]))
    return domains
