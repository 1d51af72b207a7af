//! Shared by the tests of the core: calls and worlds written as JSON, and a host that answers from such a world.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    reason = "a test that meets the unexpected should stop; no test uses all of this"
)]

mod host;
pub(crate) mod layers;
pub(crate) mod vectors;

use franking::{Call, Decision, Operation, Policy, Preflight, decide};
use serde_json::{Map, Value, json};

pub(crate) use host::World;

/// A call and the world in which it is made.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) operation: Operation,
    pub(crate) method: String,
    pub(crate) body: Vec<u8>,
    pub(crate) policy: Value,
    pub(crate) world: Value,
}

/// The key of the one account of [`world`].
pub(crate) const KEY: &str = "key-1";

/// A world in which the calls of [`Case::send_mailer`] and [`Case::http_send_mail`] are accepted.
pub(crate) fn world() -> Value {
    json!({
        "accounts": {KEY: {}},
        "mailers": {
            "42": {"from": "news@shop.example", "from_name": "The Shop"},
            "43": {"from": "assigned@bad.example", "from_name": null},
        },
        "senders": ["news@shop.example", "news@bad.example"],
        "subscribers": [
            {"id": 5, "email": "Old@Customer.example"},
            {"id": 6, "email": "stored@bad.example"},
            {"id": 7, "email": "quiet@customer.example", "inactive": true},
            {"id": 8, "email": "quiet@bad.example", "inactive": true},
        ],
        "lists": ["Customers"],
        "blacklists": {
            "sender": ["bad.example"],
            "reply_to": ["bad.example"],
            "recipient": ["bad.example"],
            "content": ["bad.example"],
        },
    })
}

/// `base` with the members of `changes` in place of its own; null removes a member.
pub(crate) fn with(base: Value, changes: Value) -> Value {
    let (Value::Object(mut base), Value::Object(changes)) = (base, changes) else {
        panic!("give two objects");
    };
    for (key, value) in changes {
        if value.is_null() {
            base.remove(&key);
        } else {
            base.insert(key, value);
        }
    }
    Value::Object(base)
}

/// A sendMailer body that is accepted, with changes.
pub(crate) fn send_mailer_body(changes: Value) -> Value {
    with(
        json!({"apiKey": KEY, "mailerID": 42, "email": "new@customer.example"}),
        changes,
    )
}

/// A request of httpSendMail that is accepted, with changes.
pub(crate) fn request(changes: Value) -> Value {
    with(
        json!({
            "subject": "Hello",
            "body": "%3Cp%3EHello%3C%2Fp%3E",
            "to": "new@customer.example",
            "from": "news@shop.example",
        }),
        changes,
    )
}

/// An httpSendMail body of these requests.
pub(crate) fn batch(requests: &[Value]) -> Value {
    json!({"ApiKey": KEY, "requests": requests})
}

impl Case {
    pub(crate) fn new(operation: Operation, body: &Value) -> Self {
        Self::raw(operation, body.to_string())
    }

    pub(crate) fn raw(operation: Operation, body: impl Into<Vec<u8>>) -> Self {
        Self {
            operation,
            method: "POST".to_string(),
            body: body.into(),
            policy: json!({}),
            world: world(),
        }
    }

    /// The accepted sendMailer call, with changes of its body.
    pub(crate) fn send_mailer(changes: Value) -> Self {
        Self::new(Operation::SendMailer, &send_mailer_body(changes))
    }

    /// An httpSendMail call of one request that is accepted, with changes.
    pub(crate) fn http_send_mail(changes: Value) -> Self {
        Self::requests(&[request(changes)])
    }

    pub(crate) fn requests(requests: &[Value]) -> Self {
        Self::new(Operation::HttpSendMail, &batch(requests))
    }

    pub(crate) fn policy(mut self, changes: Value) -> Self {
        self.policy = with(self.policy, changes);
        self
    }

