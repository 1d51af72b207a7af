//! Cells as a page shows them: with their links, and masked if they hold personal data.

use serde::Serialize;

use super::links::{self, to};
use super::pages::Page;
use super::query::Query;
use crate::command::listing::Cell;

/// A cell as it is shown.
#[derive(Serialize)]
pub(super) struct Shown {
    name: String,
    text: String,
    number: bool,
    link: Option<String>,
}

/// The columns that hold personal data on every page.
const PERSONAL: &[&str] = &[
    "address",
    "custom_field",
    "from",
    "from_name",
    "html",
    "recipient",
    "subject",
];

/// Whether a column of a page holds personal data.
fn is_personal(page: &Page, column: &str) -> bool {
    // The values of a subscriber's fields are personal data, too.
    PERSONAL.contains(&column) || (page.noun == "subscriber" && column == "value")
}

/// Masks a value. An address keeps its first letter and its domain.
fn masked(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((local, domain)) => {
            let first = local.chars().next().map(String::from);
            format!("{}…@{domain}", first.unwrap_or_default())
        }
        None if text.is_empty() => String::new(),
        None => "…".to_owned(),
    }
}

/// A row whose personal data is masked.
pub(super) fn masked_row(page: &Page, columns: &[&str], row: &[Cell]) -> Vec<Cell> {
    let cells = columns.iter().zip(row);
    cells
        .map(|(column, cell)| match cell {
            Cell::Text(text) if is_personal(page, column) => Cell::Text(masked(text)),
            cell => cell.clone(),
        })
        .collect()
}

/// How the cells of a page are shown.
#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    pub(super) page: &'a Page,
    pub(super) query: &'a Query,
    pub(super) is_masked: bool,
    /// The page for which an account is chosen.
    pub(super) chooses_for: Option<&'a Page>,
}

impl<'a> Manner<'a> {
    pub(super) fn of(page: &'a Page, query: &'a Query, is_masked: bool) -> Self {
        Self {
            page,
            query,
            is_masked,
            chooses_for: None,
        }
    }

    /// The cells of a row, with their links.
    pub(super) fn cells(&self, columns: &[&str], row: &[Cell]) -> Vec<Shown> {
        let number = |name: &str| {
            let place = columns.iter().position(|column| *column == name)?;
            match row.get(place)? {
                Cell::Number(number) => Some(number.to_string()),
                _ => None,
            }
        };
        let account = number("account");
        let account = account.or_else(|| self.query.get("account").map(str::to_owned));
        let shown = |(column, cell): (&&str, &Cell)| {
            let text = match cell {
                Cell::Text(text) if self.is_masked && is_personal(self.page, column) => {
                    masked(text)
                }
                cell => cell.shown(),
            };
            Shown {
                name: column.replace('_', " "),
                link: match (cell, self.chooses_for) {
                    (Cell::Flag(_) | Cell::None, _) => None,
                    (_, Some(page)) if *column == "account" => {
                        Some(to(&page.path(), &[("account", &text)]))
                    }
                    _ => links::of_cell(self.page, column, &text, account.as_deref()),
                },
                number: matches!(cell, Cell::Number(_)),
                text,
            }
        };
        columns.iter().zip(row).map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_address_says_its_first_letter_and_its_domain() {
        assert_eq!(masked("ada.reader@shop.example"), "a…@shop.example");
        assert_eq!(masked("Ada"), "…");
        assert_eq!(masked(""), "");
    }
}
