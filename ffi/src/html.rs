//! HTML that travels URL-encoded, the hosts of its links, and placeholders.

use franking_core::text::{form, links, placeholder};

use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run, run_alone};
use crate::numbers::{FRANKING_HTML_ENCODING_ALWAYS, FRANKING_HTML_ENCODING_DETECT, of_encoding};
use crate::policy::FrankingPolicy;
use crate::status::Fail;
use crate::text::{FrankingSpan, FrankingString, FrankingStrings, FrankingText};

/// What a body field stands for: decoded at most once. setting is one of FRANKING_HTML_ENCODING; *encoding is one of
/// FRANKING_ENCODING and says how it was sent, and may be NULL. The string is owned: free it with franking_string_free.
///
/// Fails with FRANKING_STATUS_INVALID when the decoded bytes are not UTF-8.
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
        let setting = match setting {
            FRANKING_HTML_ENCODING_DETECT => form::HtmlEncoding::Detect,
            FRANKING_HTML_ENCODING_ALWAYS => form::HtmlEncoding::Always,
            _ => return Err(Fail::argument("setting is none of FRANKING_HTML_ENCODING")),
        };
        check_out(html, "html")?;
        let decoded = form::decode(text, setting).map_err(Fail::invalid)?;
        if !encoding.is_null() {
            // SAFETY: the caller passes NULL or a place for a number.
            unsafe { put_out(encoding, of_encoding(decoded.encoding)) }?;
        }
        // SAFETY: checked above.
        unsafe { put_out(html, FrankingString::new(decoded.html)) }
    })
}

/// URL-encodes HTML as HTML forms do, for a body field. The string is owned: free it with franking_string_free.
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
        // SAFETY: checked above.
        unsafe { put_out(text, FrankingString::new(form::encode(html))) }
    })
}

/// The hosts of every URL in HTML that a mail reader would follow, load or turn into a link, sorted, each once. The strings
/// are owned: free them with franking_strings_free.
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
        let mut found: Vec<String> = links::hosts(html).collect();
        found.sort_unstable();
        found.dedup();
        // SAFETY: checked above.
        unsafe { put_out(hosts, FrankingStrings::new(found)) }
    })
}

/// Finds the first personalization placeholder in a text, by the marks of the policy: 1 and its bytes, or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_policy_find_placeholder(
    policy: *const FrankingPolicy,
    text: FrankingText,
    is_found: *mut i32,
    span: *mut FrankingSpan,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?;
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        check_out(is_found, "is_found")?;
        check_out(span, "span")?;
        let found = policy.read(|policy| Ok(placeholder::find(text, policy.placeholders())))?;
        // SAFETY: checked above.
        unsafe { put_out(is_found, i32::from(found.is_some())) }?;
        // SAFETY: checked above.
        unsafe { put_out(span, found.map(FrankingSpan::from).unwrap_or_default()) }
    })
}
