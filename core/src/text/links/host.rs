//! The hosts of one URL, as a browser reads it and as mail readers guess it.

mod plain;

use alloc::borrow::Cow;
use alloc::string::String;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use percent_encoding::percent_decode_str;
use url::Url;

use super::work;
use crate::text::{address, domain};
use plain::plain_host;
pub(super) use plain::{Quick, plain_host_start, visit_plain};

/// The valid domain (section 7 of the rules) in ASCII form.
fn domain_to_ascii(text: &str) -> Option<Cow<'_, str>> {
    domain::to_ascii(text)
}

/// The domain, in ASCII form, of a valid address.
fn address_domain(text: &str) -> Option<Cow<'_, str>> {
    address::parse(text)
        .ok()
        .map(|address| address.domain_ascii())
}

/// What a URL was found to be, besides the hosts that were visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing that needs more attention.
    Plain,
    /// A `data:` URL that holds HTML.
    HtmlData,
}

/// What the base of a document does to a relative URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Base {
    /// It has a scheme with hosts, or there is none: `//host` has that scheme.
    #[default]
    Special,
    /// `//host` has another scheme.
    Other,
    /// Its path is opaque, as that of `mailto:`: nothing but a fragment can be read.
    Opaque,
}

impl Base {
    /// The base that a `base` element with this URL makes of the one that there was.
    pub(super) fn with(self, url: &str) -> Self {
        match scheme(&normalized(url)) {
            None => self,
            Some((scheme, _)) if is_special(scheme) => Self::Special,
            Some((scheme, rest)) => {
                let ignored = ["data", "javascript"];
                if ignored.iter().any(|word| scheme.eq_ignore_ascii_case(word)) {
                    self
                } else if rest.starts_with('/') {
                    Self::Other
                } else {
                    Self::Opaque
                }
            }
        }
    }
}

/// Visits the hosts of a URL whose character references are resolved.
pub(super) fn visit_url(url: &str, base: Base, visit: &mut impl FnMut(&str)) -> Kind {
    if visit_plain(url, visit) {
        return Kind::Plain;
    }
    work::count(url.len());
    let url = normalized(url);
    let Some((scheme, rest)) = scheme(&url) else {
        visit_relative(&url, base, visit);
        return Kind::Plain;
    };
    if is_special(scheme) {
        visit_authority(rest.trim_start_matches(['/', '\\']), visit);
    } else if scheme.eq_ignore_ascii_case("mailto") {
        visit_mailto(rest, visit);
    } else if scheme.eq_ignore_ascii_case("data") {
        if is_html_data(rest) {
            return Kind::HtmlData;
        }
    } else if scheme.contains('.') && port_length(rest).is_some() {
        // "www.shop.example:8080/x": to the standard a scheme, to whoever wrote it and to mail readers a host.
        visit_domain(scheme, visit);
    }
    Kind::Plain
}

/// Visits the host of a link in text; `www.` begins one too.
pub(super) fn visit_text_link(link: &str, visit: &mut impl FnMut(&str)) {
    if visit_plain(link, visit) {
        return;
    }
    // White space ends a link, but controls do not, and a URL ends before them.
    let link = link.trim_end_matches(|character| character <= ' ');
    match scheme(link) {
        Some((scheme, rest)) if is_special(scheme) => {
            visit_authority(rest.trim_start_matches(['/', '\\']), visit);
        }
        _ => match plain_host(link) {
            Some(host) => visit(host),
            None => visit_authority(link, visit),
        },
    }
}

/// Whether a browser can read the URL at all.
pub(super) fn readable(url: &str, base: Base) -> bool {
    let normalized = normalized(url);
    match scheme(&normalized) {
        Some((scheme, rest)) if is_special(scheme) => {
            let rest = rest.trim_start_matches(['/', '\\']);
            return host(rest.split(['/', '\\', '?', '#']).next().unwrap_or_default()).is_some();
        }
        Some(_) => return Url::parse(url).is_ok(),
        None => {}
    }
    match normalized.as_bytes() {
        bytes if base == Base::Opaque => bytes.starts_with(b"#"),
        [b'/' | b'\\', b'/' | b'\\', ..] => {
            let rest = normalized.trim_start_matches(['/', '\\']);
            host(rest.split(['/', '\\', '?', '#']).next().unwrap_or_default()).is_some()
        }
        _ => true,
    }
}

/// Leading and trailing controls and spaces, and tabs and line breaks anywhere, are no part of a URL.
fn normalized(url: &str) -> Cow<'_, str> {
    let url = url.trim_matches(|character| character <= ' ');
    if url
        .bytes()
        .any(|byte| matches!(byte, b'\t' | b'\n' | b'\r'))
    {
        return Cow::Owned(
            url.chars()
                .filter(|character| !matches!(character, '\t' | '\n' | '\r'))
                .collect(),
        );
    }
    Cow::Borrowed(url)
}

fn scheme(url: &str) -> Option<(&str, &str)> {
    if !url.as_bytes().first()?.is_ascii_alphabetic() {
        return None;
    }
    let end = url
        .bytes()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))?;
    let (scheme, rest) = url.split_at_checked(end)?;
    Some((scheme, rest.strip_prefix(':')?))
}

fn is_special(scheme: &str) -> bool {
    ["http", "https", "ftp", "ws", "wss"]
        .iter()
        .any(|special| scheme.eq_ignore_ascii_case(special))
}

