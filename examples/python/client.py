"""A client: composes calls, checks them before they are posted, and reads the responses.

It never posts a call that its bytes alone show to be wrong. So a typo is found before 32 MB are sent.
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
    """The answer of the service to one call."""

    requests: range
    """The positions of the given requests that the call had."""
    response: franking.Response
    may_help_again: bool
    """Whether posting the same call again may succeed."""


@dataclass
class Client:
    http: httpx.Client
    base_url: str
    api_key: str

    def send(self, requests: Sequence[Mapping[str, Any]]) -> list[Sent]:
        """Sends any number of emails, in as few calls as the limits allow. Pass HTML unencoded."""
        fields = {"ApiKey": self.api_key, "requests": requests}
        calls = self._compose(franking.Operation.HTTP_SEND_MAIL, fields)
        # Checks all calls before it posts any: it is harder to recover if half of the emails were sent than if none were.
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
            place = violation.pointer or "the body"
            raise NotSent(f"{place}: {violation.rule.meaning}. {violation.remedy}")

    def _post(self, operation: franking.Operation, call: franking.ComposedCall) -> Sent:
        posted = self.http.post(
            self.base_url + operation.path,
            content=call.body.encode(),
            headers={"Content-Type": "application/json"},
        )
        # If the response does not come from the service but from a proxy, this raises `InvalidError`. The call may have been
        # accepted.
        response = franking.Response.read(posted.content)
        retry = franking.code_retry(response.code, operation)
        return Sent(call.requests or range(1), response, retry is franking.Retry.MAY_HELP)
