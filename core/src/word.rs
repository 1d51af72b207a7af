//! Enumerations, the same in every language. Each is defined once, by `words!`. The constants of C, the enumerations of C++
//! and Python, and the words of the JSON forms derive from it.

/// An enumeration of the library, for programs that generate it in another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Enumeration {
    /// Its name, as the name of a type.
    pub name: &'static str,
    /// What its values are, as whole sentences.
    pub about: &'static str,
    /// Its values, in order.
    pub words: &'static [Word],
}

/// A value of an [`Enumeration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Word {
    /// Its identifier in Rust, from which other languages derive theirs.
    pub identifier: &'static str,
    /// Its name in the JSON forms.
    pub name: &'static str,
    /// The number that C programs and databases use for it. It never changes and is never reused.
    pub number: u16,
    /// What it means, as whole sentences.
    pub about: &'static str,
}

/// Whether a given name is this one. Its words may be joined by hyphens or by underscores.
pub(crate) fn is_name(own: &str, given: &str) -> bool {
    let joined = |byte: u8| if byte == b'-' { b'_' } else { byte };
    own.bytes().map(joined).eq(given.bytes().map(joined))
}

/// Defines an enumeration, and its table for other languages: number, identifier, name and meaning of each value.
macro_rules! words {
    (
        $(#[$meta:meta])*
        enum $Enum:ident $about:literal
        $($(#[$own:meta])* $number:literal $Variant:ident $name:literal $says:literal)*
    ) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $(#[$meta])*
        pub enum $Enum {
            $(
                #[doc = $says]
                $(#[$own])*
                $Variant,
            )*
        }

        impl $Enum {
            /// All values, in order.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),*];

            words! {
                pub const WORDS: $Enum $about
                $($number $Variant $name $says)*
            }

            /// The name in the JSON forms.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name,)* }
            }

            /// The value with that name; `None` when there is none. Its words may be joined by hyphens or by underscores.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                let is_name = |value: &Self| crate::word::is_name(value.name(), name);
                Self::ALL.iter().copied().find(is_name)
            }

            words! { @numbers $($number $Variant)* }
        }
    };
    (@numbers $($number:literal $Variant:ident)*) => {
        /// The number that C programs use for it. It never changes and is never reused.
        #[must_use]
        pub const fn number(self) -> u16 {
            match self { $(Self::$Variant => $number,)* }
        }

        /// The value with that number; `None` when there is none.
        #[must_use]
        pub const fn from_number(number: u16) -> Option<Self> {
            match number {
                $($number => Some(Self::$Variant),)*
                _ => None,
            }
        }
    };
    (
        $vis:vis const $CONST:ident: $Enum:ident $about:literal
        $($number:literal $Variant:ident $name:literal $says:literal)*
    ) => {
        /// The enumeration, for programs that generate it in another language.
        $vis const $CONST: crate::word::Enumeration = crate::word::Enumeration {
            name: stringify!($Enum),
            about: $about,
            words: &[$(crate::word::Word {
                identifier: stringify!($Variant),
                name: $name,
                number: $number,
                about: $says,
            }),*],
        };
    };
}
pub(crate) use words;
