//! The domains that a call uses, each with its parents and the roles in which it appears, in order of first use.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{BitOr, BitOrAssign, Range};

use crate::equal::{equal_groups, hash, item, tag};
use crate::text::address::{self, scan_ascii};
use crate::text::domain;
use crate::wire::json::Value;

/// The roles in which a domain appears in a call: a set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Roles(u8);

impl Roles {
    /// No role.
    pub const NONE: Self = Self(0);
    /// The domain of a sender's address (code 414).
    pub const SENDER: Self = Self(1);
    /// The domain of a reply address (code 415).
    pub const REPLY_TO: Self = Self(2);
    /// The domain of a recipient's address (code 416).
    pub const RECIPIENT: Self = Self(4);
    /// The host of a link or image in the HTML (code 413).
    pub const CONTENT: Self = Self(8);

    /// The four roles, in the order of the JSON forms.
    pub const ALL: [Self; 4] = [Self::SENDER, Self::REPLY_TO, Self::RECIPIENT, Self::CONTENT];

    /// The names of the roles in the JSON forms, in the order of [`Roles::ALL`].
    const NAMES: [&'static str; 4] = ["sender", "reply_to", "recipient", "content"];

    /// The set with these bits: 1 sender, 2 reply address, 4 recipient, 8 content. Other bits are dropped.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// The bits of [`Roles::from_bits`].
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `other` are in the set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The roles in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the roles in the set: `sender`, `reply_to`, `recipient`, `content`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::ALL
            .into_iter()
            .zip(Self::NAMES)
            .filter(move |(role, _)| self.contains(*role))
            .map(|(_, name)| name)
    }

    /// The one role of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .zip(Self::NAMES)
            .find(|(_, own)| *own == name)
            .map(|(role, _)| role)
    }
}

impl BitOr for Roles {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Roles {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[derive(Clone, Copy, Debug)]
struct Name {
    start: u32,
    length: u32,
    roles: Roles,
    /// The text is a slice of the body, not of the arena.
    is_in_body: bool,
}

/// A set of names in order of first use, each name's parents right behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    names: Vec<Name>,
    arena: String,
    /// Where a name of some hash was last seen: makes most repetitions cheap; [`Domains::finish`] finds the rest.
    recent: Vec<u32>,
    /// How many names there were after the last clean-up.
    clean: usize,
}

/// As many names are compared one by one before `recent` is worth its room.
const FEW: usize = 8;
const RECENT: usize = 1024;
/// Parents longer than this are nobody's domain (RFC 1035, section 3.1), and a host can have a million of them.
const MAX_PARENT: usize = 253;

impl Domains {
    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    fn slice<'a>(&'a self, name: Name, body: &'a [u8]) -> &'a [u8] {
        let range = name.start as usize..(name.start as usize).saturating_add(name.length as usize);
        let text = if name.is_in_body {
            body
        } else {
            self.arena.as_bytes()
        };
        text.get(range).unwrap_or_default()
    }

    /// A name and its roles.
    pub(crate) fn get<'a>(&'a self, index: usize, body: &'a [u8]) -> Option<(&'a str, Roles)> {
        let name = *self.names.get(index)?;
        Some((
            core::str::from_utf8(self.slice(name, body)).ok()?,
            name.roles,
        ))
    }

    /// Adds a domain of lower-case ASCII that stands at `span` of the body.
    pub(crate) fn insert_body(&mut self, span: Range<usize>, body: &[u8], roles: Roles) {
        let text = body.get(span.clone()).unwrap_or_default();
        if self.is_known(text, body, roles) {
            return;
        }
        self.push(span.start, text.len(), true, roles, body);
        for (at, byte) in text.iter().enumerate() {
            let parent = text.get(at.saturating_add(1)..).unwrap_or_default();
            if *byte == b'.'
                && memchr::memchr(b'.', parent).is_some()
                && !self.is_known(parent, body, roles)
            {
                self.push(
                    span.start.saturating_add(at).saturating_add(1),
                    parent.len(),
                    true,
                    roles,
                    body,
                );
            }
        }
        self.clean_up_now_and_then(body);
    }

    /// Adds the domain of a valid address, the trimmed text of a field's value.
    pub(crate) fn insert_address(&mut self, text: &str, value: Value, body: &[u8], roles: Roles) {
        let scan = scan_ascii(text.as_bytes()).filter(|scan| !scan.upper_domain);
        if let (Some(scan), Some(content)) = (scan, body.get(value.content())) {
            // As it stands in the body: what was trimmed off is ASCII or not, so the text is looked for.
            let lead = content
                .len()
                .saturating_sub(content.trim_ascii_start().len());
            let start = value.content().start.saturating_add(lead);
            let domain =
                start.saturating_add(scan.at).saturating_add(1)..start.saturating_add(text.len());
            if body.get(start..domain.end) == Some(text.as_bytes()) {
                self.insert_body(domain, body, roles);
                return;
            }
        }
        if let Ok(address) = address::parse(text) {
            self.insert_host(&address.domain_ascii(), body, roles);
        }
    }

