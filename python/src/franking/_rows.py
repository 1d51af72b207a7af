"""What the library hands over row by row: values, mostly tuples with names, whose `repr` shows nothing that a caller
sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from ._enums import Judgement, Operation, RecipientRole, Rule, WarningKind
    from ._franking import Outcome

__all__ = [
    "Address",
    "Answer",
    "Asked",
    "Collapsed",
    "ComposedCall",
    "Debit",
    "Decoded",
    "Deprecation",
    "Entry",
    "Explained",
    "InvalidAddress",
    "Link",
    "ListedLink",
    "NewSubscriber",
    "PreflightWarning",
    "Recipient",
    "Replay",
    "Route",
    "Uncomposable",
    "UnreadableAnswer",
    "Update",
    "Violation",
]


class Violation(NamedTuple):
    """A rule broken by a call, at one place of its body. It is the caller's fault; a host's is a `MisuseError`."""

    rule: Rule
    """The rule that is broken."""
    code: int
    """The code that the rule has on the call's operation."""
    request: int | None
    """The position in `requests`, from 0; `None` for a violation of the whole call, and on sendMailer."""
    pointer: str | None
    """Where in the body, as a JSON Pointer (RFC 6901); `None` for what is not in the body."""
    span: tuple[int, int] | None
    """Where the offending bytes of the body start and end, quotes included; `None` for what is not in the body."""
    remedy: str
    """What to do about it."""

    def __repr__(self) -> str:
        return f"<Violation {self.rule} ({self.code}){_of_request(self.request)}>"


class PreflightWarning(NamedTuple):
    """What was probably not meant, at one place of the body."""

    kind: WarningKind
    """What it warns of."""
    pointer: str | None
    """Where in the body, as a JSON Pointer (RFC 6901); `None` when it is about no place."""
    span: tuple[int, int] | None
    """Where the bytes that it is about start and end."""
    message: str
    """One sentence for people, which may show what was sent."""

    def __repr__(self) -> str:
        return f"<PreflightWarning {self.kind}>"


class NewSubscriber(NamedTuple):
    """A subscriber to create."""

    email: str
    """The address, as sent, without white space around it."""
    match_key: str
    """The address's match key, by which the subscriber was asked about. Store it beside the address, unique."""
    list_name: str
    """The name of the list to put the subscriber into."""
    fields: dict[str, str]
    """The personalization that was sent, by the names of the interface."""

    def __repr__(self) -> str:
        return "<NewSubscriber>"


class Update(NamedTuple):
    """A subscriber whose stored personalization is overwritten, field by field."""

    id: int
    """The subscriber's id."""
    fields: dict[str, str]
    """The fields to overwrite, by the names of the interface; an empty text clears one."""

    def __repr__(self) -> str:
        return f"<Update of subscriber {self.id}>"


class Recipient(NamedTuple):
    """Who gets an email."""

    to: str
    """The address to send to."""
    role: RecipientRole | None
    """The address list in which it first stands; `None` on sendMailer."""
    subscriber: int | None
    """The id of the subscriber with this address; `None` for one that the plan creates."""

    def __repr__(self) -> str:
        return "<Recipient>" if self.role is None else f"<Recipient, {self.role}>"


class Collapsed(NamedTuple):
    """A repeated address that is left out."""

    request: int
    """The position in `requests`, from 0."""
    pointer: str
    """The address list in which the repetition stands, as a JSON Pointer (RFC 6901)."""
    span: tuple[int, int]
    """Where its bytes in the body start and end."""
    to: str
    """The address as sent, without white space around it."""

    def __repr__(self) -> str:
        return f"<Collapsed{_of_request(self.request)}>"


class Debit(NamedTuple):
    """The credits that a plan costs."""

    email: int
    """One for each email."""
    subscriber: int
    """One for each subscriber that is created."""


class Asked(NamedTuple):
    """How often the host was asked, counting what it answered."""

    account: int
    facts: int
    commits: int


class Deprecation(NamedTuple):
    """The end of an operation."""

    last_day: str
    """The last day on which it is available, `yyyy-mm-dd`; that day is still open."""
    successor: str
    """The operation that takes its place."""
    sunset: str
    """The value of a `Sunset` header (RFC 8594) that says so."""


class Explained(NamedTuple):
    """A rule and what came of judging it."""

    rule: Rule
    code: int
    result: Judgement


