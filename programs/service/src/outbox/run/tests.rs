//! A run of the loop, event by event.
#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]

use metrics_exporter_prometheus::PrometheusBuilder;
use tempfile::TempDir;

use super::*;
use crate::mail::{Composer, Email, MailSettings, MayFinish, Reason, Sending, Transport};
use crate::outbox::SendingState;
use crate::store::sqlite::Sqlite;
use crate::store::{Cause, Claimed, Settlement, Unsendable};

struct Nowhere;

impl Transport for Nowhere {
    fn send(&self, _: Email, _: MayFinish) -> Sending<'_> {
        Box::pin(pending())
    }
}

/// A run over an empty database in a folder.
fn run() -> (TempDir, Run) {
    let folder = tempfile::tempdir().unwrap();
    let worker = Worker::new(
        Arc::new(Sqlite::open(folder.path()).unwrap()),
        Arc::new(Composer::new(&MailSettings::default()).unwrap()),
        Arc::new(Nowhere),
        Limits::default(),
        SendingState::default(),
    );
    (folder, Run::new(Arc::new(worker)))
}

fn claiming() -> Claiming {
    Claiming {
        asked: Moment::now(),
        is_of_others: false,
        is_of_short: false,
    }
}

#[tokio::test(start_paused = true)]
async fn what_comes_while_a_batch_is_claimed_is_claimed_next_and_waits_for_no_pause() {
    let (_folder, mut run) = run();
    let batch = |delivery| {
        let lease = Lease { delivery, claim: 1 };
        let claimed = Claimed {
            lease,
            account: AccountId::from_number(1),
            attempts: 0,
            tried: Duration::ZERO,
            delivery: Err(Unsendable::Inactive),
        };
        let deliveries = vec![claimed];
        Ok(Batch {
            deliveries,
            next: None,
        })
    };
    run.claimed(&claiming(), batch(1));
    assert_eq!(run.others_at, Instant::now() + BREATH);
    run.woken();
    run.claimed(&claiming(), batch(2));
    assert_eq!(run.others_at, Instant::now());
}

#[tokio::test(start_paused = true)]
async fn emails_that_are_left_out_because_they_are_long_are_not_asked_for_all_the_time() {
    let (_folder, mut run) = run();
    let found_nothing = || {
        Ok(Batch {
            deliveries: Vec::new(),
            next: Some(Duration::ZERO),
        })
    };
    run.claimed(&claiming(), found_nothing());
    assert_eq!(run.claim_at, Instant::now() + BREATH);
    let of_short = Claiming {
        is_of_short: true,
        ..claiming()
    };
    run.claimed(&of_short, found_nothing());
    assert_eq!(run.claim_at, Instant::now() + Duration::from_secs(1));
    run.woken();
    assert_eq!(run.claim_at, Instant::now());
}

#[tokio::test(start_paused = true)]
async fn deliveries_are_counted_by_the_process_that_settled_them_even_if_the_answer_was_lost() {
    let (_folder, mut run) = run();
    let recorder = PrometheusBuilder::new().build_recorder();
    let page = recorder.handle();
    let delivered = |delivery| Settled {
        lease: Lease { delivery, claim: 1 },
        end: Settlement::Delivered(Reason::new("250 OK")),
    };
    let done = |ids: &[i64]| Ok(ids.iter().copied().collect());
    let unknown = || Err(StoreError::Unknown(Cause::new("settling deliveries")));
    let failed = || Err(StoreError::Failed(Cause::new("settling deliveries")));
    let mut settled = |ids: &[i64], answer| {
        let all = ids.iter().copied().map(delivered).collect();
        metrics::with_local_recorder(&recorder, || run.settled(all, answer));
    };
    // The lease of one of two was lost.
    settled(&[1, 2], done(&[1]));
    // The answer was lost, and the request had settled one of two.
    settled(&[3, 4], unknown());
    settled(&[3, 4], done(&[4]));
    settled(&[3], done(&[]));
    // It is certain that the first request did nothing, so the lease was lost.
    settled(&[5], failed());
    settled(&[5], done(&[]));
    let shown = page.render();
    let counts = |name: &str| -> Option<u64> {
        let line = shown.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.rsplit(' ').next()?.parse().ok())
    };
    assert_eq!(counts("franking_deliveries_total"), Some(3), "{shown}");
    assert_eq!(counts("franking_leases_lost_total"), Some(3), "{shown}");
}
