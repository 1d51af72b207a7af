//! The rows of a list that a page shows. The rows after them are at the same address, with the number of rows to skip.

use super::links::Link;
use super::query::Query;

/// The number of rows that a page shows. JSON and CSV have all rows.
const ROWS: usize = 1_000;

/// The name of the number of rows to skip.
pub(super) const SKIP: &str = "skip";

/// The part of a list that a page shows.
pub(super) struct Window<'a> {
    /// The values of the page, if they may say which part of the list it shows. Otherwise it shows the first part.
    query: Option<&'a Query>,
    skipped: usize,
    all: usize,
}

impl<'a> Window<'a> {
    /// The part of a list of `all` rows that a page is asked for.
    pub(super) fn of(query: Option<&'a Query>, all: usize) -> Self {
        let skipped = query.and_then(|query| query.get(SKIP)?.parse::<usize>().ok());
        Self {
            query,
            skipped: skipped.filter(|skipped| *skipped < all).unwrap_or(0),
            all,
        }
    }

    pub(super) fn rows<'r, T>(&self, rows: &'r [T]) -> impl Iterator<Item = &'r T> {
        rows.iter().skip(self.skipped).take(ROWS)
    }

    /// Which rows they are, unless they are all.
    pub(super) fn title(&self) -> Option<String> {
        let is_whole = self.skipped == 0 && self.is_last();
        let first = self.skipped.saturating_add(1);
        (!is_whole).then(|| format!("Rows {first} to {} of {}", self.end(), self.all))
    }

    /// Whether no rows come after it.
    pub(super) fn is_last(&self) -> bool {
        self.end() == self.all
    }

    /// The link to the next rows.
    pub(super) fn next(&self) -> Option<Link> {
        let query = self.query.filter(|_| !self.is_last())?;
        let path = query.with(SKIP, &self.end().to_string());
        Some(Link::new("Next", format!("?{path}")))
    }

    fn end(&self) -> usize {
        self.skipped.saturating_add(ROWS).min(self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_longer_than_a_page_goes_on_to_its_end() {
        let rows: Vec<usize> = (0..2_500).collect();
        let mut address = "recipient=a%40b.example".to_owned();
        let (mut shown, mut titles) = (Vec::new(), Vec::new());
        loop {
            let query = Query::of(&address);
            let window = Window::of(Some(&query), rows.len());
            shown.extend(window.rows(&rows).copied());
            titles.extend(window.title());
            let Some(next) = window.next() else {
                break;
            };
            address = next.path.trim_start_matches('?').to_owned();
            assert!(address.starts_with("recipient=a%40b.example&skip="));
        }
        assert_eq!(shown, rows);
        assert_eq!(
            titles,
            [
                "Rows 1 to 1000 of 2500",
                "Rows 1001 to 2000 of 2500",
                "Rows 2001 to 2500 of 2500"
            ]
        );
    }

    #[test]
    fn a_number_that_no_list_has_is_the_beginning() {
        for skip in ["skip=3", "skip=-1", "skip=x", ""] {
            let query = Query::of(skip);
            let window = Window::of(Some(&query), 3);
            assert_eq!(window.rows(&[1, 2, 3]).count(), 3, "{skip}");
            assert!(
                window.title().is_none() && window.next().is_none(),
                "{skip}"
            );
        }
    }
}
