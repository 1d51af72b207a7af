"""Webhooks are signed and verified as Standard Webhooks 1.0.0 says."""

from __future__ import annotations

import pytest

import franking

# The vectors of the specification's reference implementations.
SHARED = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SECRET_KEY = "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=="
PUBLIC_KEY = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4="
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
SENT = 1614265330
BODY = b'{"test": 2432232314}'
BY_SHARED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
BY_KEY = "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=="


def headers(signature: str) -> dict[str, str]:
    return {"Webhook-Id": ID, "Webhook-Timestamp": str(SENT), "Webhook-Signature": signature}


def test_signatures_are_those_of_the_reference() -> None:
    assert franking.webhook_sign([SHARED], ID, SENT, BODY) == BY_SHARED
    assert franking.webhook_sign([SECRET_KEY], ID, SENT, BODY) == BY_KEY
    assert franking.webhook_sign([SHARED, SECRET_KEY], ID, SENT, BODY) == f"{BY_SHARED} {BY_KEY}"


@pytest.mark.parametrize(
    ("secret", "signature"), [(SHARED, BY_SHARED), (PUBLIC_KEY, BY_KEY), (SECRET_KEY, BY_KEY)]
)
def test_what_fits_gives_the_id_and_what_does_not_is_an_error(secret: str, signature: str) -> None:
    for body in (BODY, BODY.decode(), bytearray(BODY)):
        assert franking.webhook_verify([secret], headers(signature), body, now=SENT + 300) == ID
    with pytest.raises(franking.WebhookError, match="no signature fits"):
        franking.webhook_verify([secret], headers(signature), BODY + b" ", now=SENT)
    with pytest.raises(franking.WebhookError, match="longer ago than is tolerated"):
        franking.webhook_verify([secret], headers(signature), BODY, now=SENT + 301)
    with pytest.raises(franking.WebhookError, match="later than now"):
        franking.webhook_verify([secret], headers(signature), BODY, now=SENT - 6, tolerance=5)


def test_a_header_that_is_missing_or_there_twice_is_an_error() -> None:
    for name in headers(BY_SHARED):
        without = {key: value for key, value in headers(BY_SHARED).items() if key != name}
        with pytest.raises(franking.WebhookError, match=f"{name.lower()} is missing"):
            franking.webhook_verify([SHARED], without, BODY, now=SENT)
        twice = {**headers(BY_SHARED), name.upper(): "1"}
        with pytest.raises(franking.WebhookError, match=f"{name.lower()} is there more than once"):
            franking.webhook_verify([SHARED], twice, BODY, now=SENT)


def test_what_no_secret_can_be_is_told_without_showing_it() -> None:
    for secret in ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ", "whsec_%", "whsk_MfKQ"):
        with pytest.raises(franking.InvalidError) as raised:
            franking.webhook_sign([secret], ID, SENT, BODY)
        assert "MfKQ" not in str(raised.value)
    with pytest.raises(franking.InvalidError, match="cannot sign"):
        franking.webhook_sign([PUBLIC_KEY], ID, SENT, BODY)
    with pytest.raises(franking.InvalidError, match="without full stops"):
        franking.webhook_sign([SHARED], "a.b", SENT, BODY)
    with pytest.raises(TypeError):
        franking.webhook_sign(SHARED, ID, SENT, BODY)
    with pytest.raises(OverflowError):
        franking.webhook_sign([SHARED], ID, -1, BODY)
