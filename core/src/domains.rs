//! The domains that a call uses, each with its parents and the roles in which it appears, in order of first use.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{BitOr, BitOrAssign, Range};

use crate::equal::{equal_groups, hash, item, tag};
use crate::recipients::Entry;
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

/// A name by its place, in as few bytes as possible: a call can hold millions.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
struct Name {
    /// The high bit says that the text is a slice of the body, not of the arena.
    start: u32,
    /// [`Name::LONG`] for one whose length is kept apart: it is longer than any domain.
    length: u8,
    roles: Roles,
}

impl Name {
    const IN_BODY: u32 = 1 << 31;
    const LONG: u8 = u8::MAX;

    fn is_in_body(self) -> bool {
        self.start & Self::IN_BODY != 0
    }

    fn start(self) -> u32 {
        self.start & !Self::IN_BODY
    }
}

/// A set of names in order of first use, each name's parents right behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    names: Vec<Name>,
    arena: String,
    /// The lengths of hosts that are longer than any domain, by where they start in the arena, ascending.
    long: Vec<(u32, u32)>,
    /// Where a name of some hash was last seen: makes most repetitions cheap; [`Domains::finish`] finds the rest.
    recent: Vec<u32>,
    /// How many names there were after the last clean-up.
    clean: usize,
}

/// Whether a name is known for its roles.
enum Noted {
    /// It was before, and so are its parents.
    Before,
    /// The name was known, and has got the roles now; its parents may lack them.
    Now,
    /// The name is new, as far as is known yet.
    Not,
}

/// As many names are compared one by one before `recent` is worth its room.
const FEW: usize = 8;
const RECENT: usize = 1024;
/// More names than this are made to cost: there memory counts.
const MANY: usize = if cfg!(test) { 32 } else { 1 << 19 };
/// Into so many ranges hashes are divided at most: each costs a look at all names.
const RANGES: usize = 8;
/// Parents longer than this are nobody's domain (RFC 1035, section 3.1), and a host can have a million of them.
const MAX_PARENT: usize = 253;

impl Domains {
    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    fn slice<'a>(&'a self, name: Name, body: &'a [u8]) -> &'a [u8] {
        let start = name.start();
        let length = match name.length {
            Name::LONG => self
                .long
                .binary_search_by_key(&start, |(start, _)| *start)
                .ok()
                .and_then(|index| self.long.get(index))
                .map_or(0, |(_, length)| *length),
            length => u32::from(length),
        };
        let text = if name.is_in_body() {
            body
        } else {
            self.arena.as_bytes()
        };
        text.get(start as usize..start.saturating_add(length) as usize)
            .unwrap_or_default()
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
        let mut at = 0;
        loop {
            let name = text.get(at..).unwrap_or_default();
            match self.note(name, body, roles) {
                Noted::Before => break,
                Noted::Now => {}
                Noted::Not => {
                    let start = span.start.saturating_add(at);
                    self.push(start, name.len(), true, roles, body);
                }
            }
            let Some(dot) = memchr::memchr(b'.', name) else {
                break;
            };
            at = at.saturating_add(dot).saturating_add(1);
            let parent = text.get(at..).unwrap_or_default();
            if memchr::memchr(b'.', parent).is_none() {
                break;
            }
        }
        self.clean_up_now_and_then(body);
    }

