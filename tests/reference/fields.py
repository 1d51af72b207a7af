"""The fields of both operations, in the order of the interface, with their types and spellings."""

from .rules import HTTP_SEND_MAIL, SEND_MAILER

PERSONALIZATION_TEXT = [
    "prefix",
    "firstName",
    "middleName",
    "lastName",
    "phone",
    "address",
    "city",
    "state",
    "pinCode",
    "country",
    "residencePhone",
    "designation",
    "company",
    "companyAddress",
    "companyCity",
    "companyState",
    "companyCountry",
    "companyPin",
    "companyPhone",
    "companyFax",
    "referenceNo",
    "extra1",
    "extra2",
    "extra3",
    "extra4",
    "extra5",
    "extra6",
]
DATES = ["birthday", "anniversary"]
PERSONALIZATION = ["mobile", *PERSONALIZATION_TEXT, *DATES]

SEND_MAILER_FIELDS = [
    ("apiKey", "text"),
    ("mailerID", "integer"),
    ("from", "text"),
    ("fromName", "text"),
    ("subID", "integer"),
    ("email", "text"),
    ("mobile", "text"),
    ("listName", "text"),
    *((name, "text") for name in PERSONALIZATION_TEXT),
    *((name, "text") for name in DATES),
    ("trackOpens", "flag"),
    ("trackClicks", "flag"),
    ("customField", "text"),
]
CALL_FIELDS = [("ApiKey", "text"), ("requests", "array")]
REQUEST_FIELDS = [
    ("subject", "text"),
    ("body", "text"),
    ("to", "text"),
    ("cc", "text"),
    ("bcc", "text"),
    ("from", "text"),
    ("fromName", "text"),
    ("replyTo", "text"),
    ("customField", "text"),
    ("trackOpens", "flag"),
    ("trackClicks", "flag"),
]

TOP_FIELDS = {SEND_MAILER: SEND_MAILER_FIELDS, HTTP_SEND_MAIL: CALL_FIELDS}
KEY_FIELD = {SEND_MAILER: "apiKey", HTTP_SEND_MAIL: "ApiKey"}
OTHER_SPELLINGS = {
    "apiKey": ["ApiKey"],
    "ApiKey": ["apiKey"],
    "subID": ["subid"],
    "replyTo": ["replyto"],
}


def spellings(field):
    return [field, *OTHER_SPELLINGS.get(field, [])]


def field_of(name, fields):
    """The field that a member's name spells, or None."""
    for field, _ in fields:
        if name in spellings(field):
            return field
    return None
