//! The domains that a call uses, each with its parents and the roles in which it appears, in order of first use.

mod chain;
mod names;
mod repeats;
mod roles;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::recipients::Entry;
use crate::text::address::{self, scan_ascii};
use crate::text::domain;
use crate::wire::json::Value;
use chain::Chain;
use names::Names;
pub use roles::Roles;

/// Where the text of a chain's first name lies.
#[derive(Clone, Copy)]
enum Source {
    Body { is_upper: bool },
    Arena,
}

/// A set of names in order of first use, each name's parents right behind it unless they were used before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    chains: Vec<Chain>,
    /// The roles of each name, chain by chain.
    roles: Vec<Roles>,
    /// The number of the first name of every [`BLOCK`]th chain; made by [`Domains::finish`].
    blocks: Vec<u32>,
    arena: String,
    /// The lengths of hosts that are longer than any domain, by where they start in the arena, ascending.
    long: Vec<(u32, u32)>,
    /// Where a name of some hash was last seen: makes most repetitions cheap; [`Domains::finish`] finds the rest.
    recent: Vec<Seen>,
    /// How many names there were after the last clean-up.
    clean: usize,
}

/// Where a name was seen, and its number.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// As that of a [`Chain`].
    start: u32,
    /// The high bit says that the name has upper-case letters in the body. 0: nothing was seen.
    length: u32,
    number: u32,
}

impl Seen {
    const UPPER: u32 = 1 << 31;
    const NOTHING: Self = Self {
        start: 0,
        length: 0,
        number: 0,
    };
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
/// `recent` has so many places at first, and grows with the names up to so many.
const RECENT: usize = 64;
const MOST_RECENT: usize = 1 << 14;
/// More names than this are made to cost: there memory counts, and they are looked at by ranges of hashes.
const MANY: usize = if cfg!(test) { 32 } else { 1 << 19 };
/// Into so many ranges hashes are divided at most: each costs a look at all names.
const RANGES: usize = 16;
/// A name's chain is looked for among so many.
const BLOCK: usize = 64;
/// Parents longer than this are nobody's domain (RFC 1035, section 3.1), and a host can have a million of them.
const MAX_PARENT: usize = 253;

impl Domains {
    /// Of a call whose body was not read.
    pub(crate) const NONE: Self = Self {
        chains: Vec::new(),
        roles: Vec::new(),
        blocks: Vec::new(),
        arena: String::new(),
        long: Vec::new(),
        recent: Vec::new(),
        clean: 0,
    };

    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.roles.len()
    }

    /// A chain's first name as it lies there.
    fn source<'a>(&'a self, chain: Chain, body: &'a [u8]) -> &'a [u8] {
        let start = chain.start();
        let length = match chain.length {
            Chain::LONG => self
                .long
                .binary_search_by_key(&start, |(start, _)| *start)
                .ok()
                .and_then(|index| self.long.get(index))
                .map_or(0, |(_, length)| *length),
            length => u32::from(length),
        };
        let text = if chain.is_in_body() {
            body
        } else {
            self.arena.as_bytes()
        };
        text.get(start as usize..start.saturating_add(length) as usize)
            .unwrap_or_default()
    }

    /// The text of a chain's first name.
    fn text<'a>(&'a self, chain: Chain, body: &'a [u8]) -> Cow<'a, [u8]> {
        let text = self.source(chain, body);
        if chain.is_upper() {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        }
    }

