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
