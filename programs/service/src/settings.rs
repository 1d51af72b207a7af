//! The settings of the service. A TOML file, the environment and flags give them, and each of these overrides the ones
//! before.
//!
//! A setting has one name everywhere: `max_connections` in the file, `FRANKING_MAX_CONNECTIONS` in the environment,
//! `--max-connections` as a flag. A setting that is unknown or invalid is an error that names its place.

mod file;
mod flag;
#[cfg(test)]
mod page;
mod print;
mod table;
mod value;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::Arc;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use franking::Policy;
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::http::longest_body;
use crate::key_file::{KeyFile, KeyFileError};
use crate::mail::{DkimKey, MailSettings, Secret, SmtpSettings, SmtpTls, Timeouts, Way};
use crate::outbox::DomainLimit;
use crate::outcomes::{ReturnPaths, SuppressionRule, TrackingLinks, UnsubscribeLinks};
use crate::store::Domain;
use crate::transcripts::TranscriptKind;

pub use file::File;
pub use table::Commands;
use table::{Row, settings};
pub use value::{
    BaseUrl, Bounces, Bytes, Count, Days, FieldName, HostName, Hours, InstanceName, LogFormat,
    Seconds, TransportKind, Url,
};

settings! {
    All {
        /// The folder of the SQLite database; it is made if it is not there
        data: PathBuf = "franking-data".into();
        /// A PostgreSQL database instead: postgres://user:password@host/name
        #[serde(skip)]
        database: Option<Url> = None;
        /// A PEM file with the certificates that sign PostgreSQL's; with it all connections to PostgreSQL are over TLS
        database_certificates: Option<PathBuf> = None;
        /// The keys that seal secrets in the database, in place of franking.key in the data folder; migrate makes the file
        key_file: Option<PathBuf> = None;
    }
    Report {
        /// The domain of signed return paths, whose mail comes back to the service: without it the return path is the sender's address
        bounce_domain: Option<Domain> = None;
        /// The number of emails that bounce because the address is dead, with none delivered in between, after which a
        /// subscriber becomes INACTIVE; 0 is never
        suppress_bounces: Bounces = Bounces::new(3);
        /// The days within which these emails have to bounce
        suppress_days: Days = Days::new(30);
    }
    Webhook {
        /// Private networks in which webhooks may end, also without TLS; elsewhere they end at public addresses and https: alone
        webhook_networks: Vec<IpNet> = Vec::new();
    }
    Mail {
        /// Where emails go: smtp, a mail server; maildir, files in a folder; none, nowhere: they stay accepted. With --demo it is maildir where it is not set
        transport: Option<TransportKind> = None;
        /// The folder of the maildir, in place of mail in the data folder
        maildir: Option<PathBuf> = None;
        /// The mail server
        smtp_host: Option<HostName> = None;
        /// Its port, in place of 587, or of 465 where TLS comes first
        smtp_port: Option<NonZeroU16> = None;
        /// How the connection is protected: starttls or tls, with a certificate that is checked, opportunistic, or none
        smtp_tls: SmtpTls = SmtpTls::Starttls;
        /// The user by which the service authenticates
        smtp_user: Option<String> = None;
        /// The user's password
        #[serde(skip)]
        smtp_password: Option<Secret> = None;
        /// A PEM file with the certificates that sign the mail server's, in place of the system's
        smtp_ca: Option<PathBuf> = None;
        /// The name by which the service greets the mail server, in place of localhost
        smtp_hello: Option<HostName> = None;
    }
    Serve {
        /// The name of this process among the processes of a PostgreSQL database, in place of the host's name: a process
        /// that starts under a name goes on with the emails that were claimed under it
        instance: Option<InstanceName> = None;
        /// Connections to PostgreSQL at once
        database_connections: Count = Count::new(16);
        /// Where calls are taken; port 0 is a free one
        listen: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8484);
        /// The names under which the service is called: other Host headers are refused, unless there are no names
        hosts: Vec<HostName> = Vec::new();
        /// The https: URL under which readers reach the service: the links by which they unsubscribe begin with it
        unsubscribe_url: Option<BaseUrl> = None;
        /// The https: URL with which tracked links and images begin; without it nothing is tracked, whatever a call asks for
        tracking_url: Option<BaseUrl> = None;
        /// For how many days the address and the User-Agent of readers who are tracked are kept; without it they are not
        reader_days: Option<Days> = None;
        /// Where the operator reads /metrics, and the probes as well; port 0 is a free one
        operator_listen: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8485);
        /// The header field in which a proxy of trusted_proxies names the operator who has logged in there; without it operators log in at the desk with a password
        operator_header: Option<FieldName> = None;
        /// Proxies in front of the service: their addresses are not limited to a share of the connections, because many
        /// clients come from one address
        trusted_proxies: Vec<IpNet> = Vec::new();
        /// A PEM file with the certificate chain: calls are taken over TLS
        tls_certificate: Option<PathBuf> = None;
        /// The PEM file with the certificate's private key
        tls_key: Option<PathBuf> = None;
        /// Connections at once, of which one address may have a quarter: at the limit the one that has been idle longest is
        /// closed for a new one
        max_connections: Count = Count::new(1024);
        /// Bytes of bodies held at once, of which a quarter is for those up to 64 KB; more get HTTP 503
        max_held_bytes: Bytes = Bytes::new(256 << 20);
        /// The longest body of sendMailer; longer ones get HTTP 413
        max_send_mailer_bytes: Bytes = Bytes::new(1 << 20);
        /// Recipients of one call, each email counted; more get HTTP 413
        max_recipients: Count = Count::new(50_000);
        /// Calls of one account a second, ten seconds of them at once; more get HTTP 429
        account_calls_per_second: Option<Count> = None;
        /// Emails of one account a second, ten seconds of them at once; calls that come when it has had more get HTTP 429
        account_emails_per_second: Option<Count> = None;
        /// Bodies from this length on are decided on threads of their own
        large_body_bytes: Bytes = Bytes::new(256 << 10);
        /// The time in which a request's head, or the next request of a connection, has to come
        header_seconds: Seconds = Seconds::new(15);
        /// The time in which a body has to come
        body_seconds: Seconds = Seconds::new(60);
        /// For how long calls are still taken after SIGTERM while /readyz says 503; without it they are not
        drain_seconds: Option<Seconds> = None;
        /// How long calls in flight may take after SIGTERM
        shutdown_seconds: Seconds = Seconds::new(30);
        /// Emails that are being sent at once
        max_sends: Count = Count::new(32);
        /// How long after its first attempt an email that cannot be sent is given up
        give_up_hours: Hours = Hours::new(120);
        /// A maildir to which a mail server delivers reports
        reports_maildir: Option<PathBuf> = None;
        /// The bearer token with which reports are posted to /reports on operator_listen; without it they cannot be
        #[serde(skip)]
        reports_token: Option<Secret> = None;
        /// How long the subject and the HTML of emails that have ended are kept: until then they can be sent again
        content_days: Days = Days::new(30);
        /// How long the recipients of emails, and what became of the emails, are kept; not less than content_days. Counts by
        /// account, day and code stay
        delivery_days: Days = Days::new(90);
        /// How long accepted calls are kept; not less than delivery_days
        call_days: Days = Days::new(400);
        /// How long followed links and loaded images are kept
        hit_days: Days = Days::new(90);
        /// How long the log of operators' commands is kept
        audit_days: Days = Days::new(730);
        /// How long reports are kept, and can be undone
        reports_days: Days = Days::new(90);
        /// How long events are kept for those who read them; not less than suppress_days
        events_days: Days = Days::new(90);
        /// Which calls are kept to be explained: none; masked, refused calls with their texts masked; whole, all calls with only the key masked. The key file seals them
        transcripts: TranscriptKind = TranscriptKind::Masked;
        /// For how many days calls are kept
        transcript_days: Days = Days::new(14);
        /// How many bytes of one account's calls are kept in a day. When they are used up, calls are only counted
        transcript_bytes: Bytes = Bytes::new(64 << 20);
        /// Refuse httpSendMail after its last day, by the system's clock in UTC
        retire: bool = false;
        /// How log lines are written to standard error
        log_format: LogFormat = LogFormat::Text;
        // In TOML tables come last, and so do these rows.
        /// The library's policy, a table of the file
        #[serde(serialize_with = "value::policy")]
        policy: Policy = Policy::default();
        /// How many emails are sent at once to a domain, tables of the file: domain, such as gmail.com, *.example or *, and max_sends. The first that fits counts; without one they are not counted: a mail server does that
        domain_limits: Vec<DomainLimit> = Vec::new();
        /// The keys that sign emails, tables of the file: domain, selector, and key, a PEM file
        dkim: Vec<DkimKey> = Vec::new();
    }
}

