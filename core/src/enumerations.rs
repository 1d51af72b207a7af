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
mod tests {
    use alloc::collections::BTreeSet;

    use super::ENUMERATIONS;

    #[test]
    fn each_enumeration_has_one_name_and_each_of_its_words_one_number_name_and_identifier() {
        let names: BTreeSet<_> = ENUMERATIONS.iter().map(|own| own.name).collect();
        assert_eq!(names.len(), ENUMERATIONS.len());
        for own in ENUMERATIONS {
            let numbers: BTreeSet<_> = own.words.iter().map(|word| word.number).collect();
            let names: BTreeSet<_> = own.words.iter().map(|word| word.name).collect();
            let identifiers: BTreeSet<_> = own.words.iter().map(|word| word.identifier).collect();
            let counts = [numbers.len(), names.len(), identifiers.len()];
            assert_eq!(counts, [own.words.len(); 3], "{}", own.name);
            assert!(!own.about.is_empty() && own.words.iter().all(|word| !word.about.is_empty()));
        }
    }
}
