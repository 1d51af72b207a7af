"""Domains are looked up on blacklists alike however often, in which order and by whom they are asked about."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hosts import http_send_mail, request

import franking
from franking import AccountRecord, Role

# Short and long ones, and such that share their beginning, their end, or both.
NAMES = [
    f"{first}{number}{last}"
    for number in range(150)
    for first, last in [
        ("", "x.example"),
        ("a", ".co"),
        ("www.images.shop", ".example.com"),
        ("static-content-", "-of-a-shop-with-a-long-name.customers.example.com"),
        (f"{'long' * 15}", ".example"),
    ]
]


def questions_about(names: Iterable[str]) -> franking.Questions:
    html = "".join(f'<a href="//{name}">' for name in names)
    call = franking.Call("httpSendMail", http_send_mail(request(body=franking.encode_html(html))))
    call.answer_account(AccountRecord())
    step = call.step()
    assert isinstance(step, franking.Facts)
    return step.questions


def expected(questions: franking.Questions, listed: set[str]) -> list[frozenset[Role]]:
    none = frozenset[Role]()
    asked = zip(questions.domains, questions.domain_roles, strict=True)
    return [roles if domain in listed else none for domain, roles in asked]


class Watched:
    """A blacklist that notes the very strings that it is asked about."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __contains__(self, name: object) -> bool:
        assert isinstance(name, str)
        self.seen.append(name)
        return name.startswith("b")


def test_what_is_asked_again_is_answered_as_at_first() -> None:
    chance = random.Random(5)
    for count in [1, 2, 20, 30] * 40 + [700]:
        questions = questions_about(chance.sample(NAMES, count))
        listed = set(chance.sample(questions.domains, len(questions.domains) // 2))
        assert list(questions.listed(listed)) == expected(questions, listed)
        found = questions.look_up(blacklist=listed).to_dict()["facts"]["domains"]
        assert [frozenset(roles) for roles in found] == expected(questions, listed)


def test_the_string_of_a_domain_is_kept_for_the_next_call_and_made_once_for_all_lists() -> None:
    names = ["a.kept.example", "b.kept.example"]
    first, second = Watched(), Watched()
    questions_about(names).look_up(blacklists={"sender": first, "content": first, "recipient": second})
    questions_about(names).look_up(blacklist=second)
    strings = {name: name for name in first.seen}
    kept = [name for name in second.seen if name in strings]
    assert len(kept) >= 3
    assert all(name is strings[name] for name in kept)


def test_the_domains_of_one_call_do_not_drive_each_others_strings_out_in_whatever_order_they_come() -> None:
    chance = random.Random(7)
    names = [f"{chance.choice('abc')}.n{number}.example.com" for number in range(20)]
    first, again, shuffled = Watched(), Watched(), Watched()
    for blacklist in (first, again):
        questions_about(names).look_up(blacklist=blacklist)
    chance.shuffle(names)
    questions_about(names).look_up(blacklist=shuffled)
    assert len(set(first.seen)) > 40
    strings = {name: name for name in first.seen}
    assert again.seen == first.seen and sorted(shuffled.seen) == sorted(first.seen)
    assert all(name is strings[name] for name in again.seen + shuffled.seen)


def test_a_blacklist_may_raise_or_look_something_up_itself() -> None:
    class Raising:
        def __contains__(self, name: object) -> bool:
            raise LookupError(name)

    class Nested:
        def __contains__(self, name: object) -> bool:
            assert list(inner.listed({"b.inner.example"})) == expected(inner, {"b.inner.example"})
            return name == "a.outer.example"

    outer = questions_about(["a.outer.example", "b.outer.example"])
    inner = questions_about(["a.outer.example", "b.inner.example"])
    for _ in range(3):
        with pytest.raises(LookupError):
            outer.listed(Raising())
        assert list(outer.listed(Nested())) == expected(outer, {"a.outer.example"})
    watched = Watched(), Watched()
    for blacklist in watched:
        outer.listed(blacklist)
    assert all(name is again for name, again in zip(watched[0].seen, watched[1].seen, strict=True))
