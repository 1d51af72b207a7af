//! Removing a person from all data, and an account with everything that belongs to it.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::Value;

use super::confirm::{Confirm, counted};
use super::listing::Shown;
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
        let whose = match account {
            Some(account) => {
                store.shown_account(account).await?;
                format!("account {account}")
            }
            None => "all accounts".to_owned(),
        };
        let readers = store.readers(address.clone(), account).await?;
        if !self
            .confirm
            .asks(&question(store, &readers, &whose).await?)?
        {
            return Ok(());
        }
        let keys = KeyFile::read_if_there(&settings.key_file())?;
        let mut removals = Vec::new();
        for (account, subscriber) in readers {
            removals.push((account, erase_reader(store, account, subscriber).await?));
        }
        // Calls of an account can name a person who is not a subscriber of it.
        let mut calls = erase_calls(store, keys.as_ref(), account, &address).await?;
        let mut report = Report::default();
        for (account, removal) in removals {
            report.add_removal(account, &removal);
            let calls = calls.remove(&account).unwrap_or_default();
            report.add(account, CALLS, calls.removed);
            report.add_unopened(account, &calls);
            report.add(account, SHARED, removal.shared);
        }
        for (account, calls) in calls {
            if calls.removed > 0 {
                report.add(account, CALLS, calls.removed);
            }
            report.add_unopened(account, &calls);
        }
        report.print(store, &self.shown).await?;
        match report.0.is_empty() {
            true => Err(OperatorError::NotFound("person").into()),
            false => Ok(()),
        }
    }
}

/// Says what would be removed.
async fn question(
    store: &dyn Store,
    readers: &[(AccountId, i64)],
    whose: &str,
) -> Result<String, Failure> {
    let calls = format!("kept calls that name the address from {whose}");
    if readers.is_empty() {
        return Ok(format!(
            "this removes {calls}; the person is not a subscriber there"
        ));
    }
    let names = readers.iter().map(|(account, _)| account.to_string());
    let names = names.collect::<Vec<_>>().join(", ");
    let mut sent = 0_i64;
    for (account, subscriber) in readers {
        let of_account = Countable::SentTo(*account, subscriber.unsigned_abs());
        sent = sent.saturating_add(store.counted(of_account).await?);
    }
    let emails = counted(sent, "email");
    Ok(format!(
        "this removes the person from account {names}, with {emails} to that person, and {calls}"
    ))
}

/// Removes a subscriber and what is known of it. Its emails that wait end as bounced.
async fn erase_reader(
    store: &dyn Store,
    account: AccountId,
    subscriber: i64,
) -> Result<Removal, Failure> {
    let traces = store.erase_traces(account, subscriber).await?;
    let waiting = store.waiting_of(account, subscriber).await?;
    let bounced = waiting.into_iter().map(|delivery| NewEvent {
        reason: Some(Reason::new("the reader was erased")),
        ..NewEvent::new(About::Delivery(delivery), franking::EventType::Bounced)
    });
    store.record(bounced.collect()).await?;
    Ok(traces.and(store.erase_reader(account, subscriber).await?))
}

const CALLS: &str = "other calls that name the address";
const SHARED: &str = "records kept, because others were sent the same";
const UNOPENED: &str = "calls not removed, because the key file does not open them";

/// The number of rows that were removed, by account and kind. It is printed after everything is removed, so that a closed
/// output does not end the removal halfway.
#[derive(Default)]
struct Report(Vec<(AccountId, &'static str, u64)>);

impl Report {
    fn add(&mut self, account: AccountId, what: &'static str, rows: u64) {
        self.0.push((account, what, rows));
    }

    fn add_unopened(&mut self, account: AccountId, calls: &Calls) {
        if calls.unopened > 0 {
            self.add(account, UNOPENED, calls.unopened);
        }
    }

    fn add_removal(&mut self, account: AccountId, removal: &Removal) {
        for removed in &removal.removed {
            self.add(account, removed.table, removed.rows);
        }
    }

    /// Makes removed data unreadable in the database's files, also what was removed before by a command that failed. Then
    /// prints what was removed.
    async fn print(&self, store: &dyn Store, shown: &Shown) -> Result<(), Failure> {
        let is_flushed = store.flush_removed().await?;
        if !self.0.is_empty() {
            let mut list = shown.list(&["account", "removed", "rows"]);
            for (account, what, rows) in &self.0 {
                list.row(vec![
                    account.number().into(),
                    (*what).into(),
                    rows.cast_signed().into(),
                ])?;
            }
            list.end()?;
        }
        if !is_flushed {
            say!(
                "the database's log is in use, and still has what was removed: restart the service to remove it from the log"
            );
        }
        Ok(())
    }
}

#[derive(Default)]
struct Calls {
    removed: u64,
    unopened: u64,
}

/// Removes the kept calls of one account or of all whose texts name an address. Returns how many were removed, and how many
/// no key opens, by account.
async fn erase_calls(
    store: &dyn Store,
    keys: Option<&KeyFile>,
    account: Option<AccountId>,
    address: &Address,
) -> Result<BTreeMap<AccountId, Calls>, Failure> {
    let mut found = BTreeMap::<AccountId, Calls>::new();
    let mut after = 0;
    loop {
        let calls = store.sealed_calls(account, after).await?;
        let Some((last, _, _)) = calls.last() else {
            return Ok(found);
        };
        after = *last;
        let (keys, sought) = (keys.cloned(), address.clone());
        // Calls can be long, and the other work of a thread of the runtime would wait for them.
        let looked = tokio::task::spawn_blocking(move || {
            let looked = calls.into_iter().map(|(number, account, sealed)| {
                (number, account, is_of(keys.as_ref(), &sealed, &sought))
            });
            looked.collect::<Vec<_>>()
        });
        for (number, account, is_of) in looked.await? {
            let found = found.entry(account).or_default();
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

/// Whether a JSON text names an address. The case of letters does not matter, and JSON within strings is searched as well.
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
        let mut report = Report::default();
        report.add_removal(account, &removal);
        report.print(store, &self.shown).await
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
