//! The table of settings in `docs/settings.md` is written from the rows; this test fails when it is stale.
//!
//! `FRANKING_WRITE=1 cargo test -p franking-service --lib settings` writes it anew.
#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]

use toml::Table;

use super::{ROWS, Settings, default};

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
