//! Newsletters as shops send them: nested tables with inline styles, linked pictures, tracking parameters, entities, and
//! words with letters outside ASCII.

use std::borrow::Cow;

use crate::random::Random;
use crate::world::{capitalized, organization};

/// The shape of a newsletter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The exact number of bytes of the HTML.
    pub(super) bytes: usize,
    /// The number of `href` attributes: at least as many as images.
    pub(super) links: usize,
    /// The number of `src` attributes.
    pub(super) images: usize,
    /// How many of a hundred pieces between the links are rows of a price list. A row has more markup than text, so with
    /// more rows the HTML grows more when it is encoded.
    pub(super) prices: usize,
}

const WORDS: [&str; 64] = [
    "the",
    "a",
    "of",
    "and",
    "to",
    "in",
    "for",
    "with",
    "your",
    "our",
    "new",
    "this",
    "week",
    "garden",
    "season",
    "choose",
    "from",
    "more",
    "than",
    "hundred",
    "plants",
    "that",
    "grow",
    "well",
    "even",
    "when",
    "summer",
    "comes",
    "late",
    "every",
    "order",
    "arrives",
    "within",
    "two",
    "days",
    "carefully",
    "packed",
    "ready",
    "be",
    "planted",
    "we",
    "have",
    "asked",
    "experts",
    "which",
    "varieties",
    "they",
    "would",
    "take",
    "home",
    "first",
    "here",
    "is",
    "what",
    "said",
    "free",
    "delivery",
    "on",
    "orders",
    "over",
    "thirty",
    "until",
    "Sunday",
    "evening",
];
/// One word in this many is one of [`RARE`].
const RARE_EVERY: usize = 25;
const RARE: [&str; 10] = [
    "caf&eacute;",
    "na\u{ef}ve",
    "&nbsp;",
    "&amp;",
    "cr\u{e8}me",
    "&ldquo;fresh&rdquo;",
    "\u{2014}",
    "\u{20ac}20",
    "Gr\u{fc}ne",
    "it&#8217;s",
];

/// Writes a newsletter of exactly this shape.
pub(super) fn newsletter(random: &mut Random, shape: Shape) -> String {
    let number = random.below(4_000);
    let shop = organization(&mut Random::new(number as u64), number);
    let mut blocks = vec![head(random)];
    for image in 0..shape.images {
        blocks.push(picture(random, &shop, image));
    }
    for link in shape.images..shape.links {
        blocks.push(button(random, &shop, link));
    }
    let foot = "</td></tr>\r\n</table>\r\n</td></tr></table>\r\n</body>\r\n</html>\r\n";
    let markup: usize = blocks.iter().map(String::len).sum::<usize>() + foot.len();
    let room = shape.bytes.saturating_sub(markup);
    let mut filled = 0;
    let mut html = String::with_capacity(shape.bytes);
    for (index, block) in blocks.iter().enumerate() {
        html.push_str(block);
        // Bytes that are too few for a piece are left to the next block.
        let due = room * (index + 1) / blocks.len() - filled;
        let before = html.len();
        fill(random, shape.prices, due, &mut html);
        filled += html.len() - before;
    }
    pad(&mut html, room - filled);
    html.push_str(foot);
    html
}

/// Appends `count` bytes of plain words. Each byte stays one byte when it is encoded.
pub(super) fn pad(html: &mut String, count: usize) {
    const PLAIN: &str = "see you soon in our shop or in the garden where the roses are ";
    html.extend(PLAIN.chars().cycle().take(count));
}

fn head(random: &mut Random) -> String {
    let title = sentence(random, 6);
    format!(
        "<!DOCTYPE html>\r\n<html lang=\"en\">\r\n<head>\r\n<meta http-equiv=\"Content-Type\" content=\"text/html; \
         charset=utf-8\">\r\n<meta name=\"viewport\" content=\"width=device-width\">\r\n<title>{title}</title>\r\n<style>\r\n\
         body {{ margin: 0; padding: 0; background-color: #f4f4f4; }}\r\n\
         @media only screen and (max-width: 600px) {{ .wide {{ width: 100% !important; }} }}\r\n</style>\r\n</head>\r\n\
         <body style=\"margin:0;padding:0\">\r\n\
         <!-- preview text -->\r\n<div style=\"display:none;max-height:0\">{title}</div>\r\n\
         <table width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr><td align=\"center\">\r\n\
         <table class=\"wide\" width=\"600\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\">\r\n<tr><td>\r\n"
    )
}