/// The least length of a token. A shorter token can be guessed.
const LEAST_TOKEN: usize = 16;

/// A setting that is unknown or invalid.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct SettingsError {
    place: String,
    reason: String,
}

impl SettingsError {
    fn new(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            reason: reason.into(),
        }
    }
}

impl Settings {
    /// Reads the settings of a file, overridden by those of the environment and the flags in `matches`.
    ///
    /// # Errors
    /// A setting is invalid. The error has its place.
    pub fn read(matches: &ArgMatches, file: Option<&File>) -> Result<Self, SettingsError> {
        let of_file = file.map(File::given).transpose()?.unwrap_or_default();
        let settings = Given::by_flags(matches).over(of_file.over(Self::default()));
        settings.check().map_err(|(setting, reason)| {
            SettingsError::new(place(setting, matches, file), reason)
        })?;
        Ok(settings)
    }

    /// The path of the key file: `franking.key` in the data folder if the settings name none.
    #[must_use]
    pub fn key_file(&self) -> PathBuf {
        let own = || self.data.join("franking.key");
        self.key_file.clone().unwrap_or_else(own)
    }

    /// The rule by which bounces make a subscriber INACTIVE.
    #[must_use]
    pub fn suppression(&self) -> SuppressionRule {
        SuppressionRule {
            bounces: self.suppress_bounces.get(),
            days: self.suppress_days.get(),
        }
    }

