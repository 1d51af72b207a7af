//! Personalization of stored mailers.
//!
//! The language is a small part of Jinja, which minijinja compiles and runs: names, filters without arguments, `default`
//! with one argument, comparisons, and `if`. It has no loop, no assignment, and no operator that makes a text longer than
//! its parts. So the time and memory of a template are in proportion to its text and the values. A template that is
//! not in this part of Jinja is refused when it is stored.

mod check;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Rest, Value};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The longest text that a template may produce: as long as the longest call.
const MAX_BYTES: usize = 32 << 20;
/// The maximum number of steps of a template. A template of 32 MB takes fewer.
const FUEL: u64 = 50_000_000;
/// The longest List-Unsubscribe: a header line has at most 998 octets, and a URL cannot be folded.
const MAX_URL: usize = 900;

/// Why a template is not valid or cannot be filled in. The text names at most a line and a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// Something that is not part of the language.
    #[error("line {line}: {what}")]
    Syntax {
        /// The line.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// It takes too long, or produces too much text.
    #[error("the filled-in text is too long")]
    TooLong,
    /// The List-Unsubscribe is not a URL that fits into a header.
    #[error("List-Unsubscribe is not an https, http or mailto URL of at most {MAX_URL} characters")]
    Url,
}

/// A subscriber's values by the interface's names. Names without a value are empty.
#[derive(Clone, Copy, Default)]
pub(super) struct Values<'a> {
    /// The recipient's address, which is the field `email`.
    pub(super) email: &'a str,
    /// The other fields.
    pub(super) fields: &'a [(String, String)],
}

/// The name of the recipient's address.
const EMAIL: &str = "email";

/// The kind of text that is filled in.
#[derive(Clone, Copy)]
enum Place {
    Html,
    Subject,
    Url,
}

/// The texts of a stored mailer, each of which can be filled in. Debug shows nothing.
#[derive(Clone)]
pub struct Template {
    subject: String,
    html: String,
    list_unsubscribe: Option<String>,
    names: BTreeSet<String>,
}

impl Template {
    /// Reads a subject, an HTML text, and a template of an `https:`, `http:` or `mailto:` URL for the header
    /// List-Unsubscribe.
    ///
    /// # Errors
    /// A text is not in the language, or the URL is not valid with every name empty.
    pub fn parse(
        subject: String,
        html: String,
        list_unsubscribe: Option<String>,
    ) -> Result<Self, TemplateError> {
        let mut names = compiled(&subject, Place::Subject)?.1;
        names.append(&mut compiled(&html, Place::Html)?.1);
        if let Some(url) = &list_unsubscribe {
            self::list_unsubscribe(url, Values::default())?;
            names.append(&mut check::check(url)?);
        }
        // The address comes from the delivery itself.
        names.remove(EMAIL);
        let names = names.into_iter().map(str::to_owned).collect();
        Ok(Self {
            subject,
            html,
            list_unsubscribe,
            names,
        })
    }

    /// The subject.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The HTML.
    #[must_use]
    pub fn html(&self) -> &str {
        &self.html
    }

    /// The URL of the header List-Unsubscribe, if there is one.
    #[must_use]
    pub fn list_unsubscribe(&self) -> Option<&str> {
        self.list_unsubscribe.as_deref()
    }

    /// The names that it is filled in with, apart from `email`. A delivery stores the values of these names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Template")
    }
}

/// Fills in the HTML. Each value is escaped.
pub(super) fn html(template: &str, values: Values<'_>) -> Result<String, TemplateError> {
    filled(template, values, Place::Html)
}

/// Fills in the subject.
pub(super) fn subject(template: &str, values: Values<'_>) -> Result<String, TemplateError> {
    filled(template, values, Place::Subject)
}

