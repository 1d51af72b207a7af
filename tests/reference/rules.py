"""The rule table, the codes' meanings, and the order in which violations win."""

SEND_MAILER = "sendMailer"
HTTP_SEND_MAIL = "httpSendMail"
OPERATIONS = (SEND_MAILER, HTTP_SEND_MAIL)

# identifier, phase, code on sendMailer, code on httpSendMail
TABLE = [
    ("method-not-post", 1, 401, 401),
    ("operation-retired", 1, None, 401),
    ("body-too-large", 1, None, 454),
    ("body-not-json", 1, 442, 475),
    ("field-repeated", 1, 442, 475),
    ("key-missing", 2, 402, 402),
    ("key-unknown", 2, 403, 403),
    ("account-blocked", 3, 404, 404),
    ("account-expired", 3, 405, 405),
    ("account-deactivated", 3, 448, 448),
    ("too-many-requests", 4, None, 453),
    ("requests-missing", 4, None, 475),
    ("request-not-object", 4, None, 475),
    ("field-wrong-type", 4, 442, 475),
    ("subject-missing", 4, None, 406),
    ("reply-to-malformed", 4, None, 407),
    ("html-missing", 4, None, 408),
    ("html-not-utf8", 4, None, 408),
    ("sender-missing", 4, 478, 409),
    ("sender-malformed", 4, 442, 410),
    ("recipient-missing", 4, 602, 411),
    ("recipient-malformed", 4, 412, 412),
    ("subscriber-id-malformed", 4, 454, None),
    ("mailer-missing", 4, 442, None),
    ("subject-control", 4, None, 476),
    ("subject-placeholder", 4, None, 476),
    ("from-name-control", 4, 442, 477),
    ("date-malformed", 4, 442, None),
    ("html-host-hidden", 4, None, 413),
    ("html-domain-blacklisted", 5, None, 413),
    ("sender-domain-blacklisted", 5, 414, 414),
    ("reply-to-domain-blacklisted", 5, None, 415),
    ("recipient-domain-blacklisted", 5, 416, 416),
    ("sender-unknown", 5, 442, 420),
    ("subscriber-inactive", 5, 443, 443),
    ("subscriber-unknown", 5, 454, None),
    ("mailer-unknown", 5, 442, None),
    ("list-unknown", 5, 442, None),
    ("subscriber-credit-low", 6, 444, 444),
    ("email-credit-low", 6, 445, 445),
    ("subscriber-exists", 7, 442, 442),
]

ROWS = {row[0]: index for index, row in enumerate(TABLE)}

# Rules whose place is one address of an address list.
ADDRESS_RULES = {"recipient-malformed", "recipient-domain-blacklisted", "subscriber-inactive"}

MEANINGS_COMMON = {
    200: "Success",
    401: "Invalid method",
    402: "Unauthorized, empty key",
    403: "Unauthorized, invalid key",
    404: "Account sending blocked",
    405: "Account expired",
    412: "Invalid recipient email address",
    414: "Sender domain blacklisted",
    416: "Recipient email domain blacklisted",
    443: "Subscriber INACTIVE",
    444: "Low subscriber credit",
    445: "Low email credit",
    448: "Account deactivated",
}
MEANINGS = {
    SEND_MAILER: {
        **MEANINGS_COMMON,
        442: "Error",
        454: "Subscriber does not exist",
        478: "from or fromName not provided (from missing when fromName is passed)",
        602: "No subscriber provided (neither subID nor email)",
    },
    HTTP_SEND_MAIL: {
        **MEANINGS_COMMON,
        406: "Email subject not provided",
        407: "Invalid email address for reply-to",
        408: "HTML content not provided",
        409: "Sender email not provided",
        410: "Invalid email address for sender",
        411: "No recipient email address provided",
        413: "Blacklisted domain in the HTML",
        415: "Reply-to domain blacklisted",
        420: "Sender email does not exist in the account",
        442: "Subscriber already exists",
        453: "Too many requests per API call",
        454: "API call exceeds the allowed size",
        475: "JSON is not valid",
        476: "Subject not valid",
        477: "From name not valid",
    },
}


def code_of(rule, operation):
    row = TABLE[ROWS[rule]]
    return row[2] if operation == SEND_MAILER else row[3]


def phase_of(rule):
    return TABLE[ROWS[rule]][1]


class Violation:
    """A rule broken by a call, at one place.

    `request` is the index in `requests` or None for the call; `field` is the position of the field
    in the interface; `position` is where in the body, for what several entries of one field break.
    """

    def __init__(self, rule, pointer=None, span=None, request=None, field=0, position=0, phase=None):
        self.rule = rule
        self.pointer = pointer
        self.span = span
        self.request = request
        self.field = field
        self.position = position
        # The match key of the address that is refused, when it is valid.
        self.address_key = None
        # A conflict at commit is of phase 7, whatever row it borrows.
        self.phase = phase_of(rule) if phase is None else phase

    def order(self, operation):
        code = code_of(self.rule, operation)
        named_by_no_code = operation == SEND_MAILER and code == 442
        return (
            self.phase,
            -1 if self.request is None else self.request,
            1 if named_by_no_code else 0,
            code,
            ROWS[self.rule],
            self.field,
            self.position,
        )

    def is_of_address(self):
        return self.rule in ADDRESS_RULES

    def row(self, operation):
        return {
            "rule": self.rule,
            "code": code_of(self.rule, operation),
            "pointer": self.pointer,
            "span": self.span,
        }


def in_order(violations, operation):
    return sorted(violations, key=lambda violation: violation.order(operation))
