//! Blacklists in memory, a set of domains for each role.

use std::sync::Arc;

use franking::domain::DomainSet as Set;
use franking::{Blacklists as Inner, Facts, Questions as Asked};
use pyo3::prelude::*;

use crate::answers;
use crate::domain_set::DomainSet;
use crate::questions::{LookedUp, Questions};

/// A set of domains for each role in which a domain can be on a blacklist: `sender`, `reply_to`, `recipient` and
/// `content`. It never changes.
///
/// The first set is for all roles; the named ones take its place for theirs. A role without a set has nothing on its
/// blacklist.
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
    pub(crate) fn fill(&self, asked: &Asked<'_>, facts: &mut Facts) {
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

    /// Completes `Findings`: looks the domains of the questions up, and says of every stored email and subscriber whose
    /// record does not say it (`blacklisted` is `None`) whether the domain of its address is listed.
    ///
    /// What `findings.domains` holds is not looked at.
    #[pyo3(signature = (questions, findings, /))]
    fn answer(
        &self,
        py: Python<'_>,
        questions: &Bound<'_, Questions>,
        findings: &Bound<'_, PyAny>,
    ) -> PyResult<LookedUp> {
        let mut facts = answers::findings(findings)?;
        questions
            .get()
            .complete(py, self, Arc::make_mut(&mut facts))?;
        Ok(LookedUp::new(facts))
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
