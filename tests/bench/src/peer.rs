//! The same decision made with well-known crates, as a good Rust developer would write it without the library.
//!
//! A peer checks in the order of the interface and gives the same codes. It does less than the library: it makes
//! no plan, keeps no places, and looks for links in three attributes only.

mod http_send_mail;
mod json;
mod limits;
mod links;
mod send_mailer;

use email_address::{EmailAddress, Options};

pub use self::limits::{Limit, limits};
pub use self::links::{Html5gum, Links, LolHtml};
use crate::contender::Contender;
use crate::database::{AccountRow, Database};
use crate::workload::Operation;

/// The peer, with one of the two ways to find links.
#[derive(Debug)]
pub struct Peer<'a, L> {
    database: &'a Database,
    links: L,
}

impl<'a> Peer<'a, LolHtml> {
    /// The peer that every ratio refers to.
    #[must_use]
    pub fn lol_html(database: &'a Database) -> Self {
        let links = LolHtml::default();
        Self { database, links }
    }
}

impl<'a> Peer<'a, Html5gum> {
    /// The same peer with a tokenizer that does nothing but tokenize.
    #[must_use]
    pub fn html5gum(database: &'a Database) -> Self {
        let links = Html5gum;
        Self { database, links }
    }
}

impl<L: Links> Contender for Peer<'_, L> {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn decide(&mut self, operation: Operation, body: &[u8]) -> u16 {
        let decision = match operation {
            Operation::SendMailer => send_mailer::decide(self.database, body),
            Operation::HttpSendMail => http_send_mail::decide(self.database, &self.links, body),
        };
        decision.err().unwrap_or(200)
    }
}

/// The account of `key`, or the code that says why nothing is sent for it.
fn authenticate<'a>(database: &'a Database, key: Option<&str>) -> Result<&'a AccountRow, u16> {
    let key = key.ok_or(402_u16)?;
    let account = database.account(database.hashed(key)).ok_or(403_u16)?;
    match account {
        AccountRow { blocked: true, .. } => Err(404),
        AccountRow { expired: true, .. } => Err(405),
        AccountRow {
            deactivated: true, ..
        } => Err(448),
        _ => Ok(account),
    }
}

/// The address in the form that is compared, if it is valid.
fn match_key(address: &str) -> Option<String> {
    let options = Options::default()
        .with_required_tld()
        .without_display_text()
        .without_domain_literal();
    let mut address: String = EmailAddress::parse_with_options(address.trim(), options)
        .ok()?
        .into();
    if address.is_ascii() {
        address.make_ascii_lowercase();
        return Some(address);
    }
    Some(address.to_lowercase())
}

fn domain(address: &str) -> &str {
    address.rsplit_once('@').map_or("", |(_, domain)| domain)
}

/// Is the domain or one of its parents, down to two labels, blacklisted?
fn is_blacklisted(database: &Database, domain: &str) -> bool {
    let mut name = domain;
    loop {
        if database.is_blacklisted(database.hashed(name)) {
            return true;
        }
        match name.split_once('.') {
            Some((_, parent)) if parent.contains('.') => name = parent,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::Peer;
    use crate::contender::{Contender, check};
    use crate::database::Database;
    use crate::workload::{Operation, Workload};
    use crate::world::World;

    static WORLD: LazyLock<World> = LazyLock::new(World::new);
    static DATABASE: LazyLock<Database> = LazyLock::new(|| Database::new(&WORLD));

    #[test]
    fn both_peers_give_the_codes_of_every_workload() {
        for name in Workload::NAMES.iter().chain(&["W5-small"]) {
            let workload = Workload::named(name, &WORLD).expect("a name");
            assert_eq!(check(&mut Peer::lol_html(&DATABASE), &workload), Ok(()));
            assert_eq!(check(&mut Peer::html5gum(&DATABASE), &workload), Ok(()));
        }
    }

    /// A call of httpSendMail that would be accepted, with one thing changed.
    fn changed(from: &str, to: &str) -> [u16; 2] {
        let account = &WORLD.accounts[0];
        let body = format!(
            r#"{{"ApiKey":"{}","requests":[{{"subject":"Hi","from":"{}","to":"amber@mail.example","body":"%3Ca+href%3D%22https%3A%2F%2Fwww.shop.example%22%3Ex"}}]}}"#,
            account.key, account.senders[0]
        );
        assert!(body.contains(from), "{from}");
        let body = body.replace(from, to);
        [
            Peer::lol_html(&DATABASE).decide(Operation::HttpSendMail, body.as_bytes()),
            Peer::html5gum(&DATABASE).decide(Operation::HttpSendMail, body.as_bytes()),
        ]
    }

    #[test]
    fn what_is_wrong_with_a_request_gives_its_code() {
        let blacklisted = &WORLD.blacklist[0];
        let inactive = WORLD
            .subscribers
            .iter()
            .find(|subscriber| subscriber.inactive);
        let inactive = &inactive.expect("some are").email;
        let sender = &WORLD.accounts[0].senders[0];
        for (from, to, code) in [
            ("Hi", "Hi", 200),
            ("\"Hi\"", "\" \"", 406),
            ("\"Hi\"", "\"Hi {{name}}\"", 476),
            ("\"Hi\"", "\"Hi\",\"replyTo\":\"nobody\"", 407),
            ("\"Hi\"", "\"Hi\",\"fromName\":\"a\\nb\"", 477),
            ("%3Ca", "%ff%3Ca", 408),
            (sender, "", 409),
            (sender, "shop", 410),
            (sender, "other@shop.example", 420),
            (sender, &format!("news@a.b.{blacklisted}"), 414),
            ("amber@mail.example", " , ", 411),
            ("amber@mail.example", "amber@mail.example, amber", 412),
            ("amber@mail.example", &format!("amber@{blacklisted}"), 416),
            ("amber@mail.example", inactive, 443),
            ("www.shop.example", &format!("www.{blacklisted}"), 413),
            ("\"requests\":[", "\"requests\":[{},", 406),
            ("}]", "}", 475),
        ] {
            assert_eq!(changed(from, to), [code; 2], "{from} replaced by {to}");
        }
    }

    #[test]
    fn an_unknown_key_is_refused() {
        assert_eq!(changed(&WORLD.accounts[0].key, "unknown"), [403; 2]);
        assert_eq!(changed(&WORLD.accounts[0].key, ""), [402; 2]);
    }
}
