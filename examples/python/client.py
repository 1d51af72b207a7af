"""A client: composes calls, checks them before they are posted, and reads the responses.

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
    response: franking.Response
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
        calls = self._compose(franking.Operation.HTTP_SEND_MAIL, fields)
        # All of them first: half of the emails is harder to correct than none.
        for call in calls:
            self._check(franking.Operation.HTTP_SEND_MAIL, call)
        return [self._post(franking.Operation.HTTP_SEND_MAIL, call) for call in calls]

    def send_stored(self, mailer: int, **fields: Any) -> Sent:
        """Sends a stored email to one recipient."""
        everything = {"apiKey": self.api_key, "mailerID": mailer, **fields}
        (call,) = self._compose(franking.Operation.SEND_MAILER, everything)
        self._check(franking.Operation.SEND_MAILER, call)
        return self._post(franking.Operation.SEND_MAILER, call)

    def _compose(
        self, operation: franking.Operation, fields: Mapping[str, Any]
    ) -> tuple[franking.ComposedCall, ...]:
        try:
            return franking.compose(operation, fields)
        except franking.ComposeError as error:
            raise NotSent(str(error)) from None

    def _check(self, operation: franking.Operation, call: franking.ComposedCall) -> None:
        violation = franking.preflight(operation, call.body).violation
        if violation is not None:
            raise NotSent(f"{violation.pointer}: {violation.rule.meaning}. {violation.remedy}")

    def _post(self, operation: franking.Operation, call: franking.ComposedCall) -> Sent:
        posted = self.http.post(
            self.base_url + operation.path,
            content=call.body.encode(),
            headers={"Content-Type": "application/json"},
        )
        # What is no response of the service, but of a proxy, is an `InvalidError`: the call may have been accepted.
        response = franking.Response.read(posted.content)
        retry = franking.code_retry(response.code, operation)
        return Sent(call.requests or range(1), response, retry is franking.Retry.MAY_HELP)
