//! Adding domains. Most of those that a call uses were seen before.

use core::iter;
use core::ops::Range;

use super::chain::Chain;
use super::recent::{Place, Recent};
use super::{DomainRoles, Domains, FEW, LONG_END, MANY, MAX_PARENT, Parents, room};
use crate::bytes::distinct::hash;
use crate::bytes::{part, rest};
use crate::text::address::{self, Scan, scan_ascii};
use crate::text::domain;
use crate::wire::address::SentAddress;
use crate::wire::entries::Entry;

/// Where the text of a chain's first name lies.
#[derive(Clone, Copy)]
enum Source {
    /// At this offset of the body.
    Body { start: usize, is_upper: bool },
    /// Nowhere yet: it is to be kept in the arena.
    Arena,
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

impl Domains {
    /// Adds a domain that stands at `span` of the body, in ASCII; `is_upper` says that it has upper-case letters.
    #[inline]
    pub(crate) fn insert_body(
        &mut self,
        span: Range<usize>,
        is_upper: bool,
        body: &[u8],
        roles: DomainRoles,
    ) {
        let text = part(body, span.clone());
        if !is_upper && self.was_seen(text, body, roles) {
            return;
        }
        self.insert_new(span, is_upper, body, roles);
    }

    /// Whether a name in lower case is known to have these roles. Then its parents have them, too.
    #[inline]
    fn was_seen(&mut self, name: &[u8], body: &[u8], roles: DomainRoles) -> bool {
        // Hashing a name in vain would cost a call of sendMailer one per cent.
        if self.recent.is_new() {
            return false;
        }
        self.recent
            .find_name(name, body, &self.arena)
            .and_then(|number| self.roles.get(number as usize))
            .is_some_and(|known| known.contains(roles))
    }

    #[inline(never)]
    fn insert_new(&mut self, span: Range<usize>, is_upper: bool, body: &[u8], roles: DomainRoles) {
        let start = span.start;
        let source = Source::Body { start, is_upper };
        let parents = Parents::of(rest(body, start), span.len());
        let mut lower;
        let text = if is_upper {
            lower = Lower::default();
            lower.of(parents.name())
        } else {
            parents.name()
        };
        self.insert(text, parents, source, body, roles);
        self.clean_up_now_and_then(body);
    }

    /// Adds a name, `text`, and its parents.
    #[inline]
    fn insert(
        &mut self,
        text: &[u8],
        mut parents: Parents<'_>,
        source: Source,
        body: &[u8],
        roles: DomainRoles,
    ) {
        let mut name_at = 0;
        // Where the chain of new names starts, and how many they are.
        let mut new: Option<(usize, u32)> = None;
        loop {
            let name = rest(text, name_at);
            match self.note(name, body, roles) {
                Noted::Before => break,
                Noted::Now => {
                    if let Some((at, count)) = new.take() {
                        self.push(text, at, count, source, body, roles);
                    }
                }
                Noted::Not => {
                    let (at, count) = new.unwrap_or((name_at, 0));
                    new = Some((at, count.saturating_add(1)));
                }
            }
            match parents.next() {
                Some(parent) => name_at = parent,
                None => break,
            }
        }
        if let Some((at, count)) = new {
            self.push(text, at, count, source, body, roles);
        }
    }

    /// Adds the domain of an ordinary address, which starts at `start` of the body.
    #[inline]
    pub(crate) fn insert_scanned(
        &mut self,
        start: usize,
        scan: Scan,
        body: &[u8],
        roles: DomainRoles,
    ) {
        let domain =
            start.saturating_add(scan.at()).saturating_add(1)..start.saturating_add(scan.len());
        self.insert_body(domain, scan.upper_domain(), body, roles);
    }

    /// Adds the domain of a valid entry of an address list.
    pub(crate) fn insert_entry(&mut self, entry: &Entry<'_>, body: &[u8], roles: DomainRoles) {
        let text = &*entry.text;
        let is_in_body = part(body, entry.span.clone()) == text.as_bytes();
        match scan_ascii(text.as_bytes()).filter(|_| is_in_body) {
            Some(scan) => self.insert_scanned(entry.span.start, scan, body, roles),
            None => {
                if let Ok(address) = address::parse(text) {
                    self.insert_host(&address.domain(), body, roles);
                }
            }
        }
    }

    /// Adds the domain of an address that was read before.
    pub(crate) fn insert_sent(&mut self, address: &SentAddress, body: &[u8], roles: DomainRoles) {
        match address {
            SentAddress::Plain { start, scan } => {
                self.insert_scanned(*start as usize, *scan, body, roles);
            }
            SentAddress::Other(texts) => self.insert_host(texts.domain(), body, roles),
        }
    }

    /// Adds a host in canonical form.
    pub(crate) fn insert_host(&mut self, host: &str, body: &[u8], roles: DomainRoles) {
        let host = host.strip_suffix('.').unwrap_or(host);
        let is_numeric = domain::is_numeric(host);
        if !is_numeric && (1..=MAX_PARENT).contains(&host.len()) {
            self.insert_kept(host, body, roles);
        } else {
            for name in domain::walk(host) {
                if !is_numeric && name.len() <= MAX_PARENT {
                    // Its parents are all that is left of the walk.
                    self.insert_kept(&name, body, roles);
                    break;
                }
                if is_numeric || name.len() == host.len() {
                    let alone = Parents::NONE;
                    self.insert(name.as_bytes(), alone, Source::Arena, body, roles);
                }
            }
        }
        self.clean_up_now_and_then(body);
    }

