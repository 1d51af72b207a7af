//! Stored emails.

use std::path::PathBuf;
// clock: the header Date of a test.
use std::time::SystemTime;

use clap::{Subcommand, ValueEnum as _};

use super::export::ExportForm;
use super::import::ImportedFile;
use super::listing::Shown;
use super::{Failure, Of, ids};
use crate::hex;
use crate::mail::{Composer, Delivery, Outcome, Template};
use crate::operate::rows::Row;
use crate::settings::Settings;
use crate::store::{Address, NewMailer, ShownMailer, Store, UnsubscribeScope};

#[derive(Subcommand)]
pub(super) enum Mailer {
    /// Store an email, and print its number
    Set {
        #[command(flatten)]
        of: Of,
        /// Its number; the next number if left out. A stored email with this number is replaced
        #[arg(long, value_parser = ids())]
        id: Option<u64>,
        /// The assigned sender address
        #[arg(long)]
        from: String,
        /// The assigned sender name
        #[arg(long)]
        from_name: Option<String>,
        /// The subject
        #[arg(long)]
        subject: String,
        /// An https:, http: or mailto: URL by which a reader unsubscribes from this email. It may have the names of fields,
        /// as in the HTML
        #[arg(long, value_name = "URL")]
        list_unsubscribe: Option<String>,
        /// Add the service's own List-Unsubscribe, by which a reader unsubscribes from this stored email or from all emails
        /// of the account. The service that sends needs unsubscribe_url
        #[arg(long, value_name = "SCOPE", conflicts_with = "list_unsubscribe")]
        unsubscribe: Option<UnsubscribeScope>,
        /// A file with the HTML
        html: PathBuf,
    },
    /// Show a stored email, with its HTML at the end
    Show {
        #[command(flatten)]
        of: Of,
        /// Its number
        #[arg(value_parser = ids())]
        id: u64,
        /// Print only the HTML
        #[arg(long, conflicts_with = "json")]
        html: bool,
        #[command(flatten)]
        shown: Shown,
    },
    /// Send a stored email to an address as a test, and print what the mail server says. Nothing is recorded, debited or
    /// tracked
    SendTest {
        #[command(flatten)]
        of: Of,
        /// Its number
        #[arg(value_parser = ids())]
        id: u64,
        /// The address to send to
        #[arg(long, value_name = "ADDRESS")]
        to: String,
        /// A field and its value to fill in, such as firstName=Ada
        #[arg(long = "field", value_name = "NAME=VALUE", value_parser = field)]
        fields: Vec<(String, String)>,
    },
    /// Store emails from a file with the columns id, from, fromName, subject, listUnsubscribe, unsubscribe and html. Stored
    /// emails with the same numbers are replaced
    Import {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        import: ImportedFile,
    },
    /// Write all stored emails, in the form that `mailer import` reads
    Export {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        export: ExportForm,
    },
    /// List the stored emails
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
}

