//! Turns limit how many pages of events are read at once.
//!
//! Reading a page takes a connection to the database, or one of the few threads that read, and calls need these as well.
//! Without turns, an account that reads over hundreds of connections would take all of these.

// clock: how long a reader waits for its turn; no page depends on it.
use std::time::Duration;

use tokio::time::timeout;

use crate::http::queues::{self, Turn};
use crate::store::AccountId;

/// The pages of one account that are read at once. So at most one reader of each account waits for the turns of all.
const OF_ONE: usize = 1;
/// The pages of all accounts that are read at once.
const OF_ALL: usize = 4;
/// How long a reader waits for its turn. After that it is told to try again: if the database does not answer, no turn ends.
const PATIENCE: Duration = Duration::from_secs(5);

/// The turns of all accounts. Clones share them.
#[derive(Clone)]
pub(super) struct Turns(queues::Turns<AccountId>);

impl Default for Turns {
    fn default() -> Self {
        Self(queues::Turns::new(OF_ONE, OF_ALL))
    }
}

impl Turns {
    /// Waits for a turn. `None` for a reader who has waited for too long.
    pub(super) async fn of(&self, account: AccountId) -> Option<Turn> {
        // clock: a reader that has waited this long is told to try again
        timeout(PATIENCE, self.0.of(account)).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinHandle;
    use tokio::time::sleep;

    use super::*;

    const ONE: AccountId = AccountId::from_number(1);
    const OTHER: AccountId = AccountId::from_number(2);

    /// Begins to wait for a turn, after everybody who waits already.
    async fn wait(turns: &Turns, account: AccountId) -> JoinHandle<Option<Turn>> {
        let turns = turns.clone();
        let waits = tokio::spawn(async move { turns.of(account).await });
        settle().await;
        waits
    }

    /// Lets every task go on until it waits.
    async fn settle() {
        sleep(Duration::from_millis(1)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn one_page_of_an_account_is_read_at_once_and_another_account_does_not_wait_for_it() {
        let turns = Turns::default();
        let held = turns.of(ONE).await;
        assert!(held.is_some());
        let next = wait(&turns, ONE).await;
        let mut others = Vec::new();
        for _ in 0..250 {
            others.push(wait(&turns, ONE).await);
        }
        assert!(turns.of(OTHER).await.is_some());
        assert!(!next.is_finished());
        // The next turn begins when the one before it ends. The ones after it are told that they have none.
        drop(held);
        let next = next.await;
        assert!(matches!(next, Ok(Some(_))));
        for other in others {
            assert!(matches!(other.await, Ok(None)));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn few_pages_of_all_accounts_are_read_at_once_and_a_crowd_has_one_place_among_those_who_wait()
     {
        let turns = Turns::default();
        let mut held = Vec::new();
        for number in 0..OF_ALL {
            let account = AccountId::from_number(10 + number as i64);
            held.push(turns.of(account).await);
        }
        assert!(held.iter().all(Option::is_some));
        let first = wait(&turns, ONE).await;
        let second = wait(&turns, ONE).await;
        let other = wait(&turns, OTHER).await;
        assert!(!first.is_finished() && !other.is_finished());
        drop(held.pop());
        settle().await;
        assert!(first.is_finished() && !other.is_finished());
        drop(held.pop());
        settle().await;
        assert!(other.is_finished() && !second.is_finished());
        // Both turns have lasted until here.
        assert!(matches!(
            (first.await, other.await),
            (Ok(Some(_)), Ok(Some(_)))
        ));
    }

    #[test]
    fn the_pages_say_how_many_are_read_at_once() {
        assert_eq!(OF_ONE, 1);
        let waits = format!(
            "waits for its turn for {} seconds at most",
            PATIENCE.as_secs()
        );
        let events = include_str!("../../../../../docs/events.md");
        for sentence in [
            &format!("reads one page of an account at a time, and {OF_ALL} pages of all accounts"),
            &waits,
        ] {
            assert!(events.contains(sentence), "{sentence}");
        }
        let limits = include_str!("../../../../../docs/limits.md");
        let row = format!(
            "Pages of events that are read at once: one of an account, and {OF_ALL} of all accounts. A reader {waits}"
        );
        assert!(limits.contains(&row), "{row}");
    }
}
