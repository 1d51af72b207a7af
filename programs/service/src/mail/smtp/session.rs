//! A dialogue with a mail server, step by step.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use mail_send::{Credentials, Error, SmtpClient};
use smtp_proto::response::parser::ResponseReceiver;
use smtp_proto::{
    AUTH_LOGIN, AUTH_PLAIN, EXT_8BIT_MIME, EXT_SIZE, EXT_SMTP_UTF8, EXT_START_TLS, EhloResponse,
    Response,
};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use super::failure::{Failure, Step};
use super::{Timeouts, tls};
use crate::connecting::first_that_answers;
use crate::mail::transport::MayFinish;
use crate::mail::{Email, MailSettingsError, Reason, SmtpSettings, SmtpTls};

/// How much of a message is written at once.
const BLOCK: usize = 64 << 10;

/// How long a server may take to end a dialogue.
const QUIT_TIME: Duration = Duration::from_secs(10);

/// A mail server, and the settings of the dialogues with it.
pub(super) struct Server {
    host: String,
    port: u16,
    tls: SmtpTls,
    connector: Option<TlsConnector>,
    name: ServerName<'static>,
    credentials: Option<Credentials<String>>,
    hello: String,
    timeouts: Timeouts,
}

/// A dialogue after the greeting and authentication.
pub(super) struct Session {
    client: SmtpClient<Box<dyn Stream>>,
    ehlo: EhloResponse<String>,
    timeouts: Timeouts,
    /// Whether an email was begun in the dialogue, so that RSET has to come before the next one.
    is_used: bool,
    /// Whether the last answer was read to its end. If it was not, its rest would be taken for the next answer.
    is_read: bool,
}

/// A connection, with TLS or without.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Server {
    pub(super) fn new(settings: &SmtpSettings) -> Result<Self, MailSettingsError> {
        let host = settings.host.clone();
        let name = ServerName::try_from(host.clone()).map_err(|_| {
            MailSettingsError::new("smtp_host", "expected a host's name or address")
        })?;
        let is_protected = matches!(settings.tls, SmtpTls::Starttls | SmtpTls::Tls);
        if settings.credentials.is_some() && !is_protected {
            let reason =
                "a password is sent only over TLS: set smtp_tls to \"starttls\" or \"tls\"";
            return Err(MailSettingsError::new("smtp_user", reason));
        }
        let hello = settings.hello.clone().unwrap_or_else(|| "localhost".into());
        let is_visible = |byte: u8| byte.is_ascii_graphic();
        if hello.is_empty() || hello.len() > 255 || !hello.bytes().all(is_visible) {
            return Err(MailSettingsError::new(
                "smtp_hello",
                "expected a host's name",
            ));
        }
        let implicit = settings.tls == SmtpTls::Tls;
        Ok(Self {
            host,
            port: settings.port.unwrap_or(if implicit { 465 } else { 587 }),
            tls: settings.tls,
            connector: tls::connector(settings.tls, settings.ca.as_deref())?,
            name,
            credentials: settings.credentials.as_ref().map(|(user, password)| {
                Credentials::new(user.clone(), password.reveal().to_owned())
            }),
            hello,
            timeouts: settings.timeouts,
        })
    }
}

impl Session {
    /// Connects, greets, and authenticates if there are credentials.
    pub(super) async fn open(server: &Server) -> Result<Self, Failure> {
        let timeouts = server.timeouts;
        let connecting = async {
            let addresses = lookup_host((server.host.as_str(), server.port)).await?;
            let addresses: Vec<SocketAddr> = addresses.collect();
            // Each address has an equal share of the time (RFC 5321, 5.1).
            let shares = u32::try_from(addresses.len().max(1)).unwrap_or(u32::MAX);
            first_that_answers(addresses, timeouts.connect / shares, TcpStream::connect).await
        };
        let stream = timeout(timeouts.connect, connecting)
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
            .map_err(|error| {
                Failure::unreachable(&format!("the server cannot be reached: {}", error.kind()))
            })?;
        // Commands are short, and each waits for its answer, so none should be delayed.
        let _ = stream.set_nodelay(true);
        let mut client = client(stream, timeouts);
        if server.tls == SmtpTls::Tls {
            client = encrypted(server, client).await?;
        }
        let greeting = in_time(timeouts.greeting, Step::Greet, client.read()).await?;
        expect(Step::Greet, greeting, 2)?;
        let mut ehlo = say_ehlo(server, &mut client).await?;
        let offered = ehlo.capabilities & EXT_START_TLS != 0;
        match server.tls {
            SmtpTls::Starttls if !offered => {
                return Err(Failure::unusable("the server does not offer STARTTLS"));
            }
            SmtpTls::Starttls | SmtpTls::Opportunistic if offered => {
                let answer = command(&mut client, Step::Greet, "STARTTLS\r\n").await?;
                expect(Step::Greet, answer, 2)?;
                client = encrypted(server, client).await?;
                // What the server said without TLS no longer counts.
                ehlo = say_ehlo(server, &mut client).await?;
            }
            _ => {}
        }
        if let Some(credentials) = &server.credentials {
            ehlo.auth_mechanisms &= AUTH_PLAIN | AUTH_LOGIN;
            client
                .authenticate(credentials, &ehlo)
                .await
                .map_err(|error| Failure::of_error(Step::Greet, error))?;
        }
        Ok(Self {
            client,
            ehlo,
            timeouts,
            is_used: false,
            is_read: true,
        })
    }