fn picture(random: &mut Random, shop: &str, index: usize) -> String {
    let url = target(random, shop, index);
    format!(
        "</td></tr>\r\n<tr><td align=\"center\" style=\"padding:12px 24px\">\r\n<a href=\"{url}\" target=\"_blank\"><img \
         src=\"https://cdn{}.{shop}/img/{:08x}/{}.jpg\" width=\"552\" height=\"{}\" alt=\"{}\" \
         style=\"display:block;border:0\"></a>\r\n",
        index % 3,
        random.next_u64() >> 32,
        index + 1,
        random.between(80, 400),
        sentence(random, 3),
    )
}

fn button(random: &mut Random, shop: &str, index: usize) -> String {
    let url = target(random, shop, index);
    let words = sentence(random, 2);
    if random.chance(40) {
        format!(
            "<table cellpadding=\"0\" cellspacing=\"0\"><tr><td bgcolor=\"#2a7f62\" style=\"border-radius:4px;padding:\
             10px 20px\"><a href=\"{url}\" style=\"color:#ffffff;font-family:Arial,sans-serif;text-decoration:none\">\
             {words} &raquo;</a></td></tr></table>\r\n"
        )
    } else {
        format!("<a href=\"{url}\" style=\"color:#2a7f62\">{words}</a>\r\n")
    }
}

fn target(random: &mut Random, shop: &str, index: usize) -> String {
    let (first, second) = (random.word(&WORDS), random.word(&WORDS));
    match index % 5 {
        4 => format!(
            "https://click.track{}.example/c/{:016x}",
            index % 7,
            random.next_u64()
        ),
        _ => format!(
            "https://www.{shop}/{first}-{second}?utm_source=news&amp;utm_medium=email&amp;id={}",
            random.below(100_000)
        ),
    }
}

/// Appends rows of a price list and paragraphs, up to `bytes` bytes in all.
fn fill(random: &mut Random, prices: usize, bytes: usize, html: &mut String) {
    const OPEN: &str =
        "<p style=\"margin:0;padding:4px 0;font:15px/22px Arial,sans-serif;color:#333333;\">";
    const CLOSE: &str = "</p>\r\n";
    /// With fewer bytes left, no row or paragraph is added.
    const LEAST: usize = 420;
    let end = html.len() + bytes;
    while end - html.len() >= LEAST {
        if random.chance(prices) {
            price(random, html);
            continue;
        }
        let room = end - html.len() - OPEN.len() - CLOSE.len();
        let length = room.min(random.between(120, 320));
        html.push_str(OPEN);
        let stop = html.len() + length;
        loop {
            let word = word(random);
            if html.len() + word.len() + 1 > stop {
                break;
            }
            html.push_str(&word);
            html.push(' ');
        }
        pad(html, stop - html.len());
        html.push_str(CLOSE);
    }
}

/// Appends a table with one row of the price list.
fn price(random: &mut Random, html: &mut String) {
    let row = format!(
        "<table width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr>\r\n\
         <td width=\"60%\" valign=\"top\" style=\"padding:8px;border-top:1px solid #ddd;color:#111;\"><b>{}</b><br>\r\n\
         <span style=\"color:#777;font-size:11px;\">{}</span></td>\r\n\
         <td align=\"right\" style=\"padding:8px;border-top:1px solid #ddd;\">&euro;&nbsp;{},{:02}</td>\r\n</tr></table>\r\n",
        sentence(random, 2),
        sentence(random, 4),
        random.between(2, 89),
        random.below(100),
    );
    html.push_str(&row);
}

fn word(random: &mut Random) -> Cow<'static, str> {
    match random.below(RARE_EVERY) {
        0 => Cow::Borrowed(random.word(&RARE)),
        1 | 2 => Cow::Owned(format!("{}.", random.word(&WORDS))),
        3 => Cow::Owned(capitalized(random.word(&WORDS))),
        _ => Cow::Borrowed(random.word(&WORDS)),
    }
}

fn sentence(random: &mut Random, words: usize) -> String {
    let words: Vec<_> = (0..words).map(|_| random.word(&WORDS)).collect();
    capitalized(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{Shape, newsletter};
    use crate::random::Random;

    #[test]
    fn a_newsletter_has_exactly_the_shape_asked_for() {
        for seed in 0..50 {
            let shape = Shape {
                bytes: 11_264,
                links: 20,
                images: 8,
                prices: 50,
            };
            let html = newsletter(&mut Random::new(seed), shape);
            assert_eq!(html.len(), shape.bytes);
            assert_eq!(html.matches(" href=\"https://").count(), shape.links);
            assert_eq!(html.matches(" src=\"https://").count(), shape.images);
        }
    }
}
