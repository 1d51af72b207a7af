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
    /// The calendar has no such day.
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
        write!(
            f,
            "{:04}-{:02}-{:02}",
            self.year(),
            self.month(),
            self.day()
        )
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
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else {
        return Err(DateError::Format);
    };
    let year = number([y1, y2, y3, y4]).ok_or(DateError::Format)?;
    let month = number([0x30, 0x30, m1, m2]).ok_or(DateError::Format)?;
    let day = number([0x30, 0x30, d1, d2]).ok_or(DateError::Format)?;
    let (Ok(month), Ok(day)) = (u8::try_from(month), u8::try_from(day)) else {
        return Err(DateError::NoSuchDay);
    };
    Day::new(year, month, day).ok_or(DateError::NoSuchDay)
}

/// The number that the ASCII digits spell.
fn number(digits: [u8; 4]) -> Option<u16> {
    digits.iter().try_fold(0, |number: u16, digit| {
        let value = digit.is_ascii_digit().then(|| u16::from(digit - b'0'))?;
        Some(number * 10 + value)
    })
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
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    #[test]
    fn only_four_two_and_two_ascii_digits_are_a_day() {
        for text in [
            "",
            "2024",
            "2024-2-9",
            "24-02-09",
            " 2024-02-09",
            "2024-02-09 ",
            "2024-02-09T00:00:00",
            "2024/02/09",
            "2024-02\u{2010}09",
            "+024-02-09",
            "-024-02-09",
            "12024-02-09",
            "2024-02-0a",
            "2024-02--1",
            "20240209",
            "2024-060",
            "２０２４-02-09",
            "٢٠٢٤-٠٢-٠٩",
        ] {
            assert_eq!(parse_day(text), Err(DateError::Format), "{text}");
        }
    }

    #[test]
    fn years_are_1_to_9999() {
        assert!(is_day("0001-01-01") && is_day("9999-12-31"));
        assert_eq!(parse_day("0000-12-31"), Err(DateError::NoSuchDay));
    }

    #[test]
    fn months_and_days_are_those_of_the_proleptic_gregorian_calendar() {
        for day in [
            "2024-02-29",
            "2000-02-29",
            "1582-10-10",
            "0004-02-29",
            "2023-12-31",
        ] {
            assert_eq!(parse_day(day).map(|day| day.to_string()), Ok(day.into()));
        }
        for no_day in [
            "2023-02-29",
            "1900-02-29",
            "2024-02-30",
            "2024-04-31",
            "2024-00-10",
            "2024-13-01",
            "2024-01-00",
            "2024-01-32",
            "2024-99-99",
        ] {
            assert_eq!(parse_day(no_day), Err(DateError::NoSuchDay), "{no_day}");
        }
    }

    #[test]
    fn every_year_has_as_many_days_as_it_should() {
        for year in 1..=9999u16 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            assert_eq!(is_day(&format!("{year:04}-02-29")), leap, "{year}");
        }
        let days = |month: u8| (0..=99).filter(move |&day| Day::new(2023, month, day).is_some());
        let lengths = (1..=12).map(|month| days(month).count());
        assert!(lengths.eq([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]));
    }

    #[test]
    fn later_days_are_greater() {
        let days = ["0001-01-01", "2024-04-30", "2024-05-01", "2025-01-01"];
        assert!(days.map(|day| parse_day(day).unwrap()).is_sorted());
        assert_eq!(Day::new(2024, 4, 30), parse_day("2024-04-30").ok());
    }
}
