//! Reads from the tables of the pages what they say about fields and about the service's own answers.

use std::collections::BTreeMap;

/// The rows of the tables of a section, each as its cells, without heads and rules.
fn rows<'p>(page: &'p str, heading: &str) -> Result<Vec<Vec<&'p str>>, String> {
    let mut lines = page.lines().skip_while(|line| !line.starts_with(heading));
    lines.next().ok_or(format!("no section {heading:?}"))?;
    let lines = lines.take_while(|line| !line.starts_with("## "));
    let rows = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    Ok(rows.map(|row| row.split(" | ").collect()).collect())
}

/// The first sentence of a section, without its full stop.
pub(super) fn first_sentence(page: &str, heading: &str) -> Result<String, String> {
    let mut lines = page.lines().skip_while(|line| !line.starts_with(heading));
    let missing = || format!("the section {heading:?} does not begin with a sentence");
    let text = lines.nth(2).ok_or_else(missing)?;
    let (sentence, _) = text.split_once([':', '.']).ok_or_else(missing)?;
    Ok(sentence.into())
}

/// The names in a cell: `` `a`, `b1` to `b3` `` are four.
fn names(cell: &str) -> Vec<String> {
    let mut names = Vec::<String>::new();
    for (index, name) in cell
        .split('`')
        .enumerate()
        .filter(|(index, _)| index % 2 == 1)
    {
        let before = cell.split('`').nth(index - 1).unwrap_or_default();
        let last = names.last().cloned().unwrap_or_default();
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = |name: &str| name.strip_prefix(stem)?.parse::<u32>().ok();
        match (before, number(&last), number(name)) {
            (" to ", Some(from), Some(to)) => {
                names.extend((from + 1..=to).map(|number| format!("{stem}{number}")));
            }
            _ => names.push(name.into()),
        }
    }
    names
}

/// The words of a page about a field.
#[derive(Clone)]
pub(super) struct FieldText {
    pub(super) takes: String,
    /// What happens if the field is absent, if the page says so.
    pub(super) absent: Option<String>,
}

/// The fields of a section of docs/interface.md.
pub(super) fn fields(page: &str, heading: &str) -> Result<BTreeMap<String, FieldText>, String> {
    let mut fields = BTreeMap::new();
    for row in rows(page, heading)? {
        let [name, takes, rest @ ..] = row.as_slice() else {
            return Err(format!("{heading:?} has a row of one cell"));
        };
        let text = FieldText {
            takes: takes.replace('`', ""),
            absent: rest.first().map(|absent| absent.replace('`', "")),
        };
        fields.extend(names(name).into_iter().map(|name| (name, text.clone())));
    }
    Ok(fields)
}

/// An HTTP status that the service answers with a problem.
pub(super) struct Status {
    /// When it is answered, one clause for each reason.
    pub(super) when: Vec<String>,
    pub(super) has_retry_after: bool,
}

/// The answers of docs/answers.md that are problems, by their status.
pub(super) fn statuses(page: &str) -> Result<BTreeMap<u16, Status>, String> {
    let mut statuses = BTreeMap::new();
    for row in rows(page, "# What is answered")? {
        let [when, http, "a problem"] = row.as_slice() else {
            continue;
        };
        let digits = http.get(..3).and_then(|digits| digits.parse().ok());
        let number: u16 = digits.ok_or(format!("{http:?} is not an HTTP status"))?;
        let status = statuses.entry(number).or_insert(Status {
            when: Vec::new(),
            has_retry_after: false,
        });
        status.when.push(when.replace('`', ""));
        status.has_retry_after |= http.contains("Retry-After");
    }
    Ok(statuses)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_cell_names_single_fields_and_ranges() {
        assert_eq!(names("`a`, `b1` to `b3`"), ["a", "b1", "b2", "b3"]);
        assert_eq!(names("field"), [""; 0]);
    }
}