/// Fills in the List-Unsubscribe. Each value is percent-encoded.
pub(super) fn list_unsubscribe(
    template: &str,
    values: Values<'_>,
) -> Result<String, TemplateError> {
    let url = filled(template, values, Place::Url)?;
    let has_scheme = ["https://", "http://", "mailto:"].iter().any(|scheme| {
        url.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let is_visible = |byte| matches!(byte, b'!'..=b'~') && !matches!(byte, b'<' | b'>' | b',');
    if has_scheme && url.len() <= MAX_URL && url.bytes().all(is_visible) {
        Ok(url)
    } else {
        Err(TemplateError::Url)
    }
}

fn filled(template: &str, values: Values<'_>, place: Place) -> Result<String, TemplateError> {
    let (environment, names) = compiled(template, place)?;
    // minijinja's value of an unknown name is printed as an empty text, but it is not equal to one.
    let empty = names.into_iter().map(|name| (name, Value::from("")));
    let mut context: BTreeMap<&str, Value> = empty.collect();
    let fields = values.fields.iter();
    context.extend(fields.map(|(name, value)| (name.as_str(), place.value(value))));
    context.insert(EMAIL, place.value(values.email));
    let mut out = Bounded::default();
    let failed = |error: &minijinja::Error| match error.kind() {
        ErrorKind::OutOfFuel | ErrorKind::WriteFailure => TemplateError::TooLong,
        _ => syntax(error),
    };
    let template = environment
        .get_template(NAME)
        .map_err(|error| failed(&error))?;
    template
        .render_captured_to(context, &mut out)
        .map_err(|error| failed(&error))?;
    // Templates and values are UTF-8, and so is the result.
    String::from_utf8(out.bytes).map_err(|_| TemplateError::TooLong)
}

const NAME: &str = "mailer";

/// Compiles a template. Returns it with the names that it uses.
fn compiled(
    template: &str,
    place: Place,
) -> Result<(Environment<'_>, BTreeSet<&str>), TemplateError> {
    let names = check::check(template)?;
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Lenient);
    let syntax_config = SyntaxConfig::builder()
        .keep_trailing_newline(true)
        .build()
        .map_err(|error| syntax(&error))?;
    environment.set_syntax(syntax_config);
    environment.set_fuel(Some(FUEL));
    environment.set_auto_escape_callback(move |_| match place {
        Place::Html => AutoEscape::Html,
        Place::Subject | Place::Url => AutoEscape::None,
    });
    environment.add_filter("upper", |value: &Value| text(value).to_uppercase());
    environment.add_filter("lower", |value: &Value| text(value).to_lowercase());
    environment.add_filter("trim", |value: &Value| text(value).trim().to_owned());
    environment.add_filter("capitalize", |value: &Value| capitalize(text(value)));
    environment.add_filter("urlencode", |value: &Value| urlencode(text(value)));
    environment.add_filter("default", |value: &Value, other: Rest<Value>| {
        if text(value).is_empty() {
            other.first().cloned().unwrap_or_default()
        } else {
            value.clone()
        }
    });
    environment
        .add_template(NAME, template)
        .map_err(|error| syntax(&error))?;
    Ok((environment, names))
}

/// The filters of the language. Only `default` has an argument.
const FILTERS: [&str; 6] = [
    "upper",
    "lower",
    "trim",
    "capitalize",
    "urlencode",
    "default",
];

fn syntax(error: &minijinja::Error) -> TemplateError {
    TemplateError::Syntax {
        line: error.line().unwrap_or(1),
        what: "this is not an expression",
    }
}

/// Returns the text of a value. It is empty for a name without a value.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(chars).collect()
}

fn urlencode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

impl Place {
    fn value(self, value: &str) -> Value {
        match self {
            Self::Html | Self::Subject => value.into(),
            Self::Url => urlencode(value).into(),
        }
    }
}

/// The output of a template, up to its limit.
#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > MAX_BYTES.saturating_sub(self.bytes.len()) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Values")
    }
}

#[cfg(test)]
mod tests;
