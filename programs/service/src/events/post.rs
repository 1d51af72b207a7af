//! Posting an event to an endpoint.
//!
//! Each attempt looks up the name once, judges all of its addresses, and connects to one of them. The name is not looked up
//! again for the connection, so an answer that changes in between cannot evade the judgement. Redirects are not followed,
//! and only the head of an answer is read.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
// clock: limits of time, and how long an attempt took; no result depends on them.
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, HOST, HeaderValue, USER_AGENT};
use axum::http::{Request, StatusCode};
use franking::webhook::SignError;
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use ipnet::IpNet;
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, ClientConfig};
use url::{Host, Url};

use super::address::refused;
use crate::connecting::first_that_answers;

/// The longest time of an attempt.
const TIME: Duration = Duration::from_secs(15);
/// The longest time for connecting to one address.
const TIME_OF_ONE: Duration = Duration::from_secs(5);
/// The longest head of an answer.
const LONGEST_HEAD: usize = 16 << 10;
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
    is_tls: bool,
    /// The host in the URL's spelling, with brackets around an IPv6 address.
    host: String,
    /// The host as it is looked up, and as its certificate is checked.
    name: String,
    port: u16,
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
    fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.host),
            None => self.host.clone(),
        }
    }

    /// The target of requests.
    fn target(&self) -> String {
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

/// Why an endpoint has not taken an event. Only the status of its answer is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PostError {
    /// Its stored URL is not allowed any more, because the settings have changed.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// Its name has no address.
    #[error("the name was not found")]
    Name,
    /// One of the addresses of its name is refused.
    #[error("the name has the address {0}, which is {1}")]
    Refused(IpAddr, &'static str),
    /// No TLS, and the address is not in a network that is allowed.
    #[error("http: is allowed only within webhook_networks, and {0} is in none of them")]
    Plain(IpAddr),
    /// It cannot be signed.
    #[error("it cannot be signed: {0}")]
    Sign(#[from] SignError),
    /// There is no connection.
    #[error("the connection failed: {0}")]
    Connection(io::Error),
    /// TLS cannot be spoken.
    #[error("the TLS connection failed: {0}")]
    Tls(io::Error),
    /// Its answer is not HTTP, or the connection was closed before it.
    #[error("the answer is not HTTP, or the connection was closed before it came")]
    Answer,
    /// It did not answer in time.
    #[error("no answer within 15 seconds")]
    Time,
    /// It answered with another status than 2xx.
    #[error("HTTP status {}", .0.as_u16())]
    Status(StatusCode),
}

impl PostError {
    /// The HTTP status, if there was one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Status(status) => Some(status.as_u16()),
            _ => None,
        }
    }

    /// Whether the endpoint asks for no more posts: 410 Gone.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Status(StatusCode::GONE))
    }
}

