"""Phase 5: the one batch of questions to the host, and the rules that its answers break."""

from . import links
from .content import valid_address
from .domain import with_parents
from .rules import Violation

ROLES = ["sender", "reply_to", "recipient", "content"]
DEFAULT_LIST = "RealTime_Via_API"


class Question:
    """Sets of members, each once, in the order of first use."""

    def __init__(self):
        self.mailers = []
        self.senders = []
        self.subscriber_ids = []
        self.subscribers = []
        self.lists = []
        self.domains = {}

    @staticmethod
    def add(column, member):
        if member not in column:
            column.append(member)

    def add_domain(self, host, role):
        for domain in with_parents(host):
            roles = self.domains.setdefault(domain, [])
            self.add(roles, role)

    def ask(self):
        return {
            "mailers": self.mailers,
            "senders": self.senders,
            "subscriber_ids": self.subscriber_ids,
            "subscribers": self.subscribers,
            "lists": self.lists,
            "domains": [
                {"domain": domain, "roles": [role for role in ROLES if role in roles]}
                for domain, roles in self.domains.items()
            ],
        }


class Facts:
    """The host's answers, looked up by member."""

    def __init__(self, ask, answer):
        self.mailers = dict(zip(ask["mailers"], answer["mailers"], strict=True))
        self.senders = dict(zip(ask["senders"], answer["senders"], strict=True))
        self.subscriber_ids = dict(zip(ask["subscriber_ids"], answer["subscriber_ids"], strict=True))
        self.subscribers = dict(zip(ask["subscribers"], answer["subscribers"], strict=True))
        self.lists = dict(zip(ask["lists"], answer["lists"], strict=True))
        domains = [entry["domain"] for entry in ask["domains"]]
        self.domains = dict(zip(domains, answer["domains"], strict=True))

    def is_blacklisted(self, host, role):
        return any(role in self.domains[domain] for domain in with_parents(host))


# sendMailer


def list_name(fields):
    name = fields["listName"].text()
    return DEFAULT_LIST if name is None else name


def ask_send_mailer(fields):
    question = Question()
    question.mailers.append(fields["mailerID"].value)
    sender = valid_address(fields["from"])
    if sender:
        question.senders.append(sender.key)
        question.add_domain(sender.domain, "sender")
    if fields["subID"].given:
        question.subscriber_ids.append(fields["subID"].value)
        return question
    email = valid_address(fields["email"])
    question.subscribers.append(email.key)
    question.add_domain(email.domain, "recipient")
    if list_name(fields) != DEFAULT_LIST:
        question.lists.append(list_name(fields))
    return question


def matched_subscriber(fields, facts):
    if fields["subID"].given:
        return facts.subscriber_ids[fields["subID"].value]
    return facts.subscribers[valid_address(fields["email"]).key]


def check_send_mailer(fields, facts):
    broken = []
    mailer = facts.mailers[fields["mailerID"].value]
    sender = valid_address(fields["from"])
    by_id = fields["subID"].given
    matched = matched_subscriber(fields, facts)
    if sender is not None:
        if facts.is_blacklisted(sender.domain, "sender"):
            broken.append(fields["from"].broken("sender-domain-blacklisted"))
        if not facts.senders[sender.key]:
            broken.append(fields["from"].broken("sender-unknown"))
    elif mailer is not None and mailer["blacklisted"]:
        broken.append(fields["mailerID"].broken("sender-domain-blacklisted"))
    if mailer is None:
        broken.append(fields["mailerID"].broken("mailer-unknown"))
    place = fields["subID"] if by_id else fields["email"]
    if matched is not None:
        if matched["blacklisted"]:
            broken.append(place.broken("recipient-domain-blacklisted"))
        if matched["inactive"]:
            broken.append(place.broken("subscriber-inactive"))
    elif by_id:
        broken.append(place.broken("subscriber-unknown"))
    else:
        if facts.is_blacklisted(valid_address(fields["email"]).domain, "recipient"):
            broken.append(place.broken("recipient-domain-blacklisted"))
        if list_name(fields) != DEFAULT_LIST and not facts.lists[list_name(fields)]:
            broken.append(fields["listName"].broken("list-unknown"))
    return broken


# httpSendMail: `kept` is a list of (request, entries that remain)


def content_hosts(request):
    return links.hosts_in_order(request.html, request.bare_domains)


def ask_http_send_mail(kept):
    question = Question()
    senders, subscribers = {}, {}
    for request, entries in kept:
        sender = valid_address(request.fields["from"])
        senders[sender.key] = None
        question.add_domain(sender.domain, "sender")
        reply_to = valid_address(request.fields["replyTo"])
        if reply_to:
            question.add_domain(reply_to.domain, "reply_to")
        for entry in entries:
            subscribers[entry.address.key] = None
            question.add_domain(entry.address.domain, "recipient")
        for host in content_hosts(request):
            question.add_domain(host, "content")
    question.senders = list(senders)
    question.subscribers = list(subscribers)
    return question


def check_request(request, entries, facts):
    index = request.index
    fields = request.fields
    broken = []
    if any(facts.is_blacklisted(host, "content") for host in content_hosts(request)):
        broken.append(fields["body"].broken("html-domain-blacklisted", index))
    sender = valid_address(fields["from"])
    if facts.is_blacklisted(sender.domain, "sender"):
        broken.append(fields["from"].broken("sender-domain-blacklisted", index))
    reply_to = valid_address(fields["replyTo"])
    if reply_to and facts.is_blacklisted(reply_to.domain, "reply_to"):
        broken.append(fields["replyTo"].broken("reply-to-domain-blacklisted", index))
    if not facts.senders[sender.key]:
        broken.append(fields["from"].broken("sender-unknown", index))
    for entry in entries:
        subscriber = facts.subscribers[entry.address.key]
        if facts.is_blacklisted(entry.address.domain, "recipient"):
            broken.append(entry.broken("recipient-domain-blacklisted", index))
        if subscriber is not None and subscriber["inactive"]:
            broken.append(entry.broken("subscriber-inactive", index))
    return broken


def credit_violation(account, debit):
    """Phase 6: the first credit that does not suffice."""
    for kind in ("subscriber", "email"):
        credit = account[f"{kind}_credit"]
        if debit[kind] > 0 and credit is not None and debit[kind] > credit:
            return Violation(f"{kind}-credit-low")
    return None
