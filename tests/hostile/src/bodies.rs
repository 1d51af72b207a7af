//! Bodies that are made to cost much, each about as long as it is asked to be.

use franking::Operation::{self, HttpSendMail, SendMailer};
use franking::{HiddenHosts, Policy, PolicyBuilder};

use crate::mixture::mixture;

/// A kind of body, and the code that answers a call with it in a friendly world.
pub(crate) struct Body {
    pub(crate) name: &'static str,
    pub(crate) operation: Operation,
    pub(crate) code: Option<u16>,
    pub(crate) make: fn(usize) -> Vec<u8>,
    /// Changes the policy of the body, in addition to the largest length. `None` keeps the other defaults.
    settings: Option<fn(PolicyBuilder) -> PolicyBuilder>,
}

const fn body(
    name: &'static str,
    operation: Operation,
    code: u16,
    make: fn(usize) -> Vec<u8>,
) -> Body {
    Body {
        name,
        operation,
        code: Some(code),
        make,
        settings: None,
    }
}

impl Body {
    const fn under(mut self, settings: fn(PolicyBuilder) -> PolicyBuilder) -> Self {
        self.settings = Some(settings);
        self
    }

    /// A policy that allows bodies of this size.
    pub(crate) fn policy(&self, size: usize) -> Policy {
        let builder = Policy::builder().max_bytes(size as u64);
        let changed = match self.settings {
            Some(settings) => settings(builder),
            None => builder,
        };
        changed.build().unwrap()
    }
}

/// Sets the largest number of requests that a policy can allow.
fn any_requests(policy: PolicyBuilder) -> PolicyBuilder {
    policy.max_requests(u64::from(u32::MAX >> 1))
}

fn requests(size: usize, to: impl Fn(usize) -> String) -> Vec<u8> {
    filled(HTTP, "]}", size, |number, text| {
        let to = to(number);
        let request = format!(r#"{{"subject":"s","body":"b","from":"a@b.example","to":"{to}"}}"#);
        separated(text, number, &request)
    })
}

/// `before`, then items up to `size` bytes in all, then `after`.
fn filled(
    before: &str,
    after: &str,
    size: usize,
    mut item: impl FnMut(usize, &mut Vec<u8>),
) -> Vec<u8> {
    let mut text = Vec::with_capacity(size + 1024);
    text.extend_from_slice(before.as_bytes());
    let mut longest = 0;
    for number in 0.. {
        let start = text.len();
        item(number, &mut text);
        longest = longest.max(text.len() - start);
        if text.len() + longest + after.len() > size {
            break;
        }
    }
    text.extend_from_slice(after.as_bytes());
    text
}

pub(crate) fn push(text: &mut Vec<u8>, part: &str) {
    text.extend_from_slice(part.as_bytes());
}

pub(crate) fn separated(text: &mut Vec<u8>, number: usize, part: &str) {
    if number > 0 {
        text.push(b',');
    }
    push(text, part);
}

/// A number as a short text in upper case. No field of the interface is written in upper case alone.
pub(crate) fn name(number: usize) -> String {
    letters(number).to_uppercase()
}

/// A number as a short text of letters.
pub(crate) fn letters(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return text;
        }
    }
}

const SEND: &str = r#"{"apiKey":"k","mailerID":1,"email":"a@b.example""#;
const HTTP: &str = r#"{"ApiKey":"k","requests":["#;
const TO: &str =
    r#"{"ApiKey":"k","requests":[{"subject":"s","body":"b","from":"a@b.example","to":""#;
const END: &str = r#""}]}"#;

fn addresses(size: usize, address: impl Fn(usize) -> String) -> Vec<u8> {
    filled(TO, END, size, |number, text| {
        separated(text, number, &address(number))
    })
}

