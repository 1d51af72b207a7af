//! Encoding and decoding of HTML, the hosts of its links, and placeholders.

use franking_core::unstable::text::{form, links, placeholder};

use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{Guarded, check_out, get, put_out, run_alone, run_next};
use crate::memory::{ask_for_hosts, ask_for_links};
use crate::numbers::value;
use crate::policy::FrankingPolicy;
use crate::size::{check_sized, write_sized};
use crate::status::{Fail, More, Outcome};
use crate::strings::FrankingStrings;
use crate::text::{FrankingSpan, FrankingString, FrankingText, first};
use crate::tool_records::FrankingLink;

/// Decodes the text of a body field, at most once, as a call does. setting is one of FRANKING_HTML_ENCODING. Unless encoding
/// is NULL, *encoding says how the text was sent: one of FRANKING_ENCODING. The string is owned: free it with
/// franking_string_free.
///
/// Fails with FRANKING_STATUS_INVALID when the decoded bytes are not UTF-8, with FRANKING_STATUS_MEMORY when there is not
/// enough memory for them, and with FRANKING_STATUS_ARGUMENT when setting is another number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_html_decode(
    text: FrankingText,
    setting: i32,
    html: *mut *mut FrankingString,
    encoding: *mut i32,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        let setting = value(setting, form::HtmlEncoding::from_number)
            .ok_or_else(|| Fail::argument("setting is not one of FRANKING_HTML_ENCODING"))?;
        check_out(html, "html")?;
        let (decoded, sent_as) = decode(text, setting)?;
        if !encoding.is_null() {
            // SAFETY: the caller passes NULL or a place for a number.
            unsafe { put_out(encoding, i32::from(sent_as.number())) }?;
        }
        // SAFETY: checked above.
        unsafe { put_out(html, FrankingString::new(decoded)?) }
    })
}

/// Decodes a text. Allocations may fail.
fn decode(text: &str, setting: form::HtmlEncoding) -> Outcome<(String, form::Encoding)> {
    let no_memory = |_| Fail::memory("the HTML");
    let mut buffer = String::new();
    let capacity = form::decode_capacity(text);
    buffer.try_reserve_exact(capacity).map_err(no_memory)?;
    let (html, encoding) =
        form::decode_into(text.as_bytes(), setting, &mut buffer).map_err(Fail::invalid)?;
    let mut decoded = String::new();
    // One more byte for the NUL, so that adding it later copies nothing.
    let capacity = html.len().saturating_add(1);
    decoded.try_reserve_exact(capacity).map_err(no_memory)?;
    decoded.push_str(html);
    Ok((decoded, encoding))
}

/// URL-encodes HTML as HTML forms do, for a body field. The string is owned: free it with franking_string_free.
///
/// Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_html_encode(
    html: FrankingText,
    text: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let html = unsafe { html.read("html") }?;
        check_out(text, "text")?;
        let encoded = form::try_encode(html).map_err(|_| Fail::memory("the text"))?;
        // SAFETY: checked above.
        unsafe { put_out(text, FrankingString::new(encoded)?) }
    })
}

/// Finds the hosts of every URL in HTML that a mail reader would follow, load or turn into a link. They are sorted and
/// without repetitions. The strings are owned: free them with franking_strings_free.
///
/// Fails with FRANKING_STATUS_MEMORY when there is not enough memory to read the HTML, or for the hosts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_html_hosts(
    html: FrankingText,
    hosts: *mut *mut FrankingStrings,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let html = unsafe { html.read("html") }?;
        check_out(hosts, "hosts")?;
        ask_for_hosts(html)?;
        let found = links::hosts(html);
        // SAFETY: checked above.
        unsafe { put_out(hosts, FrankingStrings::of_hosts(found)?) }
    })
}

/// A cursor over the URLs in HTML that a mail reader would follow, load or turn into a link. Owned: free it with
/// franking_html_links_free. To be used by one thread at a time.
pub struct FrankingHtmlLinks(Guarded<Links>);

struct Links {
    rest: Box<dyn Iterator<Item = links::Link<'static>> + Send + Sync>,
    current: Option<links::Link<'static>>,
    place: String,
    hosts: Vec<FrankingText>,
}

/// Makes a cursor over the links of HTML.
///
/// The HTML is not copied: it has to stay as it is until the cursor is freed. Fails with FRANKING_STATUS_MEMORY when there
/// is not enough memory to read it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_html_links_new(
    html: FrankingText,
    links: *mut *mut FrankingHtmlLinks,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller keeps the HTML until the cursor is freed.
        let html: &'static str = unsafe { html.read("html") }?;
        check_out(links, "links")?;
        ask_for_links(html)?;
        let new = FrankingHtmlLinks(Guarded::new(Links {
            rest: Box::new(links::links(html)),
            current: None,
            place: String::new(),
            hosts: Vec::new(),
        }));
        // SAFETY: checked above.
        unsafe { put_out(links, boxed(new)) }
    })
}

/// Moves to the next link and writes it. Returns FRANKING_STATUS_END after the last one. link->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_html_links_next(
    links: *mut FrankingHtmlLinks,
    link: *mut FrankingLink,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let links = unsafe { get(links, "links") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(link, "link") }?;
        let next = links.0.write(|own| Ok(own.next()))?;
        let Some(next) = next else {
            return Ok(More::No);
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(link, "link", next) }?;
        Ok(More::Yes)
    })
}

impl Links {
    fn next(&mut self) -> Option<FrankingLink> {
        self.hosts.clear();
        self.current = self.rest.next();
        let link = self.current.as_ref()?;
        self.place = link.place.to_string();
        self.hosts
            .extend(link.hosts.iter().map(|host| FrankingText::new(host)));
        Some(FrankingLink {
            size: size_of::<FrankingLink>(),
            place: FrankingText::new(&self.place),
            url: FrankingText::new(&link.url),
            span: FrankingSpan::from(link.span.clone()),
            hosts: first(&self.hosts),
            host_count: self.hosts.len(),
            readable: u8::from(link.readable),
            in_conditional_comment: u8::from(link.in_conditional_comment),
            reserved: [0; 6],
        })
    }
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_html_links_free(links: *mut FrankingHtmlLinks) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(links) };
}

/// Finds the first personalization placeholder in a text, by the marks of the policy. Writes 1 to *is_found and its bytes to
/// *span, or 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_policy_find_placeholder(
    policy: *const FrankingPolicy,
    text: FrankingText,
    is_found: *mut u8,
    span: *mut FrankingSpan,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?;
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        check_out(is_found, "is_found")?;
        check_out(span, "span")?;
        let found = placeholder::find(text, policy.get().placeholders());
        // SAFETY: checked above.
        unsafe { put_out(is_found, u8::from(found.is_some())) }?;
        // SAFETY: checked above.
        unsafe { put_out(span, found.map(FrankingSpan::from).unwrap_or_default()) }
    })
}
