//! Personalization of stored mailers.

/// Why a template is none, or cannot be filled in. The text names a line and no content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(String);

/// A stored mailer's subject and HTML, as templates.
#[derive(Debug)]
pub struct Template {}

impl Template {
    /// Whether a mailer can be stored.
    ///
    /// # Errors
    /// What does not compile, and where.
    pub fn check(subject: &str, html: &str) -> Result<(), TemplateError>;
}
