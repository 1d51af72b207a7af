//! The HTML of an email with tracked opens and clicks, and the targets of its links.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::Delivery;
use super::template::{self, TemplateError, Values};
use crate::outcomes::{TrackingLinks, Wanted, rewritten, targets};

/// The parts from which the HTML of a delivery is made. Debug shows none of them.
#[derive(Clone)]
pub struct SentHtml {
    /// The recipient.
    pub to: String,
    /// The HTML. That of a stored mailer is a template.
    pub html: Arc<str>,
    /// The values that personalize a stored mailer. `None` for httpSendMail.
    pub fields: Option<Vec<(String, String)>>,
}

impl fmt::Debug for SentHtml {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SentHtml")
    }
}

impl SentHtml {
    /// Returns the target of a link: the URL as it is in the email, which is visible ASCII and begins with `http://` or
    /// `https://`. `place` is the link's position among the links that can be tracked, counted from 0.
    ///
    /// This takes time in proportion to the HTML. Returns `None` if the email has no such link.
    #[must_use]
    pub fn target(&self, place: u64) -> Option<String> {
        let fields = self.fields.as_deref();
        let html = filled_in(&self.html, &self.to, fields).ok()?;
        let mut found = targets(&html, wanted(fields)).targets.into_iter();
        found.nth(place.try_into().ok()?).map(|target| target.url)
    }
}

/// Returns the HTML that a recipient gets. That of httpSendMail stays as it is, and that of a stored mailer is filled in.
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

/// Returns the HTML of a delivery with the tracked links and the image that its call asked for.
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
        let target = found.targets.get(place).filter(|_| clicks)?;
        Some(links.link(id, place.try_into().ok()?, &target.url))
    };
    let image = opens.then(|| links.image(id));
    rewritten(html, &found, link, image.as_deref()).into()
}

/// Returns which links are rewritten. A stored email is not judged, so all links that can be found are rewritten.
fn wanted(fields: Option<&[(String, String)]>) -> Wanted {
    match fields {
        Some(_) => Wanted::Stored,
        None => Wanted::Judged,
    }
}