    /// The signed return paths; `None` if they have no domain.
    ///
    /// # Errors
    /// The key file cannot be read. It is not made here, because all processes of a database sign by the same keys.
    pub fn return_paths(&self) -> Result<Option<Arc<ReturnPaths>>, KeyFileError> {
        let Some(domain) = self.bounce_domain.clone() else {
            return Ok(None);
        };
        let keys = KeyFile::read(&self.key_file())?;
        Ok(ReturnPaths::of(domain, &keys).map(Arc::new))
    }

    /// The links by which readers unsubscribe; `None` if they have no URL.
    ///
    /// # Errors
    /// The key file cannot be read. It is not made here, because all processes of a database sign by the same keys.
    pub fn unsubscribe_links(&self) -> Result<Option<Arc<UnsubscribeLinks>>, KeyFileError> {
        let Some(base) = self.unsubscribe_url.clone() else {
            return Ok(None);
        };
        let keys = KeyFile::read(&self.key_file())?;
        Ok(UnsubscribeLinks::of(base, &keys).map(Arc::new))
    }

    /// The links by which readers are tracked; `None` if they have no URL.
    ///
    /// # Errors
    /// The key file cannot be read. It is not made here, because all processes of a database sign by the same keys.
    pub fn tracking_links(&self) -> Result<Option<Arc<TrackingLinks>>, KeyFileError> {
        let Some(base) = self.tracking_url.clone() else {
            return Ok(None);
        };
        let keys = KeyFile::read(&self.key_file())?;
        Ok(TrackingLinks::of(base, &keys).map(Arc::new))
    }

    /// The settings of mail.
    ///
    /// # Errors
    /// A setting of mail is missing. The setting `transport` has no default.
    pub fn mail(&self) -> Result<MailSettings, SettingsError> {
        let mail = self.checked_mail().and_then(|mail| {
            let missing = "say where emails go: smtp, a mail server; maildir, files in a folder; none, nowhere";
            mail.ok_or(("transport", missing.into()))
        });
        mail.map_err(|(setting, reason)| SettingsError::new(setting, reason))
    }

    fn checked_mail(&self) -> Result<Option<MailSettings>, (&'static str, String)> {
        let credentials = match (&self.smtp_user, &self.smtp_password) {
            (Some(user), Some(password)) => Some((user.clone(), password.clone())),
            (None, None) => None,
            (Some(_), None) => return Err(("smtp_user", "needs smtp_password beside it".into())),
            (None, Some(_)) => return Err(("smtp_password", "needs smtp_user beside it".into())),
        };
        let way = match (self.transport, &self.smtp_host) {
            (None, _) => return Ok(None),
            (Some(TransportKind::Smtp), None) => {
                return Err(("transport", "smtp needs smtp_host beside it".into()));
            }
            (Some(TransportKind::Smtp), Some(host)) => Way::Smtp(SmtpSettings {
                host: host.without_brackets().to_owned(),
                port: self.smtp_port.map(NonZeroU16::get),
                tls: self.smtp_tls,
                credentials,
                ca: self.smtp_ca.clone(),
                hello: self
                    .smtp_hello
                    .as_ref()
                    .map(|name| name.as_str().to_owned()),
                timeouts: Timeouts::default(),
            }),
            (Some(TransportKind::Maildir), _) => Way::Maildir(self.maildir.clone()),
            (Some(TransportKind::None), _) => Way::None,
        };
        Ok(Some(MailSettings {
            way,
            dkim: self.dkim.clone(),
            return_paths: None,
            unsubscribe_links: None,
            tracking_links: None,
        }))
    }