    /// Prepares a used dialogue for the next email.
    pub(super) async fn reset(&mut self) -> Result<(), Failure> {
        if self.is_used {
            let answer = command(&mut self.client, Step::Reset, "RSET\r\n").await?;
            expect(Step::Reset, answer, 2)?;
            self.is_used = false;
        }
        Ok(())
    }

    /// Sends the envelope: the sender and the recipient.
    pub(super) async fn envelope(&mut self, email: &Email) -> Result<(), Failure> {
        let parameters = self.parameters(email)?;
        self.is_used = true;
        let mail = format!("MAIL FROM:<{}>{parameters}\r\n", email.return_path.address);
        let answer = command(&mut self.client, Step::Mail, &mail).await?;
        expect(Step::Mail, answer, 2)?;
        let rcpt = format!("RCPT TO:<{}>\r\n", email.to.address);
        let answer = command(&mut self.client, Step::Rcpt, &rcpt).await?;
        expect(Step::Rcpt, answer, 2)?;
        Ok(())
    }

    /// Sends the message and returns the answer. Returns `None` if the message may not be finished, after which the session
    /// has to be closed.
    pub(super) async fn data(
        &mut self,
        email: &Email,
        may_finish: MayFinish,
    ) -> Result<Option<Reason>, Failure> {
        self.client.timeout = self.timeouts.data;
        let answer = command(&mut self.client, Step::Data, "DATA\r\n").await;
        self.client.timeout = self.timeouts.command;
        expect(Step::Data, answer?, 3)?;
        let mut last = b'\n';
        for block in email.bytes.chunks(BLOCK) {
            let stuffed = stuffed(block, &mut last);
            let limit = self.timeouts.block;
            in_time(limit, Step::Data, self.write(&stuffed)).await?;
        }
        if !may_finish.await {
            return Ok(None);
        }
        // Once the first byte of this is sent, the server may have the email.
        let ending = async {
            let stream = &mut self.client.stream;
            stream.write_all(b".\r\n").await?;
            stream.flush().await?;
            read_decision(stream).await
        };
        let (answer, is_read) = in_time(self.timeouts.end, Step::End, ending).await?;
        self.is_read = is_read;
        let answer = expect(Step::End, answer, 2)?;
        self.is_used = false;
        Ok(Some(Reason::of_answer(
            answer.code,
            answer.esc,
            &answer.message,
        )))
    }

    /// Whether another email can be sent in the dialogue.
    pub(super) fn is_usable(&self) -> bool {
        self.is_read
    }

    /// Ends the dialogue. The connection is closed whatever the server answers.
    pub(super) async fn quit(mut self) {
        self.client.timeout = QUIT_TIME;
        let _ = self.client.cmd("QUIT\r\n").await;
    }

    /// Returns the parameters of MAIL for an email. Fails if the server cannot accept the email.
    fn parameters(&self, email: &Email) -> Result<String, Failure> {
        let offers = |capability| self.ehlo.capabilities & capability != 0;
        let mut parameters = String::new();
        if offers(EXT_SIZE) {
            let size = email.bytes.len();
            if self.ehlo.size > 0 && size > self.ehlo.size {
                return Err(Failure::unsuitable(
                    "the email is longer than the server accepts",
                ));
            }
            parameters = format!(" SIZE={size}");
        }
        if email.needs_smtputf8 {
            if !offers(EXT_SMTP_UTF8) || !offers(EXT_8BIT_MIME) {
                let why = "an address is not ASCII, and the server does not offer SMTPUTF8";
                return Err(Failure::unsuitable(why));
            }
            parameters.push_str(" BODY=8BITMIME SMTPUTF8");
        }
        Ok(parameters)
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.client.stream.write_all(bytes).await?;
        self.client.stream.flush().await?;
        Ok(())
    }
}

