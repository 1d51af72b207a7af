//! Blacklisted domains.

use clap::{Subcommand, ValueEnum};
use franking::DomainRoles;

use super::Failure;
use super::listing::Shown;
use crate::store::{Domain, Store};

#[derive(Subcommand)]
pub(super) enum Blacklist {
    /// Blacklist a domain and all below it for these roles, in place of those before
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
    /// List the blacklisted domains
    List {
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

impl Blacklist {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Set { domain, roles } => {
                let domain = Domain::parse(&domain)?;
                let roles = roles
                    .into_iter()
                    .fold(DomainRoles::NONE, |all, role| all | role.into());
                store.set_blacklisted(domain, roles).await?;
            }
            Self::Remove { domain } => {
                let domain = Domain::parse(&domain)?;
                store.set_blacklisted(domain, DomainRoles::NONE).await?;
            }
            Self::List { shown } => {
                let mut list = shown.list(&["domain", "roles"]);
                for (domain, roles) in store.blacklist().await? {
                    let names: Vec<_> = roles.names().collect();
                    list.row(vec![domain.as_str().into(), names.join(" ").into()])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}
