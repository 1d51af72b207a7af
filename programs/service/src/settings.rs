//! The settings of the service. They come from a TOML file, the environment and flags. The environment overrides the file,
//! and flags override both.
//!
//! A setting has one name everywhere: `max_connections` in the file, `FRANKING_MAX_CONNECTIONS` in the environment,
//! `--max-connections` as a flag. A setting that is unknown or invalid is an error that names its place.

mod check;
mod file;
mod flag;
mod mail;
#[cfg(test)]
mod page;
mod policy;
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

use crate::key_file::{KeyFile, KeyFileError};
use crate::mail::{DkimKey, Secret, SmtpTls};
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
        /// The folder of the SQLite database; it is created if it does not exist
        data: PathBuf = "franking-data".into();
        /// The PostgreSQL database to use instead of SQLite: postgres://user:password@host/name
        #[serde(skip)]
        database: Option<Url> = None;
        /// A PEM file with the CA certificates that PostgreSQL's certificate is checked against. If it is set, all
        /// connections to PostgreSQL use TLS
        database_certificates: Option<PathBuf> = None;
        /// The file with the keys that seal secrets in the database; by default franking.key in the data folder. migrate
        /// creates it; with SQLite, serve does so as well
        key_file: Option<PathBuf> = None;
    }
    Report {
        /// The domain of signed return paths; mail to it has to come back to the service. Without it, the return path is the
        /// sender's address
        bounce_domain: Option<Domain> = None;
        /// After this many emails in a row have bounced because the address is dead, the subscriber becomes INACTIVE; 0 means
        /// never
        suppress_bounces: Bounces = Bounces::new(3);
        /// The number of days within which the emails of suppress_bounces have to bounce
        suppress_days: Days = Days::new(30);
    }
    Webhook {
        /// Private networks to which webhooks may post, also without TLS. Elsewhere, webhooks post only to public addresses,
        /// and only with https:
        webhook_networks: Vec<IpNet> = Vec::new();
    }
    Mail {
        /// Where emails go: smtp, to a mail server; maildir, to files in a folder; none, nowhere, so that they stay
        /// accepted. With --demo the default is maildir
        transport: Option<TransportKind> = None;
        /// The folder of the maildir; by default mail in the data folder
        maildir: Option<PathBuf> = None;
        /// The name or address of the mail server
        smtp_host: Option<HostName> = None;
        /// The port of the mail server; by default 465 if smtp_tls is tls, and 587 otherwise
        smtp_port: Option<NonZeroU16> = None;
        /// How the connection is protected: starttls and tls check the server's certificate; opportunistic does not; none
        /// uses no TLS
        smtp_tls: SmtpTls = SmtpTls::Starttls;
        /// The user as which the service logs in to the mail server
        smtp_user: Option<String> = None;
        /// The password of smtp_user
        #[serde(skip)]
        smtp_password: Option<Secret> = None;
        /// A PEM file with the CA certificates that the mail server's certificate is checked against, in place of the
        /// system's
        smtp_ca: Option<PathBuf> = None;
        /// The name with which the service greets the mail server; by default localhost
        smtp_hello: Option<HostName> = None;
    }
    Serve {
        /// The name of this process among the processes of a PostgreSQL database; by default the host's name. A process that
        /// starts under a name goes on with the emails that were claimed under that name
        instance: Option<InstanceName> = None;
        /// The maximum number of connections of the pool to PostgreSQL. A process opens up to 8 more: 2 for calls that are
        /// written together, 4 for calls whose account is locked by others, one that listens for work, and one that holds its
        /// name
        database_connections: Count = Count::new(16);
        /// The address on which calls are taken; port 0 means a free port
        listen: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8484);
        /// The host names under which the service is called. If there are any, calls with another Host header are refused
        hosts: Vec<HostName> = Vec::new();
        /// The https: URL under which readers reach the service; the links by which they unsubscribe begin with it
        unsubscribe_url: Option<BaseUrl> = None;
        /// The https: URL with which tracked links and images begin. Without it nothing is tracked, even if a call asks for
        /// it
        tracking_url: Option<BaseUrl> = None;
        /// For how many days the IP address and the User-Agent of tracked readers are kept. Without it they are not kept
        reader_days: Option<Days> = None;
        /// The address for operators: /metrics, the probes, the desk and /reports; port 0 means a free port
        operator_listen: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8485);
        /// The header field in which a proxy of trusted_proxies names the operator who has logged in there. Without it,
        /// operators log in at the desk with a password
        operator_header: Option<FieldName> = None;
        /// The networks of proxies in front of the service, such as 10.0.0.0/8. The last address in X-Forwarded-For of their
        /// requests counts as the client's, and they are not limited to a share of the connections
        trusted_proxies: Vec<IpNet> = Vec::new();
        /// A PEM file with the certificate chain. If it is set, calls are taken over TLS
        tls_certificate: Option<PathBuf> = None;
        /// The PEM file with the certificate's private key
        tls_key: Option<PathBuf> = None;
        /// The maximum number of connections, of which one address, or one network of 64 bits of IPv6, may have a quarter. At
        /// the limit, the connection that has been idle longest is closed for a new one
        max_connections: Count = Count::new(1024);
        /// The maximum size of all bodies that are held at once, in bytes. A quarter of it is for bodies of up to 64 KB.
        /// Calls beyond it get HTTP 503
        max_held_bytes: Bytes = Bytes::new(256 << 20);
        /// The maximum length of a body of sendMailer, in bytes; longer bodies get HTTP 413
        max_send_mailer_bytes: Bytes = Bytes::new(1 << 20);
        /// The maximum number of recipients of one call, counted for each email; calls with more get HTTP 413
        max_recipients: Count = Count::new(50_000);
        /// How many calls one account may send in a second, and ten seconds' worth of them at once; further calls get HTTP
        /// 429
        account_calls_per_second: Option<Count> = None;
        /// How many emails one account may send in a second, and ten seconds' worth of them at once; calls that come when it
        /// has sent more get HTTP 429
        account_emails_per_second: Option<Count> = None;
        /// The length, in bytes, from which bodies are decided on threads of their own
        large_body_bytes: Bytes = Bytes::new(256 << 10);
        /// The time within which a request's head, or the next request of a connection, has to arrive
        header_seconds: Seconds = Seconds::new(15);
        /// The time within which a body has to arrive
        body_seconds: Seconds = Seconds::new(60);
        /// How long calls are still taken after SIGTERM, while /readyz already answers 503. Without it, calls are no longer
        /// taken
        drain_seconds: Option<Seconds> = None;
        /// How long calls in flight may take after SIGTERM
        shutdown_seconds: Seconds = Seconds::new(30);
        /// The maximum number of emails that are sent at once
        max_sends: Count = Count::new(32);
        /// How long after its first attempt an email that cannot be sent is given up
        give_up_hours: Hours = Hours::new(120);
        /// A maildir to which a mail server delivers reports
        reports_maildir: Option<PathBuf> = None;
        /// The bearer token with which reports are posted to /reports on operator_listen. Without it, no reports can be
        /// posted
        #[serde(skip)]
        reports_token: Option<Secret> = None;
        /// How long the subject and the HTML of delivered and bounced emails are kept; until then they can be sent again, and
        /// their tracked links lead to their targets
        content_days: Days = Days::new(30);
        /// How long the recipients of emails and what became of the emails are kept; until then the links to unsubscribe in
        /// these emails work. Not less than content_days. Counts by account, day and code stay
        delivery_days: Days = Days::new(90);
        /// How long accepted calls are kept; not less than delivery_days
        call_days: Days = Days::new(400);
        /// How long followed links and loaded images are kept
        hit_days: Days = Days::new(90);
        /// How long the log of operators' commands is kept
        audit_days: Days = Days::new(730);
        /// How long reports are kept, and can be undone
        reports_days: Days = Days::new(90);
        /// How long events are kept for those who read them; if suppress_days is longer, they are kept for that time
        events_days: Days = Days::new(90);
        /// Which calls are kept so that they can be explained: none; masked, refused calls with their texts masked; whole,
        /// all calls with only the key masked. They are sealed with the key file
        transcripts: TranscriptKind = TranscriptKind::Masked;
        /// For how many days the calls of transcripts are kept
        transcript_days: Days = Days::new(14);
        /// How many bytes of one account's calls are kept at once, and again in the course of each day. Beyond that, calls are
        /// only counted
        transcript_bytes: Bytes = Bytes::new(64 << 20);
        /// Refuse httpSendMail after its last day, by the system's clock in UTC
        retire: bool = false;
        /// How log lines are written to standard error: text or json
        log_format: LogFormat = LogFormat::Text;
        // In TOML tables come last, and so do these rows.
        /// The policy of the library, a table of the settings file
        #[serde(serialize_with = "value::policy")]
        policy: Policy = Policy::default();
        /// How many emails are sent at once to a domain, tables of the settings file: domain, such as gmail.com, *.example
        /// or *, and max_sends. The first table that fits applies. A domain that fits no table has no limit here, because a
        /// mail server has its own
        domain_limits: Vec<DomainLimit> = Vec::new();
        /// The keys that sign emails, tables of the settings file: domain, selector, and key, a PEM file
        dkim: Vec<DkimKey> = Vec::new();
    }
}

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
    /// Reads the settings of a file, overridden by the flags in `matches`, which the environment may hold as well.
    ///
    /// A command has the flags of only those settings that it uses. It may see another setting without its companion, such as
    /// a user whose password is only in the environment of the service. So only `serve` checks all of them against each other.
    ///
    /// # Errors
    /// A setting is invalid. The error has its place.
    pub fn read(matches: &ArgMatches, file: Option<&File>) -> Result<Self, SettingsError> {
        let of_file = file.map(File::given).transpose()?.unwrap_or_default();
        let settings = Given::by_flags(matches).over(of_file.over(Self::default()));
        settings.check_database().map_err(|(setting, reason)| {
            SettingsError::new(place(setting, matches, file), reason)
        })?;
        Ok(settings)
    }

    /// Like [`Settings::read`], for a service that is to be started.
    ///
    /// # Errors
    /// A setting is invalid, or does not go with another one. The error has its place.
    pub fn read_for_service(
        matches: &ArgMatches,
        file: Option<&File>,
    ) -> Result<Self, SettingsError> {
        let settings = Self::read(matches, file)?;
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
    /// The key file cannot be read. It is not made here, because all processes of a database sign with the same keys.
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
    /// The key file cannot be read. It is not made here, because all processes of a database sign with the same keys.
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
    /// The key file cannot be read. It is not made here, because all processes of a database sign with the same keys.
    pub fn tracking_links(&self) -> Result<Option<Arc<TrackingLinks>>, KeyFileError> {
        let Some(base) = self.tracking_url.clone() else {
            return Ok(None);
        };
        let keys = KeyFile::read(&self.key_file())?;
        Ok(TrackingLinks::of(base, &keys).map(Arc::new))
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
            return Err(SettingsError::new(
                name,
                "there is no such setting: correct the name, or unset the variable",
            ));
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
