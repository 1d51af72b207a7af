//! Checks that a template is in the part of Jinja that mailers are written in.
//!
//! The text between two marks is split into tokens in the way of minijinja. Whether the tokens form an expression is left to
//! minijinja.

use std::collections::BTreeSet;

use super::{FILTERS, TemplateError};

/// The maximum depth of nesting. A deeper template is refused before minijinja sees it, because its parser is recursive.
const MAX_DEPTH: usize = 20;
/// The maximum number of tokens in one tag, for the same reason.
const MAX_TOKENS: usize = 100;
/// The maximum number of filters in one tag, because each urlencode makes a text longer.
const MAX_FILTERS: usize = 8;

/// Checks a template, and returns the names of the values that it uses.
pub(super) fn check(template: &str) -> Result<BTreeSet<&str>, TemplateError> {
    let mut names = BTreeSet::new();
    let mut rest = Rest { template, place: 0 };
    let mut depth = 0_usize;
    while let Some(mark) = rest.next_mark() {
        match mark {
            Mark::Comment => {
                rest.skip_past("#}")
                    .ok_or_else(|| rest.error("the comment has no end"))?;
            }
            Mark::Expression => {
                let tokens = rest.tokens("}}")?;
                rest.check_expression(&tokens, &mut names)?;
            }
            Mark::Statement => {
                let tokens = rest.tokens("%}")?;
                match tokens.split_first() {
                    Some((Token::Name("if"), condition)) => {
                        depth = depth.saturating_add(1);
                        rest.check_expression(condition, &mut names)?;
                    }
                    Some((Token::Name("elif"), condition)) => {
                        rest.check_expression(condition, &mut names)?;
                    }
                    Some((Token::Name("else"), [])) => {}
                    Some((Token::Name("endif"), [])) => depth = depth.saturating_sub(1),
                    _ => {
                        return Err(
                            rest.error("the statements of mailers are if, elif, else and endif")
                        );
                    }
                }
                if depth > MAX_DEPTH {
                    return Err(rest.error("too many ifs are nested"));
                }
            }
        }
    }
    Ok(names)
}

/// The mark that begins a tag.
enum Mark {
    Expression,
    Statement,
    Comment,
}

/// A token between two marks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Text,
    Bar,
    Open,
    Close,
    Comparison,
}

/// The rest of a template, from a position on.
struct Rest<'a> {
    template: &'a str,
    place: usize,
}

impl<'a> Rest<'a> {
    fn text(&self) -> &'a str {
        self.template.get(self.place..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) {
        self.place = self.place.saturating_add(bytes);
    }

    fn skip_past(&mut self, end: &str) -> Option<()> {
        let found = self.text().find(end)?;
        self.skip(found.saturating_add(end.len()));
        Some(())
    }

    /// Skips past the next mark that begins a tag, and returns the mark.
    fn next_mark(&mut self) -> Option<Mark> {
        loop {
            let found = self.text().find('{')?;
            self.skip(found.saturating_add(1));
            let mark = match self.text().bytes().next() {
                Some(b'{') => Mark::Expression,
                Some(b'%') => Mark::Statement,
                Some(b'#') => Mark::Comment,
                _ => continue,
            };
            self.skip(1);
            return Some(mark);
        }
    }

