//! A mail server that follows a script, and fails at a given place.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// The places at which the server can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Greeting,
    Ehlo,
    Mail,
    /// MAIL, on a connection that has served an email.
    SecondMail,
    Rcpt,
    Data,
    /// After a part of the message, before the final dot.
    Message,
    /// In place of the answer to the final dot.
    End,
    Rset,
}

/// What the server does at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Says this line.
    Say(&'static str),
    /// Says this line, and closes the connection.
    SayAndDrop(&'static str),
    Drop,
    /// Says nothing and reads nothing more.
    Stall,
}

/// What the server has seen.
#[derive(Default)]
pub struct Seen {
    pub connections: usize,
    /// The connections that have not ended.
    pub open: usize,
    /// The command lines, without their line ends.
    pub commands: Vec<String>,
    /// The messages whose final dot came, unchanged.
    pub messages: Vec<Vec<u8>>,
}

pub struct Server {
    pub port: u16,
    pub seen: Arc<Mutex<Seen>>,
}

/// The answer to EHLO, with what the server offers.
pub const OFFERS: &str =
    "250-server.test\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-SIZE 50000000\r\n250 HELP";

impl Server {
    /// A server that fails at a place in each of its first `times` connections.
    pub async fn start(at: At, does: Does, times: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let all = Arc::clone(&seen);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let connections = {
                    let mut seen = all.lock().unwrap();
                    seen.open += 1;
                    seen.connections += 1;
                    seen.connections
                };
                let fault = (connections <= times).then_some((at, does));
                let seen = Arc::clone(&all);
                tokio::spawn(async move {
                    let _ = talk(stream, fault, &seen).await;
                    seen.lock().unwrap().open -= 1;
                });
            }
        });
        Self { port, seen }
    }

    /// A server that never fails.
    pub async fn good() -> Self {
        Self::start(At::Greeting, Does::Drop, 0).await
    }
}

async fn talk(
    stream: TcpStream,
    fault: Option<(At, Does)>,
    seen: &Mutex<Seen>,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    answer(&mut stream, fault, At::Greeting, "220 server.test").await?;
    let mut is_second = false;
    loop {
        let mut line = Vec::new();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        let line = String::from_utf8(line).unwrap();
        let command = line.strip_suffix("\r\n").unwrap().to_owned();
        seen.lock().unwrap().commands.push(command.clone());
        let (at, good) = match command.split(' ').next().unwrap() {
            "EHLO" => (At::Ehlo, OFFERS),
            "MAIL" if is_second => (At::SecondMail, "250 2.1.0 ok"),
            "MAIL" => (At::Mail, "250 2.1.0 ok"),
            "RCPT" => (At::Rcpt, "250 2.1.5 ok"),
            "RSET" => (At::Rset, "250 2.0.0 ok"),
            "DATA" => (At::Data, "354 go on"),
            "QUIT" => return stream.write_all(b"221 2.0.0 bye\r\n").await,
            other => panic!("{other:?} is not a command"),
        };
        let is_fault = fault.is_some_and(|(place, _)| place == at);
        answer(&mut stream, fault, at, good).await?;
        if at == At::Data && !is_fault {
            let message = message(&mut stream, fault).await?;
            seen.lock().unwrap().messages.push(message);
            answer(&mut stream, fault, At::End, "250 2.0.0 queued").await?;
            is_second = true;
        }
    }
}

/// Reads a message up to the final dot, as bytes.
async fn message(
    stream: &mut BufReader<TcpStream>,
    fault: Option<(At, Does)>,
) -> std::io::Result<Vec<u8>> {
    let mut message = Vec::new();
    loop {
        let start = message.len();
        stream.read_until(b'\n', &mut message).await?;
        if message[start..] == *b".\r\n" && (start == 0 || message[..start].ends_with(b"\r\n")) {
            message.truncate(start);
            return Ok(message);
        }
        if start == message.len() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if message.len() > 1_000 && fault.is_some_and(|(at, _)| at == At::Message) {
            answer(stream, fault, At::Message, "").await?;
        }
    }
}

async fn answer(
    stream: &mut BufReader<TcpStream>,
    fault: Option<(At, Does)>,
    at: At,
    good: &'static str,
) -> std::io::Result<()> {
    let does = match fault {
        Some((place, does)) if place == at => does,
        _ => Does::Say(good),
    };
    match does {
        Does::Say(text) => stream.write_all(format!("{text}\r\n").as_bytes()).await,
        Does::SayAndDrop(text) => {
            stream.write_all(format!("{text}\r\n").as_bytes()).await?;
            stream.shutdown().await?;
            Err(std::io::ErrorKind::ConnectionAborted.into())
        }
        Does::Drop => Err(std::io::ErrorKind::ConnectionAborted.into()),
        Does::Stall => std::future::pending().await,
    }
}
