"""Uses that type checkers have to reject: each line that ends in `# wrong`. Never run."""

from typing import assert_never

import franking
from franking import Account, Commit, DomainRole, Facts, Mailer, Policy, Subscriber


class NoHost:
    def account(self, key: str) -> Account | None:
        return None


class SyncHost:
    def account(self, key: str, /) -> Account | None:
        return None

    def facts(self, questions: franking.Questions, /) -> Facts:
        return Facts()

    def commit(self, plan: franking.Plan, /) -> Commit:
        return Commit.done(1)


class StringCommits(SyncHost):
    def commit(self, plan: franking.Plan, /) -> str:  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
        return "1"


async def wrong_uses(call: franking.Call, report: franking.Preflight, decision: franking.Decision) -> None:
    franking.preflight("sendMailer")  # wrong
    franking.preflight("sendMailer", 5)  # wrong
    franking.preflight("sendMailer", b"{}", "strict")  # wrong
    franking.preflight("sendMailer", b"{}", policy=Policy(), method="POST")  # wrong
    franking.decide("sendMailer", b"{}")  # wrong
    franking.decide("sendMailer", b"{}", NoHost())  # wrong
    franking.decide("sendMailer", b"{}", StringCommits())  # wrong
    await franking.adecide("sendMailer", b"{}", SyncHost())  # wrong
    Policy(max_request=5)  # wrong
    Policy(batch="some")  # wrong
    Policy(max_bytes="5")  # wrong
    Policy().max_bytes = 5  # wrong
    Account(blocked="no")  # wrong
    Mailer()  # wrong
    Mailer("a@example.com", None)  # wrong
    Subscriber("7", "a@example.com", False, False)  # wrong
    Subscriber(7, "a@example.com", False)  # wrong
    Facts(senders=[None])  # wrong
    Facts(domains=[{"sender"}])  # wrong
    Facts(domains=[DomainRole.OWNER])  # wrong
    Facts(subscribers=[Subscriber(1, "a@example.com", False, None), 5])  # wrong
    call.answer_account({"blocked": False})  # wrong
    call.answer_facts([])  # wrong
    call.answer_commit("subscriber-exists")  # wrong
    call.answer_commit(franking.Conflict.OTHER)  # wrong
    call.answer_commit(1)  # wrong
    Commit.conflict("other")  # wrong
    Commit.done("1")  # wrong
    call.answer_commit(None)  # wrong
    franking.Blacklists({"example.com"})  # wrong
    call.step().messages  # wrong
    franking.route("POST", "/")[1]  # wrong
    franking.code_meaning("sendMailer", 200)  # wrong
    report.violations[0].field  # wrong
    report.violations.append  # wrong
    report.code + decision.code  # wrong
    decision.violation.code  # wrong
    decision.plan.create  # wrong
    franking.Address.parse("a@example.com").key  # wrong
    franking.Address.parse("a@example.com").match_key = ""  # wrong
    franking.Address.parse(b"a@example.com")  # wrong
    franking.Response.read(5)  # wrong
    franking.compose("sendMailer", {})[0].calls  # wrong
    franking.compose("sendMailer", [])  # wrong
    franking.Rule.RECIPIENT_MISING  # wrong
    franking.Conflict("other") + 1  # wrong
    franking.DomainSet("example.com").add("example.org")  # wrong
    franking.Outcome(["delivered"])  # wrong
    franking.Outcome([418]) | 417  # wrong
    franking.preflight_many("sendMailer", [b"{}"], threads="all")  # wrong
    franking.preflight_many("sendMailer", [5])  # wrong


def not_all_steps(call: franking.Call) -> str:
    step = call.step()
    match step:
        case franking.AccountQuestion(key):
            return key
        case franking.Questions():
            return ""
        case franking.Decision():
            return ""
        case _:
            assert_never(step)  # wrong
