//! How settings are read from flags and from the environment, by their types.

use std::net::SocketAddr;
use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use franking::Policy;
use ipnet::IpNet;

use super::value::{
    BaseUrl, Bounces, Bytes, Count, Days, FieldName, HostName, Hours, InstanceName, LogFormat,
    Seconds, TransportKind, Url,
};
use crate::mail::{DkimKey, Secret, SmtpTls};
use crate::outbox::DomainLimit;
use crate::store::Domain;
use crate::transcripts::TranscriptKind;

/// A type that a setting can have.
pub(super) trait Value: Sized {
    /// The flag, with all that it needs to take such a value. `None` for a type that only a file can hold.
    fn flag(flag: Arg) -> Option<Arg>;

    /// The value that was given.
    fn given(matches: &ArgMatches, setting: &str) -> Option<Self>;
}

/// A type with one value at a time.
pub(super) trait Scalar: Clone + Send + Sync + 'static {
    /// The name of such a value in help.
    const NAME: &'static str;

    fn parser() -> ValueParser;

    /// Adds what only flags of this type have.
    fn finish(flag: Arg) -> Arg {
        flag
    }
}

impl<T: Scalar> Value for T {
    fn flag(flag: Arg) -> Option<Arg> {
        let flag = flag.value_name(T::NAME).value_parser(T::parser());
        Some(T::finish(flag))
    }

    fn given(matches: &ArgMatches, setting: &str) -> Option<Self> {
        // A command without this flag was given no value.
        matches.try_get_one(setting).ok().flatten().cloned()
    }
}

impl<T: Scalar> Value for Option<T> {
    fn flag(flag: Arg) -> Option<Arg> {
        T::flag(flag)
    }

    fn given(matches: &ArgMatches, setting: &str) -> Option<Self> {
        T::given(matches, setting).map(Some)
    }
}

impl<T: Scalar> Value for Vec<T> {
    fn flag(flag: Arg) -> Option<Arg> {
        let flag = T::flag(flag)?.value_name(format!("{},...", T::NAME));
        Some(flag.value_delimiter(',').action(ArgAction::Append))
    }

    fn given(matches: &ArgMatches, setting: &str) -> Option<Self> {
        let given = matches.try_get_many(setting).ok().flatten();
        given.map(|values| values.cloned().collect())
    }
}

macro_rules! tables {
    ($($type:ty),+) => {$(
        impl Value for $type {
            fn flag(_: Arg) -> Option<Arg> {
                None
            }

            fn given(_: &ArgMatches, _: &str) -> Option<Self> {
                None
            }
        }
    )+};
}

tables!(Policy, Vec<DkimKey>, Vec<DomainLimit>);

macro_rules! scalars {
    ($($type:ty: $name:literal $(, $finish:expr)?;)+) => {$(
        impl Scalar for $type {
            const NAME: &'static str = $name;

            fn parser() -> ValueParser {
                value_parser!($type).into()
            }

            $(fn finish(flag: Arg) -> Arg {
                $finish(flag)
            })?
        }
    )+};
}

scalars! {
    BaseUrl: "URL";
    bool: "BOOL", |flag: Arg| flag.num_args(0..=1).default_missing_value("true");
    Bounces: "COUNT";
    Bytes: "BYTES";
    Count: "COUNT";
    Days: "DAYS";
    Domain: "DOMAIN";
    FieldName: "NAME";
    HostName: "NAME";
    Hours: "HOURS";
    InstanceName: "NAME";
    IpNet: "NETWORK";
    LogFormat: "FORMAT";
    NonZeroU16: "PORT";
    PathBuf: "PATH";
    Seconds: "SECONDS";
    Secret: "SECRET", |flag: Arg| flag.hide_env_values(true);
    SmtpTls: "TLS";
    SocketAddr: "ADDRESS";
    String: "TEXT";
    TranscriptKind: "TRANSCRIPTS";
    TransportKind: "TRANSPORT";
    // It may hold a password.
    Url: "URL", |flag: Arg| flag.hide_env_values(true);
}
