//! Addresses, domains, dates, HTML and answers as values of their own.

use franking::text::{address, date, domain, form, links};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};

use crate::classes::{ADDRESS, ANSWER, DECODED, ENTRY, INVALID_ADDRESS, LINK, UNREADABLE_ANSWER};
use crate::guard::{guard, run};

pub(crate) fn str_of<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
    PyString::new(py, text).into_any()
}

pub(crate) fn optional_str<'py>(py: Python<'py>, text: Option<&str>) -> Bound<'py, PyAny> {
    match text {
        Some(text) => str_of(py, text),
        None => py.None().into_bound(py),
    }
}

pub(crate) fn optional_int<'py>(py: Python<'py>, number: Option<u64>) -> Bound<'py, PyAny> {
    match number {
        Some(number) => PyInt::new(py, number).into_any(),
        None => py.None().into_bound(py),
    }
}

/// A text that need not be UTF-8: one with a lone surrogate is no valid anything.
fn utf8<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a str> {
    text.to_str().ok()
}

/// Reads one address, which is not trimmed: an `Address`, or an `InvalidAddress` (which is false) that says what to
/// correct.
///
/// >>> address = franking.parse_address("Jo.SMITH@B\u00fccher.example")
/// >>> address.key
/// 'jo.smith@xn--bcher-kva.example'
/// >>> franking.parse_address("nobody").reason
/// 'the address has no @: write a name, an @ and a domain, as in name@example.com'
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn parse_address<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(utf8) = utf8(text) else {
        return invalid(
            py,
            "the address is no Unicode text: it has half of a surrogate pair",
        );
    };
    match guard(py, || address::parse(utf8))? {
        Ok(parsed) => ADDRESS.row(
            py,
            [
                text.clone().into_any(),
                str_of(py, parsed.local_part()),
                str_of(py, &parsed.domain_ascii()),
                str_of(py, &parsed.match_key()),
            ],
        ),
        Err(error) => invalid(py, &error.to_string()),
    }
}

fn invalid<'py>(py: Python<'py>, reason: &str) -> PyResult<Bound<'py, PyAny>> {
    INVALID_ADDRESS.get(py)?.call1((reason,))
}

/// The entries of a comma-separated list of addresses, each an `Entry` of its text and its address. Entries are
/// trimmed, empty ones skipped.
///
/// >>> [bool(entry.address) for entry in franking.split_addresses("a@example.com, b@, ,")]
/// [True, False]
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn split_addresses<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyTuple>> {
    let lossy = text.to_string_lossy();
    let entries = guard(py, || address::entries(&lossy).collect::<Vec<_>>())?;
    let row = |(_, entry): &(_, &str)| {
        let entry = PyString::new(py, entry);
        ENTRY.row(py, [entry.clone().into_any(), parse_address(py, &entry)?])
    };
    let rows: Vec<_> = entries.iter().map(row).collect::<PyResult<_>>()?;
    PyTuple::new(py, rows)
}

/// Whether a text is a day of the calendar, written `yyyy-mm-dd`.
///
/// >>> franking.is_day("2024-02-29"), franking.is_day("2023-02-29")
/// (True, False)
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn is_day(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<bool> {
    guard(py, || utf8(text).is_some_and(date::is_day))
}

/// The form in which hosts are compared: lower-case ASCII; `None` for a text that is no host.
///
/// >>> franking.normalize_host("B\u00fccher.EXAMPLE"), franking.normalize_host("http://example.com/")
/// ('xn--bcher-kva.example', None)
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn normalize_host(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
) -> PyResult<Option<String>> {
    guard(py, || {
        utf8(text)
            .and_then(domain::host_to_ascii)
            .map(std::borrow::Cow::into_owned)
    })
}

/// A host and its parents down to two labels: what to look for on a blacklist, by plain equality.
///
/// >>> franking.walk("a.b.example.com")
/// ('a.b.example.com', 'b.example.com', 'example.com')
#[pyfunction]
#[pyo3(signature = (host, /))]
pub(crate) fn walk<'py>(
    py: Python<'py>,
    host: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyTuple>> {
    let host = host.to_string_lossy();
    let names = guard(py, || domain::walk(&host).collect::<Vec<_>>())?;
    PyTuple::new(py, names.iter().map(|name| PyString::new(py, name)))
}

/// The HTML that a body field stands for, and how it was sent (`form` or `plain`); `None` when the decoded bytes are
/// not UTF-8. With `always`, text that looks plain is decoded too.
///
/// >>> franking.decode_html("%3Cp%3EHi+there")
/// Decoded(html='<p>Hi there', encoding='form')
#[pyfunction]
#[pyo3(signature = (text, /, *, always = false))]
pub(crate) fn decode_html<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    always: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let setting = if always {
        form::HtmlEncoding::Always
    } else {
        form::HtmlEncoding::Detect
    };
    let Some(utf8) = utf8(text) else {
        return Ok(None);
    };
    let Ok(decoded) = run(py, utf8.len(), || form::decode(utf8, setting))? else {
        return Ok(None);
    };
    let texts = [&*decoded.html, decoded.encoding.name()];
    Ok(Some(DECODED.row(py, texts.map(|text| str_of(py, text)))?))
}

