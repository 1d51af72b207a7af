//! Reports of failures after which the process has to end and be started again.

use tokio::sync::watch;

use super::error::Cause;

/// Whether the process has to end, and why. Clones share this.
#[derive(Clone, Debug, Default)]
pub(crate) struct Broken(watch::Sender<Option<Cause>>);

impl Broken {
    /// Reports that the process has to end.
    pub(crate) fn report(&self, cause: Cause) {
        self.0.send_replace(Some(cause));
    }

    /// Resolves when this is reported, or when nobody is left who could report it.
    pub(crate) fn reported(&self) -> impl Future<Output = Cause> + Send + use<> {
        let mut reports = self.0.subscribe();
        async move {
            let reported = reports.wait_for(Option::is_some).await;
            let cause = reported.ok().and_then(|cause| cause.clone());
            cause.unwrap_or(Cause::new("waiting for what has ended"))
        }
    }

    /// Returns a value that reports a panic of the thread or the task in which it is dropped.
    pub(crate) fn reports_panic(&self, doing: &'static str) -> ReportsPanic {
        ReportsPanic {
            broken: self.clone(),
            doing,
        }
    }

    /// Does the work of a task, and reports if it panics.
    pub(crate) fn watch<F: Future>(
        &self,
        doing: &'static str,
        work: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        let panic = self.reports_panic(doing);
        async move {
            let _panic = panic;
            work.await
        }
    }
}

/// Reports a panic of its thread or task when it is dropped.
pub(crate) struct ReportsPanic {
    broken: Broken,
    doing: &'static str,
}

impl Drop for ReportsPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let cause = Cause::with_code(self.doing, "it ended in a panic");
            self.broken.report(cause);
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::panic, reason = "a test that meets the unexpected should stop")]
    use super::*;

    async fn fails() {
        tokio::task::yield_now().await;
        panic!("of this test");
    }

    #[tokio::test]
    async fn a_panic_of_a_task_is_reported_and_its_end_is_not() {
        let broken = Broken::default();
        let ends = tokio::spawn(broken.watch("ending", async { 7 }));
        assert_eq!(ends.await.ok(), Some(7));
        let fails = tokio::spawn(broken.watch("failing", fails()));
        assert!(fails.await.is_err());
        let reported = broken.reported().await.to_string();
        assert_eq!(reported, "failing (it ended in a panic)");
    }
}
