//! Checks that the data of a database is whole.

use franking::address;
use sha2::{Digest as _, Sha256};

use crate::events::purpose;
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

fn checked(says: &'static str, broken: impl IntoIterator<Item = String>) -> Checked {
    let broken = broken.into_iter().take(PLACES).collect();
    Checked { says, broken }
}

/// Checks all of a database, and hands each result to `each`. Secrets that are sealed are checked if there is a key file.
///
/// # Errors
/// The database does not answer.
pub async fn verify(
    store: &dyn Store,
    keys: Option<&KeyFile>,
    mut each: impl FnMut(Checked),
) -> Result<(), OperatorError> {
    let says = "the database finds nothing wrong with itself";
    each(checked(says, store.own_checks().await?));
    let says = "all tables and indexes are there";
    each(checked(says, store.missing().await?));
    for check in CHECKS {
        each(checked(check.says, store.check(check).await?));
    }
    each(contents(store).await?);
    each(match_keys(store).await?);
    each(senders(store).await?);
    each(templates(store).await?);
    each(blacklist(store).await?);
    if let Some(keys) = keys {
        each(secrets(store, keys).await?);
    }
    Ok(())
}

async fn contents(store: &dyn Store) -> Result<Checked, OperatorError> {
    let mut broken = Vec::new();
    let mut after = Vec::new();
    loop {
        let contents = store.contents_after(after).await?;
        let Some((last, _)) = contents.last() else {
            return Ok(checked("each content has its hash", broken));
        };
        after = last.clone();
        for (hash, html) in &contents {
            if Sha256::digest(html).as_slice() != hash {
                broken.push(hash.iter().map(|byte| format!("{byte:02x}")).collect());
            }
        }
    }
}

/// Whether a match key is that of an address.
fn fits(match_key: &str, text: &str) -> bool {
    address::parse(text).is_ok_and(|address| address.match_key() == match_key)
}

async fn match_keys(store: &dyn Store) -> Result<Checked, OperatorError> {
    let says = "each subscriber has the match key of its address";
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
    Ok(checked(says, broken))
}

async fn senders(store: &dyn Store) -> Result<Checked, OperatorError> {
    let senders = store.all_senders().await?;
    let wrong = senders.iter().filter(|(key, address)| !fits(key, address));
    let count = wrong.count();
    // Naming the senders would show addresses.
    let broken = (count > 0).then(|| format!("{count} senders"));
    Ok(checked(
        "each sender has the match key of its address",
        broken,
    ))
}

async fn templates(store: &dyn Store) -> Result<Checked, OperatorError> {
    let templates = store.templates().await?.into_iter().filter_map(|stored| {
        let (account, id) = stored.id;
        let read = Template::parse(stored.subject, stored.html, stored.list_unsubscribe);
        read.is_err().then(|| format!("{id} of account {account}"))
    });
    Ok(checked("each stored email can be filled in", templates))
}

async fn blacklist(store: &dyn Store) -> Result<Checked, OperatorError> {
    let mut wrong = Vec::new();
    let mut after = String::new();
    loop {
        let listed = store.blacklist(after, 1_000).await?;
        let Some((last, _)) = listed.last() else {
            break;
        };
        after = last.as_str().to_owned();
        for (domain, roles) in listed {
            let again = Domain::parse(domain.as_str());
            if again.as_ref() != Ok(&domain) || roles.names().next().is_none() {
                wrong.push(domain.as_str().to_owned());
            }
        }
    }
    Ok(checked(
        "each blacklisted domain is a domain with roles",
        wrong,
    ))
}

async fn secrets(store: &dyn Store, keys: &KeyFile) -> Result<Checked, OperatorError> {
    let sealed = store.sealed_secrets().await?.into_iter();
    let closed =
        sealed.filter(|(_, account, sealed)| keys.open(&purpose(*account), sealed).is_err());
    Ok(checked(
        "the key file opens the secret of each webhook",
        closed.map(|(webhook, _, _)| format!("webhook {webhook}")),
    ))
}
