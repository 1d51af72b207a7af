//! `franking-service call try`: tells what would happen to a call, without taking it.

use std::io::Read as _;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use franking::{Account, Commit, HostAnswer, Operation, Policy, Recorder, Step};

use super::Failure;
use super::kept;
use super::listing::print_text;
use crate::settings::Settings;
use crate::store::{AccountId, Asked, DOMAINS_AT_ONCE, Store};

#[derive(Args)]
pub(super) struct Try {
    /// Decide the call with the data of this account: its credits, subscribers, stored emails and lists. The key in the body
    /// is ignored
    #[arg(long)]
    account: Option<i64>,
    /// The operation that is called; by default it is taken from the fields of the body
    #[arg(long, value_parser = operations())]
    operation: Option<Operation>,
    /// The text is only HTML, and not the body of a call
    #[arg(long, conflicts_with_all = ["account", "operation"])]
    html: bool,
    /// Show personal data unmasked
    #[arg(long)]
    unmasked: bool,
}

fn operations() -> impl clap::builder::TypedValueParser<Value = Operation> {
    let names = Operation::ALL.iter().map(|operation| operation.name());
    PossibleValuesParser::new(names).try_map(|name| {
        let unknown =
            || format!("there is no operation {name}: expected sendMailer or httpSendMail");
        Operation::from_name(&name).ok_or_else(unknown)
    })
}

/// The name of the text in the output.
const LABEL: &str = "the body";

impl Try {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        let body = match kept::page() {
            Some(page) => page.input,
            None => {
                let mut body = Vec::new();
                std::io::stdin().read_to_end(&mut body)?;
                body
            }
        };
        if self.html {
            let html = String::from_utf8(body)?;
            return print(move |out| franking_cli::links("the HTML", &html, out)).await;
        }
        let operation = self.operation;
        let operation = operation.unwrap_or_else(|| franking_cli::operation_of(&body));
        let policy = settings.policy_of_today();
        let policy = policy.ok_or("the system's clock has no valid date, which `retire` needs")?;
        let checked = (policy.clone(), body.clone());
        print(move |out| {
            let (policy, body) = checked;
            franking_cli::check(LABEL, Some(operation), body, &policy, out)
        })
        .await?;
        let Some(account) = self.account.map(AccountId::from_number) else {
            return Ok(());
        };
        let most = settings.max_recipients.get();
        let decided = decided(store, account, &policy, operation, body, most).await?;
        let transcript = match decided {
            Ok(transcript) => transcript,
            Err(TooMany::Recipients) => {
                say!(
                    "The service answers with HTTP status 413 and without a code: the call has more than {most} recipients or emails, which is max_recipients."
                );
                return Ok(());
            }
            Err(TooMany::Domains) => {
                say!(
                    "The call is not decided here: it asks about more than {DOMAINS_AT_ONCE} domains, and a trial shows each with its answer. Try it with fewer links or recipients."
                );
                return Ok(());
            }
        };
        say!(
            "Decided with the data of account {account}. Nothing is sent, debited or kept, and the transactionId is made up."
        );
        let text = match self.unmasked {
            true => transcript.to_json(),
            false => transcript.to_masked_json(),
        };
        print(move |out| franking_cli::explain("a trial", &text, out)).await
    }
}

/// Prints something that takes time in proportion to the body, on a blocking thread so that it delays nobody.
async fn print(
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()> + Send + 'static,
) -> Result<(), Failure> {
    let written = tokio::task::spawn_blocking(move || {
        let mut out = Vec::new();
        write(&mut out).map(|()| out)
    });
    Ok(print_text(String::from_utf8(written.await??)?)?)
}

/// Why a call is not decided here.
enum TooMany {
    /// It has more recipients or emails than the service takes.
    Recipients,
    /// It asks about too many domains. A transcript has the answer about each, and would take gigabytes.
    Domains,
}

/// Decides a call with the stored data of an account. Its plan is not carried out: the commit is answered with a
/// transactionId that is made up. The service decides no call of more than `most` recipients or emails.
async fn decided(
    store: &dyn Store,
    account: AccountId,
    policy: &Policy,
    operation: Operation,
    body: Vec<u8>,
    most: usize,
) -> Result<Result<franking::Transcript, TooMany>, Failure> {
    enum Asks {
        Account,
        Facts(Asked),
        Commit,
    }
    let found: Account = store.shown_account(account).await?.account;
    let policy = policy.clone();
    let reading =
        tokio::task::spawn_blocking(move || Recorder::new(&policy, operation, "POST", body));
    let mut recorder = reading.await?;
    loop {
        let asks = match recorder.step() {
            Step::Account(_) => Asks::Account,
            Step::Facts(questions) if questions.subscriber_count() > most => {
                return Ok(Err(TooMany::Recipients));
            }
            Step::Facts(questions) if questions.domain_count() > DOMAINS_AT_ONCE => {
                return Ok(Err(TooMany::Domains));
            }
            Step::Facts(questions) => Asks::Facts(Asked::of(&questions)),
            Step::Commit(plan) if plan.email_count() > most as u64 => {
                return Ok(Err(TooMany::Recipients));
            }
            Step::Commit(_) => Asks::Commit,
            Step::Done(_) => return Ok(Ok(recorder.transcript())),
        };
        let answer = match asks {
            Asks::Account => HostAnswer::Account(Some(found)),
            Asks::Facts(asked) => HostAnswer::Facts(store.facts(account, asked).await?.facts),
            Asks::Commit => HostAnswer::Commit(Commit::Done { transaction_id: 1 }),
        };
        let answering = tokio::task::spawn_blocking(move || {
            let answered = recorder.answer(answer);
            (recorder, answered)
        });
        let answered;
        (recorder, answered) = answering.await?;
        answered?;
    }
}
