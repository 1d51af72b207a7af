//! An email with tracked links is the same email, except for the targets of its links.

use franking::html::{Link, links};
use franking_service::outcomes::{Found, MOST_LINKS, Wanted, rewritten, targets};
use html5gum::{Token, Tokenizer};

use crate::mail::hostile::Dice;

const IMAGE: &str = "https://t.example.com/t/1-1-0-0f";

fn link(place: usize) -> String {
    format!("https://t.example.com/t/1-1-{}-0f", place + 1)
}

fn tracked(html: &str, found: &Found) -> String {
    rewritten(html, found, |place| Some(link(place)), Some(IMAGE))
}

fn urls(html: &str, wanted: Wanted) -> Vec<String> {
    let found = targets(html, wanted).targets;
    found.into_iter().map(|target| target.url).collect()
}

/// The tokens of HTML. A tree is built from them alone. The image is left out, and so are errors and spans, which tell of
/// places.
fn tokens(html: &str) -> Vec<Token> {
    let tokens = Tokenizer::new(html).map(|token| match token {
        Ok(token) => token,
        Err(never) => match never {},
    });
    let is_image = |token: &Token| match token {
        Token::StartTag(tag) => {
            let source = tag.attributes.get(b"src".as_slice());
            source.is_some_and(|value| value.as_slice() == IMAGE.as_bytes())
        }
        _ => false,
    };
    let mut all: Vec<Token> = Vec::new();
    for token in tokens.filter(|token| !matches!(token, Token::Error(_)) && !is_image(token)) {
        // The image has cut this text in two.
        if let (Some(Token::String(before)), Token::String(text)) = (all.last_mut(), &token) {
            before.value.extend_from_slice(&text.value);
        } else {
            all.push(token);
        }
    }
    all
}

/// The tokens, with the original targets in place of the tracking links.
fn restored(html: &str, found: &Found) -> Vec<Token> {
    let mut places = 0..found.targets.len();
    let mut next = places.next();
    let restore = |mut token: Token| {
        if let (Token::StartTag(tag), Some(place)) = (&mut token, next)
            && let Some(value) = tag.attributes.get_mut(b"href".as_slice())
            && value.as_slice() == link(place).as_bytes()
        {
            *value = found.targets[place].url.as_bytes().to_vec().into();
            next = places.next();
        }
        token
    };
    let restored: Vec<Token> = tokens(html).into_iter().map(restore).collect();
    assert_eq!(next, None, "a link is missing: {html}");
    restored
}

/// Fails if the rewritten email differs in anything but the targets.
fn check(html: &str, wanted: Wanted) -> usize {
    let found = targets(html, wanted);
    let after = tracked(html, &found);
    // The bytes are the same, with the original targets and without the image.
    let image = format!("<img src=\"{IMAGE}\" width=\"1\" height=\"1\" alt=\"\">");
    let mut bytes = after.replacen(&image, "", 1);
    for (place, target) in found.targets.iter().enumerate().rev() {
        let (before, rest) = bytes.split_once(&link(place)).unwrap();
        bytes = [before, &html[target.span.clone()], rest].concat();
    }
    assert_eq!(bytes, html);
    assert_eq!(restored(&after, &found), tokens(html), "{html}\n{after}");
    if wanted == Wanted::Judged {
        let judged: Vec<Link<'_>> = links(html).collect();
        for target in &found.targets {
            let is_it =
                |link: &Link<'_>| link.span.start == target.span.start && link.url == target.url;
            assert!(judged.iter().any(is_it), "{html}");
        }
    }
    found.targets.len()
}

/// Pieces of emails: markup, texts, and texts that can be mistaken for either.
const PIECES: &[&str] = &[
    "<a href=\"https://shop.example/a?b=1&amp;c=2\">Offer</a>",
    "<A HREF='HTTPS://shop.example/B' class=x>Offer</A>",
    "<a href=https://shop.example/c>c</a>",
    "<a\n title=\"a > b\" href = \"http://shop.example/d\" >d</a>",
    "<map name=m><area shape=rect href=\"https://shop.example/area\"></map>",
    "<a rel=\"nofollow NoTrack\" href=\"https://shop.example/n\">n</a>",
    "<a rel=unsubscribe href=\"https://shop.example/bye\">u</a>",
    "<a href=\"https://shop.example/Unsubscribe?id=1\">u</a>",
    "<a href=\"mailto:a@shop.example\">m</a>",
    "<a href=\"#top\">top</a>",
    "<a href=\"/relative\">r</a>",
    "<a href=\"//shop.example/no-scheme\">r</a>",
    "<a href>empty</a>",
    "<a href=\"https://shop.example/1\" href=\"https://other.example/2\">twice</a>",
    "<a href=\"https://bücher.example/\">idn</a>",
    "<a href=\" https://shop.example/space \">space</a>",
    "<a href=\"https://shop.example/&quot;onclick=&quot;x\">quote</a>",
    "<a href=\"https://shop.example/&copy=1&copy\">references</a>",
    "<form action=\"https://shop.example/form\"><input name=q></form>",
    "<!-- <a href=\"https://shop.example/comment\"> -->",
    "<!--[if mso]><a href=\"https://shop.example/mso\">o</a><![endif]-->",
    "<img src=\"https://cdn.example/i.png\" alt=\"\">",
    "<style>a { color: red }</style>",
    "<title>https://shop.example/title</title>",
    "<textarea><a href=\"https://shop.example/textarea\"></textarea>",
    "<svg><a href=\"https://shop.example/svg\"><text>s</text></a></svg>",
    "<table><tr><td><a href=\"https://shop.example/cell\">cell</a></td></tr></table>",
    "<p>1 < 2 & 3 > 2, grüß https://shop.example/text</p>",
    "<body style=\"margin:0\">",
    "</body>",
    "<div>",
    "</div>",
    "\r\n",
    "<a href=\"https://shop.example/cut",
    "<select><option>a</select>",
    "<link rel=stylesheet href=\"https://cdn.example/s.css\"><base target=_blank>",
    "<![CDATA[ x ]]>",
    "<a/href=\"https://shop.example/slash\"/>slash</a>",
];

