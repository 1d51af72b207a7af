//! A walk over the characters of soup: what may stand between two of them is left out.

use alloc::vec::Vec;
use core::cell::{OnceCell, RefCell};

use hashbrown::HashMap;

use super::super::work;
use super::ends::{End, Ends};

/// One of the ways to read a text: a set of these, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Manner(u8);

impl Manner {
    /// Escapes of CSS are resolved.
    const CSS: Self = Self(1);
    /// Tabs, line breaks, NULs and the escapes of ISO-2022-JP are left out.
    const CLEAN: Self = Self(2);
    /// A tag ends outside quotes.
    const QUOTED: Self = Self(4);
    /// Comments and processing instructions end as in XML.
    const XML: Self = Self(8);
    /// Markup is not left out: in an attribute it is a part of the URL.
    const LITERAL: Self = Self(16);
    /// Escapes of JSON are resolved. To CSS `\u0061` is a `u` and four digits.
    const JSON: Self = Self(32);

    /// How many there are.
    pub(super) const COUNT: usize = 64;

    /// All manners that differ from one another. Each comes behind those that are a part of it.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        // Where markup is not left out, it makes no difference where it ends. Escapes of JSON are met where those of CSS are
        // resolved.
        (0..Self::COUNT as u8)
            .map(Self)
            .filter(|manner| !manner.has(Self::LITERAL) || !manner.has(Self::QUOTED.or(Self::XML)))
            .filter(|manner| !manner.has(Self::JSON) || manner.has(Self::CSS))
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of the manner in which markup ends.
    const fn ends(self) -> usize {
        (self.0 & Self::QUOTED.or(Self::XML).0) as usize / Self::QUOTED.0 as usize
    }

    /// Whether all of this is in the other set.
    pub(super) const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A text, and what is known about it.
#[derive(Debug)]
pub(super) struct Text<'t> {
    pub(super) bytes: &'t [u8],
    ends: OnceCell<Ends>,
    /// A row is markup that follows other markup directly. For some places in each, by the manners in which markup ends
    /// differently: where the row ends, and the kinds from there to its end. Without these, walks that begin at each place of
    /// a row would take quadratic time.
    rows: [RefCell<Rows>; 4],
}

type Rows = HashMap<usize, (usize, u8), foldhash::fast::FixedState>;

/// The number of places in a row between two entries of [`Text::rows`].
const ROW: usize = 16;

