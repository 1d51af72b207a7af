//! The hosts of one URL, as a browser reads it and as mail readers guess it.

use alloc::borrow::Cow;
use alloc::string::String;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use percent_encoding::percent_decode_str;
use url::Url;

use super::work;
use crate::text::{address, domain};

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

/// What the first bytes of a URL decide.
pub(super) enum Quick<T> {
    Host(T),
    NoHost,
    Unsure,
}

/// Visits the host of a URL that needs no decoding, percent-decoding or normalizing to find it. `false`: it may need
/// that. References resolve after the host alone, so the rest of the URL may hold anything.
#[inline]
pub(super) fn visit_plain(raw: &str, visit: &mut impl FnMut(&str)) -> bool {
    match quick(raw) {
        Quick::Host(host) => visit(host),
        Quick::NoHost => {}
        Quick::Unsure => return false,
    }
    true
}

#[inline]
fn quick(raw: &str) -> Quick<&str> {
    let bytes = raw.as_bytes();
    match bytes {
        [] | [b'#', ..] => return Quick::NoHost,
        [b'/', next, ..] if next.is_ascii_alphanumeric() => return Quick::NoHost,
        _ => {}
    }
    match raw
        .strip_prefix("https://")
        .or_else(|| raw.strip_prefix("http://"))
    {
        Some(rest) => match plain_host(rest) {
            Some(host) => Quick::Host(host),
            None => Quick::Unsure,
        },
        None => Quick::Unsure,
    }
}

/// The host that `rest` begins with, where the URL standard leaves it as it is.
#[inline]
fn plain_host(rest: &str) -> Option<&str> {
    let host = rest.get(..plain_host_start(rest.as_bytes())?)?;
    matches!(
        rest.as_bytes().get(host.len()),
        None | Some(b'/' | b'?' | b'#')
    )
    .then_some(host)
}

/// How many characters `bytes` begins with that are a host that the URL standard leaves as it is. Whether they are all of
/// the host depends on what follows.
#[inline]
pub(super) fn plain_host_start(bytes: &[u8]) -> Option<usize> {
    work::count(8);
    let length = bytes
        .iter()
        .position(|byte| !PLAIN.get(usize::from(*byte)).is_some_and(|plain| *plain))
        .unwrap_or(bytes.len());
    let host = bytes.get(..length)?;
    let last_label = host
        .iter()
        .rposition(|byte| *byte == b'.')
        .map_or(0, |dot| dot.wrapping_add(1));
    // Two hyphens may be those of "xn--".
    if let Some(hyphen) = host.iter().position(|byte| *byte == b'-')
        && host
            .get(hyphen..)
            .is_some_and(|rest| rest.windows(2).any(|pair| pair == b"--"))
    {
        return None;
    }
    // A last label that begins with a letter is no number, so the host no IPv4 address.
    bytes
        .get(last_label)
        .filter(|byte| length > last_label && byte.is_ascii_lowercase())?;
    Some(length)
}

