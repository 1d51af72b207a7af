//! The URLs in values of attributes, and in CSS.

pub(super) fn srcset(value: &str) -> Vec<String> {
    let mut urls = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return urls;
        }
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let url = &rest[..end];
        rest = &rest[end..];
        if url.ends_with(',') {
            urls.push(url.trim_end_matches(',').to_owned());
            continue;
        }
        urls.push(url.to_owned());
        let mut inside = false;
        let end = rest.find(|c| {
            match c {
                '(' => inside = true,
                ')' => inside = false,
                _ => {}
            }
            c == ',' && !inside
        });
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
}

pub(super) fn refresh_url(value: &str) -> Option<String> {
    let space = |c: char| c.is_ascii_whitespace();
    let rest = value.trim_start_matches(space);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == rest.len() && !rest.starts_with('.') {
        return None;
    }
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !rest.starts_with(|c: char| space(c) || c == ';' || c == ',') {
        return None;
    }
    let rest = rest.trim_start_matches(space);
    let rest = rest
        .strip_prefix([';', ','])
        .unwrap_or(rest)
        .trim_start_matches(space);
    let mut url = rest;
    if rest.len() >= 3 && rest.is_char_boundary(3) && rest[..3].eq_ignore_ascii_case("url") {
        match rest[3..].trim_start_matches(space).strip_prefix('=') {
            Some(after) => url = after.trim_start_matches(space),
            None => return Some(rest.to_owned()),
        }
    }
    for quote in ['"', '\''] {
        if let Some(inner) = url.strip_prefix(quote) {
            return Some(inner.split(quote).next().unwrap().to_owned());
        }
    }
    Some(url.to_owned())
}

pub(super) fn css_urls(parser: &mut cssparser::Parser<'_>, strings: bool, urls: &mut Vec<String>) {
    let mut import = false;
    let mut namespace = false;
    while let Ok(token) = parser.next().cloned() {
        let mut inner = None;
        let mut first_alone = false;
        let mut next_import = false;
        match &token {
            cssparser::Token::UnquotedUrl(url) if !namespace => urls.push(url.to_string()),
            cssparser::Token::QuotedString(string) if (strings || import) && !namespace => {
                urls.push(string.to_string());
            }
            cssparser::Token::AtKeyword(name) => {
                next_import = name.eq_ignore_ascii_case("import");
                namespace = name.eq_ignore_ascii_case("namespace");
            }
            cssparser::Token::Semicolon => namespace = false,
            cssparser::Token::Function(name) => {
                let is = |names: &[&str]| names.iter().any(|n| name.eq_ignore_ascii_case(n));
                first_alone = is(&["url", "src"]);
                inner = Some(first_alone || is(&["image-set", "-webkit-image-set"]));
            }
            cssparser::Token::ParenthesisBlock | cssparser::Token::SquareBracketBlock => {
                inner = Some(false)
            }
            cssparser::Token::CurlyBracketBlock => {
                namespace = false;
                inner = Some(false);
            }
            _ => {}
        }
        import = next_import;
        if let Some(strings) = inner {
            let _ = parser.parse_nested_block(|parser| -> Result<(), cssparser::ParseError<()>> {
                let mut found = Vec::new();
                if first_alone {
                    let first = parser.next().cloned();
                    if let Ok(cssparser::Token::QuotedString(string)) = first {
                        found.push(string.to_string());
                    }
                } else {
                    css_urls(parser, strings, &mut found);
                }
                if !namespace {
                    urls.append(&mut found);
                }
                Ok(())
            });
        }
    }
}