    /// Adds the domain of a valid entry of an address list.
    pub(crate) fn insert_entry(&mut self, entry: &Entry<'_>, body: &[u8], roles: Roles) {
        let is_in_body = body.get(entry.span.clone()) == Some(entry.text.as_bytes());
        let scan = scan_ascii(entry.text.as_bytes()).filter(|scan| !scan.upper_domain);
        match scan.filter(|_| is_in_body) {
            Some(scan) => {
                let at = entry.span.start.saturating_add(scan.at).saturating_add(1);
                self.insert_body(at..entry.span.end, body, roles);
            }
            None => {
                if let Ok(address) = address::parse(&entry.text) {
                    self.insert_host(&address.domain_ascii(), body, roles);
                }
            }
        }
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
        if host.is_empty() {
            return;
        }
        let mut in_arena = None;
        for name in domain::walk(host) {
            if name.len() > MAX_PARENT && *name != *host {
                continue;
            }
            match self.note(name.as_bytes(), body, roles) {
                Noted::Before => break,
                Noted::Now => continue,
                Noted::Not => {}
            }
            // A parent is the end of its child; the IPv4 form of a mapped IPv6 host is not.
            let parent = in_arena.filter(|_| host.ends_with(&*name));
            let at = match parent {
                Some(start) => usize::saturating_add(start, host.len().saturating_sub(name.len())),
                None => {
                    if self.arena.capacity().saturating_sub(self.arena.len()) < name.len() {
                        // Doubling would cost more than the names.
                        let more = (self.arena.len() / 8).max(name.len()).max(1024);
                        self.arena.reserve_exact(more);
                    }
                    self.arena.push_str(&name);
                    self.arena.len().saturating_sub(name.len())
                }
            };
            if name.len() == host.len() {
                in_arena = Some(at);
            }
            self.push(at, name.len(), false, roles, body);
        }
        self.clean_up_now_and_then(body);
    }

    fn push(&mut self, start: usize, length: usize, is_in_body: bool, roles: Roles, body: &[u8]) {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        let start = narrow(start) & !Name::IN_BODY;
        let in_body = if is_in_body { Name::IN_BODY } else { 0 };
        let short = u8::try_from(length)
            .ok()
            .filter(|length| *length != Name::LONG && *length > 0);
        if short.is_none() {
            self.long.push((start, narrow(length)));
        }
        let name = Name {
            start: start | in_body,
            length: short.unwrap_or(Name::LONG),
            roles,
        };
        let index = self.names.len();
        if index == 0 {
            self.names.reserve(FEW);
        }
        if index >= MANY && index == self.names.capacity() {
            // Doubling would cost more than the names.
            self.names.reserve_exact(index / 8);
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
    fn note(&mut self, text: &[u8], body: &[u8], roles: Roles) -> Noted {
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
        let Some(name) = found.and_then(|index| self.names.get_mut(index)) else {
            return Noted::Not;
        };
        if name.roles.contains(roles) {
            return Noted::Before;
        }
        let known = name.roles;
        name.roles = known | roles;
        Noted::Now
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
            let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
            // By ranges of hashes, so that few are looked at together.
            let ranges = (names.len() / MANY).saturating_add(1).min(RANGES) as u64;
            let mut tags: Vec<u64> = Vec::new();
            let mut repeats: Vec<(u32, u32)> = Vec::new();
            for range in 0..ranges {
                tags.clear();
                repeats.clear();
                let slice = |name: u32| {
                    names
                        .get(name as usize)
                        .map(|name| self.slice(*name, body))
                        .unwrap_or_default()
                };
                for name in 0..count {
                    let text = slice(name);
                    let hash = hash(text);
                    if !text.is_empty() && (u64::from(hash) * ranges) >> 32 == range {
                        tags.push(tag(hash, name));
                    }
                }
                equal_groups(&mut tags, slice, |group| {
                    let first = group.first().copied().map(item).unwrap_or_default();
                    repeats.extend(group.iter().skip(1).map(|repeat| (item(*repeat), first)));
                });
                for (repeat, first) in repeats.drain(..) {
                    let repeat = names.get_mut(repeat as usize);
                    let roles = repeat.map(|repeat| {
                        repeat.length = 0;
                        repeat.roles
                    });
                    if let (Some(first), Some(roles)) = (names.get_mut(first as usize), roles) {
                        let known = first.roles;
                        first.roles = known | roles;
                    }
                }
            }
            names.retain(|name| name.length != 0);
            names.shrink_to(names.len().saturating_add(FEW));
            self.names = names;
            // The indices have moved.
            self.recent.fill(0);
        }
        self.clean = self.names.len();
    }
}

#[cfg(test)]
mod tests;
