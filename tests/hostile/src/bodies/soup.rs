//! HTML that is read as soup: everything that some reader could take for a host is a host.

use franking::Operation::HttpSendMail;

use super::html::{nested_names, soup, start_of_html};
use super::{Body, END, SEND, body, filled, letters, mixed, push};

/// Different hosts. After each host are all marks at which some reader ends it. One mark is a character reference and one is a
/// CSS escape, so the host has other ends in each of the four texts of soup.
fn ends(size: usize, labels: &str, label: &str) -> Vec<u8> {
    filled(&start_of_html("<svg>"), END, size, |number, text| {
        let host = format!("//{labels}{}.{label}", letters(number));
        push(text, &format!("{host}!a;b\\\"c'd)e&comma;f\\\\2ag/"));
    })
}

/// The text in base64, without padding.
fn base64(text: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut letters = String::with_capacity(text.len().div_ceil(3) * 4);
    for part in text.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | usize::from(part.get(at).copied().unwrap_or(0))
        });
        letters.extend((0..=part.len()).filter_map(|letter| {
            let letter = LETTERS.get(bits >> (18 - 6 * letter) & 63)?;
            Some(char::from(*letter))
        }));
    }
    letters
}

pub(super) const BODIES: &[Body] = &[
    body("soup of hosts", HttpSendMail, 200, |size| {
        // This is the largest number of starts that are read: one for every 16 bytes. The kinds with more starts are
        // refused.
        soup(size, "<svg>", "//a.bc.d.example", "")
    }),
    body("soup of hosts and tags", HttpSendMail, 413, |size| {
        soup(size, "<svg>", "//a<b ", ">x")
    }),
    body("soup of one long host", HttpSendMail, 413, |size| {
        soup(size, "<svg>", "www.a!", "")
    }),
    body("soup of attributes", HttpSendMail, 200, |size| {
        soup(size, "<svg>", "href=href=", "")
    }),
    body("soup of documents", HttpSendMail, 413, |size| {
        soup(size, "<svg>", "srcdoc=srcdoc=", "")
    }),
    body("soup in base64 in base64", HttpSendMail, 413, |size| {
        let mut text = String::from("//a/bc");
        while text.len() * 4 / 3 + SEND.len() * 4 < size {
            text = format!("<svg>data:;base64,{}", base64(text.as_bytes()));
        }
        soup(0, &text, "", "")
    }),
    body("soup of percent signs", HttpSendMail, 200, |size| {
        soup(size, "<svg>%", "25", "2F/a.example")
    }),
    body("soup in base64", HttpSendMail, 413, |size| {
        soup(size, "<svg>data:;base64,", "Ly9hL2Jj", "")
    }),
    body("soup of hosts beyond ASCII", HttpSendMail, 413, |size| {
        soup(size, "<svg>", "www.\u{e9},", "")
    }),
    body(
        "soup of hosts that share an end beyond ASCII",
        HttpSendMail,
        413,
        |size| soup(size, "<svg>", "www.\u{e9}!", "/"),
    ),
    body(
        "soup of different www. in each other beyond ASCII",
        HttpSendMail,
        413,
        |size| nested_names(size, "<svg>", "//", "/"),
    ),
    body(
        "soup of long hosts beyond ASCII",
        HttpSendMail,
        413,
        |size| {
            soup(
                size,
                "<svg>",
                &format!("//{}/", "www.\u{e9}!".repeat(40)),
                "",
            )
        },
    ),
    body(
        "soup of references in hosts beyond ASCII",
        HttpSendMail,
        413,
        |size| soup(size, "<svg>", "www.\u{e9}&#38;,", ""),
    ),
    body(
        "soup of hosts beyond ASCII with each end",
        HttpSendMail,
        200,
        |size| soup(size, "<svg>", "//\u{e9}\u{e9}(a'b>c)d,\\\"", ""),
    ),
    body(
        "soup of different hosts with each end",
        HttpSendMail,
        413,
        |size| ends(size, "", "a"),
    ),
    body(
        "soup of different hosts beyond ASCII with each end",
        HttpSendMail,
        413,
        |size| ends(size, "", "\u{df}"),
    ),
    body(
        "soup of different long hosts with each end",
        HttpSendMail,
        413,
        |size| ends(size, &"a.".repeat(100), "a"),
    ),
    body(
        "soup of different long hosts beyond ASCII with each end",
        HttpSendMail,
        413,
        |size| ends(size, &"\u{df}.".repeat(20), "\u{df}"),
    ),
    mixed("soup of refused long labels with each end", |size| {
        let label: String = (0..70)
            .filter_map(|step| char::from_u32(0x4e00 + step))
            .collect();
        filled(&start_of_html("<svg>"), END, size, |number, text| {
            let host = format!("//{label}.a{}.example", letters(number));
            push(text, &format!("{host}!a;b'c)d&comma;e\\\\2af/"));
        })
    }),
    mixed("soup of refused hosts from right to left", |size| {
        let labels = "\u{5d0}.".repeat(120);
        filled(&start_of_html("<svg>"), END, size, |number, text| {
            let host = format!("//{labels}xn--a.b{}.example", letters(number));
            push(text, &format!("{host}!a;b'c)d&comma;e\\\\2af/"));
        })
    }),
    mixed("soup of different hosts of rare letters", |size| {
        filled(&start_of_html("<svg>"), END, size, |number, text| {
            push(text, &format!("//\u{101}{}.c,", letters(number)));
        })
    }),
    body("soup of punctuation", HttpSendMail, 200, |size| {
        soup(size, "<svg>www.a", "!", "")
    }),
    body("soup of ports", HttpSendMail, 413, |size| {
        soup(size, "<svg>//a", ":www.b", "/")
    }),
    body("soup of users", HttpSendMail, 413, |size| {
        soup(size, "<svg>", "www.@", "")
    }),
    body("soup of schemes", HttpSendMail, 413, |size| {
        soup(size, "<svg>", "http:", "")
    }),
    body(
        "soup of everything that changes a text, at its end",
        HttpSendMail,
        413,
        |size| {
            soup(
                size,
                "<svg>",
                "www.\u{e9},//a!",
                "&#38;amp;lt; \\\\5c 5c 61 %25252f \\n",
            )
        },
    ),
    mixed("soup of marks that escapes write", |size| {
        soup(
            size,
            "<svg>",
            "www.\u{e9}&#39;a\\\\22 b,//c&gt;\\\\29 !",
            "",
        )
    }),
    mixed("soup of everything", |size| {
        let part = "www.\u{e9},//a&lt;b@\\\\2f \\n'data:,//x' <link a='data:x/y,www.c;http:&#x2f;/q'mailto:a@b.c\\t>";
        soup(size, "<svg>", part, "")
    }),
    body("soup of style sheets", HttpSendMail, 200, |size| {
        soup(size, "<svg>", "<style>@import x;/*</style ", "")
    }),
    body("soup of tags in tags", HttpSendMail, 413, |size| {
        soup(size, "<svg>", "<link a='<iframe b=c ", "")
    }),
    body("soup of linked data", HttpSendMail, 413, |size| {
        soup(
            size,
            "<svg>",
            "<script type=application/ld+json>\\\"//a\\\\u002f",
            "",
        )
    }),
    body("soup in conditional comments", HttpSendMail, 200, |size| {
        soup(size, "", "<!--[if]><svg>", "")
    }),
    mixed("soup of domains that count as hosts", |size| {
        filled(&start_of_html("<svg>"), END, size, |number, text| {
            push(text, &format!("{}.c!", letters(number)));
        })
    })
    .under(|policy| policy.bare_domains(true)),
    mixed("soup of empty documents in links", |size| {
        soup(size, "<svg>", "<a href=data:,>", "")
    }),
    mixed("soup of empty documents in frames", |size| {
        soup(size, "<svg>", "<a srcdoc=>", "")
    }),
    mixed("soup in closed conditional comments", |size| {
        soup(size, "", "<!--[if]><svg>-->", "")
    }),
    mixed("soup of mail to domains beyond ASCII", |size| {
        soup(size, "<svg>", "mailto:a@\u{e9}.c,", "")
    }),
    mixed("soup of schemes before hosts beyond ASCII", |size| {
        // It is refused at each length.
        let refused = "<svg><style>@import '//a<g>b</g>c.d'</style>";
        soup(size, refused, "http:\u{e9},", "")
    }),
];
