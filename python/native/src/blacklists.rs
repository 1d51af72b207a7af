//! Blacklists in memory, a set of domains for each role.

use std::sync::Arc;

use franking::DomainSet as Set;
use franking::{Blacklists as Inner, Facts as Columns, Questions as Asked};
use pyo3::prelude::*;

use crate::domain_set::DomainSet;
use crate::facts::Facts;
use crate::questions::Questions;

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
///     TypeError: One of them is no `DomainSet`.
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
    pub(crate) fn fill(&self, asked: &Asked<'_>, facts: &mut Columns) {
        self.inner.answer(asked, facts);
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
        questions
            .get()
            .complete(py, self, Arc::make_mut(&mut completed))?;
        Ok(Facts::new(completed))
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
