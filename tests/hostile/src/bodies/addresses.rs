//! Many recipients of one request, and what costs much to read in them.

use franking::Operation::HttpSendMail;

use super::{Body, END, TO, body, filled, letters, push, separated};

fn addresses(size: usize, address: impl Fn(usize) -> String) -> Vec<u8> {
    filled(TO, END, size, |number, text| {
        separated(text, number, &address(number))
    })
}

pub(super) const BODIES: &[Body] = &[
    body("one address", HttpSendMail, 200, |size| {
        addresses(size, |_| "a@b.example".to_string())
    }),
    body("one short address", HttpSendMail, 200, |size| {
        addresses(size, |_| "a@b.c".to_string())
    }),
    body("different addresses", HttpSendMail, 200, |size| {
        addresses(size, |number| format!("{number}@b.example"))
    }),
    body("different short addresses", HttpSendMail, 200, |size| {
        addresses(size, |number| format!("{}@b.c", letters(number)))
    }),
    body("different domains", HttpSendMail, 200, |size| {
        addresses(size, |number| format!("a@{}.c", letters(number)))
    }),
    body(
        "different domains in upper case",
        HttpSendMail,
        200,
        |size| addresses(size, |number| format!("A@{}.C", letters(number))),
    ),
    body("domains of many labels", HttpSendMail, 200, |size| {
        addresses(size, |number| {
            format!("a@{}{}.c", "a.".repeat(110), letters(number))
        })
    }),
    body("malformed addresses", HttpSendMail, 412, |size| {
        addresses(size, |_| "nobody".to_string())
    }),
    body("long labels of Punycode", HttpSendMail, 412, |size| {
        let label = format!("xn--9c{}", "a".repeat(1900));
        addresses(size, |_| format!("a@{label}.example"))
    }),
    body("different labels of Punycode", HttpSendMail, 200, |size| {
        addresses(size, |number| {
            let domain = format!("{}{number}.example", "\u{e9}".repeat(30));
            format!("a@{}", franking::domain::to_ascii(&domain).unwrap())
        })
    }),
    body("malformed short addresses", HttpSendMail, 412, |size| {
        addresses(size, |_| "x".to_string())
    }),
    body("one address in upper case", HttpSendMail, 200, |size| {
        addresses(size, |_| "A@B.EXAMPLE".to_string())
    }),
    body(
        "different addresses in upper case",
        HttpSendMail,
        200,
        |size| addresses(size, |number| format!("A{number}@B.EXAMPLE")),
    ),
    body(
        "different short addresses in upper case",
        HttpSendMail,
        200,
        |size| addresses(size, |number| format!("{}@B.C", letters(number))),
    ),
    body(
        "different international addresses",
        HttpSendMail,
        200,
        |size| addresses(size, |number| format!("\u{fc}{number}@b\u{fc}cher.example")),
    ),
    body(
        "different international domains",
        HttpSendMail,
        200,
        |size| {
            addresses(size, |number| {
                format!("a@\u{fc}{}.example", letters(number))
            })
        },
    ),
    body("escaped commas", HttpSendMail, 200, |size| {
        filled(TO, END, size, |number, text| {
            if number > 0 {
                push(text, "\\u002c");
            }
            push(text, &format!("{number}@b.example"));
        })
    }),
    body(
        "escaped addresses, one address",
        HttpSendMail,
        200,
        |size| addresses(size, |_| "\\u0061@b.example".to_string()),
    ),
    body("commas", HttpSendMail, 411, |size| {
        addresses(size, |_| String::new())
    }),
    body("escaped commas only", HttpSendMail, 411, |size| {
        addresses(size, |_| "\\u002c".to_string())
    }),
    body(
        "one address with much white space",
        HttpSendMail,
        200,
        |size| filled(TO, "a@b.example\"}]}", size, |_, text| text.push(b' ')),
    ),
    body(
        "different domains of rare letters",
        HttpSendMail,
        200,
        |size| {
            addresses(size, |number| {
                format!("a@\u{101}{}.example", letters(number))
            })
        },
    ),
];
