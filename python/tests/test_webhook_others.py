"""The library verifies webhooks that other packages sign, and they verify webhooks that the library signs."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

import franking

secrets = st.binary(min_size=24, max_size=64)
ids = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="."), min_size=1)
bodies = st.text(st.characters(exclude_categories=["Cs"])).map(str.encode)


def now() -> int:
    # clock: the package from PyPI has no parameter for it; what is signed now is verified within its five minutes
    return int(datetime.now(UTC).timestamp())


def text(prefix: str, value: bytes) -> str:
    return prefix + base64.b64encode(value).decode()


def headers(id: str, sent: int, signature: str) -> dict[str, str]:
    return {"webhook-id": id, "webhook-timestamp": str(sent), "webhook-signature": signature}


@given(secrets, ids, bodies)
def test_standardwebhooks_signs_alike(value: bytes, id: str, body: bytes) -> None:
    secret, sent = text("whsec_", value), 1614265330
    theirs = Webhook(secret).sign(id, datetime.fromtimestamp(sent, UTC), body.decode())
    assert theirs == franking.webhook_sign([secret], id, sent, body)
    assert franking.webhook_verify([secret], headers(id, sent, theirs), body, now=sent) == id


@given(secrets, secrets, ids)
def test_standardwebhooks_verifies_what_is_signed_here(value: bytes, other: bytes, id: str) -> None:
    both, sent, body = [text("whsec_", other), text("whsec_", value)], now(), b'{"type": "email.opened"}'
    signed = headers(id, sent, franking.webhook_sign(both, id, sent, body))
    for secret in both:
        assert Webhook(secret).verify(body, signed) == {"type": "email.opened"}
    with pytest.raises(WebhookVerificationError):
        Webhook(both[0]).verify(body + b" ", signed)


@given(st.binary(min_size=32, max_size=32), ids, bodies)
def test_cryptography_signs_and_verifies_alike_with_keys(value: bytes, id: str, body: bytes) -> None:
    sent = 1614265330
    key = Ed25519PrivateKey.from_private_bytes(value)
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    content = f"{id}.{sent}.".encode() + body
    theirs = text("v1a,", key.sign(content))
    assert franking.webhook_verify([text("whpk_", public)], headers(id, sent, theirs), body, now=sent) == id
    ours = franking.webhook_sign([text("whsk_", value + public)], id, sent, body)
    signature = base64.b64decode(ours.removeprefix("v1a,"))
    Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(public).verify(signature, content + b" ")
