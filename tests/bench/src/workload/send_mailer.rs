//! W1 and W4: calls of sendMailer.

use super::php::{Json, json_string, member};
use crate::random::Random;
use crate::world::{Account, World, mailbox, organization};

const GIVEN: [&str; 16] = [
    "Amber",
    "Hazel",
    "Jasper",
    "Olive",
    "Robin",
    "Rowan",
    "Sage",
    "Violet",
    "Érable",
    "Löwenzahn",
    "Żubr",
    "Ясень",
    "Nuño",
    "櫻",
    "Çınar",
    "Heather",
];
const FAMILY: [&str; 16] = [
    "Birch", "Cedar", "Elder", "Fern", "Linden", "Maple", "Rivers", "Thistle", "Bäumler", "Forêt",
    "Øyen", "Łąka", "Meadows", "Липа", "森", "Stone",
];
const CITIES: [&str; 12] = [
    "Harbourtown",
    "Meadowville",
    "São Rio",
    "Königsbrücke",
    "Châteauneuf",
    "Kalyānpur",
    "Riverside",
    "Højby",
    "Greenfield",
    "Nové Město",
    "Stonebridge",
    "Port Maple",
];
const STREETS: [&str; 8] = [
    "Orchard Lane",
    "Station Road",
    "Rue de l'Église",
    "Lindenstraße",
    "Mill Street",
    "Calle Mayor",
    "Ring Road",
    "Quay 7 / Pier B",
];

/// The flaw of a call of W4.
#[derive(Clone, Copy)]
enum Flaw {
    None,
    EmptyKey,
    BadAddress,
    Nobody,
    NameWithoutSender,
    MalformedJson,
}

impl Flaw {
    /// Gives each flaw to 4 % of the calls.
    fn of(index: usize) -> Self {
        match index % 25 {
            3 => Self::EmptyKey,
            8 => Self::BadAddress,
            13 => Self::Nobody,
            18 => Self::NameWithoutSender,
            23 => Self::MalformedJson,
            _ => Self::None,
        }
    }

    fn code(self) -> u16 {
        match self {
            Self::None => 200,
            Self::EmptyKey => 402,
            Self::BadAddress => 412,
            Self::Nobody => 602,
            Self::NameWithoutSender => 478,
            Self::MalformedJson => 442,
        }
    }
}

/// The calls of W1: of the same shape and size, each of another account, to another subscriber, with other texts.
pub(super) fn ordinary_calls(world: &World, count: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(1);
    let calls = (0..count).map(|index| ordinary_call(&mut random, world, index).into_bytes());
    calls.collect()
}

fn ordinary_call(random: &mut Random, world: &World, index: usize) -> String {
    let account = random.pick(&world.accounts);
    let mut out = String::from("{");
    let mut put = |name: &str, text: &str| member(name, text, Json::Plain, &mut out);
    put("apiKey", &account.key);
    put("mailerID", &random.pick(&account.mailers).id.to_string());
    put("from", random.word(&account.senders));
    put("fromName", "Order desk");
    put("email", &world.active_subscriber(random).email);
    put("listName", random.word(&["Customers", "Newsletter"]));
    // The fifteen personalization fields.
    put("mobile", &format!("+1555{:07}", random.below(10_000_000)));
    put("prefix", random.word(&["Mr.", "Mrs.", "Dr.", "Mx."]));
    put("firstName", random.word(&GIVEN));
    put("lastName", random.word(&FAMILY));
    put("phone", &format!("+1 555 {:07}", random.below(10_000_000)));
    let (number, flat) = (random.between(1, 200), random.between(1, 9));
    let street = random.word(&STREETS);
    put("address", &format!("{number} {street}, Flat {flat}"));
    put("city", random.word(&CITIES));
    put("state", "Meadowshire");
    put("pinCode", &format!("{:06}", random.below(1_000_000)));
    put("country", "Freedonia");
    put(
        "designation",
        random.word(&["Head of Gardens", "Gärtner/in"]),
    );
    put("company", &organization(random, 0));
    let (year, month) = (random.between(1940, 2005), random.between(1, 12));
    put(
        "birthday",
        &format!("{year}-{month:02}-{:02}", random.between(1, 28)),
    );
    put("referenceNo", &format!("ORD-2024-{index:07}"));
    put("extra1", "returning customer; prefers pick-up on Saturdays");
    put("customField", "order-confirmation");
    out.push_str(",\"trackOpens\":1,\"trackClicks\":1}");
    out
}

/// The calls of W4 and their codes.
pub(super) fn many_calls(world: &World, count: usize) -> (Vec<Vec<u8>>, Vec<u16>) {
    let mut random = Random::new(4);
    (0..count)
        .map(|index| {
            let flaw = Flaw::of(index);
            let style = if random.chance(50) {
                Json::Php
            } else {
                Json::Plain
            };
            let body = call(&mut random, world, index, flaw, style);
            (body.into_bytes(), flaw.code())
        })
        .unzip()
}

