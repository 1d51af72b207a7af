//! What can be set: in a TOML file, by the environment, by flags, each stronger than the one before.
//!
//! A setting has one name everywhere: `max_connections` in the file, `FRANKING_MAX_CONNECTIONS` in the environment,
//! `--max-connections` as a flag. What is unknown or cannot be is an error that names its place.

mod file;
mod value;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use franking::Policy;
use ipnet::IpNet;
use serde::{Deserialize, Serialize};

pub use file::File;
pub use value::{Bytes, Count, HostName, LogFormat, Seconds, Url};

/// Settings as they are given in one place: what is left out comes from a weaker place.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Given {
    /// The folder of the SQLite database; it is made if it is not there [default: franking-data]
    #[arg(long, env = "FRANKING_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// A PostgreSQL database instead: postgres://user:password@host/name
    #[arg(
        long,
        env = "FRANKING_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    database: Option<Url>,
    /// Connections to PostgreSQL at once [default: 16]
    #[arg(long, env = "FRANKING_DATABASE_CONNECTIONS", value_name = "COUNT")]
    database_connections: Option<Count>,
    /// Where calls are taken [default: 127.0.0.1:8484]; port 0 is a free one
    #[arg(long, env = "FRANKING_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// The names under which the service is called; other Host headers are refused [default: any]
    #[arg(
        long,
        env = "FRANKING_HOSTS",
        value_name = "NAME,...",
        value_delimiter = ','
    )]
    hosts: Option<Vec<HostName>>,
    /// Proxies whose X-Forwarded-For is believed [default: none]
    #[arg(
        long,
        env = "FRANKING_TRUSTED_PROXIES",
        value_name = "NETWORK,...",
        value_delimiter = ','
    )]
    trusted_proxies: Option<Vec<IpNet>>,
    /// Who may read /metrics [default: 127.0.0.0/8,::1/128]
    #[arg(
        long,
        env = "FRANKING_METRICS_FROM",
        value_name = "NETWORK,...",
        value_delimiter = ','
    )]
    metrics_from: Option<Vec<IpNet>>,
    /// A PEM file with the certificate chain: calls are taken over TLS
    #[arg(long, env = "FRANKING_TLS_CERTIFICATE", value_name = "FILE")]
    tls_certificate: Option<PathBuf>,
    /// The PEM file with the certificate's private key
    #[arg(long, env = "FRANKING_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Connections at once; more get HTTP 503 [default: 1024]
    #[arg(long, env = "FRANKING_MAX_CONNECTIONS", value_name = "COUNT")]
    max_connections: Option<Count>,
    /// Bytes of bodies held at once; more get HTTP 503 [default: 268435456]
    #[arg(long, env = "FRANKING_MAX_HELD_BYTES", value_name = "BYTES")]
    max_held_bytes: Option<Bytes>,
    /// The longest body of sendMailer; longer ones get HTTP 413 [default: 1048576]
    #[arg(long, env = "FRANKING_MAX_SEND_MAILER_BYTES", value_name = "BYTES")]
    max_send_mailer_bytes: Option<Bytes>,
    /// Bodies from this length on are decided on threads of their own [default: 262144]
    #[arg(long, env = "FRANKING_LARGE_BODY_BYTES", value_name = "BYTES")]
    large_body_bytes: Option<Bytes>,
    /// The time in which a request's head, or the next request of a connection, has to come [default: 15]
    #[arg(long, env = "FRANKING_HEADER_SECONDS", value_name = "SECONDS")]
    header_seconds: Option<Seconds>,
    /// The time in which a body has to come [default: 60]
    #[arg(long, env = "FRANKING_BODY_SECONDS", value_name = "SECONDS")]
    body_seconds: Option<Seconds>,
    /// How long calls in flight may take after SIGTERM [default: 30]
    #[arg(long, env = "FRANKING_SHUTDOWN_SECONDS", value_name = "SECONDS")]
    shutdown_seconds: Option<Seconds>,
    /// Refuse httpSendMail after its last day, by the system's clock in UTC [default: false]
    #[arg(long, env = "FRANKING_RETIRE", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    retire: Option<bool>,
    /// How log lines are written to standard error [default: text]
    #[arg(long, env = "FRANKING_LOG_FORMAT", value_name = "FORMAT")]
    log_format: Option<LogFormat>,
    /// The library's policy: in the file only.
    #[arg(skip)]
    policy: Option<Policy>,
}

/// All settings, with their defaults. Written as TOML they are a settings file.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The folder of the SQLite database.
    pub data: PathBuf,
    /// The PostgreSQL database, if there is one.
    #[serde(skip)]
    pub database: Option<Url>,
    /// Connections to PostgreSQL at once.
    pub database_connections: Count,
    /// Where calls are taken.
    pub listen: SocketAddr,
    /// The names under which the service is called; any if there are none.
    pub hosts: Vec<HostName>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Who may read `/metrics`.
    pub metrics_from: Vec<IpNet>,
    /// The certificate chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_certificate: Option<PathBuf>,
    /// The certificate's private key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_key: Option<PathBuf>,
    /// Connections at once.
    pub max_connections: Count,
    /// Bytes of bodies held at once.
    pub max_held_bytes: Bytes,
    /// The longest body of sendMailer.
    pub max_send_mailer_bytes: Bytes,
    /// Bodies from this length on are decided on threads of their own.
    pub large_body_bytes: Bytes,
    /// The time for a request's head.
    pub header_seconds: Seconds,
    /// The time for a body.
    pub body_seconds: Seconds,
    /// The time for calls in flight after SIGTERM.
    pub shutdown_seconds: Seconds,
    /// Whether httpSendMail is refused after its last day.
    pub retire: bool,
    /// How log lines are written.
    pub log_format: LogFormat,
    /// The library's policy.
    #[serde(serialize_with = "value::policy")]
    pub policy: Policy,
}