    /// Adds a host in canonical form.
    pub(crate) fn insert_host(&mut self, host: &str, body: &[u8], roles: Roles) {
        let host = host.strip_suffix('.').unwrap_or(host);
        if host.is_empty() || self.is_known(host.as_bytes(), body, roles) {
            return;
        }
        let start = self.arena.len();
        self.arena.push_str(host);
        self.push(start, host.len(), false, roles, body);
        for name in domain::walk(host).skip(1) {
            if name.len() > MAX_PARENT || self.is_known(name.as_bytes(), body, roles) {
                continue;
            }
            // A parent is the end of its child; the IPv4 form of a mapped IPv6 host is not.
            let at = if host.ends_with(&*name) {
                start.saturating_add(host.len().saturating_sub(name.len()))
            } else {
                self.arena.push_str(&name);
                self.arena.len().saturating_sub(name.len())
            };
            self.push(at, name.len(), false, roles, body);
        }
        self.clean_up_now_and_then(body);
    }

    fn push(&mut self, start: usize, length: usize, is_in_body: bool, roles: Roles, body: &[u8]) {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        let name = Name {
            start: narrow(start),
            length: narrow(length),
            roles,
            is_in_body,
        };
        let index = self.names.len();
        if index == 0 {
            self.names.reserve(FEW);
        }
        self.names.push(name);
        if index >= FEW {
            if self.recent.is_empty() {
                self.recent = vec![0; RECENT];
                for (index, name) in self.names.clone().into_iter().enumerate() {
                    self.remember(hash(self.slice(name, body)), index);
                }
            }
            self.remember(hash(self.slice(name, body)), index);
        }
    }

    fn remember(&mut self, hash: u32, index: usize) {
        if let Some(slot) = self.recent.get_mut(hash as usize % RECENT) {
            *slot = u32::try_from(index).unwrap_or(0);
        }
    }

    /// Finds most of the names that were added before, and adds the roles to what it finds.
    fn is_known(&mut self, text: &[u8], body: &[u8], roles: Roles) -> bool {
        let found = if self.recent.is_empty() {
            self.names
                .iter()
                .position(|name| self.slice(*name, body) == text)
        } else {
            let index = self
                .recent
                .get(hash(text) as usize % RECENT)
                .copied()
                .unwrap_or_default() as usize;
            self.names
                .get(index)
                .filter(|name| self.slice(**name, body) == text)
                .map(|_| index)
        };
        let name = found.and_then(|index| self.names.get_mut(index));
        name.map(|name| name.roles |= roles).is_some()
    }

    fn clean_up_now_and_then(&mut self, body: &[u8]) {
        if self.names.len() > self.clean.saturating_mul(2).saturating_add(0x1_0000) {
            self.finish(body);
        }
    }

    /// Leaves each name once, where it was first used.
    pub(crate) fn finish(&mut self, body: &[u8]) {
        if !self.recent.is_empty() {
            let mut names = core::mem::take(&mut self.names);
            let slice = |name: u32| {
                names
                    .get(name as usize)
                    .map(|name| self.slice(*name, body))
                    .unwrap_or_default()
            };
            let indices = 0..u32::try_from(names.len()).unwrap_or(u32::MAX);
            let mut tags: Vec<u64> = indices.map(|name| tag(hash(slice(name)), name)).collect();
            let mut repeats: Vec<(u32, u32)> = Vec::new();
            equal_groups(&mut tags, slice, |group| {
                let first = group.first().copied().map(item).unwrap_or_default();
                repeats.extend(group.iter().skip(1).map(|repeat| (item(*repeat), first)));
            });
            drop(tags);
            for (repeat, first) in repeats {
                let repeat = names.get_mut(repeat as usize);
                let roles = repeat.map(|repeat| {
                    repeat.length = 0;
                    repeat.roles
                });
                if let (Some(first), Some(roles)) = (names.get_mut(first as usize), roles) {
                    first.roles |= roles;
                }
            }
            names.retain(|name| name.length != 0);
            self.names = names;
            // The indices have moved.
            self.recent.fill(0);
        }
        self.clean = self.names.len();
    }
}
