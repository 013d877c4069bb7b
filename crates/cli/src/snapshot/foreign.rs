//! `groma snapshot import` and `groma snapshot export`.

use clap::ArgMatches;
use groma_base::CancelToken;
use groma_engine::search::{Form, Listing};
use groma_engine::snapshot::{
    ExportForm, ImportRequest, NcduOptions, export as export_tree, import as import_file, load,
};
use groma_query::fields::Field;

use super::save::conclude;
use super::{failure, format, interruptible, path, write};
use crate::exit::Exit;
use crate::index::now;

/// Columns of CSV: all that a stat call tells.
const COLUMNS: [Field; 13] = [
    Field::Path,
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
];

/// Runs `import`.
pub(super) fn import(matches: &ArgMatches) -> Exit {
    let request = ImportRequest {
        input: path(matches, "file"),
        output: path(matches, "output"),
        threads: groma_sys::processors(),
        cancel: interruptible(),
    };
    match import_file(&request) {
        Ok(saved) => match conclude(&saved) {
            // What could not be read then is no failure of today.
            Exit::Incomplete => Exit::Success,
            exit => exit,
        },
        Err(error) => failure(&error),
    }
}

/// Runs `export`.
pub(super) fn export(matches: &ArgMatches) -> Exit {
    let cancel = interruptible();
    let loaded = match load(&path(matches, "file"), true, &cancel) {
        Ok(loaded) => loaded,
        Err(error) => return failure(&error),
    };
    let form = match format(matches) {
        "csv" => ExportForm::Listing(Form::Csv(COLUMNS.to_vec())),
        "json" => ExportForm::Listing(Form::Json(None)),
        "ndjson" => ExportForm::Listing(Form::Ndjson(None)),
        _ => ExportForm::Ncdu(NcduOptions {
            version: env!("CARGO_PKG_VERSION").into(),
        }),
    };
    write(matches, |out| {
        export_tree(&loaded, form, |form| listing(form, &cancel), out)
    })
}

/// Everything, in the order of paths.
fn listing(form: Form, cancel: &CancelToken) -> Listing {
    Listing {
        form,
        order: Vec::new(),
        natural: false,
        offset: 0,
        limit: None,
        now: now(),
        groups: Vec::new(),
        threads: groma_sys::processors(),
        cancel: cancel.clone(),
    }
}