/// HTML as a body field carries it: URL-encoded as HTML forms are.
///
/// >>> franking.encode_html("<p>1+1")
/// '%3Cp%3E1%2B1'
#[pyfunction]
#[pyo3(signature = (html, /))]
pub(crate) fn encode_html(py: Python<'_>, html: &str) -> PyResult<String> {
    run(py, html.len(), || form::encode(html))
}

/// The hosts that a blacklist for content is asked about, each once, sorted. A dot at the end of one is kept.
///
/// >>> franking.hosts('<a href="https://www.Example.com/x">shop</a> or www.example.net.')
/// ('www.example.com', 'www.example.net')
#[pyfunction]
#[pyo3(signature = (html, /))]
pub(crate) fn hosts<'py>(py: Python<'py>, html: &str) -> PyResult<Bound<'py, PyTuple>> {
    let hosts = run(py, html.len(), || {
        let mut hosts: Vec<String> = links::hosts(html).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    })?;
    PyTuple::new(py, hosts)
}

/// Every URL that a mail reader would follow, load or turn into a link, in the order in which they are written.
///
/// >>> [(link.place, link.hosts) for link in franking.links('<img src="//cdn.example.com/i.png">')]
/// [('src of <img>', ('cdn.example.com',))]
#[pyfunction(name = "links")]
#[pyo3(signature = (html, /))]
pub(crate) fn links_of<'py>(py: Python<'py>, html: &str) -> PyResult<Bound<'py, PyTuple>> {
    let found = run(py, html.len(), || links::links(html).collect::<Vec<_>>())?;
    let row = |link: &links::Link<'_>| {
        let flag = |is_on: bool| PyBool::new(py, is_on).to_owned().into_any();
        let items = [
            str_of(py, &link.place.to_string()),
            (link.span.start, link.span.end).into_bound_py_any(py)?,
            str_of(py, &link.url),
            PyTuple::new(py, &link.hosts)?.into_any(),
            flag(link.readable),
            flag(link.in_conditional_comment),
        ];
        LINK.row(py, items)
    };
    PyTuple::new(py, found.iter().map(row).collect::<PyResult<Vec<_>>>()?)
}

/// Reads a response body: an `Answer`, or an `UnreadableAnswer` (which is false) that says what is wrong with it.
///
/// >>> answer = franking.read_answer('{"code": "200", "status": "Success", "transactionId": 7}')
/// >>> answer.code, answer.transaction_id
/// (200, 7)
/// >>> franking.read_answer("<html>").reason
/// 'the response is not JSON: it may come from a proxy and not from the service'
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn read_answer<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let body = crate::body::Body::new(text)?;
    let read = guard(py, || {
        let text = std::str::from_utf8(body.as_ref()).ok();
        // What is no UTF-8 is no JSON either.
        franking::Answer::read(text.unwrap_or_default())
    })?;
    match read {
        Ok(answer) => ANSWER.row(
            py,
            [
                PyInt::new(py, answer.code().number()).into_any(),
                optional_str(py, answer.status()),
                optional_int(py, answer.transaction_id()),
            ],
        ),
        Err(error) => UNREADABLE_ANSWER.get(py)?.call1((error.to_string(),)),
    }
}
