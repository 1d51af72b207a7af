"""Which hosts a URL names, read as a browser reads it."""

import base64
import re
from urllib.parse import unquote, unquote_to_bytes

import ada_url

from . import address
from .domain import is_punycode, mail_domain

WITH_HOSTS = {"http:", "https:", "ftp:", "ws:", "wss:"}
C0_AND_SPACE = "".join(chr(code) for code in range(0x21))
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")

# A base of https without a host cannot be written down. Two bases stand for it: a host that differs
# between them came from the base and is none.
NO_HOST = ("https://one.invalid/", "https://two.invalid/")


class Base:
    """The base of a document: a pair of URLs, equal unless the host is that of NO_HOST."""

    def __init__(self, pair=NO_HOST):
        self.pair = pair

    def resolve(self, text):
        """The pair of parsed URLs, or None when no browser can read it."""
        try:
            parsed = tuple(ada_url.URL(text, base) for base in self.pair)
        except ValueError:
            return None
        return parsed if has_good_labels(parsed[0].hostname) else None

    def with_href(self, text):
        """The base that a base element makes; data: and javascript: make none."""
        parsed = self.resolve(text)
        if parsed is None or parsed[0].protocol in ("data:", "javascript:"):
            return self
        return Base(tuple(url.href for url in parsed))

    @property
    def scheme(self):
        return self.pair[0].partition(":")[0]


def has_good_labels(host):
    """Whether each Punycode label decodes to a valid one; ada-url lets some pass that do not."""
    return all(is_punycode(label) for label in host.split(".") if label.startswith("xn--"))


def clean(text):
    """What the URL standard reads: no spaces and controls at the ends, no tabs and line breaks."""
    return re.sub("[\t\n\r]", "", text.strip(C0_AND_SPACE))


def hosts_of(text, base):
    """(hosts, HTML documents inside, whether a browser can read it)."""
    hosts, documents = [], []
    parsed = base.resolve(text)
    if parsed is not None:
        one, two = parsed
        if one.protocol in WITH_HOSTS and one.hostname and one.hostname == two.hostname:
            hosts.append(one.hostname)
        if one.protocol == "mailto:":
            hosts.extend(mailto_domains(one))
        if one.protocol == "data:":
            documents = html_of_data(one.href)
    hosts.extend(other_readings(clean(text), base))
    return hosts, documents, parsed is not None


def other_readings(text, base):
    """Hosts that a reader less strict than a browser sees."""
    scheme = SCHEME.match(text)
    if scheme:
        name, rest = scheme.group(1).lower(), text[scheme.end() :]
        # To a base of the same scheme a URL without both slashes is relative, to any other it is not.
        after = rest.lstrip("/\\")
        if name == base.scheme and f"{name}:" in WITH_HOSTS and after and len(rest) - len(after) < 2:
            host = host_of_absolute(f"{name}://{after}")
            if host:
                yield host
        if "." in name and re.match(r"[0-9]+(?:[/\\?#]|$)", rest):
            domain = mail_domain(name)
            if domain is not None:
                yield domain
        return
    first = re.split(r"[/\\?#]", text, maxsplit=1)[0]
    domain = mail_domain(re.sub(r":[0-9]*$", "", unquote(first, errors="replace")))
    if domain is not None:
        yield domain


def host_of_absolute(text):
    try:
        host = ada_url.URL(text).hostname
    except ValueError:
        return None
    return host if host and has_good_labels(host) else None


def mailto_domains(url):
    lists = [url.pathname]
    for field in url.search.removeprefix("?").split("&"):
        name, _, value = field.partition("=")
        if unquote(name).lower() in ("to", "cc", "bcc"):
            lists.append(value)
    for addresses in lists:
        for entry in addresses.split(","):
            parsed = address.parse(unquote(entry).strip())
            if parsed:
                yield parsed.domain


def html_of_data(href):
    """The document of a data:text/html URL, in a list."""
    head, comma, data = href.partition("#")[0][len("data:") :].partition(",")
    if not comma or head.split(";")[0].strip().lower() != "text/html":
        return []
    raw = unquote_to_bytes(data)
    if re.search(r"; *base64 *$", head, re.IGNORECASE):
        try:
            raw = base64.b64decode(raw + b"=" * (-len(raw) % 4))
        except ValueError:
            return []
    return [raw.decode("utf-8", "replace")]
