//! Counts by day as a picture: bars of SVG, one for each day, with a part for each kind.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::command::listing::Cell;

/// The picture's size, in its own units.
const WIDTH: usize = 720;
const HEIGHT: usize = 160;
/// The number of colours. Kinds beyond it share the last colour.
const KINDS: usize = 6;

/// A picture of counts by day.
#[derive(Serialize)]
pub(super) struct Plot {
    width: usize,
    height: usize,
    /// The number that the full height of the picture stands for.
    most: i64,
    first_day: String,
    last_day: String,
    kinds: Vec<Kind>,
    bars: Vec<Bar>,
}

/// A kind with its total.
#[derive(Serialize)]
struct Kind {
    name: String,
    colour: usize,
    total: i64,
}

/// A part of a day's bar.
#[derive(Serialize)]
struct Bar {
    colour: usize,
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    /// The text that it shows when it is pointed at.
    title: String,
}

impl Plot {
    /// Draws rows that consist of a day, a kind and a number, the last day first. `None` if there are no rows, or rows of
    /// another form.
    pub(super) fn of(rows: &[Vec<Cell>]) -> Option<Self> {
        let mut days = BTreeMap::<&str, Vec<(&str, i64)>>::new();
        let mut totals = BTreeMap::<&str, i64>::new();
        for row in rows {
            let [Cell::Text(day), Cell::Text(kind), Cell::Number(number)] = row.as_slice() else {
                return None;
            };
            days.entry(day).or_default().push((kind, *number));
            let total = totals.entry(kind).or_default();
            *total = total.saturating_add(*number);
        }
        let calendar = calendar(days.keys().next()?, days.keys().next_back()?);
        let mut by_total: Vec<(&str, i64)> = totals.into_iter().collect();
        by_total.sort_by_key(|(name, total)| (std::cmp::Reverse(*total), *name));
        let colour = |kind: &str| {
            let place = by_total.iter().position(|(name, _)| *name == kind);
            place.unwrap_or(KINDS).min(KINDS.saturating_sub(1))
        };
        let sums = days
            .values()
            .map(|parts| parts.iter().map(|(_, n)| n).sum());
        let most: i64 = sums.max().unwrap_or(0).max(1);
        let step = (WIDTH / calendar.len().max(1)).max(1);
        let mut bars = Vec::new();
        for (place, day) in calendar.iter().enumerate() {
            let mut top = HEIGHT;
            let parts = days.get(day.as_str()).into_iter().flatten();
            for (kind, number) in parts {
                let share = i128::from(*number).saturating_mul(HEIGHT as i128) / i128::from(most);
                // Even the smallest number is visible.
                let height = usize::try_from(share).unwrap_or(0).max(1);
                top = top.saturating_sub(height);
                bars.push(Bar {
                    colour: colour(kind),
                    x: place.saturating_mul(step),
                    y: top,
                    width: step.saturating_sub(2).max(1),
                    height,
                    title: format!("{day}: {number} of {kind}"),
                });
            }
        }
        Some(Self {
            width: WIDTH,
            height: HEIGHT,
            most,
            first_day: calendar.first()?.clone(),
            last_day: calendar.last()?.clone(),
            kinds: by_total
                .iter()
                .map(|(name, total)| Kind {
                    name: (*name).to_owned(),
                    colour: colour(name),
                    total: *total,
                })
                .collect(),
            bars,
        })
    }
}

/// All days from the first to the last, including days without a row.
fn calendar(first: &str, last: &str) -> Vec<String> {
    let parsed = first
        .parse::<jiff::civil::Date>()
        .and_then(|first| Ok((first, last.parse::<jiff::civil::Date>()?)));
    let Ok((first, last)) = parsed else {
        return Vec::new();
    };
    let days = first.series(jiff::Span::new().days(1));
    days.take_while(|day| *day <= last)
        .map(|day| day.to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    fn row(day: &str, kind: &str, number: i64) -> Vec<Cell> {
        vec![day.into(), kind.into(), number.into()]
    }

    #[test]
    fn a_day_has_a_bar_as_high_as_its_share_of_the_highest() {
        let plot = Plot::of(&[
            row("2026-01-03", "200", 50),
            row("2026-01-01", "200", 75),
            row("2026-01-01", "412", 25),
        ])
        .unwrap();
        assert_eq!((plot.most, plot.first_day.as_str()), (100, "2026-01-01"));
        let heights: Vec<_> = plot.bars.iter().map(|bar| (bar.x, bar.height)).collect();
        assert_eq!(heights, [(0, 120), (0, 40), (480, 80)]);
        assert_eq!(
            (plot.kinds[0].name.as_str(), plot.kinds[0].total),
            ("200", 125)
        );
        assert_ne!(plot.bars[0].colour, plot.bars[1].colour);
    }

    #[test]
    fn little_is_seen_beside_much_and_nothing_is_no_picture() {
        let plot = Plot::of(&[row("2026-01-01", "a", 1_000_000), row("2026-01-01", "b", 1)]);
        assert_eq!(plot.unwrap().bars[1].height, 1);
        assert!(Plot::of(&[]).is_none());
        assert!(Plot::of(&[row("yesterday", "a", 1)]).is_none());
    }
}
