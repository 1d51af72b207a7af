//! The keys that sign emails.

use clap::Subcommand;

use super::Failure;
use super::listing::Shown;
use crate::mail::signed_domains;
use crate::settings::Settings;

#[derive(Subcommand)]
pub(super) enum Dkim {
    /// List the sender domains of the setting `dkim`, whose emails are signed, each with the name and the text of the TXT
    /// record that it needs
    List {
        #[command(flatten)]
        shown: Shown,
    },
}

impl Dkim {
    pub(super) fn run(self, settings: &Settings) -> Result<(), Failure> {
        let Self::List { shown } = self;
        let mut list = shown.list(&["domain", "algorithm", "record", "text"]);
        for signed in signed_domains(&settings.dkim)? {
            let record = format!("{}._domainkey.{}", signed.selector, signed.domain);
            list.row(vec![
                signed.domain.into(),
                signed.algorithm.into(),
                record.into(),
                signed.text.into(),
            ])?;
        }
        Ok(list.end()?)
    }
}
