//! `Debug` and the reasons of errors for types that hold texts of a call or a host. These texts must not reach a log.

use alloc::string::{String, ToString};

/// Returns why JSON was not read. It names only what was expected, because what was found instead may be an address.
pub(crate) fn expected(error: &serde_json::Error) -> String {
    let message = error.to_string();
    if !error.is_data() || message.starts_with("missing field") {
        return message;
    }
    match message.rsplit_once(", expected ") {
        // Whether the string is borrowed does not matter to the author of the text.
        Some((_, "a borrowed string")) => "expected a string".to_string(),
        Some((_, expected)) => alloc::format!("expected {expected}"),
        None => "something else was expected".to_string(),
    }
}

/// Implements `Debug` so that it shows the named fields and methods and nothing else. With a name for the value
/// (`this: Type { "name": this.field }`), it shows these members.
macro_rules! debug_shows {
    ($type:ident $(<$lifetime:lifetime>)? { $($member:ident $(($($none:tt)*))?),* }) => {
        impl core::fmt::Debug for $type $(<$lifetime>)? {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($type))
                    $(.field(stringify!($member), &self.$member $(($($none)*))?))*
                    .finish_non_exhaustive()
            }
        }
    };
    ($this:ident: $type:ident $(<$lifetime:lifetime>)? { $($name:literal: $value:expr),* }) => {
        impl core::fmt::Debug for $type $(<$lifetime>)? {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $this = self;
                f.debug_struct(stringify!($type))
                    $(.field($name, &$value))*
                    .finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use debug_shows;