impl<'t> Text<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self {
            bytes,
            ends: OnceCell::new(),
            rows: Default::default(),
        }
    }

    fn after(&self, end: End, from: usize) -> Option<usize> {
        let ends = self.ends.get_or_init(|| Ends::new(self.bytes));
        ends.after(self.bytes, end, from)
    }

    /// Where the markup ends that begins at `at`, and the manner in which it ends elsewhere.
    fn skip_one(&self, at: usize, manner: Manner) -> Option<(usize, Manner)> {
        let rest = self.bytes.get(at..)?;
        let behind = |length| at.saturating_add(length);
        let after = |end, length| self.after(end, behind(length));
        let whole = |length| Some((behind(length), Manner::default()));
        match rest {
            [b']', b']', b'>', ..] => whole(3),
            [b']', ..] => None,
            _ if rest.starts_with(b"<![CDATA[") => whole(9),
            // `<!-->` is a comment to HTML, and the beginning of one to XML.
            [_, b'!', b'-', b'-', ..] => choose(
                (after(End::Comment, 2), after(End::XmlComment, 4)),
                manner,
                Manner::XML,
            ),
            [_, b'?', ..] => choose(
                (after(End::Tag, 2), after(End::Instruction, 2)),
                manner,
                Manner::XML,
            ),
            _ => choose(
                (after(End::Tag, 1), after(End::Quoted, 1)),
                manner,
                Manner::QUOTED,
            ),
        }
    }

    /// The same for all markup that follows directly.
    fn skip(&self, at: usize, manner: Manner) -> Option<Skipped> {
        let (mut end, mut differs) = self.skip_one(at, manner)?;
        let first = self.kind(at);
        let rows = self.rows.get(manner.ends())?;
        // Places for `rows`, and the kinds from there to the next of them.
        let mut passed: Vec<(usize, u8)> = Vec::new();
        let mut kinds = 0;
        let mut since = 0;
        let mut count: usize = 0;
        while matches!(self.bytes.get(end), Some(b'<' | b']')) {
            if let Some((last, known)) = rows.borrow().get(&end) {
                end = *last;
                differs = Manner::QUOTED.or(Manner::XML);
                kinds = *known;
                break;
            }
            let Some((next, differs_too)) = self.skip_one(end, manner) else {
                break;
            };
            count = count.saturating_add(1);
            if count.is_multiple_of(ROW) {
                passed.push((end, 0));
            }
            match passed.last_mut() {
                Some((_, kinds)) => *kinds |= self.kind(end),
                None => since |= self.kind(end),
            }
            differs = differs.or(differs_too);
            end = next;
        }
        for (begin, since) in passed.into_iter().rev() {
            kinds |= since;
            rows.borrow_mut().insert(begin, (end, kinds));
        }
        Some(Skipped {
            end,
            differs: differs.or(Manner::LITERAL),
            kinds: first | since | kinds,
        })
    }

    /// The kind of the markup at `at`, as a bit. Nothing at all is `</>` to HTML, so that it ends no text.
    fn kind(&self, at: usize) -> u8 {
        match self.bytes.get(at.saturating_add(1)..) {
            Some([b'!', b'[', ..]) => CDATA,
            Some([b'!' | b'?' | b']', ..]) => 1,
            Some([b'/', b'>', ..]) => 2,
            _ => 4,
        }
    }
}

/// The kind of the mark that begins CDATA.
pub(super) const CDATA: u8 = 8;

/// What was left out in one place.
struct Skipped {
    end: usize,
    /// The manners in which it ends elsewhere.
    differs: Manner,
    kinds: u8,
}

/// The one of the two ends that counts in this manner, the second if the manner has `which`; and `which` if they differ.
fn choose(
    ends: (Option<usize>, Option<usize>),
    manner: Manner,
    which: Manner,
) -> Option<(usize, Manner)> {
    let end = if manner.has(which) { ends.1 } else { ends.0 };
    let differs = if ends.0 == ends.1 {
        Manner::default()
    } else {
        which
    };
    Some((end?, differs))
}

/// A walk from one position on.
#[derive(Clone, Debug)]
pub(super) struct Walk<'a, 't> {
    text: &'a Text<'t>,
    pub(super) at: usize,
    manner: Manner,
    /// The manners in which the walk would have read something else.
    pub(super) met: Manner,
    /// The kinds of markup that was left out, as bits.
    pub(super) skipped: u8,
    /// The rest of a character that an escape stands for.
    rest: [u8; 3],
    rest_length: usize,
}

impl<'a, 't> Walk<'a, 't> {
    pub(super) fn new(text: &'a Text<'t>, at: usize, manner: Manner) -> Self {
        Self {
            text,
            at,
            manner,
            met: Manner::default(),
            skipped: 0,
            rest: [0; 3],
            rest_length: 0,
        }
    }

    pub(super) const fn manner(&self) -> Manner {
        self.manner
    }

