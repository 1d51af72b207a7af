"""The same decision with well-known Python packages, as a good Python developer would write it by hand.

Two peers give the same codes as the library, in the order of the interface. They do not make a plan:

today   msgspec into typed structs, email-validator, unquote_plus, selectolax, urlsplit
tuned   msgspec, a decoder in C from the standard library, regular expressions for addresses and for links

Both ask the same dicts and sets. `contenders.py` measures them on the files that `cargo run --release -p franking-bench
--bin workload -- all DIRECTORY` writes.
"""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote_plus, urlsplit

import msgspec
from email_validator import EmailNotValidError, validate_email
from selectolax.lexbor import LexborHTMLParser

NAMES = ("W1", "W2", "W3", "W4", "W5")
SEND_MAILER = ("W1", "W4")
MAX_BYTES = 33_554_432
MAX_REQUESTS = 1_000
DEFAULT_LIST = "RealTime_Via_API"
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
NAME = r"\s*[^\W\d][\w.~ -]{0,63}"
PLACEHOLDER = re.compile(
    rf"\{{\{{{NAME}\}}\}}|\{{%{NAME}%\}}|%%{NAME}%%|\*\|{NAME}\|\*|\{{\*{NAME}\*\}}|\$\{{{NAME}\}}"
)


class Refused(Exception):
    """The call is refused with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


# The data of the host.


@dataclass(slots=True)
class Account:
    senders: frozenset[str]
    email_credit: int
    subscriber_credit: int
    blocked: bool = False
    expired: bool = False
    deactivated: bool = False


@dataclass(slots=True)
class Subscriber:
    email: str
    inactive: bool


class Host:
    """The data of the host, in dicts and sets."""

    def __init__(self, world: dict[str, Any]) -> None:
        self.accounts = {
            row["key"]: Account(
                frozenset(sender.lower() for sender in row["senders"]),
                row["email_credit"],
                row["subscriber_credit"],
            )
            for row in world["accounts"]
        }
        self.mailers = {
            mailer["id"]: mailer["from"] for row in world["accounts"] for mailer in row["mailers"]
        }
        self.subscribers: dict[str, Subscriber] = {}
        self.subscribers_by_id: dict[int, Subscriber] = {}
        for row in world["subscribers"]:
            subscriber = Subscriber(row["email"], row["inactive"])
            self.subscribers[row["email"].lower()] = subscriber
            self.subscribers_by_id[row["id"]] = subscriber
        self.lists = set(world["lists"])
        self.blacklist = set(world["blacklist"])

    def is_blacklisted(self, domain: str) -> bool:
        """Whether the domain or one of its parents, down to two labels, is on the list."""
        while domain not in self.blacklist:
            _, _, domain = domain.partition(".")
            if "." not in domain:
                return False
        return True


# The calls.

Number = int | str | None


class SendMailer(msgspec.Struct, rename="camel", gc=False):
    api_key: str | None = None
    mailer_id: Number = msgspec.field(default=None, name="mailerID")
    from_: str | None = msgspec.field(default=None, name="from")
    from_name: str | None = None
    sub_id: Number = msgspec.field(default=None, name="subID")
    email: str | None = None
    list_name: str | None = None
    mobile: str | None = None
    prefix: str | None = None
    first_name: str | None = None
    middle_name: str | None = None
    last_name: str | None = None
    phone: str | None = None
    address: str | None = None
    city: str | None = None
    state: str | None = None
    pin_code: str | None = None
    country: str | None = None
    residence_phone: str | None = None
    designation: str | None = None
    company: str | None = None
    company_address: str | None = None
    company_city: str | None = None
    company_state: str | None = None
    company_country: str | None = None
    company_pin: str | None = None
    company_phone: str | None = None
    company_fax: str | None = None
    birthday: str | None = None
    anniversary: str | None = None
    reference_no: str | None = None
    extra1: str | None = None
    extra2: str | None = None
    extra3: str | None = None
    extra4: str | None = None
    extra5: str | None = None
    extra6: str | None = None
    track_opens: Number = None
    track_clicks: Number = None
    custom_field: str | None = None


class Request(msgspec.Struct, rename="camel", gc=False):
    subject: str | None = None
    body: str | None = None
    to: str | None = None
    cc: str | None = None
    bcc: str | None = None
    from_: str | None = msgspec.field(default=None, name="from")
    from_name: str | None = None
    reply_to: str | None = None
    track_opens: Number = None
    track_clicks: Number = None
    custom_field: str | None = None


class HttpSendMail(msgspec.Struct):
    api_key: str | None = msgspec.field(default=None, name="ApiKey")
    requests: list[Request] = []


SEND_MAILER_DECODER = msgspec.json.Decoder(SendMailer)
HTTP_SEND_MAIL_DECODER = msgspec.json.Decoder(HttpSendMail)


def number(value: Number) -> int | None:
    if isinstance(value, str):
        return int(value) if value.strip() else None
    return value


# The two ways to read addresses and links.


class Tools(Protocol):
    def match_key(self, address: str) -> str | None:
        """The form in which addresses are compared. None if the address is not valid."""

    def hosts(self, body: str) -> Iterable[str]:
        """The hosts of the links in the encoded body. Refuses a body that is empty or not UTF-8."""


def decode(body: str) -> str:
    try:
        html = body if "<" in body else unquote_plus(body, errors="strict")
    except UnicodeDecodeError:
        raise Refused(408) from None
    if not html.strip():
        raise Refused(408)
    return html


class Today:
    """The best-known packages, used as their documentation says."""

    def match_key(self, address: str) -> str | None:
        try:
            return validate_email(address.strip(), check_deliverability=False).normalized.lower()
        except EmailNotValidError:
            return None

    def hosts(self, body: str) -> Iterable[str]:
        hosts = []
        for node in LexborHTMLParser(decode(body)).css("[href], [src], [background]"):
            attributes = node.attributes
            for name in ("href", "src", "background"):
                if url := attributes.get(name):
                    try:
                        host = urlsplit(url).hostname
                    except ValueError:
                        continue
                    if host:
                        hosts.append(host)
        return hosts


class Tuned:
    """The version of an expert after the first profile. URL encoding is quoted-printable with another
    escape character, for which the standard library has a decoder in C. Links are found by `//`."""

    atom = r"[^\x00-\x20\x7f@.,;:<>()\[\]\\\"]+"
    label = r"[a-z0-9]+(?:-+[a-z0-9]+)*"
    address = re.compile(rf"{atom}(?:\.{atom})*@(?:{label}\.)+(?=[a-z]){label}")
    link = re.compile(r"""//(?:[^/"'>\s@]*@)?([^/"'>\s:?#&]+)""")

    def match_key(self, address: str) -> str | None:
        key = address.strip().lower()
        return key if len(key) < 255 and self.address.fullmatch(key) else None

    def hosts(self, body: str) -> Iterable[str]:
        return {host.lower() for host in self.link.findall(self.decode(body))}

    def decode(self, body: str) -> str:
        if "<" in body or "=" in body or not body.isascii():
            return decode(body)
        try:
            html = a2b_qp(body.replace("+", " ").replace("%", "=")).decode()
        except UnicodeDecodeError:
            raise Refused(408) from None
        if html.isspace():
            raise Refused(408)
        return html


