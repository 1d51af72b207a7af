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

/// The columns that hold addresses on every page.
const ADDRESSES: &[&str] = &["address", "from", "recipient"];
/// The columns that hold other personal data on every page.
const PERSONAL: &[&str] = &["custom_field", "from_name", "html", "subject"];

/// In place of a text that is not shown.
const MASK: &str = "…";

/// Whether a column of a page holds personal data.
fn is_personal(page: &Page, column: &str) -> bool {
    // The values of a subscriber's fields are personal data, too.
    let is_value = page.noun == "subscriber" && column == "value";
    is_value || ADDRESSES.contains(&column) || PERSONAL.contains(&column)
}

/// Masks a value of a column. An address keeps its first letter and its domain. Another text keeps nothing, because it can
/// have an `@` as well, with personal data after it.
fn masked(column: &str, text: &str) -> String {
    let is_address = ADDRESSES.contains(&column);
    match text.rsplit_once('@').filter(|_| is_address) {
        Some((local, domain)) => {
            let first = local.chars().next().map(String::from);
            format!("{}{MASK}@{domain}", first.unwrap_or_default())
        }
        None if text.is_empty() => String::new(),
        None => MASK.to_owned(),
    }
}

/// A row whose personal data is masked.
pub(super) fn masked_row(page: &Page, columns: &[&str], row: &[Cell]) -> Vec<Cell> {
    let cells = columns.iter().zip(row);
    cells
        .map(|(column, cell)| match cell {
            Cell::Text(text) if is_personal(page, column) => Cell::Text(masked(column, text)),
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
    /// Whether the page's address says which part of a list is shown.
    pub(super) goes_on: bool,
}

impl<'a> Manner<'a> {
    pub(super) fn of(page: &'a Page, query: &'a Query, is_masked: bool) -> Self {
        Self {
            page,
            query,
            is_masked,
            chooses_for: None,
            goes_on: false,
        }
    }

    /// A text that a command has printed, as it is shown. A command that has `--unmasked` masks its texts by itself, and a
    /// command that changes something prints only what it has done. Any other text is masked here.
    pub(super) fn text(&self, text: String) -> String {
        let is_safe = self.page.asks().is_masked || self.page.acts();
        match self.is_masked && !is_safe {
            true => MASK.to_owned(),
            false => text,
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
                    masked(column, text)
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
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn a_masked_address_says_its_first_letter_and_its_domain_and_another_text_says_nothing() {
        let address = masked("recipient", "ada.reader@shop.example");
        assert_eq!(address, "a…@shop.example");
        assert_eq!(masked("from_name", "Ada"), "…");
        assert_eq!(
            masked("html", "<style>@media print {}</style>Dear Ada"),
            "…"
        );
        assert_eq!(masked("subject", ""), "");
    }

    #[test]
    fn a_text_that_no_command_has_masked_is_not_shown() {
        let query = Query::default();
        let shown = |noun: &str, verb: &str, is_masked: bool| {
            let page = Page::find(noun, verb).unwrap();
            Manner::of(page, &query, is_masked).text("Dear Ada".to_owned())
        };
        assert_eq!(shown("mailer", "show", true), "…");
        assert_eq!(shown("mailer", "show", false), "Dear Ada");
        assert_eq!(shown("call", "explain", true), "Dear Ada");
        assert_eq!(shown("account", "credit", true), "Dear Ada");
    }
}
