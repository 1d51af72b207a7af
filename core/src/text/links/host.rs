//! The hosts of one URL, as browsers read it and as mail readers guess it.

mod known;
mod labels;
mod looked;
mod name;
mod plain;
mod text;

use alloc::borrow::Cow;
use alloc::string::String;

use memchr::memchr3_iter;
use percent_encoding::percent_decode_str;
use url::Url;

use super::work;
use crate::text::{address, domain};
pub(super) use known::KnownHosts;
pub(super) use looked::Looked;
use name::visit_host;
use name::without_deviations;
use plain::is_plain_host;
pub(super) use plain::visit_plain;
pub(super) use text::{Shared, length_without_punctuation, visit_text_link};

/// The kind of a URL, apart from the hosts that were visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlKind {
    /// Nothing that needs more attention.
    Plain,
    /// `data:`, whose document may be read.
    Data,
    /// A scheme that may carry another URL.
    Carrier,
}

/// Visits the hosts of a URL whose character references are resolved.
pub(super) fn visit_url(url: &str, visit: &mut impl FnMut(&str)) -> UrlKind {
    if visit_plain(url, visit) {
        return UrlKind::Plain;
    }
    work::count(url.len());
    let url = normalized(url);
    let Some((scheme, rest)) = scheme(&url) else {
        visit_relative(&url, visit);
        return UrlKind::Plain;
    };
    if is_special(scheme) {
        visit_special(rest, visit);
        return UrlKind::Plain;
    }
    if scheme.eq_ignore_ascii_case("mailto") {
        visit_mailto(rest, visit);
        return UrlKind::Plain;
    }
    if scheme.eq_ignore_ascii_case("file") {
        visit_file(rest, visit);
        return UrlKind::Plain;
    }
    if scheme.eq_ignore_ascii_case("data") {
        return UrlKind::Data;
    }
    // In a scheme that the standard does not know, a backslash does not count as a slash.
    if let Some(rest) = rest.strip_prefix("//") {
        visit_authority(before(rest, &OTHER_DELIMITERS), visit);
    }
    if scheme.contains('.') && begins_with_port(rest) {
        // In "www.shop.example:8080/x" the standard sees a scheme, but the author and mail readers see a host.
        visit_domain(scheme, visit);
    }
    UrlKind::Carrier
}

/// The part of a URL after its scheme, without characters that are not a part of the URL.
pub(super) fn after_scheme(url: &str) -> String {
    let url = normalized(url);
    String::from(url.split_once(':').map_or(&*url, |(_, rest)| rest))
}

/// The length of the host that a text begins with, which a port may follow. In brackets, a colon is a part of the host.
pub(super) fn host_length(text: &[u8]) -> usize {
    let mut is_in_brackets = false;
    let end = memchr3_iter(b':', b'[', b']', text).find(|at| match text.get(*at) {
        Some(b':') => !is_in_brackets,
        bracket => {
            is_in_brackets = bracket == Some(&b'[');
            false
        }
    });
    end.unwrap_or(text.len())
}

/// Whether a browser can read the URL at all.
pub(super) fn readable(url: &str) -> bool {
    let normalized = normalized(url);
    let (is_of_base, rest) = match scheme(&normalized) {
        Some((scheme, rest)) if is_special(scheme) => (scheme.eq_ignore_ascii_case("https"), rest),
        Some(_) => return Url::parse(url).is_ok(),
        None => (true, &*normalized),
    };
    // The base is https. A URL with this scheme or none, and without two slashes, has the base's host.
    if is_of_base && !matches!(rest.as_bytes(), [b'/' | b'\\', b'/' | b'\\', ..]) {
        return true;
    }
    let authority = rest.trim_start_matches(['/', '\\']);
    let authority = before(authority, &DELIMITERS);
    if is_plain_host(authority.as_bytes()) {
        return true;
    }
    if authority.is_empty()
        || domain::has_endless_label(&percent_decode_str(authority).decode_utf8_lossy())
    {
        return false;
    }
    // A space at the end is a part of the host, and makes it invalid.
    Url::parse(&alloc::format!("https://{authority}/")).is_ok()
}

/// The text before the first of these characters, or all of it.
fn before<'t>(text: &'t str, ends: &[char]) -> &'t str {
    text.split(ends).next().unwrap_or(text)
}

/// The characters that end an authority.
const DELIMITERS: [char; 4] = ['/', '\\', '?', '#'];

/// The characters that end an authority in a scheme that the standard does not know.
const OTHER_DELIMITERS: [char; 3] = ['/', '?', '#'];

/// The URL without leading and trailing control characters and spaces, and without tabs and line breaks, which are not a
/// part of it.
fn normalized(url: &str) -> Cow<'_, str> {
    const LEFT_OUT: [char; 3] = ['\t', '\n', '\r'];
    let url = url.trim_matches(|character| character <= ' ');
    match url.contains(LEFT_OUT) {
        true => Cow::Owned(url.replace(LEFT_OUT, "")),
        false => Cow::Borrowed(url),
    }
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

