//! Connections: how many, for how long, and how they end.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::HeaderMap;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

use super::connections::Connections;
use super::problem::Problem;
use super::proxies::Proxies;
use super::tls::{Certificate, TlsError};
use crate::settings::Settings;
use crate::telemetry;

/// The longest head of a request, and the size of the buffer in which it is read.
const HEAD_BYTES: usize = 64 << 10;
/// For how long a client may leave an answer unread.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// How many connections beyond the limit are told so at the same time. Further ones are closed without an answer.
const TOLD: usize = 64;
/// The limit of connections to the operator's address.
const OF_OPERATOR: usize = 256;
/// The answer to connections beyond the limit.
const FULL: Problem = Problem::unavailable("There are too many connections.");

/// Why the service cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The service cannot bind the address.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, #[source] io::Error),
    /// The certificate or its key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// A listener with its limits.
pub struct Server {
    listener: TcpListener,
    certificate: Option<Certificate>,
    connections: Connections,
    proxies: Proxies,
    told: Arc<Semaphore>,
    header_time: Duration,
    shutdown_time: Duration,
}

impl Server {
    /// Listens for calls: from now on the system takes connections.
    ///
    /// # Errors
    /// [`ServerError`]
    pub async fn bind(settings: &Settings) -> Result<Self, ServerError> {
        let certificate = match (&settings.tls_certificate, &settings.tls_key) {
            (Some(certificate), Some(key)) => Some(Certificate::read(certificate, key)?),
            _ => None,
        };
        let most = settings.max_connections.get();
        Self::listen(settings, settings.listen, certificate, most).await
    }

    /// Listens for the operator, without TLS.
    ///
    /// # Errors
    /// [`ServerError::Listen`]
    pub async fn bind_for_operator(settings: &Settings) -> Result<Self, ServerError> {
        Self::listen(settings, settings.operator_listen, None, OF_OPERATOR).await
    }

    async fn listen(
        settings: &Settings,
        address: SocketAddr,
        certificate: Option<Certificate>,
        most: usize,
    ) -> Result<Self, ServerError> {
        let listener = TcpListener::bind(address).await;
        Ok(Self {
            listener: listener.map_err(|error| ServerError::Listen(address, error))?,
            certificate,
            connections: Connections::new(most),
            proxies: Proxies::new(settings.trusted_proxies.clone()),
            told: Arc::new(Semaphore::new(TOLD)),
            header_time: settings.header_seconds.into(),
            shutdown_time: settings.shutdown_seconds.into(),
        })
    }

    /// The certificate that it has, if it has one.
    #[must_use]
    pub const fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// The part of a URL before `/v4/`, for clients on this machine.
    ///
    /// # Errors
    /// The system does not know the address.
    pub fn url(&self) -> io::Result<String> {
        let scheme = match self.certificate {
            Some(_) => "https",
            None => "http",
        };
        Ok(format!("{scheme}://{}", self.listener.local_addr()?))
    }

    /// Serves until `end`. Then it takes no connections, and waits for the requests in flight for up to `shutdown_time`.
    pub async fn serve(self, router: Router, end: CancellationToken) {
        let graceful = GracefulShutdown::new();
        loop {
            let accepted = tokio::select! {
                () = end.cancelled() => break,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, peer)) => self.take(stream, peer, &router, &graceful),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    // Most likely there are no file descriptors left. Connections that end free some.
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
        drop(self.listener);
        // clock: the setting says how long calls in flight may take
        if timeout(self.shutdown_time, graceful.shutdown())
            .await
            .is_err()
        {
            tracing::warn!("connections were closed, because their requests did not end in time");
        }
    }

