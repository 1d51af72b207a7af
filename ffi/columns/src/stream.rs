//! A stream that works on the batches of other streams.

use core::ffi::{c_char, c_int, c_void};
use core::ops::Range;
use core::ptr;
use std::collections::VecDeque;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::array::{Array, Type, c_text};
use crate::error::ColumnError;
use crate::input::{Input, Names, Rows, Streams};
use crate::interface::{ArrowArray, ArrowArrayStream, ArrowSchema, Owned, Released as _};

/// The greatest number of rows that a thread takes at once.
const PART: usize = 4096;
/// The number of parts for each thread into which a batch is divided, so that all threads end at about the same time.
const PARTS_OF_A_THREAD: usize = 4;

/// The greatest number of threads that work on a batch.
const MOST_THREADS: usize = 256;

/// The work on the rows of a batch.
pub(crate) trait Work: Send + Sync {
    /// The type of the result.
    fn result_type(&self) -> Type;

    /// The result of some rows of a batch. `before` is the number of rows before the batch.
    fn done(&self, rows: &Rows<'_>, part: Range<usize>, before: u64) -> Result<Array, ColumnError>;
}

/// The stream of the results.
///
/// # Safety
/// Each stream follows Arrow's C stream interface. So do the schemas and the arrays that it returns.
pub(crate) unsafe fn stream(
    work: impl Work + 'static,
    threads: usize,
    streams: Streams,
    names: Names,
) -> Result<Owned<ArrowArrayStream>, ColumnError> {
    // SAFETY: as demanded of the caller.
    let input = unsafe { Input::new(streams, names) }?;
    let lent = Box::new(Lent {
        working: Working {
            input,
            work: Box::new(work),
            threads,
            ready: VecDeque::new(),
            rows: 0,
            failed: None,
        },
        said: CString::default(),
    });
    Ok(Owned::new(ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(lent).cast(),
    }))
}

struct Working {
    input: Input,
    work: Box<dyn Work>,
    threads: usize,
    /// The results that the consumer has not asked for yet.
    ready: VecDeque<Array>,
    /// The number of rows before the next batch.
    rows: u64,
    failed: Option<ColumnError>,
}

impl Working {
    /// The next batch. `None` after the last one. After a failure, returns that failure again.
    fn next(&mut self) -> Result<Option<Array>, ColumnError> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let next = self.read_next();
        self.failed = next.as_ref().err().cloned();
        next
    }

    fn read_next(&mut self) -> Result<Option<Array>, ColumnError> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Ok(Some(ready));
            }
            let (work, threads, before) = (&*self.work, self.threads, self.rows);
            let done = self.input.next(|rows| {
                let count = u64::try_from(rows.len()).map_err(|_| ColumnError::TooLarge)?;
                Ok((count, share(work, threads, rows, before)?))
            })?;
            let Some((count, ready)) = done else {
                return Ok(None);
            };
            self.rows = before.checked_add(count).ok_or(ColumnError::TooLarge)?;
            self.ready = ready;
        }
    }
}

/// Works on a batch with up to `threads` threads.
fn share(
    work: &dyn Work,
    threads: usize,
    rows: &Rows<'_>,
    before: u64,
) -> Result<VecDeque<Array>, ColumnError> {
    let parts = threads.max(1).saturating_mul(PARTS_OF_A_THREAD);
    let part = match threads {
        0 | 1 => rows.len(),
        _ => rows.len().div_ceil(parts).min(PART),
    }
    .max(1);
    let starts: Vec<usize> = (0..rows.len()).step_by(part).collect();
    let done_from = |start: usize| {
        let end = start.saturating_add(part).min(rows.len());
        work.done(rows, start..end, before)
    };
    if threads <= 1 || starts.len() <= 1 {
        return starts.into_iter().map(done_from).collect();
    }
    // Each thread takes the next part that no thread has taken.
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let run = || {
        while let Some(start) = starts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let array = done_from(*start)?;
            let mut done = done.lock().map_err(|_| ColumnError::Internal)?;
            done.push((*start, array));
        }
        Ok::<_, ColumnError>(())
    };
    thread::scope(|scope| {
        // This thread takes parts as well, so all is done even if the system gives no other one.
        let others = (1..threads.min(starts.len()).min(MOST_THREADS))
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, run).ok());
        let others: Vec<_> = others.collect();
        let own = run();
        let mut others = others.into_iter();
        let ended =
            others.try_for_each(|thread| thread.join().map_err(|_| ColumnError::Internal)?);
        ended.and(own)
    })?;
    let mut done = done.into_inner().map_err(|_| ColumnError::Internal)?;
    done.sort_unstable_by_key(|(start, _)| *start);
    Ok(done.into_iter().map(|(_, array)| array).collect())
}

