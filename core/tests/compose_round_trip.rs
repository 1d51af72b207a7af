//! Composed calls are read back as the same values. They keep the limits, and there are as few as possible.

use std::borrow::Cow;
use std::convert::Infallible;

use franking::{
    Account, Call, Commit, ComposedCall, Decision, DomainRoles, Facts, HiddenHosts, Host,
    HttpSendMailRequest, Mailer, Operation, Plan, Policy, Preflight, Questions, SendMailerRequest,
    compose, decide,
};
use proptest::prelude::*;

/// A host whose facts are all favourable.
struct Favourable;

impl Host for Favourable {
    type Error = Infallible;

    fn account(&mut self, key: &str) -> Result<Option<Account>, Infallible> {
        Ok((key == KEY).then(Account::default))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Infallible> {
        let mailer = || Mailer {
            from: ASSIGNED,
            from_name: None,
            blacklisted: Some(false),
        };
        *facts = Facts {
            mailers: questions.mailers().map(|_| Some(mailer())).collect(),
            senders: questions.senders().map(|_| true).collect(),
            lists: questions.lists().map(|_| true).collect(),
            domains: questions
                .domains()
                .map(|_| DomainRoles::default())
                .collect(),
            ..Facts::default()
        };
        questions
            .subscriber_ids()
            .for_each(|_| facts.subscriber_ids.push(None));
        questions
            .subscribers()
            .for_each(|_| facts.subscribers.push(None));
        Ok(())
    }

    fn commit(&mut self, _: &Plan<'_>) -> Result<Commit, Infallible> {
        Ok(Commit::Done { transaction_id: 1 })
    }
}

const KEY: &str = "key \"é\"";
const ASSIGNED: &str = "assigned@example.com";

fn accepted<'c>(call: &'c mut Call<'_>) -> Decision<'c> {
    let decision = decide(call, &mut Favourable).unwrap();
    assert!(decision.plan().is_some(), "{decision:?}");
    decision
}

/// A request, and the values that it was made of.
#[derive(Clone, Debug)]
struct Given {
    subject: String,
    html: String,
    lists: [Vec<&'static str>; 3],
    from_name: Option<String>,
    reply_to: Option<&'static str>,
    custom_field: Option<String>,
    track_opens: Option<bool>,
    track_clicks: Option<bool>,
}

const ADDRESSES: [&str; 5] = [
    "a@example.com",
    "b.c@mail.example.org",
    "é@example.com",
    "x+y@bücher.example",
    "o'neil@example.net",
];

/// Characters, some of which JSON or form encoding writes as escapes.
fn free_text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        any::<char>(),
        prop::sample::select(vec![
            '"', '\\', '\0', '\n', '+', '%', ' ', '<', '&', 'é', '\u{2028}'
        ]),
    ];
    let text = prop::collection::vec(character, 0..40);
    text.prop_map(|characters| "x".chars().chain(characters).collect())
}

/// A text for a field that must not have control characters or placeholders.
fn tame_text() -> impl Strategy<Value = String> {
    r#"[A-Za-z"\\/éß€😀+&<>%][A-Za-z0-9 "\\/éß€😀+&<>.!]{0,20}"#
}

fn given() -> impl Strategy<Value = Given> {
    let address = || prop::sample::select(ADDRESSES.to_vec());
    let list = move || prop::collection::vec(address(), 0..3);
    (
        tame_text(),
        free_text(),
        (prop::collection::vec(address(), 1..3), list(), list()),
        prop::option::of(tame_text()),
        prop::option::of(address()),
        prop::option::of(free_text()),
        any::<Option<bool>>(),
        any::<Option<bool>>(),
    )
        .prop_map(
            |(subject, html, (to, cc, bcc), from_name, reply_to, custom_field, opens, clicks)| {
                Given {
                    subject,
                    html,
                    lists: [to, cc, bcc],
                    from_name,
                    reply_to,
                    custom_field,
                    track_opens: opens,
                    track_clicks: clicks,
                }
            },
        )
}