fn client(stream: impl Stream + 'static, timeouts: Timeouts) -> SmtpClient<Box<dyn Stream>> {
    SmtpClient {
        stream: Box::new(stream),
        timeout: timeouts.command,
    }
}

/// Starts TLS on a connection. mail-send keeps nothing that the server sent before.
async fn encrypted(
    server: &Server,
    plain: SmtpClient<Box<dyn Stream>>,
) -> Result<SmtpClient<Box<dyn Stream>>, Failure> {
    let Some(connector) = &server.connector else {
        return Ok(plain);
    };
    let handshake = connector.connect(server.name.clone(), plain.stream);
    let stream = timeout(server.timeouts.connect, handshake)
        .await
        .map_err(|_| Failure::unusable("the server does not answer the TLS handshake"))?
        .map_err(|error| Failure::unusable(&tls::explained(&error)))?;
    Ok(client(stream, server.timeouts))
}

async fn say_ehlo(
    server: &Server,
    client: &mut SmtpClient<Box<dyn Stream>>,
) -> Result<EhloResponse<String>, Failure> {
    client
        .ehlo(&server.hello)
        .await
        .map_err(|error| Failure::of_error(Step::Greet, error))
}

async fn command(
    client: &mut SmtpClient<Box<dyn Stream>>,
    step: Step,
    line: &str,
) -> Result<Response<String>, Failure> {
    client
        .cmd(line)
        .await
        .map_err(|error| Failure::of_error(step, error))
}

async fn in_time<T>(
    limit: Duration,
    step: Step,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Failure> {
    timeout(limit, work)
        .await
        .unwrap_or(Err(Error::Timeout))
        .map_err(|error| Failure::of_error(step, error))
}

/// Returns a block of a message in which no line can be the final dot: a dot at the start of a line is doubled (RFC 5321,
/// 4.5.2).
fn stuffed(block: &[u8], last: &mut u8) -> Vec<u8> {
    let mut stuffed = Vec::with_capacity(block.len().saturating_add(16));
    for byte in block {
        if *byte == b'.' && *last == b'\n' {
            stuffed.push(b'.');
        }
        stuffed.push(*byte);
        *last = *byte;
    }
    stuffed
}

/// Reads the answer to the message, and returns whether it was read to its end. An answer that is too long counts by its
/// code, so that an email that the server has accepted is not sent again.
async fn read_decision(
    stream: &mut (impl AsyncRead + Unpin),
) -> Result<(Response<String>, bool), Error> {
    let mut receiver = ResponseReceiver::default();
    let mut digits: Vec<u8> = Vec::new();
    let mut block = vec![0_u8; 1 << 10];
    loop {
        let length = stream.read(&mut block).await?;
        let bytes = block.get(..length).unwrap_or_default();
        if bytes.is_empty() {
            return Err(Error::UnparseableReply);
        }
        let missing = 3_usize.saturating_sub(digits.len());
        digits.extend(bytes.iter().take(missing));
        match receiver.parse(&mut bytes.iter()) {
            Ok(answer) => return Ok((answer, true)),
            Err(smtp_proto::Error::NeedsMoreData { .. }) => {}
            Err(smtp_proto::Error::ResponseTooLong) => {
                let code = std::str::from_utf8(&digits).ok();
                let code = code.and_then(|code| code.parse::<u16>().ok());
                let answer = Response {
                    code: code.ok_or(Error::UnparseableReply)?,
                    esc: [0; 3],
                    message: "(the text is too long)".to_owned(),
                };
                return Ok((answer, false));
            }
            Err(_) => return Err(Error::UnparseableReply),
        }
    }
}

/// Returns the answer if its code begins with the digit that the step expects. If a client does not know a code, the first
/// digit decides (RFC 5321, 4.2).
fn expect(step: Step, answer: Response<String>, digit: u16) -> Result<Response<String>, Failure> {
    if answer.code / 100 == digit {
        Ok(answer)
    } else {
        Err(Failure::of_answer(step, answer))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Session")
    }
}
