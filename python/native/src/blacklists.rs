//! The domains of the questions, looked for on blacklists in memory.

use franking::{Questions as Asked, Roles};
use pyo3::prelude::*;

use crate::domain_set::DomainSet;
use crate::names::Names;

/// The lists to look in.
pub(crate) struct Blacklists<'a, 'py> {
    /// Each once, with the roles that it serves; then free places.
    lists: [Option<(Roles, List<'a, 'py>)>; 4],
    /// The roles that [`List::Container`]s serve.
    in_containers: Roles,
}

enum List<'a, 'py> {
    Domains(&'a Bound<'py, DomainSet>),
    /// Whatever knows `in`.
    Container(&'a Bound<'py, PyAny>),
}

impl<'a, 'py> Blacklists<'a, 'py> {
    /// One list for all roles, and those that take its place for theirs, in the order of [`Roles::ALL`].
    pub(crate) fn new(
        blacklist: Option<&'a Bound<'py, PyAny>>,
        by_role: [Option<&'a Bound<'py, PyAny>>; 4],
    ) -> Self {
        let mut lists: [Option<(Roles, List<'a, 'py>)>; 4] = [const { None }; 4];
        for (role, list) in Roles::ALL.into_iter().zip(by_role) {
            let Some(list) = list.or(blacklist) else {
                continue;
            };
            let is_his = |place: &&mut Option<(Roles, List<'a, 'py>)>| {
                let taken = place.as_ref();
                taken.is_none_or(|(_, other)| other.is(list))
            };
            match lists.iter_mut().find(is_his) {
                Some(Some((roles, _))) => *roles |= role,
                // As many places as roles: one is free.
                Some(free) => *free = Some((role, List::new(list))),
                None => {}
            }
        }
        let in_container = |place: &Option<(Roles, List<'a, 'py>)>| match place {
            Some((roles, List::Container(_))) => *roles,
            _ => Roles::NONE,
        };
        let in_containers = lists.iter().map(in_container);
        Self {
            in_containers: in_containers.fold(Roles::NONE, |all, roles| all | roles),
            lists,
        }
    }

    /// Tells for each domain of the questions for which of the roles it is listed.
    pub(crate) fn look_up(
        &self,
        py: Python<'py>,
        asked: Asked<'_>,
        mut found: impl FnMut(Roles),
    ) -> PyResult<()> {
        let mut names = Names::lend(asked.domain_count());
        for (name, roles) in asked.domains() {
            found(self.roles_of(py, &mut names, &name, roles)?);
        }
        Ok(())
    }

    /// One look-up serves all the roles of one list.
    fn roles_of(
        &self,
        py: Python<'py>,
        names: &mut Names<'py>,
        name: &str,
        asked: Roles,
    ) -> PyResult<Roles> {
        let is_text_used = !self.in_containers.intersection(asked).is_empty();
        let text = is_text_used.then(|| names.get(py, name));
        let mut found = Roles::NONE;
        for (roles, list) in self.lists.iter().map_while(Option::as_ref) {
            let roles = roles.intersection(asked);
            if roles.is_empty() {
                continue;
            }
            let is_listed = match list {
                List::Domains(list) => list.get().inner.contains(name),
                List::Container(list) => match text {
                    Some(text) => list.contains(text)?,
                    None => false,
                },
            };
            if is_listed {
                found |= roles;
            }
        }
        Ok(found)
    }
}

impl<'a, 'py> List<'a, 'py> {
    fn new(list: &'a Bound<'py, PyAny>) -> Self {
        match list.cast() {
            Ok(list) => Self::Domains(list),
            Err(_) => Self::Container(list),
        }
    }

    fn is(&self, other: &Bound<'py, PyAny>) -> bool {
        match self {
            Self::Domains(list) => list.is(other),
            Self::Container(list) => list.is(other),
        }
    }
}
