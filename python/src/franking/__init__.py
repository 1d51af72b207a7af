"""Decides what happens to a call of a transactional email API, without doing any I/O.

- `preflight`, `preflight_many` and, for columns, `arrow.preflight`: all violations of a call, without a host
- `decide` and `adecide`: the decision, with a `Host` that looks things up and carries out the plan
- `Call`: the state machine under them, for `match`
- `compose`, `Response`, `Notice`, `Outcome`, `webhook_verify`: for clients
- `Address`, `DomainSet`, `html_links` and others: the parts

Everything that is wrong with a call is returned, not raised. A value that the library cannot take raises `InvalidError`,
which is a `ValueError`. A mistake in the host's program raises `MisuseError`. A commit whose result is unknown raises
`CommitUnknownError`. All of them are `FrankingError`s. An argument of the wrong type raises `TypeError`.
"""

from __future__ import annotations

from . import _copies as _copies
from . import arrow as arrow
from ._bulk import preflight_many
from ._enums import (
    Code,
    Conflict,
    Deprecation,
    DomainRole,
    Encoding,
    Event,
    EventType,
    Failure,
    Judgement,
    Operation,
    Phase,
    RecipientRole,
    Retry,
    Route,
    Rule,
    Undecided,
    WarningKind,
)
from ._errors import (
    CommitUnknownError,
    ComposeError,
    FrankingError,
    InternalError,
    InvalidError,
    MisuseError,
    PolicyError,
    TranscriptError,
    WebhookError,
)
from ._franking import (
    Account,
    AccountQuestion,
    Blacklists,
    Call,
    Collapsed,
    Commit,
    Decision,
    DomainSet,
    Facts,
    Mailer,
    Message,
    NewSubscriber,
    Outcome,
    Plan,
    Policy,
    Preflight,
    PreflightWarning,
    Questions,
    Recipient,
    Subscriber,
    Transcript,
    Update,
    Violation,
    address_entries,
    code_meaning,
    code_retry,
    compose,
    decide,
    domain_to_ascii,
    domain_walk,
    html_decode,
    html_encode,
    html_hosts,
    html_links,
    http_answer,
    is_day,
    preflight,
    route,
    webhook_sign,
    webhook_verify,
)
from ._franking import require_home as _require_home
from ._franking import rules_version as _rules_version
from ._franking import version as _version
from ._hosts import AsyncHost, Host, adecide
from ._rows import (
    Address,
    Asked,
    BlacklistedLink,
    ComposedCall,
    Debit,
    Decoded,
    Entry,
    Explained,
    HttpAnswer,
    Link,
    Notice,
    Replay,
    Response,
)

_require_home(__name__)

__version__ = _version()
__rules_version__ = _rules_version()
"""The version of the rules. It rises when some call is decided otherwise than before."""

__all__ = [
    "Account",
    "AccountQuestion",
    "Address",
    "Asked",
    "AsyncHost",
    "BlacklistedLink",
    "Blacklists",
    "Call",
    "Code",
    "Collapsed",
    "Commit",
    "CommitUnknownError",
    "ComposeError",
    "ComposedCall",
    "Conflict",
    "Debit",
    "Decision",
    "Decoded",
    "Deprecation",
    "DomainRole",
    "DomainSet",
    "Encoding",
    "Entry",
    "Event",
    "EventType",
    "Explained",
    "Facts",
    "Failure",
    "FrankingError",
    "Host",
    "HttpAnswer",
    "InternalError",
    "InvalidError",
    "Judgement",
    "Link",
    "Mailer",
    "Message",
    "MisuseError",
    "NewSubscriber",
    "Notice",
    "Operation",
    "Outcome",
    "Phase",
    "Plan",
    "Policy",
    "PolicyError",
    "Preflight",
    "PreflightWarning",
    "Questions",
    "Recipient",
    "RecipientRole",
    "Replay",
    "Response",
    "Retry",
    "Route",
    "Rule",
    "Subscriber",
    "Transcript",
    "TranscriptError",
    "Undecided",
    "Update",
    "Violation",
    "WarningKind",
    "WebhookError",
    "address_entries",
    "adecide",
    "code_meaning",
    "code_retry",
    "compose",
    "decide",
    "domain_to_ascii",
    "domain_walk",
    "html_decode",
    "html_encode",
    "html_hosts",
    "html_links",
    "http_answer",
    "is_day",
    "preflight",
    "preflight_many",
    "route",
    "webhook_sign",
    "webhook_verify",
]

# What is pickled names its class, and what is documented its module: neither is that of a file of the package.
for _name in __all__:
    if globals()[_name].__module__ != __name__:
        globals()[_name].__module__ = __name__
