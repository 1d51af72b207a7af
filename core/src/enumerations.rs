//! All enumerations, for programs that generate them in another language.

use crate::code::Retry;
use crate::commit::Conflict;
use crate::decision::Judgement;
use crate::ending::Failure;
use crate::http::OUTCOMES;
use crate::notice::EventType;
use crate::operation::{Operation, ROUTES};
use crate::outcome::Event;
use crate::plan::{Encoding, RecipientRole};
use crate::policy::{AnswerStatus, AnswerValues, Batch, HiddenHosts};
use crate::roles::DomainRoles;
use crate::rule::{Phase, Rule};
use crate::text::form::HtmlEncoding;
use crate::warning::WarningKind;
use crate::word::Enumeration;

/// All enumerations of the library, each with its words, for programs that generate them in another language.
pub const ENUMERATIONS: &[Enumeration] = &[
    Operation::WORDS,
    ROUTES,
    Phase::WORDS,
    Rule::WORDS,
    WarningKind::WORDS,
    DomainRoles::WORDS,
    RecipientRole::WORDS,
    Encoding::WORDS,
    Conflict::WORDS,
    Failure::WORDS,
    OUTCOMES,
    Judgement::WORDS,
    Retry::WORDS,
    Event::WORDS,
    EventType::WORDS,
    Batch::WORDS,
    HtmlEncoding::WORDS,
    AnswerValues::WORDS,
    AnswerStatus::WORDS,
    HiddenHosts::WORDS,
];

#[cfg(test)]
mod tests;
