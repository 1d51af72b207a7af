//! Tests for SQLite alone: its files, its groups and their COMMIT.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use franking_service::store::sqlite::{OpenError, Sqlite};
use franking_service::store::{OperatorError, Store, StoreError};
use rusqlite::Connection;

use crate::databases::runtime;
use crate::world::{account, credits, decide, http_send_mail, send_mailer, to_commit};

fn open(folder: &Path) -> Arc<dyn Store> {
    Arc::new(Sqlite::open(folder).unwrap())
}

/// Adds a trigger that runs this statement for each inserted call.
fn at_each_call(folder: &Path, does: &str) {
    let connection = Connection::open(folder.join("franking.db")).unwrap();
    let sql = format!(
        "CREATE TABLE owed (account INTEGER REFERENCES accounts DEFERRABLE INITIALLY DEFERRED);
         CREATE TRIGGER at_each_call AFTER INSERT ON calls WHEN NEW.operation = 'sendMailer' BEGIN {does}; END"
    );
    connection.execute_batch(&sql).unwrap();
}

#[test]
fn files_are_their_owners_alone_and_one_process_serves_them() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    let store = Sqlite::open(&folder).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(files.len() >= 2);
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    assert!(matches!(Sqlite::open(&folder), Err(OpenError::Served(_))));
    drop(store);
    Sqlite::open(&folder).unwrap();
}

#[test]
fn a_database_of_a_later_release_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let connection = Connection::open(folder.path().join("franking.db")).unwrap();
    let later = "INSERT INTO schema_version (version, least) VALUES (1000, 1000)";
    connection.execute(later, []).unwrap();
    let refused = Sqlite::open(folder.path());
    assert!(matches!(refused, Err(OpenError::Newer { found: 1000, .. })));
    let version = "SELECT max(version) FROM schema_version";
    let version: i64 = connection.query_row(version, [], |row| row.get(0)).unwrap();
    assert_eq!(version, 1000);
}

#[test]
fn what_was_committed_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = open(folder.path());
        let id = account(&store, 10, 10).await;
        assert_eq!(
            decide(store.clone(), send_mailer("a@reader.example")).await,
            200
        );
        drop(store);
        let store = open(folder.path());
        assert_eq!(credits(&store, id).await, (9, 9));
        assert_eq!(
            decide(store.clone(), send_mailer("a@reader.example")).await,
            200
        );
    });
}

#[test]
fn when_commit_fails_everybody_in_the_group_is_told_unknown_and_the_process_is_to_end() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = open(folder.path());
        let id = account(&store, 10, 10).await;
        let mut mailed = send_mailer("a@reader.example");
        let mut listed = http_send_mail(&["b@reader.example".to_owned()]);
        let mailed = to_commit(&store, &mut mailed, None).await.unwrap();
        let listed = to_commit(&store, &mut listed, None).await.unwrap();
        // COMMIT finds this row, whose account does not exist.
        at_each_call(folder.path(), "INSERT INTO owed VALUES (1000000)");
        let commits = [store.commit(mailed), store.commit(listed.clone())];
        let broken = store.broken();
        let mut answers = Vec::new();
        for commit in commits {
            answers.push(commit.await);
        }
        assert!(
            matches!(answers[0], Err(StoreError::Unknown(_))),
            "{answers:?}"
        );
        // The other call was in the same group, or in none, because the writer had ended.
        assert!(
            !matches!(answers[1], Ok(_) | Err(StoreError::Conflict(_))),
            "{answers:?}"
        );
        assert!(broken.await.to_string().contains("ending a transaction"));
        assert!(matches!(
            store.commit(listed).await,
            Err(StoreError::Failed(_))
        ));
        drop(store);
        // After the restart the store reads what was really committed.
        let store = open(folder.path());
        assert_eq!(credits(&store, id).await, (10, 10));
        assert!(store.calls(id).await.unwrap().is_empty());
    });
}

#[test]
fn a_group_whose_transaction_is_given_up_before_commit_is_known_to_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = open(folder.path());
        let id = account(&store, 10, 10).await;
        let mut mailed = send_mailer("a@reader.example");
        let mailed = to_commit(&store, &mut mailed, None).await.unwrap();
        // On a full disk, SQLite does this of its own accord.
        at_each_call(folder.path(), "SELECT RAISE(ROLLBACK, 'full')");
        assert!(matches!(
            store.commit(mailed).await,
            Err(StoreError::Failed(_))
        ));
        // The writer still works.
        let listed = http_send_mail(&["b@reader.example".to_owned()]);
        assert_eq!(decide(store.clone(), listed).await, 200);
        assert_eq!(store.calls(id).await.unwrap().len(), 1);
    });
}

#[test]
fn sqlite_is_compiled_as_the_workspace_says() {
    let connection = Connection::open_in_memory().unwrap();
    let mut options = connection.prepare("PRAGMA compile_options").unwrap();
    let options: Vec<String> = options
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let option = "DEFAULT_MEMSTATUS=0";
    assert!(options.iter().any(|one| one == option), "{options:?}");
    let locks = "ENABLE_MEMORY_MANAGEMENT";
    assert!(!options.iter().any(|one| one == locks), "{options:?}");
}

#[test]
fn all_who_wait_behind_another_process_are_told_together() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
    runtime().block_on(async {
        let other = Connection::open(folder.path().join("franking.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        // clock: printed, not judged
        let began = std::time::Instant::now();
        let note = |_| store.begin_audit("a test".to_owned(), "waits".to_owned());
        let waiting: Vec<_> = (0..20).map(note).collect();
        for answer in waiting {
            assert!(matches!(
                answer.await,
                Err(OperatorError::Store(StoreError::Busy(_)))
            ));
        }
        println!(
            "20 who waited for a lock were told after {:?}",
            began.elapsed() // clock: printed, not judged
        );
        other.execute_batch("ROLLBACK").unwrap();
        note(0).await.unwrap();
    });
}
