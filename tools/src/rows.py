"""The results of the library that are only read: frozen dataclasses, whose `repr` shows nothing that a caller sent.

Only the library makes them, and their members are keyword-only: a new member does not break a program.
Generated from the core's records and tools/src/rows.py by `cargo run -p franking-tools -- header`: do not edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from . import _franking

if TYPE_CHECKING:
    from ._body import Body
    from ._enums import Code, Encoding, EventType, Judgement, Rule

__all__ = [
    "Address",
    "Asked",
    "BlacklistedLink",
    "ComposedCall",
    "Debit",
    "Decoded",
    "Entry",
    "Explained",
    "HttpAnswer",
    "Link",
    "Notice",
    "Replay",
    "Response",
]


Sequence.register(_franking.Rows)  # pyright: ignore[reportAttributeAccessIssue] - it is an ABC


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Debit:
    """The credits that a plan costs."""

    #: fields Debit


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The numbers of questions that the host has answered."""

    account: int
    """Look-ups of the account."""
    facts: int
    """Batches of facts."""
    commits: int
    """Plans."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAnswer:
    """The HTTP answer of a host."""

    status: int
    """The HTTP status: 200 whenever the call has a code, else 413, 500 or 503."""
    headers: dict[str, str]
    """The headers to set."""
    body: bytes = field(repr=False)
    """The response of the interface when the status is 200, else empty."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A rule with its judgement."""

    #: fields Explained


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Address:
    """A valid address.

    >>> franking.Address.parse("Jo.SMITH@B\u00fccher.example").match_key
    'jo.smith@xn--bcher-kva.example'
    """

    text: str
    """The whole address as given."""
    local_part: str
    """The part before the `@`, as given."""
    domain: str
    """The domain in lower-case ASCII form."""
    match_key: str
    """The match key: two addresses with the same key are the same mailbox."""

    @staticmethod
    def parse(text: str, /) -> Address:
        """Reads one address.

        Args:
            text: The address, which is not trimmed.

        Returns:
            The address with its parts.

        Raises:
            InvalidError: The text is not an address; the message says what to correct.

        >>> franking.Address.parse("nobody")
        Traceback (most recent call last):
        franking.InvalidError: the address has no @: write a name, an @ and a domain, as in name@example.com
        """
        return _franking.parse_address(text)

    def __repr__(self) -> str:
        return "<Address>"


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Entry:
    """An entry of a comma-separated list of addresses."""

    text: str
    """The entry, without white space around it."""
    address: Address | None
    """The address; `None` if the entry is not one."""
    reason: str | None
    """What to correct if the entry is not an address. It does not show the text."""

    def __repr__(self) -> str:
        return "<Entry, invalid>" if self.address is None else "<Entry>"


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Notice:
    """Something that happened to an email, to its reader or to a webhook, as the service reports it.

    >>> notice = franking.Notice.read(
    ...     b'{"type": "bounced", "timestamp": "2026-03-01T09:30:00Z", "data": {"id": "17", "transactionId": "7", "status": "5.1.1"}}'
    ... )
    >>> notice.id, notice.event_type, notice.transaction_id, notice.status
    (17, <EventType.BOUNCED: 'bounced'>, 7, '5.1.1')
    """

    #: fields Notice

    @staticmethod
    def read(text: Body, /) -> Notice:
        """Reads an event: the body of a webhook that was verified, or one of the events of `GET /events`.

        Args:
            text: The event as it came, as JSON.

        Returns:
            The event. Its numbers may come as texts or as numbers. Unknown members are ignored.

        Raises:
            InvalidError: The text is not an event; the message says why.

        >>> franking.Notice.read("<html>")
        Traceback (most recent call last):
        franking.InvalidError: the event is not JSON: hand over the body of the webhook as it came
        """
        return _franking.read_notice(text)

    def __repr__(self) -> str:
        return f"<Notice {self.id} {self.type_name}>"


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Response:
    """A response of the service, as a client reads it (interface, section 2.6).

    >>> response = franking.Response.read('{"code": "200", "status": "Success", "transactionId": 7}')
    >>> response.code, response.transaction_id
    (<Code.SUCCESS: 200>, 7)
    """

    code: int
    """The result code; 200 when the call was accepted. It need not be one that the interface lists."""
    status: str | None
    """The status text, if there is one."""
    transaction_id: int | None
    """The number that identifies the call, if there is one."""

    @staticmethod
    def read(text: Body, /) -> Response:
        """Reads the body of a response.

        Args:
            text: The body as it came.

        Returns:
            The response. Its code and its transaction id may come as strings or as numbers.

        Raises:
            InvalidError: The body is not a response of the interface; the message says why.

        >>> franking.Response.read("<html>")
        Traceback (most recent call last):
        franking.InvalidError: the response is not JSON: it may come from a proxy and not from the service
        """
        return _franking.read_response(text)

    @property
    def is_success(self) -> bool:
        """Whether the call was accepted."""
        return self.code == 200

    def __repr__(self) -> str:
        return f"<Response {self.code}>"


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComposedCall:
    """The body of one call, ready to be posted."""

    body: str
    """The body, as JSON."""
    requests: range | None
    """The positions of the given requests that it has; `None` on sendMailer."""

    def __repr__(self) -> str:
        return (
            "<ComposedCall>" if self.requests is None else f"<ComposedCall of {len(self.requests)} requests>"
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Decoded:
    """The decoded HTML of a body field."""

    html: str
    """The HTML."""
    encoding: Encoding
    """How the HTML was sent."""

    def __repr__(self) -> str:
        return f"<Decoded, {self.encoding}>"


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Link:
    """A URL that a mail reader would follow, load or turn into a link."""

    #: fields Link

    def __repr__(self) -> str:
        return f"<Link, {self.place}>"


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BlacklistedLink:
    """The link in a call's HTML that leads to a blacklisted domain."""

    #: fields BlacklistedLink

    def __repr__(self) -> str:
        return f"<BlacklistedLink{_of_request(self.request)}>"


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Replay:
    """The result of replaying a transcript."""

    steps: tuple[bool, ...]
    """For each step, whether its answer was taken and not a misuse."""
    decision: dict[str, Any] | None
    """The JSON form of the decision, without `asked`; `None` when the steps do not reach the end."""

    def __repr__(self) -> str:
        return f"<Replay of {len(self.steps)} steps>"


def _of_request(request: int | None) -> str:
    return "" if request is None else f" of request {request}"


def _to_json(value: object) -> object:
    """Converts the values that `json.dumps` does not know: mappings and other iterables."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"a field is of the type {type(value).__qualname__}")
