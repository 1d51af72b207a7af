//! Functions for addresses, domains, dates, HTML and responses.

use std::borrow::Cow;

use franking::domain::EntryError;
use franking::{address, date, domain, html};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};

use crate::body::Body;
use crate::classes::{
    self, ADDRESS, CODE, DECODED, ENCODING, ENTRY, EVENT_TYPE, LINK, NOTICE, RESPONSE,
};
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

/// A text as UTF-8. Raises if it has half of a surrogate pair, which Python's texts may contain, but Unicode text may not.
pub(crate) fn text_of<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    text.to_str().map_err(|_| {
        let message = "this is not Unicode text: it has half of a surrogate pair";
        classes::invalid_error(text.py(), message)
    })
}

/// Reads one address. Used by `Address.parse`.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn parse_address<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let utf8 = text_of(text)?;
    match run(py, utf8.len(), || address::parse(utf8))? {
        Ok(parsed) => address_to_py(py, text, &parsed),
        Err(error) => Err(classes::invalid_error(py, &error.to_string())),
    }
}

fn address_to_py<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    address: &address::Address<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let members = [
        text.clone().into_any(),
        str_of(py, address.local_part()),
        str_of(py, &address.domain()),
        str_of(py, &address.match_key()),
    ];
    ADDRESS.new_object(py, members)
}

/// The entries of a comma-separated list of addresses.
///
/// Args:
///     text: The list, in the form of `to`, `cc` and `bcc` of a request (interface, section 4.2).
///
/// Returns:
///     The entries, trimmed. Empty entries are skipped. An entry that is not an address has no `address`, and its `reason`
///     says what to correct.
///
/// Raises:
///     InvalidError: The text has half of a surrogate pair.
///
/// >>> [entry.address is not None for entry in franking.address_entries("a@example.com, b@, ,")]
/// [True, False]
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn address_entries<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyTuple>> {
    let utf8 = text_of(text)?;
    let entries = run(py, utf8.len(), || {
        let entries = address::entries(utf8).map(|(_, entry)| (entry, address::parse(entry)));
        entries.collect::<Vec<_>>()
    })?;
    let row = |(entry, parsed): (&str, Result<address::Address<'_>, address::AddressError>)| {
        let text = PyString::new(py, entry);
        let none = || py.None().into_bound(py);
        let (address, reason) = match parsed {
            Ok(parsed) => (address_to_py(py, &text, &parsed)?, none()),
            Err(error) => (none(), str_of(py, &error.to_string())),
        };
        ENTRY.new_object(py, [text.into_any(), address, reason])
    };
    let rows: Vec<_> = entries.into_iter().map(row).collect::<PyResult<_>>()?;
    PyTuple::new(py, rows)
}

