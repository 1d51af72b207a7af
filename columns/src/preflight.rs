//! The stream that checks a stream of calls.

use core::ffi::{c_char, c_int, c_void};
use core::ptr;
use std::collections::VecDeque;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use franking::{Operation, Policy, Preflight, RULES_VERSION};
use sha2::{Digest as _, Sha256};

use crate::array::{Array, c_text};
use crate::error::ColumnError;
use crate::input::{Calls, Input, Streams};
use crate::interface::{ArrowArray, ArrowArrayStream, ArrowSchema, Owned, Released as _};
use crate::rows::Rows;

/// The names of all operations, for an error.
const NAMES: &str = "sendMailer, httpSendMail";
/// How many rows a thread takes at once, at most.
const PART: usize = 4096;
/// Into how many parts a batch is divided for each thread, so that all end at about the same time.
const PARTS_OF_A_THREAD: usize = 4;

/// How columns of calls are checked.
#[derive(Clone, Debug)]
pub struct Checks {
    /// The settings.
    pub policy: Policy,
    /// The operation of all calls. None: each row has its own, by its name, in the column `operation`.
    pub operation: Option<Operation>,
    /// Whether there is a column of all violations of each call, as many as the JSON form lists.
    pub all: bool,
    /// How many threads work on a batch.
    pub threads: usize,
}

/// A stream that checks the calls of other ones, one after the other, batch by batch, as they are asked for.
///
/// A batch of it has, for each row: `code`, `rule`, `pointer`, `start`, `end` and `request` of the first violation, and the numbers
/// `violations` and `warnings`; and `all`, if that is asked for. A call without violations has the code 200. A row without body or
/// without operation is null in each column. The metadata of its schema are `franking.rules`, the version of the rules, and
/// `franking.policy`, the SHA-256 of the policy's JSON form. Whatever fails is the error of the stream.
///
/// # Errors
///
/// The first stream has no such columns, or fails at once.
///
/// # Safety
///
/// Each stream is as Arrow's C stream interface has it, and so is whatever it gives.
pub unsafe fn preflight(
    checks: Checks,
    streams: Streams,
) -> Result<Owned<ArrowArrayStream>, ColumnError> {
    // SAFETY: as demanded of the caller.
    let input = unsafe { Input::new(streams, checks.operation.is_none()) }?;
    let lent = Box::new(Lent {
        checking: Checking {
            input,
            checks,
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

struct Checking {
    input: Input,
    checks: Checks,
    /// What is checked and not asked for yet.
    ready: VecDeque<Array>,
    /// How many rows came before the next batch.
    rows: u64,
    failed: Option<ColumnError>,
}

impl Checking {
    fn schema(&self) -> Result<ArrowSchema, ColumnError> {
        let digest = Sha256::digest(self.checks.policy.to_json());
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let metadata = vec![
            ("franking.rules".to_owned(), RULES_VERSION.to_string()),
            ("franking.policy".to_owned(), digest),
        ];
        Rows::batch_type(self.checks.all, metadata).lend()
    }

    /// The next batch. None at the end. After a failure there is nothing but the same failure.
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
            let (checks, before) = (&self.checks, self.rows);
            let checked = self.input.next(|calls| {
                let rows = u64::try_from(calls.len()).map_err(|_| ColumnError::TooLarge)?;
                Ok((rows, check(checks, calls, before)?))
            })?;
            let Some((rows, ready)) = checked else {
                return Ok(None);
            };
            self.rows = before.checked_add(rows).ok_or(ColumnError::TooLarge)?;
            self.ready = ready;
        }
    }
}

/// Checks a batch, before which there were that many rows.
fn check(checks: &Checks, calls: &Calls<'_>, before: u64) -> Result<VecDeque<Array>, ColumnError> {
    let parts = checks.threads.max(1).saturating_mul(PARTS_OF_A_THREAD);
    let part = match checks.threads {
        0 | 1 => calls.len(),
        _ => calls.len().div_ceil(parts).min(PART),
    }
    .max(1);
    let starts: Vec<usize> = (0..calls.len()).step_by(part).collect();
    let check_part = |start: usize| {
        let end = start.saturating_add(part).min(calls.len());
        let mut rows = Rows::new(checks.all);
        for row in start..end {
            let number = || before.saturating_add(u64::try_from(row).unwrap_or(u64::MAX));
            let Some(call) = calls.get(row)? else {
                rows.push(None)?;
                continue;
            };
            let operation = match (checks.operation, call.operation) {
                (Some(operation), _) => operation,
                (None, name) => name.and_then(operation_of).ok_or_else(|| {
                    let row = number();
                    ColumnError::Operation { row, names: NAMES }
                })?,
            };
            rows.push(Some(&Preflight::new(&checks.policy, operation, call.body)))?;
        }
        rows.into_array()
    };
    if checks.threads <= 1 || starts.len() <= 1 {
        return starts.into_iter().map(check_part).collect();
    }
    // Each thread takes the next part that nobody has taken.
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(start) = starts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let checked = check_part(*start);
            let mut done = done.lock().map_err(|_| ColumnError::Internal)?;
            done.push((*start, checked?));
        }
        Ok::<_, ColumnError>(())
    };
    thread::scope(|scope| {
        let threads = (0..checks.threads.min(starts.len())).map(|_| scope.spawn(work));
        let threads: Vec<_> = threads.collect();
        let ends = threads.into_iter().map(|thread| thread.join());
        ends.map(|end| end.map_err(|_| ColumnError::Internal)?)
            .collect::<Result<Vec<()>, _>>()
    })?;
    let mut done = done.into_inner().map_err(|_| ColumnError::Internal)?;
    done.sort_unstable_by_key(|(start, _)| *start);
    Ok(done.into_iter().map(|(_, array)| array).collect())
}

