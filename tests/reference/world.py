"""A host that answers from a case's `world`."""

from . import address, domain
from .machine import is_conflict


class CaseError(Exception):
    """The line is no valid case."""


ACCOUNT = {
    "blocked": False,
    "expired": False,
    "deactivated": False,
    "subscriber_credit": None,
    "email_credit": None,
}


class World:
    def __init__(self, operation, world):
        self.operation = operation
        self.world = dict(world)
        self.commits = 0
        self.asked = {"account": 0, "facts": 0, "commits": 0}

    def answer(self, ask):
        ((kind, question),) = ask.items()
        if kind == "account":
            self.asked["account"] += 1
            account = self.world.get("accounts", {}).get(question)
            return None if account is None else {**ACCOUNT, **account}
        if kind == "facts":
            self.asked["facts"] += 1
            return self.facts(question)
        self.asked["commits"] += 1
        return self.commit()

    def commit(self):
        commits = self.world.get("commits", [])
        entry = commits[self.commits] if self.commits < len(commits) else None
        self.commits += 1
        if entry is None:
            return {"transaction_id": self.world.get("transaction_id", 1)}
        if not is_conflict(entry["conflict"], self.operation):
            raise CaseError(f"no such conflict: {entry['conflict']}")
        self.world.update(entry.get("change", {}))
        return {"conflict": entry["conflict"]}

    def facts(self, ask):
        senders = {address.parse(text).key for text in self.world.get("senders", [])}
        lists = set(self.world.get("lists", []))
        blacklists = {role: set(names) for role, names in self.world.get("blacklists", {}).items()}
        by_id, by_key = {}, {}
        for subscriber in self.world.get("subscribers", []):
            by_id.setdefault(subscriber["id"], subscriber)
            by_key.setdefault(address.parse(subscriber["email"]).key, subscriber)
        return {
            "mailers": [self.mailer(number) for number in ask["mailers"]],
            "senders": [key in senders for key in ask["senders"]],
            "subscriber_ids": [self.subscriber(by_id.get(number)) for number in ask["subscriber_ids"]],
            "subscribers": [self.subscriber(by_key.get(key)) for key in ask["subscribers"]],
            "lists": [name in lists for name in ask["lists"]],
            "domains": [
                [role for role in entry["roles"] if entry["domain"] in blacklists.get(role, ())]
                for entry in ask["domains"]
            ],
        }

    def is_blacklisted(self, text, role):
        entries = self.world.get("blacklists", {}).get(role, [])
        return domain.is_blacklisted(address.parse(text).domain, entries)

    def mailer(self, number):
        mailer = self.world.get("mailers", {}).get(str(number))
        if mailer is None:
            return None
        return {**mailer, "blacklisted": self.is_blacklisted(mailer["from"], "sender")}

    def subscriber(self, subscriber):
        if subscriber is None:
            return None
        return {
            "id": subscriber["id"],
            "email": subscriber["email"],
            "inactive": subscriber["inactive"],
            "blacklisted": self.is_blacklisted(subscriber["email"], "recipient"),
        }
