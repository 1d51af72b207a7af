//! Connecting to a name that has several addresses.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
// clock: a limit of time; nothing else depends on it.
use std::time::Duration;

use tokio::time::timeout;

/// Connects to the first of these addresses that answers, in their order. Each has `time_of_one`, so that an address that
/// does not answer leaves time for the next one.
///
/// # Errors
/// The error of the last address: `TimedOut` if that address did not answer. `NotFound` if no address is given.
pub(crate) async fn first_that_answers<S, C>(
    addresses: Vec<SocketAddr>,
    time_of_one: Duration,
    connect: impl Fn(SocketAddr) -> C,
) -> io::Result<S>
where
    C: Future<Output = io::Result<S>>,
{
    let mut failure = io::Error::from(io::ErrorKind::NotFound);
    for address in addresses {
        // clock: the next address is tried after this time
        match timeout(time_of_one, connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => failure = error,
            Err(_) => failure = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ports of servers that do not answer, and that refuse.
    const SILENT: u16 = 1;
    const CLOSED: u16 = 2;

    async fn connect(address: SocketAddr) -> io::Result<u16> {
        match address.port() {
            SILENT => std::future::pending().await,
            CLOSED => Err(io::ErrorKind::ConnectionRefused.into()),
            port => Ok(port),
        }
    }

    async fn connected(ports: &[u16]) -> Result<u16, io::ErrorKind> {
        let address = |port: &u16| SocketAddr::from(([192, 0, 2, 1], *port));
        let addresses = ports.iter().map(address).collect();
        let connected = first_that_answers(addresses, Duration::from_secs(5), connect).await;
        connected.map_err(|error| error.kind())
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_does_not_answer_leaves_time_for_the_next_one() {
        assert_eq!(connected(&[SILENT, CLOSED, 25, 26]).await, Ok(25));
    }

    #[tokio::test(start_paused = true)]
    async fn if_no_address_answers_the_error_is_that_of_the_last_one() {
        use io::ErrorKind::{ConnectionRefused, NotFound, TimedOut};
        assert_eq!(connected(&[CLOSED, SILENT]).await, Err(TimedOut));
        assert_eq!(connected(&[SILENT, CLOSED]).await, Err(ConnectionRefused));
        assert_eq!(connected(&[]).await, Err(NotFound));
    }
}