/// Whether a text is a day of the calendar, written `yyyy-mm-dd`.
///
/// Args:
///     text: The text, which is not trimmed.
///
/// Returns:
///     Whether the text is such a day.
///
/// >>> franking.is_day("2024-02-29"), franking.is_day("2023-02-29")
/// (True, False)
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn is_day(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<bool> {
    guard(py, || text.to_str().is_ok_and(date::is_day))
}

/// The canonical form of a domain, as URLs and blacklists name it. Compare domains in this form by plain equality.
///
/// Args:
///     text: A domain in any spelling, a single label, or an IP address.
///
/// Returns:
///     The lower-case ASCII form, without a dot at its end.
///
/// Raises:
///     InvalidError: The text is not a domain.
///
/// >>> franking.domain_to_ascii("B\u00fccher.EXAMPLE")
/// 'xn--bcher-kva.example'
/// >>> franking.domain_to_ascii("http://example.com/")
/// Traceback (most recent call last):
/// franking.InvalidError: this is not a domain: ...
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn domain_to_ascii(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<String> {
    let utf8 = text_of(text)?;
    let canonical = run(py, utf8.len(), || {
        domain::to_ascii(utf8).map(Cow::into_owned)
    })?;
    canonical.ok_or_else(|| no_domain(py))
}

/// A domain and its parents down to two labels. Look these names up on a blacklist, by plain equality.
///
/// Args:
///     domain: The domain, in any spelling.
///
/// Returns:
///     The names in canonical form, the longest first.
///
/// Raises:
///     InvalidError: The text is not a domain, or its canonical form has more than the 253 octets of a name of the DNS.
///
/// >>> franking.domain_walk("a.b.Example.com")
/// ('a.b.example.com', 'b.example.com', 'example.com')
#[pyfunction]
#[pyo3(signature = (domain, /))]
pub(crate) fn domain_walk<'py>(
    py: Python<'py>,
    domain: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyTuple>> {
    let canonical = domain_to_ascii(py, domain)?;
    // The parents are copied. Those of a domain that may be of any length would take the square of its length.
    if canonical.len() > domain::MAX_DOMAIN_LEN {
        return Err(no_domain(py));
    }
    let names = run(py, canonical.len(), || {
        domain::walk(&canonical).collect::<Vec<_>>()
    })?;
    PyTuple::new(py, names.iter().map(|name| PyString::new(py, name)))
}

pub(crate) fn no_domain(py: Python<'_>) -> PyErr {
    classes::invalid_error(py, &EntryError::NotAHost.to_string())
}

/// Decodes the HTML of a body field, as a call does.
///
/// Args:
///     text: The field `body` of a request (interface, section 4.2).
///     always: Whether to decode text even if it looks plain.
///
/// Returns:
///     The HTML, and the encoding in which it was sent.
///
/// Raises:
///     InvalidError: The decoded bytes are not UTF-8.
///
/// >>> franking.html_decode("%3Cp%3EHi+there").html
/// '<p>Hi there'
#[pyfunction]
#[pyo3(signature = (text, /, *, always = false))]
pub(crate) fn html_decode<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    always: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let setting = if always {
        franking::HtmlEncoding::Always
    } else {
        franking::HtmlEncoding::Detect
    };
    let utf8 = text_of(text)?;
    let Ok(decoded) = run(py, utf8.len(), || html::decode(utf8, setting))? else {
        let message = "the HTML is not UTF-8 once it is decoded: encode it as UTF-8 first";
        return Err(classes::invalid_error(py, message));
    };
    let encoding = ENCODING.member(py, decoded.encoding.name())?;
    DECODED.new_object(py, [str_of(py, &decoded.html), encoding])
}

/// Encodes HTML for a body field: URL-encoded, as HTML forms are.
///
/// Args:
///     html: The HTML.
///
/// Returns:
///     The field `body` of a request (interface, section 4.2).
///
/// Raises:
///     InvalidError: The HTML has half of a surrogate pair.
///
/// >>> franking.html_encode("<p>1+1")
/// '%3Cp%3E1%2B1'
#[pyfunction]
#[pyo3(signature = (html, /))]
pub(crate) fn html_encode(py: Python<'_>, html: &Bound<'_, PyString>) -> PyResult<String> {
    let html = text_of(html)?;
    run(py, html.len(), || html::encode(html))
}

/// The hosts in HTML that are looked up on the blacklist for content (code 413).
///
/// Args:
///     html: The HTML, decoded.
///
/// Returns:
///     The hosts, sorted and without repetitions. A dot at the end of a host is kept.
///
/// Raises:
///     InvalidError: The HTML has half of a surrogate pair.
///
/// >>> franking.html_hosts('<a href="https://www.Example.com/x">shop</a> or www.example.net.')
/// ('www.example.com', 'www.example.net')
#[pyfunction]
#[pyo3(signature = (html, /))]
pub(crate) fn html_hosts<'py>(
    py: Python<'py>,
    html: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyTuple>> {
    let html = text_of(html)?;
    let hosts = run(py, html.len(), || html::hosts(html))?;
    PyTuple::new(py, hosts.iter().collect::<Vec<_>>())
}

/// Every URL in HTML that a mail reader would follow, load or turn into a link.
///
/// Args:
///     html: The HTML, decoded.
///
/// Returns:
///     The links, in the order in which they are written.
///
/// Raises:
///     InvalidError: The HTML has half of a surrogate pair.
///
/// >>> [(link.place, link.hosts) for link in franking.html_links('<img src="//cdn.example.com/i.png">')]
/// [('src of <img>', ('cdn.example.com',))]
#[pyfunction]
#[pyo3(signature = (html, /))]
pub(crate) fn html_links<'py>(
    py: Python<'py>,
    html: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyTuple>> {
    let html = text_of(html)?;
    let found = run(py, html.len(), || html::links(html).collect::<Vec<_>>())?;
    let row = |link: &html::Link<'_>| {
        let flag = |is_on: bool| PyBool::new(py, is_on).to_owned().into_any();
        let items = [
            str_of(py, &link.place.to_string()),
            str_of(py, &link.url),
            (link.span.start, link.span.end).into_bound_py_any(py)?,
            PyTuple::new(py, &link.hosts)?.into_any(),
            flag(link.readable),
            flag(link.in_conditional_comment),
        ];
        LINK.new_object(py, items)
    };
    PyTuple::new(py, found.iter().map(row).collect::<PyResult<Vec<_>>>()?)
}

/// Reads a document with a reader of the library.
fn read_json<T: Send, E: std::fmt::Display + Send>(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    read: fn(&str) -> Result<T, E>,
) -> PyResult<T> {
    let body = Body::new(text)?;
    let read = run(py, body.len(), || {
        let text = std::str::from_utf8(body.as_ref()).ok();
        // Bytes that are not UTF-8 are read as an empty text, which is not JSON either.
        read(text.unwrap_or_default())
    })?;
    read.map_err(|error| classes::invalid_error(py, &error.to_string()))
}

/// Reads an event. Used by `Notice.read`.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn read_notice<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let notice = read_json(py, text, franking::Notice::read)?;
    let of_type = notice.event_type().map(franking::EventType::name);
    let code = match notice.code {
        Some(code) => code_member(py, code)?,
        None => py.None().into_bound(py),
    };
    let members = [
        notice.id.into_bound_py_any(py)?,
        EVENT_TYPE.optional(py, of_type)?,
        code,
        str_of(py, &notice.type_name),
        optional_str(py, notice.timestamp.as_deref()),
        optional_int(py, notice.transaction_id),
        optional_str(py, notice.custom_field.as_deref()),
        optional_str(py, notice.recipient.as_deref()),
        optional_str(py, notice.status.as_deref()),
        optional_str(py, notice.reason.as_deref()),
    ];
    NOTICE.new_object(py, members)
}

/// A code as a member of `Code`, or as a number if the interface does not list it.
fn code_member<'py>(py: Python<'py>, code: franking::Code) -> PyResult<Bound<'py, PyAny>> {
    let mut operations = franking::Operation::ALL.iter().copied();
    match operations.any(|operation| code.meaning(operation).is_some()) {
        true => CODE.member(py, code.number()),
        false => Ok(PyInt::new(py, code.number()).into_any()),
    }
}

/// Reads the body of a response. Used by `Response.read`.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn read_response<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let response = read_json(py, text, franking::Response::read)?;
    let members = [
        code_member(py, response.code)?,
        optional_str(py, response.status.as_deref()),
        optional_int(py, response.transaction_id),
    ];
    RESPONSE.new_object(py, members)
}
