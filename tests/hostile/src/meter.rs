//! Counts the allocations of the library. The body, the answers of a host, and the values that a caller collects do not
//! count.
//!
//! Each thread has counts of its own, so that tests beside a measurement do not change it. The library has no threads.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the bytes that are live, and the largest number of bytes that were.
pub(crate) struct Counting;

/// The counts of a thread. The number of live bytes may be negative, because a thread may free what another has allocated.
struct Counts {
    live: Cell<isize>,
    peak: Cell<isize>,
    allocations: Cell<usize>,
    /// The bytes that were live when the measurement began, and those that the host has allocated since.
    base: Cell<isize>,
    /// The most bytes that the library had beside these, up to the last answer of the host.
    most: Cell<isize>,
}

thread_local! {
    // Without a destructor and made at compile time: reading it allocates nothing.
    static COUNTS: Counts = const {
        Counts {
            live: Cell::new(0),
            peak: Cell::new(0),
            allocations: Cell::new(0),
            base: Cell::new(0),
            most: Cell::new(0),
        }
    };
}

impl Counts {
    fn grew(&self, by: usize) {
        let live = self.live.get() + by.cast_signed();
        self.live.set(live);
        self.peak.set(self.peak.get().max(live));
        self.allocations.set(self.allocations.get() + 1);
    }

    fn shrank(&self, by: usize) {
        self.live.set(self.live.get() - by.cast_signed());
    }

    fn note(&self) {
        let most = self.peak.get() - self.base.get();
        self.most.set(self.most.get().max(most));
    }
}

// SAFETY: every call is passed on unchanged to the system's allocator; only counters are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNTS.with(|counts| counts.grew(layout.size()));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        COUNTS.with(|counts| counts.shrank(layout.size()));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The system moves large blocks without a copy, so the old and the new block are not counted together.
        COUNTS.with(|counts| {
            counts.grew(size.saturating_sub(layout.size()));
            counts.shrank(layout.size().saturating_sub(size));
        });
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The cost of one use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) memory: usize,
    pub(crate) allocations: usize,
}

/// Measures what `use_of_library` allocates on this thread.
pub(crate) fn measure<T>(use_of_library: impl FnOnce() -> T) -> (Cost, T) {
    let before = COUNTS.with(|counts| {
        counts.base.set(counts.live.get());
        counts.peak.set(counts.live.get());
        counts.most.set(0);
        counts.allocations.get()
    });
    let result = use_of_library();
    let cost = COUNTS.with(|counts| {
        counts.note();
        Cost {
            // It began with 0 and only grows.
            memory: counts.most.get().cast_unsigned(),
            allocations: counts.allocations.get() - before,
        }
    });
    (cost, result)
}

/// Runs `answer`. What it allocates belongs to the host.
pub(crate) fn host<T>(answer: impl FnOnce() -> T) -> T {
    let before = COUNTS.with(|counts| {
        counts.note();
        counts.live.get()
    });
    let answer = answer();
    COUNTS.with(|counts| {
        let after = counts.live.get();
        counts.base.set(counts.base.get() + after - before);
        counts.peak.set(after);
    });
    answer
}
