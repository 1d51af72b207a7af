//! The JSON form of a host's answers, read and written.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::Keyed;
use crate::commit::{Commit, Conflict};
use crate::debug::expected;
use crate::facts::{Account, Facts, Mailer, Subscriber};
use crate::misuse::Misuse;
use crate::roles::DomainRoles;

/// An answer of a host, of any kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HostAnswer {
    /// The answer to the question for an account.
    Account(Option<Account>),
    /// The answer to the batch of questions.
    Facts(Facts),
    /// The result of carrying out the plan.
    Commit(Commit),
}

/// Why an answer in JSON was not taken. The call has not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonAnswerError {
    /// The text is not the JSON form of an answer.
    #[error(
        "the answer is not of the JSON form {{\"account\": ...}}, {{\"facts\": ...}} or {{\"commit\": ...}}: {0}"
    )]
    Form(String),
    /// It is an answer, but not to the question that was asked.
    #[error(transparent)]
    Misuse(#[from] Misuse),
}

impl JsonAnswerError {
    fn form(reason: impl ToString) -> Self {
        Self::Form(reason.to_string())
    }

    fn of_json(error: serde_json::Error) -> Self {
        Self::Form(expected(&error))
    }
}

impl HostAnswer {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`JsonAnswerError::Form`] when the text does not have the form.
    pub fn from_json(text: &str) -> Result<Self, JsonAnswerError> {
        let value: Value = serde_json::from_str(text).map_err(JsonAnswerError::of_json)?;
        Self::from_value(&value)
    }

    /// Reads an answer while a commit is awaited. A text that cannot be read, and does not claim to be about an account or
    /// facts, is [`Commit::Unknown`]: the host has answered the commit, but its result is not known.
    pub(crate) fn from_json_to_commit(text: &str) -> Result<Self, JsonAnswerError> {
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return Ok(Self::Commit(Commit::Unknown));
        };
        let is_of_others = ["account", "facts"].map(|kind| value.get(kind).is_some());
        match Self::from_value(&value) {
            Err(_) if is_of_others == [false, false] => Ok(Self::Commit(Commit::Unknown)),
            read => read,
        }
    }

    pub(crate) fn from_value(value: &Value) -> Result<Self, JsonAnswerError> {
        let form = AnswerForm::deserialize(value).map_err(JsonAnswerError::of_json)?;
        Ok(match form {
            AnswerForm::Account(account) => Self::Account(account.map(|Named(account)| account)),
            AnswerForm::Facts(Named(facts)) => Self::Facts(facts.into_facts()?),
            AnswerForm::Commit(commit) => Self::Commit(commit.into_commit()?),
        })
    }
}

/// A form that is read from an object only. For a plain struct, serde would also accept an array of the values.
struct Named<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamedVisitor(PhantomData))
    }
}

struct NamedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Named<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Named)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum AnswerForm<'a> {
    Account(Option<Named<Account>>),
    #[serde(borrow)]
    Facts(Named<FactsForm<'a>>),
    Commit(CommitForm),
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FactsForm<'a> {
    #[serde(borrow)]
    mailers: Vec<Option<Named<Mailer<'a>>>>,
    senders: Vec<bool>,
    #[serde(borrow)]
    subscriber_ids: Vec<Option<Named<Subscriber<'a>>>>,
    #[serde(borrow)]
    subscribers: Vec<Option<Named<Subscriber<'a>>>>,
    lists: Vec<bool>,
    domains: Vec<Vec<String>>,
}

impl FactsForm<'_> {
    fn into_facts(self) -> Result<Facts, JsonAnswerError> {
        let domains: Option<_> = self.domains.iter().map(|names| roles(names)).collect();
        let subscribers = |forms: Vec<Option<Named<Subscriber<'_>>>>| {
            forms.into_iter().map(|form| Some(form?.0)).collect()
        };
        let mailers = self.mailers.into_iter().map(|form| Some(form?.0));
        Ok(Facts {
            mailers: mailers.collect(),
            senders: self.senders,
            subscriber_ids: subscribers(self.subscriber_ids),
            subscribers: subscribers(self.subscribers),
            lists: self.lists,
            domains: domains.ok_or_else(|| {
                JsonAnswerError::form(
                    "a role of a domain is one of sender, reply_to, recipient and content",
                )
            })?,
        })
    }
}

fn roles(names: &[String]) -> Option<DomainRoles> {
    names.iter().try_fold(DomainRoles::NONE, |roles, name| {
        Some(roles | DomainRoles::from_name(name)?)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, untagged)]
enum CommitForm {
    Done { transaction_id: Number },
    Conflict { conflict: String },
    Unknown { unknown: bool },
}

impl CommitForm {
    fn into_commit(self) -> Result<Commit, JsonAnswerError> {
        match self {
            // A number that is not a whole number becomes 0. That is not a transaction id, so answering with it is a misuse.
            Self::Done { transaction_id } => Ok(Commit::Done {
                transaction_id: transaction_id.as_u64().unwrap_or(0),
            }),
            Self::Unknown { unknown: true } => Ok(Commit::Unknown),
            Self::Unknown { unknown: false } => {
                Err(JsonAnswerError::form("unknown is true, or left out"))
            }
            Self::Conflict { conflict } => match Conflict::from_name(&conflict) {
                Some(conflict) => Ok(Commit::Conflict(conflict)),
                None => {
                    let names = Conflict::ALL.iter().map(|conflict| conflict.name());
                    let names = names.collect::<Vec<_>>().join(", ");
                    Err(JsonAnswerError::form(alloc::format!(
                        "there is no such conflict; known are {names}"
                    )))
                }
            },
        }
    }
}

impl Serialize for Commit {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Done { transaction_id } => {
                Keyed("transaction_id", transaction_id).serialize(serializer)
            }
            Self::Conflict(conflict) => Keyed("conflict", conflict.name()).serialize(serializer),
            Self::Unknown => Keyed("unknown", true).serialize(serializer),
        }
    }
}
