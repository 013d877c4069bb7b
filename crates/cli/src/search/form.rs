//! Which form results have.

use std::io::IsTerminal;

use anyhow::{Result, bail};
use clap::ArgMatches;
use groma_base::time::Zoned;
use groma_engine::search::Form;
use groma_formats::colour::Painter;
use groma_formats::table::Shown;
use groma_formats::template::Template;
use groma_query::fields::Field;

use super::fields;

/// Columns of CSV and TSV unless others are asked for.
const COLUMNS: [Field; 8] = [
    Field::Path,
    Field::Type,
    Field::Size,
    Field::Allocated,
    Field::Modified,
    Field::Perm,
    Field::Owner,
    Field::Group,
];
/// Columns of a table: the path, which may be long, at the end.
const TABLE_COLUMNS: [Field; 4] = [Field::Type, Field::Size, Field::Modified, Field::Path];

/// Columns of Parquet: all that a stat call tells, and where it belongs.
const PARQUET_COLUMNS: [Field; 16] = [
    Field::Path,
    Field::Name,
    Field::Ext,
    Field::Type,
    Field::Size,
    Field::Allocated,
    Field::Modified,
    Field::Accessed,
    Field::Changed,
    Field::Created,
    Field::Inode,
    Field::Links,
    Field::Perm,
    Field::Uid,
    Field::Gid,
    Field::Depth,
];

/// Reads the options about the form.
pub(super) fn read(matches: &ArgMatches, now: &Zoned) -> Result<Form> {
    let columns = matches.get_one::<String>("columns");
    let default = if columns.is_some() { "table" } else { "paths" };
    let format = matches
        .get_one::<String>("format")
        .map_or(default, String::as_str);
    let columns = columns.map(|text| fields::columns(text)).transpose()?;
    let nul = matches.get_flag("print0");
    let is_template = format.contains('{');
    if nul && format != "paths" && !is_template {
        bail!("-0 goes with paths and templates, not with --format {format}");
    }
    if columns.is_some() && (is_template || matches!(format, "paths" | "efu")) {
        bail!(
            "--columns goes with table, csv, tsv, json, ndjson and parquet, not with --format {format}"
        );
    }
    let or = |default: &[Field]| columns.clone().unwrap_or_else(|| default.to_vec());
    let terminal = goes_to_terminal(matches);
    let terminator = if nul { 0 } else { b'\n' };
    Ok(match format {
        "paths" => Form::Paths {
            terminator,
            escape: terminal && !nul,
            painter: painter(matches, terminal),
        },
        "table" => Form::Table(or(&TABLE_COLUMNS), shown(terminal, now)),
        "csv" => Form::Csv(or(&COLUMNS)),
        "tsv" => Form::Tsv(or(&COLUMNS)),
        "json" => Form::Json(columns),
        "ndjson" => Form::Ndjson(columns),
        "efu" => Form::Efu,
        "parquet" => Form::Parquet(or(&PARQUET_COLUMNS)),
        template if is_template => self::template(template, terminator, terminal)?,
        other => bail!(
            "--format: there is no format '{other}'; there are paths table csv tsv json ndjson \
             parquet efu, and templates such as '{{size}} {{}}'"
        ),
    })
}

fn goes_to_terminal(matches: &ArgMatches) -> bool {
    !matches.contains_id("output") && std::io::stdout().is_terminal()
}

fn shown(terminal: bool, now: &Zoned) -> Shown {
    match terminal {
        true => Shown::Human(now.into(), now.time_zone().clone()),
        false => Shown::Exact,
    }
}

fn painter(matches: &ArgMatches, terminal: bool) -> Option<Box<Painter>> {
    let coloured = match matches.get_one::<String>("color").map(String::as_str) {
        Some("always") => true,
        Some("never") => false,
        _ => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    let colours = std::env::var("LS_COLORS").ok();
    coloured.then(|| Box::new(Painter::new(colours.as_deref())))
}

fn template(text: &str, terminator: u8, terminal: bool) -> Result<Form> {
    let columns = std::cell::RefCell::new(Vec::new());
    let number = |word: &str| {
        let field = fields::find(word)?;
        columns.borrow_mut().push(field);
        Some(columns.borrow().len() - 1)
    };
    match Template::with_fields(text, number) {
        Ok(template) => Ok(Form::Template {
            template,
            columns: columns.into_inner(),
            terminator,
            escape: terminal && terminator != 0,
        }),
        Err(word) => Err(fields::unknown("--format", &word)),
    }
}
