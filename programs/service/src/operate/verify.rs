//! Checks that the data of a database is whole.

use franking::address;
use sha2::{Digest as _, Sha256};

use crate::events::purpose;
use crate::hex;
use crate::key_file::KeyFile;
use crate::mail::Template;
use crate::store::{CHECKS, Domain, OperatorError, Store};

/// A check with its result.
#[derive(Debug)]
pub struct Checked {
    /// What has to hold.
    pub says: &'static str,
    /// The places where it does not hold, ten at most.
    pub broken: Vec<String>,
}

/// The most places that are named.
const PLACES: usize = 10;

/// The result of a check. If the check itself has failed, it counts as one that does not hold.
fn checked(says: &'static str, broken: Result<Vec<String>, OperatorError>) -> Checked {
    let mut broken = broken.unwrap_or_else(|error| vec![format!("not checked: {error}")]);
    broken.truncate(PLACES);
    Checked { says, broken }
}

/// Checks all of a database, and hands each result to `each`. Secrets that are sealed are checked if there is a key file.
///
/// # Errors
/// The database does not answer. If it fails later, the check that failed is handed over as one that does not hold.
pub async fn verify(
    store: &dyn Store,
    keys: Option<&KeyFile>,
    mut each: impl FnMut(Checked),
) -> Result<(), OperatorError> {
    store.health().await?;
    let mut tell = |says, broken| each(checked(says, broken));
    let own = store.own_checks().await;
    tell("the database finds nothing wrong with itself", own);
    tell("all tables and indexes are there", store.missing().await);
    for check in CHECKS {
        tell(check.says, store.check(check).await);
    }
    tell("each content has its hash", contents(store).await);
    tell(
        "each subscriber has the match key of its address",
        match_keys(store).await,
    );
    tell(
        "each sender has the match key of its address",
        senders(store).await,
    );
    tell("each stored email can be filled in", templates(store).await);
    tell(
        "each blacklisted domain is a domain with roles",
        blacklist(store).await,
    );
    if let Some(keys) = keys {
        tell(
            "the key file opens the secret of each webhook",
            secrets(store, keys).await,
        );
    }
    Ok(())
}

async fn contents(store: &dyn Store) -> Result<Vec<String>, OperatorError> {
    let mut broken = Vec::new();
    let mut after = Vec::new();
    loop {
        let contents = store.contents_after(after).await?;
        let Some((last, _)) = contents.last() else {
            return Ok(broken);
        };
        after = last.clone();
        for (hash, html) in &contents {
            if Sha256::digest(html).as_slice() != hash {
                broken.push(hex::digits(hash));
            }
        }
    }
}

/// Whether a match key is that of an address.
fn fits(match_key: &str, text: &str) -> bool {
    address::parse(text).is_ok_and(|address| address.match_key() == match_key)
}

async fn match_keys(store: &dyn Store) -> Result<Vec<String>, OperatorError> {
    let mut broken = Vec::new();
    for account in store.accounts().await? {
        let mut after = i64::MIN;
        loop {
            let keys = store.match_keys_after(account.id, after).await?;
            let Some((last, _, _)) = keys.last() else {
                break;
            };
            after = *last;
            let wrong = keys.iter().filter(|(_, key, email)| !fits(key, email));
            broken.extend(wrong.map(|(id, _, _)| format!("{} of account {}", id, account.id)));
        }
    }
    Ok(broken)
}

async fn senders(store: &dyn Store) -> Result<Vec<String>, OperatorError> {
    let senders = store.all_senders().await?;
    let wrong = senders.iter().filter(|(key, address)| !fits(key, address));
    let count = wrong.count();
    // Naming the senders would show addresses.
    let broken = (count > 0).then(|| format!("senders: {count}"));
    Ok(broken.into_iter().collect())
}

async fn templates(store: &dyn Store) -> Result<Vec<String>, OperatorError> {
    let mut broken = Vec::new();
    let mut after = (i64::MIN, i64::MIN);
    loop {
        let templates = store.templates_after(after).await?;
        let Some(last) = templates.last() else {
            return Ok(broken);
        };
        after = last.id;
        for stored in templates {
            let (account, id) = stored.id;
            let read = Template::parse(stored.subject, stored.html, stored.list_unsubscribe);
            if read.is_err() {
                broken.push(format!("{id} of account {account}"));
            }
        }
    }
}

async fn blacklist(store: &dyn Store) -> Result<Vec<String>, OperatorError> {
    let mut wrong = Vec::new();
    let mut after = String::new();
    loop {
        let listed = store.blacklist(after, 1_000).await?;
        let Some((last, _)) = listed.last() else {
            return Ok(wrong);
        };
        after = last.as_str().to_owned();
        for (domain, roles) in listed {
            let again = Domain::parse(domain.as_str());
            if again.as_ref() != Ok(&domain) || roles.names().next().is_none() {
                wrong.push(domain.as_str().to_owned());
            }
        }
    }
}

async fn secrets(store: &dyn Store, keys: &KeyFile) -> Result<Vec<String>, OperatorError> {
    let sealed = store.sealed_secrets().await?.into_iter();
    let closed =
        sealed.filter(|(_, account, sealed)| keys.open(&purpose(*account), sealed).is_err());
    Ok(closed
        .map(|(webhook, _, _)| format!("webhook {webhook}"))
        .collect())
}
