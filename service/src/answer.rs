//! The answer to an accepted call, before it is accepted.

use franking::{Account, Call, Commit, DomainRoles, Facts, Mailer, Operation, Policy, Step};

use crate::store::CallId;

/// The answer's body to a call that is accepted under this id: what is kept under its idempotency key has to be written in
/// the transaction of its plan, before the call itself has an answer.
///
/// The library writes it: a small call of our own is accepted under the same policy. `None` is a fault of the library's or of
/// this function.
#[must_use]
pub fn accepted(policy: &Policy, id: CallId) -> Option<String> {
    const BODY: &[u8] = br#"{"apiKey":"k","mailerID":1,"email":"reader@shop.example"}"#;
    let mut call = Call::new(policy, Operation::SendMailer, "POST", BODY);
    call.answer_account(Some(Account::default())).ok()?;
    let mut facts = Facts::default();
    match call.step() {
        Step::Facts(questions) => {
            for _ in questions.mailers() {
                facts.mailers.push(Some(Mailer {
                    from: "news@shop.example",
                    from_name: None,
                    blacklisted: Some(false),
                }));
            }
            for _ in questions.subscribers() {
                facts.subscribers.push(None);
            }
            let domains = questions.domains().map(|_| DomainRoles::NONE);
            facts.domains.extend(domains);
        }
        Step::Account(_) | Step::Commit(_) | Step::Done(_) => return None,
    }
    call.answer_facts(facts).ok()?;
    call.begin_commit().ok()?;
    call.answer_commit(Commit::Done {
        transaction_id: id.number(),
    })
    .ok()?;
    let decision = call.decision()?;
    decision.is_accepted().then(|| decision.response())?
}