fn field(name: &str, size: usize, part: &str) -> Vec<u8> {
    let before = format!(
        r#"{{"ApiKey":"k","requests":[{{"from":"a@b.example","to":"a@b.example","{name}":""#
    );
    let after = match name {
        "subject" => r#"","body":"b"}]}"#,
        _ => r#"","subject":"s"}]}"#,
    };
    filled(&before, after, size, |_, text| push(text, part))
}

pub(crate) const BODIES: &[Body] = &[
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
    body("too many requests", HttpSendMail, 453, |size| {
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, "{}")
        })
    }),
    body(
        "too many requests that are none",
        HttpSendMail,
        453,
        |size| {
            filled(HTTP, "]}", size, |number, text| {
                separated(text, number, "0")
            })
        },
    ),
    body("many requests", HttpSendMail, 200, |size| {
        requests(size, |number| format!("{number}@b.example"))
    })
    .under(any_requests),
    body("many requests to one address", HttpSendMail, 200, |size| {
        requests(size, |_| "a@b.example".to_string())
    })
    .under(any_requests),
    body(
        "many requests that are refused",
        HttpSendMail,
        412,
        |size| requests(size, |_| "x".to_string()),
    )
    .under(any_requests),
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
    body("opening marks in a subject", HttpSendMail, 200, |size| {
        field("subject", size, "{{")
    }),
    body(
        "opening marks and letters in a subject",
        HttpSendMail,
        200,
        |size| field("subject", size, "{{a "),
    ),
    body("placeholder that never ends", HttpSendMail, 200, |size| {
        field("subject", size, "*|a{%b${")
    }),
    body("encoded HTML", HttpSendMail, 200, |size| {
        field("body", size, "%3Cp%3E")
    }),
    body("plain HTML", HttpSendMail, 200, |size| {
        field("body", size, "<p>")
    }),
    body("HTML with escapes", HttpSendMail, 200, |size| {
        field("body", size, "<p>\\n")
    }),
    body("links to one host", HttpSendMail, 200, |size| {
        field("body", size, "<a href=//b.example>")
    }),
    body("plus signs", HttpSendMail, 408, |size| {
        field("body", size, "+")
    }),
    body("percent signs", HttpSendMail, 200, |size| {
        field("body", size, "%")
    }),
    body("different links", HttpSendMail, 200, |size| {
        filled(
            r#"{"ApiKey":"k","requests":[{"from":"a@b.example","to":"a@b.example","subject":"s","body":""#,
            END,
            size,
            |number, text| push(text, &format!("<a href=//{}.c>", letters(number))),
        )
    }),
    body("hosts of many labels", HttpSendMail, 200, |size| {
        filled(
            r#"{"ApiKey":"k","requests":[{"from":"a@b.example","to":"a@b.example","subject":"s","body":""#,
            END,
            size,
            |number, text| {
                push(
                    text,
                    &format!("<a href=//{}{}.c>", "a.".repeat(110), letters(number)),
                )
            },
        )
    }),
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
    body("words of links beyond ASCII", HttpSendMail, 200, |size| {
        soup(size, "", &format!("{} ", "www.\u{e9},".repeat(15)), "")
    }),
    body(
        "words of one long link beyond ASCII",
        HttpSendMail,
        200,
        |size| soup(size, "", &format!("{} ", "www.\u{e9}~".repeat(15)), ""),
    ),
    body(
        "words of different www. in each other beyond ASCII",
        HttpSendMail,
        200,
        |size| nested_names(size, "", "", " "),
    ),
    body(
        "soup of different www. in each other beyond ASCII",
        HttpSendMail,
        413,
        |size| nested_names(size, "<svg>", "//", "/"),
    ),
    body(
        "URLs of many labels beyond ASCII",
        HttpSendMail,
        200,
        |size| {
            soup(
                size,
                "",
                &format!("<a href=//{}>", "\u{e9}.".repeat(127)),
                "",
            )
        },
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
    body(
        "different links to hosts of rare letters",
        HttpSendMail,
        200,
        |size| {
            filled(&start_of_html(""), END, size, |number, text| {
                push(text, &format!("<a href=//\u{101}{}.c>", letters(number)));
            })
        },
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
    body("a link in text of punctuation", HttpSendMail, 200, |size| {
        soup(size, "http://a", "!", "/")
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
    body("many empty requests", HttpSendMail, 406, |size| {
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, "{}")
        })
    })
    .under(any_requests),
    body(
        "many requests that are not objects",
        HttpSendMail,
        475,
        |size| {
            filled(HTTP, "]}", size, |number, text| {
                separated(text, number, "0")
            })
        },
    )
    .under(any_requests),
    body("many requests of one address", HttpSendMail, 406, |size| {
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, r#"{"to":"a@b.c"}"#)
        })
    })
    .under(any_requests),
    body("many requests that hide hosts", HttpSendMail, 413, |size| {
        let request = r#"{"subject":"s","body":"\u001b","from":"a@b.example","to":"a@b.example"}"#;
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, request)
        })
    })
    .under(any_requests),
    mixed("different domains in text that count as hosts", |size| {
        filled(&start_of_html(""), END, size, |number, text| {
            push(text, &format!("{}.c ", letters(number)));
        })
    })
    .under(|policy| policy.bare_domains(true)),
    mixed("soup of domains that count as hosts", |size| {
        filled(&start_of_html("<svg>"), END, size, |number, text| {
            push(text, &format!("{}.c!", letters(number)));
        })
    })
    .under(|policy| policy.bare_domains(true)),
    mixed("hidden hosts that are asked about", |size| {
        soup(size, "<svg>", "<style>@import '//a<g>b</g>c.d'</style>", "")
    })
    .under(|policy| policy.hidden_hosts(HiddenHosts::Ask)),
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
    mixed("a mixture of everything", |size| mixture(size, 0, false)),
    mixed("a mixture, 1", |size| mixture(size, 1, false)),
    mixed("a mixture, 2", |size| mixture(size, 2, false)),
    mixed("a mixture, 3", |size| mixture(size, 3, false)),
    mixed("a mixture, 4", |size| mixture(size, 4, false)),
    mixed("a mixture with soup of everything", |size| {
        mixture(size, 0, true)
    }),
    mixed("a mixture with soup, 1", |size| mixture(size, 1, true)),
    mixed("a mixture with soup, 2", |size| mixture(size, 2, true)),
];

