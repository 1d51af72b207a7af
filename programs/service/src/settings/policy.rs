//! The policy by which calls are decided.

// clock: the date of today.
use std::time::SystemTime;

use franking::Policy;

use super::Settings;
use crate::telemetry::day_of;

impl Settings {
    /// The policy for a call that comes now: with the date of today if `retire` asks for it. `None` if the system's clock has
    /// no valid date.
    pub(crate) fn policy_of_today(&self) -> Option<Policy> {
        if !self.retire {
            return Some(self.policy.clone());
        }
        let today = day_of(SystemTime::now())?;
        self.policy.to_builder().today(Some(today)).build().ok()
    }
}
