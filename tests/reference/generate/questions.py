"""What a call asks its host, in columns. `recorded` computes the questions. They are also written here by hand, as a check."""

from .kit import KEY, MAILER, REQUEST, Suite, batch
from .replays import recorded, replay

COLUMNS = ("mailers", "senders", "subscriber_ids", "subscribers", "lists", "domains")
SENDER, REPLY_TO, RECIPIENT, CONTENT = "sender", "reply_to", "recipient", "content"
HTTP, SINGLE = "httpSendMail", "sendMailer"
# What a request of REQUEST's sender and recipient asks about.
USUAL = {"senders": ["news@shop.example"], "subscribers": ["new@customer.example"]}
SHOP, CUSTOMER = ("shop.example", SENDER), ("customer.example", RECIPIENT)


def html(text, **fields):
    return batch({**REQUEST, "body": text, **fields})


# The operation, the body, the policy, and the columns that are not empty.
CASES = {
    "one domain in all roles": (
        HTTP,
        html("<a href='//shop.example/'>", to="reader@shop.example", replyTo="answers@shop.example"),
        {},
        {
            "senders": ["news@shop.example"],
            "subscribers": ["reader@shop.example"],
            "domains": [("shop.example", SENDER, REPLY_TO, RECIPIENT, CONTENT)],
        },
    ),
    "a parent has the roles of its domains, and its own": (
        HTTP,
        html(
            "<a href='//www.mail.shop.example/'>",
            to="reader@lists.shop.example",
            replyTo="answers@mail.shop.example",
        ),
        {},
        {
            "senders": ["news@shop.example"],
            "subscribers": ["reader@lists.shop.example"],
            "domains": [
                ("shop.example", SENDER, REPLY_TO, RECIPIENT, CONTENT),
                ("mail.shop.example", REPLY_TO, CONTENT),
                ("lists.shop.example", RECIPIENT),
                ("www.mail.shop.example", CONTENT),
            ],
        },
    ),
    "roles are in their own order, whatever is used first": (
        HTTP,
        batch(
            {**REQUEST, "to": "reader@two.example"},
            {**REQUEST, "from": "news@two.example", "body": "http://shop.example"},
        ),
        {},
        {
            "senders": ["news@shop.example", "news@two.example"],
            "subscribers": ["reader@two.example", "new@customer.example"],
            "domains": [("shop.example", SENDER, CONTENT), ("two.example", SENDER, RECIPIENT), CUSTOMER],
        },
    ),
    "request by request: sender, reply address, to, cc, bcc, HTML": (
        HTTP,
        batch(
            {
                "bcc": "d@d.example",
                "body": "http://e.example",
                "cc": "c@c.example",
                "to": "b@b.example",
                "replyTo": "r@r.example",
                "from": "a@a.example",
                "subject": "Hello",
            },
            {**REQUEST, "from": "f@f.example", "to": "g@g.example,c@c.example"},
        ),
        {},
        {
            "senders": ["a@a.example", "f@f.example"],
            "subscribers": ["b@b.example", "c@c.example", "d@d.example", "g@g.example"],
            "domains": [
                ("a.example", SENDER),
                ("r.example", REPLY_TO),
                ("b.example", RECIPIENT),
                ("c.example", RECIPIENT),
                ("d.example", RECIPIENT),
                ("e.example", CONTENT),
                ("f.example", SENDER),
                ("g.example", RECIPIENT),
            ],
        },
    ),
    "addresses with one match key are asked about once": (
        HTTP,
        batch(
            {**REQUEST, "to": "New@customer.example, NEW@CUSTOMER.example", "from": "News@Shop.example"},
            {**REQUEST, "bcc": "new@customer.EXAMPLE"},
        ),
        {},
        {**USUAL, "domains": [SHOP, CUSTOMER]},
    ),
    "a domain beyond ASCII is asked about in its ASCII form": (
        HTTP,
        html("<a href='//xn--bcher-kva.example/'>", to="a@BÜCHER.example,b@xn--bcher-kva.example"),
        {},
        {
            "senders": ["news@shop.example"],
            "subscribers": ["a@xn--bcher-kva.example", "b@xn--bcher-kva.example"],
            "domains": [SHOP, ("xn--bcher-kva.example", RECIPIENT, CONTENT)],
        },
    ),
    "numeric hosts and single labels have no parents": (
        HTTP,
        html("<a href='http://0x7f.1/'><a href='http://localhost./'><a href='http://[::1]/'>"),
        {},
        {**USUAL, "domains": [SHOP, CUSTOMER, ("127.0.0.1", CONTENT), ("localhost", CONTENT), ("[::1]", CONTENT)]},
    ),
    "an IPv4 address inside IPv6 is asked about as both": (
        HTTP,
        html("<a href='http://[::ffff:192.0.2.1]/'>"),
        {},
        {**USUAL, "domains": [SHOP, CUSTOMER, ("[::ffff:c000:201]", CONTENT), ("192.0.2.1", CONTENT)]},
    ),
    "a host and the same host with dots at its end are one": (
        HTTP,
        html("<a href='//www.link.example'><a href='//www.link.example.'>"),
        {},
        {**USUAL, "domains": [SHOP, CUSTOMER, ("www.link.example", CONTENT), ("link.example", CONTENT)]},
    ),
    "the name for any host, if the policy asks about it": (
        HTTP,
        html("<a href='//link.example'>\x1b"),
        {"hidden_hosts": "ask"},
        {**USUAL, "domains": [SHOP, CUSTOMER, ("link.example", CONTENT), ("computed.invalid", CONTENT)]},
    ),
    "a bare domain, if the policy takes it for a link": (
        HTTP,
        html("Visit link.example"),
        {"bare_domains": True},
        {**USUAL, "domains": [SHOP, CUSTOMER, ("link.example", CONTENT)]},
    ),
    "a bare domain otherwise": (HTTP, html("Visit link.example"), {}, {**USUAL, "domains": [SHOP, CUSTOMER]}),
    "without from": (
        SINGLE,
        MAILER,
        {},
        {"mailers": [42], "subscribers": ["new@customer.example"], "domains": [CUSTOMER]},
    ),
    "sender and recipient of one domain": (
        SINGLE,
        {**MAILER, "from": "News@shop.example", "email": " Reader@Shop.example "},
        {},
        {
            "mailers": [42],
            "senders": ["news@shop.example"],
            "subscribers": ["reader@shop.example"],
            "domains": [("shop.example", SENDER, RECIPIENT)],
        },
    ),
    "a subscriber's id: neither the address nor the list": (
        SINGLE,
        {**MAILER, "mailerID": "0042", "subID": "007", "listName": "Customers"},
        {},
        {"mailers": [42], "subscriber_ids": [7]},
    ),
    "a list": (
        SINGLE,
        {**MAILER, "listName": " Customers"},
        {},
        {
            "mailers": [42],
            "subscribers": ["new@customer.example"],
            "lists": [" Customers"],
            "domains": [CUSTOMER],
        },
    ),
    "the default list": (
        SINGLE,
        {**MAILER, "listName": "RealTime_Via_API"},
        {},
        {"mailers": [42], "subscribers": ["new@customer.example"], "domains": [CUSTOMER]},
    ),
    "the list of the other operation": (
        SINGLE,
        {**MAILER, "listName": "API_EMAILS"},
        {},
        {"mailers": [42], "subscribers": ["new@customer.example"], "lists": ["API_EMAILS"], "domains": [CUSTOMER]},
    ),
}


def suites():
    suite = Suite(
        "questions",
        "The questions of a call: each member once and in the order of first use, domains before their parents, with "
        "all their roles, and nothing about what the call does not need.",
    )
    for name, (operation, body, policy, columns) in CASES.items():
        told = recorded(operation, body, {}, policy)
        assert told["steps"][0]["ask"] == {"account": KEY}, name
        wanted = {column: columns.get(column, []) for column in COLUMNS}
        wanted["domains"] = [{"domain": domain, "roles": list(roles)} for domain, *roles in wanted["domains"]]
        assert told["steps"][1]["ask"] == {"facts": wanted}, (name, told["steps"][1]["ask"])
        replay(suite, f"{operation}: {name}", told)
    for operation, body in ((SINGLE, MAILER), (HTTP, batch(REQUEST))):
        told = recorded(operation, body, {"commits": [{"conflict": "other"}]})
        first, again = told["steps"][:2], told["steps"][3:5]
        assert [step["ask"] for step in first] == [step["ask"] for step in again], operation
        replay(suite, f"{operation}: after a conflict the same questions", told)
    return [suite]
