//! The structures of Arrow's C data interface and C stream interface, defined in
//! <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>, and values that own them.
//!
//! The functions are `C-unwind`: an exception that leaves a function of another library ends the process with a message.
//! Through a function of kind `C` it would be undefined what happens.

use core::ffi::{c_char, c_int, c_void};
use core::fmt;
use core::ptr;

/// A type: `struct ArrowSchema`.
#[repr(C)]
#[expect(missing_docs, reason = "the interface says what each member is")]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut Self,
    pub dictionary: *mut Self,
    pub release: Option<unsafe extern "C-unwind" fn(*mut Self)>,
    pub private_data: *mut c_void,
}

/// A column, or a batch of columns: `struct ArrowArray`.
#[repr(C)]
#[expect(missing_docs, reason = "the interface says what each member is")]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut Self,
    pub dictionary: *mut Self,
    pub release: Option<unsafe extern "C-unwind" fn(*mut Self)>,
    pub private_data: *mut c_void,
}

/// A stream of batches: `struct ArrowArrayStream`.
#[repr(C)]
#[expect(missing_docs, reason = "the interface says what each member is")]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C-unwind" fn(*mut Self, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C-unwind" fn(*mut Self, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C-unwind" fn(*mut Self) -> *const c_char>,
    pub release: Option<unsafe extern "C-unwind" fn(*mut Self)>,
    pub private_data: *mut c_void,
}

/// A structure of the interface. Its last owner releases it, once.
pub trait Released: Sized {
    /// A released structure, which owns nothing.
    const EMPTY: Self;
    /// The function that releases it. `None` after the release.
    fn release(&self) -> Option<unsafe extern "C-unwind" fn(*mut Self)>;
    /// The name of its type.
    const NAME: &'static str;
}

macro_rules! released {
    ($name:ident, $empty:expr) => {
        impl Released for $name {
            const EMPTY: Self = $empty;
            const NAME: &'static str = stringify!($name);

            fn release(&self) -> Option<unsafe extern "C-unwind" fn(*mut Self)> {
                self.release
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(Self::NAME)
            }
        }
    };
}

released!(
    ArrowSchema,
    Self {
        format: ptr::null(),
        name: ptr::null(),
        metadata: ptr::null(),
        flags: 0,
        n_children: 0,
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    }
);
released!(
    ArrowArray,
    Self {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: ptr::null_mut(),
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    }
);
released!(
    ArrowArrayStream,
    Self {
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: ptr::null_mut(),
    }
);

/// An owned structure of the interface. It is released when it is dropped.
#[derive(Debug)]
#[repr(transparent)]
pub struct Owned<T: Released>(T);

impl<T: Released> Owned<T> {
    /// An empty structure, as a place for a producer to write to.
    pub(crate) const EMPTY: Self = Self(T::EMPTY);

    /// Takes over the structure at `place`, and leaves a released structure there.
    ///
    /// # Safety
    /// `place` points to a structure of the interface that no other code uses meanwhile.
    pub unsafe fn take(place: *mut T) -> Self {
        // SAFETY: as demanded of the caller.
        Self(unsafe { ptr::replace(place, T::EMPTY) })
    }

    /// Takes ownership of a structure that this crate has made.
    pub(crate) const fn new(own: T) -> Self {
        Self(own)
    }

    /// Gives the structure away. The receiver has to release it.
    #[must_use]
    pub fn give(mut self) -> T {
        core::mem::replace(&mut self.0, T::EMPTY)
    }

    /// The structure.
    #[must_use]
    pub const fn get(&self) -> &T {
        &self.0
    }

    /// Returns whether it was released.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.0.release().is_none()
    }

    /// A pointer for the functions of the interface.
    pub(crate) const fn as_ptr(&mut self) -> *mut T {
        &raw mut self.0
    }
}

impl<T: Released> Drop for Owned<T> {
    fn drop(&mut self) {
        if let Some(release) = self.0.release() {
            // SAFETY: it was not released, since the release function clears `release`, and there is no other owner.
            unsafe { release(&raw mut self.0) };
        }
    }
}

// SAFETY: by the interface, any thread may use a structure, one thread at a time.
unsafe impl<T: Released> Send for Owned<T> {}
// SAFETY: no function of the structure can be called through a shared reference, and its data never changes.
unsafe impl<T: Released> Sync for Owned<T> {}