    /// The next byte that is not left out.
    fn raw(&mut self) -> Option<u8> {
        loop {
            work::count(1);
            let byte = *self.text.bytes.get(self.at)?;
            match byte {
                b'<' | b']' if !self.manner.has(Manner::LITERAL) => {
                    let skipped = self.text.skip(self.at, self.manner);
                    if let Some(skipped) = skipped {
                        self.at = skipped.end;
                        self.met = self.met.or(skipped.differs);
                        self.skipped |= skipped.kinds;
                        continue;
                    }
                }
                b'\t' | b'\n' | b'\r' | 0 | 0x1b => {
                    let length = left_out(self.text.bytes, self.at);
                    if length > 0 {
                        if self.manner.has(Manner::CLEAN) {
                            self.at = self.at.saturating_add(length);
                            continue;
                        }
                        self.met = self.met.or(Manner::CLEAN);
                    }
                }
                _ => {}
            }
            self.at = self.at.saturating_add(1);
            return Some(byte);
        }
    }

    /// The next byte of what is read.
    pub(super) fn next(&mut self) -> Option<u8> {
        if self.rest_length > 0 {
            self.rest_length = self.rest_length.saturating_sub(1);
            let [first, second, third] = self.rest;
            self.rest = [second, third, 0];
            return Some(first);
        }
        loop {
            let byte = self.raw()?;
            if byte != b'\\' {
                return Some(byte);
            }
            if !self.manner.has(Manner::CSS) {
                self.met = self.met.or(Manner::CSS);
                return Some(byte);
            }
            if let Some(byte) = self.escaped() {
                if matches!(byte, b'\t' | b'\n' | b'\r') {
                    if self.manner.has(Manner::CLEAN) {
                        continue;
                    }
                    self.met = self.met.or(Manner::CLEAN);
                }
                return Some(byte);
            }
        }
    }

    /// What the escape stands for whose backslash is read; none for an escaped line break.
    fn escaped(&mut self) -> Option<u8> {
        let mut code: u32 = 0;
        let mut digits = 0;
        loop {
            let before = (self.at, self.skipped);
            let byte = self.raw();
            let digit = byte.and_then(|byte| char::from(byte).to_digit(16));
            match digit.filter(|_| digits < 6) {
                Some(digit) => {
                    code = code.saturating_mul(16).saturating_add(digit);
                    digits += 1;
                }
                // An escape of JSON has four digits behind it.
                None if digits == 0 && byte == Some(b'u') => {
                    let before = (self.at, self.skipped);
                    let found = self.json_digits();
                    if let Some(found) = found
                        && self.manner.has(Manner::JSON)
                    {
                        code = found;
                        break;
                    }
                    if found.is_some() {
                        self.met = self.met.or(Manner::JSON);
                    }
                    (self.at, self.skipped) = before;
                    return byte;
                }
                None if digits == 0 => {
                    return byte.filter(|byte| !matches!(byte, b'\n' | b'\r' | b'\x0c'));
                }
                None => {
                    if !byte.is_some_and(|byte| byte.is_ascii_whitespace()) {
                        (self.at, self.skipped) = before;
                    }
                    break;
                }
            }
        }
        let mut buffer = [0; 4];
        let character = char::from_u32(code).filter(|character| *character != '\0');
        let encoded = character.unwrap_or('\u{fffd}').encode_utf8(&mut buffer);
        self.rest_length = encoded.len().saturating_sub(1);
        let [first, rest @ ..] = buffer;
        self.rest = rest;
        Some(first)
    }
}

impl Walk<'_, '_> {
    /// The character of the four digits of an escape of JSON, if they stand here.
    fn json_digits(&mut self) -> Option<u32> {
        let mut code: u32 = 0;
        for _ in 0..4 {
            let digit = char::from(self.raw()?).to_digit(16)?;
            code = code.saturating_mul(16).saturating_add(digit);
        }
        Some(code)
    }
}

/// How many bytes begin at `at` that some readers leave out: of a control, or of an escape of ISO-2022-JP.
pub(super) fn left_out(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'\t' | b'\n' | b'\r' | 0, ..]) => 1,
        Some([0x1b, b'$', b'(', b'@'..=b'Z', ..]) => 4,
        Some([0x1b, b'(' | b'$', b'@'..=b'Z', ..]) => 3,
        _ => 0,
    }
}
