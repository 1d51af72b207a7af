"""The plan that the host is to carry out for an accepted call."""

from .content import valid_address
from .facts import list_name, matched_subscriber
from .fields import PERSONALIZATION

API_LIST = "API_EMAILS"


def personalization(fields, policy):
    """The values that were sent, by field; `""` for a value that is to be cleared."""
    sent = {}
    for name in PERSONALIZATION:
        field = fields[name]
        if field.given:
            sent[name] = field.value
        elif (
            policy["empty_clears"] and field.there and field.node.kind == "string" and field.node.value == ""
        ):
            sent[name] = ""
    return sent


def flag(field):
    return bool(field.given and field.value)


def message(fields, **others):
    return {
        "from_name": fields["fromName"].text(),
        "track_opens": flag(fields["trackOpens"]),
        "track_clicks": flag(fields["trackClicks"]),
        "custom_field": fields["customField"].text(),
        **others,
    }


def of_send_mailer(fields, facts, policy):
    mailer = facts.mailers[fields["mailerID"].value]
    matched = matched_subscriber(fields, facts)
    sent = personalization(fields, policy)
    create, update = [], []
    if matched is None:
        email = valid_address(fields["email"])
        to, subscriber = email.text, None
        kept = {name: value for name, value in sent.items() if value != ""}
        create.append({"email": to, "match_key": email.key, "list": list_name(fields), "fields": kept})
    else:
        to, subscriber = matched["email"], matched["id"]
        if sent:
            update.append({"id": subscriber, "fields": sent})
    sender = valid_address(fields["from"])
    mail = message(
        fields,
        request=None,
        mailer=fields["mailerID"].value,
        subject=None,
        html=None,
        encoding=None,
        reply_to=None,
        recipients=[{"to": to, "role": None, "subscriber": subscriber}],
    )
    mail["from"] = sender.text if sender else mailer["from"]
    if mail["from_name"] is None:
        mail["from_name"] = mailer["from_name"]
    return {
        "create": create,
        "update": update,
        "enlist": [],
        "messages": [mail],
        "collapsed": [],
        "debit": {"email": 1, "subscriber": len(create)},
    }


def distinct(entries):
    """(first entries, later duplicates) of a request's valid addresses, by match key."""
    seen, first, later = set(), [], []
    for entry in entries:
        (later if entry.address.key in seen else first).append(entry)
        seen.add(entry.address.key)
    return first, later


def of_http_send_mail(kept, facts):
    create, enlist, messages, collapsed = {}, {}, [], []
    for request, entries in kept:
        first, later = distinct(entries)
        recipients = []
        for entry in first:
            key = entry.address.key
            subscriber = facts.subscribers[key]
            if subscriber is None:
                row = {"email": entry.text, "match_key": key, "list": API_LIST, "fields": {}}
                create.setdefault(key, row)
            else:
                enlist.setdefault(subscriber["id"], {"id": subscriber["id"], "list": API_LIST})
            subscriber_id = None if subscriber is None else subscriber["id"]
            recipients.append({"to": entry.text, "role": entry.role, "subscriber": subscriber_id})
        for entry in later:
            collapsed.append(
                {
                    "request": request.index,
                    "pointer": entry.field.pointer,
                    "span": entry.span,
                    "to": entry.text,
                }
            )
        reply_to = valid_address(request.fields["replyTo"])
        sender = valid_address(request.fields["from"])
        mail = message(
            request.fields,
            request=request.index,
            mailer=None,
            subject=request.fields["subject"].value,
            html=request.html,
            encoding=request.encoding,
            reply_to=reply_to.text if reply_to else None,
            recipients=recipients,
        )
        mail["from"] = sender.text
        messages.append(mail)
    emails = sum(len(mail["recipients"]) for mail in messages)
    return {
        "create": list(create.values()),
        "update": [],
        "enlist": list(enlist.values()),
        "messages": messages,
        "collapsed": collapsed,
        "debit": {"email": emails, "subscriber": len(create)},
    }