    /// Checks that the settings fit together.
    fn check(&self) -> Result<(), (&'static str, String)> {
        if self.operator_header.is_some() && self.trusted_proxies.is_empty() {
            // Without a trusted proxy, nobody could name an operator.
            return Err(("operator_header", "needs trusted_proxies beside it".into()));
        }
        if self.database.as_ref().is_some_and(|url| !url.is_postgres()) {
            return Err((
                "database",
                "expected postgres://user:password@host/name".into(),
            ));
        }
        match (&self.tls_certificate, &self.tls_key) {
            (Some(_), None) => return Err(("tls_certificate", "needs tls_key beside it".into())),
            (None, Some(_)) => return Err(("tls_key", "needs tls_certificate beside it".into())),
            _ => {}
        }
        let held = self.max_held_bytes.get();
        let longest = longest_body(held);
        if self.max_send_mailer_bytes.get() > longest {
            let reason = format!("is more than three quarters of max_held_bytes, {longest}");
            return Err(("max_send_mailer_bytes", reason));
        }
        if self.policy.max_bytes() > longest {
            let longest = self.policy.max_bytes();
            let reason =
                format!("three quarters of it are less than the policy's max_bytes, {longest}");
            return Err(("max_held_bytes", reason));
        }
        self.checked_mail()?;
        // Data is not kept for longer than the data that it refers to.
        if self.delivery_days.get() < self.content_days.get() {
            return Err(("delivery_days", "is less than content_days".into()));
        }
        if self.call_days.get() < self.delivery_days.get() {
            return Err(("call_days", "is less than delivery_days".into()));
        }
        let token = self.reports_token.as_ref().map(Secret::reveal);
        if token.is_some_and(|token| token.len() < LEAST_TOKEN || !token.is_ascii()) {
            let reason = format!("expected {LEAST_TOKEN} or more characters of ASCII");
            return Err(("reports_token", reason));
        }
        if self.policy.today().is_some() {
            let reason = "today comes from the system's clock: set retire instead";
            return Err(("policy", reason.into()));
        }
        Ok(())
    }
}

/// Refuses environment variables that look like settings and are not.
///
/// # Errors
/// The first such variable.
pub fn check_environment(names: impl Iterator<Item = String>) -> Result<(), SettingsError> {
    const OWN: &str = "FRANKING_SETTINGS";
    for name in names.filter(|name| name.starts_with("FRANKING_") && name != OWN) {
        let is_setting = |row: &Row| row.flag(None).is_some() && table::variable(row.name) == name;
        if !ROWS.iter().any(is_setting) {
            return Err(SettingsError::new(name, "there is no such setting"));
        }
    }
    Ok(())
}

/// The flags of settings that these commands have.
///
/// # Errors
/// A default cannot be shown.
pub fn flags(commands: Commands) -> Result<Vec<Arg>, toml::ser::Error> {
    let defaults = Table::try_from(Settings::default())?;
    let rows = ROWS.iter().enumerate();
    let rows = rows.filter(|(_, row)| row.commands == commands);
    let flags = rows.filter_map(|(place, row)| {
        let flag = row.flag(default(row, &defaults).as_deref())?;
        Some(flag.display_order(place))
    });
    Ok(flags.collect())
}

/// A setting's default, as a flag would give it; `None` for a setting without a default.
fn default(row: &Row, defaults: &Table) -> Option<String> {
    fn shown(value: &Value) -> Option<String> {
        match value {
            Value::String(text) => Some(text.clone()),
            Value::Array(values) if values.is_empty() => None,
            Value::Array(values) => values
                .iter()
                .map(shown)
                .collect::<Option<Vec<_>>>()
                .map(|values| values.join(",")),
            Value::Table(_) => None,
            one => Some(one.to_string()),
        }
    }
    shown(defaults.get(row.name)?)
}

/// Where a setting was given.
fn place(setting: &str, matches: &ArgMatches, file: Option<&File>) -> String {
    // Clap panics when it is asked for a flag that this command does not have.
    let source = matches
        .try_contains_id(setting)
        .ok()
        .and_then(|_| matches.value_source(setting));
    match source {
        Some(ValueSource::CommandLine) => format!("--{}", table::long(setting)),
        Some(ValueSource::EnvVariable) => table::variable(setting),
        _ => file
            .and_then(|file| file.place(setting))
            .unwrap_or_else(|| setting.to_owned()),
    }
}
