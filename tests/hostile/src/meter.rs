//! Counts the allocations of the library. The body, the answers of a host, and the values that a caller collects do not
//! count.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts the bytes that are live, and the largest number of bytes that were.
pub(crate) struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
/// The bytes that were live when the measurement began, and those that the host has allocated since.
static BASE: AtomicUsize = AtomicUsize::new(0);
/// The most bytes that the library had beside these, up to the last answer of the host.
static MOST: AtomicUsize = AtomicUsize::new(0);

fn grew(by: usize) {
    let live = LIVE.fetch_add(by, Relaxed) + by;
    PEAK.fetch_max(live, Relaxed);
    ALLOCATIONS.fetch_add(1, Relaxed);
}

// SAFETY: every call is passed on unchanged to the system's allocator; only counters are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grew(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The system moves large blocks without a copy, so the old and the new block are not counted together.
        grew(size.saturating_sub(layout.size()));
        LIVE.fetch_sub(layout.size().saturating_sub(size), Relaxed);
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

/// Measures what `use_of_library` allocates. The program must do nothing else at the same time.
pub(crate) fn measure<T>(use_of_library: impl FnOnce() -> T) -> (Cost, T) {
    let before = ALLOCATIONS.load(Relaxed);
    BASE.store(LIVE.load(Relaxed), Relaxed);
    PEAK.store(LIVE.load(Relaxed), Relaxed);
    MOST.store(0, Relaxed);
    let result = use_of_library();
    note();
    let cost = Cost {
        memory: MOST.load(Relaxed),
        allocations: ALLOCATIONS.load(Relaxed) - before,
    };
    (cost, result)
}

fn note() {
    let most = PEAK.load(Relaxed).saturating_sub(BASE.load(Relaxed));
    MOST.fetch_max(most, Relaxed);
}

/// Runs `answer`. What it allocates belongs to the host.
pub(crate) fn host<T>(answer: impl FnOnce() -> T) -> T {
    note();
    let before = LIVE.load(Relaxed);
    let answer = answer();
    let after = LIVE.load(Relaxed);
    BASE.fetch_add(after - before, Relaxed);
    PEAK.store(after, Relaxed);
    answer
}
