"""A host that answers from a case's `world`."""

from . import address, domain, urls
from .machine import conflict_of


class CaseError(Exception):
    """The line is not a valid case."""


ACCOUNT = {
    "blocked": False,
    "expired": False,
    "deactivated": False,
    "subscriber_credit": None,
    "email_credit": None,
}


ROLES = {"sender", "reply_to", "recipient", "content"}


def need(condition, what):
    if not condition:
        raise CaseError(f"world: {what}")


def is_flag(value):
    return value is None or isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value):
    return isinstance(value, str)


def part(form, name, kind):
    """A member, empty when it is left out or null."""
    value = form.get(name)
    need(value is None or isinstance(value, kind), f"{name} has a wrong type")
    return kind() if value is None else value


def check(form, operation):
    """Raises if it is not a world, or has something else in place of a change."""
    need(isinstance(form, dict), "no object")
    for row in part(form, "accounts", dict).values():
        need(isinstance(row, dict), "an account is not an object")
        need(all(is_flag(row.get(name)) for name in list(ACCOUNT)[:3]), "a flag of an account")
        credits = [row.get(name) for name in list(ACCOUNT)[3:]]
        need(all(value is None or is_whole(value) and -(2**63) <= value < 2**63 for value in credits), "a credit")
    for row in part(form, "mailers", dict).values():
        need(isinstance(row, dict) and is_text(row.get("from")), "a mailer without an address")
        need(row.get("from_name") is None or is_text(row["from_name"]), "a mailer's name")
    need(all(map(is_text, part(form, "senders", list) + part(form, "lists", list))), "senders and lists are texts")
    for row in part(form, "subscribers", list):
        need(isinstance(row, dict) and is_text(row.get("email")) and is_flag(row.get("inactive")), "a subscriber")
        need(is_whole(row.get("id")) and 1 <= row["id"] < 2**63, "the id of a subscriber")
    for role, names in part(form, "blacklists", dict).items():
        need(role in ROLES and (names is None or isinstance(names, list)), "a blacklist")
        need(all(is_text(name) and urls.blacklist_entry(name) is not None for name in names or []), "an entry")
    number = form.get("transaction_id")
    need(number is None or isinstance(number, int | float) and not isinstance(number, bool), "transaction_id")
    for entry in part(form, "commits", list):
        if entry is None:
            continue
        need(isinstance(entry, dict), "a commit")
        if entry.get("fails") is not None:
            need(entry["fails"] is True and entry.get("conflict") is None, "a commit that fails")
        else:
            need(conflict_of(entry.get("conflict"), operation), "no such conflict")
        if entry.get("change") is not None:
            check(entry["change"], operation)


class World:
    def __init__(self, operation, world):
        self.operation = operation
        self.world = {}
        if world is not None:
            check(world, operation)
            self.change(world)
        self.commits = 0
        self.asked = {"account": 0, "facts": 0, "commits": 0}

    def change(self, form):
        self.world.update({name: value for name, value in (form or {}).items() if value is not None})

    def answer(self, ask):
        ((kind, question),) = ask.items()
        if kind == "account":
            self.asked["account"] += 1
            account = self.world.get("accounts", {}).get(question)
            if account is None:
                return None
            return {name: default if account.get(name) is None else account[name] for name, default in ACCOUNT.items()}
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
            number = self.world.get("transaction_id", 1)
            return {"transaction_id": number if is_whole(number) else 0}
        self.change(entry.get("change"))
        if entry.get("fails"):
            return {"unknown": True}
        return {"conflict": conflict_of(entry["conflict"], self.operation)}

    def facts(self, ask):
        senders = {self.key_of(text) for text in self.world.get("senders", [])} - {None}
        lists = set(self.world.get("lists", []))
        blacklists = {
            role: {urls.blacklist_entry(name) for name in names or []}
            for role, names in self.world.get("blacklists", {}).items()
        }
        by_id, by_key = {}, {}
        for subscriber in self.world.get("subscribers", []):
            by_id.setdefault(subscriber["id"], subscriber)
            by_key.setdefault(self.key_of(subscriber["email"]), subscriber)
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

    def key_of(self, text):
        """The match key of an address; a text that is not an address has none."""
        parsed = address.parse(text)
        return parsed and parsed.key

    def is_blacklisted(self, text, role):
        entries = self.world.get("blacklists", {}).get(role) or []
        parsed = address.parse(text)
        entries = [urls.blacklist_entry(entry) for entry in entries]
        return parsed is not None and domain.is_blacklisted(parsed.domain, entries)

    def mailer(self, number):
        mailer = self.world.get("mailers", {}).get(str(number))
        if mailer is None:
            return None
        return {
            "from": mailer["from"],
            "from_name": mailer.get("from_name"),
            "blacklisted": self.is_blacklisted(mailer["from"], "sender"),
        }

    def subscriber(self, subscriber):
        if subscriber is None:
            return None
        return {
            "id": subscriber["id"],
            "email": subscriber["email"],
            "inactive": bool(subscriber.get("inactive")),
            "blacklisted": self.is_blacklisted(subscriber["email"], "recipient"),
        }
