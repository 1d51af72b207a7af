//! The HTML of an email whose opens and clicks are tracked, and where its links lead.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::Delivery;
use super::template::{self, TemplateError, Values};
use crate::outcomes::{Tracked, TrackingLinks, Wanted, rewritten, targets};

/// What the HTML of a delivery is made of. Debug shows nothing of it.
#[derive(Clone)]
pub struct SentHtml {
    /// The recipient.
    pub to: String,
    /// The HTML; of a stored mailer it is a template.
    pub html: Arc<str>,
    /// What a stored mailer is personalized by; `None` on httpSendMail.
    pub fields: Option<Vec<(String, String)>>,
}

impl fmt::Debug for SentHtml {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SentHtml")
    }
}

impl SentHtml {
    /// Where a link leads: the URL as the email has it, visible ASCII that begins with `http://` or `https://`. `place` is that among
    /// the links that can be tracked, from 0 on.
    ///
    /// It takes time in proportion to the HTML. `None` where the email has no such link.
    #[must_use]
    pub fn target(&self, place: u64) -> Option<String> {
        let fields = self.fields.as_deref();
        let html = filled_in(&self.html, &self.to, fields).ok()?;
        let mut found = targets(&html, wanted(fields)).targets.into_iter();
        found.nth(place.try_into().ok()?).map(|target| target.url)
    }
}

/// The HTML that a recipient gets: that of httpSendMail as it is, that of a stored mailer filled in.
pub(super) fn filled_in<'h>(
    html: &'h str,
    to: &str,
    fields: Option<&[(String, String)]>,
) -> Result<Cow<'h, str>, TemplateError> {
    Ok(match fields {
        None => html.into(),
        Some(fields) => template::html(html, Values { email: to, fields })?.into(),
    })
}

/// The HTML of a delivery with tracked links and an image, as far as its call has asked for them.
pub(super) fn tracked<'h>(
    html: &'h str,
    delivery: &Delivery,
    links: &TrackingLinks,
) -> Cow<'h, str> {
    let (opens, clicks) = (delivery.track_opens, delivery.track_clicks);
    let (true, Ok(id)) = (opens || clicks, u64::try_from(delivery.id)) else {
        return html.into();
    };
    let found = targets(html, wanted(delivery.fields.as_deref()));
    let link = |place: usize| {
        let place = clicks.then_some(place)?.try_into().ok()?;
        Some(links.url(Tracked::Link(id, place)))
    };
    let image = opens.then(|| links.url(Tracked::Image(id)));
    rewritten(html, &found, link, image.as_deref()).into()
}

/// A stored email is not judged: all that can be found is wanted.
fn wanted(fields: Option<&[(String, String)]>) -> Wanted {
    match fields {
        Some(_) => Wanted::Stored,
        None => Wanted::Judged,
    }
}
