//! Blacklists in memory, with a set of domains for each role. They also answer for a host whose tables are in memory.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use franking::DomainSet as Set;
use franking::{Blacklists as Inner, Facts as Columns, Subscribers};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};

use crate::classes;
use crate::domain_set::{self, DomainSet};
use crate::facts::{Facts, push_mailer, push_subscriber};
use crate::guard::run;
use crate::questions::Questions;
use crate::rows::Owner as _;

/// A set of domains for each role in which a domain can be on a blacklist: `sender`, `reply_to`, `recipient` and
/// `content`. It never changes, so a copy of it is the object itself. Two objects with the same entries are equal.
///
/// Args:
///     domains: The set for all roles for which no set is given below. A role without a set has an empty blacklist.
///     sender: The set for the domains of senders (code 414).
///     reply_to: The set for the domains of reply addresses (code 415).
///     recipient: The set for the domains of recipients (code 416).
///     content: The set for the hosts of links in the HTML (code 413).
///
/// Raises:
///     TypeError: An argument is not a `DomainSet`.
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

    /// The roles by their names, with their sets.
    fn by_role(&self) -> [(&'static str, &Arc<Set>); 4] {
        let Inner {
            sender,
            reply_to,
            recipient,
            content,
        } = &self.inner;
        [
            ("sender", sender),
            ("reply_to", reply_to),
            ("recipient", recipient),
            ("content", content),
        ]
    }

    /// Adds the answers of the blacklists to the host's facts.
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

    /// These blacklists with other sets for some roles. This object does not change. `copy.replace` uses this method.
    ///
    /// Args:
    ///     sender: The set for the domains of senders. The set of this object if left out, as for the other roles.
    ///     reply_to: The set for the domains of reply addresses.
    ///     recipient: The set for the domains of recipients.
    ///     content: The set for the hosts of links in the HTML.
    ///
    /// Returns:
    ///     New blacklists.
    ///
    /// Raises:
    ///     TypeError: An argument is not a `DomainSet`.
    ///
    /// >>> old = franking.Blacklists(franking.DomainSet(["phishing.example"]))
    /// >>> old.replace(recipient=old.recipient.union(["full.example"]))
    /// <Blacklists of 1 sender, 1 reply_to, 2 recipient, 1 content>
    #[pyo3(signature = (*, sender = None, reply_to = None, recipient = None, content = None))]
    fn replace(
        &self,
        sender: Option<&Bound<'_, DomainSet>>,
        reply_to: Option<&Bound<'_, DomainSet>>,
        recipient: Option<&Bound<'_, DomainSet>>,
        content: Option<&Bound<'_, DomainSet>>,
    ) -> Self {
        let set = |new: Option<&Bound<'_, DomainSet>>, old: &Arc<Set>| {
            Arc::clone(new.map_or(old, |new| &new.get().inner))
        };
        Self {
            inner: Inner {
                sender: set(sender, &self.inner.sender),
                reply_to: set(reply_to, &self.inner.reply_to),
                recipient: set(recipient, &self.inner.recipient),
                content: set(content, &self.inner.content),
            },
        }
    }

    #[pyo3(signature = (**changes))]
    fn __replace__<'py>(
        slf: &Bound<'py, Self>,
        changes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method(intern!(slf.py(), "replace"), (), changes)
    }

    /// The set for the domains of senders.
    #[getter]
    fn sender(&self) -> DomainSet {
        DomainSet::share(&self.inner.sender)
    }

    /// The set for the domains of reply addresses.
    #[getter]
    fn reply_to(&self) -> DomainSet {
        DomainSet::share(&self.inner.reply_to)
    }

    /// The set for the domains of recipients.
    #[getter]
    fn recipient(&self) -> DomainSet {
        DomainSet::share(&self.inner.recipient)
    }

    /// The set for the hosts of links in the HTML.
    #[getter]
    fn content(&self) -> DomainSet {
        DomainSet::share(&self.inner.content)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let mut pairs = self.by_role().into_iter().zip(other.get().by_role());
            pairs.all(|((_, own), (_, other))| domain_set::are_equal(own, other))
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (_, set) in self.by_role() {
            domain_set::hash(set).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// A set that several roles share stays one object, so that pickle writes it once.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        let mut made: Vec<(&Arc<Set>, Bound<'py, DomainSet>)> = Vec::new();
        for (role, set) in self.by_role() {
            let known = made.iter().find(|(known, _)| Arc::ptr_eq(known, set));
            let object = match known {
                Some((_, object)) => object.clone(),
                None => Bound::new(py, DomainSet::share(set))?,
            };
            keywords.set_item(role, &object)?;
            made.push((set, object));
        }
        Ok((PyTuple::empty(py), keywords))
    }

    /// Completes facts. It answers for the domains of the questions. It also sets `blacklisted` of each stored email and
    /// subscriber where that is `None`, by the domain of its address.
    ///
    /// Args:
    ///     questions: The questions of the call.
    ///     facts: The host's answers to all other questions. The column `domains` is ignored.
    ///
    /// Returns:
    ///     The completed facts, as a new object.
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

    /// Answers all questions for a host whose tables are in memory. The domains, and `blacklisted` of a `Mailer` or a
    /// `Subscriber` where it is `None`, are answered from these blacklists. A table that is left out is empty.
    ///
    /// Args:
    ///     questions: The questions of the call.
    ///     mailers: A mapping from ids to `Mailer`s.
    ///     senders: A container of the match keys of active senders.
    ///     subscriber_ids: A mapping from ids to `Subscriber`s.
    ///     subscribers: A mapping from match keys to `Subscriber`s.
    ///     lists: A container of the names of lists.
    ///
    /// Returns:
    ///     The answers for each member of each column.
    ///
    /// Raises:
    ///     TypeError: A table contains an object of another type.
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
        // Facts are large, so they are built in place.
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
        let sets = self
            .by_role()
            .map(|(role, set)| format!("{} {role}", set.len()));
        format!("<Blacklists of {}>", sets.join(", "))
    }
}

/// The value of a key in a mapping. `None` if there is no value or no mapping.
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
