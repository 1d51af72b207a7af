//! A database for each test.

use std::future::Future;
use std::sync::Arc;

use franking_service::store::Store;
use franking_service::store::sqlite::Sqlite;

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(4).enable_all().build().unwrap()
}

/// Runs a test on a new SQLite database.
pub(crate) fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Arc<dyn Store>) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
    runtime().block_on(test(store));
}
