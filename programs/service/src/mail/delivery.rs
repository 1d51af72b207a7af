//! A delivery: what an email is made from.

use std::fmt;
use std::sync::Arc;

/// One delivery, with everything from which its email is made. Debug shows only the id.
#[derive(Clone)]
pub struct Delivery {
    /// Its number.
    pub id: i64,
    /// The part of its Message-ID before the `@`. It is unique to the delivery and never changes.
    pub message_id: String,
    /// When its call was accepted, in seconds since 1970: the header Date.
    pub created: i64,
    /// The effective sender address.
    pub from: String,
    /// The effective sender name.
    pub from_name: Option<String>,
    /// The reply address.
    pub reply_to: Option<String>,
    /// The recipient.
    pub to: String,
    /// The subject. That of a stored mailer is a template.
    pub subject: String,
    /// The HTML. That of a stored mailer is a template.
    pub html: Arc<str>,
    /// The values that personalize a stored mailer: the interface's names that it uses, with their values at acceptance.
    /// `None` for httpSendMail, whose subject and HTML are sent unchanged.
    pub fields: Option<Vec<(String, String)>>,
    /// The mailer's List-Unsubscribe, if it is set: a template of an `https:`, `http:` or `mailto:` URL. It is left out if
    /// its values make it longer than a header may be.
    pub list_unsubscribe: Option<String>,
    /// Whether the service's own List-Unsubscribe replaces the mailer's.
    pub unsubscribe: bool,
    /// Whether its call asked for opens to be tracked (`trackOpens`).
    pub track_opens: bool,
    /// Whether its call asked for clicks to be tracked (`trackClicks`).
    pub track_clicks: bool,
}

impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
