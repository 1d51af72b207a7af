//! Who is logged in: a cookie with a random token, of which the database has the hash.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
// clock: how soon a password may be tried again.
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use super::password;
use crate::hex;
use crate::store::{OperatorError, OperatorRow, Store, TokenHash};

/// The cookie. It is for the desk alone, and pages of other sites never send it.
pub(super) const COOKIE_NAME: &str = "franking_desk";

/// The number of wrong passwords after which a name has to wait, and the time for which it waits.
const TRIES: u32 = 5;
const WAIT: Duration = Duration::from_secs(60);
/// How many passwords are hashed at once: each takes 19 MB.
const AT_ONCE: usize = 2;
/// The most attempts to log in at once, including attempts that wait until their password is hashed.
const PLACES: u32 = 64;

/// Why a log-in has failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoginError {
    #[error("The name or the password is wrong.")]
    Wrong,
    #[error("There were too many wrong passwords. Try again in a minute.")]
    TooMany,
    #[error("Too many operators are logging in at this moment. Try again.")]
    Busy,
    #[error("The database does not answer.")]
    Store(#[from] OperatorError),
    #[error("The password could not be checked.")]
    Failed,
}

/// The sessions of a process.
#[derive(Clone)]
pub(super) struct Sessions(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    places: Arc<Semaphore>,
    hashing: Semaphore,
    /// The counts of wrong passwords, each with the time of the first one. Names are counted by 16 bits of their hashes: a
    /// client that guesses names cannot fill the map, and does not know which names share a count.
    wrong: Mutex<HashMap<u16, (u32, Instant)>>,
    hasher: RandomState,
}

impl Sessions {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self(Arc::new(Inner {
            store,
            places: Arc::new(Semaphore::new(PLACES as usize)),
            hashing: Semaphore::new(AT_ONCE),
            wrong: Mutex::default(),
            hasher: RandomState::new(),
        }))
    }

    /// Logs an operator in, and returns the token for the cookie.
    ///
    /// The attempt runs in a task of its own, which goes on when the client has hung up. Otherwise the client would have its
    /// place back while its password is still being hashed, and wrong passwords would not be counted.
    pub(super) async fn begin(&self, name: &str, password: String) -> Result<String, LoginError> {
        let place = Arc::clone(&self.0.places).try_acquire_owned();
        let place = place.map_err(|_| LoginError::Busy)?;
        let (sessions, name) = (self.clone(), name.to_owned());
        let attempt = tokio::spawn(async move {
            let begun = sessions.attempt(name, password).await;
            drop(place);
            begun
        });
        attempt.await.unwrap_or(Err(LoginError::Failed))
    }

    async fn attempt(&self, name: String, password: String) -> Result<String, LoginError> {
        let permit = self.0.hashing.acquire().await;
        let _permit = permit.map_err(|_| LoginError::Failed)?;
        // This is checked with the permit, and not before it is taken. So of many attempts at once, the later ones are
        // checked after the first ones are counted.
        if !self.may_try(&name) {
            return Err(LoginError::TooMany);
        }
        let hash = self.0.store.operator_hash(name.clone()).await?;
        let checked = tokio::task::spawn_blocking(move || {
            let is_right = password::is_right(&password, hash.as_deref());
            hash.filter(|_| is_right)
        });
        let Some(hash) = checked.await.map_err(|_| LoginError::Failed)? else {
            self.note_wrong(&name);
            return Err(LoginError::Wrong);
        };
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|_| LoginError::Failed)?;
        let token = hex::digits(&bytes);
        let store = &self.0.store;
        // The operator may have been removed, or may have another password by now.
        match store.begin_session(hash_of(&token), name, hash).await? {
            true => Ok(token),
            false => Err(LoginError::Wrong),
        }
    }

    /// The operator who has sent a request.
    pub(super) async fn of(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<OperatorRow>, OperatorError> {
        match token(headers) {
            Some(token) => self.0.store.session(hash_of(token)).await,
            None => Ok(None),
        }
    }

    /// Ends the session of a request.
    pub(super) async fn end(&self, headers: &HeaderMap) -> Result<(), OperatorError> {
        match token(headers) {
            Some(token) => self.0.store.end_session(hash_of(token)).await,
            None => Ok(()),
        }
    }

    fn may_try(&self, name: &str) -> bool {
        let wrong = self.0.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        wrong
            .get(&self.count_of(name))
            .is_none_or(|(count, since)| *count < TRIES || since.elapsed() >= WAIT)
    }

    fn note_wrong(&self, name: &str) {
        let mut wrong = self.0.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        wrong.retain(|_, (_, since)| since.elapsed() < WAIT);
        let count = wrong.entry(self.count_of(name));
        let (count, _) = count.or_insert((0, Instant::now()));
        *count = count.saturating_add(1);
    }

    /// The number under which wrong passwords of a name are counted.
    fn count_of(&self, name: &str) -> u16 {
        (self.0.hasher.hash_one(name) & u64::from(u16::MAX)) as u16
    }
}

fn hash_of(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// The token in a request's cookies.
fn token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter();
    let cookies = cookies.filter_map(|cookies| cookies.to_str().ok());
    cookies
        .flat_map(|cookies| cookies.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use std::path::Path;
    use std::task::{Context, Waker};

    use super::*;
    use crate::desk::password::LEAST;
    use crate::store::operators::SESSION_SECONDS;
    use crate::store::sqlite::Sqlite;

    fn sessions(folder: &Path) -> Sessions {
        Sessions::new(Arc::new(Sqlite::open(folder).unwrap()))
    }

    #[tokio::test]
    async fn wrong_passwords_of_clients_that_hang_up_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = sessions(folder.path());
        for _ in 0..TRIES {
            let mut begun = Box::pin(sessions.begin("ada", "wrong".to_owned()));
            let mut context = Context::from_waker(Waker::noop());
            assert!(begun.as_mut().poll(&mut context).is_pending());
            // The server drops the future of a client that has hung up.
            drop(begun);
        }
        // An attempt has its place until it is counted.
        drop(sessions.0.places.acquire_many(PLACES).await.unwrap());
        assert!(!sessions.may_try("ada"));
    }

    #[tokio::test]
    async fn attempts_beyond_the_places_are_told_to_try_again() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = sessions(folder.path());
        let all = sessions.0.places.acquire_many(PLACES).await.unwrap();
        let begun = sessions.begin("ada", "wrong".to_owned()).await;
        assert!(matches!(begun, Err(LoginError::Busy)));
        drop(all);
        let begun = sessions.begin("ada", "wrong".to_owned()).await;
        assert!(matches!(begun, Err(LoginError::Wrong)));
    }

    #[test]
    fn the_page_says_the_figures_of_the_desk() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(root.join("../../docs/desk.md")).unwrap();
        assert_eq!(TRIES, 5);
        assert_eq!(WAIT, Duration::from_secs(60));
        for figure in [
            "After five wrong passwords, an operator has to wait for a minute".to_owned(),
            format!("a password of {LEAST} characters or more"),
            format!("A session ends after {} hours", SESSION_SECONDS / 3600),
        ] {
            assert!(page.contains(&figure), "{figure}");
        }
        let limits = include_str!("../../../../docs/limits.md");
        let places = format!("log in at the desk: {PLACES} at once, of which two hash");
        assert!(limits.contains(&places), "{places}");
        assert_eq!(AT_ONCE, 2);
    }
}
