from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hosts import SENDER, AsyncMemoryHost, MemoryHost, http_send_mail, request, send_mailer

import franking
from franking import (
    Account,
    Asked,
    Commit,
    Conflict,
    DomainRole,
    Encoding,
    Facts,
    Failure,
    Mailer,
    RecipientRole,
    Subscriber,
)


def test_a_call_that_a_host_carries_out_is_accepted_with_its_transaction_id() -> None:
    decision = franking.decide("sendMailer", send_mailer(), MemoryHost(commits=[Commit.done(17)]))
    assert (decision.code, decision.is_accepted, decision.transaction_id) == (200, True, 17)
    assert decision.response == '{"code":"200","status":"Success","transactionId":"17"}'
    assert decision.asked == Asked(account=1, facts=1, commits=1)
    assert decision.violation is None and decision.rule is None and decision.failure is None


def test_the_async_driver_decides_as_the_sync_one() -> None:
    bodies = [
        send_mailer(),
        send_mailer(email="x", subID=None),
        http_send_mail(),
        http_send_mail(request(to="bad")),
    ]
    for body in bodies:
        operation = "httpSendMail" if b"requests" in body else "sendMailer"
        expected = franking.decide(operation, body, MemoryHost())
        got = asyncio.run(franking.adecide(operation, body, AsyncMemoryHost()))
        assert got.to_dict() == expected.to_dict()


def test_the_machine_can_be_driven_by_match() -> None:
    host = MemoryHost()
    seen = []

    def drive(call: franking.Call) -> franking.Decision:
        while True:
            step = call.step()
            seen.append(type(step).__name__)
            match step:
                case franking.AccountQuestion(key):
                    call.answer_account(host.account(key))
                case franking.Questions() as questions:
                    call.answer_facts(host.facts(questions))
                case franking.Plan() as plan:
                    call.answer_commit(host.commit(plan))
                case franking.Decision() as decision:
                    return decision

    assert drive(franking.Call("httpSendMail", http_send_mail())).code == 200
    assert seen == ["AccountQuestion", "Questions", "Plan", "Decision"]


def test_a_violation_names_rule_code_place_and_remedy() -> None:
    body = http_send_mail(request(), request(to="a@customer.example, bad"))
    decision = franking.decide("httpSendMail", body, MemoryHost())
    violation = decision.violation
    assert violation is not None
    assert violation.rule is decision.rule is franking.Rule.RECIPIENT_MALFORMED
    assert (violation.code, violation.request, violation.pointer) == (412, 1, "/requests/1/to")
    assert violation.span is not None
    assert body[slice(*violation.span)] == b"bad"
    assert "name@example.com" in violation.remedy


def test_a_plan_lists_what_is_to_be_done() -> None:
    requests = [
        request(to="new@customer.example, NEW@customer.example", cc="seven@customer.example", trackOpens="1"),
        request(body="<p>plain", fromName="Shop", replyTo="reply@sender.example", customField="c"),
    ]
    decision = franking.decide("httpSendMail", http_send_mail(*requests), MemoryHost())
    plan = decision.plan
    assert plan is not None
    (new,) = plan.create
    assert (new.email, new.match_key, new.list) == (
        "new@customer.example",
        "new@customer.example",
        "API_EMAILS",
    )
    assert new.fields == {}
    assert list(plan.enlist) == [7] and plan.API_LIST == "API_EMAILS"
    assert list(plan.update) == []
    assert (plan.debit.email, plan.debit.subscriber) == (3, 1)
    first, second = plan.messages
    recipients = [(recipient.to, recipient.role, recipient.subscriber) for recipient in first.recipients]
    assert recipients == [
        ("new@customer.example", RecipientRole.TO, None),
        ("seven@customer.example", RecipientRole.CC, 7),
    ]
    columns = zip(first.addresses, first.roles, first.subscribers, strict=True)
    assert list(columns) == recipients
    assert plan.create_emails == plan.create_match_keys == ("new@customer.example",)
    assert (first.subject, first.html, first.encoding) == ("Hello", "<p>Hi", Encoding.FORM)
    assert (first.track_opens, first.track_clicks) == (True, False)
    assert (second.html, second.encoding, second.from_name) == ("<p>plain", Encoding.PLAIN, "Shop")
    assert (second.reply_to, second.custom_field, second.request) == ("reply@sender.example", "c", 1)
    (collapsed,) = plan.collapsed
    assert (collapsed.request, collapsed.pointer, collapsed.to) == (
        0,
        "/requests/0/to",
        "NEW@customer.example",
    )


