//! What a host answers, read from Python's tuples and sequences.

use std::sync::Arc;

use franking::{
    Account, Commit, Conflict, DomainRoles, Facts, Failure, Mailer, Mailers, Subscriber,
    Subscribers,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFrozenSet, PyInt, PyList, PyString, PyTuple};

use crate::classes;
use crate::questions::LookedUp;

/// What a host answers to any of the questions.
pub(crate) enum Given {
    Account(Option<Account>),
    /// Facts are large: they stay where they were made until the call takes them.
    Facts(Arc<Facts>),
    Commit(Commit),
}

/// The answer to the question for an account.
pub(crate) fn account(answer: &Bound<'_, PyAny>) -> PyResult<Given> {
    if answer.is_none() {
        return Ok(Given::Account(None));
    }
    let row = row(answer, "the account", "AccountRecord or None")?;
    Ok(Given::Account(Some(Account {
        blocked: flag(row, 0, "blocked")?,
        expired: flag(row, 1, "expired")?,
        deactivated: flag(row, 2, "deactivated")?,
        subscriber_credit: credit(row, 3, "subscriber_credit")?,
        email_credit: credit(row, 4, "email_credit")?,
    })))
}

/// The answer to the batch of questions.
pub(crate) fn facts(answer: Bound<'_, PyAny>) -> PyResult<Given> {
    match answer.cast_into::<LookedUp>() {
        Ok(found) => Ok(Given::Facts(LookedUp::taken(found))),
        Err(other) => Ok(Given::Facts(findings(&other.into_inner())?)),
    }
}

/// The columns of `Findings`.
pub(crate) fn findings(answer: &Bound<'_, PyAny>) -> PyResult<Arc<Facts>> {
    let row = row(answer, "the questions", "Findings or LookedUp")?;
    let mut facts = Facts::default();
    column(row, 0, "mailers", |item| mailer(&mut facts.mailers, &item))?;
    column(row, 1, "senders", |item| {
        facts.senders.push(flag_of(&item, "senders")?);
        Ok(())
    })?;
    column(row, 2, "subscriber_ids", |item| {
        subscriber(&mut facts.subscriber_ids, &item)
    })?;
    column(row, 3, "subscribers", |item| {
        subscriber(&mut facts.subscribers, &item)
    })?;
    column(row, 4, "lists", |item| {
        facts.lists.push(flag_of(&item, "lists")?);
        Ok(())
    })?;
    column(row, 5, "domains", |item| {
        facts.domains.push(roles(&item)?);
        Ok(())
    })?;
    Ok(Arc::new(facts))
}

/// What came of a plan: a transaction id, a conflict, or that it is not known. Whatever else it is, the host may have
/// carried the plan out.
pub(crate) fn commit(answer: &Bound<'_, PyAny>) -> PyResult<Given> {
    if answer.is_instance_of::<PyInt>() && !answer.is_instance_of::<PyBool>() {
        // A number that cannot be one is found where it is answered.
        let transaction_id = answer.extract().unwrap_or_default();
        return Ok(Given::Commit(Commit::Done { transaction_id }));
    }
    let name = answer.cast::<PyString>().ok();
    let name = name.and_then(|name| name.to_str().ok());
    if name == Some(Failure::Unknown.name()) {
        return Ok(Given::Commit(Commit::Unknown));
    }
    match name.and_then(Conflict::from_name) {
        Some(conflict) => Ok(Given::Commit(Commit::Conflict(conflict))),
        None => {
            let expected = "a transaction id, a Conflict or \"unknown\"";
            let wrong = wrong_text(answer, "the plan", expected);
            Err(classes::commit_unknown_error(
                answer.py(),
                &format!("{wrong}; {}", Failure::Unknown),
            ))
        }
    }
}

