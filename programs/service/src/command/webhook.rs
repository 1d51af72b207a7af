//! Webhooks.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use franking::EventType;
use ring::signature::{Ed25519KeyPair, KeyPair as _};

use super::confirm::{Confirm, counted, goes_on};
use super::listing::Shown;
use super::{Failure, Of};
use crate::events::{EndpointUrl, purpose};
use crate::key_file::KeyFile;
use crate::settings::Settings;
use crate::store::{AccountId, Countable, NewWebhook, Store};

/// The length of a secret in bytes.
const LENGTH: usize = 32;

#[derive(Subcommand)]
pub(super) enum Webhook {
    /// Add a webhook, and print its number and its secret, which is not shown again; of a key pair, print the public key
    Add {
        #[command(flatten)]
        of: Of,
        /// The URL to which events are posted
        url: String,
        /// A type of events to post; all types if left out
        #[arg(long = "type", value_name = "TYPE", value_parser = kinds())]
        kinds: Vec<EventType>,
        /// Sign with a key pair (v1a), so that the receiver needs only the public key and holds no secret
        #[arg(long)]
        key_pair: bool,
        /// Begin after this event; 0 means the oldest that is kept. If left out, only future events are posted
        #[arg(long, value_name = "ID", value_parser = clap::value_parser!(i64).range(0..))]
        after: Option<i64>,
    },
    /// List webhooks: number, URL, types, secrets, the last event that was posted, events waiting, events to try again, when
    /// one was last accepted, why it is disabled
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
    /// List the last attempts: time, event, attempt, HTTP status, milliseconds, why the event was not accepted
    Attempts {
        #[command(flatten)]
        of: Of,
        /// The webhook's number
        webhook: i64,
        #[command(flatten)]
        shown: Shown,
    },
    /// Give a webhook a new secret, and print it. The previous secret signs as well until it is retired
    Rotate {
        #[command(flatten)]
        of: Of,
        /// The webhook's number
        webhook: i64,
        /// Sign with a key pair (v1a)
        #[arg(long)]
        key_pair: bool,
    },
    /// Retire the older of a webhook's two secrets
    Retire {
        #[command(flatten)]
        of: Of,
        /// The webhook's number
        webhook: i64,
    },
    /// Stop posting to a webhook
    Disable {
        #[command(flatten)]
        of: Of,
        /// The webhook's number
        webhook: i64,
        /// The reason, which is kept with the webhook
        #[arg(long)]
        reason: String,
    },
    /// Go on posting to a disabled webhook from where it stopped
    Enable {
        #[command(flatten)]
        of: Of,
        /// The webhook's number
        webhook: i64,
    },
    /// Post the events after an event again
    Replay {
        #[command(flatten)]
        of: Of,
        /// The webhook's number
        webhook: i64,
        /// The event; 0 means the oldest that is kept
        #[arg(long, value_name = "ID", value_parser = clap::value_parser!(i64).range(0..))]
        after: i64,
    },
    /// Delete a webhook
    Remove {
        #[command(flatten)]
        of: Of,
        /// The webhook's number
        webhook: i64,
        #[command(flatten)]
        confirm: Confirm,
    },
}

/// The types of events, by their names.
fn kinds() -> impl clap::builder::TypedValueParser<Value = EventType> {
    let names = EventType::ALL.iter().map(|kind| kind.name());
    PossibleValuesParser::new(names).try_map(|name| {
        let unknown = || format!("there is no type {name}");
        EventType::from_name(&name).ok_or_else(unknown)
    })
}

