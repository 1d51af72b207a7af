//! Texts that try to break out of their place.

/// A generator of numbers that are the same in every run.
pub struct Dice(u64);

const PIECES: [&str; 48] = [
    "\r\n",
    "\r",
    "\n",
    "\0",
    "\r\n.\r\n",
    "\n.\n",
    "\r\n..\r\n",
    ".",
    "..",
    "\r\n\r\n",
    "\r\nBcc: <victim@other.example>\r\n",
    "\nSubject: other\n",
    "Bcc: victim@other.example",
    "=?utf-8?b?SGVsbG8=?=",
    "=?utf-8?q?=0D=0ABcc:_x?=",
    "=?",
    "?=",
    "=?us-ascii?q?",
    "{{ firstName }}",
    "{{",
    "}}",
    "{%",
    "%}",
    "{% if extra1 %}",
    "{#",
    "{{ 7 * 7 }}",
    "\u{202e}",
    "\u{200b}",
    "\u{2028}",
    "\u{85}",
    "\u{feff}",
    "\"",
    "\\",
    "\"<victim@other.example>\"",
    "<",
    ">",
    ",",
    ";",
    ":",
    "(",
    ")",
    "@",
    "RCPT TO:<victim@other.example>\r\n",
    "é",
    "😀",
    "--=_00000000000000000000000000000001--",
    "\t",
    "  ",
];

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % bound
    }

    pub fn is_one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// A hostile text. One in fifty is very long.
    pub fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(8) {
            if self.is_one_in(3) {
                text += ["a", "word ", "Hello", "0", " "][self.below(5)];
            }
            text += PIECES[self.below(PIECES.len())];
        }
        if self.is_one_in(50) {
            let long = ["x", "é", "=?", " ", "a ", "\r\n.\r\n"][self.below(6)];
            text += &long.repeat(500 + self.below(1_500));
        }
        text
    }
}
