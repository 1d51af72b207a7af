//! Blacklists in memory, a set of domains for each role, and the answers of a host whose tables are in memory.

use std::borrow::Cow;
use std::sync::Arc;

use franking::DomainSet as Set;
use franking::{Blacklists as Inner, Facts as Columns, Subscribers};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

use crate::classes;
use crate::domain_set::DomainSet;
use crate::facts::{Facts, push_mailer, push_subscriber};
use crate::guard::run;
use crate::questions::Questions;
use crate::rows::Owner as _;

/// A set of domains for each role in which a domain can be on a blacklist: `sender`, `reply_to`, `recipient` and
/// `content`. It never changes.
///
/// Args:
///     domains: The set for all roles without one of their own. A role without a set has nothing on its blacklist.
///     sender: The set for the domains of senders (code 414).
///     reply_to: The set for the domains of reply addresses (code 415).
///     recipient: The set for the domains of recipients (code 416).
///     content: The set for the hosts of links in the HTML (code 413).
///
/// Raises:
///     TypeError: One of them is not a `DomainSet`.
///
/// >>> phishing = franking.DomainSet(["phishing.example"])
/// >>> franking.Blacklists(phishing)
/// <Blacklists of 1 sender, 1 reply_to, 1 recipient, 1 content>
/// >>> franking.Blacklists(sender=phishing, content=phishing)
/// <Blacklists of 1 sender, 0 reply_to, 0 recipient, 1 content>
#[pyclass(frozen, module = "franking")]
pub(crate) struct Blacklists {
    inner: Inner<Arc<Set>>,
}

impl Blacklists {
    /// The sets, shared.
    pub(crate) fn sets(&self) -> Inner<Arc<Set>> {
        self.inner.clone()
    }

    /// Adds to what a host has found what the blacklists say.
    fn complete(&self, py: Python<'_>, questions: &Questions, facts: &mut Columns) -> PyResult<()> {
        let machine = questions.machine();
        run(py, machine.len(), || {
            self.inner.answer(&machine.questions()?, facts);
            Some(())
        })?
        .ok_or_else(|| classes::internal_error(py))
    }
}

#[pymethods]
impl Blacklists {
    #[new]
    #[pyo3(signature = (domains = None, /, *, sender = None, reply_to = None, recipient = None, content = None))]
    fn new(
        domains: Option<&Bound<'_, DomainSet>>,
        sender: Option<&Bound<'_, DomainSet>>,
        reply_to: Option<&Bound<'_, DomainSet>>,
        recipient: Option<&Bound<'_, DomainSet>>,
        content: Option<&Bound<'_, DomainSet>>,
    ) -> Self {
        let set = |own: Option<&Bound<'_, DomainSet>>| {
            let set = own.or(domains);
            set.map(|set| Arc::clone(&set.get().inner))
                .unwrap_or_default()
        };
        Self {
            inner: Inner {
                sender: set(sender),
                reply_to: set(reply_to),
                recipient: set(recipient),
                content: set(content),
            },
        }
    }

    /// Completes facts: looks the domains of the questions up, and says of every stored email and subscriber of which it is
    /// not said (`blacklisted` is `None`) whether the domain of its address is listed.
    ///
    /// Args:
    ///     questions: What is asked.
    ///     facts: What is known of the rest. Its column `domains` is not looked at.
    ///
    /// Returns:
    ///     The facts with that, as a new object.
    #[pyo3(signature = (questions, facts, /))]
    fn answer(
        &self,
        py: Python<'_>,
        questions: &Bound<'_, Questions>,
        facts: &Bound<'_, Facts>,
    ) -> PyResult<Facts> {
        let mut completed = facts.get().columns();
        self.complete(py, questions.get(), Arc::make_mut(&mut completed))?;
        Ok(Facts::new(completed))
    }

    /// Answers everything for a host whose tables are in memory: domains, and what a `Mailer` or a `Subscriber` leaves open,
    /// from these blacklists. A table that is left out is empty.
    ///
    /// Args:
    ///     questions: What is asked.
    ///     mailers: A mapping from ids to `Mailer`s.
    ///     senders: A container of the match keys of active senders.
    ///     subscriber_ids: A mapping from ids to `Subscriber`s.
    ///     subscribers: A mapping from match keys to `Subscriber`s.
    ///     lists: A container of the names of lists.
    ///
    /// Returns:
    ///     What is known of each member of each column.
    ///
    /// Raises:
    ///     TypeError: A table holds what is of another type.
    ///     AttributeError: A table of ids or of match keys has no `get`.
    #[pyo3(signature = (
        questions, /, *, mailers = None, senders = None, subscriber_ids = None, subscribers = None, lists = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each column")]
    fn look_up<'py>(
        &self,
        py: Python<'py>,
        questions: &Bound<'py, Questions>,
        mailers: Option<&Bound<'py, PyAny>>,
        senders: Option<&Bound<'py, PyAny>>,
        subscriber_ids: Option<&Bound<'py, PyAny>>,
        subscribers: Option<&Bound<'py, PyAny>>,
        lists: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Facts> {
        let number = |number: u64| PyInt::new(py, number).into_any();
        let text = |text: Cow<'_, str>| PyString::new(py, &text).into_any();
        // They are large, and stay where they are made.
        let mut made = Arc::<Columns>::default();
        let facts = Arc::make_mut(&mut made);
        questions.get().ask(py, |asked| {
            for id in asked.mailers() {
                match found_in(mailers, &number(id))? {
                    Some(found) => push_mailer(&mut facts.mailers, &found)?,
                    None => facts.mailers.push(None),
                }
            }
            for key in asked.senders() {
                facts.senders.push(is_known(senders, text(key))?);
            }
            for id in asked.subscriber_ids() {
                find_subscriber(&mut facts.subscriber_ids, subscriber_ids, &number(id))?;
            }
            facts.subscribers.reserve(asked.subscriber_count());
            for key in asked.subscribers() {
                find_subscriber(&mut facts.subscribers, subscribers, &text(key))?;
            }
            for name in asked.lists() {
                facts.lists.push(is_known(lists, text(name))?);
            }
            Ok::<_, PyErr>(())
        })??;
        self.complete(py, questions.get(), facts)?;
        Ok(Facts::new(made))
    }

    fn __repr__(&self) -> String {
        let Inner {
            sender,
            reply_to,
            recipient,
            content,
        } = &self.inner;
        format!(
            "<Blacklists of {} sender, {} reply_to, {} recipient, {} content>",
            sender.len(),
            reply_to.len(),
            recipient.len(),
            content.len()
        )
    }
}

/// What a mapping has for a key; `None` where it has nothing, or where there is no mapping.
fn found_in<'py>(
    table: Option<&Bound<'py, PyAny>>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(table) = table else {
        return Ok(None);
    };
    if let Ok(table) = table.cast_exact::<PyDict>() {
        return table.get_item(key);
    }
    let found = table.call_method1(intern!(table.py(), "get"), (key,))?;
    Ok(Some(found).filter(|found| !found.is_none()))
}

fn find_subscriber(
    column: &mut Subscribers,
    table: Option<&Bound<'_, PyAny>>,
    key: &Bound<'_, PyAny>,
) -> PyResult<()> {
    match found_in(table, key)? {
        Some(found) => push_subscriber(column, &found),
        None => {
            column.push(None);
            Ok(())
        }
    }
}

fn is_known(table: Option<&Bound<'_, PyAny>>, member: Bound<'_, PyAny>) -> PyResult<bool> {
    table.map_or(Ok(false), |table| table.contains(member))
}