    pub(crate) fn partial(self) -> Self {
        self.policy(json!({"batch": "partial"}))
    }

    pub(crate) fn world(mut self, changes: Value) -> Self {
        self.world = with(self.world, changes);
        self
    }

    /// The account of the key with these members.
    pub(crate) fn account(self, account: Value) -> Self {
        self.world(json!({"accounts": {KEY: account}}))
    }

    pub(crate) fn built_policy(&self) -> Policy {
        Policy::from_json(&self.policy.to_string()).unwrap()
    }

    pub(crate) fn call(&self) -> Call<'static> {
        Call::new(
            &self.built_policy(),
            self.operation,
            &self.method,
            self.body.clone(),
        )
    }

    pub(crate) fn preflight(&self) -> Preflight<'static> {
        Preflight::new(&self.built_policy(), self.operation, self.body.clone())
    }

    /// Passes on the decision, and what the host was asked.
    pub(crate) fn decide_with<T>(
        &self,
        look: impl FnOnce(Decision<'_>) -> T,
    ) -> (T, Vec<&'static str>) {
        let mut world = World::new(self.world.clone());
        let mut call = self.call();
        let seen = look(decide(&mut call, &mut world).unwrap());
        (seen, world.asked)
    }

    /// The JSON form of the decision.
    pub(crate) fn decide(&self) -> Value {
        self.decide_with(|decision| serde_json::from_str(&decision.to_json()).unwrap())
            .0
    }

    /// The code, and the rule that gives it (`""` for an accepted call).
    pub(crate) fn outcome(&self) -> (u64, String) {
        let decision = self.decide();
        (
            decision["code"].as_u64().unwrap(),
            decision["rule"].as_str().unwrap_or_default().to_string(),
        )
    }

    pub(crate) fn rule(&self) -> String {
        self.outcome().1
    }

    /// The plan of a call that is accepted.
    pub(crate) fn plan(&self) -> Value {
        let decision = self.decide();
        assert_eq!(decision["code"], 200, "{decision}");
        decision["plan"].clone()
    }

    /// The one message of the plan.
    pub(crate) fn message(&self) -> Value {
        let plan = self.plan();
        assert_eq!(plan["messages"].as_array().unwrap().len(), 1);
        plan["messages"][0].clone()
    }

    /// The rules that a preflight finds broken, in order, each with its place.
    pub(crate) fn violations(&self) -> Vec<(String, Option<String>)> {
        let preflight = self.preflight();
        let violations = preflight.violations();
        violations
            .map(|violation| {
                (
                    violation.rule().identifier().to_string(),
                    violation.pointer(),
                )
            })
            .collect()
    }

    /// The warnings of a preflight, in order, each with its place.
    pub(crate) fn warnings(&self) -> Vec<(&'static str, Option<String>)> {
        let preflight = self.preflight();
        let warnings = preflight.warnings();
        warnings
            .map(|warning| {
                (
                    warning.kind().identifier(),
                    warning.pointer().map(str::to_string),
                )
            })
            .collect()
    }

    /// The text that the decision's span covers.
    pub(crate) fn place(&self) -> (Option<String>, Option<String>) {
        let decision = self.decide();
        let span = decision["span"].as_array().map(|span| {
            let at = |index: usize| usize::try_from(span[index].as_u64().unwrap()).unwrap();
            String::from_utf8_lossy(&self.body[at(0)..at(1)]).into_owned()
        });
        (decision["pointer"].as_str().map(str::to_string), span)
    }
}

/// The optional fields of sendMailer.
pub(crate) const OPTIONAL_FIELDS: &[&str] = &[
    "from",
    "fromName",
    "subID",
    "mobile",
    "listName",
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
    "birthday",
    "anniversary",
    "trackOpens",
    "trackClicks",
    "customField",
];

/// An object with these members. For a body in which order or repetitions matter, write text instead.
pub(crate) fn object(members: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(members.into_iter().collect::<Map<_, _>>())
}
