"""Uses that type checkers have to reject: each line that ends in `# wrong`. Never run."""

from typing import assert_never

import franking
from franking import AccountRecord, Findings, MailerRecord, Policy, SubscriberRecord


class NoHost:
    def account(self, key: str) -> AccountRecord | None:
        return None


class SyncHost:
    def account(self, key: str, /) -> AccountRecord | None:
        return None

    def facts(self, questions: franking.Questions, /) -> Findings:
        return Findings()

    def commit(self, plan: franking.Plan, /) -> int | franking.Conflict:
        return 1


class StringCommits(SyncHost):
    def commit(self, plan: franking.Plan, /) -> str:  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
        return "1"


async def wrong_uses(call: franking.Call, report: franking.Preflight, decision: franking.Decision) -> None:
    franking.check("sendMailer")  # wrong
    franking.check("sendMailer", 5)  # wrong
    franking.check("sendMailer", b"{}", "strict")  # wrong
    franking.check("sendMailer", b"{}", policy=Policy(), method="POST")  # wrong
    franking.decide("sendMailer", b"{}")  # wrong
    franking.decide("sendMailer", b"{}", NoHost())  # wrong
    franking.decide("sendMailer", b"{}", StringCommits())  # wrong
    await franking.adecide("sendMailer", b"{}", SyncHost())  # wrong
    Policy(max_request=5)  # wrong
    Policy(batch="some")  # wrong
    Policy(max_bytes="5")  # wrong
    Policy().max_bytes = 5  # wrong
    AccountRecord(blocked="no")  # wrong
    MailerRecord()  # wrong
    MailerRecord("a@example.com", None)  # wrong
    SubscriberRecord("7", "a@example.com", False, False)  # wrong
    SubscriberRecord(7, "a@example.com", False)  # wrong
    Findings(senders=[None])  # wrong
    Findings(domains=[{"owner"}])  # wrong
    Findings(subscribers=[SubscriberRecord(1, "a@example.com", False, None), 5])  # wrong
    call.answer_account({"blocked": False})  # wrong
    call.answer_facts([])  # wrong
    call.answer_commit("subscriber_exists")  # wrong
    call.answer_commit(None)  # wrong
    franking.Blacklists({"example.com"})  # wrong
    call.step().plan  # wrong
    report.violations[0].field  # wrong
    report.violations.append  # wrong
    report.code + decision.code  # wrong
    decision.violation.code  # wrong
    decision.plan.create  # wrong
    franking.parse_address("a@example.com").key  # wrong
    franking.parse_address(b"a@example.com")  # wrong
    franking.read_answer("{}").code  # wrong
    franking.compose("sendMailer", {})[0]  # wrong
    franking.compose("sendMailer", [])  # wrong
    franking.Rule.RECIPIENT_MISING  # wrong
    franking.Conflict("other") + 1  # wrong
    franking.DomainSet("example.com").add("example.org")  # wrong
    franking.Outcome(["delivered"])  # wrong
    franking.Outcome([418]) | 417  # wrong
    franking.check_many("sendMailer", [b"{}"], threads="all")  # wrong
    franking.check_many("sendMailer", [5])  # wrong


def not_all_steps(step: franking.Step) -> str:
    match step:
        case franking.Account(key):
            return key
        case franking.Done():
            return ""
        case _:
            assert_never(step)  # wrong
