//! The language of templates, and what is refused of it.

use super::{Template, TemplateError, Values, html, list_unsubscribe, subject};

fn parse(subject: &str, html: &str, url: Option<&str>) -> Result<Template, TemplateError> {
    Template::parse(subject.to_owned(), html.to_owned(), url.map(str::to_owned))
}

fn of(fields: &[(String, String)]) -> Values<'_> {
    Values {
        email: "o'reader@customer.example",
        fields,
    }
}

fn values() -> Vec<(String, String)> {
    [
        ("firstName", "<Rea\r\nder> & {{ city }}"),
        ("lastName", ""),
        ("extra1", "a b/ü?&"),
    ]
    .map(|(name, value)| (name.into(), value.into()))
    .to_vec()
}

#[test]
fn the_template_of_the_page_is_one() {
    let page = include_str!("../../../../../docs/emails.md");
    let html = page.split("```html\n").nth(1);
    let html = html.and_then(|rest| rest.split("```").next());
    let names = parse("Hello", html.unwrap_or_default(), None).map(|template| template.names);
    assert!(matches!(names, Ok(names) if names.iter().eq(["city", "firstName"])));
}

#[test]
fn values_are_escaped_in_html_and_nowhere_read_as_a_template() {
    let values = values();
    let values = of(&values);
    for (template, filled) in [
        (
            "<p>{{ firstName }}</p>\n",
            "<p>&lt;Rea\r\nder&gt; &amp; {{ city }}</p>\n",
        ),
        ("{{lastName}}{{ nothing }}|", "|"),
        ("{{ lastName|default(\"friend\") }}", "friend"),
        ("{{ nothing | default('<b>') }}", "&lt;b&gt;"),
        (
            "{% if lastName %}a{% elif firstName != '' %}b{% else %}c{% endif %}",
            "b",
        ),
        ("{{- extra1|upper -}} x", "A B&#x2f;Ü?&amp;x"),
        ("{{ email }}", "o&#x27;reader@customer.example"),
        ("{# a note #}{{ extra1|urlencode }}", "a%20b%2F%C3%BC%3F%26"),
        ("{{ nothing|trim|capitalize|lower|upper|urlencode }}", ""),
        ("a { b } }} %} \\ {", "a { b } }} %} \\ {"),
    ] {
        assert_eq!(html(template, values).as_deref(), Ok(filled), "{template}");
    }
    let subject = subject("To {{ firstName }}", values);
    assert_eq!(subject.as_deref(), Ok("To <Rea\r\nder> & {{ city }}"));
}

#[test]
fn a_name_without_a_value_is_equal_to_an_empty_text() {
    let values = values();
    let values = of(&values);
    for (condition, is_true) in [
        ("city == \"\"", true),
        ("city != \"\"", false),
        ("'' == city", true),
        // This field is there, and its value is empty.
        ("city == lastName", true),
        ("city|upper == ''", true),
        ("city == firstName", false),
    ] {
        let template = format!("https://shop.example/{{% if {condition} %}}a{{% endif %}}");
        let expected = ["https://shop.example/", if is_true { "a" } else { "" }].concat();
        for filled in [
            html(&template, values),
            subject(&template, values),
            list_unsubscribe(&template, values),
        ] {
            assert_eq!(filled.as_ref(), Ok(&expected), "{condition}");
        }
    }
}

#[test]
fn what_is_not_of_the_language_is_refused_when_it_is_stored() {
    for template in [
        "{{",
        "{{ }}",
        "{{ firstName",
        "{{ firstName }",
        "{% if a %}",
        "{% endif %}",
        "{% for a in b %}{% endfor %}",
        "{% set a = 1 %}",
        "{{ a ~ a }}",
        "{{ a * 9 }}",
        "{{ a + a }}",
        "{{ a.b }}",
        "{{ a['b'] }}",
        "{{ f() }}",
        "{{ a|safe }}",
        "{{ a|upper() }}",
        "{{ a|default }}",
        "{{ a|default(b) }}",
        "{{ a|default('b', 'c') }}",
        "{% include 'a' %}",
        "{% macro a() %}{% endmacro %}",
        "{{ 'a\\n' }}",
        "{{ 1 }}",
        "{{ a is defined }}",
        "{# never closed",
        "{{ a }}{% raw %}{{ b }}{% endraw %}",
        "{{ 'open }}",
        "{{ a b }}",
        "{{ a | nothing }}",
        "{% block a %}{% endblock %}",
        "{% if %}{% endif %}",
        "{{ [a] }}",
        "{{ {a: b} }}",
        "{{ a if b }}",
        "{{ self }}x{{ loop( }}",
    ] {
        let refused = parse("x", template, None);
        assert!(
            matches!(refused, Err(TemplateError::Syntax { .. })),
            "{template}: {refused:?}"
        );
        assert!(parse(template, "x", None).is_err(), "{template}");
    }
    let on_the_third = parse("x", "a\nb\n{{ f() }}", None);
    assert!(matches!(
        on_the_third,
        Err(TemplateError::Syntax { line: 3, .. })
    ));
}

#[test]
fn the_names_of_a_template_are_those_that_change_what_it_is_filled_in_as() {
    let template = parse(
        "{{ firstName|upper }}{# comment #}",
        "{% if city == \"no\" and not extra1 %}{{ email }}{% elif (lastName) %}{{ extra2|default('city2') }}{% endif %}",
        Some("https://shop.example/{{ extra3 }}"),
    );
    let names = template.map(|template| template.names().map(str::to_owned).collect());
    let expected = [
        "city",
        "extra1",
        "extra2",
        "extra3",
        "firstName",
        "lastName",
    ];
    assert_eq!(names, Ok(Vec::from(expected.map(str::to_owned))));
}

#[test]
fn a_filled_in_text_is_bounded() {
    let long = [("extra1".to_owned(), "x".repeat(1 << 20))];
    let template = "{{ extra1 }}".repeat(33);
    assert_eq!(html(&template, of(&long)), Err(TemplateError::TooLong));
}

#[test]
fn deep_templates_end_in_an_error() {
    for template in [
        format!("{{{{ {}a{} }}}}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{{{{ {}a }}}}", "not ".repeat(100_000)),
        "{% if a %}".repeat(100_000),
    ] {
        assert!(parse("x", &template, None).is_err());
    }
    let wide = format!("{{{{ a{} }}}}", "|urlencode".repeat(8));
    assert_eq!(html(&wide, Values::default()).as_deref(), Ok(""));
}

#[test]
fn a_list_unsubscribe_is_a_url_whatever_the_values() {
    let values = values();
    let values = of(&values);
    let url = list_unsubscribe("https://shop.example/u?n={{ firstName }}", values);
    assert_eq!(
        url.as_deref(),
        Ok("https://shop.example/u?n=%3CRea%0D%0Ader%3E%20%26%20%7B%7B%20city%20%7D%7D")
    );
    for template in [
        "",
        "shop.example",
        "javascript:x",
        "https://a.example/ b",
        "https://a.example/>",
        "mailto:ü@a.example",
    ] {
        let refused = parse("x", "x", Some(template));
        assert!(matches!(refused, Err(TemplateError::Url)), "{template}");
    }
    let long = [("extra1".to_owned(), "x".repeat(1_000))];
    let url = list_unsubscribe("mailto:u@a.example?subject={{ extra1 }}", of(&long));
    assert_eq!(url, Err(TemplateError::Url));
}
