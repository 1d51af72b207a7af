//! A port at which a server cannot be reached.

use tokio::net::TcpSocket;

/// A port of this host on which nothing listens. Nobody else gets the port for as long as this is there.
pub struct ClosedPort(TcpSocket);

impl ClosedPort {
    pub fn any() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        Self(socket)
    }

    pub fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }
}