const MAIL: [&str; 6] = [
    include_str!("../../../../core/tests/mail/foundation.html"),
    include_str!("../../../../core/tests/mail/mailchimp.html"),
    include_str!("../../../../core/tests/mail/mjml.html"),
    include_str!("../../../../core/tests/mail/outlook.html"),
    include_str!("../../../../core/tests/mail/svg_logo.html"),
    include_str!("../../../../core/tests/mail/forwarded.html"),
];

#[test]
fn ten_thousand_emails_are_the_same_but_for_their_targets() {
    let mut dice = Dice::new(39);
    let (mut links, mut emails) = (0, 0);
    for html in MAIL {
        for wanted in [Wanted::Judged, Wanted::Stored] {
            links += check(html, wanted);
            emails += 1;
        }
    }
    assert!(links > 0);
    while emails < 10_000 {
        let count = 1 + dice.below(12);
        let html: String = (0..count)
            .map(|_| PIECES[dice.below(PIECES.len())])
            .collect();
        let wanted = [Wanted::Judged, Wanted::Stored][emails % 2];
        links += check(&html, wanted);
        emails += 1;
    }
    assert!(links > 10_000, "{links}");
}

#[test]
fn links_of_the_web_are_found_and_others_are_left_alone() {
    let html: String = PIECES[..18].concat();
    let expected = [
        "https://shop.example/a?b=1&c=2",
        "HTTPS://shop.example/B",
        "https://shop.example/c",
        "http://shop.example/d",
        "https://shop.example/area",
        "https://shop.example/1",
        "https://shop.example/\"onclick=\"x",
        "https://shop.example/&copy=1©",
    ];
    let mut all = urls(&html, Wanted::Stored);
    // A link with other characters than ASCII is left alone.
    assert_eq!(all, expected[..7]);
    all = urls(&html, Wanted::Judged);
    assert_eq!(all, expected[..7]);
}

#[test]
fn of_very_many_links_the_first_are_tracked_and_the_email_grows_by_no_more() {
    let one = "<a href=http://a.b>";
    // Links that cannot be tracked do not count.
    let html = [
        "<a href=#top>".repeat(MOST_LINKS),
        one.repeat(4 * MOST_LINKS),
    ]
    .concat();
    for wanted in [Wanted::Judged, Wanted::Stored] {
        let found = targets(&html, wanted);
        assert_eq!(found.targets.len(), MOST_LINKS);
        let after = tracked(&html, &found);
        let untouched = one.repeat(3 * MOST_LINKS);
        assert!(after.contains(&format!("{}>{untouched}", link(MOST_LINKS - 1))));
        let added = (MOST_LINKS + 1) * 100;
        assert!(after.len() < html.len() + added, "{}", after.len());
    }
}

#[test]
fn of_a_judged_email_nothing_is_rewritten_that_the_library_reads_as_soup() {
    let soup = "<a href=\"https://shop.example/1\">1</a><svg></svg><a href=\"https://shop.example/2\">2</a>";
    assert_eq!(urls(soup, Wanted::Judged), ["https://shop.example/1"]);
    assert_eq!(urls(soup, Wanted::Stored).len(), 2);
}

#[test]
fn the_image_is_before_the_end_of_the_body_and_never_within_something_else() {
    let image = format!("<img src=\"{IMAGE}\" width=\"1\" height=\"1\" alt=\"\">");
    for (html, expected) in [
        (
            "<body>a</body></html>",
            format!("<body>a{image}</body></html>"),
        ),
        ("a", format!("a{image}")),
        ("<body>a", format!("<body>a{image}")),
        ("<!-- </body>", "<!-- </body>".to_owned()),
        ("<title>a", "<title>a".to_owned()),
        ("<a title=\"", "<a title=\"".to_owned()),
    ] {
        let found = targets(html, Wanted::Stored);
        assert_eq!(tracked(html, &found), expected);
        assert_eq!(rewritten(html, &found, |_| None, None), html);
    }
}

#[test]
fn debug_shows_no_url() {
    let found = targets(PIECES[0], Wanted::Stored);
    assert_eq!(found.targets.len(), 1);
    assert!(!format!("{found:?}").contains("shop"));
}
