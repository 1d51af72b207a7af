//! Counts the findings.

use std::collections::BTreeMap;
use std::io::{self, Write};

use arrow_array::{Array as _, ArrayRef};
use franking::{Code, Rule};
use serde::{Deserialize, Serialize};

/// The code of a call without violations.
pub(crate) const SUCCESS: i32 = Code::SUCCESS.number() as i32;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// It was checked.
    Checked { code: i32, rule: Option<Rule> },
    /// It was decided twice. A decision that ended without a code has `None`.
    Twice {
        then: Option<i32>,
        now: Option<i32>,
        /// The rule that refuses it now.
        rule: Option<Rule>,
    },
}

impl Outcome {
    /// Whether the call was refused, or decided in another way than before.
    pub(crate) fn is_notable(self) -> bool {
        match self {
            Self::Checked { code, .. } => code != SUCCESS,
            Self::Twice { then, now, .. } => then != now,
        }
    }
}

/// The number of calls with each outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) calls: u64,
    /// Rows without a call, or without its operation.
    pub(crate) empty: u64,
    pub(crate) violations: u64,
    pub(crate) warnings: u64,
    outcomes: BTreeMap<Outcome, u64>,
    /// Transcripts that do not answer a question, by what they lack.
    needs: BTreeMap<String, u64>,
}

impl Summary {
    /// Counts calls that were not judged.
    pub(crate) fn of_calls(calls: &ArrayRef) -> Self {
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let empty = calls.logical_null_count();
        Self {
            calls: number(calls.len().saturating_sub(empty)),
            empty: number(empty),
            ..Self::default()
        }
    }

    /// Counts a row. `None` means a row without a call.
    pub(crate) fn count(&mut self, outcome: Option<Outcome>) {
        match outcome {
            Some(outcome) => {
                self.calls += 1;
                *self.outcomes.entry(outcome).or_default() += 1;
            }
            None => self.empty += 1,
        }
    }

    /// Counts a transcript that lacks something.
    pub(crate) fn count_need(&mut self, what: &str) {
        self.calls += 1;
        match self.needs.get_mut(what) {
            Some(count) => *count += 1,
            None => {
                self.needs.insert(what.to_owned(), 1);
            }
        }
    }

    /// Adds the counts of other calls.
    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.empty += other.empty;
        self.violations += other.violations;
        self.warnings += other.warnings;
        for (outcome, count) in &other.outcomes {
            *self.outcomes.entry(*outcome).or_default() += count;
        }
        for (what, count) in &other.needs {
            *self.needs.entry(what.clone()).or_default() += count;
        }
    }

    /// The number of calls that are refused or changed.
    pub(crate) fn notable(&self) -> u64 {
        let outcomes = self.outcomes.iter();
        outcomes
            .filter_map(|(outcome, count)| outcome.is_notable().then_some(count))
            .sum()
    }

    /// The outcomes that are notable, the most frequent first.
    pub(crate) fn by_count(&self) -> Vec<(Outcome, u64)> {
        let outcomes = self.outcomes.iter();
        let mut notable: Vec<_> = outcomes
            .filter(|(outcome, _)| outcome.is_notable())
            .map(|(outcome, count)| (*outcome, *count))
            .collect();
        notable.sort_by_key(|(outcome, count)| (core::cmp::Reverse(*count), *outcome));
        notable
    }

    /// Writes the summary for people. `done` determines the words for calls that are notable and for those that are not.
    ///
    /// # Errors
    /// The error of the writer.
    pub(crate) fn write(&self, out: &mut dyn Write, done: Done) -> io::Result<()> {
        let (usual, notable) = done.words();
        let lacking: u64 = self.needs.values().sum();
        let usual_count = self.calls - self.notable() - lacking;
        write!(out, "{} calls", grouped(self.calls))?;
        if done != Done::Converted {
            write!(out, ": {} {usual}", grouped(usual_count))?;
            write!(out, ", {} {notable}", grouped(self.notable()))?;
        }
        if lacking > 0 {
            write!(out, ", {} not decided again", grouped(lacking))?;
        }
        if self.empty > 0 {
            write!(out, "; {} rows without a call", grouped(self.empty))?;
        }
        if done == Done::Checked {
            write!(
                out,
                "; {} violations, {} warnings",
                grouped(self.violations),
                grouped(self.warnings)
            )?;
        }
        writeln!(out)?;
        let rows: Vec<_> = self.by_count();
        if !rows.is_empty() {
            writeln!(out)?;
        }
        let of_all = |count: u64| 100.0 * count as f64 / self.calls.max(1) as f64;
        for (outcome, count) in rows {
            let label = label(outcome);
            writeln!(
                out,
                "{:>15}  {:>6.2} %  {label}",
                grouped(count),
                of_all(count)
            )?;
        }
        if lacking > 0 {
            writeln!(out, "\nNot decided again, because the transcript lacks:")?;
            for (what, count) in &self.needs {
                writeln!(
                    out,
                    "{:>15}  {:>6.2} %  {what}",
                    grouped(*count),
                    of_all(*count)
                )?;
            }
        }
        Ok(())
    }

    /// Its JSON form.
    pub(crate) fn to_form(&self) -> SummaryForm {
        let outcomes = self.outcomes.iter();
        let outcomes = outcomes.map(|(outcome, calls)| {
            let (code_then, code, rule) = match *outcome {
                Outcome::Checked { code, rule } => (None, Some(code), rule),
                Outcome::Twice { then, now, rule } => (Some(then), now, rule),
            };
            OutcomeForm {
                code_then,
                code,
                rule: rule.map(|rule| rule.identifier().to_owned()),
                calls: *calls,
            }
        });
        SummaryForm {
            calls: self.calls,
            empty: self.empty,
            violations: self.violations,
            warnings: self.warnings,
            outcomes: outcomes.collect(),
            needs: self.needs.clone(),
        }
    }
}