    /// Adds a name that is to be kept in the arena, and its parents.
    fn insert_kept(&mut self, name: &str, body: &[u8], roles: DomainRoles) {
        let text = name.as_bytes();
        let parents = Parents::of(text, text.len());
        self.insert(text, parents, Source::Arena, body, roles);
    }

    /// Adds a chain of `count` new names. The first starts `at` bytes into `text`, which lies in the source.
    fn push(
        &mut self,
        text: &[u8],
        at: usize,
        count: u32,
        source: Source,
        body: &[u8],
        roles: DomainRoles,
    ) {
        let name = rest(text, at);
        let (start, in_body, upper) = match source {
            Source::Body { start, is_upper } => (
                start.saturating_add(at),
                Chain::IN_BODY,
                if is_upper { Chain::UPPER } else { 0 },
            ),
            Source::Arena => (self.keep(name), 0, 0),
        };
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        let start = narrow(start) & !Chain::IN_BODY;
        let mut chain = Chain {
            start: start | in_body,
            length: u8::try_from(name.len()).unwrap_or(Chain::LONG),
            count: upper,
        };
        chain.set_count(count);
        let number = self.roles.len();
        if number >= MANY {
            self.make_room(count as usize);
        }
        self.chains.push(chain);
        match chain.count() {
            1 => self.roles.push(roles),
            count => self
                .roles
                .resize(number.saturating_add(count as usize), roles),
        }
        if self.roles.len() > FEW {
            if self.recent.is_new() {
                self.remember_all(body);
            } else {
                remember(&mut self.recent, chain, narrow(number), name);
            }
        }
    }

    /// Makes room among many names for a chain of `count`.
    #[cold]
    fn make_room(&mut self, count: usize) {
        if let Some(more) = room(self.chains.len(), self.chains.capacity(), 1) {
            self.chains.reserve_exact(more);
        }
        if let Some(more) = room(self.roles.len(), self.roles.capacity(), count) {
            self.roles.reserve_exact(more);
        }
    }

    /// Copies a name into the arena, and says where it starts.
    fn keep(&mut self, name: &[u8]) -> usize {
        let start = self.arena.len();
        // Hosts are handed over as text.
        let text = core::str::from_utf8(name).unwrap_or_default();
        if self.arena.capacity().saturating_sub(start) <= text.len() {
            // Doubling would take more memory than the names.
            let more = (start / 16).max(text.len().saturating_add(1)).max(256);
            self.arena.reserve_exact(more);
        }
        self.arena.push_str(text);
        if text.len() >= Chain::LONG.into() {
            self.arena.push(LONG_END.into());
        }
        start
    }

    fn remember_all(&mut self, body: &[u8]) {
        let mut recent = Recent::default();
        let mut number = 0;
        for chain in &self.chains {
            let text = chain.asked(self.source(*chain, body));
            remember(&mut recent, *chain, number, &text);
            number = number.saturating_add(chain.count());
        }
        self.recent = recent;
    }

    /// The number of a name, when there are so few that comparing them all takes less than a table.
    fn find_among_few(&self, name: &[u8], body: &[u8]) -> Option<u32> {
        let mut first = 0_u32;
        for chain in &self.chains {
            let next = first.saturating_add(chain.count());
            let text = chain.asked(self.source(*chain, body));
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

    /// Adds the roles to a name that was added before, if it is found.
    #[inline]
    fn note(&mut self, name: &[u8], body: &[u8], roles: DomainRoles) -> Noted {
        let number = if self.recent.is_new() {
            self.find_among_few(name, body)
        } else {
            self.recent.find_name(name, body, &self.arena)
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
}

/// Remembers the names of a chain, of which `text` is the first, in lower case, and has the number `first`.
fn remember(recent: &mut Recent, chain: Chain, first: u32, text: &[u8]) {
    let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
    let starts = iter::once(0).chain(Parents::of(text, text.len()));
    for (at, number) in starts.zip(first..first.saturating_add(chain.count())) {
        let name = rest(text, at);
        let place = Place {
            start: chain.start.saturating_add(narrow(at)),
            length: narrow(name.len()),
            number,
            hash: hash(name),
            is_upper: chain.is_upper(),
        };
        recent.put(place);
    }
}

/// Room for a domain in lower case.
pub(super) struct Lower([u8; MAX_PARENT]);

impl Default for Lower {
    fn default() -> Self {
        Self([0; MAX_PARENT])
    }
}

impl Lower {
    /// The domain in lower case; nothing of what is longer than any domain.
    pub(super) fn of(&mut self, domain: &[u8]) -> &[u8] {
        let Some(lower) = self.0.get_mut(..domain.len()) else {
            return &[];
        };
        lower.copy_from_slice(domain);
        lower.make_ascii_lowercase();
        lower
    }
}
