//! The costs of a call on SQLite, in statements. They are counted in a process of its own, because SQLite's counter belongs
//! to the process.
use std::sync::Arc;

use franking_service::store::sqlite::{Sqlite, groups, statements};
use franking_service::store::{Committed, Store};

#[test]
fn statements_do_not_depend_on_addresses_and_calls_at_once_share_the_transaction() {
    crate::support::alone("sqlite_statements::counts_the_statements_of_calls");
}

#[tokio::test]
#[ignore = "run by the test above, in a process of its own"]
async fn counts_the_statements_of_calls() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
    let id = crate::world::account(&store, 10_000, 10_000).await;
    let mut counts = Vec::new();
    // The first call creates the list.
    for (batch, count) in [(0, 1), (1, 1), (2, 300)] {
        // One of the recipients is known.
        crate::world::subscriber(&store, id, &format!("r0@b{batch}.example")).await;
        let to: Vec<String> = (0..=count)
            .map(|n| format!("r{n}@b{batch}.example"))
            .collect();
        let mut call = crate::world::http_send_mail(&to);
        let before = statements();
        let work = crate::world::to_commit(&store, &mut call, None)
            .await
            .unwrap();
        let asked = statements();
        assert_eq!(store.commit(work).await, Ok(Committed::Done));
        counts.push((asked - before, statements() - asked));
    }
    println!("statements to ask and to commit: {:?}", counts[1]);
    assert_eq!(counts[1], counts[2]);
    assert!(counts[1].0 <= 8 && counts[1].1 <= 18, "{counts:?}");

    let mut works = Vec::new();
    for number in 0..=257 {
        let mut call = crate::world::send_mailer(&format!("s{number}@reader.example"));
        works.push(
            crate::world::to_commit(&store, &mut call, None)
                .await
                .unwrap(),
        );
    }
    // The first call creates the list.
    let first = works.pop().unwrap();
    assert_eq!(store.commit(first).await, Ok(Committed::Done));
    let before = statements();
    let alone = works.pop().unwrap();
    assert_eq!(store.commit(alone).await, Ok(Committed::Done));
    let alone = statements() - before;
    let (before, groups_before) = (statements(), groups());
    let commits: Vec<_> = works.into_iter().map(|work| store.commit(work)).collect();
    for commit in commits {
        assert_eq!(commit.await, Ok(Committed::Done));
    }
    let (all, groups) = (statements() - before, groups() - groups_before);
    println!(
        "statements of a call alone: {alone}; of 256 at once: {all}, in {groups} transactions"
    );
    assert!(alone <= 17);
    // Each transaction takes the same number of statements, whether it has one call or all of them.
    assert_eq!(all, alone * groups);
    assert!(groups < 256);
}
