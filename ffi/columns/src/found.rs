//! The findings in calls, as columns.

use franking::{Code, Preflight, Rule, Violation};

use crate::array::{Array, Buffer, Type};
use crate::builder::{Bits, Numbers, Rules, Texts, batch, signed};
use crate::error::ColumnError;

/// The columns of a violation.
#[derive(Default)]
struct Violations {
    code: Numbers<i32>,
    rule: Rules,
    pointer: Texts,
    start: Numbers<i64>,
    end: Numbers<i64>,
    request: Numbers<i64>,
}

/// One row of [`Violations`].
#[derive(Default)]
struct OneViolation<'a> {
    code: Option<i32>,
    rule: Option<Rule>,
    pointer: Option<&'a str>,
    span: Option<(i64, i64)>,
    request: Option<i64>,
}

impl Violations {
    fn push(&mut self, row: &OneViolation<'_>) -> Result<(), ColumnError> {
        self.code.push(row.code);
        self.rule.push(row.rule)?;
        self.pointer.push(row.pointer)?;
        self.start.push(row.span.map(|(start, _)| start));
        self.end.push(row.span.map(|(_, end)| end));
        self.request.push(row.request);
        Ok(())
    }

    fn push_violation(&mut self, violation: &Violation<'_>) -> Result<(), ColumnError> {
        let pointer = violation.pointer();
        let span = violation.span();
        let span = span.map(|span| Ok((signed(span.start)?, signed(span.end)?)));
        self.push(&OneViolation {
            code: Some(violation.code().number().into()),
            rule: Some(violation.rule()),
            pointer: pointer.as_deref(),
            span: span.transpose()?,
            request: violation.request().map(i64::from),
        })
    }

    fn into_arrays(self) -> Result<Vec<Array>, ColumnError> {
        Ok(vec![
            self.code.into_array(Buffer::Small, None),
            self.rule.into_array()?,
            self.pointer.into_array(),
            self.start.into_array(Buffer::Large, None),
            self.end.into_array(Buffer::Large, None),
            self.request.into_array(Buffer::Large, None),
        ])
    }

    fn types() -> Vec<Type> {
        vec![
            Type::new(c"code", c"i"),
            Rules::column_type(c"rule"),
            Type::new(c"pointer", c"u"),
            Type::new(c"start", c"l"),
            Type::new(c"end", c"l"),
            Type::new(c"request", c"l"),
        ]
    }
}

/// All violations of each row.
struct All {
    valid: Bits,
    ends: Vec<i32>,
    violations: Violations,
}

impl All {
    /// Adds the violations of a call that its JSON form lists. Returns the first violation, and the number of all
    /// violations.
    fn push<'c>(
        &mut self,
        call: &'c Preflight<'_>,
    ) -> Result<(Option<Violation<'c>>, usize), ColumnError> {
        let (mut first, mut count) = (None, 0_usize);
        let mut listed = call.listed();
        for violation in &mut listed {
            self.violations.push_violation(&violation)?;
            count = count.saturating_add(1);
            first = first.or(Some(violation));
        }
        self.end(true)?;
        Ok((first, count.saturating_add(listed.more())))
    }

    /// Ends the list of a row.
    fn end(&mut self, is_valid: bool) -> Result<(), ColumnError> {
        self.valid.push(is_valid);
        let end = i32::try_from(self.violations.code.numbers.len());
        self.ends.push(end.map_err(|_| ColumnError::TooLarge)?);
        Ok(())
    }
}

/// The findings in calls: one row for each call.
pub(crate) struct Found {
    length: usize,
    first: Violations,
    violations: Numbers<i64>,
    warnings: Numbers<i64>,
    all: Option<All>,
}

impl Found {
    /// `has_all` says whether there is a column `all`.
    pub(crate) fn new(has_all: bool) -> Self {
        Self {
            length: 0,
            first: Violations::default(),
            violations: Numbers::default(),
            warnings: Numbers::default(),
            all: has_all.then(|| All {
                valid: Bits::default(),
                ends: vec![0],
                violations: Violations::default(),
            }),
        }
    }

    /// Adds the findings in a call. `None` adds a row of nulls.
    pub(crate) fn push(&mut self, call: Option<&Preflight<'_>>) -> Result<(), ColumnError> {
        self.length = self.length.saturating_add(1);
        let Some(call) = call else {
            self.first.push(&OneViolation::default())?;
            self.violations.push(None);
            self.warnings.push(None);
            return match &mut self.all {
                Some(all) => all.end(false),
                None => Ok(()),
            };
        };
        let (first, count) = match &mut self.all {
            // The list begins with the first violation.
            Some(all) => all.push(call)?,
            None => {
                let mut violations = call.violations();
                let first = violations.next();
                let others = violations.count();
                let count = others.saturating_add(usize::from(first.is_some()));
                (first, count)
            }
        };
        match &first {
            Some(first) => self.first.push_violation(first)?,
            None => self.first.push(&OneViolation {
                code: Some(Code::SUCCESS.number().into()),
                ..OneViolation::default()
            })?,
        }
        self.violations.push(Some(signed(count)?));
        self.warnings.push(Some(signed(call.warnings().count())?));
        Ok(())
    }

    pub(crate) fn into_array(self) -> Result<Array, ColumnError> {
        let mut children = self.first.into_arrays()?;
        children.push(self.violations.into_array(Buffer::Large, None));
        children.push(self.warnings.into_array(Buffer::Large, None));
        if let Some(all) = self.all {
            let rows = all.violations.code.numbers.len();
            let of_each = batch(rows, all.violations.into_arrays()?);
            children.push(Array {
                length: self.length,
                nulls: all.valid.nulls,
                buffers: vec![all.valid.into_buffer(), Buffer::Small(all.ends)],
                children: vec![of_each],
                dictionary: None,
            });
        }
        Ok(batch(self.length, children))
    }

    /// The type of the batches.
    pub(crate) fn batch_type(has_all: bool, metadata: Vec<(String, String)>) -> Type {
        let mut children = Violations::types();
        children.push(Type::new(c"violations", c"l"));
        children.push(Type::new(c"warnings", c"l"));
        if has_all {
            let mut all = Type::new(c"all", c"+l");
            all.children = vec![Type {
                children: Violations::types(),
                ..Type::new(c"item", c"+s")
            }];
            children.push(all);
        }
        Type {
            is_nullable: false,
            metadata,
            children,
            ..Type::new(c"", c"+s")
        }
    }
}
