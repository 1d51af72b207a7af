//! The URL of an endpoint: which URLs a webhook may post to, and what a request says of them.

use std::net::IpAddr;

use ipnet::IpNet;
use url::{Host, Url};

use super::address::refused;

/// The longest URL.
const LONGEST_URL: usize = 2_000;

/// Why a text is not the URL of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// It is not a URL.
    #[error("this is not a URL: expected a URL such as https://shop.example/franking")]
    Malformed,
    /// Its scheme is not allowed.
    #[error(
        "the URL of a webhook has to begin with https:, or, within webhook_networks, with http:"
    )]
    Scheme,
    /// It has a user, a password or a fragment.
    #[error("the URL of a webhook must not have a user, a password or a fragment")]
    Parts,
    /// It is too long.
    #[error("the URL of a webhook must not be longer than 2,000 bytes")]
    Length,
    /// It names an address that is refused.
    #[error(
        "a webhook must not post to {0}, which is {1}, unless webhook_networks has its network"
    )]
    Refused(IpAddr, &'static str),
}

/// The URL of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUrl {
    url: Url,
    /// Whether the scheme is `https:`.
    pub(super) is_tls: bool,
    /// The host in the URL's spelling, with brackets around an IPv6 address.
    host: String,
    /// The host as it is looked up, and as its certificate is checked.
    pub(super) name: String,
    /// The port, which is that of the scheme if the URL has none.
    pub(super) port: u16,
}

impl EndpointUrl {
    /// Reads the URL of an endpoint by the URL standard of the WHATWG.
    ///
    /// # Errors
    /// [`UrlError`]
    pub fn parse(text: &str, allowed: &[IpNet]) -> Result<Self, UrlError> {
        if text.len() > LONGEST_URL {
            return Err(UrlError::Length);
        }
        let url = Url::parse(text).map_err(|_| UrlError::Malformed)?;
        let is_tls = match url.scheme() {
            "https" => true,
            "http" if !allowed.is_empty() => false,
            _ => return Err(UrlError::Scheme),
        };
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(UrlError::Parts);
        }
        let name = match url.host().ok_or(UrlError::Malformed)? {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(address) => named(IpAddr::V4(address), allowed)?,
            Host::Ipv6(address) => named(IpAddr::V6(address), allowed)?,
        };
        let host = url.host_str().ok_or(UrlError::Malformed)?.to_owned();
        let port = url.port_or_known_default().ok_or(UrlError::Malformed)?;
        Ok(Self {
            url,
            is_tls,
            host,
            name,
            port,
        })
    }

    /// The URL as it is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// The `Host` of requests.
    pub(super) fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.host),
            None => self.host.clone(),
        }
    }

    /// The target of requests.
    pub(super) fn target(&self) -> String {
        let path = self.url.path();
        match self.url.query() {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        }
    }
}

fn named(address: IpAddr, allowed: &[IpNet]) -> Result<String, UrlError> {
    match refused(address, allowed) {
        Some(why) => Err(UrlError::Refused(address, why)),
        None => Ok(address.to_string()),
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_cannot_be_an_endpoint_is_refused_in_every_spelling() {
        let refused = |text: &str| EndpointUrl::parse(text, &[]).unwrap_err();
        for text in [
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://0177.0.0.1/",
            "https://127.1/",
            "https://１２７.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data",
        ] {
            assert!(matches!(refused(text), UrlError::Refused(..)), "{text}");
        }
        assert_eq!(refused("http://shop.example/"), UrlError::Scheme);
        assert_eq!(refused("ftp://shop.example/"), UrlError::Scheme);
        assert_eq!(refused("https://me@shop.example/"), UrlError::Parts);
        assert_eq!(refused("https://shop.example/#a"), UrlError::Parts);
        assert_eq!(refused("shop.example"), UrlError::Malformed);
        let long = format!("https://shop.example/{}", "a".repeat(2_000));
        assert_eq!(refused(&long), UrlError::Length);
        let url = EndpointUrl::parse("https://Shop.Example:8443/hook?a=1", &[]).unwrap();
        assert_eq!(
            (url.authority(), url.target()),
            ("shop.example:8443".into(), "/hook?a=1".into())
        );
        let networks: [IpNet; 1] = ["10.0.0.0/8".parse().unwrap()];
        assert!(EndpointUrl::parse("http://10.0.0.1/", &networks).is_ok());
    }
}
