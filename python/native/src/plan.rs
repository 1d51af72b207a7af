//! What the host is to do for an accepted call.

use std::borrow::Cow;
use std::sync::Arc;

use franking::{API_LIST, Encoding, Message as Planned, Plan as Whole, Recipient, RecipientRole};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};
use smallvec::SmallVec;

use crate::call::Machine;
use crate::classes::{self, DEBIT, ENCODING, RECIPIENT_ROLE};
use crate::guard::{guard, run};
use crate::policy::loads;
use crate::rows::{Kind, Rows, Source};
use crate::text::optional_int;

/// What to do for an accepted call, all of it in one transaction of the host's (interface, sections 3 and 4).
///
/// As a step of a `Call` it waits to be carried out: `Call.begin_commit` hands it out, and `Call.answer_commit` answers it.
///
/// Everything is read from the call when it is asked for. Texts are data: they may hold any character, NUL and line
/// breaks included, and have to be encoded for wherever they are put.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Plan {
    machine: Arc<Machine>,
}

impl Plan {
    pub(crate) fn new(machine: Arc<Machine>) -> Self {
        Self { machine }
    }

    fn look<'c, T>(&'c self, py: Python<'_>, look: impl FnOnce(Whole<'c>) -> T) -> PyResult<T> {
        guard(py, || self.machine.plan().map(look))?.ok_or_else(|| classes::internal_error(py))
    }

    fn rows(&self, kind: Kind) -> Rows {
        Rows::new(Source::Machine(Arc::clone(&self.machine)), kind)
    }
}

#[pymethods]
impl Plan {
    /// The list to which `enlist` adds subscribers. It need not exist beforehand.
    #[classattr]
    #[pyo3(name = "API_LIST")]
    const API_LIST: &'static str = API_LIST;

    /// The subscribers to create, in order of first use.
    #[getter]
    fn create(&self) -> Rows {
        self.rows(Kind::Create)
    }

    /// The column `email` of the subscribers to create, for hosts that write in bulk.
    #[getter]
    fn create_emails<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let emails = self.look(py, |plan| {
            plan.create()
                .map(|subscriber| PyString::new(py, &subscriber.email()))
                .collect::<Vec<_>>()
        })?;
        PyTuple::new(py, emails)
    }

    /// The column `match_key` of the subscribers to create, for hosts that write in bulk.
    #[getter]
    fn create_match_keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let keys = self.look(py, |plan| {
            plan.create()
                .map(|subscriber| PyString::new(py, &subscriber.match_key()))
                .collect::<Vec<_>>()
        })?;
        PyTuple::new(py, keys)
    }

    /// The subscribers whose stored personalization is overwritten, field by field, with what was sent.
    #[getter]
    fn update(&self) -> Rows {
        self.rows(Kind::Update)
    }

    /// The ids of existing subscribers to add to the list `API_LIST`, in order of first use.
    #[getter]
    fn enlist(&self) -> Rows {
        self.rows(Kind::Enlist)
    }

    /// The messages, one for each request; each of its recipients gets an email of its own.
    #[getter]
    fn messages(&self) -> Rows {
        self.rows(Kind::Messages)
    }

    /// The repeated addresses that are left out.
    #[getter]
    fn collapsed(&self) -> Rows {
        self.rows(Kind::Collapsed)
    }

    /// The credits that the plan costs.
    #[getter]
    fn debit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let debit = self.look(py, |plan| plan.debit())?;
        let counts = [debit.email, debit.subscriber];
        DEBIT.new_object(py, counts.map(|count| PyInt::new(py, count).into_any()))
    }

    /// The whole plan as objects that JSON has, HTML and addresses included.
    ///
    /// Returns:
    ///     A new dict with `create`, `update`, `enlist`, `messages`, `collapsed` and `debit`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = run(py, self.machine.len(), || {
            self.machine.plan().map(|plan| plan.to_json())
        })?;
        loads(py, &json.ok_or_else(|| classes::internal_error(py))?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let debit = self.look(py, |plan| plan.debit())?;
        Ok(format!(
            "<Plan of {} emails and {} new subscribers>",
            debit.email, debit.subscriber
        ))
    }
}

/// An email's content and sender, and who gets it.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Message {
    machine: Arc<Machine>,
    request: Option<u32>,
}

impl Message {
    pub(crate) fn new(machine: Arc<Machine>, request: Option<u32>) -> Self {
        Self { machine, request }
    }

    fn look<'c, T>(&'c self, py: Python<'_>, look: impl FnOnce(Planned<'c>) -> T) -> PyResult<T> {
        guard(py, || {
            let message = self.machine.plan()?.message(self.request)?;
            Some(look(message))
        })?
        .ok_or_else(|| classes::internal_error(py))
    }

    fn column<'py>(
        &self,
        py: Python<'py>,
        read: impl Fn(Recipient<'_>) -> Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // Most messages have one recipient.
        let items: SmallVec<[_; 4]> =
            self.look(py, |message| message.recipients().map(read).collect())?;
        PyTuple::new(py, items)
    }

    fn text<'py, 'c>(
        &'c self,
        py: Python<'py>,
        read: impl FnOnce(Planned<'c>) -> Option<Cow<'c, str>>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        Ok(self.look(py, read)?.map(|text| PyString::new(py, &text)))
    }
}

#[pymethods]
impl Message {
    /// The position in `requests`, from 0; `None` on sendMailer.
    #[getter]
    fn request(&self) -> Option<u32> {
        self.request
    }

    /// The id of the stored email to send; `None` on httpSendMail.
    #[getter]
    fn mailer(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.look(py, |message| message.mailer())
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
        let encoding = self.look(py, |message| message.encoding().map(Encoding::name))?;
        ENCODING.optional(py, encoding)
    }

    /// The effective sender address: `from`, else the one assigned to the stored email.
    #[getter(from_address)]
    fn sender_address<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let from = self.look(py, |message| message.from())?;
        Ok(PyString::new(py, &from))
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
        self.look(py, |message| message.track_opens())
    }

    /// Whether clicks are to be tracked.
    #[getter]
    fn track_clicks(&self, py: Python<'_>) -> PyResult<bool> {
        self.look(py, |message| message.track_clicks())
    }

    /// The caller's text for its own tracking, if one was sent.
    #[getter]
    fn custom_field<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.text(py, |message| message.custom_field())
    }

    /// Who gets the email, each separately, in order of to, cc and bcc.
    #[getter]
    fn recipients(&self) -> Rows {
        let source = Source::Machine(Arc::clone(&self.machine));
        Rows::new(source, Kind::Recipients(self.request))
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
        Ok(match (self.request, self.mailer(py)?) {
            (Some(request), _) => format!("<Message of request {request}>"),
            (None, Some(mailer)) => format!("<Message of mailer {mailer}>"),
            (None, None) => "<Message>".to_owned(),
        })
    }
}