/// The headers of a webhook, with their names.
pub(super) type Headers = [(&'static str, String); 3];

/// The addresses of a name.
type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Posts events.
#[derive(Clone)]
pub struct Sender {
    allowed: Arc<[IpNet]>,
    tls: TlsConnector,
    look_up: Arc<dyn Fn(String, u16) -> Addresses + Send + Sync>,
}

/// A byte stream to an endpoint.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Sender {
    /// Posts to the public internet and to the networks that are allowed.
    ///
    /// # Errors
    /// The system has no certificates.
    pub fn new(allowed: &[IpNet]) -> Result<Self, rustls::Error> {
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_platform_verifier()?
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            allowed: allowed.into(),
            tls: TlsConnector::from(Arc::new(config)),
            look_up: Arc::new(|name, port| {
                Box::pin(async move { Ok(tokio::net::lookup_host((name, port)).await?.collect()) })
            }),
        })
    }

    /// Posts a body with the headers of its webhook. Returns the milliseconds that it took, and the status if the endpoint
    /// took the body.
    pub(super) async fn post(
        &self,
        url: &str,
        headers: Headers,
        body: Bytes,
    ) -> (i64, Result<StatusCode, PostError>) {
        // clock: how long it took is listed
        let began = Instant::now();
        // clock: an endpoint has no more time than this
        let posted = timeout(TIME, self.post_once(url, headers, body)).await;
        let took = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        (took, posted.unwrap_or(Err(PostError::Time)))
    }

    async fn post_once(
        &self,
        url: &str,
        headers: Headers,
        body: Bytes,
    ) -> Result<StatusCode, PostError> {
        let url = EndpointUrl::parse(url, &self.allowed)?;
        let stream = self.connect(&url).await?;
        let stream: Box<dyn Stream> = match url.is_tls {
            true => {
                let name = ServerName::try_from(url.name.clone()).map_err(|_| PostError::Name)?;
                let stream = self.tls.connect(name, stream).await;
                Box::new(stream.map_err(PostError::Tls)?)
            }
            false => Box::new(stream),
        };
        let mut request = Request::post(url.target())
            .header(HOST, url.authority())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .header(
                USER_AGENT,
                HeaderValue::from_static(concat!("franking-service/", env!("CARGO_PKG_VERSION"))),
            );
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request
            .body(Full::new(body))
            .map_err(|_| PostError::Answer)?;
        let (mut sends, connection) = http1::Builder::new()
            .max_buf_size(LONGEST_HEAD)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|_| PostError::Answer)?;
        let mut answer = pin!(sends.send_request(request));
        let answer = tokio::select! {
            biased;
            answer = &mut answer => answer,
            // The connection may end before the answer is handed over.
            _ = connection => answer.await,
        };
        // The body is not read: the connection is closed.
        let status = answer.map_err(|_| PostError::Answer)?.status();
        match status.is_success() {
            true => Ok(status),
            false => Err(PostError::Status(status)),
        }
    }

    /// Connects to an address of the URL's host, if all of its addresses are allowed.
    async fn connect(&self, url: &EndpointUrl) -> Result<TcpStream, PostError> {
        let addresses = (self.look_up)(url.name.clone(), url.port).await;
        let addresses = addresses.map_err(|_| PostError::Name)?;
        for address in &addresses {
            if let Some(why) = refused(address.ip(), &self.allowed) {
                return Err(PostError::Refused(address.ip(), why));
            }
            let ip = address.ip().to_canonical();
            if !url.is_tls && !self.allowed.iter().any(|network| network.contains(&ip)) {
                return Err(PostError::Plain(ip));
            }
        }
        let connected = first_that_answers(addresses, TIME_OF_ONE, TcpStream::connect).await;
        connected.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => PostError::Name,
            _ => PostError::Connection(error),
        })
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    fn networks(texts: &[&str]) -> Vec<IpNet> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn headers() -> Headers {
        use franking::webhook::{ID, SIGNATURE, TIMESTAMP};
        [ID, TIMESTAMP, SIGNATURE].map(|name| (name, "1".to_owned()))
    }

    /// A sender whose look-ups answer with one list after the other.
    fn sender(allowed: &[&str], answers: Vec<Vec<SocketAddr>>) -> (Sender, Arc<AtomicUsize>) {
        let asked = Arc::new(AtomicUsize::new(0));
        let mut sender = Sender::new(&networks(allowed)).unwrap();
        let counted = Arc::clone(&asked);
        sender.look_up = Arc::new(move |_, _| {
            let place = counted.fetch_add(1, Ordering::SeqCst);
            let answer = answers.get(place).cloned().unwrap_or_default();
            Box::pin(async move { Ok(answer) })
        });
        (sender, asked)
    }

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
        assert!(EndpointUrl::parse("http://10.0.0.1/", &networks(&["10.0.0.0/8"])).is_ok());
    }

    #[tokio::test]
    async fn a_name_with_one_refused_address_among_others_is_refused() {
        let mixed: Vec<SocketAddr> = ["192.0.43.7:443", "10.0.0.1:443"]
            .map(|text| text.parse().unwrap())
            .into();
        let (sender, asked) = sender(&[], vec![mixed]);
        let (_, posted) = sender
            .post("https://shop.example/", headers(), Bytes::new())
            .await;
        assert!(
            matches!(posted, Err(PostError::Refused(address, _)) if address.to_string() == "10.0.0.1")
        );
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn the_connection_goes_to_the_address_that_was_judged_whatever_the_name_says_next() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let judged = listener.local_addr().unwrap();
        let later = TcpListener::bind("127.0.0.2:0").await.unwrap();
        let answers = vec![vec![judged], vec![later.local_addr().unwrap()]];
        let (sender, asked) = sender(&["127.0.0.1/32"], answers);
        let posting = async {
            sender
                .post(
                    "http://shop.example/hook",
                    headers(),
                    Bytes::from_static(b"{}"),
                )
                .await
        };
        let serving = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = [0; 1024];
            let length = stream.read(&mut read).await.unwrap();
            stream
                .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
                .await
                .unwrap();
            String::from_utf8(read.get(..length).unwrap().to_vec()).unwrap()
        };
        let ((_, posted), request) = tokio::join!(posting, serving);
        assert_eq!(posted.unwrap(), StatusCode::NO_CONTENT);
        assert!(request.starts_with("POST /hook HTTP/1.1\r\n"), "{request}");
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        // The next attempt looks the name up anew, and judges what it says then.
        let (_, posted) = sender
            .post("http://shop.example/hook", headers(), Bytes::new())
            .await;
        assert!(matches!(posted, Err(PostError::Refused(..))));
    }

    #[tokio::test]
    async fn http_is_for_the_networks_that_are_allowed_alone() {
        let address: SocketAddr = "192.0.43.7:80".parse().unwrap();
        let (sender, _) = sender(&["127.0.0.0/8"], vec![vec![address]]);
        let (_, posted) = sender
            .post("http://shop.example/", headers(), Bytes::new())
            .await;
        assert!(matches!(posted, Err(PostError::Plain(_))));
    }
}
