//! What comes back after an email was sent.

mod enhanced_code;
mod report;

pub use enhanced_code::{Class, EnhancedCode};
pub use report::{Action, MessageId, RecipientStatus, Report, ReportKind};
