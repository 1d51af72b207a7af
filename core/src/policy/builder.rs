//! Collecting the settings of a policy, and checking them.

use alloc::string::ToString;
use alloc::sync::Arc;

use super::{AnswerStatus, AnswerValues, Batch, MAX_BODY, Policy, PolicyError, Settings, Shared};
use crate::text::date::Day;
use crate::text::form::HtmlEncoding;
use crate::text::placeholder::Pairs;

/// Collects settings for a [`Policy`]. Each method takes the place of the default.
#[derive(Clone, Debug, Default)]
pub struct PolicyBuilder {
    pub(super) settings: Settings,
    pub(super) error: Option<PolicyError>,
}

impl PolicyBuilder {
    /// See [`Policy::max_requests`]; 1 to 2,147,483,647.
    #[must_use]
    pub fn max_requests(mut self, value: u64) -> Self {
        self.settings.max_requests = value;
        self
    }

    /// See [`Policy::max_bytes`]; 1 to 2,147,483,647.
    #[must_use]
    pub fn max_bytes(mut self, value: u64) -> Self {
        self.settings.max_bytes = value;
        self
    }

    /// See [`Policy::max_attempts`]; 1 to 2,147,483,647.
    #[must_use]
    pub fn max_attempts(mut self, value: u64) -> Self {
        self.settings.max_attempts = value;
        self
    }

    /// See [`Policy::today`].
    #[must_use]
    pub fn today(mut self, value: Option<Day>) -> Self {
        self.settings.today = value;
        self
    }

    /// See [`Policy::batch`].
    #[must_use]
    pub fn batch(mut self, value: Batch) -> Self {
        self.settings.batch = value;
        self
    }

    /// See [`Policy::empty_clears`].
    #[must_use]
    pub fn empty_clears(mut self, value: bool) -> Self {
        self.settings.empty_clears = value;
        self
    }

    /// See [`Policy::html_encoding`].
    #[must_use]
    pub fn html_encoding(mut self, value: HtmlEncoding) -> Self {
        self.settings.html_encoding = value;
        self
    }

    /// See [`Policy::placeholders`]: pairs of an opening and a closing mark, which may be equal. No pairs: nothing is
    /// a placeholder. An empty mark is refused when the policy is built.
    #[must_use]
    pub fn placeholders<'a>(mut self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        match Pairs::new(pairs) {
            Ok(pairs) => self.settings.placeholders = pairs,
            Err(error) => {
                self.error = Some(PolicyError {
                    key: "placeholders",
                    reason: error.to_string(),
                });
            }
        }
        self
    }

    /// See [`Policy::answer_values`].
    #[must_use]
    pub fn answer_values(mut self, value: AnswerValues) -> Self {
        self.settings.answer_values = value;
        self
    }

    /// See [`Policy::answer_status`].
    #[must_use]
    pub fn answer_status(mut self, value: AnswerStatus) -> Self {
        self.settings.answer_status = value;
        self
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// [`PolicyError`] that names the first setting that cannot be.
    pub fn build(self) -> Result<Policy, PolicyError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let limits = [
            ("max_requests", self.settings.max_requests),
            ("max_bytes", self.settings.max_bytes),
            ("max_attempts", self.settings.max_attempts),
        ];
        for (key, value) in limits {
            if value == 0 || value > MAX_BODY {
                return Err(PolicyError {
                    key,
                    reason: "give a whole number from 1 to 2147483647".to_string(),
                });
            }
        }
        Ok(Policy(if self.settings == Settings::DEFAULT {
            Shared::Default
        } else {
            Shared::Own(Arc::new(self.settings))
        }))
    }
}
