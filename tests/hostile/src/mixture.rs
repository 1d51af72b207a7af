//! Bodies in which many costly kinds of content are mixed.

use crate::bodies::{letters, name, push, separated};

/// A body of many costly kinds of content, in proportions that the seed chooses. With the seed 0, it has each kind equally
/// often.
pub(crate) fn mixture(size: usize, seed: u64, has_soup: bool) -> Vec<u8> {
    type Part = fn(usize) -> String;
    const ADDRESSES: [Part; 7] = [
        |number| format!("{}@b.c", letters(number)),
        |number| format!("a@{}.c", letters(number)),
        |number| format!("A@{}.C", letters(number)),
        |number| format!("a@{}{}.c", "a.".repeat(110), letters(number)),
        |number| format!("\u{fc}{number}@b\u{fc}{}.example", letters(number)),
        |_| "a@b.c".to_string(),
        |number| format!("\\u0061{number}@b.example"),
    ];
    const NAMES: [Part; 3] = [
        |number| format!(",\"{}\":0", name(number)),
        |number| format!(",\"\\u0061{}\":0", name(number)),
        |number| format!(",\"X{number}\":{}{}", "[".repeat(90), "]".repeat(90)),
    ];
    const REPEATED: Part = |number| format!(",\"\\u0062{}\":0", name(number / 2));
    const ORDINARY: [Part; 8] = [
        |number| format!("<a href=//{}.c>", letters(number)),
        |number| format!("<a href=//{}{}.c>", "a.".repeat(110), letters(number)),
        |number| format!("<a href=//a..{}.b\u{fc}.c>", letters(number)),
        |number| format!("<p style='background:url(//\\\\61{}.c)'>", letters(number)),
        |number| format!("https://{}.c&amp;,", letters(number)),
        |_| "<!--[if]>www.a.b<![endif]-->".to_string(),
        |_| "%3Ca+href%3D%2F%2F".to_string(),
        |number| format!("<img srcset='//{}.c 1x,//b.c 2x'>", letters(number)),
    ];
    const SOUP: [Part; 7] = [
        |number| format!("//{}.c", letters(number)),
        |number| format!("www.\u{e9}{},", letters(number)),
        |_| "www.@".to_string(),
        |_| "<a href=data:,>".to_string(),
        |_| "<a srcdoc=>".to_string(),
        |_| "&#x26;#x26;%2525".to_string(),
        |_| "<b title='//a\\\\2f b.c'>".to_string(),
    ];
    let mut random = Random(seed);
    let mut choose = |parts: &[Part]| {
        let weights: Vec<usize> = parts.iter().map(|_| random.weight()).collect();
        let all = weights
            .iter()
            .zip(parts)
            .flat_map(|(weight, part)| std::iter::repeat_n(*part, *weight));
        all.collect::<Vec<Part>>()
    };
    let (addresses, mut names) = (choose(&ADDRESSES), choose(&NAMES));
    // A call with repeated names ends before its requests are looked at.
    if seed == 4 {
        names.push(REPEATED);
    }
    let links = match has_soup {
        true => [choose(&ORDINARY), choose(&SOUP)].concat(),
        false => choose(&ORDINARY),
    };
    let mut text = b"{\"ApiKey\":\"k\"".to_vec();
    let part = |text: &mut Vec<u8>, size: usize, parts: &[Part], comma: &str| {
        let end = text.len() + size;
        for number in 0.. {
            let Some(make) = parts.get(number % parts.len().max(1)) else {
                break;
            };
            let item = make(number);
            // Even the shortest body has at least one item of each part.
            if number > 0 && text.len() + item.len() + comma.len() > end {
                break;
            }
            if number > 0 {
                push(text, comma);
            }
            push(text, &item);
        }
    };
    // The 400 bytes are for the text around the parts.
    let room = size.saturating_sub(400);
    part(&mut text, room / 4, &names, "");
    push(&mut text, r#","requests":["#);
    for number in 0..2 {
        let request = r#"{"subject":"{{a *|b","from":"a@b.example","to":""#;
        separated(&mut text, number, request);
        part(&mut text, room / 4, &addresses, ",");
        push(&mut text, r#"","body":""#);
        if has_soup {
            push(&mut text, "<svg>");
        }
        part(&mut text, room / 8, &links, "");
        push(&mut text, "\"}");
    }
    push(&mut text, "]}");
    text
}

/// A generator of numbers that are the same in every run.
struct Random(u64);

impl Random {
    /// How often a part is used. With the seed 0, every part is used once.
    fn weight(&mut self) -> usize {
        if self.0 == 0 {
            return 1;
        }
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        match self.0 >> 62 {
            0 => 0,
            1 | 2 => 1,
            _ => 4,
        }
    }
}
