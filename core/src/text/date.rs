//! Days, written `yyyy-mm-dd`.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// Why a text is not a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum DateError {
    /// It is not four, two and two ASCII digits with hyphens between them.
    #[error("a day is written yyyy-mm-dd, with ASCII digits: 2024-04-30")]
    Format,
    /// The day is not in the calendar.
    #[error("the calendar has no such day: the year is 0001 to 9999, and the month has fewer days")]
    NoSuchDay,
}

/// A day of the proleptic Gregorian calendar, year 1 to 9999. Later days are greater.
///
/// ```
/// use franking::Day;
/// let last: Day = "2024-04-30".parse()?;
/// assert!(last < "2024-05-01".parse()?);
/// assert_eq!(last.to_string(), "2024-04-30");
/// # Ok::<(), franking::date::DateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    // In this order, days are compared field by field.
    year: u16,
    month: u8,
    day: u8,
}

impl Day {
    /// The day with this year, month and day; `None` unless the calendar has it and the year is 1 to 9999.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let last = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let exists = (1..=9999).contains(&year) && (1..=last).contains(&day);
        exists.then_some(Self { year, month, day })
    }

    /// The year, 1 to 9999.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.day
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        parse_day(text)
    }
}

/// Reads a day, written exactly `yyyy-mm-dd` with ASCII digits.
///
/// # Errors
///
/// [`DateError::Format`] for other spellings, [`DateError::NoSuchDay`] for days that the calendar
/// does not have.
pub fn parse_day(text: &str) -> Result<Day, DateError> {
    let mut parts = text.splitn(3, '-');
    let year = number(parts.next(), 4).ok_or(DateError::Format)?;
    let month = number(parts.next(), 2).ok_or(DateError::Format)?;
    let day = number(parts.next(), 2).ok_or(DateError::Format)?;
    Day::new(year, month, day).ok_or(DateError::NoSuchDay)
}

/// The number that a text spells; `None` unless the text has exactly `length` ASCII digits.
fn number<N: FromStr>(digits: Option<&str>, length: usize) -> Option<N> {
    let is_digit = |digit: u8| digit.is_ascii_digit();
    let digits = digits.filter(|digits| digits.len() == length && digits.bytes().all(is_digit));
    digits?.parse().ok()
}

/// Whether `text` is a day in the sense of [`parse_day`].
///
/// ```
/// use franking::date::is_day;
/// assert!(is_day("2024-02-29"));
/// assert!(!is_day("2023-02-29") && !is_day("2024-2-9"));
/// ```
pub fn is_day(text: &str) -> bool {
    parse_day(text).is_ok()
}

#[cfg(test)]
mod tests;
