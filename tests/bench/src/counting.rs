//! An allocator that counts, for programs that measure memory. It takes time, so programs that measure time do not use it.
//!
//! ```
//! use franking_bench::counting::{self, Counting};
//!
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//!
//! let (answer, peak) = counting::peak(|| {
//!     let whole = vec![0_u8; 1_000_000];
//!     // The allocations of a host for its answers do not count.
//!     counting::aside(|| vec![1_u8; 5_000_000]).len() + whole.len()
//! });
//! assert_eq!(answer, 6_000_000);
//! assert!((1_000_000..1_010_000).contains(&peak));
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with a count of the bytes that are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

/// The bytes that are allocated now, without those set aside.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// The most that [`LIVE`] has been since the last reset.
static PEAK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static ASIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `program` and returns its result and the peak of its allocations: how many bytes more than before were allocated, on
/// all threads. The peak is 0 unless [`Counting`] is the global allocator.
pub fn peak<T>(program: impl FnOnce() -> T) -> (T, usize) {
    let before = live();
    PEAK.store(before, Ordering::SeqCst);
    let result = program();
    (result, PEAK.load(Ordering::SeqCst).saturating_sub(before))
}

/// The number of bytes that are allocated now, on all threads, without those set aside.
pub fn live() -> usize {
    LIVE.load(Ordering::SeqCst)
}

/// Runs `program` without counting the allocations that this thread makes in it. They are not counted later either, when
/// they are freed or grow.
pub fn aside<T>(program: impl FnOnce() -> T) -> T {
    let outer = ASIDE.replace(true);
    let result = program();
    ASIDE.set(outer);
    result
}

/// Every allocation has a header that says how many of its bytes are counted: all of them or none.
fn with_header(layout: Layout) -> Option<(Layout, usize)> {
    let header = Layout::new::<bool>();
    header.extend(layout).ok()
}

fn count(size: usize) {
    let live = LIVE.fetch_add(size, Ordering::Relaxed) + size;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: every request goes to `System` with a layout that is larger by a header in front, whose size depends only on the
// alignment asked for. `extend` rounds that header up to the alignment, so the pointer that is returned is aligned, has the
// size asked for, and leads back to the start of the allocation of `System`.
#[expect(unsafe_code, reason = "an allocator cannot be written otherwise")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some((whole, offset)) = with_header(layout) else {
            return std::ptr::null_mut();
        };
        // SAFETY: the layout has a header, so its size is not zero.
        let start = unsafe { System.alloc(whole) };
        if start.is_null() {
            return start;
        }
        // A thread that is ending may allocate after its thread-locals are gone.
        let counted = !ASIDE.try_with(Cell::get).unwrap_or(false);
        if counted {
            count(layout.size());
        }
        // SAFETY: the header is the first byte of the allocation, and the rest begins at `offset`.
        unsafe {
            start.write(u8::from(counted));
            start.add(offset)
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let Some((whole, offset)) = with_header(layout) else {
            return;
        };
        // SAFETY: `pointer` comes from `alloc` with this layout, so the header is `offset` bytes before.
        let (start, counted) = unsafe {
            let start = pointer.sub(offset);
            (start, start.read() == 1)
        };
        if counted {
            LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        // SAFETY: `start` was allocated by `System` with `whole`.
        unsafe { System.dealloc(start, whole) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let grown = Layout::from_size_align(new_size, layout.align())
            .ok()
            .and_then(with_header);
        let (Some((whole, offset)), Some((new_whole, _))) = (with_header(layout), grown) else {
            return std::ptr::null_mut();
        };
        // SAFETY: as in `dealloc`; the header moves with the allocation, and the alignment stays.
        let start = unsafe { System.realloc(pointer.sub(offset), whole, new_whole.size()) };
        if start.is_null() {
            return start;
        }
        // SAFETY: as in `alloc`.
        let counted = unsafe { start.read() == 1 };
        if counted {
            count(new_size.saturating_sub(layout.size()));
            LIVE.fetch_sub(layout.size().saturating_sub(new_size), Ordering::Relaxed);
        }
        // SAFETY: as in `alloc`.
        unsafe { start.add(offset) }
    }
}
