//! A mail server that many accounts share. It records what became of their emails.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
// clock: printed in the table, or judged by a benchmark.
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// The emails that the server has taken, by recipient: the time, and how many emails were taken before.
type Taken = HashMap<String, (Instant, usize)>; // clock: as above, it is printed

pub(crate) struct Relay {
    pub port: u16,
    taken: Arc<Mutex<Taken>>,
}

impl Relay {
    /// Starts a server that takes this time for each command. It refuses the sender `bad@`. It stops answering at a
    /// recipient below `hang.example`, and after the data from the sender `stuck@`.
    pub(crate) async fn start(time: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let taken = Arc::<Mutex<Taken>>::default();
        let all = Arc::clone(&taken);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let taken = Arc::clone(&all);
                tokio::spawn(async move {
                    // The service may close at any moment.
                    let _ = talk(stream, time, &taken).await;
                });
            }
        });
        Self { port, taken }
    }

    /// The time at which an email to that address came, and the number of emails before it. `None` if it has not come.
    // clock: printed in the table, or judged by a benchmark
    pub(crate) fn took(&self, address: &str) -> Option<(Instant, usize)> {
        self.taken.lock().unwrap().get(address).copied()
    }

    pub(crate) fn count(&self) -> usize {
        self.taken.lock().unwrap().len()
    }
}

async fn talk(stream: TcpStream, time: Duration, taken: &Mutex<Taken>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 relay.test\r\n").await?;
    let (mut sender, mut recipient) = (String::new(), String::new());
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        // clock: how long a command takes is a part of each case
        tokio::time::sleep(time).await;
        let answer = match line.split(' ').next().unwrap_or_default() {
            "EHLO" => "250-relay.test\r\n250-8BITMIME\r\n250 SIZE 50000000",
            "MAIL" => {
                sender = line.to_owned();
                match sender.contains("<bad@") {
                    true => "550 5.7.1 not you",
                    false => "250 2.1.0 ok",
                }
            }
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1).unwrap_or_default();
                recipient = address.to_owned();
                if recipient.ends_with(".hang.example") {
                    std::future::pending::<()>().await;
                }
                "250 2.1.5 ok"
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await?;
                read_message(&mut stream).await?;
                if sender.contains("<stuck@") {
                    std::future::pending::<()>().await;
                }
                let mut taken = taken.lock().unwrap();
                let count = taken.len();
                // clock: printed in the table, or judged by a benchmark
                taken.insert(recipient.clone(), (Instant::now(), count));
                "250 2.0.0 queued"
            }
            "QUIT" => return stream.write_all(b"221 bye\r\n").await,
            _ => "250 ok",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
}

async fn read_message(stream: &mut BufReader<TcpStream>) -> std::io::Result<()> {
    loop {
        let mut line = Vec::new();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if line == b".\r\n" {
            return Ok(());
        }
    }
}
