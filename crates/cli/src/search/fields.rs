//! Fields as columns and as what is sorted by.

use anyhow::{Result, anyhow, bail};
use groma_engine::search::{COLUMNS, SortKey, column_name, is_column};
use groma_query::fields::{Field, lookup};

/// Words that sort by a field in one direction: the word, the field, whether largest first.
const PRESETS: [(&str, Field, bool); 4] = [
    ("largest", Field::Size, true),
    ("smallest", Field::Size, false),
    ("newest", Field::Modified, true),
    ("oldest", Field::Modified, false),
];

/// The columns of `--columns`.
pub(super) fn columns(text: &str) -> Result<Vec<Field>> {
    if text == "all" {
        return Ok(COLUMNS.to_vec());
    }
    text.split(',')
        .map(|word| field("--columns", word.trim()))
        .collect()
}

/// The keys of `--sort`.
pub(super) fn sort_keys(text: &str) -> Result<Vec<SortKey>> {
    text.split(',').map(|word| sort_key(word.trim())).collect()
}

fn sort_key(word: &str) -> Result<SortKey> {
    if let Some((_, field, descending)) = PRESETS.iter().find(|(preset, ..)| *preset == word) {
        return Ok(SortKey {
            field: *field,
            descending: *descending,
        });
    }
    let (name, descending) = match word.strip_prefix('-') {
        Some(name) => (name, true),
        None => (word.strip_prefix('+').unwrap_or(word), false),
    };
    Ok(SortKey {
        field: field("--sort", name)?,
        descending,
    })
}

fn field(option: &str, word: &str) -> Result<Field> {
    match find(word) {
        Some(field) => Ok(field),
        None if word.is_empty() => bail!("{option}: a field is missing; fields are {}", known()),
        None if lookup(word).is_some() => {
            bail!("{option}: the field '{word}' has no value that could be shown")
        }
        None => Err(unknown(option, word)),
    }
}

/// The column that a word names.
pub(super) fn find(word: &str) -> Option<Field> {
    lookup(word)
        .map(|info| info.field)
        .filter(|field| is_column(*field))
}

/// There is no such column.
pub(super) fn unknown(option: &str, word: &str) -> anyhow::Error {
    anyhow!(
        "{option}: there is no field '{word}'; fields are {}",
        known()
    )
}

fn known() -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|field| column_name(*field)).collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_their_directions() {
        let key = |field, descending| SortKey { field, descending };
        for (text, want) in [
            ("size", vec![key(Field::Size, false)]),
            ("-size", vec![key(Field::Size, true)]),
            ("largest", vec![key(Field::Size, true)]),
            (
                "newest, +NAME",
                vec![key(Field::Modified, true), key(Field::Name, false)],
            ),
            (
                "-mtime,kind",
                vec![key(Field::Modified, true), key(Field::Type, false)],
            ),
        ] {
            assert_eq!(sort_keys(text).unwrap(), want, "{text}");
        }
        for bad in ["", "siez", "size,", "-", "--size", "under", "stream"] {
            assert!(sort_keys(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_column_is_found_by_the_name_it_has() {
        for field in COLUMNS {
            assert_eq!(find(column_name(*field)), Some(*field));
        }
        assert_eq!(columns("all").unwrap(), COLUMNS);
        assert_eq!(
            columns("path, Tree_Size").unwrap(),
            [Field::Path, Field::TreeSize]
        );
        assert!(columns("path,all").is_err());
    }
}
