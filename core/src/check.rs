//! The checks: one small function for each rule. Deciding and the preflight use the same functions.

pub(crate) mod order;

use crate::rule::Rule;
use crate::violation::{BodyPlace, FoundViolation, member};
use crate::wire::field::Field;
use crate::wire::json::Value;

/// Where judging a rule continues: a field, by its position in the interface, and a position within its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cursor {
    pub(crate) field: usize,
    pub(crate) at: usize,
}

impl Cursor {
    /// The end of the rule: nothing is left to judge.
    pub(crate) const END: Self = Self::new(usize::MAX, 0);

    pub(crate) const fn new(field: usize, at: usize) -> Self {
        Self { field, at }
    }
}

/// A place where a rule is broken, and where the search for the next one goes on.
pub(crate) type Broken = Option<(BodyPlace, Cursor)>;

/// All violations of the rules: for each rule in turn, every place that breaks it.
pub(crate) fn in_order(
    rules: &'static [Rule],
    request: Option<u32>,
    judge: impl Fn(Rule, Cursor) -> Broken,
) -> impl Iterator<Item = FoundViolation> {
    let mut from = Cursor::default();
    let mut left = rules;
    core::iter::from_fn(move || {
        while let [rule, rest @ ..] = left {
            if let Some((place, next)) = judge(*rule, from) {
                from = next;
                return Some(FoundViolation {
                    rule: *rule,
                    request,
                    place,
                });
            }
            from = Cursor::default();
            left = rest;
        }
        None
    })
}

/// The result of a rule that can be broken only once.
pub(crate) fn once(from: Cursor, is_broken: bool, place: impl FnOnce() -> BodyPlace) -> Broken {
    (is_broken && from == Cursor::default()).then(|| (place(), Cursor::END))
}

/// The first of these fields, at or after the cursor, whose value breaks a rule.
pub(crate) fn first_field<F: Field>(
    from: Cursor,
    fields: impl IntoIterator<Item = F>,
    get: impl Fn(F) -> Value,
    is_broken: impl Fn(F, Value) -> bool,
) -> Broken {
    let field = fields
        .into_iter()
        .find(|field| field.index() >= from.field && is_broken(*field, get(*field)))?;
    let next = Cursor::new(field.index() + 1, 0);
    Some((member(field, get(field)), next))
}
