"""A client: composes calls, checks them before they are posted, and reads the answers.

Nothing that the service would refuse by its content leaves the program, and 32 MB are never sent to learn of a typo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

import franking


class NotSent(Exception):
    """The calls were not posted; the text says what to correct."""


@dataclass(frozen=True)
class Sent:
    """What the service has answered to one call."""

    requests: range
    """Which of the requests given it carried."""
    answer: franking.Answer | franking.UnreadableAnswer
    may_help_again: bool
    """Whether the same call may pass if it is posted again."""


@dataclass
class Client:
    http: httpx.Client
    base_url: str
    api_key: str

    def send(self, requests: Sequence[Mapping[str, Any]]) -> list[Sent]:
        """Sends any number of emails, in as few calls as the limits allow. HTML is given as it is."""
        fields = {"ApiKey": self.api_key, "requests": requests}
        calls = franking.compose(franking.Operation.HTTP_SEND_MAIL, fields)
        if isinstance(calls, franking.Uncomposable):
            raise NotSent(calls.reason)
        # All of them first: half of the emails is harder to correct than none.
        for call in calls:
            self._check(franking.Operation.HTTP_SEND_MAIL, call)
        return [self._post(franking.Operation.HTTP_SEND_MAIL, call) for call in calls]

    def send_stored(self, mailer: int, **fields: Any) -> Sent:
        """Sends a stored email to one recipient."""
        everything = {"apiKey": self.api_key, "mailerID": mailer, **fields}
        calls = franking.compose(franking.Operation.SEND_MAILER, everything)
        if isinstance(calls, franking.Uncomposable):
            raise NotSent(calls.reason)
        (call,) = calls
        self._check(franking.Operation.SEND_MAILER, call)
        return self._post(franking.Operation.SEND_MAILER, call)

    def _check(self, operation: franking.Operation, call: franking.ComposedCall) -> None:
        violation = franking.check(operation, call.body).violations.first
        if violation is not None:
            raise NotSent(f"{violation.pointer}: {violation.rule.meaning}. {violation.remedy}")

    def _post(self, operation: franking.Operation, call: franking.ComposedCall) -> Sent:
        response = self.http.post(
            self.base_url + franking.operation_path(operation),
            content=call.body.encode(),
            headers={"Content-Type": "application/json"},
        )
        answer = franking.read_answer(response.content)
        code = answer.code if isinstance(answer, franking.Answer) else 0
        retry = franking.code_retry(operation, code)
        return Sent(call.requests or range(1), answer, retry == "may-help")
