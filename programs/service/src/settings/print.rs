//! The settings as they are printed.

use clap::ArgMatches;
use toml::Table;

use super::{File, ROWS, Row, Settings, place};

impl Settings {
    /// The settings as a settings file. Each line ends with the place where the value comes from. Secrets are left out.
    /// Comments name the secrets that are set, and the settings that are not set.
    ///
    /// # Errors
    /// A path that is not UTF-8.
    pub fn to_toml(
        &self,
        matches: &ArgMatches,
        file: Option<&File>,
    ) -> Result<String, toml::ser::Error> {
        let of = |name: &str| {
            let place = place(name, matches, file);
            match place == name {
                true => "default".to_owned(),
                false => place,
            }
        };
        let mut text = String::new();
        for (name, is_set) in [
            ("database", self.database.is_some()),
            ("smtp_password", self.smtp_password.is_some()),
            ("reports_token", self.reports_token.is_some()),
        ] {
            if is_set {
                text.push_str(&format!("# {name} is set, and not shown: {}\n", of(name)));
            }
        }
        let values = Table::try_from(self)?;
        let not_set = |row: &&Row| !values.contains_key(row.name) && !text.contains(row.name);
        let not_set: Vec<&str> = ROWS.iter().filter(not_set).map(|row| row.name).collect();
        for name in not_set {
            text.push_str(&format!("# {name} is not set\n"));
        }
        for line in toml::to_string(self)?.lines() {
            let named = line.trim_matches(['[', ']']).split(' ').next();
            let row = named.and_then(|name| ROWS.iter().find(|row| row.name == name));
            // Lines within a table have the table's own names, which are not settings.
            let is_within = text.contains("\n[") && !line.starts_with('[');
            text.push_str(line);
            if let Some(row) = row.filter(|_| !is_within) {
                text.push_str(&format!("  # {}", of(row.name)));
            }
            text.push('\n');
        }
        Ok(text)
    }
}
