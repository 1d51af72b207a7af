//! The list of active formatting elements, and the adoption agency (WHATWG HTML, sections 13.2.4.3 and 13.2.6.4.7).

use super::super::names::Name;
use super::elements::{Element, Namespace, special};
use super::{Formatting, Tag, Tree};

impl Tree {
    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if matches!(entry, Formatting::Marker) {
                return;
            }
        }
    }

    pub(super) fn formatting_position(&mut self, id: u32) -> Option<usize> {
        self.work = self.work.saturating_add(self.formatting.len());
        self.formatting.iter().position(
            |entry| matches!(entry, Formatting::Element { id: other, .. } if *other == id),
        )
    }

    /// The last formatting element of this name after the last marker.
    pub(super) fn last_formatting(&mut self, name: Name) -> Option<(usize, u32, Tag)> {
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            self.work = self.work.saturating_add(1);
            match entry {
                Formatting::Marker => return None,
                Formatting::Element { id, tag } if tag.name == name => {
                    return Some((index, *id, *tag));
                }
                Formatting::Element { .. } => {}
            }
        }
        None
    }

    pub(super) fn is_marker_or_open(&mut self, entry: Formatting) -> bool {
        match entry {
            Formatting::Marker => true,
            Formatting::Element { id, .. } => self.is_open(id),
        }
    }

    pub(super) fn reconstruct(&mut self) {
        let Some(last) = self.formatting.last().copied() else {
            return;
        };
        if self.is_marker_or_open(last) {
            return;
        }
        let mut index = self.formatting.len().saturating_sub(1);
        while let Some(before) = index.checked_sub(1) {
            let Some(entry) = self.formatting.get(before).copied() else {
                break;
            };
            if self.is_marker_or_open(entry) {
                break;
            }
            index = before;
        }
        while let Some(Formatting::Element { tag, .. }) = self.formatting.get(index).copied() {
            self.work = self.work.saturating_add(1);
            let id = self.insert(tag).id;
            if let Some(entry) = self.formatting.get_mut(index) {
                *entry = Formatting::Element { id, tag };
            }
            index = index.saturating_add(1);
            if self.exhausted() {
                return;
            }
        }
    }

    pub(super) fn insert_formatting(&mut self, tag: Tag) {
        let mut same: usize = 0;
        let mut earliest = None;
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            self.work = self.work.saturating_add(1);
            match entry {
                Formatting::Marker => break,
                Formatting::Element { tag: other, .. }
                    if other.name == tag.name && other.fingerprint == tag.fingerprint =>
                {
                    earliest = Some(index);
                    same = same.saturating_add(1);
                }
                Formatting::Element { .. } => {}
            }
        }
        if same >= 3
            && let Some(index) = earliest
        {
            self.formatting.remove(index);
        }
        let id = self.insert(tag).id;
        self.formatting.push(Formatting::Element { id, tag });
    }

    pub(super) fn adoption_agency(&mut self, name: Name) {
        if let Some(current) = self.open.last().copied()
            && current.is(name)
            && self.formatting_position(current.id).is_none()
        {
            self.pop();
            return;
        }
        for _ in 0..8 {
            let Some((entry, id, tag)) = self.last_formatting(name) else {
                self.close_in_body(name);
                return;
            };
            let Some(index) = self.position(id) else {
                self.formatting.remove(entry);
                return;
            };
            if !self.in_scope(Element::ends_default_scope, |element| element.id == id) {
                return;
            }
            let furthest = self
                .open
                .iter()
                .enumerate()
                .skip(index)
                .find(|(_, element)| element.one_of(special));
            self.work = self
                .work
                .saturating_add(self.open.len().saturating_sub(index));
            let Some((furthest_index, furthest)) =
                furthest.map(|(index, element)| (index, *element))
            else {
                self.open.truncate(index);
                self.formatting.remove(entry);
                return;
            };
            self.adopt(id, tag, furthest_index, furthest.id);
        }
    }

    pub(super) fn adopt(&mut self, id: u32, tag: Tag, furthest_index: usize, furthest: u32) {
        let mut bookmark = None;
        let mut index = furthest_index;
        let mut count: usize = 0;
        let mut last = furthest;
        while let Some(before) = index.checked_sub(1) {
            index = before;
            count = count.saturating_add(1);
            let Some(node) = self.open.get(index).copied() else {
                break;
            };
            if node.id == id {
                break;
            }
            let entry = self.formatting_position(node.id);
            if count > 3 {
                if let Some(entry) = entry {
                    self.formatting.remove(entry);
                }
                self.remove(index);
                continue;
            }
            let Some(entry) = entry else {
                self.remove(index);
                continue;
            };
            self.next_id = self.next_id.wrapping_add(1);
            let new = self.next_id;
            if let Some(Formatting::Element { id, .. }) = self.formatting.get_mut(entry) {
                *id = new;
            }
            if let Some(element) = self.open.get_mut(index) {
                element.id = new;
                element.namespace = Namespace::Html;
            }
            if last == furthest {
                bookmark = Some(new);
            }
            last = new;
        }
        self.next_id = self.next_id.wrapping_add(1);
        let new = Element {
            namespace: Namespace::Html,
            name: tag.name,
            id: self.next_id,
            annotation: false,
        };
        let entry = Formatting::Element { id: new.id, tag };
        let old = self.formatting_position(id);
        match bookmark.and_then(|after| self.formatting_position(after)) {
            None => {
                if let Some(slot) = old.and_then(|old| self.formatting.get_mut(old)) {
                    *slot = entry;
                }
            }
            Some(after) => {
                self.formatting.insert(after.saturating_add(1), entry);
                if let Some(old) = self.formatting_position(id) {
                    self.formatting.remove(old);
                }
            }
        }
        if let Some(index) = self.position(id) {
            self.remove(index);
        }
        if let Some(index) = self.position(furthest) {
            self.work = self
                .work
                .saturating_add(self.open.len().saturating_sub(index) / 8);
            self.open.insert(index.saturating_add(1), new);
        }
    }
}
