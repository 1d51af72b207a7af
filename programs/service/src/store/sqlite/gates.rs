//! Gates of accounts whose large plan is being written, part by part. Until the plan is complete, the other writes of the
//! account wait, so that they never see half of it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::WeakUnboundedSender;

use super::group::Piece;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;

/// The accounts whose gate is closed.
#[derive(Clone, Default)]
pub(super) struct Gates(Arc<Mutex<HashMap<AccountId, Closed>>>);

#[derive(Default)]
struct Closed {
    /// The pieces of work that wait, in their order.
    waiting: Vec<Piece>,
    /// Why the gate stays closed for good, if it does.
    failed: Option<Cause>,
}

/// A closed gate. Dropping this opens the gate, and what has waited becomes the writer's next work. If half of a plan may
/// have been written, the gate stays closed.
pub(super) struct Gate {
    /// Whether half of a plan may have been written.
    is_half: AtomicBool,
    gates: Gates,
    account: AccountId,
    pieces: WeakUnboundedSender<Piece>,
}

impl Gates {
    /// Returns a piece of work if its gate is open. Otherwise the piece waits, or fails if the gate stays closed for good.
    pub(super) fn admit(&self, piece: Piece) -> Option<Piece> {
        let Some(account) = piece.account else {
            return Some(piece);
        };
        let mut all = self.lock();
        let failed = match all.get_mut(&account) {
            None => return Some(piece),
            Some(closed) => match &closed.failed {
                None => {
                    closed.waiting.push(piece);
                    return None;
                }
                Some(cause) => cause.clone(),
            },
        };
        drop(all);
        piece.fail(StoreError::Failed(failed));
        None
    }

    /// Closes the gate of an account. Only the writer calls this, in a piece of work of that account that was admitted.
    pub(super) fn close(&self, account: AccountId, pieces: WeakUnboundedSender<Piece>) -> Gate {
        self.lock().insert(account, Closed::default());
        Gate {
            is_half: AtomicBool::new(false),
            gates: self.clone(),
            account,
            pieces,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AccountId, Closed>> {
        // A map is consistent after each of its methods, even if a thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gate {
    /// Sets whether half of a plan may have been written.
    pub(super) fn set_half(&self, is_half: bool) {
        self.is_half.store(is_half, Relaxed);
    }

    /// Keeps the gate closed for good, because the plan is accepted and cannot be written. The next start will write it.
    fn fail(&self, cause: &Cause) {
        let waiting = self.gates.lock().get_mut(&self.account).map(|closed| {
            closed.failed = Some(cause.clone());
            std::mem::take(&mut closed.waiting)
        });
        for piece in waiting.into_iter().flatten() {
            piece.fail(StoreError::Failed(cause.clone()));
        }
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        if *self.is_half.get_mut() {
            self.fail(&Cause::new("writing a large plan, which was broken off"));
            return;
        }
        let mut all = self.gates.lock();
        let closed = all.remove(&self.account);
        // Sent while the map is locked, so that work that comes now is queued after the work that has waited.
        let pieces = self.pieces.upgrade();
        let mut unsent = Vec::new();
        for piece in closed.into_iter().flat_map(|closed| closed.waiting) {
            let sent = match &pieces {
                Some(pieces) => pieces.send(piece).map_err(|unsent| unsent.0),
                None => Err(piece),
            };
            unsent.extend(sent.err());
        }
        drop(all);
        for piece in unsent {
            piece.fail(StoreError::Failed(super::writer::ended()));
        }
    }
}