fn operation_of(name: &[u8]) -> Option<Operation> {
    let mut all = Operation::ALL.iter().copied();
    all.find(|operation| operation.name().as_bytes() == name)
}

/// What a stream that was lent keeps.
struct Lent {
    checking: Checking,
    /// What it said last.
    said: CString,
}

/// Statuses of the interface are those of errno.
const INVALID: c_int = 22;
const FAULT: c_int = 5;

/// Runs what a function of the stream does, and gives its status.
///
/// # Safety
/// The stream is one of [`preflight`] that was not released.
unsafe fn run(
    stream: *mut ArrowArrayStream,
    work: impl FnOnce(&mut Checking) -> Result<(), ColumnError>,
) -> c_int {
    // SAFETY: as demanded of the caller.
    let kept: *mut Lent = unsafe { (*stream).private_data }.cast();
    // SAFETY: as demanded of the caller; the interface has one thread at a time use it.
    let lent = unsafe { &mut *kept };
    let done = catch_unwind(AssertUnwindSafe(|| work(&mut lent.checking)));
    let error = match done {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error,
        Err(_) => {
            lent.checking.failed = Some(ColumnError::Internal);
            ColumnError::Internal
        }
    };
    lent.said = c_text(&error.to_string());
    match error {
        ColumnError::Internal => FAULT,
        _ => INVALID,
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, schema: *mut ArrowSchema) -> c_int {
    let work = |checking: &mut Checking| {
        let lent = checking.schema()?;
        // SAFETY: the interface: the place is the consumer's, and has nothing.
        unsafe { ptr::write(schema, lent) };
        Ok(())
    };
    // SAFETY: the interface: the stream was not released.
    unsafe { run(stream, work) }
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, array: *mut ArrowArray) -> c_int {
    let work = |checking: &mut Checking| {
        let lent = match checking.next()? {
            Some(next) => next.lend()?,
            None => ArrowArray::EMPTY,
        };
        // SAFETY: the interface: the place is the consumer's, and has nothing.
        unsafe { ptr::write(array, lent) };
        Ok(())
    };
    // SAFETY: the interface: the stream was not released.
    unsafe { run(stream, work) }
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: the interface: the stream was not released.
    let kept: *const Lent = unsafe { (*stream).private_data }.cast();
    // SAFETY: as above.
    let said = unsafe { &(*kept).said };
    match said.is_empty() {
        true => ptr::null(),
        false => said.as_ptr(),
    }
}

unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the interface: the stream is one of ours that was not released.
    let own = unsafe { ptr::replace(stream, ArrowArrayStream::EMPTY) };
    let kept: *mut c_void = own.private_data;
    // SAFETY: the pointer is that of `preflight`, which is given back here alone: the stream is released.
    let lent: Box<Lent> = unsafe { Box::from_raw(kept.cast()) };
    // The producer's functions are called here, and a panic must not cross.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(lent)));
}