/// A mixture of kinds. Its code is not checked.
const fn mixed(name: &'static str, make: fn(usize) -> Vec<u8>) -> Body {
    let mut body = body(name, HttpSendMail, 0, make);
    body.code = None;
    body
}

/// The start of a body, up to and including the start of its HTML.
fn start_of_html(html: &str) -> String {
    format!(
        r#"{{"ApiKey":"k","requests":[{{"from":"a@b.example","to":"a@b.example","subject":"s","body":"{html}"#
    )
}

/// A body whose HTML is one text that is read as soup.
fn soup(size: usize, before: &str, part: &str, after: &str) -> Vec<u8> {
    let end = format!("{after}{END}");
    filled(&start_of_html(before), &end, size, |_, text| {
        push(text, part)
    })
}

/// Hosts that readers end at as many places as there are kinds of ends, in each of the four texts.
fn ends(size: usize, labels: &str, label: &str) -> Vec<u8> {
    filled(&start_of_html("<svg>"), END, size, |number, text| {
        let host = format!("//{labels}{}.{label}", letters(number));
        push(text, &format!("{host}!a;b\\\"c'd)e&comma;f\\\\2ag/"));
    })
}

/// Hosts in which each `www.` begins another host. Each of them has two forms (UTS 46, deviation characters).
fn nested_names(size: usize, html: &str, before: &str, after: &str) -> Vec<u8> {
    let names = "www.\u{df},".repeat(18);
    filled(&start_of_html(html), END, size, |number, text| {
        push(text, &format!("{before}{names}{}{after}", letters(number)));
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
