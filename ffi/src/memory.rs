//! Requests for memory in advance of work that allocates it piece by piece.

use franking_core::{Operation, Policy, Rule, links_memory_bound, memory_bound};

use crate::status::{Fail, Outcome};

/// Up to this number of bytes of a body, or of HTML, memory is not requested in advance: reading so little needs no more
/// memory than a few handles.
const SHORT: usize = 1 << 16;

/// Requests the most memory that reading a body can take, and gives it back at once, so that the reading can allocate it.
#[inline]
pub(crate) fn ask_for_body(policy: &Policy, operation: Operation, body: &[u8]) -> Outcome {
    if body.len() <= SHORT {
        return Ok(());
    }
    ask_for_long_body(policy, operation, body)
}

#[cold]
#[inline(never)]
fn ask_for_long_body(policy: &Policy, operation: Operation, body: &[u8]) -> Outcome {
    let is_limited = Rule::BodyTooLarge.code(operation).is_some();
    if is_limited && body.len() as u64 > policy.max_bytes() {
        // The body is refused for its length, and not read.
        return Ok(());
    }
    ask(policy.memory_bound(body.len()), "reading the body")
}

/// As [`ask_for_body`], for a request in JSON that holds a body or HTML: its text is read once with room to grow, and kept.
pub(crate) fn ask_for_request(request: &str) -> Outcome {
    match request.len() {
        ..=SHORT => Ok(()),
        long => ask(long.saturating_mul(3), "reading the request"),
    }
}

/// As [`ask_for_body`], for finding the hosts of HTML.
pub(crate) fn ask_for_hosts(html: &str) -> Outcome {
    match html.len() {
        ..=SHORT => Ok(()),
        long => ask(memory_bound(long), "reading the HTML"),
    }
}

/// As [`ask_for_body`], for a cursor over the links of HTML.
pub(crate) fn ask_for_links(html: &str) -> Outcome {
    match html.len() {
        ..=SHORT => Ok(()),
        long => ask(links_memory_bound(long), "reading the HTML"),
    }
}

/// As [`ask_for_body`], for an answer in JSON with `rows` rows whose texts are made of `bytes` bytes.
pub(crate) fn ask_for_answer(rows: usize, bytes: usize) -> Outcome {
    /// Twice the most that a row takes with its members and their names: for a moment there are two copies of the answer.
    const ROW: usize = 2 << 10;
    /// The texts are longer than these bytes if they are encoded. They are then written with escapes into a text that
    /// grows.
    const BYTE: usize = 32;
    let most = rows.saturating_mul(ROW);
    match most.saturating_add(bytes.saturating_mul(BYTE)) {
        ..=SHORT => Ok(()),
        long => ask(long, "the answer"),
    }
}

/// As [`ask_for_body`], for a copy of a body together with the other signed parts.
pub(crate) fn ask_for_copy(body: &[u8]) -> Outcome {
    match body.len() {
        ..=SHORT => Ok(()),
        long => ask(long.saturating_add(SHORT), "a copy of the body"),
    }
}

/// Asks the system and not the allocator. When glibc's allocator frees one large block, it raises its threshold: from then
/// on it keeps freed blocks up to that size, in the host's whole process.
#[cfg(unix)]
fn ask(bytes: usize, what: &'static str) -> Outcome {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new mapping at an address of the system's choice does not change any other mapping.
    let room = unsafe { mmap_anonymous(core::ptr::null_mut(), bytes, access, MapFlags::PRIVATE) };
    let room = room.map_err(|_| Fail::memory(what))?;
    // SAFETY: it was mapped with that length, and nothing refers to it. Unmapping an existing mapping cannot fail.
    let _ = unsafe { munmap(room, bytes) };
    Ok(())
}

#[cfg(not(unix))]
fn ask(bytes: usize, what: &'static str) -> Outcome {
    let mut room: Vec<u8> = Vec::new();
    let answer = room.try_reserve_exact(bytes);
    // The compiler may remove an allocation that is never used.
    core::hint::black_box(&mut room);
    answer.map_err(|_| Fail::memory(what))
}

/// Reserves capacity for answers, whose number comes from the caller.
pub(crate) fn reserve<T>(column: &mut Vec<T>, count: usize) -> Outcome {
    let reserved = column.try_reserve(count);
    reserved.map_err(|_| Fail::memory("the facts"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::FRANKING_STATUS_MEMORY;

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where there is no memory")]
    fn more_than_memory_is_refused_and_what_fits_is_not() {
        assert!(ask(memory_bound(1 << 20), "a test").is_ok());
        let status = ask(isize::MAX as usize, "a test").map_err(|fail| fail.status);
        assert_eq!(status, Err(FRANKING_STATUS_MEMORY));
        let status = ask(usize::MAX, "a test").map_err(|fail| fail.status);
        assert_eq!(status, Err(FRANKING_STATUS_MEMORY));
    }
}
