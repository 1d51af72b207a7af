"""`Blacklists` answer all questions about domains: those of a call, and those of stored addresses."""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterable
from typing import Any

import pytest
from hosts import MemoryHost, http_send_mail, request, send_mailer

import franking
from franking import Account, Blacklists, Commit, DomainRole, DomainSet, Facts, Mailer, Subscriber

# Short and long names, and names that share their beginning, their end, or both.
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
EVERY = DomainRole.SENDER | DomainRole.REPLY_TO | DomainRole.RECIPIENT | DomainRole.CONTENT
SPAM = DomainSet(["spam.example"])
NOT_SAID = Mailer("a@www.SPAM.example", None, None)


def questions_of(operation: str, body: bytes) -> franking.Questions:
    call = franking.Call(operation, body)
    call.answer_account(Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    return step


def questions_about(names: Iterable[str]) -> franking.Questions:
    html = "".join(f'<a href="//{name}">' for name in names)
    return questions_of("httpSendMail", http_send_mail(request(body=franking.html_encode(html))))


def listed(found: franking.Facts) -> list[DomainRole]:
    return list(found.domains)


def test_each_domain_is_listed_for_the_roles_whose_set_has_it() -> None:
    chance = random.Random(5)
    for count in [1, 2, 20, 30] * 10 + [700]:
        questions = questions_about(chance.sample(NAMES, count))
        names = set(chance.sample(questions.domains, len(questions.domains) // 2))
        asked = list(zip(questions.domains, questions.domain_roles, strict=True))
        expected = [roles if domain in names else DomainRole.NONE for domain, roles in asked]
        blacklists = Blacklists(DomainSet(names))
        assert listed(blacklists.answer(questions, Facts())) == expected
        assert listed(blacklists.look_up(questions)) == expected
        only = Blacklists(content=DomainSet(names))
        expected = [roles & DomainRole.CONTENT for roles in expected]
        assert listed(only.answer(questions, Facts(domains=[EVERY]))) == expected


@pytest.mark.parametrize("role", DomainRole)
def test_each_role_has_its_own_set_and_the_first_is_for_all_others(role: DomainRole) -> None:
    entry = request(
        to="a@spam.example",
        replyTo="b@spam.example",
        body=franking.html_encode("<a href=//spam.example>"),
        **{"from": "c@spam.example"},
    )
    questions = questions_of("httpSendMail", http_send_mail(entry))
    own: dict[str, Any] = {str(role.name).lower(): SPAM}
    none: dict[str, Any] = {str(role.name).lower(): DomainSet()}
    assert listed(Blacklists(**own).answer(questions, Facts())) == [role]
    all_others = Blacklists(SPAM, **none).answer(questions, Facts())
    assert listed(all_others) == [EVERY & ~role]


@pytest.mark.parametrize(
    ("fields", "mailer", "subscriber", "code"),
    [
        ({}, NOT_SAID, Subscriber(7, "b@ok.example", False, None), 414),
        ({}, Mailer("a@www.SPAM.example", None, False), Subscriber(7, "b@ok.example", False, None), 200),
        ({"from": "f@ok.example"}, NOT_SAID, Subscriber(7, "b@ok.example", False, None), 200),
        (
            {"from": "f@ok.example"},
            NOT_SAID,
            Subscriber(7, "b@x.spam.example", False, None),
            416,
        ),
        (
            {"from": "f@ok.example"},
            NOT_SAID,
            Subscriber(7, "b@x.spam.example", False, False),
            200,
        ),
        (
            {"from": "f@ok.example", "subID": None, "email": "b@ok.example"},
            NOT_SAID,
            Subscriber(7, "b@x.spam.example", False, None),
            416,
        ),
    ],
)
def test_the_domains_of_stored_addresses_are_looked_up_unless_their_records_say(
    fields: dict[str, Any], mailer: Mailer, subscriber: Subscriber, code: int
) -> None:
    class Storing:
        def account(self, key: str, /) -> Account | None:
            return Account()

        def facts(self, questions: franking.Questions, /) -> franking.Facts:
            if by_look_up:
                return Blacklists(SPAM).look_up(
                    questions,
                    mailers={42: mailer},
                    senders={"f@ok.example"},
                    subscriber_ids={7: subscriber},
                    subscribers={"b@ok.example": subscriber},
                )
            facts = Facts(
                mailers=[mailer],
                senders=[True for _ in questions.senders],
                subscriber_ids=[subscriber for _ in questions.subscriber_ids],
                subscribers=[subscriber for _ in questions.subscribers],
                lists=[True for _ in questions.lists],
            )
            return Blacklists(SPAM).answer(questions, facts)

        def commit(self, plan: franking.Plan, /) -> Commit:
            return Commit.done(1)

    for by_look_up in (False, True):
        assert franking.decide("sendMailer", send_mailer(**fields), Storing()).code == code


def test_a_stored_address_without_a_domain_that_can_be_read_is_a_misuse() -> None:
    call = franking.Call("sendMailer", send_mailer())
    call.answer_account(Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    facts = Facts(mailers=[Mailer("nobody", None, None)], subscriber_ids=[None])
    with pytest.raises(franking.MisuseError, match="was not said in mailers"):
        call.answer_facts(Blacklists(SPAM).answer(step, facts))
    assert isinstance(call.step(), franking.Questions)


def test_blacklists_take_domain_sets_alone_and_complete_facts_alone() -> None:
    wrong: Any = {"spam.example"}
    with pytest.raises(TypeError):
        Blacklists(wrong)
    with pytest.raises(TypeError):
        Blacklists().look_up(wrong)
    with pytest.raises(TypeError, match="Facts"):
        Blacklists().answer(questions_about(["a.example"]), wrong)


def test_entries_are_added_to_and_removed_from_a_new_set() -> None:
    old = DomainSet(["a.example", "b.example", "c.example"])
    more = old.union(name for name in ("D.example", "B.Example", "b\u00fccher.example"))
    assert list(more) == ["a.example", "b.example", "c.example", "d.example", "xn--bcher-kva.example"]
    less = more.difference(["B\u00dcCHER.example.", "A.EXAMPLE", "x.b.example", "nowhere.example"])
    assert list(less) == ["b.example", "c.example", "d.example"] and less.listed("www.a.example") is None
    assert list(old) == ["a.example", "b.example", "c.example"]
    assert old.union([]) == old.difference(()) == old
    assert old.union(old) == old and len(old.difference(old)) == 0
    for change in (old.union, old.difference):
        with pytest.raises(franking.InvalidError, match="entry 1 of the set, counted from 0"):
            change(["d.example", "a b"])
        with pytest.raises(TypeError):
            change([b"d.example"])  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
        with pytest.raises(TypeError):
            change(None)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_blacklists_are_values_with_a_set_for_each_role() -> None:
    old = Blacklists(SPAM, content=DomainSet(["b.example", "a.example"]))
    assert old.sender == old.reply_to == old.recipient == SPAM and len(old.content) == 2
    new = old.replace(recipient=old.recipient.union(["full.example"]), content=DomainSet())
    assert list(new.recipient) == ["spam.example", "full.example"] and len(new.content) == 0
    assert new.sender == old.sender and list(old.recipient) == ["spam.example"]
    assert old == Blacklists(SPAM, content=DomainSet(["a.example", "b.example"])) != new
    assert hash(old) == hash(old.replace()) and len({old, old.replace(), new}) == 2
    assert old != SPAM and Blacklists() == Blacklists(DomainSet())
    if sys.version_info >= (3, 13):
        assert copy.replace(old, sender=DomainSet()).sender == DomainSet()
    wrong: Any = ["spam.example"]
    with pytest.raises(TypeError):
        old.replace(sender=wrong)


def test_a_call_is_decided_by_the_blacklists_that_its_host_has_at_that_time() -> None:
    host = MemoryHost(blacklists=Blacklists())
    body = send_mailer(subID=None, email="new@www.full.example")
    codes: list[int | None] = []
    for change in ("union", "difference"):
        codes.append(franking.decide("sendMailer", body, host).code)
        recipient = getattr(host.blacklists.recipient, change)(["full.example"])
        host.blacklists = host.blacklists.replace(recipient=recipient)
        codes.append(franking.decide("sendMailer", body, host).code)
    assert codes == [200, 416, 416, 200]


def test_a_domain_that_a_call_asks_about_can_always_be_looked_up() -> None:
    """A caller cannot make the look-up raise, even with a very long name."""
    long = [
        f"{'a' * 300}.example",
        "a." * 400 + "example.com",
        "1.2.3.4",
        "[::1]",
        "single",
        "under_score.example",
    ]
    questions = questions_about(["ok.example", *long])
    assert len(questions.domains) > 10
    for domain in questions.domains:
        assert SPAM.listed(domain) is None and domain not in SPAM
        assert franking.domain_walk(domain)


def test_parents_are_those_of_the_canonical_form_and_what_is_no_domain_has_none() -> None:
    assert franking.domain_walk("WWW.B\u00fccher.Example.") == (
        "www.xn--bcher-kva.example",
        "xn--bcher-kva.example",
    )
    longest = ".".join("a" * 127)
    assert len(longest) == 253 and len(franking.domain_walk(f"{longest}.")) == 126
    with pytest.raises(franking.InvalidError):
        franking.domain_walk(f"a.{longest}")
    for text in ("a b", "", "http://a.example", "\ud800"):
        for function in (franking.domain_walk, franking.domain_to_ascii):
            with pytest.raises(franking.InvalidError):
                function(text)
