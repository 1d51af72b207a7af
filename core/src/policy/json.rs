//! The JSON form of a policy.

use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Error as _, Unexpected};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Policy, PolicyBuilder, PolicyError};
use crate::debug::expected;
use crate::text::date::Day;

/// The key of the one setting that is not in the list of [`settings!`].
const PLACEHOLDERS: &str = "placeholders";

/// Writes and reads every setting under its name.
macro_rules! members {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr;)*) => {
        const KEYS: &[&str] = &[$(stringify!($name),)* PLACEHOLDERS];

        impl Serialize for Policy {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let settings = self.settings();
                let pairs: Vec<(&str, &str)> = settings.placeholders.iter().collect();
                let mut map = serializer.serialize_map(Some(KEYS.len()))?;
                $(map.serialize_entry(stringify!($name), &settings.$name)?;)*
                map.serialize_entry(PLACEHOLDERS, &pairs)?;
                map.end()
            }
        }

        impl PolicyBuilder {
            pub(super) fn json_member(self, name: &str, value: &Value) -> Result<Self, PolicyError> {
                if value.is_null() && KEYS.contains(&name) {
                    return Ok(self);
                }
                match name {
                    $(stringify!($name) => Ok(self.$name(read(stringify!($name), value)?)),)*
                    PLACEHOLDERS => {
                        let pairs: Vec<(String, String)> = read(PLACEHOLDERS, value)?;
                        let pairs = pairs.iter().map(|(open, close)| (&**open, &**close));
                        Ok(self.placeholders(pairs))
                    }
                    unknown => {
                        let known = KEYS.join(", ");
                        let reason = alloc::format!("there is no setting {unknown:?}; known are {known}");
                        Err(PolicyError::new("policy", reason))
                    }
                }
            }
        }
    };
}

settings!(members);

fn read<T: for<'a> Deserialize<'a>>(key: &'static str, value: &Value) -> Result<T, PolicyError> {
    T::deserialize(value).map_err(|error| PolicyError::new(key, expected(&error)))
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value).map_err(D::Error::custom)
    }
}

impl Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let expected = "a day of the calendar, written yyyy-mm-dd";
        let error = |_| D::Error::invalid_value(Unexpected::Str(&text), &expected);
        text.parse().map_err(error)
    }
}
