//! The forms that a listing can have.

use groma_formats::colour::{Looks, Painter, PathForm};
use groma_formats::json::{JsonEntry, push_entry, push_object};
use groma_formats::table::Shown;
use groma_formats::template::Template;
use groma_formats::{csv, efu_writer, escape, tsv};
use groma_query::fields::Field;

use super::column::{Row, column_name, wants};
use super::csv_rows::CsvRows;
use super::wants::Wants;

/// How rows are written.
#[derive(Clone, Debug)]
pub enum Form {
    /// The path, and nothing else.
    Paths {
        /// The byte behind each.
        terminator: u8,
        /// Whether hostile characters are shown as escapes.
        escape: bool,
        /// Paints them, if they are to be painted.
        painter: Option<Box<Painter>>,
    },
    /// These columns as CSV.
    Csv(Vec<Field>),
    /// These columns, with tabs between them.
    Tsv(Vec<Field>),
    /// An array of objects: these columns, or all that `find --json` tells.
    Json(Option<Vec<Field>>),
    /// An object a line.
    Ndjson(Option<Vec<Field>>),
    /// These columns below each other, for people.
    Table(Vec<Field>, Shown),
    /// These columns as Parquet.
    Parquet(Vec<Field>),
    /// A file list of Everything.
    Efu,
    /// A template, filled in.
    Template {
        /// The template; its fields are numbers of `columns`.
        template: Template,
        /// What its fields stand for.
        columns: Vec<Field>,
        /// The byte behind each row.
        terminator: u8,
        /// Whether hostile characters are shown as escapes.
        escape: bool,
    },
}

impl Form {
    /// What must be read of a row.
    pub(crate) fn wants(&self) -> Wants {
        let of = |columns: &[Field]| {
            let all = columns.iter().map(|field| wants(*field));
            all.fold(Wants::NONE, Wants::and)
        };
        let whole = Wants::PATH.and(Wants::METADATA).and(Wants::VOLUME);
        match self {
            Form::Paths { painter: None, .. } => Wants::PATH,
            Form::Paths { .. } => Wants::PATH.and(Wants::MODE).and(Wants::LINKS),
            Form::Csv(columns) | Form::Tsv(columns) => of(columns),
            Form::Table(columns, _) | Form::Parquet(columns) => of(columns),
            Form::Json(Some(columns)) | Form::Ndjson(Some(columns)) => of(columns),
            Form::Json(None) | Form::Ndjson(None) | Form::Efu => whole,
            Form::Template { columns, .. } => of(columns).and(Wants::PATH),
        }
    }

    /// Appends what stands before all rows.
    pub(crate) fn push_header(&self, out: &mut Vec<u8>) {
        match self {
            Form::Csv(columns) => csv::push_header(&names(columns), out),
            Form::Tsv(columns) => tsv::push_header(&names(columns), out),
            Form::Json(_) => out.push(b'['),
            Form::Efu => efu_writer::push_header(out),
            _ => {}
        }
    }

    /// Appends what stands behind all rows.
    pub(crate) fn push_footer(&self, any: bool, out: &mut Vec<u8>) {
        if let Form::Json(_) = self {
            out.extend_from_slice(if any { b"\n]\n" } else { b"]\n" });
        }
    }

    /// Bytes in front of the first row of all that belong between two rows.
    pub(crate) fn joint(&self) -> usize {
        usize::from(matches!(self, Form::Json(_)))
    }
}

/// Names of columns.
pub(crate) fn names(columns: &[Field]) -> Vec<&'static str> {
    columns.iter().map(|field| column_name(*field)).collect()
}

/// A form at work: names of columns are looked up once.
pub(crate) struct Pen<'f> {
    form: &'f Form,
    names: Vec<&'static str>,
    csv: Option<CsvRows>,
}

