//! Makes a stream of one batch, and a source of streams of one stream.

use core::ffi::{c_char, c_int};
use core::ptr;

use crate::input::Streams;
use crate::interface::{ArrowArray, ArrowArrayStream, ArrowSchema, Owned, Released as _};

/// A source of streams that gives this one stream.
#[must_use]
pub fn streams_of(stream: Owned<ArrowArrayStream>) -> Streams {
    let mut stream = Some(stream);
    Box::new(move || Ok(stream.take()))
}

/// The data of a stream of one batch. Each part is here until the consumer has taken it.
struct One(Owned<ArrowSchema>, Owned<ArrowArray>);

/// A stream of one batch.
#[must_use]
pub fn stream_of(schema: Owned<ArrowSchema>, batch: Owned<ArrowArray>) -> Owned<ArrowArrayStream> {
    Owned::new(ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(Box::new(One(schema, batch))).cast(),
    })
}

/// # Safety
/// The stream is one of [`stream_of`] that was not released.
unsafe fn kept<'a>(stream: *mut ArrowArrayStream) -> &'a mut One {
    // SAFETY: as demanded of the caller.
    let kept: *mut One = unsafe { (*stream).private_data }.cast();
    // SAFETY: as demanded of the caller; by the interface, one thread at a time uses it.
    unsafe { &mut *kept }
}

// Both parts are moved out, so each can be read only once. Their only reader, `input`, asks for the schema once.
unsafe extern "C-unwind" fn get_schema(
    stream: *mut ArrowArrayStream,
    schema: *mut ArrowSchema,
) -> c_int {
    // SAFETY: by the interface, the stream was not released.
    let one = unsafe { kept(stream) };
    // SAFETY: the place belongs to the consumer, and is empty.
    unsafe { ptr::write(schema, ptr::replace(one.0.as_ptr(), ArrowSchema::EMPTY)) };
    0
}

unsafe extern "C-unwind" fn get_next(
    stream: *mut ArrowArrayStream,
    batch: *mut ArrowArray,
) -> c_int {
    // SAFETY: by the interface, the stream was not released.
    let one = unsafe { kept(stream) };
    // SAFETY: the place belongs to the consumer, and is empty.
    unsafe { ptr::write(batch, ptr::replace(one.1.as_ptr(), ArrowArray::EMPTY)) };
    0
}

const unsafe extern "C-unwind" fn get_last_error(_stream: *mut ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C-unwind" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: by the interface, the stream was not released.
    let own = unsafe { ptr::replace(stream, ArrowArrayStream::EMPTY) };
    // SAFETY: the pointer comes from `stream_of` and is given back only here.
    drop::<Box<One>>(unsafe { Box::from_raw(own.private_data.cast()) });
}