def test_a_plan_has_the_match_key_of_each_subscriber_that_it_creates_in_whatever_spelling_it_was_sent() -> (
    None
):
    spellings = ["New@Customer.Example", " \u00fc@B\u00dcCHER.example "]
    addresses = [franking.Address.parse(text.strip()) for text in spellings]
    keys = [address.match_key for address in addresses]
    plan = franking.decide("httpSendMail", http_send_mail(request(to=",".join(spellings))), MemoryHost()).plan
    assert plan is not None
    assert [new.match_key for new in plan.create] == list(plan.create_match_keys) == keys
    assert [new.email for new in plan.create] == [text.strip() for text in spellings]
    for text, key in zip(spellings, keys, strict=True):
        plan = franking.decide("sendMailer", send_mailer(subID=None, email=text), MemoryHost()).plan
        assert plan is not None
        (new,) = plan.create
        assert (new.match_key, new.email) == (key, text.strip())


def test_a_partial_batch_lists_what_it_leaves_out() -> None:
    body = http_send_mail(request(), request(subject=None), request(to="new@customer.example,bad"))
    decision = franking.decide("httpSendMail", body, MemoryHost(), franking.Policy(batch="partial"))
    assert decision.code == 200
    assert [(row.rule, row.request) for row in decision.refused] == [
        ("subject-missing", 1),
        ("recipient-malformed", 2),
    ]


def test_the_link_that_is_blacklisted_is_named() -> None:
    html = '<p><a href="https://www.spam.example/x">x</a>'
    body = http_send_mail(request(), request(body=franking.html_encode(html)))
    decision = franking.decide("httpSendMail", body, MemoryHost())
    assert decision.code == 413
    link = decision.blacklisted_link()
    assert link is not None
    assert (link.request, link.place, link.domain) == (1, "href of <a>", "spam.example")
    assert link.url == "https://www.spam.example/x"
    assert html.encode()[slice(*link.span)] == link.url.encode()
    assert decision.blacklisted_link(1) == link and decision.blacklisted_link(0) is None


def test_an_old_plan_shows_what_it_was_after_a_conflict() -> None:
    body = send_mailer(subID=None, email="New@customer.example")
    call = franking.Call("sendMailer", body)
    host = MemoryHost()
    call.answer_account(host.account("key"))
    step = call.step()
    assert isinstance(step, franking.Questions)
    questions = step
    call.answer_facts(host.facts(questions))
    step = call.step()
    assert isinstance(step, franking.Plan)
    plan = step
    before = plan.to_dict()
    call.answer_commit(Commit.conflict(Conflict.SUBSCRIBER_EXISTS))
    call.answer_account(host.account("key"))
    step = call.step()
    assert isinstance(step, franking.Questions) and step.subscribers == questions.subscribers
    call.answer_facts(
        Facts(
            mailers=[Mailer("assigned@sender.example", None, False)],
            subscribers=[Subscriber(9, "new@customer.example", False, False)],
            domains=[DomainRole.NONE for _ in step.domains],
        )
    )
    step = call.step()
    assert isinstance(step, franking.Plan)
    assert len(step.create) == 0 and plan.to_dict() == before and len(plan.create) == 1


def test_conflicts_are_tried_again_and_then_answer() -> None:
    host = MemoryHost(commits=[Commit.conflict(Conflict.EMAIL_CREDIT)] * 3)
    decision = franking.decide("sendMailer", send_mailer(), host)
    assert (decision.code, decision.rule) == (445, "email-credit-low")
    assert decision.asked == Asked(account=3, facts=3, commits=3)


def test_a_conflict_without_a_code_is_the_hosts_error() -> None:
    host = MemoryHost(commits=[Commit.conflict(Conflict.OTHER)] * 3)
    decision = franking.decide("sendMailer", send_mailer(), host)
    assert (decision.code, decision.failure, decision.response, decision.plan) == (
        None,
        Failure.HOST,
        None,
        None,
    )