# The decision.


class Peer:
    def __init__(self, host: Host, tools: Tools) -> None:
        self.host = host
        self.tools = tools

    def decide(self, operation: Callable[[Peer, bytes], None], body: bytes) -> int:
        try:
            operation(self, body)
        except Refused as refused:
            return refused.code
        return 200

    def authenticate(self, key: str | None) -> Account:
        if not key or not key.strip():
            raise Refused(402)
        account = self.host.accounts.get(key)
        if account is None:
            raise Refused(403)
        if account.blocked:
            raise Refused(404)
        if account.expired:
            raise Refused(405)
        if account.deactivated:
            raise Refused(448)
        return account

    def is_blacklisted(self, address: str) -> bool:
        return self.host.is_blacklisted(address.rpartition("@")[2])

    def send_mailer(self, body: bytes) -> None:
        host = self.host
        try:
            call = SEND_MAILER_DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Refused(442) from None
        account = self.authenticate(call.api_key)

        identifier, email = number(call.sub_id), call.email
        has_email = bool(email and email.strip())
        key = None
        if identifier is not None:
            if identifier < 1:
                raise Refused(454)
        elif has_email:
            key = self.tools.match_key(email or "")
            if key is None:
                raise Refused(412)
        has_from = bool(call.from_ and call.from_.strip())
        if not has_from and call.from_name and call.from_name.strip():
            raise Refused(478)
        if identifier is None and key is None:
            raise Refused(602)
        sender = self.tools.match_key(call.from_ or "") if has_from else None
        mailer = number(call.mailer_id)
        if (has_from and sender is None) or mailer is None:
            raise Refused(442)
        if call.from_name and CONTROL.search(call.from_name):
            raise Refused(442)
        for day in (call.birthday, call.anniversary):
            if day and day.strip():
                try:
                    date.fromisoformat(day)
                except ValueError:
                    raise Refused(442) from None
        if number(call.track_opens) not in (None, 0, 1) or number(call.track_clicks) not in (None, 0, 1):
            raise Refused(442)

        assigned = host.mailers.get(mailer)
        subscriber = host.subscribers_by_id.get(identifier or 0) if key is None else host.subscribers.get(key)
        effective = sender or assigned
        if effective and self.is_blacklisted(effective):
            raise Refused(414)
        recipient = key if key is not None else subscriber and subscriber.email.lower()
        if recipient and self.is_blacklisted(recipient):
            raise Refused(416)
        if subscriber is not None and subscriber.inactive:
            raise Refused(443)
        if recipient is None:
            raise Refused(454)
        unknown_list = subscriber is None and (call.list_name or DEFAULT_LIST) not in host.lists
        if (sender and sender not in account.senders) or assigned is None or unknown_list:
            raise Refused(442)
        if subscriber is None and account.subscriber_credit < 1:
            raise Refused(444)
        if account.email_credit < 1:
            raise Refused(445)

    def http_send_mail(self, body: bytes) -> None:
        if len(body) > MAX_BYTES:
            raise Refused(454)
        try:
            call = HTTP_SEND_MAIL_DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Refused(475) from None
        account = self.authenticate(call.api_key)
        if len(call.requests) > MAX_REQUESTS:
            raise Refused(453)
        if not call.requests:
            raise Refused(475)
        contents = [self.content(request) for request in call.requests]
        emails = 0
        created: set[str] = set()
        for content in contents:
            created.update(self.facts(account, *content))
            emails += len(content[3])
        if len(created) > account.subscriber_credit:
            raise Refused(444)
        if emails > account.email_credit:
            raise Refused(445)

    def content(self, request: Request) -> tuple[Iterable[str], str, str | None, set[str]]:
        """The hosts, the sender, the reply address and the recipients of an acceptable request."""
        match_key = self.tools.match_key
        if not request.subject or not request.subject.strip():
            raise Refused(406)
        reply_to = None
        if request.reply_to and request.reply_to.strip():
            reply_to = match_key(request.reply_to)
            if reply_to is None:
                raise Refused(407)
        if not request.body or not request.body.strip():
            raise Refused(408)
        hosts = self.tools.hosts(request.body)
        if not request.from_ or not request.from_.strip():
            raise Refused(409)
        sender = match_key(request.from_)
        if sender is None:
            raise Refused(410)
        entries = [
            entry
            for addresses in (request.to, request.cc, request.bcc)
            if addresses
            for entry in addresses.split(",")
            if entry and not entry.isspace()
        ]
        if not entries:
            raise Refused(411)
        recipients = set[str]()
        for entry in entries:
            key = match_key(entry)
            if key is None:
                raise Refused(412)
            recipients.add(key)
        flags = {number(request.track_opens), number(request.track_clicks)}
        if not flags <= {None, 0, 1}:
            raise Refused(475)
        if CONTROL.search(request.subject) or PLACEHOLDER.search(request.subject):
            raise Refused(476)
        if request.from_name and CONTROL.search(request.from_name):
            raise Refused(477)
        return hosts, sender, reply_to, recipients

    def facts(
        self, account: Account, hosts: Iterable[str], sender: str, reply_to: str | None, recipients: set[str]
    ) -> list[str]:
        """Refuses errors that only the host knows. Returns the recipients that are not subscribers yet."""
        if any(map(self.host.is_blacklisted, hosts)):
            raise Refused(413)
        if self.is_blacklisted(sender):
            raise Refused(414)
        if reply_to and self.is_blacklisted(reply_to):
            raise Refused(415)
        if any(map(self.host.is_blacklisted, {address.rpartition("@")[2] for address in recipients})):
            raise Refused(416)
        if sender not in account.senders:
            raise Refused(420)
        subscribers = self.host.subscribers
        created = []
        for address in recipients:
            subscriber = subscribers.get(address)
            if subscriber is None:
                created.append(address)
            elif subscriber.inactive:
                raise Refused(443)
        return created


# The workloads.


def load(directory: Path, name: str) -> tuple[list[bytes], list[int]]:
    """The calls of a workload and their codes. If there are several calls, each is a line."""
    data = (directory / name).read_bytes()
    codes = [int(code) for code in (directory / f"{name}.codes").read_text().split()]
    return data.splitlines() if len(codes) > 1 else [data], codes
