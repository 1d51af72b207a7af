//! An endpoint, and the posts that it got.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use franking::webhook::{Headers, Secret, verify};
use serde_json::Value;

/// What an endpoint does with a post.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    /// Answers with this status.
    Answers(u16),
    /// Takes the post and does not answer.
    Hangs,
    /// Closes the connection.
    Closes,
    /// Redirects to another address.
    Redirects,
    /// Answers 200 with a body that does not end.
    Floods,
    /// Answers with a head that does not end.
    FloodsHead,
}

/// A post as it was received.
#[derive(Clone)]
pub(super) struct Post {
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    pub(super) does: Does,
}

impl Post {
    pub(super) fn header(&self, name: &str) -> &str {
        let mut headers = self.headers.iter();
        let header = headers.find(|(own, _)| own.eq_ignore_ascii_case(name));
        &header.unwrap().1
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Checks the signature as a receiver does.
    pub(super) fn is_signed_by(&self, secrets: &[&str]) -> bool {
        let secrets: Vec<Secret> = secrets
            .iter()
            .map(|one| Secret::parse(one).unwrap())
            .collect();
        let headers = self.headers.iter().map(|(name, value)| (&**name, &**value));
        let headers = Headers::read(headers).unwrap();
        // clock: as a receiver has it
        let now = jiff::Timestamp::now().as_second().unsigned_abs();
        verify(&secrets, &headers, &self.body, now, 300).is_ok()
    }
}

type Request = (Vec<(String, String)>, Vec<u8>);

type Behaviour = Arc<dyn Fn(usize, &Value) -> Does + Send + Sync>;

/// An endpoint on this host.
pub(super) struct Endpoint {
    address: SocketAddr,
    posts: Arc<Mutex<Vec<Post>>>,
    is_ended: Arc<AtomicBool>,
}

impl Endpoint {
    /// An endpoint that does the same with each post.
    pub(super) fn that(does: Does) -> Self {
        Self::by(move |_, _| does)
    }

    /// An endpoint that chooses what to do by the number of posts before and by the body.
    pub(super) fn by(does: impl Fn(usize, &Value) -> Does + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let posts = Arc::default();
        let is_ended = Arc::new(AtomicBool::new(false));
        let (all, ended, does): (_, _, Behaviour) =
            (Arc::clone(&posts), Arc::clone(&is_ended), Arc::new(does));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let (all, ended, does) = (Arc::clone(&all), Arc::clone(&ended), Arc::clone(&does));
                thread::spawn(move || serve(stream.unwrap(), &all, &ended, &does));
            }
        });
        Self {
            address,
            posts,
            is_ended,
        }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub(super) fn posts(&self) -> Vec<Post> {
        self.posts.lock().unwrap().clone()
    }

    /// The ids of the posts that it has accepted, in order, each once.
    pub(super) fn taken(&self) -> BTreeSet<u64> {
        let posts = self.posts();
        let taken = posts
            .iter()
            .filter(|post| matches!(post.does, Does::Answers(200..=299)));
        taken
            .map(|post| post.header("webhook-id").parse().unwrap())
            .collect()
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.is_ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

/// Reads a post, and does with it what the test has chosen.
fn serve(mut stream: TcpStream, all: &Mutex<Vec<Post>>, ended: &AtomicBool, does: &Behaviour) {
    let Some((headers, body)) = read(&mut stream) else {
        return;
    };
    let json: Value = serde_json::from_slice(&body).unwrap();
    let what = {
        let mut all = all.lock().unwrap();
        let what = does(all.len(), &json);
        all.push(Post {
            headers,
            body,
            does: what,
        });
        what
    };
    let _ = match what {
        Does::Answers(status) => {
            let answer = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes())
        }
        Does::Closes => stream.shutdown(Shutdown::Both),
        Does::Redirects => {
            let answer = b"HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(answer)
        }
        Does::Hangs => {
            while !ended.load(Ordering::SeqCst) {
                // clock: it hangs as long as it is there
                thread::sleep(Duration::from_millis(50));
            }
            Ok(())
        }
        Does::Floods => {
            let head = b"HTTP/1.1 200 OK\r\nContent-Length: 33554432\r\n\r\n";
            stream.write_all(head).and_then(|()| flood(&mut stream))
        }
        Does::FloodsHead => stream
            .write_all(b"HTTP/1.1 200 OK\r\nA: ")
            .and_then(|()| flood(&mut stream)),
    };
}

/// Writes 32 MB, or as much as the client reads.
fn flood(stream: &mut TcpStream) -> std::io::Result<()> {
    (0..512).try_for_each(|_| stream.write_all(&[b'a'; 65_536]))
}

/// The headers and the body of a request.
fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let length = stream.read(&mut part).ok().filter(|length| *length > 0)?;
        bytes.extend_from_slice(&part[..length]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        assert_eq!(lines.next(), Some("POST /hook HTTP/1.1"));
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length: usize = length.unwrap().1.parse().unwrap();
        if bytes.len() >= end + 4 + length {
            return Some((headers, bytes[end + 4..].to_vec()));
        }
    }
}