/// The roles of a set, as one of the sixteen shared sets.
pub(crate) fn role_set(py: Python<'_>, roles: DomainRoles) -> PyResult<&Bound<'_, PyAny>> {
    let sets = role_sets(py)?;
    let set = sets.get(usize::from(roles.bits()));
    set.map(|set| set.bind(py))
        .ok_or_else(|| classes::internal_error(py))
}

fn role_sets(py: Python<'_>) -> PyResult<&Vec<Py<PyAny>>> {
    static SETS: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    SETS.get_or_try_init(py, || {
        let set = |bits| {
            let names: Vec<&str> = DomainRoles::from_bits(bits).names().collect();
            Ok(PyFrozenSet::new(py, names)?.into_any().unbind())
        };
        (0..16).map(set).collect()
    })
}

fn row<'a, 'py>(
    answer: &'a Bound<'py, PyAny>,
    question: &str,
    expected: &str,
) -> PyResult<&'a Bound<'py, PyTuple>> {
    answer
        .cast::<PyTuple>()
        .map_err(|_| wrong(answer, question, expected, answer.py()))
}

fn wrong(answer: &Bound<'_, PyAny>, question: &str, expected: &str, py: Python<'_>) -> PyErr {
    classes::misuse_error(py, &wrong_text(answer, question, expected))
}

fn wrong_text(answer: &Bound<'_, PyAny>, question: &str, expected: &str) -> String {
    let given = answer.get_type();
    let given = given
        .qualname()
        .map(|name| name.to_string_lossy().into_owned());
    let given = given.unwrap_or_default();
    let hint = if given == "coroutine" {
        "; for a host with async methods use adecide"
    } else {
        ""
    };
    format!("{question} has to be answered by {expected}, not by {given}{hint}")
}

/// Goes through a column of an answer; a column that is left out is empty.
fn column<'py>(
    row: &Bound<'py, PyTuple>,
    index: usize,
    name: &str,
    mut each: impl FnMut(Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    let Ok(column) = row.get_borrowed_item(index) else {
        return Ok(());
    };
    if let Ok(list) = column.cast::<PyList>() {
        return list.iter().try_for_each(each);
    }
    if let Ok(tuple) = column.cast::<PyTuple>() {
        return tuple.iter().try_for_each(each);
    }
    if column.is_instance_of::<PyString>() {
        return Err(wrong(&column, name, "a sequence", column.py()));
    }
    let Ok(items) = column.try_iter() else {
        return Err(wrong(&column, name, "a sequence", column.py()));
    };
    for item in items {
        each(item?)?;
    }
    Ok(())
}

pub(crate) fn mailer(column: &mut Mailers, item: &Bound<'_, PyAny>) -> PyResult<()> {
    if item.is_none() {
        column.push(None);
        return Ok(());
    }
    let row = row(item, "mailers", "a MailerRecord or None each")?;
    let mut push = |from_name: Option<&str>| {
        with_text(&*member(row, 0, "from_address")?, "from_address", |from| {
            let blacklisted = blacklisted(row, 2)?;
            column.push(Some(Mailer {
                from,
                from_name,
                blacklisted,
            }));
            Ok(())
        })?
    };
    match row.get_borrowed_item(1) {
        Ok(name) if !name.is_none() => with_text(&name, "from_name", |name| push(Some(name)))?,
        _ => push(None),
    }
}

pub(crate) fn subscriber(column: &mut Subscribers, item: &Bound<'_, PyAny>) -> PyResult<()> {
    if item.is_none() {
        column.push(None);
        return Ok(());
    }
    let row = row(item, "subscribers", "a SubscriberRecord or None each")?;
    let id = member(row, 0, "id")?;
    if !id.is_instance_of::<PyInt>() {
        return Err(wrong(&id, "a subscriber's id", "an int", id.py()));
    }
    // An id that cannot be is found where it is answered.
    let id = id.extract().unwrap_or_default();
    let inactive = flag_of(&*member(row, 2, "inactive")?, "inactive")?;
    let blacklisted = blacklisted(row, 3)?;
    with_text(&*member(row, 1, "email")?, "email", |email| {
        column.push(Some(Subscriber {
            id,
            email,
            inactive,
            blacklisted,
        }));
    })
}

/// The roles for which a domain is listed: any collection of their names; `None` for no role.
fn roles(item: &Bound<'_, PyAny>) -> PyResult<DomainRoles> {
    let py = item.py();
    let shared = role_sets(py)?.iter().position(|set| set.is(item));
    if let Some(bits) = shared {
        return Ok(DomainRoles::from_bits(
            u8::try_from(bits).unwrap_or_default(),
        ));
    }
    if item.is_none() {
        return Ok(DomainRoles::NONE);
    }
    const EXPECTED: &str = "a collection of sender, reply_to, recipient and content each";
    if item.is_instance_of::<PyString>() {
        return Err(wrong(item, "domains", EXPECTED, py));
    }
    let Ok(names) = item.try_iter() else {
        return Err(wrong(item, "domains", EXPECTED, py));
    };
    let mut roles = DomainRoles::NONE;
    for name in names {
        let name = name?;
        match with_text(&name, "a role of a domain", DomainRoles::from_name)? {
            Some(role) => roles |= role,
            None => return Err(wrong(&name, "domains", EXPECTED, py)),
        }
    }
    Ok(roles)
}

fn member<'a, 'py>(
    row: &'a Bound<'py, PyTuple>,
    index: usize,
    name: &str,
) -> PyResult<Borrowed<'a, 'py, PyAny>> {
    row.get_borrowed_item(index).map_err(|_| {
        classes::misuse_error(
            row.py(),
            &format!("an answer lacks {name}: use the record classes"),
        )
    })
}

/// A flag of a row; one that is left out is off.
fn flag(row: &Bound<'_, PyTuple>, index: usize, name: &str) -> PyResult<bool> {
    match row.get_borrowed_item(index) {
        Ok(value) => flag_of(&value, name),
        Err(_) => Ok(false),
    }
}

/// Whether the domain of a stored address is listed; `None` says nothing.
fn blacklisted(row: &Bound<'_, PyTuple>, index: usize) -> PyResult<Option<bool>> {
    let said = member(row, index, "blacklisted")?;
    if said.is_none() {
        return Ok(None);
    }
    flag_of(&said, "blacklisted").map(Some)
}

fn flag_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true());
    }
    // Databases answer 0 and 1.
    match value.cast::<PyInt>() {
        Ok(number) => number.is_truthy(),
        Err(_) => Err(wrong(value, name, "a bool", value.py())),
    }
}

/// A credit of a row: none is no limit; what is too large to count is the largest that counts.
fn credit(row: &Bound<'_, PyTuple>, index: usize, name: &str) -> PyResult<Option<i64>> {
    let value = match row.get_borrowed_item(index) {
        Ok(value) if !value.is_none() => value,
        _ => return Ok(None),
    };
    let Ok(number) = value.cast::<PyInt>() else {
        return Err(wrong(&value, name, "an int or None", value.py()));
    };
    match number.extract::<i64>() {
        Ok(number) => Ok(Some(number)),
        Err(_) if number.lt(0)? => Ok(Some(i64::MIN)),
        Err(_) => Ok(Some(i64::MAX)),
    }
}

fn with_text<T>(
    value: &Bound<'_, PyAny>,
    name: &str,
    use_text: impl FnOnce(&str) -> T,
) -> PyResult<T> {
    let Ok(text) = value.cast::<PyString>() else {
        return Err(wrong(value, name, "a str", value.py()));
    };
    match text.to_str() {
        Ok(text) => Ok(use_text(text)),
        Err(_) => Err(classes::misuse_error(
            value.py(),
            &format!("{name} holds half of a surrogate pair, which is no text"),
        )),
    }
}
