//! `Debug` for types that hold texts of a call or of a host: none of these texts may reach a log.

/// Implements `Debug` so that it shows the named fields and methods and nothing else.
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
}
pub(crate) use debug_shows;