impl Given {
    fn request(&self) -> HttpSendMailRequest<'_> {
        let [to, cc, bcc] = &self.lists;
        let mut request = HttpSendMailRequest::new()
            .subject(&self.subject)
            .html(&self.html)
            .to(to.join(","))
            .from(ASSIGNED);
        if !cc.is_empty() {
            request = request.cc(cc.join(", "));
        }
        if !bcc.is_empty() {
            request = request.bcc(bcc.join(" ,"));
        }
        if let Some(name) = &self.from_name {
            request = request.from_name(name);
        }
        if let Some(address) = self.reply_to {
            request = request.reply_to(address);
        }
        if let Some(text) = &self.custom_field {
            request = request.custom_field(text);
        }
        if let Some(is_on) = self.track_opens {
            request = request.track_opens(is_on);
        }
        if let Some(is_on) = self.track_clicks {
            request = request.track_clicks(is_on);
        }
        request
    }

    /// The addresses, each once.
    fn recipients(&self) -> Vec<&str> {
        let mut recipients = Vec::new();
        for address in self.lists.iter().flatten() {
            if !recipients.contains(address) {
                recipients.push(*address);
            }
        }
        recipients
    }
}

fn owned(text: Option<Cow<'_, str>>) -> Option<String> {
    text.map(Cow::into_owned)
}

