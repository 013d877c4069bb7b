//! Nothing to write, nowhere to write to, nobody who waits.

use std::io::{self, Write};

use groma_base::CancelToken;
use groma_lake::{Cell, Column, Form, LakeError, Spec, Writer, write};

use crate::read::{Value, read};
use crate::tree::{file, view};

/// A pipe whose reader leaves after so many bytes.
struct Closed(usize);

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(bytes.len()) {
            None => Err(io::ErrorKind::BrokenPipe.into()),
            Some(left) => {
                self.0 = left;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn no_rows_are_a_file_too() {
    let mut out = Vec::new();
    let specs = [Column::Path.spec(), Column::Modified.spec()];
    let writer = Writer::new(&specs, &mut out).unwrap();
    assert_eq!(writer.finish().unwrap(), 0);
    let table = read(out);
    let fields: Vec<&String> = table.keys().collect();
    assert_eq!(fields, ["modified", "modified_nanos", "path", "path_raw"]);
}

#[test]
fn no_columns_are_an_error() {
    let error = Writer::new(&[], Vec::new()).unwrap_err();
    assert!(matches!(error, LakeError::NoColumns), "{error}");
}

#[test]
fn a_closed_pipe_comes_back_as_one() {
    let view = view(&[file(b"a", 1)]);
    for room in [0, 3, 10, 100, 400] {
        let cancel = CancelToken::new();
        let error = write(&view, [0, 1], &Column::ALL, Closed(room), &cancel).unwrap_err();
        let kind = match error {
            LakeError::Io(error) => Some(error.kind()),
            _ => None,
        };
        assert_eq!(kind, Some(io::ErrorKind::BrokenPipe), "{room}");
    }
}

#[test]
fn an_entry_that_is_none_and_a_wish_to_stop_are_told() {
    let view = view(&[]);
    let cancel = CancelToken::new();
    let missing = write(&view, [9], &Column::ALL, Vec::new(), &cancel);
    assert!(matches!(missing, Err(LakeError::Damaged(_))));
    cancel.cancel();
    let stopped = write(&view, [0], &Column::ALL, Vec::new(), &cancel);
    assert!(matches!(stopped, Err(LakeError::Cancelled)));
}

#[test]
fn any_columns_are_written_and_what_does_not_fit_is_absent() {
    let forms = [
        ("text", Form::Text),
        ("long", Form::Long),
        ("int", Form::Int),
        ("ratio", Form::Ratio),
        ("is", Form::Is),
        ("text", Form::Long),
        ("dotted.word", Form::Word),
    ];
    let specs = forms.map(|(name, form)| Spec {
        name: name.to_owned(),
        form,
    });
    let mut out = Vec::new();
    let mut writer = Writer::new(&specs, &mut out).unwrap();
    let twice = Cell::Number(9);
    let fits = [
        Cell::Bytes(b"a"),
        Cell::Number(1),
        Cell::Number(u32::MAX.into()),
        Cell::Ratio(1.5),
        Cell::Is(true),
        twice,
        Cell::Bytes(b"\xff"),
    ];
    let does_not = [
        Cell::Number(1),
        Cell::Number(u64::MAX),
        Cell::Number(1 << 32),
        Cell::Is(true),
        Cell::Absent,
    ];
    writer.push(fits).unwrap();
    writer.push(does_not).unwrap();
    assert_eq!(writer.finish().unwrap(), 2);
    let table = read(out);
    assert_eq!(table.len(), 7);
    let number = |number: i64| Value::Number(number);
    for (field, value) in [
        ("text", Value::Bytes(b"a".to_vec())),
        ("long", number(1)),
        ("int", number(u32::MAX.into())),
        ("ratio", number(1.5f64.to_bits().cast_signed())),
        ("is", number(1)),
        ("dotted.word", Value::Bytes("\u{fffd}".into())),
    ] {
        assert_eq!(table[field], [value, Value::Nothing], "{field}");
    }
}