fn call(random: &mut Random, world: &World, index: usize, flaw: Flaw, style: Json) -> String {
    let account = random.pick(&world.accounts);
    let mut out = String::from("{");
    let key = if matches!(flaw, Flaw::EmptyKey) {
        ""
    } else {
        &account.key
    };
    member("apiKey", key, style, &mut out);
    let mailer = random.pick(&account.mailers).id;
    if random.chance(50) {
        member("mailerID", &mailer.to_string(), style, &mut out);
    } else {
        out.push_str(&format!(",\"mailerID\":{mailer}"));
    }
    sender(random, account, flaw, style, &mut out);
    recipient(random, world, index, flaw, style, &mut out);
    if random.chance(50) {
        member("listName", random.word(&world.lists), style, &mut out);
    }
    person(random, style, &mut out);
    let broken_at = out.len();
    member(
        "customField",
        &format!("campaign/{}/{index}", random.below(500)),
        style,
        &mut out,
    );
    if random.chance(70) {
        out.push_str(&format!(
            ",\"trackOpens\":{},\"trackClicks\":1",
            random.below(2)
        ));
    }
    out.push('}');
    if matches!(flaw, Flaw::MalformedJson) {
        break_json(random, broken_at, &mut out);
    }
    out
}

fn sender(random: &mut Random, account: &Account, flaw: Flaw, style: Json, out: &mut String) {
    let without_address = matches!(flaw, Flaw::NameWithoutSender);
    if !without_address && !random.chance(60) {
        return;
    }
    if !without_address {
        member("from", random.word(&account.senders), style, out);
    }
    member("fromName", "Customer café", style, out);
}

/// A recipient: mostly a subscriber by address, sometimes by number, sometimes a new one.
fn recipient(
    random: &mut Random,
    world: &World,
    index: usize,
    flaw: Flaw,
    style: Json,
    out: &mut String,
) {
    match flaw {
        Flaw::Nobody => member("email", "", style, out),
        Flaw::BadAddress => {
            let address = mailbox(random, index);
            let bad = match random.below(4) {
                0 => address.replace('@', " at "),
                1 => address.replace('@', "@@"),
                2 => format!("{address}."),
                _ => format!(".{address}"),
            };
            member("email", &bad, style, out);
        }
        _ => match random.below(10) {
            0..6 => member("email", &world.active_subscriber(random).email, style, out),
            6..8 => member("email", &mailbox(random, 1_000_000 + index), style, out),
            _ => out.push_str(&format!(
                ",\"subID\":{}",
                world.active_subscriber(random).id
            )),
        },
    }
}

/// Six to eighteen personalization fields.
fn person(random: &mut Random, style: Json, out: &mut String) {
    let (given, family) = (random.word(&GIVEN), random.word(&FAMILY));
    member("firstName", given, style, out);
    member("lastName", family, style, out);
    member(
        "mobile",
        &format!("+1555{:07}", random.below(10_000_000)),
        style,
        out,
    );
    let street = format!(
        "{} {}/{}",
        random.word(&STREETS),
        random.between(1, 200),
        random.between(1, 9)
    );
    member("address", &street, style, out);
    member("city", random.word(&CITIES), style, out);
    let birthday = format!(
        "{}-{:02}-{:02}",
        random.between(1940, 2005),
        random.between(1, 12),
        random.between(1, 28)
    );
    member("birthday", &birthday, style, out);
    let optional: [(&str, String); 12] = [
        (
            "prefix",
            random.word(&["Mr.", "Mrs.", "Dr.", "Mx."]).to_owned(),
        ),
        ("state", "Meadowshire".to_owned()),
        ("pinCode", format!("{:06}", random.below(1_000_000))),
        ("country", "Freedonia".to_owned()),
        ("phone", format!("+1 555 {:07}", random.below(10_000_000))),
        ("designation", "Gärtner/in".to_owned()),
        ("company", organization(random, 0)),
        ("companyCity", random.word(&CITIES).to_owned()),
        (
            "companyPhone",
            format!("+1 555 {:07}", random.below(10_000_000)),
        ),
        ("referenceNo", format!("R-{}", random.next_u64())),
        (
            "extra1",
            format!("https://www.shop.example/o/{}", random.below(1_000_000)),
        ),
        ("extra2", "said \"call me after 6 pm\"".to_owned()),
    ];
    for (name, text) in &optional {
        if random.chance(50) {
            member(name, text, style, out);
        }
    }
}

/// Breaks the JSON as happens when it is put together by hand or cut off on its way.
fn break_json(random: &mut Random, at: usize, out: &mut String) {
    match random.below(4) {
        0 => out.truncate(at + 9),
        1 => {
            out.pop();
            out.push_str(",}");
        }
        2 => {
            out.truncate(at);
            out.push_str(",'note':'x'}");
        }
        _ => {
            out.pop();
            out.push_str(",\"note\":\"");
            json_string("half", Json::Plain, out);
            out.push_str("\"}");
        }
    }
}
