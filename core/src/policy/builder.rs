//! Collecting the settings of a policy, and checking them.

use alloc::sync::Arc;

use super::{MAX_BODY, Policy, PolicyError, Settings, Shared};
use crate::text::placeholder::Pairs;

/// Collects settings for a [`Policy`]. Each method takes the place of the default.
#[derive(Clone, Debug, Default)]
pub struct PolicyBuilder {
    pub(super) settings: Settings,
    pub(super) error: Option<PolicyError>,
}

impl PolicyBuilder {
    /// See [`Policy::placeholders`]: pairs of an opening and a closing mark, which may be equal. No pairs: nothing is
    /// a placeholder. An empty mark is refused when the policy is built.
    #[must_use]
    pub fn placeholders<'a>(mut self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        match Pairs::new(pairs) {
            Ok(pairs) => self.settings.placeholders = pairs,
            Err(error) => self.error = Some(PolicyError::new("placeholders", error)),
        }
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
                let reason = "give a whole number from 1 to 2147483647";
                return Err(PolicyError::new(key, reason));
            }
        }
        Ok(Policy(if self.settings == Settings::DEFAULT {
            Shared::Default
        } else {
            Shared::Own(Arc::new(self.settings))
        }))
    }
}
