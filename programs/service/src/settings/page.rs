//! The table of settings in `docs/settings.md` is written from the rows. A test fails when it is stale, and
//! `FRANKING_WRITE=1 cargo test -p franking-service --lib settings` writes it anew. Another test reads the settings files
//! that the pages show.
#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]

use toml::Table;

use super::{Given, ROWS, Settings, default};
use crate::outbox::Limits;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
const HEAD: &str = "| setting | default | |\n| --- | --- | --- |\n";

#[test]
fn the_page_lists_the_settings_with_their_defaults() {
    let defaults = Table::try_from(Settings::default()).unwrap();
    let rows = ROWS.iter().map(|row| {
        let default = default(row, &defaults);
        let default = default.map_or_else(String::new, |default| format!("`{default}`"));
        format!("| `{}` | {default} | {} |\n", row.name, row.help())
    });
    let table = [HEAD.to_owned(), rows.collect()].concat();
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(HEAD).unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let written = [before, &table, "\n", after].concat();
    if std::env::var_os("FRANKING_WRITE").is_some() {
        std::fs::write(PAGE, &written).unwrap();
    } else {
        assert!(page == written, "docs/settings.md is stale: `make pages`");
    }
}

#[test]
fn what_the_pages_show_of_a_settings_file_is_one() {
    let pages = [
        include_str!("../../../../docs/settings.md"),
        include_str!("../../../../docs/emails.md"),
        include_str!("../../../../docs/first-email.md"),
    ];
    let blocks = pages
        .iter()
        .flat_map(|page| page.split("```toml\n").skip(1));
    let mut count = 0;
    for block in blocks {
        let (block, _) = block.split_once("```").unwrap();
        // The password comes from the environment.
        let password = match block.contains("smtp_user") {
            true => "smtp_password = \"secret\"\n",
            false => "",
        };
        let given: Given = toml::from_str(&format!("{password}{block}")).unwrap();
        assert_eq!(given.over(Settings::default()).check(), Ok(()), "{block}");
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn the_page_adds_up_the_memory_of_the_default_settings() {
    let page = include_str!("../../../../docs/operating.md");
    let (_, rest) = page.split_once("**Memory** of a process").unwrap();
    let (table, after) = rest
        .split_once("\n\nWith the default settings that is ")
        .unwrap();
    let defaults = Settings::default();
    let held = defaults.max_held_bytes.get();
    let connections = defaults.max_connections.get();
    let mut total = 0;
    let mut claimed = 0;
    for line in table.lines() {
        let row = line
            .strip_prefix("| ")
            .and_then(|row| row.strip_suffix(" |"));
        let Some((what, bytes)) = row.and_then(|row| row.split_once(" | ")) else {
            continue;
        };
        let bytes = match bytes {
            "`max_held_bytes`" => held,
            number => number.replace(',', "").parse().unwrap(),
        };
        match what {
            "each connection" => total += bytes * connections as u64,
            "emails that are claimed, with their HTML" => claimed = bytes,
            _ => total += bytes,
        }
    }
    // HTML that waits takes this once, and HTML that is being sent three times. Beside the emails within the limit there may
    // be one more, the longest that is accepted.
    let most = Limits::default().batch_bytes + defaults.policy.max_bytes();
    assert_eq!(claimed, 4 * most);
    let gigabytes = format!("{:.1} GB", (total + claimed) as f64 / 1e9);
    assert!(after.starts_with(&gigabytes), "{gigabytes}");
}
