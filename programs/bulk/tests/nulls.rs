//! Nulls in Parquet: a row without a call or an operation has no findings, and the other rows keep theirs.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use franking::{Policy, Transcript};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

use crate::again;
use crate::written::{Folder, calls, expected};

/// Writes columns of texts in row groups of 23 rows and pages of 4 rows.
fn write_parquet(path: &Path, has_dictionary: bool, columns: Vec<(&str, Vec<Option<String>>)>) {
    let columns = columns.into_iter().map(|(name, texts)| {
        let texts: StringArray = texts.into_iter().collect();
        (name, Arc::new(texts) as ArrayRef)
    });
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(23))
        .set_data_page_row_count_limit(4)
        .set_write_batch_size(4)
        .set_dictionary_enabled(has_dictionary)
        .build();
    let file = fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn a_null_call_or_operation_of_parquet_has_no_findings_and_every_other_call_has_its_own() {
    let folder = Folder::new();
    let calls = calls(100);
    // Single nulls, and a run of nulls that fills a page and the end of a row group.
    let is_null = |row: usize, each: usize| row % each == 3 || (18..28).contains(&row);
    let with_nulls = |each: usize, texts: Vec<String>| -> Vec<Option<String>> {
        let texts = texts.into_iter().enumerate();
        texts
            .map(|(row, text)| (!is_null(row, each)).then_some(text))
            .collect()
    };
    let ids = (0..calls.len()).map(|row| row.to_string());
    let ids: Vec<Option<String>> = ids.map(Some).collect();
    let operations = calls.iter().map(|(operation, _)| operation.name());
    let operations = with_nulls(7, operations.map(str::to_owned).collect());
    let bodies = with_nulls(5, calls.iter().map(|(_, body)| body.clone()).collect());
    let judged = (0..calls.len())
        .filter(|row| operations[*row].is_some() && bodies[*row].is_some())
        .count();
    for (has_dictionary, name) in [(true, "dictionary"), (false, "plain")] {
        let columns = vec![
            ("id", ids.clone()),
            ("operation", operations.clone()),
            ("body", bodies.clone()),
        ];
        let file = format!("{name}.parquet");
        write_parquet(&folder.at(&file), has_dictionary, columns);
        let arguments = ["check", &file, "--carry", "id", "--out", "findings"];
        let said = folder.said(1, &[&arguments[..], &["--form", "jsonl"]].concat());
        let empty = calls.len() - judged;
        assert!(said.starts_with(&format!("{judged} calls: ")), "{said}");
        let without = format!("; {empty} rows without a call; ");
        assert!(said.contains(&without), "{said}");
        let found = folder.lines(&format!("findings/{file}.jsonl"));
        assert_eq!(found.len(), calls.len());
        for (row, (found, call)) in found.iter().zip(&calls).enumerate() {
            let id = json!(row.to_string());
            let expected = match (&operations[row], &bodies[row]) {
                (Some(_), Some(_)) => expected(row, &id, call),
                _ => json!({"row": row, "id": id}),
            };
            assert_eq!(found, &expected, "{name}");
        }
        let arguments = ["convert", &file, "--operation-column", "operation"];
        let into = ["--carry", "id", "--out", "converted", "--form", "jsonl"];
        folder.said(0, &[&arguments[..], &into].concat());
        let converted = folder.lines(&format!("converted/{file}.jsonl"));
        assert_eq!(converted.len(), calls.len());
        for (row, converted) in converted.iter().enumerate() {
            assert_eq!(converted["id"], json!(ids[row]), "{name}");
            assert_eq!(converted["operation"], json!(operations[row]), "{name}");
            assert_eq!(converted["body"], json!(bodies[row]), "{name}");
        }
    }
}

#[test]
fn a_null_among_transcripts_of_parquet_is_not_decided_and_every_other_one_is() {
    let folder = Folder::new();
    let (policy, world) = (Policy::default(), again::world());
    let mut transcripts = Vec::new();
    for call in again::calls() {
        transcripts.push(None);
        transcripts.push(Some(again::transcript(&policy, &call, &world)));
    }
    let columns = vec![("transcript", transcripts.clone())];
    write_parquet(&folder.at("calls.parquet"), true, columns);
    let arguments = ["redecide", "calls.parquet", "--out", "findings"];
    folder.said(0, &[&arguments[..], &["--form", "jsonl"]].concat());
    let found = folder.lines("findings/calls.parquet.jsonl");
    assert_eq!(found.len(), transcripts.len());
    for (row, (found, transcript)) in found.iter().zip(&transcripts).enumerate() {
        let Some(transcript) = transcript else {
            assert_eq!(found, &json!({"row": row}));
            continue;
        };
        let transcript = Transcript::from_json(transcript).unwrap();
        let code = transcript.code().map(|code| code.number());
        assert_eq!(found["code_then"], json!(code));
        assert_eq!(found["code_now"], json!(code));
        assert_eq!(found["needs"], Value::Null);
    }
}
