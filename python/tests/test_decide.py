from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest
from hosts import SENDER, AsyncMemoryHost, MemoryHost, http_send_mail, request, send_mailer

import franking
from franking import Account, Conflict, Facts, Mailer, Subscriber


def test_a_call_that_a_host_carries_out_is_accepted_with_its_transaction_id() -> None:
    decision = franking.decide("sendMailer", send_mailer(), MemoryHost(outcomes=[17]))
    assert (decision.code, decision.is_accepted, decision.transaction_id) == (200, True, 17)
    assert decision.response == '{"code":"200","status":"Success","transactionId":"17"}'
    assert decision.asked == (1, 1, 1)
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
    assert seen == ["Account", "Facts", "Commit", "Done"]


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
    assert [tuple(new) for new in plan.create] == [
        ("new@customer.example", "new@customer.example", "API_EMAILS", {})
    ]
    assert list(plan.enlist) == [7] and plan.API_LIST == "API_EMAILS"
    assert list(plan.update) == []
    assert plan.debit == (3, 1)
    first, second = plan.messages
    assert [tuple(recipient) for recipient in first.recipients] == [
        ("new@customer.example", "to", None),
        ("seven@customer.example", "cc", 7),
    ]
    columns = zip(first.addresses, first.roles, first.subscribers, strict=True)
    assert list(columns) == [tuple(recipient) for recipient in first.recipients]
    assert plan.create_emails == plan.create_match_keys == ("new@customer.example",)
    assert (first.subject, first.html, first.encoding) == ("Hello", "<p>Hi", "form")
    assert (first.track_opens, first.track_clicks) == (True, False)
    assert (second.html, second.encoding, second.from_name) == ("<p>plain", "plain", "Shop")
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
    keys = [address.key for address in addresses if isinstance(address, franking.Address)]
    plan = franking.decide("httpSendMail", http_send_mail(request(to=",".join(spellings))), MemoryHost()).plan
    assert plan is not None
    assert [new.match_key for new in plan.create] == list(plan.create_match_keys) == keys
    assert [new.email for new in plan.create] == [text.strip() for text in spellings]
    for text, key in zip(spellings, keys, strict=True):
        plan = franking.decide("sendMailer", send_mailer(subID=None, email=text), MemoryHost()).plan
        assert plan is not None and plan.create.first is not None
        assert (plan.create.first.match_key, plan.create.first.email) == (key, text.strip())


def test_rows_can_be_counted_indexed_sliced_and_read_again() -> None:
    recipients = ",".join(f"n{number}@customer.example" for number in range(5))
    decision = franking.decide("httpSendMail", http_send_mail(request(to=recipients)), MemoryHost())
    assert decision.plan is not None
    rows = decision.plan.create
    assert len(rows) == 5 and bool(rows) and not decision.plan.update
    assert [row.email for row in rows] == [row.email for row in rows]
    assert rows[0] == rows.first and rows[-1].email == "n4@customer.example"
    assert [row.email for row in rows[1:3]] == ["n1@customer.example", "n2@customer.example"]
    assert rows[2] in rows and rows[2]._replace(email="x") not in rows
    for index in (5, -6, 10**30):
        with pytest.raises(IndexError):
            rows[index]


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
    call.answer_commit(Conflict.SUBSCRIBER_EXISTS)
    call.answer_account(host.account("key"))
    step = call.step()
    assert isinstance(step, franking.Questions) and step.to_dict() == questions.to_dict()
    call.answer_facts(
        Facts(
            mailers=[Mailer("assigned@sender.example", None, False)],
            subscribers=[Subscriber(9, "new@customer.example", False, False)],
            domains=[() for _ in step.domains],
        )
    )
    step = call.step()
    assert isinstance(step, franking.Plan)
    assert len(step.create) == 0 and plan.to_dict() == before and len(plan.create) == 1


def test_conflicts_are_tried_again_and_then_answer() -> None:
    host = MemoryHost(outcomes=[Conflict.EMAIL_CREDIT] * 3)
    decision = franking.decide("sendMailer", send_mailer(), host)
    assert (decision.code, decision.rule) == (445, "email-credit-low")
    assert decision.asked == (3, 3, 3)


def test_a_conflict_without_a_code_is_the_hosts_error() -> None:
    host = MemoryHost(outcomes=[Conflict.OTHER] * 3)
    decision = franking.decide("sendMailer", send_mailer(), host)
    assert (decision.code, decision.failure, decision.response, decision.plan) == (None, "host", None, None)


