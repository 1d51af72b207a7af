//! Removing a person from everything, and an account with all that it has.

use std::io;

use clap::Args;
use serde_json::Value;

use super::confirm::{Confirm, counted};
use super::listing::{Listing, Shown};
use super::{Failure, Of};
use crate::key_file::KeyFile;
use crate::mail::Reason;
use crate::settings::Settings;
use crate::store::{About, AccountId, Address, Countable, NewEvent, OperatorError, Removal, Store};
use crate::transcripts::PURPOSE;

#[derive(Args)]
pub(super) struct Erase {
    /// The person's address
    address: String,
    /// Remove the person only from this account
    #[arg(long)]
    account: Option<i64>,
    #[command(flatten)]
    confirm: Confirm,
    #[command(flatten)]
    shown: Shown,
}

impl Erase {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        let address = Address::parse(&self.address)?;
        let account = self.account.map(AccountId::from_number);
        let readers = store.readers(address.clone(), account).await?;
        if readers.is_empty() {
            return Err(OperatorError::NotFound("subscriber").into());
        }
        let names = readers.iter().map(|(account, _)| account.to_string());
        let names = names.collect::<Vec<_>>().join(", ");
        let mut sent = 0_i64;
        for (account, subscriber) in &readers {
            let of_account = Countable::SentTo(*account, subscriber.unsigned_abs());
            sent = sent.saturating_add(store.counted(of_account).await?);
        }
        let emails = counted(sent, "email");
        let what =
            format!("this removes the person from account {names}, with {emails} to that person");
        if !self.confirm.asks(&what)? {
            return Ok(());
        }
        let mut list = self.shown.list(&["account", "removed", "rows"]);
        let mut printed: io::Result<()> = Ok(());
        for (account, subscriber) in readers {
            let traces = store.erase_traces(account, subscriber).await?;
            let waiting = store.waiting_of(account, subscriber).await?;
            let bounced = waiting.into_iter().map(|delivery| NewEvent {
                reason: Some(Reason::new("the reader was erased")),
                ..NewEvent::new(About::Delivery(delivery), franking::EventType::Bounced)
            });
            store.record(bounced.collect()).await?;
            let calls = erase_calls(store, settings, account, &address).await?;
            let removal = traces.and(store.erase_reader(account, subscriber).await?);
            // The other accounts follow also when nobody reads what was removed.
            printed = printed.and_then(|()| print_erased(&mut list, account, &removal, &calls));
        }
        end(store, list, printed).await
    }
}

/// Makes removed data unreadable in the database's files, and then prints what is left to print.
async fn end(store: &dyn Store, list: Listing, printed: io::Result<()>) -> Result<(), Failure> {
    let flushed = store.flush_removed().await;
    let printed = printed.and_then(|()| list.end());
    let is_flushed = flushed?;
    printed?;
    if !is_flushed {
        say!(
            "the database's log is in use, and still has what was removed: restart the service to remove it from the log"
        );
    }
    Ok(())
}

/// Prints what was removed of a person from an account.
fn print_erased(
    list: &mut Listing,
    account: AccountId,
    removal: &Removal,
    calls: &Calls,
) -> io::Result<()> {
    print(list, account, removal)?;
    let mut row = |what: &str, rows: u64| {
        list.row(vec![
            account.number().into(),
            what.into(),
            rows.cast_signed().into(),
        ])
    };
    row("other calls that name the address", calls.removed)?;
    if calls.unopened > 0 {
        row(
            "calls not removed, because the key file does not open them",
            calls.unopened,
        )?;
    }
    row(
        "records kept, because others were sent the same",
        removal.shared,
    )
}

fn print(list: &mut Listing, account: AccountId, removal: &Removal) -> io::Result<()> {
    for removed in &removal.removed {
        list.row(vec![
            account.number().into(),
            removed.table.into(),
            removed.rows.cast_signed().into(),
        ])?;
    }
    Ok(())
}

