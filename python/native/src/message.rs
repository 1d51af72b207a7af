//! The messages of a plan and their recipients.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use franking::{Encoding, RecipientRole};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use smallvec::SmallVec;

use crate::classes::{ENCODING, RECIPIENT_ROLE};
use crate::machine::Machine;
use crate::rows::{Held, Kind, Lent, rows};
use crate::text::optional_int;

/// An email's content, sender and recipients.
// Most hosts read `mailer` and `from_address`, so they are made with the message. The interpreter reads a member that is an
// object of Python without calling this crate. Texts and numbers refer to nothing, so the garbage collector need not see them.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Message {
    /// The id of the stored email to send; `None` on httpSendMail.
    #[pyo3(get)]
    mailer: Py<PyAny>,
    /// The effective sender address: `from`, else the one assigned to the stored email.
    #[pyo3(get)]
    from_address: Py<PyString>,
    held: Held<Self>,
    /// The owner of the recipients.
    machine: Arc<Machine>,
}

impl Lent for Message {
    type Row<'a> = franking::Message<'a>;
}

impl Message {
    fn column<'py>(
        &self,
        py: Python<'py>,
        read: impl Fn(franking::Recipient<'_>) -> Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // Most messages have one recipient.
        let items: SmallVec<[_; 4]> = self
            .held
            .guarded(py, |message| message.recipients().map(read).collect())?;
        PyTuple::new(py, items)
    }

    fn text<'py>(
        &self,
        py: Python<'py>,
        read: impl for<'a> FnOnce(&franking::Message<'a>) -> Option<Cow<'a, str>>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        self.held.guarded(py, |message| {
            read(message).map(|text| PyString::new(py, &text))
        })
    }
}

#[pymethods]
impl Message {
    /// The position in `requests`, from 0; `None` on sendMailer.
    #[getter]
    fn request(&self) -> Option<u32> {
        self.held.read(|message| message.request())
    }

    /// The subject; `None` on sendMailer, whose stored email has one.
    #[getter]
    fn subject<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.text(py, |message| message.subject())
    }

    /// The HTML to deliver, decoded: exactly what was checked. `None` on sendMailer. It is decoded each time.
    #[getter]
    fn html<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.text(py, |message| message.html())
    }

    /// How the HTML was sent; `None` on sendMailer.
    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let encoding = self
            .held
            .guarded(py, |message| message.encoding().map(Encoding::name))?;
        ENCODING.optional(py, encoding)
    }

    /// The effective sender name: `fromName`, else on sendMailer the one assigned to the stored email.
    #[getter(from_name)]
    fn sender_name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.text(py, |message| message.from_name())
    }

    /// The reply address, if one was sent.
    #[getter]
    fn reply_to<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.text(py, |message| message.reply_to())
    }

    /// Whether opens are to be tracked.
    #[getter]
    fn track_opens(&self, py: Python<'_>) -> PyResult<bool> {
        self.held.guarded(py, |message| message.track_opens())
    }

    /// Whether clicks are to be tracked.
    #[getter]
    fn track_clicks(&self, py: Python<'_>) -> PyResult<bool> {
        self.held.guarded(py, |message| message.track_clicks())
    }

    /// The caller's text for its own tracking, if one was sent.
    #[getter]
    fn custom_field<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.text(py, |message| message.custom_field())
    }

    /// The recipients, in order of to, cc and bcc. Each of them gets an email of its own.
    #[getter]
    fn recipients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, Recipients(self.request()), &self.machine)
    }

    /// The column `to` of the recipients, for hosts that write in bulk.
    #[getter]
    fn addresses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.column(py, |recipient| {
            PyString::new(py, &recipient.to()).into_any()
        })
    }

    /// The column `role` of the recipients.
    #[getter]
    fn roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let member = |role: RecipientRole| Ok((role, RECIPIENT_ROLE.member(py, role.name())?));
        let members = [RecipientRole::To, RecipientRole::Cc, RecipientRole::Bcc].map(member);
        let members: Vec<_> = members.into_iter().collect::<PyResult<_>>()?;
        self.column(py, |recipient| {
            let role = recipient.role();
            let member = members.iter().find(|(own, _)| Some(*own) == role);
            member.map_or_else(|| py.None().into_bound(py), |(_, member)| member.clone())
        })
    }

    /// The column `subscriber` of the recipients.
    #[getter]
    fn subscribers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.column(py, |recipient| optional_int(py, recipient.subscriber()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.held
            .guarded(py, |message| match (message.request(), message.mailer()) {
                (Some(request), _) => format!("<Message of request {request}>"),
                (None, Some(mailer)) => format!("<Message of mailer {mailer}>"),
                (None, None) => "<Message>".to_owned(),
            })
    }
}

