//! W2, W3 and W5: calls of httpSendMail.

use super::MAX_BYTES;
use super::html::{Shape, newsletter, pad};
use super::php::{Json, member, urlencode};
use crate::random::Random;
use crate::world::{Account, World, mailbox};

const KIB: usize = 1_024;
/// With this share of price rows, 11 KiB of HTML are about 15.8 kB when encoded.
const W2_PRICES: usize = 42;
/// With this share of price rows, 24 kB of HTML take a thousandth of the biggest call.
const W3_PRICES: usize = 52;
/// The number of requests of W3.
const REQUESTS: usize = 1_000;
const LEAST_HTML: usize = 22_000;
const MOST_HTML: usize = 26_000;
/// The encoded body of each request of W5.
const SHORT_BODY: usize = 165;
const RECIPIENTS: usize = 50;

/// The calls of W2: newsletters of the same shape and size, each with its own links, images and texts.
pub(super) fn newsletters(world: &World, count: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(37);
    let calls = (0..count).map(|_| one_newsletter(&mut random, world).into_bytes());
    calls.collect()
}

fn one_newsletter(random: &mut Random, world: &World) -> String {
    let account = random.pick(&world.accounts);
    let shape = Shape {
        bytes: 11 * KIB,
        links: 20,
        images: 8,
        prices: W2_PRICES,
    };
    let html = newsletter(random, shape);
    let to = world.active_subscriber(random).email.clone();
    let mut out = open(account);
    request(
        account,
        "Spring in your garden \u{2013} 20 % off",
        [&to, "", ""],
        &html,
        &mut out,
    );
    close(out)
}

/// The call of W3. The HTML of the last request is padded, so that the call is one byte below the limit.
pub(super) fn biggest_legal_call(world: &World) -> String {
    const TAIL: &str = "]}";
    let mut random = Random::new(3);
    let mut readers = Readers::new(world, 33);
    let account = &world.accounts[321];
    let mut out = open(account);
    // The factor by which HTML grows when it is encoded and put into a request. It is corrected with each request.
    let mut growth = 1.4;
    let mut written = 0;
    for index in 0..REQUESTS {
        let room = MAX_BYTES - 1 - TAIL.len() - out.len();
        let fair_share = room as f64 / (REQUESTS - index) as f64 / growth;
        let last = index == REQUESTS - 1;
        let wanted = if last {
            fair_share - 400.0
        } else {
            fair_share * (0.95 + random.below(101) as f64 / 1_000.0)
        };
        let bytes = (wanted as usize).clamp(LEAST_HTML, MOST_HTML);
        let mut html = newsletter(
            &mut random,
            Shape {
                bytes,
                links: 15,
                images: 8,
                prices: W3_PRICES,
            },
        );
        let [to, also, cc] = [0, 1, 2].map(|_| readers.next());
        let addresses = [&format!("{to}, {also}"), &cc, ""];
        let subject = format!("Your week {index}: what is in season");
        let before = out.len();
        request(account, &subject, addresses, &html, &mut out);
        if last {
            let missing = room - (out.len() - before);
            out.truncate(before);
            pad_before_foot(&mut html, missing);
            request(account, &subject, addresses, &html, &mut out);
        }
        written += html.len();
        growth = out.len() as f64 / written as f64;
    }
    close(out)
}

/// W5, or a part of it.
pub(super) fn many_addresses(world: &World, requests: usize) -> String {
    let mut readers = Readers::new(world, 5);
    let account = &world.accounts[555];
    let mut out = open(account);
    for index in 0..requests {
        let to: Vec<String> = (0..RECIPIENTS).map(|_| readers.next()).collect();
        let mut html = format!(
            "<p>Order {index}: <a href=\"https://www.shop.example/t/{index}\">track it</a>.</p><p>"
        );
        let mut encoded = String::new();
        urlencode(&html, &mut encoded);
        // `</p>` takes ten bytes when it is encoded.
        pad(&mut html, SHORT_BODY - encoded.len() - 10);
        html.push_str("</p>");
        request(
            account,
            "Your order",
            [&to.join(","), "", ""],
            &html,
            &mut out,
        );
    }
    close(out)
}

/// The subscribers to whom a shop writes: one after the other, in the order in which they subscribed, with some new ones in
/// between.
struct Readers<'a> {
    world: &'a World,
    random: Random,
    taken: usize,
}

impl<'a> Readers<'a> {
    fn new(world: &'a World, seed: u64) -> Self {
        Self {
            world,
            random: Random::new(seed),
            taken: 0,
        }
    }

    fn next(&mut self) -> String {
        loop {
            self.taken += 1;
            if self.random.chance(30) {
                return mailbox(&mut self.random, 2_000_000 + self.taken);
            }
            let subscriber = &self.world.subscribers[self.taken % self.world.subscribers.len()];
            if !subscriber.inactive {
                return subscriber.email.clone();
            }
        }
    }
}

fn pad_before_foot(html: &mut String, count: usize) {
    let at = html
        .rfind("</td></tr>\r\n</table>")
        .expect("every newsletter ends its table");
    let foot = html.split_off(at);
    pad(html, count);
    html.push_str(&foot);
}

fn open(account: &Account) -> String {
    format!("{{\"ApiKey\":\"{}\",\"requests\":[", account.key)
}

fn request(
    account: &Account,
    subject: &str,
    [to, cc, bcc]: [&str; 3],
    html: &str,
    out: &mut String,
) {
    if !out.ends_with('[') {
        out.push(',');
    }
    out.push('{');
    let mut body = String::with_capacity(html.len() * 3 / 2);
    urlencode(html, &mut body);
    for (name, text) in [
        ("subject", subject),
        ("from", &account.senders[0]),
        ("fromName", "The garden shop"),
        ("replyTo", &account.senders[2]),
        ("to", to),
        ("cc", cc),
        ("bcc", bcc),
        ("body", &body),
        ("trackOpens", "1"),
        ("trackClicks", "1"),
        ("customField", ""),
    ] {
        member(name, text, Json::Php, out);
    }
    out.push('}');
}

fn close(mut out: String) -> String {
    out.push_str("]}");
    out
}
