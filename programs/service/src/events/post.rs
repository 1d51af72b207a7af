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

use super::address::refused;
use super::endpoint_url::{EndpointUrl, UrlError};
use crate::connecting::first_that_answers;

/// The longest time of an attempt.
const TIME: Duration = Duration::from_secs(15);
/// The longest time for connecting to one address.
const TIME_OF_ONE: Duration = Duration::from_secs(5);
/// The longest head of an answer.
const LONGEST_HEAD: usize = 16 << 10;

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
mod tests;
