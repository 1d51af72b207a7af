//! A panic while a call is decided, which is an outcome of the call like others.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use super::{Outcome, Trouble};

/// Decides a call to its end. If deciding panics, perhaps during a commit, it is unknown whether the call was carried out.
pub async fn caught(deciding: impl Future<Output = Outcome>) -> Outcome {
    let mut deciding = pin!(deciding);
    poll_fn(|context| {
        // What has panicked is not polled again, so nobody sees what it has left half done.
        let polled = catch_unwind(AssertUnwindSafe(|| deciding.as_mut().poll(context)));
        let panicked =
            |_| Poll::Ready(Outcome::Unknown(Trouble::Fault("deciding a call panicked")));
        polled.unwrap_or_else(panicked)
    })
    .await
}

/// The outcome of a fault after the plan was carried out. It must not say that nothing was done.
pub(super) fn after_commit(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Undone(trouble) => Outcome::Unknown(trouble),
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_after_the_plan_was_carried_out_does_not_say_that_nothing_was_done() {
        let outcome = after_commit(Outcome::Undone(Trouble::Fault("for the test")));
        assert!(
            matches!(outcome, Outcome::Unknown(Trouble::Fault(_))),
            "{outcome:?}"
        );
    }

    #[expect(clippy::panic, reason = "the panic that is caught")]
    fn panic() -> Outcome {
        panic!("for the test")
    }

    #[tokio::test]
    async fn a_panic_leaves_it_unknown_whether_the_call_was_carried_out() {
        let outcome = caught(async {
            tokio::task::yield_now().await;
            panic()
        })
        .await;
        assert!(
            matches!(outcome, Outcome::Unknown(Trouble::Fault(_))),
            "{outcome:?}"
        );
        let outcome = caught(std::future::ready(Outcome::KeyHeld)).await;
        assert!(matches!(outcome, Outcome::KeyHeld), "{outcome:?}");
    }
}
