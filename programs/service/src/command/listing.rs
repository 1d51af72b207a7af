//! Lists as commands print them: a table on a terminal, lines with tabs for other programs, or JSON. A page of the desk
//! keeps what a command would print, and shows it itself.

use std::io::{self, IsTerminal as _, Write as _};

use clap::Args;
use clap::builder::styling::Style;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use unicode_width::UnicodeWidthStr as _;

use super::kept;

/// Something that a command prints.
#[derive(Clone, PartialEq)]
pub(crate) enum Printed {
    /// A list.
    List {
        /// The names of its columns.
        columns: &'static [&'static str],
        /// Its rows.
        rows: Vec<Vec<Cell>>,
    },
    /// One thing.
    Record {
        /// The names of its columns.
        columns: &'static [&'static str],
        /// Its values.
        cells: Vec<Cell>,
    },
    /// Text.
    Text(String),
    /// The program's own words about what it has printed. They contain nothing that is stored.
    Note(String),
}

/// Prints text. A page shows it without colours, also where standard output has some.
pub(super) fn print_text(text: String) -> io::Result<()> {
    let plain = match kept::page() {
        Some(_) => anstream::adapter::strip_str(&text).to_string(),
        None => text,
    };
    match kept::kept(Printed::Text(plain)) {
        Err(Printed::Text(text)) => io::stdout().write_all(text.as_bytes()),
        _ => Ok(()),
    }
}

/// Prints a note. At a terminal it goes to standard error, so that it does not come between the rows of a list.
pub(super) fn print_note(note: String) -> io::Result<()> {
    match kept::kept(Printed::Note(note)) {
        Err(Printed::Note(note)) => writeln!(io::stderr(), "{note}"),
        _ => Ok(()),
    }
}

/// The number of rows of a table that are held at once. They decide how wide its columns are.
const HELD: usize = 1_000;

/// How the names of columns are shown.
const BOLD: Style = Style::new().bold();

/// How a list is printed.
#[derive(Args)]
pub(super) struct Shown {
    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

impl Shown {
    /// Prints one row. On a terminal each column has a line of its own, because a table of one row would be wide.
    pub(super) fn record(
        &self,
        columns: &'static [&'static str],
        cells: Vec<Cell>,
    ) -> io::Result<()> {
        let mut list = self.list(columns);
        if list.form == Form::Kept {
            let _ = kept::kept(Printed::Record { columns, cells });
            return Ok(());
        }
        if list.form != Form::Table {
            list.row(cells)?;
            return list.end();
        }
        record(&mut anstream::stdout(), columns, &cells)
    }

    /// Prints an empty line between two tables.
    pub(super) fn gap(&self) -> io::Result<()> {
        match self.list(&[]).form {
            Form::Table => writeln!(io::stdout()),
            Form::Lines | Form::Json | Form::Kept => Ok(()),
        }
    }

    /// A list with these columns.
    pub(super) fn list(&self, columns: &'static [&'static str]) -> Listing {
        let form = match self.json {
            _ if kept::page().is_some() => Form::Kept,
            true => Form::Json,
            false if io::stdout().is_terminal() => Form::Table,
            false => Form::Lines,
        };
        Listing {
            form,
            columns,
            held: Vec::new(),
            has_head: false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Table,
    Lines,
    Json,
    Kept,
}

/// A value of a row.
#[derive(Clone, PartialEq)]
pub(crate) enum Cell {
    Text(String),
    Number(i64),
    Flag(bool),
    /// No value.
    None,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Cell {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

impl Cell {
    /// The text of the cell on a line or in a table. Characters that would end a line or control a terminal are escaped.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Text(text) => {
                let mut shown = String::with_capacity(text.len());
                for letter in text.chars() {
                    match letter.is_control() {
                        true => shown.extend(letter.escape_default()),
                        false => shown.push(letter),
                    }
                }
                shown
            }
            Self::Number(number) => number.to_string(),
            Self::Flag(true) => "yes".to_owned(),
            Self::Flag(false) => "no".to_owned(),
            Self::None => "-".to_owned(),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::None => serializer.serialize_none(),
        }
    }
}

/// A row with the names of its columns.
pub(crate) struct Object<'a>(pub(crate) &'a [&'static str], pub(crate) &'a [Cell]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, cell) in self.0.iter().zip(self.1) {
            map.serialize_entry(name, cell)?;
        }
        map.end()
    }
}

/// A list that is being printed.
pub(super) struct Listing {
    form: Form,
    columns: &'static [&'static str],
    held: Vec<Vec<Cell>>,
    has_head: bool,
}

