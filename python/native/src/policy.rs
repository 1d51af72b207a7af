//! The settings of a host.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString, PyTuple, PyType};
use serde_json::{Map, Value};

use crate::classes;
use crate::guard::guard;

/// The host's settings. Every setting has a default. Settings are checked here, and not again for each call.
///
/// Args:
///     max_requests: The most requests that one httpSendMail call may carry (interface, section 8): 1000.
///     max_bytes: The most bytes that the body of an httpSendMail call may have (interface, section 8): 33554432.
///     max_attempts: The number of times that a plan is handed out for one call before a conflict becomes the answer: 3.
///     today: The host's current day, a `date` or `yyyy-mm-dd`. httpSendMail is retired when this day is after its last day
///         (interface, section 9). `None`: it is never retired.
///     batch: `whole`: one violation refuses the whole call; `partial`: it refuses only its request or recipient.
///     empty_clears: Whether an empty string clears a stored personalization value. Otherwise it counts as absent.
///     html_encoding: `detect`: a `body` that was sent plain is recognised; `always`: it is decoded, too.
///     placeholders: The pairs of marks. A text between the two marks of a pair is a personalization placeholder.
///     answer_values: Whether responses write code and transaction id as `strings` or as `numbers`.
///     answer_status: The content of the status of a response: `word`, `meaning` or `place`.
///     hidden_hosts: `refuse`: HTML in which any host could be hidden is refused with 413; `ask`: the host is asked about
///         `computed.invalid`, and only HTML with more hosts than can be read is refused.
///     bare_domains: Whether a bare domain in text (`shop.example`) counts as a link, because many mail readers make it one.
///
/// Raises:
///     PolicyError: A setting is invalid, or there is no setting of that name; `key` names it.
///
/// >>> policy = franking.Policy(batch="partial", max_attempts=5)
/// >>> policy.max_attempts, policy.max_requests
/// (5, 1000)
/// >>> franking.Policy(max_requests=0)
/// Traceback (most recent call last):
/// franking.PolicyError: the policy's max_requests cannot be used: give a whole number from 1 to 2147483647
#[pyclass(frozen, module = "franking")]
pub(crate) struct Policy {
    inner: franking::Policy,
    form: Map<String, Value>,
}

impl Policy {
    fn from_text(py: Python<'_>, text: &str) -> PyResult<Self> {
        match guard(py, || franking::Policy::from_json(text))? {
            Ok(inner) => {
                let form = serde_json::from_str(&inner.to_json()).unwrap_or_default();
                Ok(Self { inner, form })
            }
            Err(error) => Err(classes::policy_error(py, error.key(), &error.to_string())),
        }
    }

    fn member<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        value_to_py(py, self.form.get(name).unwrap_or(&Value::Null))
    }
}