    /// Returns the tokens up to a mark, and skips past the mark.
    fn tokens(&mut self, end: &str) -> Result<Vec<Token<'a>>, TemplateError> {
        let mut tokens = Vec::new();
        // These signs keep or remove white space next to a tag.
        if self.text().starts_with(['-', '+']) {
            self.skip(1);
        }
        loop {
            let spaces = self
                .text()
                .len()
                .saturating_sub(self.text().trim_ascii_start().len());
            self.skip(spaces);
            let text = self.text();
            let signed = text.strip_prefix(['-', '+']).unwrap_or(text);
            if signed.starts_with(end) {
                self.skip(
                    text.len()
                        .saturating_sub(signed.len())
                        .saturating_add(end.len()),
                );
                return Ok(tokens);
            }
            let (token, bytes) = self.token()?;
            self.skip(bytes);
            tokens.push(token);
            if tokens.len() > MAX_TOKENS {
                return Err(self.error("the expression is too long"));
            }
        }
    }

    /// Returns the next token and its length.
    fn token(&self) -> Result<(Token<'a>, usize), TemplateError> {
        let text = self.text();
        let mut chars = text.chars();
        let token = match (chars.next(), chars.next()) {
            (None, _) => return Err(self.error("the tag has no end")),
            (Some('|'), _) => (Token::Bar, 1),
            (Some('('), _) => (Token::Open, 1),
            (Some(')'), _) => (Token::Close, 1),
            (Some('=' | '!'), Some('=')) => (Token::Comparison, 2),
            (Some(quote @ ('"' | '\'')), _) => {
                let body = text.get(1..).unwrap_or_default();
                let end = body
                    .find([quote, '\\', '\n'])
                    .filter(|end| body.get(*end..).is_some_and(|rest| rest.starts_with(quote)))
                    .ok_or_else(|| {
                        self.error("a text in quotes has no end, or it has a backslash")
                    })?;
                (Token::Text, end.saturating_add(2))
            }
            (Some('a'..='z' | 'A'..='Z' | '_'), _) => {
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
                (Token::Name(text.get(..end).unwrap_or_default()), end)
            }
            _ => {
                return Err(self.error(
                    "an expression may have only names, texts in quotes, filters, ==, !=, and, or, not and brackets",
                ));
            }
        };
        Ok(token)
    }

    /// Checks the filters and the names of an expression, and that it is not too deep. Adds its names to `names`.
    fn check_expression(
        &self,
        tokens: &[Token<'a>],
        names: &mut BTreeSet<&'a str>,
    ) -> Result<(), TemplateError> {
        let mut depth = 0_usize;
        let mut nots = 0_usize;
        let mut filters = 0_usize;
        let mut rest = tokens;
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match token {
                Token::Bar => {
                    filters = filters.saturating_add(1);
                    rest = self.check_filter(after)?;
                }
                Token::Open => depth = depth.saturating_add(1),
                Token::Close => depth = depth.saturating_sub(1),
                Token::Name("not") => nots = nots.saturating_add(1),
                Token::Name("and" | "or") => {}
                // Words with a meaning of their own in Jinja.
                Token::Name(
                    "if" | "else" | "in" | "is" | "true" | "false" | "none" | "loop" | "self"
                    | "super" | "caller" | "True" | "False" | "None",
                ) => {
                    return Err(self.error("this word is reserved and cannot be a name"));
                }
                Token::Name(_) if after.first() == Some(&Token::Open) => {
                    return Err(self.error("functions cannot be called"));
                }
                Token::Name(name) => {
                    names.insert(name);
                }
                Token::Text | Token::Comparison => {}
            }
            if depth > MAX_DEPTH || nots > MAX_DEPTH || filters > MAX_FILTERS {
                return Err(self.error("the expression has too many brackets, nots or filters"));
            }
        }
        Ok(())
    }

    /// Checks the filter at the start of `tokens`, and returns the tokens after it.
    fn check_filter<'t>(&self, tokens: &'t [Token<'a>]) -> Result<&'t [Token<'a>], TemplateError> {
        match tokens {
            [
                Token::Name("default"),
                Token::Open,
                Token::Text,
                Token::Close,
                rest @ ..,
            ] => Ok(rest),
            [Token::Name("default"), ..] => {
                Err(self.error("default needs one text, as in default(\"friend\")"))
            }
            [Token::Name(_), Token::Open, ..] => Err(self.error("this filter takes no argument")),
            [Token::Name(name), rest @ ..] if FILTERS.contains(name) => Ok(rest),
            _ => {
                Err(self
                    .error("the filters are upper, lower, trim, capitalize, urlencode and default"))
            }
        }
    }

    fn error(&self, what: &'static str) -> TemplateError {
        let before = self.template.get(..self.place).unwrap_or(self.template);
        let line = before.matches('\n').count().saturating_add(1);
        TemplateError::Syntax { line, what }
    }
}
