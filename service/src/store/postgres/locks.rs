//! Idempotency keys that processes hold against each other: advisory locks of one session, which go when the process dies.
//!
//! They only tell who is at work. That a call is carried out once is kept by the unique row that its transaction writes:
//! also when this session is lost, and its locks with it.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_postgres::Client;

use super::failure::Doing as _;
use super::open::Server;
use super::session::{Params, ROUND_TRIP};
use crate::store::error::{Cause, StoreError};
use crate::store::idempotency::IdempotencyKey;
use crate::store::identity::AccountId;

const DOING: &str = "locking an idempotency key";

/// The session that holds this process's locks, opened when it is needed.
#[derive(Clone)]
pub(super) struct Locks {
    server: Arc<Server>,
    session: Arc<Mutex<Option<Client>>>,
    /// Where locks are let go: a key may be dropped on any thread.
    runtime: Handle,
}

impl Locks {
    /// Within a Tokio runtime.
    pub(super) fn new(server: Server) -> Self {
        Self {
            server: Arc::new(server),
            session: Arc::new(Mutex::new(None)),
            runtime: Handle::current(),
        }
    }

    /// Whether the key's lock could be taken.
    pub(super) async fn try_lock(&self, number: i64) -> Result<bool, StoreError> {
        let late = || StoreError::Failed(Cause::with_code(DOING, "it did not answer in time"));
        // clock: after this time the answer is that there is none.
        let locked = timeout(ROUND_TRIP, self.lock(number)).await;
        locked.map_err(|_| late())?
    }

    async fn lock(&self, number: i64) -> Result<bool, StoreError> {
        let mut session = self.session.lock().await;
        // Taken out, so that a session that does not answer is gone when its time is over.
        let client = match session.take().filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => self.server.connect().await.doing(DOING)?,
        };
        let locked = client
            .query_one(include_str!("sql/try_lock.sql"), &[&number])
            .await;
        *session = Some(client);
        locked.and_then(|row| row.try_get(0)).doing(DOING)
    }

    /// Lets go of a lock, some time soon.
    pub(super) fn unlock(&self, number: i64) {
        let session = Arc::clone(&self.session);
        let unlock = async move {
            let session = session.lock().await;
            if let Some(client) = &*session {
                // A session that is lost has let go.
                let params: Params<'_> = &[&number];
                let unlocked = client.execute(include_str!("sql/unlock.sql"), params);
                // clock: others wait for the session meanwhile
                drop(timeout(ROUND_TRIP, unlocked).await);
            }
        };
        self.runtime.spawn(unlock);
    }
}

/// The number by which a key is locked. Two keys of one number would wait for each other, and nothing worse.
pub(super) fn number(account: AccountId, key: &IdempotencyKey) -> i64 {
    let mut hash = Sha256::new();
    hash.update(account.number().to_le_bytes());
    hash.update(key.as_str());
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}