    /// The text of the name that starts so far into a chain's text.
    fn tail<'a>(&'a self, chain: Chain, at: usize, body: &'a [u8]) -> Cow<'a, [u8]> {
        match self.text(chain, body) {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(at..).unwrap_or_default()),
            Cow::Owned(mut text) => {
                text.drain(..at.min(text.len()));
                Cow::Owned(text)
            }
        }
    }

    /// A name and its roles.
    pub(crate) fn get<'a>(&'a self, index: usize, body: &'a [u8]) -> Option<(Cow<'a, str>, Roles)> {
        let roles = *self.roles.get(index)?;
        let number = u32::try_from(index).ok()?;
        Some((as_text(self.name(number, body)?)?, roles))
    }

    /// The names from `number` on, up to the end of its chain.
    fn name<'a>(&'a self, number: u32, body: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let (chain, first) = self.chain_of(number)?;
        let mut at = 0;
        if number != first {
            let text = self.text(chain, body);
            at = (first..number).try_fold(0, |at, _| parent_at(&text, at))?;
        }
        Some(self.tail(chain, at, body))
    }

    /// A name as it lies there.
    fn source_of<'a>(&'a self, number: u32, body: &'a [u8]) -> Option<&'a [u8]> {
        let (chain, first) = self.chain_of(number)?;
        let text = self.source(chain, body);
        let at = (first..number).try_fold(0, |at, _| parent_at(text, at))?;
        text.get(at..)
    }

    /// The chain in which a name stands, and the number of its first name.
    fn chain_of(&self, number: u32) -> Option<(Chain, u32)> {
        if self.chains.len() == self.roles.len() {
            return Some((*self.chains.get(number as usize)?, number));
        }
        let block = self
            .blocks
            .partition_point(|first| *first <= number)
            .saturating_sub(1);
        let mut first = self.blocks.get(block).copied().unwrap_or_default();
        for chain in self.chains.get(block.saturating_mul(BLOCK)..)? {
            let next = first.saturating_add(chain.count());
            if number < next {
                return Some((*chain, first));
            }
            first = next;
        }
        None
    }

    /// All names and their roles, in order.
    pub(crate) fn iter<'a>(&'a self, body: &'a [u8]) -> Names<'a> {
        Names {
            domains: self,
            body,
            chains: self.chains.iter(),
            chain: None,
            number: 0,
        }
    }

    /// The numbers of the names for which the answer holds a role that was asked about. Left out is a name whose
    /// parent, the next name, is listed for the same roles.
    pub(crate) fn listed(&self, answers: &[Roles]) -> Vec<u32> {
        let listed_roles = |number: u32| self.listed_roles(answers, number);
        let visit = |visit: &mut dyn FnMut(u32)| {
            let mut first = 0_u32;
            for chain in &self.chains {
                let end = first.saturating_add(chain.count());
                let mut above = Roles::NONE;
                for number in (first..end).rev() {
                    let roles = listed_roles(number);
                    if !above.contains(roles) {
                        visit(number);
                        above |= roles;
                    }
                }
                first = end;
            }
        };
        let mut count = 0_usize;
        visit(&mut |_| count = count.saturating_add(1));
        let mut numbers = Vec::with_capacity(count);
        visit(&mut |number| numbers.push(number));
        numbers
    }

    /// For which roles the host has found a name listed; one that was not asked about says nothing.
    pub(crate) fn listed_roles(&self, answers: &[Roles], number: u32) -> Roles {
        let asked = self.roles.get(number as usize).copied().unwrap_or_default();
        let answer = answers.get(number as usize).copied().unwrap_or_default();
        answer.intersection(asked)
    }

    /// Adds a domain that stands at `span` of the body, in ASCII; `is_upper` says that it has upper-case letters.
    #[inline]
    pub(crate) fn insert_body(
        &mut self,
        span: Range<usize>,
        is_upper: bool,
        body: &[u8],
        roles: Roles,
    ) {
        let text = body.get(span.clone()).unwrap_or_default();
        if !is_upper && self.was_seen(text, body, roles) {
            return;
        }
        self.insert_new(text, span.start, is_upper, body, roles);
    }

    /// Whether a name in lower case was surely seen in these roles, and so its parents. Most were.
    #[inline]
    fn was_seen(&self, name: &[u8], body: &[u8], roles: Roles) -> bool {
        self.find_recent(name, body)
            .and_then(|number| self.roles.get(number as usize))
            .is_some_and(|known| known.contains(roles))
    }

    #[inline(never)]
    fn insert_new(&mut self, text: &[u8], start: usize, is_upper: bool, body: &[u8], roles: Roles) {
        let source = Source::Body { is_upper };
        if is_upper {
            let mut lower = Lower::default();
            self.insert(lower.of(text), start, source, body, roles);
        } else {
            self.insert(text, start, source, body, roles);
        }
        self.clean_up_now_and_then(body);
    }

    /// Adds a name and its parents. It lies at `start` of its source.
    #[inline]
    fn insert(&mut self, text: &[u8], start: usize, source: Source, body: &[u8], roles: Roles) {
        let mut at = Some(0);
        // Where the chain of new names starts, and how many they are.
        let mut new: Option<(usize, u32)> = None;
        while let Some(name_at) = at {
            let name = text.get(name_at..).unwrap_or_default();
            match self.note(name, body, roles) {
                Noted::Before => break,
                Noted::Now => {
                    if let Some((at, count)) = new.take() {
                        self.push(text, start, at, count, source, body, roles);
                    }
                }
                Noted::Not => {
                    let (at, count) = new.unwrap_or((name_at, 0));
                    new = Some((at, count.saturating_add(1)));
                }
            }
            at = parent_at(text, name_at);
        }
        if let Some((at, count)) = new {
            self.push(text, start, at, count, source, body, roles);
        }
    }

    /// Adds the domain of a valid entry of an address list.
    pub(crate) fn insert_entry(&mut self, entry: &Entry<'_>, body: &[u8], roles: Roles) {
        let is_in_body = body.get(entry.span.clone()) == Some(entry.text.as_bytes());
        match scan_ascii(entry.text.as_bytes()).filter(|_| is_in_body) {
            Some(scan) => {
                let at = entry.span.start.saturating_add(scan.at).saturating_add(1);
                self.insert_body(at..entry.span.end, scan.upper_domain, body, roles);
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
        let scan = scan_ascii(text.as_bytes());
        if let (Some(scan), Some(content)) = (scan, body.get(value.content())) {
            // As it stands in the body: what was trimmed off is ASCII or not, so the text is looked for.
            let lead = content
                .len()
                .saturating_sub(content.trim_ascii_start().len());
            let start = value.content().start.saturating_add(lead);
            let domain =
                start.saturating_add(scan.at).saturating_add(1)..start.saturating_add(text.len());
            if body.get(start..domain.end) == Some(text.as_bytes()) {
                self.insert_body(domain, scan.upper_domain, body, roles);
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
        // An address ends with a digit or a bracket.
        if host.len() <= MAX_PARENT && host.ends_with(|last: char| last.is_ascii_alphabetic()) {
            let start = self.arena.len();
            self.insert(host.as_bytes(), start, Source::Arena, body, roles);
            self.clean_up_now_and_then(body);
            return;
        }
        let mut parents_at = None;
        for name in domain::walk(host) {
            let is_host = *name == *host;
            if !is_host && name.len() > MAX_PARENT {
                continue;
            }
            if !is_host && host.ends_with(&*name) {
                // The parents come together.
                parents_at = Some(host.len().saturating_sub(name.len()));
                break;
            }
            // The host alone, or the IPv4 form of a mapped IPv6 host.
            match self.note(name.as_bytes(), body, roles) {
                Noted::Before => return,
                Noted::Now => {}
                Noted::Not if is_host && name.len() <= MAX_PARENT && !is_single(&name) => {
                    parents_at = Some(0);
                    break;
                }
                Noted::Not => {
                    let at = self.arena.len();
                    self.push(name.as_bytes(), at, 0, 1, Source::Arena, body, roles);
                }
            }
        }
        if let Some(at) = parents_at {
            let name = host.get(at..).unwrap_or_default();
            self.insert(
                name.as_bytes(),
                self.arena.len(),
                Source::Arena,
                body,
                roles,
            );
        }
        self.clean_up_now_and_then(body);
    }

    /// Notes `count` new names, the first of which starts `at` bytes into `text`, which lies or is to lie at `start`.
    #[expect(
        clippy::too_many_arguments,
        reason = "they are what a chain is made of"
    )]
    fn push(
        &mut self,
        text: &[u8],
        start: usize,
        at: usize,
        count: u32,
        source: Source,
        body: &[u8],
        roles: Roles,
    ) {
        let name = text.get(at..).unwrap_or_default();
        let (start, in_body, upper) = match source {
            Source::Body { is_upper } => (
                start.saturating_add(at),
                Chain::IN_BODY,
                if is_upper { Chain::UPPER } else { 0 },
            ),
            Source::Arena => (self.keep(name), 0, 0),
        };
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        let start = narrow(start) & !Chain::IN_BODY;
        let short = u8::try_from(name.len())
            .ok()
            .filter(|length| *length != Chain::LONG);
        if short.is_none() {
            self.long.push((start, narrow(name.len())));
        }
        let mut chain = Chain {
            start: start | in_body,
            length: short.unwrap_or(Chain::LONG),
            count: upper,
        };
        chain.set_count(count);
        let number = self.roles.len();
        if number == 0 {
            self.chains.reserve(2);
            self.roles.reserve(FEW);
        }
        reserve(&mut self.chains, 1);
        self.chains.push(chain);
        reserve(&mut self.roles, count as usize);
        self.roles
            .resize(number.saturating_add(chain.count() as usize), roles);
        if self.roles.len() > FEW {
            let places = self.recent.len();
            if places == 0 || (places < MOST_RECENT && self.roles.len() > places / 2) {
                let places = places.saturating_mul(4).clamp(RECENT, MOST_RECENT);
                self.recent = vec![Seen::NOTHING; places];
                self.remember_all(body);
            } else {
                remember(&mut self.recent, chain, narrow(number), name);
            }
        }
    }

    /// Keeps a name in the arena; where.
    fn keep(&mut self, name: &[u8]) -> usize {
        let start = self.arena.len();
        let text = core::str::from_utf8(name).unwrap_or_default();
        if self.arena.capacity().saturating_sub(start) < text.len() {
            // Doubling would cost more than the names.
            let more = (start / 16).max(text.len()).max(256);
            self.arena.reserve_exact(more);
        }
        self.arena.push_str(text);
        start
    }

    fn remember_all(&mut self, body: &[u8]) {
        let mut recent = core::mem::take(&mut self.recent);
        let mut number = 0;
        for chain in &self.chains {
            let text = self.text(*chain, body);
            remember(&mut recent, *chain, number, &text);
            number = number.saturating_add(chain.count());
        }
        self.recent = recent;
    }

    /// Finds most of the names that were added before, and adds the roles to what it finds.
    #[inline]
    fn note(&mut self, name: &[u8], body: &[u8], roles: Roles) -> Noted {
        let number = if self.recent.is_empty() {
            self.find(name, body)
        } else {
            self.find_recent(name, body)
        };
        let Some(known) = number.and_then(|number| self.roles.get_mut(number as usize)) else {
            return Noted::Not;
        };
        if known.contains(roles) {
            return Noted::Before;
        }
        *known |= roles;
        Noted::Now
    }

    #[inline]
    fn find_recent(&self, name: &[u8], body: &[u8]) -> Option<u32> {
        let seen = self.recent.get(place_of(&self.recent, name)?)?;
        let length = (seen.length & !Seen::UPPER) as usize;
        if length != name.len() {
            return None;
        }
        let text = if seen.start & Chain::IN_BODY == 0 {
            self.arena.as_bytes()
        } else {
            body
        };
        let start = (seen.start & !Chain::IN_BODY) as usize;
        let text = text.get(start..start.saturating_add(length))?;
        let is_same = if seen.length & Seen::UPPER == 0 {
            text == name
        } else {
            text.eq_ignore_ascii_case(name)
        };
        is_same.then_some(seen.number)
    }

    /// The number of a name among few.
    fn find(&self, name: &[u8], body: &[u8]) -> Option<u32> {
        let mut first = 0_u32;
        for chain in &self.chains {
            let next = first.saturating_add(chain.count());
            let text = self.text(*chain, body);
            if let Some(labels) = text.strip_suffix(name)
                && labels.last().is_none_or(|last| *last == b'.')
            {
                let above = labels.iter().filter(|byte| **byte == b'.').count();
                let number = first.saturating_add(u32::try_from(above).unwrap_or(u32::MAX));
                if number < next {
                    return Some(number);
                }
            }
            first = next;
        }
        None
    }
}

/// Tells most names apart, for a table that may forget: eight bytes at a time, and the last eight.
#[inline]
fn quick_hash(name: &[u8]) -> usize {
    /// As in Fx hashing: any odd number without a pattern.
    const FACTOR: u64 = 0xF135_7AEA_2E62_A9C5;
    let mixed = |hash: u64, word: &[u8; 8]| {
        (hash.rotate_left(26) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR)
    };
    let (words, rest) = name.as_chunks::<8>();
    let hash = words.iter().fold(0, mixed);
    let hash = match name.last_chunk::<8>() {
        Some(last) => mixed(hash, last),
        None => rest.iter().fold(hash, |hash, byte| {
            mixed(hash, &[*byte, 0, 0, 0, 0, 0, 0, 0])
        }),
    };
    (hash >> 32) as usize
}

/// Remembers the names of a chain, of which `text` is the first and has the number `first`.
fn remember(recent: &mut [Seen], chain: Chain, first: u32, text: &[u8]) {
    let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
    let is_upper = if chain.is_upper() { Seen::UPPER } else { 0 };
    let mut at = 0;
    for number in first..first.saturating_add(chain.count()) {
        let name = text.get(at..).unwrap_or_default();
        if let Some(slot) = place_of(recent, name).and_then(|place| recent.get_mut(place)) {
            *slot = Seen {
                start: chain.start.saturating_add(narrow(at)),
                length: narrow(name.len()) | is_upper,
                number,
            };
        }
        let Some(parent) = parent_at(text, at) else {
            break;
        };
        at = parent;
    }
}

/// The place of a name in `recent`, whose length is a power of two.
#[inline]
fn place_of(recent: &[Seen], name: &[u8]) -> Option<usize> {
    Some(quick_hash(name) & recent.len().checked_sub(1)?)
}

/// Room for a domain in lower case.
struct Lower([u8; MAX_PARENT]);

impl Default for Lower {
    fn default() -> Self {
        Self([0; MAX_PARENT])
    }
}

impl Lower {
    /// The domain in lower case; nothing of what is longer than any domain.
    fn of(&mut self, domain: &[u8]) -> &[u8] {
        let Some(lower) = self.0.get_mut(..domain.len()) else {
            return &[];
        };
        lower.copy_from_slice(domain);
        lower.make_ascii_lowercase();
        lower
    }
}

/// Where the parent of the name at `at` starts; none of a name of two labels or fewer.
#[inline]
fn parent_at(text: &[u8], at: usize) -> Option<usize> {
    let dot = memchr::memchr(b'.', text.get(at..)?)?;
    let parent = at.saturating_add(dot).saturating_add(1);
    memchr::memchr(b'.', text.get(parent..)?)?;
    Some(parent)
}

/// Whether a host is an IP address: it has no parents, dots or not.
fn is_single(host: &str) -> bool {
    domain::walk(host).nth(1).is_none() || host.starts_with('[')
}

fn as_text(name: Cow<'_, [u8]>) -> Option<Cow<'_, str>> {
    match name {
        Cow::Borrowed(name) => core::str::from_utf8(name).ok().map(Cow::Borrowed),
        Cow::Owned(name) => String::from_utf8(name).ok().map(Cow::Owned),
    }
}

/// Makes room for more items. Of many, doubling would cost more than the items.
fn reserve<T>(items: &mut Vec<T>, more: usize) {
    let room = items.capacity().saturating_sub(items.len());
    if room < more && items.len() >= MANY {
        items.reserve_exact((items.len() / 16).max(more));
    }
}

#[cfg(test)]
mod tests;