/// The given settings, or the defaults.
pub(crate) fn settings(policy: Option<&Bound<'_, Policy>>) -> franking::Policy {
    static DEFAULT: std::sync::LazyLock<franking::Policy> =
        std::sync::LazyLock::new(franking::Policy::default);
    policy.map_or_else(|| DEFAULT.clone(), |policy| policy.get().inner.clone())
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (**settings))]
    fn new(py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut form = Map::new();
        for (key, value) in settings.into_iter().flat_map(|settings| settings.iter()) {
            let key: String = key.extract()?;
            let Some(value) = value_from_py(&value)? else {
                let message = format!("the policy's {key} cannot be used: it is of another type");
                return Err(classes::policy_error(py, &key, &message));
            };
            form.insert(key, value);
        }
        Self::from_text(py, &Value::Object(form).to_string())
    }

    /// Reads the JSON form.
    ///
    /// Args:
    ///     text: An object with any of the settings. null means the default.
    ///
    /// Returns:
    ///     The policy.
    ///
    /// Raises:
    ///     PolicyError: The text is not such an object, or a setting is invalid.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        text: &Bound<'_, PyString>,
    ) -> PyResult<Self> {
        Self::from_text(py, &text.to_string_lossy())
    }

    /// Writes the JSON form.
    ///
    /// Returns:
    ///     An object with every setting.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The JSON form, as Python's objects.
    ///
    /// Returns:
    ///     A new dict with every setting by its name.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.inner.to_json())
    }

    /// A copy with some settings replaced. `copy.replace` uses this method.
    ///
    /// Args:
    ///     changes: Settings, as `Policy` takes them.
    ///
    /// Returns:
    ///     A new policy.
    ///
    /// Raises:
    ///     PolicyError: A setting is invalid, or there is no setting of that name.
    #[pyo3(signature = (**changes))]
    fn replace(&self, py: Python<'_>, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = self.to_dict(py)?.cast_into::<PyDict>()?;
        if let Some(changes) = changes {
            settings.update(changes.as_mapping())?;
        }
        Self::new(py, Some(&settings))
    }

    #[pyo3(signature = (**changes))]
    fn __replace__(&self, py: Python<'_>, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        self.replace(py, changes)
    }

    /// The most requests that one httpSendMail call may carry.
    #[getter]
    fn max_requests(&self) -> u64 {
        self.inner.max_requests()
    }

    /// The most bytes that the body of an httpSendMail call may have.
    #[getter]
    fn max_bytes(&self) -> u64 {
        self.inner.max_bytes()
    }

    /// The number of times that a plan is handed out for one call before a conflict becomes the answer.
    #[getter]
    fn max_attempts(&self) -> u64 {
        self.inner.max_attempts()
    }

    /// The host's current day. httpSendMail is retired when this day is after its last day. `None`: it is never retired.
    #[getter]
    fn today<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let today = self.member(py, "today")?;
        if today.is_none() {
            return Ok(today);
        }
        let date = py.import("datetime")?.getattr("date")?;
        date.call_method1("fromisoformat", (today,))
    }

    /// `whole`: one violation refuses the whole call; `partial`: it refuses only its request or recipient.
    #[getter]
    fn batch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.member(py, "batch")
    }

    /// Whether an empty string clears a stored personalization value. Otherwise it counts as absent.
    #[getter]
    fn empty_clears(&self) -> bool {
        self.inner.empty_clears()
    }

    /// `detect`: a `body` that was sent plain is recognised; `always`: it is decoded, too.
    #[getter]
    fn html_encoding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.member(py, "html_encoding")
    }

    /// The pairs of marks. A text between the two marks of a pair is a personalization placeholder.
    #[getter]
    fn placeholders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.placeholders().iter())
    }

    /// Whether responses write code and transaction id as `strings` or as `numbers`.
    #[getter]
    fn answer_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.member(py, "answer_values")
    }

    /// The content of the status of a response: `word`, `meaning` or `place`.
    #[getter]
    fn answer_status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.member(py, "answer_status")
    }

    /// `refuse`: HTML in which any host could be hidden is refused; `ask`: the host is asked about `computed.invalid`.
    #[getter]
    fn hidden_hosts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.member(py, "hidden_hosts")
    }

    /// Whether a bare domain in text counts as a link.
    #[getter]
    fn bare_domains(&self) -> bool {
        self.inner.bare_domains()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().inner == self.inner)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.to_json().hash(&mut hasher);
        hasher.finish()
    }

    /// Shows only the settings that differ from the defaults.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let defaults: Map<String, Value> =
            serde_json::from_str(&franking::Policy::default().to_json()).unwrap_or_default();
        let mut parts = Vec::new();
        for (name, value) in &self.form {
            if defaults.get(name) != Some(value) {
                let value = match name.as_str() {
                    "today" => self.today(py)?,
                    "placeholders" => self.placeholders(py)?.into_any(),
                    _ => value_to_py(py, value)?,
                };
                parts.push(format!("{name}={}", value.repr()?.to_str()?));
            }
        }
        Ok(format!("Policy({})", parts.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let read = py.get_type::<Self>().getattr("from_json")?;
        let arguments = PyTuple::new(py, [self.to_json()])?;
        PyTuple::new(py, [read, arguments.into_any()])
    }
}

/// The result of `json.loads` for a text.
pub(crate) fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
    LOADS.import(py, "json", "loads")?.call1((text,))
}

fn value_to_py<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &value.to_string())
}

/// A setting as JSON: a number, a flag, a text, a day, or pairs of texts; `None` for anything else.
fn value_from_py(value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if value.is_none() {
        return Ok(Some(Value::Null));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Some(Value::Bool(flag.is_true())));
    }
    if value.is_instance_of::<PyInt>() {
        // An integer too large for JSON's reader is refused by the policy, which names the setting.
        let number = value.extract::<i64>().unwrap_or(i64::MAX);
        return Ok(Some(Value::from(number)));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(Value::from(text.to_string_lossy().into_owned())));
    }
    if let Ok(day) = value.call_method0("isoformat") {
        return Ok(day.extract::<String>().ok().map(Value::from));
    }
    let Ok(items) = value.try_iter() else {
        return Ok(None);
    };
    let mut pairs = Vec::new();
    for item in items {
        // Pairs are tuples, or lists as in JSON.
        let Ok(pair) = item?.extract::<Vec<String>>() else {
            return Ok(None);
        };
        pairs.push(Value::from(pair));
    }
    Ok(Some(Value::Array(pairs)))
}
