//! Connections that read, on threads that may block.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::failure::Doing as _;
use super::open::connect;
use crate::store::Answer;
use crate::store::error::{Cause, StoreError};

/// How many read at once. They share the processor with the deciding itself.
const READERS: usize = 4;

/// Connections that wait to be used.
#[derive(Clone)]
pub(super) struct Readers {
    folder: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Connection>>>,
    free: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn open(folder: &Path) -> rusqlite::Result<Self> {
        let connections = (0..READERS).map(|_| reader(folder));
        let idle = connections.collect::<rusqlite::Result<Vec<Connection>>>()?;
        Ok(Self {
            folder: Arc::new(folder.to_owned()),
            idle: Arc::new(Mutex::new(idle)),
            free: Arc::new(Semaphore::new(READERS)),
        })
    }

    /// Reads in one snapshot.
    pub(super) fn read<T, E>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (folder, idle, free) = (self.folder.clone(), self.idle.clone(), self.free.clone());
        let stopped = || StoreError::Failed(Cause::new("reading: the service stops"));
        Box::pin(async move {
            let permit = free.acquire_owned().await.map_err(|_| stopped())?;
            let reading = tokio::task::spawn_blocking(move || {
                let connection = match lock(&idle).pop() {
                    Some(connection) => connection,
                    // A connection whose work failed within a transaction was closed: this one takes its place.
                    None => reader(&folder).doing("opening a connection")?,
                };
                let answer = in_snapshot(&connection, read);
                // With a transaction left open its snapshot would stay for ever.
                if connection.is_autocommit() {
                    lock(&idle).push(connection);
                }
                drop(permit);
                answer
            });
            reading.await.map_err(|_| stopped())?
        })
    }
}

fn reader(folder: &Path) -> rusqlite::Result<Connection> {
    let connection = connect(folder)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn in_snapshot<T, E: From<StoreError>>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    let run = |statement| {
        let mut statement = connection.prepare_cached(statement)?;
        statement.execute([])
    };
    run("BEGIN").doing("beginning to read")?;
    let answer = read(connection);
    run("ROLLBACK").doing("ending to read")?;
    answer
}

fn lock(idle: &Mutex<Vec<Connection>>) -> std::sync::MutexGuard<'_, Vec<Connection>> {
    // Each method leaves the list whole, also when its thread has panicked.
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}