/// A reference without a scheme: its own host, or a first segment that looks like one.
fn visit_relative(url: &str, base: Base, visit: &mut impl FnMut(&str)) {
    if let [b'/' | b'\\', second, ..] = url.as_bytes() {
        if matches!(second, b'/' | b'\\') && base == Base::Special {
            visit_authority(url.trim_start_matches(['/', '\\']), visit);
        }
        return;
    }
    let segment = url.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    if segment.is_ascii() && !segment.contains(['.', '%']) {
        return;
    }
    let Ok(segment) = percent_decode_str(segment).decode_utf8() else {
        return;
    };
    let domain = segment
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    visit_domain(domain.map_or(&*segment, |(domain, _)| domain), visit);
}

/// The length of a port, where `rest` is one up to the end of an authority.
fn port_length(rest: &str) -> Option<usize> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let ends = rest
        .as_bytes()
        .get(digits)
        .is_none_or(|byte| matches!(byte, b'/' | b'\\' | b'?' | b'#'));
    (digits > 0 && ends).then_some(digits)
}

fn visit_domain(domain: &str, visit: &mut impl FnMut(&str)) {
    if has_endless_label(domain) {
        return;
    }
    if let Some(host) = domain_to_ascii(domain) {
        visit(&host);
    }
}

/// Visits the host of what follows the slashes of a URL with a special scheme.
fn visit_authority(rest: &str, visit: &mut impl FnMut(&str)) {
    if let Some(url) = host(rest.split(['/', '\\', '?', '#']).next().unwrap_or_default())
        && let Some(host) = url.host_str()
    {
        visit(host);
    }
}

fn host(authority: &str) -> Option<Url> {
    if authority.is_empty() {
        return None;
    }
    work::count(authority.len());
    if authority.len() > LONGEST_LABEL {
        let host = authority.rsplit('@').next().unwrap_or_default();
        if has_endless_label(&percent_decode_str(host).decode_utf8_lossy()) {
            return None;
        }
    }
    let mut url = String::with_capacity(authority.len().saturating_add(9));
    url.push_str("https://");
    url.push_str(authority);
    // A space at the end is a part of the host, and makes it none.
    url.push('/');
    Url::parse(&url).ok()
}

/// More characters than a label of 63 octets, the longest of the DNS, can be written with: composing makes one character
/// of four at most.
const LONGEST_LABEL: usize = 63 * 4;

/// Whether a host has a label so long that the DNS cannot have it, in a form whose conversion takes time in proportion to
/// the square of its length.
fn has_endless_label(host: &str) -> bool {
    if host.len() <= LONGEST_LABEL {
        return false;
    }
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    host.split(is_dot).any(|label| {
        let is_converted = !label.is_ascii()
            || label
                .get(..4)
                .is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
        is_converted
            && label
                .chars()
                .filter(|character| !ignorable.contains(*character))
                .nth(LONGEST_LABEL)
                .is_some()
    })
}

/// Whether a character parts labels, or is mapped to what has a full stop in it (UTS 46).
const fn is_dot(character: char) -> bool {
    matches!(
        character,
        '.' | '\u{2024}'..='\u{2026}'
            | '\u{2488}'..='\u{249b}'
            | '\u{3002}'
            | '\u{33c2}'
            | '\u{33c7}'
            | '\u{33d8}'
            | '\u{fe12}'
            | '\u{fe19}'
            | '\u{fe30}'
            | '\u{fe52}'
            | '\u{ff0e}'
            | '\u{ff61}'
            | '\u{1f100}'
    )
}

/// Visits the domains of the addresses that a `mailto:` URL writes to (RFC 6068).
fn visit_mailto(rest: &str, visit: &mut impl FnMut(&str)) {
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    visit_addresses(path, visit);
    for field in query.split('&') {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let Ok(name) = percent_decode_str(name).decode_utf8() else {
            continue;
        };
        if ["to", "cc", "bcc"]
            .iter()
            .any(|wanted| name.eq_ignore_ascii_case(wanted))
        {
            visit_addresses(value, visit);
        }
    }
}

fn visit_addresses(list: &str, visit: &mut impl FnMut(&str)) {
    let list = percent_decode_str(list).decode_utf8_lossy();
    for address in list.split(',') {
        if !has_endless_label(address)
            && let Some(domain) = address_domain(address.trim())
        {
            visit(&domain);
        }
    }
}

/// Whether what follows `data:` says that it is HTML.
fn is_html_data(rest: &str) -> bool {
    let kind = rest.split([',', ';']).next().unwrap_or_default();
    kind.trim_matches(|character: char| character.is_ascii_whitespace())
        .eq_ignore_ascii_case("text/html")
}

/// The HTML that a `data:` URL holds.
pub(super) fn data(url: &str) -> Option<String> {
    let url = normalized(url);
    let (_, rest) = scheme(&url)?;
    let (kind, body) = rest.split_once(',')?;
    // The fragment is no part of the document.
    let body = body.split('#').next().unwrap_or_default();
    let bytes = if is_base64(kind) {
        let body: alloc::vec::Vec<u8> = percent_decode_str(body).collect();
        data_url::forgiving_base64::decode_to_vec(&body).ok()?
    } else {
        percent_decode_str(body).collect()
    };
    Some(match String::from_utf8_lossy(&bytes) {
        Cow::Borrowed(text) => String::from(text),
        Cow::Owned(text) => text,
    })
}

fn is_base64(kind: &str) -> bool {
    kind.rsplit_once(';')
        .is_some_and(|(_, last)| last.trim_matches(' ').eq_ignore_ascii_case("base64"))
}

#[cfg(test)]
mod tests;
