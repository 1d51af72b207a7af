//! The operation that an HTTP request names.

use franking_core::{Route, route};

use crate::constants::{FRANKING_ROUTE_CALL, FRANKING_ROUTE_NONE, FRANKING_ROUTE_WRONG_METHOD};
use crate::handle::value;
use crate::text::FrankingText;

/// Finds the operation that an HTTP request names. Returns one of FRANKING_ROUTE. path is the request's path, with or
/// without a query; any base path may come before /v4/. Unless the result is FRANKING_ROUTE_NONE, *operation is written. If
/// operation is NULL, the result is FRANKING_ROUTE_NONE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_route(
    method: FrankingText,
    path: FrankingText,
    operation: *mut i32,
) -> i32 {
    value(FRANKING_ROUTE_NONE, || {
        // SAFETY: the caller passes a text that can be read.
        let method = unsafe { method.read_lossy("method") };
        // SAFETY: the caller passes a text that can be read.
        let path = unsafe { path.read_lossy("path") };
        let (Ok(method), Ok(path)) = (method, path) else {
            return FRANKING_ROUTE_NONE;
        };
        let (number, found) = match route(&method, &path) {
            None => return FRANKING_ROUTE_NONE,
            Some(Route::Call(found)) => (FRANKING_ROUTE_CALL, found),
            Some(Route::WrongMethod(found)) => (FRANKING_ROUTE_WRONG_METHOD, found),
        };
        if operation.is_null() {
            return FRANKING_ROUTE_NONE;
        }
        // SAFETY: the caller passes a place for a number.
        unsafe { operation.write(i32::from(found.number())) };
        number
    })
}