@pytest.mark.parametrize("transaction_id", [0, -1, 2**53, 2**64, 10**40])
def test_a_transaction_id_that_cannot_be_ends_the_call_without_a_code(transaction_id: int) -> None:
    decision = franking.decide("sendMailer", send_mailer(), MemoryHost(outcomes=[transaction_id]))
    assert (decision.code, decision.failure) == (None, "misuse")
    host = AsyncMemoryHost(MemoryHost(outcomes=[transaction_id]))
    assert asyncio.run(franking.adecide("sendMailer", send_mailer(), host)).failure == "misuse"
    call = franking.Call("sendMailer", send_mailer())
    host_ = MemoryHost()
    call.answer_account(host_.account("key"))
    step = call.step()
    assert isinstance(step, franking.Questions)
    call.answer_facts(host_.facts(step))
    call.answer_commit(transaction_id)
    assert call.decision is not None and call.decision.failure == "misuse"


def findings(**columns: Any) -> Facts:
    """Facts that no type checker has seen."""
    return Facts(**columns)


def with_subscriber(*row: Any) -> Facts:
    return findings(mailers=[None], subscriber_ids=[row])


def account(**columns: Any) -> Account:
    """An account that no type checker has seen."""
    return Account(**columns)


class Broken:
    """A host that answers with what it is given."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.good = MemoryHost()

    def account(self, key: str) -> Any:
        return self.answers.get("account", self.good.account(key))

    def facts(self, questions: franking.Questions) -> Any:
        return self.answers.get("facts", self.good.facts(questions))

    def commit(self, plan: franking.Plan) -> Any:
        return self.answers.get("commit", 1)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"account": True}, "Account or None, not by bool"),
        ({"account": {"blocked": False}}, "Account or None, not by dict"),
        ({"account": account(blocked="no")}, "blocked has to be answered by a bool"),
        ({"account": account(email_credit=1.5)}, "email_credit has to be answered by an int or None"),
        ({"facts": None}, "Facts"),
        ({"facts": findings()}, "1 mailers were asked about, but 0 were answered"),
        ({"facts": findings(mailers=[None], subscriber_ids=[None, None])}, "1 subscriber_ids"),
        ({"facts": findings(mailers=["x"])}, "Mailer"),
        ({"facts": findings(mailers=[("a@b.example", 5, False)])}, "from_name"),
        ({"facts": findings(mailers=[()])}, "from_address"),
        ({"facts": findings(mailers=[("a@b.example", None)])}, "lacks blacklisted"),
        ({"facts": findings(mailers=[("a@b.example", None, "no")])}, "blacklisted has to be"),
        ({"facts": with_subscriber(0, "a@b.example", 0, 0)}, "a subscriber's id"),
        ({"facts": with_subscriber(2**63, "a@b.example", 0, 0)}, "a subscriber's id"),
        ({"facts": with_subscriber("7", "a@b.example", 0, 0)}, "an int"),
        ({"facts": with_subscriber(7, "\ud800", 0, 0)}, "surrogate"),
        ({"facts": with_subscriber(7, "a@b.example")}, "lacks inactive"),
        ({"facts": with_subscriber(7, "a@b.example", 0)}, "lacks blacklisted"),
        ({"facts": with_subscriber(7, "a@b.example", 0, None)}, "was not said in subscriber_ids"),
        (
            {"facts": findings(mailers=[("a@b.example", None, None)], subscriber_ids=[None])},
            "was not said in mailers",
        ),
        ({"facts": findings(mailers="ab")}, "a sequence"),
        ({"facts": findings(mailers=5)}, "a sequence"),
        ({"facts": findings(mailers=[None], subscriber_ids=[None], senders=["yes"])}, "a bool"),
        ({"facts": findings(mailers=[None], subscriber_ids=[None], domains=["sender"])}, "a collection of"),
        ({"facts": findings(mailers=[None], subscriber_ids=[None], domains=[["owner"]])}, "a collection of"),
    ],
)
def test_a_wrong_answer_is_a_misuse_that_says_what_to_do(answers: dict[str, Any], message: str) -> None:
    with pytest.raises(franking.MisuseError, match=message):
        franking.decide("sendMailer", send_mailer(), Broken(**answers))


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
        call.answer_commit(1)
    assert isinstance(call.step(), franking.AccountQuestion)
    call.answer_account(None)
    with pytest.raises(franking.MisuseError, match="the call waits for nothing"):
        call.answer_account(None)
    assert call.decision is not None and call.decision.code == 403


def test_what_a_host_raises_is_passed_on_and_the_call_stays_as_it_was() -> None:
    class Down(MemoryHost):
        def facts(self, questions: franking.Questions, /) -> Facts:
            raise ConnectionError("the database is down")

    call = franking.Call("sendMailer", send_mailer())
    with pytest.raises(ConnectionError, match="the database is down"):
        call.drive(Down())
    assert isinstance(call.step(), franking.Questions)
    assert call.drive(MemoryHost()).code == 200


def test_a_hosts_methods_may_be_anything_that_is_called() -> None:
    memory = MemoryHost(outcomes=[5])

    class Forwarding:
        """Has one as an attribute of its own, one that is no method, and one that is found when it is asked for."""

        commit = staticmethod(memory.commit)

        def __init__(self) -> None:
            self.account = memory.account

        def __getattr__(self, name: str) -> Any:
            return getattr(memory, name)

    host: Any = Forwarding()
    assert franking.decide("sendMailer", send_mailer(), host).transaction_id == 5


def test_a_host_that_lacks_a_method_is_told_which() -> None:
    class Lacking:
        def account(self, key: str, /) -> Account | None:
            return Account()

    host: Any = Lacking()
    with pytest.raises(AttributeError, match="facts"):
        franking.decide("sendMailer", send_mailer(), host)


def test_rows_of_a_database_do_for_records() -> None:
    class Rows(MemoryHost):
        def facts(self, questions: franking.Questions, /) -> Facts:
            rows = iter([(7, "seven@customer.example", 0, 0)])
            return Facts(mailers=(("a@sender.example", None, 0),), subscriber_ids=tuple(rows))  # type: ignore[arg-type]

    assert franking.decide("sendMailer", send_mailer(), Rows()).code == 200


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
        "sender.example": {"sender"},
        "customer.example": {"reply_to", "recipient"},
        "www.links.example": {"content"},
        "links.example": {"content"},
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
        def commit(self, plan: franking.Plan, /) -> int | Conflict:
            assert plan.debit == plan.debit and isinstance(plan.debit, franking.Debit)
            debits.append(plan.debit)
            return 1

    debits: list[franking.Debit] = []
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
        return questions.look_up(
            mailers=host.mailers,
            senders=host.senders,
            subscriber_ids=host.by_id,
            subscribers=host.by_key,
            lists=host.lists,
            blacklists=host.blacklists,
        )

    def commit(self, plan: franking.Plan, /) -> int | Conflict | Literal["unknown"]:
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
        recorded = franking.Call(operation, body, record=True)
        recorded.drive(host)
        expected = recorded.transcript().to_dict()["steps"][1]["answer"]
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
            found = questions.look_up(**tables, blacklists=host.blacklists)
            assert found.to_dict() == expected
            for _ in range(2):
                # What somebody keeps is not used up.
                again = franking.Call(operation, body)
                again.answer_account(Account())
                again.answer_facts(found)
                assert found.to_dict() == expected
        none = questions.look_up(blacklists=franking.Blacklists())
        nothing = none.to_dict()["facts"]
        assert not any(value for column in nothing.values() for value in column)
        assert repr(none).removeprefix("<LookedUp") == repr(questions).removeprefix("<Questions")
        with pytest.raises((AttributeError, TypeError)):
            wrong: Any = 5
            questions.look_up(blacklists=host.blacklists, mailers=wrong, subscribers=wrong, senders=wrong)
        lookup_host = LookUpHost(host)
        assert franking.decide(operation, body, lookup_host).to_dict() == recorded.drive(host).to_dict()


def test_every_rule_is_explained() -> None:
    decision = franking.decide("sendMailer", send_mailer(subID=8), MemoryHost())
    rows = {row.rule: row.result for row in decision.explanation()}
    assert rows[franking.Rule.SUBSCRIBER_UNKNOWN] == "broken"
    assert rows[franking.Rule.KEY_MISSING] == "kept"
    assert rows[franking.Rule.EMAIL_CREDIT_LOW] == "not-reached"


def test_a_deprecated_operation_says_so() -> None:
    decision = franking.decide("httpSendMail", http_send_mail(), MemoryHost())
    assert decision.deprecation == ("2024-04-30", "sendEmail", "Tue, 30 Apr 2024 23:59:59 GMT")
    assert franking.decide("sendMailer", send_mailer(), MemoryHost()).deprecation is None


def test_the_method_is_judged() -> None:
    decision = franking.decide("sendMailer", send_mailer(), MemoryHost(), method="GET")
    assert (decision.code, decision.asked) == (401, (0, 0, 0))


def test_an_unknown_operation_is_a_misuse() -> None:
    for use in (franking.preflight, franking.Call):
        with pytest.raises(franking.MisuseError, match="sendMailer"):
            use("sendmailer", b"{}")


def test_a_recorded_call_is_replayed_and_masked() -> None:
    call = franking.Call("sendMailer", send_mailer(), record=True)
    decision = call.drive(MemoryHost())
    transcript = call.transcript()
    replay = transcript.replay()
    assert replay.steps == ("ok", "ok", "ok")
    assert replay.decision == {key: value for key, value in decision.to_dict().items() if key != "asked"}
    assert franking.Transcript.from_json(transcript.to_json()) == transcript
    masked = transcript.to_masked_json()
    assert "customer.example" not in masked and '"key"' not in masked
    with pytest.raises(franking.MisuseError, match="masked"):
        franking.Transcript.from_json(masked)
    with pytest.raises(franking.MisuseError, match="record=True"):
        franking.Call("sendMailer", send_mailer()).transcript()
