//! Debug of what holds texts of a call or of a host, none of which may reach a log.

/// Debug that shows the members that are named, fields or methods, and nothing of the others.
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