impl Mailer {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        match self {
            Self::SendTest { of, id, to, fields } => {
                let found = store.shown_mailer(of.id(), id.cast_signed()).await?;
                send_test(found, to, fields, settings).await?;
            }
            Self::Set {
                of,
                id,
                from,
                from_name,
                subject,
                list_unsubscribe,
                unsubscribe,
                html,
            } => {
                let account = of.id();
                let text = std::fs::read_to_string(&html);
                let html = text.map_err(|error| format!("{}: {error}", html.display()))?;
                let mailer = NewMailer {
                    id,
                    from: Address::parse(&from)?,
                    from_name,
                    template: Template::parse(subject, html, list_unsubscribe)?,
                    unsubscribe,
                };
                say!("{}", store.put_mailer(account, mailer).await?);
            }
            Self::Show {
                of,
                id,
                html,
                shown,
            } => {
                let found = store.shown_mailer(of.id(), id.cast_signed()).await?;
                if html {
                    say!("{}", found.html);
                    return Ok(());
                }
                shown.record(
                    &[
                        "mailer",
                        "from_name",
                        "from",
                        "subject",
                        "list_unsubscribe",
                        "unsubscribe",
                        "revision",
                        "html",
                    ],
                    vec![
                        id.cast_signed().into(),
                        found.from_name.into(),
                        found.from.into(),
                        found.subject.into(),
                        found.list_unsubscribe.into(),
                        found.unsubscribe.into(),
                        found.revision.into(),
                        found.html.into(),
                    ],
                )?;
            }
            Self::Import { of, import } => {
                let account = of.known(store).await?;
                let what = format!("stored emails of account {account}");
                import
                    .run_over(store, &what, COLUMNS, new_mailer, |mailers, progress| {
                        store.import_mailers(account, mailers, progress)
                    })
                    .await?;
            }
            Self::Export { of, export } => {
                let account = of.known(store).await?;
                let mut rows = export.to_output(COLUMNS)?;
                for row in store.mailers(account).await? {
                    let found = store.shown_mailer(account, row.id.cast_signed()).await?;
                    rows.row(vec![
                        row.id.into(),
                        found.from.into(),
                        found.from_name.into(),
                        found.subject.into(),
                        found.list_unsubscribe.into(),
                        found.unsubscribe.into(),
                        found.html.into(),
                    ])?;
                }
                rows.end()?;
            }
            Self::List { of, shown } => {
                let mut list = shown.list(&["mailer", "from_name", "from", "subject"]);
                for row in store.mailers(of.known(store).await?).await? {
                    list.row(vec![
                        row.id.cast_signed().into(),
                        row.from_name.into(),
                        row.from.into(),
                        row.subject.into(),
                    ])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}

/// The columns of a file of stored emails.
const COLUMNS: &[&str] = &[
    "id",
    "from",
    "fromName",
    "subject",
    "listUnsubscribe",
    "unsubscribe",
    "html",
];

/// Reads a stored email from a row.
fn new_mailer(row: &mut Row) -> Result<NewMailer, String> {
    let id = row.number("id")?;
    // Without a number, an email that is imported twice would be stored twice.
    let id = Some(id.ok_or("id is missing")?);
    let from = row.needed("from")?;
    let from = Address::parse(&from).map_err(|error| format!("from: {error}"))?;
    let from_name = row.text("fromName")?;
    let subject = row.needed("subject")?;
    let unsubscribe = match row.text("unsubscribe")? {
        None => None,
        Some(scope) => Some(
            UnsubscribeScope::from_str(&scope, false)
                .map_err(|_| "unsubscribe is neither mailer nor account")?,
        ),
    };
    let link = row.text("listUnsubscribe")?;
    if link.is_some() && unsubscribe.is_some() {
        return Err("listUnsubscribe and unsubscribe cannot both be given".to_owned());
    }
    let html = row.needed("html")?;
    row.end()?;
    let template = Template::parse(subject, html, link).map_err(|error| error.to_string())?;
    Ok(NewMailer {
        id,
        from,
        from_name,
        template,
        unsubscribe,
    })
}

fn field(text: &str) -> Result<(String, String), String> {
    let split = text.split_once('=');
    let (name, value) = split.ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

async fn send_test(
    mailer: ShownMailer,
    to: String,
    mut fields: Vec<(String, String)>,
    settings: &Settings,
) -> Result<(), Failure> {
    let mail = settings.mail()?;
    let transport = mail.transport(&settings.data)?;
    let transport =
        transport.ok_or("transport is none, so nothing can be sent: set it to smtp or maildir")?;
    Address::parse(&to)?;
    fields.push(("email".to_owned(), to.clone()));
    let mut random = [0_u8; 24];
    getrandom::fill(&mut random)?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let delivery = Delivery {
        id: 0,
        // It has to be unique. It is a part of the MIME boundary, which has at most 70 characters (RFC 2046, 5.1.1).
        message_id: format!("test.{}", hex::digits(&random)),
        created: now.as_secs().try_into()?,
        from: mailer.from,
        from_name: mailer.from_name,
        reply_to: None,
        to,
        subject: mailer.subject,
        html: mailer.html.into(),
        fields: Some(fields),
        list_unsubscribe: mailer.list_unsubscribe,
        unsubscribe: false,
        track_opens: false,
        track_clicks: false,
    };
    let email = Composer::new(&mail)?.compose(&delivery)?;
    let outcome = transport.send(email, Box::pin(async { true })).await;
    let words = outcome.words().as_str();
    if !matches!(outcome, Outcome::Delivered { .. }) {
        return Err(words.into());
    }
    say!("{words}");
    Ok(())
}
