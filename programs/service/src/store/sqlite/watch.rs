//! Notices that another connection has written: an operator's command may have made emails due.

use std::path::{Path, PathBuf};
use std::sync::Arc;
// clock: how soon a change is noticed; nothing else depends on it.
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

/// The time between two looks. SQLite tells other processes nothing, so they have to look.
const PAUSE: Duration = Duration::from_secs(1);

/// Signals `work` after each change of the database in a folder. This never returns.
pub(super) async fn watch(folder: PathBuf, work: Arc<Notify>) {
    let mut looks = interval(PAUSE);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut connection, mut seen) = (None, None);
    loop {
        looks.tick().await;
        let (held, folder) = (connection.take(), folder.clone());
        let looked = spawn_blocking(move || look(held, &folder)).await;
        if let Ok(Ok((held, version))) = looked {
            if seen.replace(version) != Some(version) {
                work.notify_one();
            }
            connection = Some(held);
        } else {
            // Numbers of different connections cannot be compared.
            seen = None;
        }
    }
}

/// Returns a number that changes with each change by another connection.
fn look(held: Option<Connection>, folder: &Path) -> rusqlite::Result<(Connection, i64)> {
    let connection = match held {
        Some(connection) => connection,
        None => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(folder.join(super::open::DATABASE), flags)?
        }
    };
    let version = connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
    Ok((connection, version))
}