    fn take(&self, stream: TcpStream, peer: SocketAddr, router: &Router, all: &GracefulShutdown) {
        let address = peer.ip().to_canonical();
        let is_proxy = self.proxies.is_one(address);
        let Some(place) = self.connections.open(address, is_proxy) else {
            telemetry::turned_away("connections");
            // Over TLS nothing can be told without the cost of a handshake.
            if let (None, Ok(told)) = (
                &self.certificate,
                Arc::clone(&self.told).try_acquire_owned(),
            ) {
                tokio::spawn(tell(stream, told));
            }
            return;
        };
        // Answers are small: they leave at once, without waiting for more to send.
        let _ = stream.set_nodelay(true);
        let service = Peered {
            router: TowerToHyperService::new(router.clone()),
            peer: Peer { address, is_proxy },
            connections: self.connections.clone(),
            id: place.id(),
        };
        let watcher = all.watcher();
        let header_time = self.header_time;
        let tls = self.certificate.as_ref().map(Certificate::acceptor);
        tokio::spawn(async move {
            let _open = telemetry::connection();
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(WRITE_TIME));
            let stream = Box::pin(stream);
            let spoken = async {
                match tls {
                    None => speak(stream, service, header_time, watcher).await,
                    // clock: a handshake has the time of a request's head
                    Some(tls) => match timeout(header_time, tls.accept(stream)).await {
                        Ok(Ok(stream)) => speak(stream, service, header_time, watcher).await,
                        Ok(Err(_)) | Err(_) => telemetry::turned_away("tls"),
                    },
                }
            };
            tokio::select! {
                () = spoken => {}
                () = place.closed.cancelled() => telemetry::turned_away("idle"),
            }
        });
    }
}

/// The other end of a connection.
#[derive(Clone, Copy)]
pub(crate) struct Peer {
    address: IpAddr,
    is_proxy: bool,
}

impl Peer {
    /// Whether it is a trusted proxy.
    pub(crate) fn is_proxy(self) -> bool {
        self.is_proxy
    }

    /// What a trusted proxy says of the client in this header. Of several values, the last one is the proxy's. `None` if the
    /// peer is not a trusted proxy.
    pub(crate) fn forwarded<'h>(self, headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
        let last = headers.get_all(name).iter().next_back();
        let last = last.filter(|_| self.is_proxy)?.to_str().ok()?;
        last.rsplit(',').next().map(str::trim)
    }

    /// The address of the client that has sent a request: the peer's, or the one that a trusted proxy names.
    pub(super) fn client(self, headers: &HeaderMap) -> IpAddr {
        let named = self.forwarded(headers, "x-forwarded-for");
        let named = named.and_then(|named| named.parse().ok());
        named.unwrap_or(self.address)
    }
}

/// The routes, for the requests of one connection.
struct Peered {
    router: TowerToHyperService<Router>,
    peer: Peer,
    connections: Connections,
    id: u64,
}

impl Service<Request<Incoming>> for Peered {
    type Response = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        let (connections, id) = (self.connections.clone(), self.id);
        connections.set_idle(id, false);
        let answer = self.router.call(request);
        Box::pin(async move {
            let answer = answer.await;
            connections.set_idle(id, true);
            answer
        })
    }
}

/// Serves one connection.
async fn speak(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    service: Peered,
    header_time: Duration,
    watcher: hyper_util::server::graceful::Watcher,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(header_time)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = watcher.watch(connection).await {
        // The client hung up, or sent something other than HTTP.
        tracing::debug!(%error, "a connection ended");
    }
}

/// Tells a client that there are too many connections, and reads what the client has sent. Otherwise the system would reset
/// the connection, and the client would lose the answer.
async fn tell(mut stream: TcpStream, _told: OwnedSemaphorePermit) {
    let told = async {
        stream.write_all(&FULL.to_bytes()).await?;
        stream.shutdown().await?;
        let mut dropped = [0; 4096];
        while stream.read(&mut dropped).await? > 0 {}
        io::Result::Ok(())
    };
    // clock: for a client that never closes its end
    let _ = timeout(Duration::from_secs(2), told).await;
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("listener", &self.listener)
            .finish_non_exhaustive()
    }
}
