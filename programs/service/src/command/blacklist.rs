//! Blacklisted domains.

use clap::{Subcommand, ValueEnum, value_parser};
use franking::DomainRoles;

use serde_json::Value;

use super::Failure;
use super::confirm::goes_on;
use super::export::ExportForm;
use super::import::ImportedFile;
use super::listing::Shown;
use crate::operate::rows::Row;
use crate::store::{Domain, OperatorError, Store};

#[derive(Subcommand)]
pub(super) enum Blacklist {
    /// Blacklist a domain and all domains below it for these roles, which replace its earlier roles
    Set {
        /// The domain
        domain: String,
        /// The roles
        #[arg(required = true)]
        roles: Vec<Role>,
    },
    /// Take a domain off the blacklists
    Remove {
        /// The domain
        domain: String,
    },
    /// Blacklist domains from a file with the columns domain and roles. They replace the earlier roles of each domain; a
    /// domain without roles gets all of them
    Import(ImportedFile),
    /// Write all blacklisted domains, in the form that `blacklist import` reads
    Export(ExportForm),
    /// Say why a host is refused: the entries that list it or a domain above it
    Why {
        /// The host
        host: String,
        #[command(flatten)]
        shown: Shown,
    },
    /// List the blacklisted domains, in order of their names
    List {
        /// Only domains after this one
        #[arg(
            long,
            value_name = "DOMAIN",
            default_value = "",
            hide_default_value = true
        )]
        after: String,
        /// The maximum number of entries
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum Role {
    Sender,
    ReplyTo,
    Recipient,
    Content,
}

impl From<Role> for DomainRoles {
    fn from(role: Role) -> Self {
        match role {
            Role::Sender => Self::SENDER,
            Role::ReplyTo => Self::REPLY_TO,
            Role::Recipient => Self::RECIPIENT,
            Role::Content => Self::CONTENT,
        }
    }
}

/// How many domains are read at once.
const EXPORTED: u32 = 1_000;

/// The columns of a file of blacklisted domains.
const COLUMNS: &[&str] = &["domain", "roles"];

/// Reads an entry from a row.
fn entry(row: &mut Row) -> Result<(Domain, DomainRoles), String> {
    let domain = row.needed("domain")?;
    let domain = Domain::parse(&domain).map_err(|error| format!("domain: {error}"))?;
    let mut roles = DomainRoles::NONE;
    for name in row.texts("roles")? {
        let role = Role::from_str(&name, true);
        roles |= role
            .map_err(|_| {
                format!("there is no role {name}: expected sender, reply_to, recipient or content")
            })?
            .into();
    }
    row.end()?;
    match roles == DomainRoles::NONE {
        true => Ok((
            domain,
            DomainRoles::ALL.iter().fold(roles, |all, role| all | *role),
        )),
        false => Ok((domain, roles)),
    }
}

impl Blacklist {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Set { domain, roles } => {
                let domain = Domain::parse(&domain)?;
                let roles = roles
                    .into_iter()
                    .fold(DomainRoles::NONE, |all, role| all | role.into());
                let names = roles.names().collect::<Vec<_>>().join(", ");
                let what = format!(
                    "this blacklists {} and all domains below it as {names}, for all accounts",
                    domain.as_str()
                );
                if goes_on(&what)? {
                    store.set_blacklisted(domain, roles).await?;
                }
            }
            Self::Remove { domain } => {
                let domain = Domain::parse(&domain)?;
                if goes_on(&format!(
                    "this takes {} off the blacklists",
                    domain.as_str()
                ))? {
                    // A domain below one that is listed may have no entry of its own.
                    let listed = store.listed(vec![domain.as_str().to_owned()]).await?;
                    if listed.is_empty() {
                        return Err(OperatorError::NotFound("entry of the blacklists").into());
                    }
                    store.set_blacklisted(domain, DomainRoles::NONE).await?;
                }
            }
            Self::Import(import) => {
                import
                    .run_over(store, "blacklist", COLUMNS, entry, |all, progress| {
                        store.import_blacklist(all, progress)
                    })
                    .await?;
            }
            Self::Export(export) => {
                let mut rows = export.to_output(COLUMNS)?;
                let mut after = String::new();
                loop {
                    let listed = store.blacklist(after, EXPORTED).await?;
                    let Some((last, _)) = listed.last() else {
                        break;
                    };
                    after = last.as_str().to_owned();
                    for (domain, roles) in listed {
                        let names: Vec<Value> = roles.names().map(Value::from).collect();
                        rows.row(vec![domain.as_str().into(), Value::Array(names)])?;
                    }
                }
                rows.end()?;
            }
            Self::Why { host, shown } => {
                let host = Domain::parse(&host)?;
                let names = franking::domain::walk(host.as_str());
                let names: Vec<String> = names.map(Into::into).collect();
                let mut list = shown.list(&["domain", "roles"]);
                let found = store.listed(names.clone()).await?;
                if found.is_empty() {
                    return Err(OperatorError::NotFound("entry of the blacklists").into());
                }
                for name in &names {
                    for (domain, roles) in found.iter().filter(|(domain, _)| domain == name) {
                        let names: Vec<_> = roles.names().collect();
                        list.row(vec![domain.as_str().into(), names.join(" ").into()])?;
                    }
                }
                list.end()?;
            }
            Self::List {
                after,
                limit,
                shown,
            } => {
                let mut list = shown.list(&["domain", "roles"]);
                for (domain, roles) in store.blacklist(after, limit).await? {
                    let names: Vec<_> = roles.names().collect();
                    list.row(vec![domain.as_str().into(), names.join(" ").into()])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}