impl Listing {
    /// Prints a row.
    pub(super) fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        let mut out = io::stdout();
        match self.form {
            Form::Json => {
                let object = serde_json::to_string(&Object(self.columns, &cells))?;
                writeln!(out, "{object}")
            }
            Form::Lines => {
                let cells: Vec<String> = cells.iter().map(Cell::shown).collect();
                writeln!(out, "{}", cells.join("\t"))
            }
            Form::Kept => {
                self.held.push(cells);
                Ok(())
            }
            Form::Table => {
                self.held.push(cells);
                match self.held.len() >= HELD {
                    true => self.print(),
                    false => Ok(()),
                }
            }
        }
    }

    /// Prints what is left.
    pub(super) fn end(mut self) -> io::Result<()> {
        match self.form {
            Form::Table => self.print(),
            Form::Json | Form::Lines => Ok(()),
            Form::Kept => {
                let (columns, rows) = (self.columns, std::mem::take(&mut self.held));
                let _ = kept::kept(Printed::List { columns, rows });
                Ok(())
            }
        }
    }

    fn print(&mut self) -> io::Result<()> {
        let rows: Vec<Vec<Cell>> = self.held.drain(..).collect();
        // This stream removes colours where NO_COLOR is set.
        let mut out = anstream::stdout();
        if rows.is_empty() {
            return match self.has_head {
                true => Ok(()),
                false => writeln!(out, "none"),
            };
        }
        let head = (!self.has_head).then_some(self.columns);
        self.has_head = true;
        table(&mut out, head, self.columns, &rows)
    }
}

/// Writes a line for each column.
fn record(out: &mut impl io::Write, columns: &[&str], cells: &[Cell]) -> io::Result<()> {
    let names = columns.iter().map(|name| name.replace('_', " "));
    let names: Vec<String> = names.collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    for (name, cell) in names.iter().zip(cells) {
        writeln!(out, "{BOLD}{name:<widest$}{BOLD:#}  {}", cell.shown())?;
    }
    Ok(())
}

/// Writes rows whose columns are as wide as their widest cells; numbers are aligned to the right.
fn table(
    out: &mut impl io::Write,
    head: Option<&[&str]>,
    columns: &[&str],
    rows: &[Vec<Cell>],
) -> io::Result<()> {
    let title = |name: &str| name.replace('_', " ").to_uppercase();
    let texts: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(Cell::shown).collect())
        .collect();
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let cells = texts.iter().filter_map(|row| row.get(place));
            let widest = cells.map(|text| text.width()).max();
            widest.unwrap_or(0).max(title(name).width())
        })
        .collect();
    let line = |cells: &mut dyn Iterator<Item = (String, bool)>| {
        let mut text = String::new();
        for ((cell, is_number), width) in cells.zip(&widths) {
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            match is_number {
                true => text.extend([padding.as_str(), &cell]),
                false => text.extend([cell.as_str(), &padding]),
            }
            text.push_str("  ");
        }
        text.truncate(text.trim_end().len());
        text
    };
    if let Some(head) = head {
        let is_number = |place: usize| {
            let mut rows = rows.iter().filter_map(|row| row.get(place));
            rows.any(|cell| matches!(cell, Cell::Number(_)))
        };
        let mut titles = head.iter().enumerate();
        let mut titles = std::iter::from_fn(|| {
            let (place, name) = titles.next()?;
            Some((title(name), is_number(place)))
        });
        let titles = line(&mut titles);
        writeln!(out, "{BOLD}{titles}{BOLD:#}")?;
    }
    for (texts, row) in texts.iter().zip(rows) {
        let cells = texts.iter().zip(row);
        let mut cells = cells.map(|(text, cell)| (text.clone(), matches!(cell, Cell::Number(_))));
        let cells = line(&mut cells);
        writeln!(out, "{cells}")?;
    }
    Ok(())
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_look_and_nothing_steers_a_terminal() {
        let columns = ["number", "from_name", "active"];
        let rows = [
            vec![Cell::from(7), "Bücher \u{1b}[31m".into(), true.into()],
            vec![1234.into(), "日本".into(), Cell::None],
            vec![1.into(), "a\tb\nc".into(), false.into()],
        ];
        let mut out = Vec::new();
        table(&mut out, Some(&columns), &columns, &rows).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            "NUMBER  FROM NAME          ACTIVE\n\
             \u{20}    7  Bücher \\u{1b}[31m  yes\n\
             \u{20} 1234  日本               -\n\
             \u{20}    1  a\\tb\\nc            no\n"
        );
    }

    #[test]
    fn one_thing_has_a_line_for_each_column() {
        let mut out = Vec::new();
        let cells = [7.into(), "Bücher\n".into(), Cell::None];
        record(&mut out, &["number", "from_name", "ended"], &cells).unwrap();
        let text = String::from_utf8(out).unwrap();
        let text = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(text, "number     7\nfrom name  Bücher\\n\nended      -\n");
    }

    #[test]
    fn a_row_of_json_has_the_columns_in_their_order() {
        let columns = ["number", "name", "active", "reason"];
        let cells = [Cell::from(7), "a\nb".into(), true.into(), Cell::None];
        let json = serde_json::to_string(&Object(&columns, &cells)).unwrap();
        assert_eq!(
            json,
            r#"{"number":7,"name":"a\nb","active":true,"reason":null}"#
        );
    }
}