class Address(NamedTuple):
    """A valid address."""

    text: str
    """The whole address as given."""
    local_part: str
    """What stands before the `@`, as given."""
    domain: str
    """The domain in lower-case ASCII form."""
    key: str
    """The match key: addresses with one key are one mailbox."""

    def __repr__(self) -> str:
        return "<Address>"


@dataclass(frozen=True, slots=True)
class InvalidAddress:
    """A text that is no valid address. It is false."""

    reason: str
    """What to correct; it shows nothing of the text."""

    def __bool__(self) -> Literal[False]:
        return False


class Entry(NamedTuple):
    """An entry of a comma-separated list of addresses."""

    text: str
    """The entry, without white space around it."""
    address: Address | InvalidAddress
    """The address that it is, or why it is none."""

    def __repr__(self) -> str:
        return "<Entry>" if self.address else "<Entry, invalid>"


class Answer(NamedTuple):
    """An answer of the service, as a client reads it."""

    code: int
    """The result code; 200 when the call was accepted."""
    status: str | None
    """The status text, if there is one."""
    transaction_id: int | None
    """The number that identifies the call, if there is one."""

    @property
    def ok(self) -> bool:
        """Whether the call was accepted."""
        return self.code == 200

    def __repr__(self) -> str:
        return f"<Answer {self.code}>"


@dataclass(frozen=True, slots=True)
class UnreadableAnswer:
    """A response body that is no answer of the interface. It is false."""

    reason: str
    """What is wrong with it."""

    def __bool__(self) -> Literal[False]:
        return False


class ComposedCall(NamedTuple):
    """The body of one call, ready to be posted."""

    body: str
    requests: range | None
    """Which of the requests given it carries; `None` on sendMailer."""

    def __repr__(self) -> str:
        return (
            "<ComposedCall>" if self.requests is None else f"<ComposedCall of {len(self.requests)} requests>"
        )


@dataclass(frozen=True, slots=True)
class Uncomposable:
    """Fields that make no call. It is false."""

    request: int | None
    """The request at fault, from 0; `None` when the fault is none of a request's."""
    field: str | None
    """The field at fault, if it is one."""
    reason: str
    """What to correct."""

    def __bool__(self) -> Literal[False]:
        return False


class Decoded(NamedTuple):
    """The HTML that a body field stands for."""

    html: str
    encoding: Literal["form", "plain"]
    """How it was sent."""


class Link(NamedTuple):
    """A URL that a mail reader would follow, load or turn into a link."""

    place: str
    """Where it was found, as a person would name it: `href of <a>`."""
    span: tuple[int, int]
    """Where it starts and ends in the HTML, in bytes of UTF-8."""
    url: str
    """The URL as written, character references and escapes of CSS resolved."""
    hosts: tuple[str, ...]
    """The hosts that are judged for it, as browsers write them."""
    readable: bool
    """Whether a browser can read it."""
    in_conditional_comment: bool
    """It is in a conditional comment, which only some mail readers read."""


class ListedLink(NamedTuple):
    """The link in a call's HTML that leads to a blacklisted domain."""

    request: int
    """The position in `requests`, from 0."""
    place: str
    """Where it stands in the HTML, as a person would name it: `href of <a>`."""
    url: str
    """The URL as written."""
    span: tuple[int, int]
    """Where it starts and ends in the decoded HTML, in bytes of UTF-8."""
    domain: str
    """The domain that is listed: the link's host, or a parent of it."""

    def __repr__(self) -> str:
        return f"<ListedLink{_of_request(self.request)}>"


class Route(NamedTuple):
    """The operation that an HTTP request names."""

    operation: Operation
    is_method_right: bool
    """Whether the method is `POST`; else the call is answered with code 401."""


class Replay(NamedTuple):
    """What came of replaying a transcript."""

    steps: tuple[Literal["ok", "misuse"], ...]
    """For each step whether the answer was taken."""
    decision: dict[str, Any] | None
    """The JSON form of the decision, without `asked`; `None` when the steps do not reach the end."""

    def __repr__(self) -> str:
        return f"<Replay of {len(self.steps)} steps>"


def _of_request(request: int | None) -> str:
    return "" if request is None else f" of request {request}"


def _to_json(value: object) -> object:
    """What `json.dumps` makes of values that it does not know: mappings and other iterables."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"a field is of the type {type(value).__qualname__}")


def _restore_outcome(events: list[int], track_opens: bool, track_clicks: bool) -> Outcome:
    from ._franking import Outcome

    return Outcome(events, track_opens=track_opens, track_clicks=track_clicks)
