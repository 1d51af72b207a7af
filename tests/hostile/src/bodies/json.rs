//! JSON that is expensive to read: deep JSON, long names, and repeated names.

use franking::Operation::{HttpSendMail, SendMailer};

use super::{Body, HTTP, SEND, body, filled, name, push, separated};

pub(super) const BODIES: &[Body] = &[
    body("one byte too many", HttpSendMail, 454, |size| {
        vec![b' '; size + 1]
    }),
    body(
        "sendMailer, one byte too many for the other",
        SendMailer,
        200,
        |size| {
            filled(&format!("{SEND},\"city\":\""), "\"}   ", size, |_, text| {
                push(text, "0123456789abcdef")
            })
        },
    ),
    body("nothing but white space", SendMailer, 442, |size| {
        vec![b' '; size]
    }),
    body("brackets", HttpSendMail, 475, |size| vec![b'['; size]),
    body("brackets of a field", SendMailer, 442, |size| {
        filled(&format!("{SEND},\"x\":"), "", size, |_, text| {
            text.push(b'[')
        })
    }),
    body("nested objects", SendMailer, 442, |size| {
        filled("", "", size, |_, text| push(text, "{\"a\":"))
    }),
    body("many arrays, 100 deep", SendMailer, 200, |size| {
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        filled(&format!("{SEND},\"x\":["), "]}", size, |number, text| {
            separated(text, number, &deep)
        })
    }),
    body("one key repeated", SendMailer, 442, |size| {
        filled("{\"a\":0", "}", size, |_, text| push(text, ",\"a\":0"))
    }),
    body("one field repeated", SendMailer, 442, |size| {
        filled("{\"email\":0", "}", size, |_, text| {
            push(text, ",\"email\":0")
        })
    }),
    body(
        "both spellings of a field repeated",
        HttpSendMail,
        475,
        |size| {
            filled("{\"apiKey\":null", "}", size, |_, text| {
                push(text, ",\"ApiKey\":null,\"apiKey\":null")
            })
        },
    ),
    body(
        "one key repeated in every request",
        HttpSendMail,
        475,
        |size| {
            filled(HTTP, "]}", size, |number, text| {
                separated(text, number, "{\"a\":0,\"a\":0}")
            })
        },
    ),
    body("different names, each twice", SendMailer, 442, |size| {
        filled("{\"\":0", "}", size, |number, text| {
            push(text, &format!(",\"{}\":0", name(number / 2)))
        })
    }),
    body("different names, each once", SendMailer, 200, |size| {
        filled(SEND, "}", size, |number, text| {
            push(text, &format!(",\"{}\":0", name(number)))
        })
    }),
    body(
        "different names with escapes, each twice",
        SendMailer,
        442,
        |size| {
            filled("{\"\":0", "}", size, |number, text| {
                push(text, &format!(",\"\\u0061{}\":0", name(number / 2)))
            })
        },
    ),
    body(
        "one key repeated below a long name",
        SendMailer,
        442,
        |size| {
            let before = format!("{{\"{}\":{{\"a\":0", "n".repeat(size / 2));
            filled(&before, "}}", size, |_, text| push(text, ",\"a\":0"))
        },
    ),
    body("one key repeated 100 deep", SendMailer, 442, |size| {
        let before = format!("{}{{\"a\":0", "{\"n\":".repeat(100));
        filled(&before, &"}".repeat(101), size, |_, text| {
            push(text, ",\"a\":0")
        })
    }),
    body("many keys, each twice, 120 deep", SendMailer, 442, |size| {
        let before = format!("{}[", "{\"n\":".repeat(120));
        let after = format!("]{}", "}".repeat(120));
        filled(&before, &after, size, |number, text| {
            separated(text, number, "{\"a\":0,\"a\":0}")
        })
    }),
    body("one key repeated on every level", SendMailer, 442, |size| {
        let before = format!("{}[", "{\"a\":0,\"a\":".repeat(120));
        let after = format!("]{}", "}".repeat(120));
        filled(&before, &after, size, |number, text| {
            separated(text, number, "0")
        })
    }),
    body("unknown fields", HttpSendMail, 475, |size| {
        filled("{\"ApiKey\":\"k\"", "}", size, |number, text| {
            push(text, &format!(",\"x{number}\":[{{}}]"))
        })
    }),
    body("one long key", SendMailer, 602, |size| {
        filled("{\"apiKey\":\"", "\"}", size, |_, text| text.push(b'k'))
    }),
    body("one long name", SendMailer, 200, |size| {
        filled(&format!("{SEND},\""), "\":1}", size, |_, text| {
            text.push(b'n')
        })
    }),
    body("one long escaped string", SendMailer, 200, |size| {
        filled(&format!("{SEND},\"city\":\""), "\"}", size, |_, text| {
            push(text, "\\n")
        })
    }),
    body("one long number", SendMailer, 200, |size| {
        filled(&format!("{SEND},\"city\":"), "}", size, |_, text| {
            text.push(b'7')
        })
    }),
];
