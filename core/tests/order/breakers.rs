//! For every rule the smallest changes of an accepted call that break it, and nothing else.
//!
//! A change sets *slots*: members of the body (or of a request), and what is written with a dot: `account.`,
//! `policy.`, `method`, `commit`, `text.cut`, `text.repeated`. Two changes go together when they set no slot to two
//! values, and when each leaves the other's conditions alone.

use serde_json::Value;

/// A rule and the ways to break it, in JSON; a null member is taken away.
pub(crate) struct Breaker {
    pub(crate) name: &'static str,
    /// Each alone breaks the rule and no other.
    ways: &'static [&'static str],
    /// For these slots, the values with which the rule is still broken; null: not there.
    needs: &'static [(&'static str, &'static str)],
    /// Ways that break this rule and that other one at the same place.
    both: &'static [(&'static str, &'static str)],
}

/// A set of changes.
#[derive(Clone, Default, Debug)]
pub(crate) struct Slots {
    set: Vec<(String, Value)>,
    needs: Vec<(&'static str, Vec<Value>)>,
}

impl Slots {
    fn new(way: &str, needs: &[(&'static str, &str)]) -> Self {
        let Ok(Value::Object(set)) = serde_json::from_str(way) else {
            panic!("no object: {way}");
        };
        let needs = needs
            .iter()
            .map(|(slot, values)| (*slot, serde_json::from_str(values).unwrap()));
        Self {
            set: set.into_iter().collect(),
            needs: needs.collect(),
        }
    }

    pub(crate) fn get(&self, slot: &str) -> Option<&Value> {
        self.set
            .iter()
            .find(|(own, _)| own == slot)
            .map(|(_, value)| value)
    }

    pub(crate) fn has(&self, slot: &str) -> bool {
        self.get(slot).is_some()
    }

    /// The changes of the body.
    pub(crate) fn body(&self) -> Vec<(String, Value)> {
        let is_of_body = |slot: &str| !slot.contains('.') && !matches!(slot, "method" | "commit");
        let own = self.set.iter().filter(|(slot, _)| is_of_body(slot));
        own.cloned().collect()
    }

    /// What takes the place of the whole request.
    pub(crate) fn whole(&self) -> Option<Value> {
        self.get("request.whole").cloned()
    }

    /// The slots with this prefix, without it.
    pub(crate) fn under(&self, prefix: &str) -> Vec<(String, Value)> {
        let own = self.set.iter();
        own.filter_map(|(slot, value)| {
            Some((slot.strip_prefix(prefix)?.to_string(), value.clone()))
        })
        .collect()
    }

    /// Both sets of changes; none when they do not go together.
    pub(crate) fn merged(&self, other: &Self) -> Option<Self> {
        let is_met = |left: &Self, right: &Self| {
            left.needs
                .iter()
                .all(|(slot, values)| right.get(slot).is_none_or(|value| values.contains(value)))
        };
        let agree = self
            .set
            .iter()
            .all(|(slot, value)| other.get(slot).is_none_or(|own| own == value));
        if !agree || !is_met(self, other) || !is_met(other, self) {
            return None;
        }
        let mut merged = self.clone();
        merged.set.extend(other.set.iter().cloned());
        merged.needs.extend(other.needs.iter().cloned());
        Some(merged)
    }
}

impl Breaker {
    pub(crate) fn variants(&self) -> impl Iterator<Item = Slots> {
        self.ways.iter().map(|way| Slots::new(way, self.needs))
    }
}

/// The changes of two rules, one beside the other; those that break both at one place stand for either.
pub(crate) fn combine<'b>(
    left: &'b Breaker,
    right: &'b Breaker,
) -> impl Iterator<Item = (Slots, Slots)> + 'b {
    let apart = left
        .variants()
        .flat_map(|a| right.variants().map(move |b| (a.clone(), b)))
        .filter(|(a, b)| a.merged(b).is_some());
    let together = |one: &'b Breaker, other: &'b Breaker| {
        one.both
            .iter()
            .filter(move |(name, _)| *name == other.name)
            .map(|(_, way)| Slots::new(way, &[]))
    };
    let mut both = together(left, right)
        .chain(together(right, left))
        .peekable();
    let is_both = both.peek().is_some();
    apart
        .filter(move |_| !is_both)
        .chain(both.map(|slots| (slots.clone(), slots)))
}

const fn simple(name: &'static str, ways: &'static [&'static str]) -> Breaker {
    Breaker {
        name,
        ways,
        needs: &[],
        both: &[],
    }
}

const fn needing(
    name: &'static str,
    ways: &'static [&'static str],
    needs: &'static [(&'static str, &'static str)],
) -> Breaker {
    Breaker {
        name,
        ways,
        needs,
        both: &[],
    }
}

/// The account is looked up only with its own key.
const KNOWN_KEY: (&str, &str) = ("apiKey", "[]");
const KNOWN_API_KEY: (&str, &str) = ("ApiKey", "[]");
/// A subscriber is created only for an address that nobody has.
const NEW: (&str, &str) = ("email", r#"["new@bad.example"]"#);
const NO_ID: (&str, &str) = ("subID", "[]");
const SOME_REQUESTS: (&str, &str) = ("requests", "[]");

pub(crate) const SEND_MAILER: &[Breaker] = &[
    simple(
        "method-not-post",
        &[r#"{"method":"GET"}"#, r#"{"method":"post"}"#],
    ),
    simple("body-not-json", &[r#"{"text.cut":1}"#]),
    simple("field-repeated", &[r#"{"text.repeated":1}"#]),
    simple(
        "key-missing",
        &[r#"{"apiKey":null}"#, r#"{"apiKey":""}"#, r#"{"apiKey":[]}"#],
    ),
    simple("key-unknown", &[r#"{"apiKey":"other"}"#]),
    needing(
        "account-blocked",
        &[r#"{"account.blocked":true}"#],
        &[KNOWN_KEY],
    ),
    needing(
        "account-expired",
        &[r#"{"account.expired":true}"#],
        &[KNOWN_KEY],
    ),
    needing(
        "account-deactivated",
        &[r#"{"account.deactivated":true}"#],
        &[KNOWN_KEY],
    ),
    simple(
        "field-wrong-type",
        &[
            r#"{"customField":[]}"#,
            r#"{"city":{}}"#,
            r#"{"trackOpens":2}"#,
        ],
    ),
    Breaker {
        name: "sender-missing",
        ways: &[r#"{"from":null,"fromName":"A Name"}"#],
        needs: &[],
        both: &[(
            "from-name-control",
            r#"{"from":null,"fromName":"A\u0001Name"}"#,
        )],
    },
    Breaker {
        name: "sender-malformed",
        ways: &[r#"{"from":"nobody"}"#],
        needs: &[],
        both: &[(
            "from-name-control",
            r#"{"from":"nobody","fromName":"A\nName"}"#,
        )],
    },
    needing(
        "recipient-missing",
        &[r#"{"email":null}"#, r#"{"email":" "}"#],
        &[NO_ID],
    ),
    needing("recipient-malformed", &[r#"{"email":"nobody"}"#], &[NO_ID]),
    needing(
        "subscriber-id-malformed",
        &[r#"{"subID":0}"#, r#"{"subID":"-1"}"#, r#"{"subID":[]}"#],
        &[],
    ),
    simple("mailer-missing", &[r#"{"mailerID":null}"#]),
    simple(
        "from-name-control",
        &[r#"{"from":"news@shop.example","fromName":"A\nName"}"#],
    ),
    simple("date-malformed", &[r#"{"birthday":"1990-02-30"}"#]),
    Breaker {
        name: "sender-domain-blacklisted",
        ways: &[
            r#"{"from":"news@bad.example"}"#,
            r#"{"mailerID":43,"from":null}"#,
        ],
        needs: &[],
        both: &[
            ("sender-unknown", r#"{"from":"other@bad.example"}"#),
            (
                "from-name-control",
                r#"{"from":"news@bad.example","fromName":"A\nName"}"#,
            ),
        ],
    },
    Breaker {
        name: "recipient-domain-blacklisted",
        ways: &[r#"{"email":"new@bad.example"}"#, r#"{"subID":6}"#],
        needs: &[NO_ID],
        both: &[
            ("subscriber-inactive", r#"{"email":"quiet@bad.example"}"#),
            ("subscriber-inactive", r#"{"subID":8}"#),
        ],
    },
    Breaker {
        name: "sender-unknown",
        ways: &[r#"{"from":"other@shop.example"}"#],
        needs: &[],
        both: &[(
            "from-name-control",
            r#"{"from":"other@shop.example","fromName":"A\nName"}"#,
        )],
    },
    needing(
        "subscriber-inactive",
        &[r#"{"email":"quiet@customer.example"}"#, r#"{"subID":7}"#],
        &[NO_ID],
    ),
    simple("subscriber-unknown", &[r#"{"subID":99}"#]),
    simple("mailer-unknown", &[r#"{"mailerID":99}"#]),
    needing(
        "list-unknown",
        &[r#"{"listName":"Nowhere"}"#],
        &[("email", r#"["new@bad.example","nobody",null," "]"#), NO_ID],
    ),
    needing(
        "subscriber-credit-low",
        &[r#"{"account.subscriber_credit":0}"#],
        &[KNOWN_KEY, NEW, NO_ID],
    ),
    needing(
        "email-credit-low",
        &[
            r#"{"account.email_credit":0}"#,
            r#"{"account.email_credit":-5}"#,
        ],
        &[KNOWN_KEY],
    ),
    needing(
        "subscriber-exists",
        &[r#"{"commit":"subscriber_exists"}"#],
        &[NEW, NO_ID],
    ),
    simple(
        "subscriber-inactive@7",
        &[r#"{"commit":"subscriber_inactive"}"#],
    ),
    needing(
        "subscriber-credit-low@7",
        &[r#"{"commit":"subscriber_credit"}"#],
        &[NEW, NO_ID],
    ),
    simple("email-credit-low@7", &[r#"{"commit":"email_credit"}"#]),
    simple("subscriber-unknown@7", &[r#"{"commit":"subscriber_gone"}"#]),
];

/// What is wrong with an httpSendMail call as a whole.
pub(crate) const HTTP_CALL: &[Breaker] = &[
    simple("method-not-post", &[r#"{"method":"PUT"}"#]),
    simple("operation-retired", &[r#"{"policy.today":"2024-05-01"}"#]),
    simple("body-too-large", &[r#"{"policy.max_bytes":10}"#]),
    simple("body-not-json", &[r#"{"text.cut":1}"#]),
    simple("field-repeated", &[r#"{"text.repeated":1}"#]),
    simple(
        "key-missing",
        &[
            r#"{"ApiKey":null}"#,
            r#"{"ApiKey":"\u3000"}"#,
            r#"{"ApiKey":false}"#,
        ],
    ),
    simple("key-unknown", &[r#"{"ApiKey":"other"}"#]),
    needing(
        "account-blocked",
        &[r#"{"account.blocked":true}"#],
        &[KNOWN_API_KEY],
    ),
    needing(
        "account-expired",
        &[r#"{"account.expired":true}"#],
        &[KNOWN_API_KEY],
    ),
    needing(
        "account-deactivated",
        &[r#"{"account.deactivated":true}"#],
        &[KNOWN_API_KEY],
    ),
    needing(
        "too-many-requests",
        &[r#"{"policy.max_requests":2}"#],
        &[SOME_REQUESTS],
    ),
    simple(
        "requests-missing",
        &[
            r#"{"requests":null}"#,
            r#"{"requests":[]}"#,
            r#"{"requests":{}}"#,
            r#"{"requests":""}"#,
        ],
    ),
    needing(
        "subscriber-credit-low",
        &[r#"{"account.subscriber_credit":0}"#],
        &[KNOWN_API_KEY, SOME_REQUESTS],
    ),
    needing(
        "email-credit-low",
        &[r#"{"account.email_credit":0}"#],
        &[KNOWN_API_KEY, SOME_REQUESTS],
    ),
    needing(
        "subscriber-exists",
        &[r#"{"commit":"subscriber_exists"}"#],
        &[SOME_REQUESTS],
    ),
    needing(
        "subscriber-inactive@7",
        &[r#"{"commit":"subscriber_inactive"}"#],
        &[SOME_REQUESTS],
    ),
    needing(
        "subscriber-credit-low@7",
        &[r#"{"commit":"subscriber_credit"}"#],
        &[SOME_REQUESTS],
    ),
    needing(
        "email-credit-low@7",
        &[r#"{"commit":"email_credit"}"#],
        &[SOME_REQUESTS],
    ),
];

/// There has to be a request that is an object.
const OBJECT: (&str, &str) = ("request.whole", "[]");

const fn of_request(name: &'static str, ways: &'static [&'static str]) -> Breaker {
    Breaker {
        name,
        ways,
        needs: &[OBJECT, SOME_REQUESTS],
        both: &[],
    }
}

/// What is wrong with one request of httpSendMail.
pub(crate) const HTTP_REQUEST: &[Breaker] = &[
    needing(
        "request-not-object",
        &[
            r#"{"request.whole":"no object"}"#,
            r#"{"request.whole":[]}"#,
            r#"{"request.whole":null}"#,
        ],
        &[SOME_REQUESTS],
    ),
    of_request(
        "field-wrong-type",
        &[r#"{"customField":[]}"#, r#"{"trackClicks":"yes"}"#],
    ),
    of_request(
        "subject-missing",
        &[r#"{"subject":null}"#, r#"{"subject":""}"#],
    ),
    of_request(
        "reply-to-malformed",
        &[
            r#"{"replyTo":"nobody"}"#,
            r#"{"replyTo":"a@shop.example,b@shop.example"}"#,
        ],
    ),
    of_request(
        "html-missing",
        &[r#"{"body":null}"#, r#"{"body":"%20%0A"}"#],
    ),
    of_request("html-not-utf8", &[r#"{"body":"%FF"}"#]),
    of_request("sender-missing", &[r#"{"from":null}"#]),
    of_request("sender-malformed", &[r#"{"from":"nobody"}"#]),
    needing(
        "recipient-missing",
        &[r#"{"to":null}"#, r#"{"to":" , "}"#],
        &[OBJECT, SOME_REQUESTS, ("cc", "[]"), ("bcc", "[]")],
    ),
    of_request("recipient-malformed", &[r#"{"bcc":"nobody"}"#]),
    of_request("subject-control", &[r#"{"subject":"Hello\u2028"}"#]),
    Breaker {
        name: "subject-placeholder",
        ways: &[r#"{"subject":"Hello {{name}}"}"#],
        needs: &[OBJECT, SOME_REQUESTS],
        both: &[("subject-control", r#"{"subject":"Hello\u0007 {{name}}"}"#)],
    },
    of_request("from-name-control", &[r#"{"fromName":"A\nName"}"#]),
    of_request(
        "html-domain-blacklisted",
        &[
            r#"{"body":"<a href='https://www.bad.example/'>x</a>"}"#,
            r#"{"body":"%3Cimg+src%3D%22http%3A%2F%2Fbad.example%2F%22%3E"}"#,
        ],
    ),
    Breaker {
        name: "sender-domain-blacklisted",
        ways: &[r#"{"from":"news@bad.example"}"#],
        needs: &[OBJECT, SOME_REQUESTS],
        both: &[("sender-unknown", r#"{"from":"other@bad.example"}"#)],
    },
    of_request(
        "reply-to-domain-blacklisted",
        &[r#"{"replyTo":"a@mail.bad.example"}"#],
    ),
    of_request(
        "recipient-domain-blacklisted",
        &[r#"{"cc":"new@bad.example"}"#],
    ),
    of_request("sender-unknown", &[r#"{"from":"other@shop.example"}"#]),
    of_request(
        "subscriber-inactive",
        &[r#"{"to":"quiet@customer.example"}"#],
    ),
];