@pytest.mark.parametrize("transaction_id", [0, -1, 2**53, 2**64, 10**40])
def test_a_transaction_id_that_cannot_be_ends_the_call_without_a_code(transaction_id: int) -> None:
    decision = franking.decide("sendMailer", send_mailer(), MemoryHost(commits=[Commit.done(transaction_id)]))
    assert (decision.code, decision.failure) == (None, Failure.MISUSE)
    host = AsyncMemoryHost(MemoryHost(commits=[Commit.done(transaction_id)]))
    assert asyncio.run(franking.adecide("sendMailer", send_mailer(), host)).failure is Failure.MISUSE
    call = franking.Call("sendMailer", send_mailer())
    host_ = MemoryHost()
    call.answer_account(host_.account("key"))
    step = call.step()
    assert isinstance(step, franking.Questions)
    call.answer_facts(host_.facts(step))
    call.answer_commit(Commit.done(transaction_id))
    assert call.decision is not None and call.decision.failure is Failure.MISUSE


class Broken:
    """A host that gives fixed answers."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.good = MemoryHost()

    def account(self, key: str) -> Any:
        return self.answers.get("account", self.good.account(key))

    def facts(self, questions: franking.Questions) -> Any:
        return self.answers.get("facts", self.good.facts(questions))

    def commit(self, plan: franking.Plan) -> Any:
        return self.answers.get("commit", Commit.done(1))


FOUND = Subscriber(7, "a@b.example", False, None)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"account": True}, "an Account or None, not by bool"),
        ({"account": {"blocked": False}}, "an Account or None, not by dict"),
        ({"account": (False, False, False, None, None)}, "an Account or None, not by tuple"),
        ({"facts": None}, "Facts, not by NoneType"),
        ({"facts": ([None], [], [None])}, "Facts, not by tuple"),
        ({"facts": Facts()}, "1 mailers were asked about, but 0 were answered"),
        ({"facts": Facts(mailers=[None], subscriber_ids=[None, None])}, "1 subscriber_ids"),
        ({"facts": Facts(mailers=[None], subscriber_ids=[FOUND])}, "was not said in subscriber_ids"),
        (
            {"facts": Facts(mailers=[Mailer("a@b.example", None, None)], subscriber_ids=[None])},
            "was not said in mailers",
        ),
    ],
)
def test_a_wrong_answer_is_a_misuse_that_says_what_to_do(answers: dict[str, Any], message: str) -> None:
    with pytest.raises(franking.MisuseError, match=message):
        franking.decide("sendMailer", send_mailer(), Broken(**answers))


UNTYPED: Any = franking


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: UNTYPED.Account(blocked="no"), TypeError, "a bool .* not str"),
        (lambda: UNTYPED.Account(email_credit=1.5), TypeError, "an int or None .* not float"),
        (lambda: UNTYPED.Account(email_credit=True), TypeError, "an int or None .* not bool"),
        (lambda: UNTYPED.Mailer("a@b.example", 5, False), TypeError, "a str .* not int"),
        (lambda: UNTYPED.Mailer("a@b.example", None), TypeError, "blacklisted"),
        (lambda: UNTYPED.Mailer("a@b.example", None, "no"), TypeError, "a bool .* not str"),
        (lambda: UNTYPED.Mailer("\ud800", None, False), franking.InvalidError, "surrogate"),
        (lambda: Subscriber(0, "a@b.example", False, False), franking.InvalidError, "id has to be 1 to"),
        (lambda: Subscriber(2**63, "a@b.example", False, False), franking.InvalidError, "id has to be 1 to"),
        (lambda: UNTYPED.Subscriber("7", "a@b.example", 0, 0), TypeError, "an int .* not str"),
        (lambda: UNTYPED.Subscriber(7, "a@b.example", 0), TypeError, "blacklisted"),
        (lambda: UNTYPED.Facts(mailers=["x"]), TypeError, "a Mailer or None"),
        (lambda: UNTYPED.Facts(mailers=[FOUND]), TypeError, "a Mailer or None .* not Subscriber"),
        (lambda: UNTYPED.Facts(subscribers=[(7, "a@b.example", 0, 0)]), TypeError, "a Subscriber or None"),
        (lambda: UNTYPED.Facts(mailers="ab"), TypeError, "a sequence .* not str"),
        (lambda: UNTYPED.Facts(mailers=5), TypeError, "a sequence .* not int"),
        (lambda: UNTYPED.Facts(senders=["yes"]), TypeError, "a bool .* not str"),
        (lambda: UNTYPED.Facts(senders=[None]), TypeError, "a bool .* not NoneType"),
        (lambda: UNTYPED.Facts(domains=["sender"]), TypeError, "a DomainRole .* not str"),
        (lambda: UNTYPED.Facts(domains=[1]), TypeError, "a DomainRole .* not int"),
        (lambda: UNTYPED.Facts([None]), TypeError, "positional"),
        (lambda: UNTYPED.Commit.done("1"), TypeError, "an int .* not str"),
        (lambda: UNTYPED.Commit.done(True), TypeError, "an int .* not bool"),
        (lambda: UNTYPED.Commit.conflict("lost"), franking.InvalidError, "no such conflict"),
        (lambda: UNTYPED.Commit.conflict("subscriber gone"), franking.InvalidError, "no such conflict"),
        (lambda: UNTYPED.Commit(), TypeError, "Commit"),
    ],
)
def test_what_is_no_answer_cannot_be_made(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_a_word_of_a_conflict_may_have_hyphens_or_underscores() -> None:
    for conflict in franking.Conflict:
        hyphens: Any = conflict.value.replace("_", "-")
        assert Commit.conflict(hyphens) == Commit.conflict(conflict)


def test_facts_are_read_as_they_were_given() -> None:
    columns: dict[str, Any] = {
        "mailers": (Mailer("a@b.example", "A", None), None),
        "senders": (True, False),
        "subscriber_ids": (FOUND,),
        "subscribers": (None, FOUND),
        "lists": (False,),
        "domains": (DomainRole.NONE, DomainRole.SENDER | DomainRole.CONTENT),
    }
    facts = Facts(**columns)
    assert {name: getattr(facts, name) for name in columns} == columns
    assert facts == Facts(**{name: iter(column) for name, column in columns.items()})
    columns["lists"] = (True,)
    assert facts != Facts(**columns)


def test_an_async_host_given_to_the_sync_driver_is_told_about_adecide() -> None:
    host: Any = AsyncMemoryHost()
    with (
        pytest.raises(franking.MisuseError, match="adecide"),
        pytest.warns(RuntimeWarning, match="never awaited"),
    ):
        franking.decide("sendMailer", send_mailer(), host)


def test_answers_of_the_wrong_kind_change_nothing() -> None:
    call = franking.Call("sendMailer", send_mailer())
    with pytest.raises(franking.MisuseError, match="the call waits for account"):
        call.answer_facts(Facts())
    with pytest.raises(franking.MisuseError, match="the call waits for account"):
        call.answer_commit(Commit.done(1))
    assert isinstance(call.step(), franking.AccountQuestion)
    call.answer_account(None)
    with pytest.raises(franking.MisuseError, match="the call waits for nothing"):
        call.answer_account(None)
    assert call.decision is not None and call.decision.code == 403


def test_what_a_host_raises_is_passed_on_and_the_call_can_be_decided_again() -> None:
    class Down(MemoryHost):
        def facts(self, questions: franking.Questions, /) -> Facts:
            raise ConnectionError("the database is down")

    with pytest.raises(ConnectionError, match="the database is down"):
        franking.decide("sendMailer", send_mailer(), Down())
    assert franking.decide("sendMailer", send_mailer(), MemoryHost()).code == 200


def test_a_hosts_methods_may_be_anything_that_is_called() -> None:
    memory = MemoryHost(commits=[Commit.done(5)])

    class Forwarding:
        """A host with one method as an attribute of the instance, one that is not a method, and one from
        `__getattr__`."""

        commit = staticmethod(memory.commit)

        def __init__(self) -> None:
            self.account = memory.account

        def __getattr__(self, name: str) -> Any:
            return getattr(memory, name)

    host: Any = Forwarding()
    assert franking.decide("sendMailer", send_mailer(), host).transaction_id == 5


def test_flags_of_a_database_do_for_flags() -> None:
    row: Any = (7, "seven@customer.example", 0, 1)
    assert Subscriber(*row) == Subscriber(7, "seven@customer.example", False, True)
    assert Account(*row[2:]) == Account(blocked=False, expired=True)


def test_domains_are_asked_with_their_roles() -> None:
    html = franking.html_encode('<a href="//www.links.example">')
    body = http_send_mail(request(to="a@customer.example", replyTo="b@customer.example", body=html))
    call = franking.Call("httpSendMail", body)
    call.answer_account(Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    questions = step
    asked = dict(zip(questions.domains, questions.domain_roles, strict=True))
    assert asked == {
        "sender.example": DomainRole.SENDER,
        "customer.example": DomainRole.REPLY_TO | DomainRole.RECIPIENT,
        "www.links.example": DomainRole.CONTENT,
        "links.example": DomainRole.CONTENT,
    }


@pytest.mark.parametrize("count", [1, 2, 16, 17, 40])
def test_messages_are_gone_through_again_and_again_however_many_they_are(count: int) -> None:
    requests = [request(subject=f"S{n}", to="bad" if n % 3 == 1 else "a@b.example") for n in range(count)]
    policy = franking.Policy(batch="partial")
    plan = franking.decide("httpSendMail", http_send_mail(*requests), MemoryHost(), policy).plan
    assert plan is not None
    sent = [n for n in range(count) if n % 3 != 1]
    messages = plan.messages
    for _ in range(2):
        assert [message.request for message in messages] == sent
        assert [message.subject for message in messages] == [f"S{n}" for n in sent]
    pairs = zip(messages, plan.messages, strict=True)
    assert all(one.request == other.request for one, other in pairs)
    assert [message.request for message in messages[1:3]] == sent[1:3]
    assert (len(messages), messages[-1].request) == (len(sent), sent[-1])
    iterator = iter(messages)
    assert iter(iterator) is iterator
    assert len(list(iterator)) == len(sent) and next(iterator, None) is None


def test_each_plan_has_its_own_debit() -> None:
    class Debits(MemoryHost):
        def commit(self, plan: franking.Plan, /) -> Commit:
            assert plan.debit == plan.debit and isinstance(plan.debit, franking.Debit)
            debits.append((plan.debit.email, plan.debit.subscriber))
            return Commit.done(1)

    debits: list[tuple[int, int]] = []
    known, new, both = "seven@customer.example", "new@customer.example", "new@customer.example,x@b.example"
    for to in [known, new, known, both, both, known]:
        franking.decide("httpSendMail", http_send_mail(request(to=to)), Debits())
    assert debits == [(1, 0), (1, 1), (1, 0), (2, 2), (2, 2), (1, 0)]


class LookUpHost:
    def __init__(self, host: MemoryHost) -> None:
        self.host = host

    def account(self, key: str, /) -> Account | None:
        return self.host.account(key)

    def facts(self, questions: franking.Questions, /) -> franking.Facts:
        host = self.host
        return host.blacklists.look_up(
            questions,
            mailers=host.mailers,
            senders=host.senders,
            subscriber_ids=host.by_id,
            subscribers=host.by_key,
            lists=host.lists,
        )

    def commit(self, plan: franking.Plan, /) -> Commit:
        return self.host.commit(plan)


def test_tables_in_memory_are_looked_up_in_bulk() -> None:
    class Table(dict[Any, Any]):
        """A mapping of another class."""

    html = franking.html_encode('<a href="//spam.example">')
    bodies = [
        ("sendMailer", send_mailer(**{"from": SENDER, "listName": "Known"})),
        ("sendMailer", send_mailer(subID=None, email="new@customer.example", listName="Other")),
        ("httpSendMail", http_send_mail(request(cc="seven@customer.example"), request(body=html))),
    ]
    host = MemoryHost()
    for operation, body in bodies:
        call = franking.Call(operation, body)
        call.answer_account(Account())
        step = call.step()
        assert isinstance(step, franking.Questions)
        questions = step
        expected = host.facts(questions)
        for by_id, by_key, mailers in [
            (host.by_id, host.by_key, host.mailers),
            (Table(host.by_id), Table(host.by_key), Table(host.mailers)),
        ]:
            tables: dict[str, Any] = {
                "mailers": mailers,
                "senders": host.senders,
                "subscriber_ids": by_id,
                "subscribers": by_key,
                "lists": host.lists,
            }
            found = host.blacklists.look_up(questions, **tables)
            assert found == expected
            for _ in range(2):
                # Answering does not consume facts that the caller keeps.
                again = franking.Call(operation, body)
                again.answer_account(Account())
                again.answer_facts(found)
                assert found == expected
        none = franking.Blacklists().look_up(questions)
        for column in (none.mailers, none.senders, none.subscriber_ids, none.subscribers, none.lists):
            assert not any(column)
        assert set(none.domains) <= {DomainRole.NONE}
        assert repr(none).removeprefix("<Facts") == repr(questions).removeprefix("<Questions")
        with pytest.raises((AttributeError, TypeError)):
            wrong: Any = 5
            host.blacklists.look_up(questions, mailers=wrong, subscribers=wrong, senders=wrong)
        lookup_host = LookUpHost(host)
        by_columns = franking.decide(operation, body, host)
        assert franking.decide(operation, body, lookup_host).to_dict() == by_columns.to_dict()


def test_every_rule_is_explained() -> None:
    decision = franking.decide("sendMailer", send_mailer(subID=8), MemoryHost())
    rows = {row.rule: row.judgement for row in decision.explanation()}
    assert rows[franking.Rule.SUBSCRIBER_UNKNOWN] is franking.Judgement.BROKEN
    assert rows[franking.Rule.KEY_MISSING] is franking.Judgement.KEPT
    assert rows[franking.Rule.EMAIL_CREDIT_LOW] is franking.Judgement.NOT_REACHED


def test_a_deprecated_operation_says_so() -> None:
    decision = franking.decide("httpSendMail", http_send_mail(), MemoryHost())
    assert decision.deprecation == franking.Deprecation(
        last_day="2024-04-30",
        successor="sendEmail",
        sunset="Tue, 30 Apr 2024 23:59:59 GMT",
        deprecation="@1714521599",
    )
    assert franking.decide("sendMailer", send_mailer(), MemoryHost()).deprecation is None


def test_the_method_is_judged() -> None:
    decision = franking.decide("sendMailer", send_mailer(), MemoryHost(), method="GET")
    assert (decision.code, decision.asked) == (401, Asked(account=0, facts=0, commits=0))
    for method in ("\ud800", "", "post"):
        assert franking.decide("sendMailer", send_mailer(), MemoryHost(), method=method).code == 401
    nothing: Any = None
    with pytest.raises(TypeError):
        franking.decide("sendMailer", send_mailer(), MemoryHost(), method=nothing)


def test_an_unknown_operation_is_an_invalid_value() -> None:
    for use in (franking.preflight, franking.Call):
        with pytest.raises(franking.InvalidError, match="sendMailer"):
            use("sendmailer", b"{}")


def by_decide(body: bytes, record: bool) -> franking.Decision:
    return franking.decide("sendMailer", body, MemoryHost(), record=record)


def by_adecide(body: bytes, record: bool) -> franking.Decision:
    return asyncio.run(franking.adecide("sendMailer", body, AsyncMemoryHost(), record=record))


@pytest.mark.parametrize("decide", [by_decide, by_adecide])
def test_a_recorded_call_is_replayed_and_masked(decide: Any) -> None:
    decision = decide(send_mailer(), True)
    transcript = decision.transcript()
    replay = transcript.replay()
    assert replay.steps == (True, True, True)
    assert replay.decision is not None
    shared = ("code", "rule", "response", "plan", "refused", "deprecation")
    assert {name: replay.decision[name] for name in shared} == {
        name: decision.to_dict()[name] for name in shared
    }
    assert franking.Transcript.from_json(transcript.to_json()) == transcript
    masked = transcript.to_masked_json()
    assert "customer.example" not in masked and '"key"' not in masked
    with pytest.raises(franking.TranscriptError, match="masked"):
        franking.Transcript.from_json(masked)
    with pytest.raises(franking.MisuseError, match="record=True"):
        franking.Call("sendMailer", send_mailer()).transcript()
    with pytest.raises(franking.MisuseError, match="record=True"):
        decide(send_mailer(), False).transcript()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"operation": "x", "body": "", "steps": []}', '{"masked": true}', "\ud800"]
)
def test_what_is_no_transcript_is_an_invalid_value(text: str) -> None:
    with pytest.raises(franking.InvalidError):
        franking.Transcript.from_json(text)


def test_a_transcript_of_another_call_is_refused_when_it_is_replayed() -> None:
    document = by_decide(send_mailer(), True).transcript().to_dict()
    document["body"] = document["body"].replace("42", "43")
    with pytest.raises(franking.TranscriptError, match="step 1"):
        franking.Transcript.from_json(json.dumps(document)).replay()