/// The rows of [`Message`].
#[derive(Clone, Copy)]
pub(crate) struct Messages;

impl Kind for Messages {
    type Owner = Machine;
    type Lent = Message;
    const NAME: &'static str = "messages";

    fn rows<'a>(
        self,
        machine: &'a Machine,
    ) -> impl Iterator<Item = franking::Message<'a>> + Send + use<'a> {
        machine.plan().into_iter().flat_map(|plan| plan.messages())
    }

    fn to_py<'py>(
        py: Python<'py>,
        held: Held<Message>,
        machine: &Arc<Machine>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (mailer, from_address) = held.guarded(py, |message| {
            (
                optional_int(py, message.mailer()).unbind(),
                PyString::new(py, &message.from()).unbind(),
            )
        })?;
        let machine = Arc::clone(machine);
        let message = Message {
            mailer,
            from_address,
            held,
            machine,
        };
        message.into_bound_py_any(py)
    }
}

/// A recipient of an email.
// It has values of its own, because they are smaller than the row that they are read from. Every host reads `to`, so it is made
// with the recipient.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Recipient {
    /// The address to send to.
    #[pyo3(get)]
    to: Py<PyString>,
    role: Option<RecipientRole>,
    /// The id of the subscriber with this address; `None` for one that the plan creates.
    #[pyo3(get)]
    subscriber: Option<u64>,
}

impl Lent for Recipient {
    type Row<'a> = franking::Recipient<'a>;
}

impl Recipient {
    /// What is compared.
    fn values(&self, py: Python<'_>) -> PyResult<(&str, Option<RecipientRole>, Option<u64>)> {
        Ok((self.to.to_str(py)?, self.role, self.subscriber))
    }
}

#[pymethods]
impl Recipient {
    /// The address list in which it first appears; `None` on sendMailer.
    #[getter]
    fn role<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        RECIPIENT_ROLE.optional(py, self.role.map(RecipientRole::name))
    }

    // It takes recipients only, so Python asks an object of another class itself whether it is equal.
    fn __eq__(&self, other: &Bound<'_, Self>) -> PyResult<bool> {
        let py = other.py();
        Ok(self.values(py)? == other.get().values(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.values(py)?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __repr__(&self) -> String {
        match self.role {
            Some(role) => format!("<Recipient, {}>", role.name()),
            None => "<Recipient>".to_owned(),
        }
    }
}

/// The rows of [`Recipient`] of the message of a request.
#[derive(Clone, Copy)]
struct Recipients(Option<u32>);

impl Kind for Recipients {
    type Owner = Machine;
    type Lent = Recipient;
    const NAME: &'static str = "recipients";

    fn rows<'a>(
        self,
        machine: &'a Machine,
    ) -> impl Iterator<Item = franking::Recipient<'a>> + Send + use<'a> {
        let message = machine.plan().and_then(|plan| plan.message(self.0));
        message.into_iter().flat_map(|message| message.recipients())
    }

    fn to_py<'py>(
        py: Python<'py>,
        row: Held<Recipient>,
        _machine: &Arc<Machine>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let recipient = row.guarded(py, |row| Recipient {
            to: PyString::new(py, &row.to()).unbind(),
            role: row.role(),
            subscriber: row.subscriber(),
        })?;
        recipient.into_bound_py_any(py)
    }
}
