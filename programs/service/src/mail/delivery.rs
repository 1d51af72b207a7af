//! What an email is made of.

use std::fmt;
use std::sync::Arc;

/// One delivery, with everything that its email is made of. Debug shows the id alone.
#[derive(Clone)]
pub struct Delivery {
    /// Its number.
    pub id: i64,
    /// What its Message-ID has before the `@`: it is the delivery's own, and never changes.
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
    /// The subject; of a stored mailer it is a template.
    pub subject: String,
    /// The HTML; of a stored mailer it is a template.
    pub html: Arc<str>,
    /// What a stored mailer is personalized by: the interface's names that it uses, and their values at acceptance. `None` on
    /// httpSendMail, whose subject and HTML go out as they are.
    pub fields: Option<Vec<(String, String)>>,
    /// The mailer's List-Unsubscribe, if it is set: a template of an `https:`, `http:` or `mailto:` URL. One that its values
    /// make longer than a header may be is left out.
    pub list_unsubscribe: Option<String>,
    /// Whether the service's own List-Unsubscribe is set, in place of the mailer's.
    pub unsubscribe: bool,
    /// Whether its call has asked for its opens (`trackOpens`).
    pub track_opens: bool,
    /// Whether its call has asked for its clicks (`trackClicks`).
    pub track_clicks: bool,
}

impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
