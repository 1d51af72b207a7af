//! The values that a page was given, in its address or in a form.

use super::pages::Page;

/// Names and values that are not empty, in their order.
#[derive(Default)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the query of an address, or a form that was sent as one.
    pub(super) fn of(query: &str) -> Self {
        let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned();
        Self::of_pairs(pairs)
    }

    pub(super) fn of_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let pairs = pairs.into_iter();
        Self(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    /// The first value of a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All values of a name.
    pub(super) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let name = name.to_owned();
        let pairs = self.0.iter();
        pairs
            .filter(move |(own, _)| *own == name)
            .map(|(_, value)| value.as_str())
    }

    /// The query of an address: this one, with another value for a name.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let others = self.0.iter().filter(|(own, _)| own != name);
        let others = others.map(|(name, value)| (name.as_str(), value.as_str()));
        let mut text = url::form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(others).append_pair(name, value);
        text.finish()
    }

    /// This query without the values of a name.
    pub(super) fn without(&self, name: &str) -> Self {
        let others = self.0.iter().filter(|(own, _)| own != name);
        Self(others.cloned().collect())
    }

    /// The words that would be typed: the page's command, its options, and its arguments without a name. `None` if a
    /// required argument is missing.
    pub(super) fn words(&self, page: &Page) -> Option<Vec<String>> {
        let mut words = vec![page.noun.to_owned(), page.verb.to_owned()];
        let mut nameless = Vec::new();
        for argument in &page.asks().arguments {
            let mut values = self.all(&argument.name).peekable();
            if values.peek().is_none() && argument.is_required {
                return None;
            }
            match &argument.long {
                Some(long) if argument.is_flag => {
                    words.extend(values.next().map(|_| format!("--{long}")));
                }
                Some(long) => words.extend(values.map(|value| format!("--{long}={value}"))),
                None => nameless.extend(values.map(str::to_owned)),
            }
        }
        // After `--` a value that begins with a hyphen is not an option.
        words.push("--".to_owned());
        words.extend(nameless);
        Some(words)
    }

    /// The values that the command of a page asks for.
    pub(super) fn asked(&self, page: &Page) -> Vec<(String, String)> {
        let is_asked = |name: &str| {
            let mut arguments = page.asks().arguments.iter();
            arguments.any(|argument| argument.name == name)
        };
        let pairs = self.0.iter().filter(|(name, _)| is_asked(name));
        pairs.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn what_is_typed_is_the_query_and_nothing_of_it_becomes_another_option() {
        let page = Page::find("delivery", "list").unwrap();
        let words = |query: &str| Query::of(query).words(page);
        assert_eq!(words("recipient=a%40b.c"), None);
        assert_eq!(
            words("account=-1&recipient=--limit%3D1&queued=on&unmask=on&other=1").unwrap(),
            [
                "delivery",
                "list",
                "--recipient=--limit=1",
                "--queued",
                "--",
                "-1"
            ]
        );
    }

    #[test]
    fn a_name_may_have_several_values() {
        let page = Page::find("blacklist", "set").unwrap();
        let query = Query::of("domain=a.example&roles=sender&roles=content&form=1");
        assert_eq!(
            query.words(page).unwrap(),
            ["blacklist", "set", "--", "a.example", "sender", "content"]
        );
        assert_eq!(query.asked(page).len(), 3);
        assert_eq!(Query::of("domain=a.example").words(page), None);
    }
}
