//! The database that a command works on.

use std::sync::Arc;

use super::Failure;
use crate::settings::Settings;
use crate::store::Store;
use crate::store::postgres::Postgres;
use crate::store::sqlite::Sqlite;

/// Who opens a database.
#[derive(Clone, Copy)]
pub(super) enum As {
    /// `serve` and `migrate`: the database is made if there is none, and its schema is brought up to date.
    Server,
    /// An operator's command, which changes no schema.
    Visitor,
}

/// Opens the database that the settings name.
pub(super) async fn open(settings: &Settings, who: As) -> Result<Arc<dyn Store>, Failure> {
    if let Some(database) = &settings.database {
        let connections = settings.database_connections.get();
        let address = database.secret();
        let certificates = settings.database_certificates.as_deref();
        return Ok(Arc::new(match (who, certificates) {
            (As::Visitor, certificates) => {
                Postgres::visit(address, certificates, connections).await?
            }
            (As::Server, Some(file)) => Postgres::open_over_tls(address, file, connections).await?,
            (As::Server, None) => Postgres::open(address, connections).await?,
        }));
    }
    let folder = settings.data.clone();
    let opened = tokio::task::spawn_blocking(move || match who {
        As::Server => Sqlite::open(&folder),
        As::Visitor => Sqlite::visit(&folder),
    });
    let opened = opened.await?;
    Ok(Arc::new(opened?))
}