impl<'f> Pen<'f> {
    pub(crate) fn new(form: &'f Form) -> Pen<'f> {
        let names = match form {
            Form::Json(Some(columns)) | Form::Ndjson(Some(columns)) => names(columns),
            _ => Vec::new(),
        };
        let csv = match form {
            Form::Csv(columns) => Some(CsvRows::new(columns)),
            _ => None,
        };
        Pen { form, names, csv }
    }

    /// What writes many rows at once, for CSV.
    pub(crate) fn csv(&mut self) -> Option<&mut CsvRows> {
        self.csv.as_mut()
    }

    /// Appends one row.
    pub(crate) fn push(&self, row: Row<'_>, out: &mut Vec<u8>) {
        let values = |columns: &'f [Field]| columns.iter().map(move |field| row.value(*field));
        match self.form {
            Form::Paths {
                terminator,
                escape,
                painter,
            } => {
                match painter {
                    None if *escape => escape::terminal(row.path, out),
                    None => out.extend_from_slice(row.path),
                    Some(painter) => paint(painter, *escape, row, out),
                }
                out.push(*terminator);
            }
            Form::Tsv(columns) => tsv::push_row(values(columns), out),
            Form::Json(columns) => {
                out.extend_from_slice(b",\n");
                self.push_object(columns.as_deref(), row, out);
            }
            Form::Ndjson(columns) => {
                self.push_object(columns.as_deref(), row, out);
                out.push(b'\n');
            }
            Form::Efu => {
                let owner = row.owner().map(|named| named.owner).unwrap_or_default();
                let metadata = row.block.metadata(row.at, owner);
                let kind = row.block.kinds[row.at].kind();
                efu_writer::push_entry(row.path, kind, metadata.as_ref(), out);
            }
            Form::Template {
                template,
                columns,
                terminator,
                escape,
            } => {
                push_template(template, columns, *escape, row, out);
                out.push(*terminator);
            }
            // Rows of a table wait until they can be aligned, those of CSV are written many at once,
            // Parquet is no text.
            Form::Table(..) | Form::Csv(_) | Form::Parquet(_) => {}
        }
    }

    fn push_object(&self, columns: Option<&[Field]>, row: Row<'_>, out: &mut Vec<u8>) {
        if let Some(columns) = columns {
            let values = columns.iter().map(|field| row.value(*field));
            return push_object(&self.names, values, out);
        }
        let owner = row.owner();
        let metadata = row
            .block
            .metadata(row.at, owner.map(|o| o.owner).unwrap_or_default());
        let entry = JsonEntry {
            path: row.path,
            name: row.block.name(row.at),
            kind: row.block.kinds[row.at].kind(),
            depth: Some(row.depth),
            metadata: metadata.as_ref(),
            user: owner.and_then(|o| o.user.as_deref()).map(str::as_bytes),
            group: owner.and_then(|o| o.group.as_deref()).map(str::as_bytes),
            // A catalog does not store what a link holds.
            target: None,
        };
        push_entry(&entry, out);
        // Whoever asked for the object ends the line.
        out.pop();
    }
}

fn push_template(
    template: &Template,
    columns: &[Field],
    escape: bool,
    row: Row<'_>,
    out: &mut Vec<u8>,
) {
    let field = |number: usize| {
        let field = columns.get(number);
        field.map_or(groma_formats::value::Value::Absent, |field| {
            row.value(*field)
        })
    };
    if !escape {
        return template.render_fields(row.path, None, field, out);
    }
    let mut text = Vec::new();
    template.render_fields(row.path, None, field, &mut text);
    escape::terminal(&text, out);
}

fn paint(painter: &Painter, escape: bool, row: Row<'_>, out: &mut Vec<u8>) {
    let Row { block, at, .. } = row;
    let known = block.is_known(at);
    let looks = Looks {
        mode: known.then(|| block.modes[at] as u32),
        links: known.then(|| block.links[at]),
        ..Looks::of_kind(block.kinds[at].kind())
    };
    let form = PathForm {
        escape,
        ..PathForm::default()
    };
    let name = row
        .path
        .iter()
        .rposition(|&b| b == b'/')
        .map_or(0, |slash| slash + 1);
    let (dir, name) = row.path.split_at(name);
    painter.paint_path(dir, name, &looks, &form, out);
}
