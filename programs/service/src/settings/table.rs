//! The table of settings. From its rows come the type of all settings, the type of those that one place gives, and the flags.

use clap::Arg;

/// The commands that have a setting as a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    /// All of them.
    All,
    /// `serve`, and `report` with its commands.
    Report,
    /// `serve`, and `webhook` with its commands.
    Webhook,
    /// `serve`, and `mailer send-test`.
    Mail,
    /// `serve` alone.
    Serve,
}

/// The part of a setting that does not depend on its type.
pub(super) struct Row {
    /// Its name in a settings file.
    pub(super) name: &'static str,
    pub(super) commands: Commands,
    help: &'static str,
    /// The function [`Value::flag`](super::flag::Value::flag) of its type.
    flag: fn(Arg) -> Option<Arg>,
}

impl Row {
    pub(super) const fn new(
        name: &'static str,
        commands: Commands,
        help: &'static str,
        flag: fn(Arg) -> Option<Arg>,
    ) -> Self {
        Self {
            name,
            commands,
            help,
            flag,
        }
    }

    /// Its description, in one line.
    pub(super) fn help(&self) -> &'static str {
        self.help.trim()
    }

    /// Its flag, which also takes its value from the environment. `None` for a setting that only a file can hold.
    pub(super) fn flag(&self, default: Option<&str>) -> Option<Arg> {
        let help = match default {
            Some(default) => format!("{} [default: {default}]", self.help()),
            None => self.help().to_owned(),
        };
        let flag = Arg::new(self.name)
            .long(long(self.name))
            .env(variable(self.name))
            .help_heading("Settings")
            .help(help);
        (self.flag)(flag)
    }
}

/// The flag of a setting, without its dashes.
pub(super) fn long(setting: &str) -> String {
    setting.replace('_', "-")
}

/// A setting's name in the environment.
pub(super) fn variable(setting: &str) -> String {
    format!("FRANKING_{}", setting.to_uppercase())
}

/// Generates the settings from their rows. A row has a setting's help, name, type and default, under the commands that have
/// it as a flag. An attribute of serde's says how the setting is printed.
macro_rules! settings {
    ($($commands:ident {$(
        $(#[doc = $help:literal])+
        $(#[serde($($serde:tt)+)])*
        $name:ident: $type:ty = $default:expr;
    )+})+) => {
        /// All settings. Written as TOML they are a settings file.
        #[derive(Clone, Debug, Serialize)]
        pub struct Settings {$($(
            $(#[doc = $help])+
            $(#[serde($($serde)+)])*
            pub $name: $type,
        )+)+}

        impl Default for Settings {
            fn default() -> Self {
                Self {$($($name: $default,)+)+}
            }
        }

        /// The settings that one place gives.
        #[derive(Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Given {$($($name: Option<$type>,)+)+}

        impl Given {
            /// Reads flags, and the environment where a flag is missing.
            fn by_flags(matches: &ArgMatches) -> Self {
                Self {$($($name: <$type as flag::Value>::given(matches, stringify!($name)),)+)+}
            }

            /// These settings, and those of `weaker` where nothing is given.
            fn over(self, weaker: Settings) -> Settings {
                Settings {$($($name: self.$name.unwrap_or(weaker.$name),)+)+}
            }
        }

        const ROWS: &[Row] = &[$($(Row::new(
            stringify!($name),
            Commands::$commands,
            concat!($($help),+),
            <$type as flag::Value>::flag,
        ),)+)+];
    };
}
pub(super) use settings;
