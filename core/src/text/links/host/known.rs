//! A cache of the hosts of texts. Most readings of a link end in the same text, and a mail names few hosts.

use alloc::string::String;
use alloc::vec::Vec;

use super::name::{visit_host, without_beginning};
use super::plain::is_plain_host;
use crate::bytes::distinct::hash;
use crate::bytes::text_part;

/// Texts, each with the hosts by which it is judged. The hash of a text selects its slot, where it overwrites another text.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct KnownHosts {
    /// Empty before the first look-up.
    texts: Vec<Known>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    text: Vec<u8>,
    /// The hosts, each directly after the one before.
    hosts: String,
    ends: Vec<usize>,
}

impl KnownHosts {
    /// The number of slots.
    const SLOTS: usize = 128;
    /// The length of the longest text that is cached.
    const LONGEST: usize = 512;

    /// [`visit_host`] of a text, which need not be UTF-8. Returns whether the text has a host.
    pub(in super::super) fn visit(&mut self, text: &[u8], visit: &mut impl FnMut(&str)) -> bool {
        let text = match text.len() > Self::LONGEST {
            true => without_beginning(text),
            false => text,
        };
        if is_plain_host(text)
            && let Ok(text) = core::str::from_utf8(text)
        {
            visit(text);
            return true;
        }
        if text.len() > Self::LONGEST {
            let mut has_host = false;
            visit_host(&String::from_utf8_lossy(text), &mut |host| {
                has_host = true;
                visit(host);
            });
            return has_host;
        }
        if self.texts.is_empty() {
            self.texts.resize_with(Self::SLOTS, Known::default);
        }
        let slot = hash(text) as usize % Self::SLOTS;
        let Some(known) = self.texts.get_mut(slot) else {
            return false;
        };
        if known.text != text {
            known.text.clear();
            known.text.extend_from_slice(text);
            known.hosts.clear();
            known.ends.clear();
            visit_host(&String::from_utf8_lossy(text), &mut |host| {
                known.hosts.push_str(host);
                known.ends.push(known.hosts.len());
            });
        }
        let mut begin = 0;
        for end in &known.ends {
            visit(text_part(&known.hosts, begin..*end));
            begin = *end;
        }
        !known.ends.is_empty()
    }
}

#[cfg(test)]
mod tests;
