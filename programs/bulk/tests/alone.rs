//! The formats of data lakes are in this program alone. A program that embeds the library builds none of them.

use std::fs;
use std::path::Path;

#[test]
fn no_other_member_depends_on_arrow_or_parquet() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = workspace.split_once("members = [").unwrap().1;
    let members = members.split_once(']').unwrap().0;
    let mut looked_at = 0;
    for member in members
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|member| *member != "programs/bulk")
    {
        let manifest = fs::read_to_string(root.join(member).join("Cargo.toml")).unwrap();
        let names = manifest
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next());
        for name in names {
            let is_of_lakes = name.starts_with("arrow-") || name == "arrow" || name == "parquet";
            assert!(!is_of_lakes, "{member} depends on {name}");
        }
        looked_at += 1;
    }
    assert!(looked_at >= 10, "{looked_at} members");
}