/// Visits the host of a `file:` URL, after any number of slashes. A drive letter is not a host.
fn visit_file(rest: &str, visit: &mut impl FnMut(&str)) {
    let path = rest.trim_start_matches(['/', '\\']);
    let authority = before(path, &DELIMITERS);
    let is_drive =
        matches!(authority.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    if path.len() < rest.len() && !is_drive {
        visit_authority(authority, visit);
        visit_share(authority, visit);
    }
}

/// Visits the host of a shared folder of Windows. `@SSL`, or `@` and a port, may follow this host. In other URLs the host
/// is after the `@`.
fn visit_share(authority: &str, visit: &mut impl FnMut(&str)) {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_mark = |mark: &str| mark.eq_ignore_ascii_case("ssl") || is_port(mark);
    let mut host = authority;
    // `host@SSL@8443`
    while let Some((before, _)) = host.rsplit_once('@').filter(|(_, mark)| is_mark(mark)) {
        host = before;
    }
    if host.len() < authority.len() {
        visit_authority(host, visit);
    }
}

/// Visits the host of a reference without a scheme, or its first segment if that looks like a host.
fn visit_relative(url: &str, visit: &mut impl FnMut(&str)) {
    if let [b'/' | b'\\', second, ..] = url.as_bytes() {
        if matches!(second, b'/' | b'\\') {
            visit_special(url, visit);
            visit_share(
                before(url.trim_start_matches(['/', '\\']), &DELIMITERS),
                visit,
            );
        }
        visit_below_other_base(url, visit);
        return;
    }
    let segment = before(url, &DELIMITERS);
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

/// Visits the host of a reference without a scheme below a `base` whose scheme the standard does not know. A backslash is
/// not a slash there: it can be a part of the user name.
fn visit_below_other_base(url: &str, visit: &mut impl FnMut(&str)) {
    let Some(rest) = url.strip_prefix("//") else {
        return;
    };
    let authority = before(rest, &OTHER_DELIMITERS);
    let is_in_user = |(user, host): (&str, &str)| user.contains('\\') && !host.contains('\\');
    if authority.rsplit_once('@').is_some_and(is_in_user) {
        visit_authority(authority, visit);
    }
}

/// Whether `rest` begins with a port that goes up to the end of an authority.
fn begins_with_port(rest: &str) -> bool {
    let after = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
    after.len() < rest.len() && (after.is_empty() || after.starts_with(DELIMITERS))
}

/// Visits a domain in ASCII form, if it is valid ([`domain::parse`]).
pub(super) fn visit_domain(text: &str, visit: &mut impl FnMut(&str)) {
    if domain::has_endless_label(text) {
        return;
    }
    if let Ok(host) = domain::parse(text) {
        visit(&host);
    }
    if let Some(mapped) = without_deviations(text)
        && let Ok(host) = domain::parse(&mapped)
    {
        visit(&host);
    }
}

/// Visits the host of a URL whose scheme the standard knows, with any number of slashes before it.
fn visit_special(rest: &str, visit: &mut impl FnMut(&str)) {
    let rest = rest.trim_start_matches(['/', '\\']);
    visit_authority(before(rest, &DELIMITERS), visit);
}

/// Visits the host of the authority of a URL. The user name before it may be anything. An authority with an impossible port
/// has no host, because it is not a URL.
fn visit_authority(authority: &str, visit: &mut impl FnMut(&str)) {
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    if let Some((host, rest)) = host.split_at_checked(host_length(host.as_bytes()))
        && is_port(rest)
    {
        visit_host(host, visit);
    }
}

/// Whether what follows a host is nothing, a port, or several ports. A browser that reads a URL of CSS again cuts off one
/// port each time.
fn is_port(rest: &str) -> bool {
    let is_of_port = |byte: u8| byte.is_ascii_digit() || byte == b':';
    rest.bytes().all(is_of_port)
        && rest.split(':').all(|digits| {
            let digits = digits.trim_start_matches('0');
            digits.is_empty() || digits.parse::<u16>().is_ok()
        })
}

/// Visits the domains of the addresses that a `mailto:` URL writes to (RFC 6068). Some authors write semicolons instead of
/// its commas, and instead of the `&` between its fields.
fn visit_mailto(rest: &str, visit: &mut impl FnMut(&str)) {
    let rest = before(rest, &['#']);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    visit_addresses(path, visit);
    for field in query.split('&') {
        visit_field(field, visit);
        for part in field.split(';').skip(1) {
            visit_field(part, visit);
        }
    }
}

/// Visits the domains in a field of a `mailto:` URL, if it holds recipients.
fn visit_field(field: &str, visit: &mut impl FnMut(&str)) {
    let (name, value) = field.split_once('=').unwrap_or((field, ""));
    let Ok(name) = percent_decode_str(name).decode_utf8() else {
        return;
    };
    let fields = ["to", "cc", "bcc"];
    if fields.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        visit_addresses(value, visit);
    }
}

fn visit_addresses(list: &str, visit: &mut impl FnMut(&str)) {
    let list = percent_decode_str(list).decode_utf8_lossy();
    for entry in list.split([',', ';']) {
        visit_address(entry, visit);
        // After a display name, which may have angle brackets of its own, the address is in angle brackets.
        for bracketed in entry.split('<').skip(1) {
            visit_address(before(bracketed, &['>']), visit);
        }
    }
}

fn visit_address(text: &str, visit: &mut impl FnMut(&str)) {
    let address = text.trim().trim_end_matches('.');
    if let Some((_, domain)) = address.rsplit_once('@')
        && !domain::has_endless_label(domain)
        && address::parse(address).is_ok()
    {
        visit_domain(domain, visit);
    }
}

#[cfg(test)]
mod tests;
