//! The end of what the threads of a test repeat.

use std::sync::atomic::{AtomicBool, Ordering};

/// Says that it is over when it is dropped. A test that fails drops it as well. Otherwise its threads would go on, and the test
/// would wait for them without an end.
pub struct Ends<'o>(pub &'o AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