/// A setting that is unknown or cannot be.
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
    /// The settings of a file, under those of the environment and the flags, whose places `matches` knows.
    ///
    /// # Errors
    /// A setting that cannot be, with its place.
    pub fn read(
        given: Given,
        matches: &ArgMatches,
        file: Option<&File>,
    ) -> Result<Self, SettingsError> {
        let weaker = file.map(File::given).transpose()?.unwrap_or_default();
        let settings = given.over(weaker).with_defaults();
        settings.check().map_err(|(setting, reason)| {
            SettingsError::new(place(setting, matches, file), reason)
        })?;
        Ok(settings)
    }

    /// The settings as a settings file. A database's URL is left out, for it holds a password.
    ///
    /// # Errors
    /// A path that is no UTF-8.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// What no setting shows by itself.
    fn check(&self) -> Result<(), (&'static str, String)> {
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
        if self.max_send_mailer_bytes.get() > held {
            let reason = format!("is more than max_held_bytes, {held}");
            return Err(("max_send_mailer_bytes", reason));
        }
        if self.policy.max_bytes() > held {
            let longest = self.policy.max_bytes();
            let reason = format!("is less than the policy's max_bytes, {longest}");
            return Err(("max_held_bytes", reason));
        }
        if self.policy.today().is_some() {
            let reason = "today comes from the system's clock: set retire instead";
            return Err(("policy", reason.into()));
        }
        Ok(())
    }
}

impl Given {
    /// Where the database is, and nothing else.
    pub(crate) fn of_database(data: Option<PathBuf>, database: Option<Url>) -> Self {
        Self {
            data,
            database,
            ..Self::default()
        }
    }

    fn over(self, weaker: Self) -> Self {
        Self {
            data: self.data.or(weaker.data),
            database: self.database.or(weaker.database),
            database_connections: self.database_connections.or(weaker.database_connections),
            listen: self.listen.or(weaker.listen),
            hosts: self.hosts.or(weaker.hosts),
            trusted_proxies: self.trusted_proxies.or(weaker.trusted_proxies),
            metrics_from: self.metrics_from.or(weaker.metrics_from),
            tls_certificate: self.tls_certificate.or(weaker.tls_certificate),
            tls_key: self.tls_key.or(weaker.tls_key),
            max_connections: self.max_connections.or(weaker.max_connections),
            max_held_bytes: self.max_held_bytes.or(weaker.max_held_bytes),
            max_send_mailer_bytes: self.max_send_mailer_bytes.or(weaker.max_send_mailer_bytes),
            large_body_bytes: self.large_body_bytes.or(weaker.large_body_bytes),
            header_seconds: self.header_seconds.or(weaker.header_seconds),
            body_seconds: self.body_seconds.or(weaker.body_seconds),
            shutdown_seconds: self.shutdown_seconds.or(weaker.shutdown_seconds),
            retire: self.retire.or(weaker.retire),
            log_format: self.log_format.or(weaker.log_format),
            policy: self.policy.or(weaker.policy),
        }
    }

    fn with_defaults(self) -> Settings {
        const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8484);
        Settings {
            data: self.data.unwrap_or_else(|| "franking-data".into()),
            database: self.database,
            database_connections: self.database_connections.unwrap_or(Count::new(16)),
            listen: self.listen.unwrap_or(LISTEN),
            hosts: self.hosts.unwrap_or_default(),
            trusted_proxies: self.trusted_proxies.unwrap_or_default(),
            metrics_from: self.metrics_from.unwrap_or_else(value::loopback),
            tls_certificate: self.tls_certificate,
            tls_key: self.tls_key,
            max_connections: self.max_connections.unwrap_or(Count::new(1024)),
            max_held_bytes: self.max_held_bytes.unwrap_or(Bytes::new(256 << 20)),
            max_send_mailer_bytes: self.max_send_mailer_bytes.unwrap_or(Bytes::new(1 << 20)),
            large_body_bytes: self.large_body_bytes.unwrap_or(Bytes::new(256 << 10)),
            header_seconds: self.header_seconds.unwrap_or(Seconds::new(15)),
            body_seconds: self.body_seconds.unwrap_or(Seconds::new(60)),
            shutdown_seconds: self.shutdown_seconds.unwrap_or(Seconds::new(30)),
            retire: self.retire.unwrap_or(false),
            log_format: self.log_format.unwrap_or_default(),
            policy: self.policy.unwrap_or_default(),
        }
    }
}

/// Where a setting was given.
fn place(setting: &str, matches: &ArgMatches, file: Option<&File>) -> String {
    // The policy is no flag, of which clap would not know.
    let source = matches
        .try_contains_id(setting)
        .ok()
        .and_then(|_| matches.value_source(setting));
    match source {
        Some(ValueSource::CommandLine) => format!("--{}", setting.replace('_', "-")),
        Some(ValueSource::EnvVariable) => format!("FRANKING_{}", setting.to_uppercase()),
        _ => file
            .and_then(|file| file.place(setting))
            .unwrap_or_else(|| setting.to_owned()),
    }
}