/// The work that was done on calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Checked,
    DecidedAgain,
    Converted,
}

impl Done {
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Checked => ("accepted", "refused"),
            Self::DecidedAgain => ("unchanged", "changed"),
            Self::Converted => ("written", ""),
        }
    }
}

/// An outcome for people.
pub(crate) fn label(outcome: Outcome) -> String {
    let code = |code: Option<i32>| code.map_or("no code".to_owned(), |code| code.to_string());
    let with = |rule: Option<Rule>| rule.map_or(String::new(), |rule| format!(" {rule}"));
    match outcome {
        Outcome::Checked { code, rule } => format!("{code}{}", with(rule)),
        Outcome::Twice { then, now, rule } => {
            format!("{} is now {}{}", code(then), code(now), with(rule))
        }
    }
}

/// A number with a comma after each three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The JSON form of a summary.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SummaryForm {
    calls: u64,
    empty: u64,
    violations: u64,
    warnings: u64,
    outcomes: Vec<OutcomeForm>,
    needs: BTreeMap<String, u64>,
}

/// The JSON form of an outcome. It has `code_then` if the call was decided twice.
#[derive(Debug, Serialize, Deserialize)]
struct OutcomeForm {
    #[serde(default, skip_serializing_if = "Option::is_none", with = "twice")]
    code_then: Option<Option<i32>>,
    code: Option<i32>,
    rule: Option<String>,
    calls: u64,
}

/// A member that is absent, null or a number.
mod twice {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(
        value: &Option<Option<i32>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        value.flatten().serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<Option<Option<i32>>, D::Error> {
        Option::deserialize(from).map(Some)
    }
}

impl SummaryForm {
    /// The summary, or `None` if it names a rule that this version does not have.
    pub(crate) fn into_summary(self) -> Option<Summary> {
        let outcomes = self.outcomes.into_iter().map(|form| {
            let rule = match form.rule {
                Some(name) => Some(Rule::from_identifier(&name)?),
                None => None,
            };
            let outcome = match form.code_then {
                Some(then) => Outcome::Twice {
                    then,
                    now: form.code,
                    rule,
                },
                None => Outcome::Checked {
                    code: form.code?,
                    rule,
                },
            };
            Some((outcome, form.calls))
        });
        Some(Summary {
            calls: self.calls,
            empty: self.empty,
            violations: self.violations,
            warnings: self.warnings,
            outcomes: outcomes.collect::<Option<_>>()?,
            needs: self.needs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_the_same_after_its_json_form() {
        let mut summary = Summary {
            violations: 7,
            warnings: 2,
            ..Summary::default()
        };
        let rule = Rule::from_identifier("recipient-malformed");
        summary.count(Some(Outcome::Checked { code: 411, rule }));
        summary.count(Some(Outcome::Checked {
            code: 200,
            rule: None,
        }));
        summary.count(Some(Outcome::Twice {
            then: None,
            now: Some(414),
            rule,
        }));
        summary.count(None);
        summary.count_need("domains");
        let form = serde_json::to_string(&summary.to_form()).unwrap();
        let form: SummaryForm = serde_json::from_str(&form).unwrap();
        assert_eq!(form.into_summary(), Some(summary));
    }

    #[test]
    fn numbers_have_a_comma_after_each_three_digits() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }
}
