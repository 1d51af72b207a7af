//! A proxy to the server that can be cut between COMMIT and its answer.
#![allow(dead_code, reason = "each program of tests uses a part")]

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A client gives up after 5 seconds, and then waits for up to 4 seconds for what the server does.
const LATE: Duration = Duration::from_secs(6);

/// A socket that passes everything on.
pub(crate) struct Proxy {
    folder: tempfile::TempDir,
    switches: Arc<Switches>,
}

#[derive(Default)]
struct Switches {
    /// Passes the next COMMIT on, but not its answer, and not the answers to what was sent with it.
    cuts: AtomicBool,
    /// That COMMIT is passed on when its client has given up.
    is_late: AtomicBool,
    /// After that, no answer is passed on.
    closes: AtomicBool,
    is_closed: AtomicBool,
    /// Nothing is passed on, and the connections stay open.
    swallows: AtomicBool,
    /// How often a client has sent something after an answer.
    round_trips: AtomicU64,
}

impl Proxy {
    /// Starts a proxy to the server whose socket is in this folder.
    pub(crate) fn start(server: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(socket(folder.path())).unwrap();
        let switches = Arc::new(Switches::default());
        let (server, shared) = (socket(server), Arc::clone(&switches));
        // The thread ends with the program.
        std::thread::spawn(move || {
            for client in listener.incoming() {
                if !shared.is_closed.load(Ordering::SeqCst) {
                    pass(client.unwrap(), &server, &shared);
                }
            }
        });
        Self { folder, switches }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Cuts the next connection that commits. If `closes`, no answer is passed on afterwards, on any connection.
    pub(crate) fn cut(&self, closes: bool) {
        self.switches.closes.store(closes, Ordering::SeqCst);
        self.switches.cuts.store(true, Ordering::SeqCst);
    }

    /// As [`Proxy::cut`], but COMMIT comes to the server late, when its client has given up.
    pub(crate) fn cut_late(&self) {
        self.switches.is_late.store(true, Ordering::SeqCst);
        self.cut(false);
    }

    /// From now on nothing is passed on, on any connection, as if the host of the server had vanished.
    pub(crate) fn swallow(&self, swallows: bool) {
        self.switches.swallows.store(swallows, Ordering::SeqCst);
    }

    /// The number of round trips on all connections.
    pub(crate) fn round_trips(&self) -> u64 {
        self.switches.round_trips.load(Ordering::SeqCst)
    }

    /// Passes everything on again.
    pub(crate) fn open(&self) {
        self.switches.is_closed.store(false, Ordering::SeqCst);
    }
}

fn socket(folder: &Path) -> PathBuf {
    folder.join(".s.PGSQL.5432")
}

/// Passes on what the client and the server send, each on a thread of its own.
fn pass(client: UnixStream, server: &Path, switches: &Arc<Switches>) {
    let server = UnixStream::connect(server).unwrap();
    let is_cut = Arc::new(AtomicBool::new(false));
    let is_answered = Arc::new(AtomicBool::new(true));
    let answered = Arc::clone(&is_answered);
    let (mut from_client, mut to_server) =
        (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (switches, cuts) = (Arc::clone(switches), Arc::clone(&is_cut));
    let shared = Arc::clone(&switches);
    std::thread::spawn(move || {
        copy(&mut from_client, &mut to_server, &switches, |sent| {
            if is_answered.swap(false, Ordering::SeqCst) {
                switches.round_trips.fetch_add(1, Ordering::SeqCst);
            }
            if has_commit(sent) && switches.cuts.swap(false, Ordering::SeqCst) {
                cuts.store(true, Ordering::SeqCst);
                switches
                    .is_closed
                    .store(switches.closes.load(Ordering::SeqCst), Ordering::SeqCst);
                if switches.is_late.swap(false, Ordering::SeqCst) {
                    // clock: until the client has given up
                    std::thread::sleep(LATE);
                }
            }
            Bytes::Pass
        });
        // The server still reads what was passed on. The stream may be closed already.
        drop(to_server.shutdown(Shutdown::Write));
    });
    let (mut from_server, mut to_client) = (server, client);
    std::thread::spawn(move || {
        copy(&mut from_server, &mut to_client, &shared, |sent| {
            answered.store(true, Ordering::SeqCst);
            if is_cut.load(Ordering::SeqCst) {
                // If the connection ended earlier, the server could not commit.
                return if has_commit(sent) {
                    Bytes::End
                } else {
                    Bytes::Withhold
                };
            }
            match shared.is_closed.load(Ordering::SeqCst) {
                true => Bytes::End,
                false => Bytes::Pass,
            }
        });
        for stream in [from_server, to_client] {
            // The stream may be closed already.
            drop(stream.shutdown(Shutdown::Both));
        }
    });
}

/// What is done with bytes.
enum Bytes {
    Pass,
    Withhold,
    /// Nothing is passed on any more, in either direction.
    End,
}

/// Whether a client sends COMMIT, or the server answers that it has committed.
fn has_commit(sent: &[u8]) -> bool {
    sent.windows(7).any(|window| window == b"COMMIT\0")
}

/// Copies until the end of the stream, or until the connection is to end.
fn copy(
    from: &mut UnixStream,
    to: &mut UnixStream,
    switches: &Switches,
    mut done_with: impl FnMut(&[u8]) -> Bytes,
) {
    let mut buffer = [0; 65_536];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        if switches.swallows.load(Ordering::SeqCst) {
            continue;
        }
        match done_with(&buffer[..read]) {
            Bytes::Pass if to.write_all(&buffer[..read]).is_ok() => {}
            Bytes::Withhold => {}
            Bytes::Pass | Bytes::End => break,
        }
    }
}
