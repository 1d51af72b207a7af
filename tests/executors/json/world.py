"""A host that answers from a case's `world`."""

import json

from reference import world
from reference.world import CaseError


class World(world.World):
    """The tables of the reference, which have the JSON forms already. The library says what the key and the domain of an
    address are, and what a blacklist has. With `are_ids_texts`, questions and answers have ids as texts."""

    def __init__(self, library, operation, form, are_ids_texts):
        super().__init__(operation, form)
        self._library = library
        self._are_ids_texts = are_ids_texts

    def answer_to(self, ask):
        """The answer to what a call asks."""
        (kind,) = ask
        return {kind: self.answer(ask)}

    def facts(self, ask):
        ids = {
            column: [self._number(value) for value in ask[column]] for column in ("mailers", "subscriber_ids")
        }
        return super().facts({**ask, **ids})

    def subscriber(self, row):
        row = super().subscriber(row)
        return row and {**row, "id": self._id(row["id"])}

    def commit(self):
        answer = super().commit()
        return {name: self._id(said) if name == "transaction_id" else said for name, said in answer.items()}

    def key_of(self, text):
        return self._do("address", text=text)["key"]

    def is_blacklisted(self, text, role):
        domain = self._do("address", text=text)["domain"]
        entries = self.world.get("blacklists", {}).get(role)
        return (
            bool(domain and entries)
            and self._do("blacklisted", domain=domain, entries=entries)["blacklisted"]
        )

    def _do(self, kind, **members):
        return self._library.json(json.dumps({"do": kind, **members}).encode())

    def _id(self, number):
        return str(number) if self._are_ids_texts else number

    def _number(self, value):
        return number_of(value, self._are_ids_texts)


def number_of(value, are_ids_texts):
    """The number of an id that the library has written."""
    if isinstance(value, str) is not are_ids_texts:
        raise CaseError("the library has written an id in the other form")
    return int(value)
