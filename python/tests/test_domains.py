"""`Blacklists` answer all that is asked about domains: those of a call, and those of stored addresses."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, get_args

import pytest
from hosts import http_send_mail, request, send_mailer

import franking
from franking import Account, Blacklists, DomainSet, Facts, Mailer, Role, Subscriber

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
ROLES: tuple[Role, ...] = get_args(Role)
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


def listed(found: franking.Facts) -> list[frozenset[str]]:
    return [frozenset(roles) for roles in found.to_dict()["facts"]["domains"]]


def test_each_domain_is_listed_for_the_roles_whose_set_has_it() -> None:
    chance = random.Random(5)
    for count in [1, 2, 20, 30] * 10 + [700]:
        questions = questions_about(chance.sample(NAMES, count))
        names = set(chance.sample(questions.domains, len(questions.domains) // 2))
        asked = list(zip(questions.domains, questions.domain_roles, strict=True))
        expected = [roles if domain in names else frozenset() for domain, roles in asked]
        blacklists = Blacklists(DomainSet(names))
        assert listed(blacklists.answer(questions, Facts())) == expected
        assert listed(questions.look_up(blacklists=blacklists)) == expected
        only = Blacklists(content=DomainSet(names))
        expected = [roles & {"content"} for roles in expected]
        assert listed(only.answer(questions, Facts(domains=[ROLES]))) == expected


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_its_own_set_and_the_first_is_for_all_others(role: Role) -> None:
    entry = request(
        to="a@spam.example",
        replyTo="b@spam.example",
        body=franking.html_encode("<a href=//spam.example>"),
        **{"from": "c@spam.example"},
    )
    questions = questions_of("httpSendMail", http_send_mail(entry))
    own: dict[str, Any] = {role: SPAM}
    none: dict[str, Any] = {role: DomainSet()}
    assert listed(Blacklists(**own).answer(questions, Facts())) == [{role}]
    all_others = Blacklists(SPAM, **none).answer(questions, Facts())
    assert listed(all_others) == [frozenset(ROLES) - {role}]


@pytest.mark.parametrize(
    ("fields", "mailer", "subscriber", "code"),
    [
        ({}, NOT_SAID, Subscriber(7, "b@ok.example", False, None), 414),
        ({}, NOT_SAID._replace(blacklisted=False), Subscriber(7, "b@ok.example", False, None), 200),
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
                return questions.look_up(
                    mailers={42: mailer},
                    senders={"f@ok.example"},
                    subscriber_ids={7: subscriber},
                    subscribers={"b@ok.example": subscriber},
                    blacklists=Blacklists(SPAM),
                )
            findings = Facts(
                mailers=[mailer],
                senders=[True for _ in questions.senders],
                subscriber_ids=[subscriber for _ in questions.subscriber_ids],
                subscribers=[subscriber for _ in questions.subscribers],
                lists=[True for _ in questions.lists],
            )
            return Blacklists(SPAM).answer(questions, findings)

        def commit(self, plan: franking.Plan, /) -> int:
            return 1

    for by_look_up in (False, True):
        assert franking.decide("sendMailer", send_mailer(**fields), Storing()).code == code


def test_a_stored_address_without_a_domain_that_can_be_read_is_a_misuse() -> None:
    call = franking.Call("sendMailer", send_mailer())
    call.answer_account(Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    findings = Facts(mailers=[Mailer("nobody", None, None)], subscriber_ids=[None])
    with pytest.raises(franking.MisuseError, match="was not said in mailers"):
        call.answer_facts(Blacklists(SPAM).answer(step, findings))
    assert isinstance(call.step(), franking.Questions)


def test_blacklists_take_domain_sets_alone_and_findings_that_can_be_read() -> None:
    wrong: Any = {"spam.example"}
    with pytest.raises(TypeError):
        Blacklists(wrong)
    with pytest.raises(TypeError):
        questions_about(["a.example"]).look_up()  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    with pytest.raises(franking.MisuseError, match="Facts"):
        Blacklists().answer(questions_about(["a.example"]), wrong)