/// The fewest calls that carry the requests in order, found by trying every last call for every number of requests; `None`
/// when one of the requests is too large for any call.
fn fewest(lengths: &[usize], max_requests: usize, room: usize) -> Option<usize> {
    let mut fewest = vec![Some(0)];
    for end in 1..=lengths.len() {
        let begins = (0..end).filter(|begin| {
            let count = end - begin;
            count <= max_requests && lengths[*begin..end].iter().sum::<usize>() + count - 1 <= room
        });
        fewest.push(
            begins
                .filter_map(|begin| fewest[begin])
                .min()
                .map(|calls| calls + 1),
        );
    }
    fewest[lengths.len()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn requests_are_read_back_as_they_were_given(
        given in prop::collection::vec(given(), 1..8),
        max_requests in 1_u64..5,
    ) {
        // Any HTML is written and read back, so HTML in which a host could be hidden must not be refused.
        let policy = Policy::builder().max_requests(max_requests).hidden_hosts(HiddenHosts::Ask);
        let policy = policy.build().unwrap();
        let mut next = 0;
        for call in compose(&policy, KEY, given.iter().map(Given::request)) {
            let call = call.unwrap();
            prop_assert_eq!(call.requests().start, next);
            next = call.requests().end;
            let body = call.body().as_bytes();
            prop_assert!(Preflight::new(&policy, Operation::HttpSendMail, body).is_clean());
            let mut read = Call::new(&policy, Operation::HttpSendMail, "POST", body);
            let decision = accepted(&mut read);
            let plan = decision.plan().unwrap();
            let messages: Vec<_> = plan.messages().collect();
            prop_assert_eq!(messages.len(), call.requests().len());
            for (message, given) in messages.iter().zip(&given[call.requests()]) {
                prop_assert_eq!(message.subject().unwrap(), given.subject.as_str());
                prop_assert_eq!(message.html().unwrap(), given.html.as_str());
                prop_assert_eq!(message.encoding(), Some(franking::Encoding::Form));
                prop_assert_eq!(message.from(), ASSIGNED);
                prop_assert_eq!(owned(message.from_name()), given.from_name.clone());
                prop_assert_eq!(owned(message.reply_to()), given.reply_to.map(str::to_string));
                prop_assert_eq!(owned(message.custom_field()), given.custom_field.clone());
                prop_assert_eq!(message.track_opens(), given.track_opens == Some(true));
                prop_assert_eq!(message.track_clicks(), given.track_clicks == Some(true));
                let recipients: Vec<_> = message.recipients().map(|recipient| recipient.to()).collect();
                prop_assert_eq!(recipients, given.recipients());
            }
        }
        prop_assert_eq!(next, given.len());
    }

    #[test]
    fn a_stored_email_is_asked_for_as_it_was_given(
        mailer_id in 1..=i64::MAX as u64,
        recipient in prop::sample::select(ADDRESSES.to_vec()),
        texts in prop::array::uniform4(prop::option::of(free_text())),
        from_name in prop::option::of(tame_text()),
        track_opens: bool,
        track_clicks: bool,
    ) {
        let mut request = SendMailerRequest::new(KEY, mailer_id)
            .email(recipient)
            .track_opens(track_opens)
            .track_clicks(track_clicks);
        let [custom_field, first_name, extra6, list_name] = &texts;
        if let Some(text) = custom_field {
            request = request.custom_field(text);
        }
        if let Some(text) = first_name {
            request = request.first_name(text);
        }
        if let Some(text) = extra6 {
            request = request.extra6(text);
        }
        if let Some(text) = list_name {
            request = request.list_name(text);
        }
        if let Some(name) = &from_name {
            request = request.from(ADDRESSES[0]).from_name(name);
        }
        let body = request.compose();
        let mut read = Call::new(&Policy::default(), Operation::SendMailer, "POST", body.as_bytes());
        let decision = accepted(&mut read);
        let plan = decision.plan().unwrap();
        let message = plan.messages().next().unwrap();
        prop_assert_eq!(message.mailer(), Some(mailer_id));
        prop_assert_eq!(owned(message.custom_field()), custom_field.clone());
        prop_assert_eq!(owned(message.from_name()), from_name.clone());
        prop_assert_eq!((message.track_opens(), message.track_clicks()), (track_opens, track_clicks));
        let created = plan.create().next().unwrap();
        prop_assert_eq!(created.email(), recipient);
        prop_assert_eq!(created.list(), list_name.as_deref().unwrap_or(franking::DEFAULT_LIST));
        let fields: Vec<_> = created.fields().map(|(name, text)| (name, text.into_owned())).collect();
        let expected = [("firstName", first_name), ("extra6", extra6)];
        let expected: Vec<_> =
            expected.into_iter().filter_map(|(name, text)| Some((name, text.clone()?))).collect();
        prop_assert_eq!(fields, expected);
    }

    #[test]
    fn calls_keep_the_limits_and_are_as_few_as_the_order_allows(
        subjects in prop::collection::vec(r#"[a-zé\n"]{0,30}"#, 0..20),
        max_requests in 1_u64..8,
        room in 15_usize..120,
    ) {
        let request = |subject: &String| HttpSendMailRequest::new().subject(subject.clone());
        // The length that is known without composing: the subject as serde_json writes it, and the text around it.
        let length = |subject: &String| format!(r#"{{"subject":{}}}"#, serde_json::json!(subject)).len();
        let lengths: Vec<usize> = subjects.iter().map(length).collect();
        let around = r#"{"ApiKey":"k","requests":[]}"#.len();
        let max_bytes = (around + room) as u64;
        let policy = Policy::builder().max_requests(max_requests).max_bytes(max_bytes).build().unwrap();
        let calls: Result<Vec<ComposedCall>, _> = compose(&policy, "k", subjects.iter().map(request)).collect();
        match fewest(&lengths, max_requests as usize, room) {
            None => {
                let too_large = lengths.iter().position(|length| *length > room);
                prop_assert_eq!(calls.unwrap_err().request(), too_large);
            }
            Some(fewest) => {
                let calls = calls.unwrap();
                prop_assert_eq!(calls.len(), fewest);
                prop_assert!(calls.iter().all(|call| call.body().len() as u64 <= max_bytes));
                prop_assert!(calls.iter().all(|call| (1..=max_requests as usize).contains(&call.requests().len())));
                let carried: Vec<usize> = calls.iter().flat_map(|call| call.requests()).collect();
                prop_assert_eq!(carried, (0..subjects.len()).collect::<Vec<_>>());
            }
        }
    }
}
