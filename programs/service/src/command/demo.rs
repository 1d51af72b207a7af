//! An account for a first try.

use std::io::{self, Write};

use crate::mail::Template;
use crate::store::{Address, ApiKey, NewMailer, Store};
use franking::Account;

use super::Failure;
use super::audit::operator;

const NAME: &str = "demo";
const SENDER: &str = "news@shop.example";
const MAILER: u64 = 42;

/// Makes the demo account if it is missing, and gives it a new key in place of older keys. A database with other accounts is
/// refused.
pub(super) async fn fill(store: &dyn Store) -> Result<ApiKey, Failure> {
    let found = store.accounts().await?;
    if found.iter().any(|row| row.name != NAME) {
        let why = "--demo needs a database of its own, but this one has other accounts: name another folder with --data";
        return Err(why.into());
    }
    let id = match found.into_iter().find(|row| row.name == NAME) {
        Some(row) => row.id,
        None => {
            let credits = Account {
                subscriber_credit: Some(1000),
                email_credit: Some(1000),
                ..Account::default()
            };
            store
                .create_account(NAME.into(), credits, operator())
                .await?
        }
    };
    let from = Address::parse(SENDER)?;
    store.put_sender(id, from.clone(), true).await?;
    let mailer = NewMailer {
        unsubscribe: None,
        id: Some(MAILER),
        from,
        from_name: Some("Shop News".into()),
        template: Template::parse("Welcome".into(), "<p>Welcome to the shop.</p>".into(), None)?,
    };
    store.put_mailer(id, mailer).await?;
    for row in store.keys(id).await? {
        store.revoke_key(id, row.id).await?;
    }
    let key = ApiKey::generate()?;
    store.add_key(id, key.hash(), None).await?;
    Ok(key)
}

/// Prints the service's URLs and an example of a call.
pub(super) fn show(
    out: &mut impl Write,
    [url, of_operator]: &[String; 2],
    key: Option<&ApiKey>,
) -> io::Result<()> {
    writeln!(out, "Listening on {url}")?;
    writeln!(out, "Metrics on {of_operator}/metrics")?;
    let secret = match key {
        Some(key) => key.secret(),
        None => {
            let commands = "franking-service account add NAME; franking-service key add ACCOUNT";
            writeln!(out, "An account and its key: {commands}")?;
            "<API_KEY>"
        }
    };
    writeln!(
        out,
        "Call it:\n  curl {url}/v4/sendMailer -d \
         '{{\"apiKey\":\"{secret}\",\"mailerID\":{MAILER},\"email\":\"reader@example.com\"}}'"
    )?;
    out.flush()
}