impl Webhook {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        match self {
            Self::Add {
                of,
                url,
                kinds,
                key_pair,
                after,
            } => {
                let url = EndpointUrl::parse(&url, &settings.webhook_networks)?;
                let secret = NewSecret::make(key_pair)?;
                let webhook = NewWebhook {
                    url: url.as_str().to_owned(),
                    kinds: (!kinds.is_empty()).then_some(kinds),
                    secret: secret.sealed(of.id(), settings)?,
                    after,
                };
                let id = store.add_webhook(of.id(), webhook).await?;
                say!("{id}\t{}", secret.shown);
            }
            Self::List { of, shown } => {
                let mut list = shown.list(&[
                    "webhook",
                    "url",
                    "types",
                    "secrets",
                    "posted_up_to",
                    "waiting",
                    "to_try_again",
                    "last_taken",
                    "disabled",
                ]);
                for row in store.webhooks(of.known(store).await?).await? {
                    list.row(vec![
                        row.id.into(),
                        row.url.into(),
                        row.kinds.as_deref().unwrap_or("all").into(),
                        if row.has_two_secrets { 2 } else { 1 }.into(),
                        row.position.into(),
                        row.waiting.into(),
                        row.retries.into(),
                        row.succeeded.map(super::time).into(),
                        row.disabled.into(),
                    ])?;
                }
                list.end()?;
            }
            Self::Attempts { of, webhook, shown } => {
                let mut list = shown.list(&[
                    "ended",
                    "event",
                    "attempt",
                    "status",
                    "milliseconds",
                    "problem",
                ]);
                for row in store.webhook_attempts(of.id(), webhook).await? {
                    list.row(vec![
                        super::time(row.happened).into(),
                        row.number.into(),
                        row.attempt.into(),
                        row.status.into(),
                        row.milliseconds.into(),
                        row.problem.into(),
                    ])?;
                }
                list.end()?;
            }
            Self::Rotate {
                of,
                webhook,
                key_pair,
            } => {
                let secret = NewSecret::make(key_pair)?;
                let sealed = secret.sealed(of.id(), settings)?;
                store.rotate_webhook(of.id(), webhook, sealed).await?;
                say!("{}", secret.shown);
            }
            Self::Retire { of, webhook } => store.retire_webhook_secret(of.id(), webhook).await?,
            Self::Disable {
                of,
                webhook,
                reason,
            } => {
                let why = Some(reason);
                if goes_on(&format!("this stops posting to webhook {webhook}"))? {
                    store.set_webhook_disabled(of.id(), webhook, why).await?;
                }
            }
            Self::Enable { of, webhook } => {
                let what =
                    format!("this resumes posting to webhook {webhook} from where it stopped");
                if goes_on(&what)? {
                    store.set_webhook_disabled(of.id(), webhook, None).await?;
                }
            }
            Self::Replay { of, webhook, after } => {
                let events = Countable::EventsAfter(of.known(store).await?, after);
                let events = counted(store.counted(events).await?, "event");
                let what = format!(
                    "this posts the events after event {after} to webhook {webhook} again: {events} of the account"
                );
                if goes_on(&what)? {
                    store.replay_webhook(of.id(), webhook, after).await?;
                }
            }
            Self::Remove {
                of,
                webhook,
                confirm,
            } => {
                if confirm.asks(&format!("this deletes webhook {webhook} and its secrets"))? {
                    store.remove_webhook(of.id(), webhook).await?;
                }
            }
        }
        Ok(())
    }
}

/// A secret that was just made.
struct NewSecret {
    /// The text that signs.
    text: String,
    /// The text that the account is told: the secret, or the public key of a key pair.
    shown: String,
}

impl NewSecret {
    fn make(is_key_pair: bool) -> Result<Self, Failure> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes)?;
        let encoded = BASE64_STANDARD.encode(bytes);
        if !is_key_pair {
            let text = format!("whsec_{encoded}");
            return Ok(Self {
                shown: text.clone(),
                text,
            });
        }
        let pair =
            Ed25519KeyPair::from_seed_unchecked(&bytes).map_err(|_| "no key pair can be made")?;
        let public = BASE64_STANDARD.encode(pair.public_key());
        Ok(Self {
            text: format!("whsk_{encoded}"),
            shown: format!("whpk_{public}"),
        })
    }

    /// Seals the text that signs, for an account.
    fn sealed(&self, account: AccountId, settings: &Settings) -> Result<Vec<u8>, Failure> {
        let keys = KeyFile::read(&settings.key_file())?;
        Ok(keys.seal(&purpose(account.number()), self.text.as_bytes())?)
    }
}