/// What a plain host is written with: lower-case letters, digits, full stops and hyphens.
const PLAIN: [bool; 256] = plain_table();

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn plain_table() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        byte += 1;
    }
    table
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
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn hosts(url: &str) -> Vec<String> {
        let mut hosts = Vec::new();
        visit_url(url, Base::Special, &mut |host| hosts.push(host.into()));
        hosts
    }

    #[test]
    fn hosts_are_those_that_a_browser_contacts() {
        for (url, host) in [
            ("https://a.example", "a.example"),
            ("HTTPS://A.Example:8443/x", "a.example"),
            ("  h\tt\ntp\r://a.ex\nample\u{1f}", "a.example"),
            ("//a.example/x", "a.example"),
            ("\\\\a.example\\x", "a.example"),
            ("/\\a.example", "a.example"),
            ("////a.example", "a.example"),
            ("http:/a.example/x", "a.example"),
            ("https:a.example/x", "a.example"),
            ("https:\\a.example\\x", "a.example"),
            ("https://user:p@ss@a.example:443?x@b.example", "a.example"),
            ("https://good.example\\@a.example", "good.example"),
            ("https://%61.exampl%65", "a.example"),
            ("https://ａ．ｅｘａｍｐｌｅ/", "a.example"),
            ("https://a。example/", "a.example"),
            ("https://bücher.example", "xn--bcher-kva.example"),
            ("https://faß.example", "xn--fa-hia.example"),
            ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
            ("http://3221225985", "192.0.2.1"),
            ("http://0300.0.0x2.1", "192.0.2.1"),
            ("http://0xC0000201/", "192.0.2.1"),
            ("http://192.0.513", "192.0.2.1"),
            ("http://[::ffff:192.0.2.1]/", "[::ffff:c000:201]"),
            ("ftp://a.example/", "a.example"),
            ("wss://a.example/", "a.example"),
            ("ws:a.example", "a.example"),
            ("https://a.example./", "a.example."),
            ("https://localhost/", "localhost"),
            ("https://a_b.example/", "a_b.example"),
            ("www.shop.example/x", "www.shop.example"),
            ("www%2Eshop.example:80/x", "www.shop.example"),
            ("1shop.example:80", "1shop.example"),
            ("shop.example:8080/x", "shop.example"),
            ("mailto:a@a.example", "a.example"),
            ("MAILTO:?Subject=x&CC=a%40a.example", "a.example"),
        ] {
            assert_eq!(hosts(url), [host], "{url}");
        }
        assert_eq!(
            hosts(
                "mailto:a@a.example,b@b.example?to=c@c.example%2Cd@d.example&bcc=e@e.example&body=f@f.example#g@g.example"
            ),
            [
                "a.example",
                "b.example",
                "c.example",
                "d.example",
                "e.example"
            ]
        );
    }

    #[test]
    fn what_names_no_host_has_none() {
        for url in [
            "",
            "#x",
            "/x",
            "x",
            "?x",
            "./a.example",
            "/a.example/x",
            "user@a.example/x",
            "{{host}}",
            "{{host.example}}",
            "tel:+1",
            "javascript:void(0)",
            "file://a.example/x",
            "cid:a@a.example",
            "data:text/plain,x",
            "https://",
            "https:///",
            "http://a.example:99999/",
            "http://a b.example/",
            "http:a.example /",
            "http://[::1",
            "http://a.example:x/",
            "mailto:a",
            "mailto:Name <a@a.example>",
            "foo://a.example/",
            "http://xn--a/",
            "1.2.3/x",
            "urn:a.example",
        ] {
            assert_eq!(hosts(url), Vec::<String>::new(), "{url}");
        }
    }

    #[test]
    fn a_label_too_long_for_the_dns_is_never_converted() {
        let long: String = (0..999_u32)
            .map(|index| char::from_u32(0x4e00 + index).unwrap())
            .collect();
        for host in [
            long.clone(),
            alloc::format!("xn--{}", "a1".repeat(500)),
            alloc::format!("%C3%A9{}", "a".repeat(300)),
        ] {
            for url in [
                alloc::format!("https://{host}.a.example/"),
                alloc::format!("//x@a.{host}:80"),
                alloc::format!("{host}.a.example"),
                alloc::format!("mailto:x@{host}.a.example"),
            ] {
                assert_eq!(hosts(&url), Vec::<String>::new());
            }
        }
        // As long, but made of what is mapped to nothing, to less, or of ASCII.
        for (label, length) in [
            (alloc::format!("a{}", "\u{ad}".repeat(999)), 1),
            ("\u{1100}\u{1161}\u{11a8}".repeat(60), 0),
            ("a".repeat(999), 999),
            ("\u{3b1}\u{313}\u{300}\u{345}".repeat(50), 0),
            ("é".repeat(200), 0),
        ] {
            let found = hosts(&alloc::format!("https://{label}.a.example/"));
            let [host] = &*found else { panic!("{label}") };
            assert!(host.ends_with(".a.example"));
            assert!(
                length == 0 || host.len() == length + ".a.example".len(),
                "{host}"
            );
        }
    }

    #[test]
    fn no_other_character_is_mapped_to_a_full_stop() {
        for character in '\u{80}'..=char::MAX {
            let mapped = icu_normalizer::ComposingNormalizerBorrowed::new_nfkc();
            let mut buffer = [0; 4];
            let text = mapped.normalize(character.encode_utf8(&mut buffer));
            assert!(
                !text.contains(['.', '\u{3002}']) || is_dot(character),
                "{character:?}"
            );
        }
    }

    #[test]
    fn a_url_that_no_browser_can_read_is_told_from_one_without_host() {
        for url in [
            "",
            "#x",
            "x",
            "{{url}}",
            "tel:1",
            "https:a.example",
            "//a.example",
            "data:,",
        ] {
            assert!(readable(url, Base::Special), "{url}");
        }
        for url in [
            "https://",
            "http://a b/",
            "//[",
            "http://a:99999",
            "https://a%00b/",
            "//",
            "foo://[/",
        ] {
            assert!(!readable(url, Base::Special), "{url}");
        }
    }

    proptest! {
        #[test]
        fn the_quick_way_gives_what_the_url_standard_gives(
            url in "(https?|ftp)?:?/{0,3}[a-c0-9x.:@%_-]{0,6}(xn--)?[a-z0-9.-]{0,8}[:/?#\\\\ ]?[a-z0-9./ ]{0,4}"
        ) {
            let mut quick = Vec::new();
            if visit_plain(&url, &mut |host| quick.push(String::from(host))) {
                let base = Url::parse("https://base.invalid/").unwrap();
                let parsed = Url::options().base_url(Some(&base)).parse(&url).unwrap();
                let expected: Vec<_> = parsed.host_str().filter(|host| *host != "base.invalid").map(String::from).into_iter().collect();
                prop_assert_eq!(quick, expected);
            }
        }

        #[test]
        fn hosts_of_special_urls_are_those_of_the_url_crate(
            url in "[hH]ttps?://[a-zA-Z0-9.:@%_ß。\\[\\]-]{0,12}[/?#\\\\]?[a-z:@.]{0,6}"
        ) {
            let expected: Vec<_> = Url::parse(&url).ok().and_then(|url| url.host_str().map(String::from)).into_iter().collect();
            prop_assert_eq!(hosts(&url), expected);
        }
    }
}