#[derive(Default)]
struct Calls {
    removed: u64,
    unopened: u64,
}

/// Removes an account's kept calls whose texts name an address.
async fn erase_calls(
    store: &dyn Store,
    settings: &Settings,
    account: AccountId,
    address: &Address,
) -> Result<Calls, Failure> {
    let mut found = Calls::default();
    let path = settings.key_file();
    let keys = match path.exists() {
        true => Some(KeyFile::read(&path)?),
        false => None,
    };
    let mut after = 0;
    loop {
        let calls = store.sealed_calls(account, after).await?;
        let Some((last, _)) = calls.last() else {
            return Ok(found);
        };
        after = *last;
        let (keys, sought) = (keys.clone(), address.clone());
        // Calls can be long, and the other work of a thread of the runtime would wait for them.
        let looked = tokio::task::spawn_blocking(move || {
            let calls = calls.into_iter();
            let looked =
                calls.map(|(number, sealed)| (number, is_of(keys.as_ref(), &sealed, &sought)));
            looked.collect::<Vec<_>>()
        });
        for (number, is_of) in looked.await? {
            match is_of {
                Some(true) => {
                    store.remove_call(number).await?;
                    found.removed = found.removed.saturating_add(1);
                }
                Some(false) => {}
                None => found.unopened = found.unopened.saturating_add(1),
            }
        }
    }
}

/// Whether a sealed call names an address. `None` if no key opens it.
fn is_of(keys: Option<&KeyFile>, sealed: &[u8], address: &Address) -> Option<bool> {
    let text = keys?.open(PURPOSE, sealed).ok()?;
    Some(names(&text, address))
}

/// Whether a JSON text names an address, in any case of its letters, also in JSON within its strings.
fn names(text: &[u8], address: &Address) -> bool {
    fn walk(value: &Value, sought: &[String; 2]) -> bool {
        match value {
            Value::String(text) => {
                let lower = text.to_lowercase();
                let within = || serde_json::from_str(text).ok();
                sought.iter().any(|sought| lower.contains(sought))
                    || (text.contains(['{', '[']))
                        && within().is_some_and(|value| walk(&value, sought))
            }
            Value::Array(values) => values.iter().any(|value| walk(value, sought)),
            Value::Object(members) => members.values().any(|value| walk(value, sought)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    let sought = address.spellings().map(str::to_lowercase);
    let value = serde_json::from_slice(text);
    // A text that is not JSON is not a transcript. It may contain the address in any form, so it is removed.
    value.map_or(true, |value: Value| walk(&value, &sought))
}

#[derive(Args)]
pub(super) struct Delete {
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    confirm: Confirm,
    #[command(flatten)]
    shown: Shown,
}

impl Delete {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        let account = self.of.id();
        let found = store.shown_account(account).await?;
        if !found.account.deactivated {
            return Err(OperatorError::StillActive.into());
        }
        let what = format!("this removes account {account} and everything that belongs to it");
        if !self.confirm.asks(&what)? {
            return Ok(());
        }
        let removal = store.delete_account(account).await?;
        let mut list = self.shown.list(&["account", "removed", "rows"]);
        let printed = print(&mut list, account, &removal);
        end(store, list, printed).await
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn an_address_is_found_in_any_case_and_in_json_within_json() {
        let address = Address::parse("Ada.Reader@Example.ORG").unwrap();
        let found = |text: &str| names(text.as_bytes(), &address);
        assert!(found(
            r#"{"body":"{\"email\":\"ada.READER@example.org\"}"}"#
        ));
        assert!(found(
            r#"{"body":"{\"email\":\"ada.reader\\u0040example.org\"}"}"#
        ));
        assert!(found(r#"["x, \"Ada\" <ada.reader@example.org>"]"#));
        assert!(found("not json"));
        assert!(!found(r#"{"body":"{\"email\":\"ada@example.org\"}"}"#));
    }
}