/// The data of a lent stream.
struct Lent {
    working: Working,
    /// The text of the last error.
    said: CString,
}

/// Statuses of the interface are those of errno.
const INVALID: c_int = 22;
const FAULT: c_int = 5;

/// Runs the body of a function of the stream, and returns its status.
///
/// # Safety
/// The stream is one of [`stream`] that was not released.
unsafe fn run(
    stream: *mut ArrowArrayStream,
    work: impl FnOnce(&mut Working) -> Result<(), ColumnError>,
) -> c_int {
    // SAFETY: as demanded of the caller.
    let kept: *mut Lent = unsafe { (*stream).private_data }.cast();
    // SAFETY: as demanded of the caller; by the interface, one thread at a time uses it.
    let lent = unsafe { &mut *kept };
    let done = catch_unwind(AssertUnwindSafe(|| work(&mut lent.working)));
    let error = match done {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error,
        Err(_) => {
            lent.working.failed = Some(ColumnError::Internal);
            ColumnError::Internal
        }
    };
    lent.said = c_text(&error.to_string());
    match error {
        ColumnError::Internal => FAULT,
        _ => INVALID,
    }
}

unsafe extern "C-unwind" fn get_schema(
    stream: *mut ArrowArrayStream,
    schema: *mut ArrowSchema,
) -> c_int {
    let work = |working: &mut Working| {
        let lent = working.work.result_type().lend()?;
        // SAFETY: by the interface, the place belongs to the consumer, and is empty.
        unsafe { ptr::write(schema, lent) };
        Ok(())
    };
    // SAFETY: by the interface, the stream was not released.
    unsafe { run(stream, work) }
}

unsafe extern "C-unwind" fn get_next(
    stream: *mut ArrowArrayStream,
    array: *mut ArrowArray,
) -> c_int {
    let work = |working: &mut Working| {
        let lent = match working.next()? {
            Some(next) => next.lend()?,
            None => ArrowArray::EMPTY,
        };
        // SAFETY: by the interface, the place belongs to the consumer, and is empty.
        unsafe { ptr::write(array, lent) };
        Ok(())
    };
    // SAFETY: by the interface, the stream was not released.
    unsafe { run(stream, work) }
}

unsafe extern "C-unwind" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: by the interface, the stream was not released.
    let kept: *const Lent = unsafe { (*stream).private_data }.cast();
    // SAFETY: as above.
    let said = unsafe { &(*kept).said };
    match said.is_empty() {
        true => ptr::null(),
        false => said.as_ptr(),
    }
}

unsafe extern "C-unwind" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: by the interface, the stream is one of this crate that was not released.
    let own = unsafe { ptr::replace(stream, ArrowArrayStream::EMPTY) };
    let kept: *mut c_void = own.private_data;
    // SAFETY: the pointer comes from `stream` and is given back only here, since a stream is released once.
    let lent: Box<Lent> = unsafe { Box::from_raw(kept.cast()) };
    // Dropping calls the producer's functions. A panic must not leave this function.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(lent)));
}
