//! The answer as JSON: one object, or one for each bucket.

use groma_base::Timestamp;
use groma_engine::stats::{Metric, Report, Row, Sample, SectionReport, Sums, Value};
use groma_formats::escape::json_string;
use groma_formats::json::{push_member, rfc3339};

/// Appends one object.
pub(crate) fn push(report: &Report, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"sections\":[");
    for (at, section) in report.sections.iter().enumerate() {
        out.extend_from_slice(if at > 0 { b",{" } else { b"{" });
        push_section(section, out);
        out.push(b'}');
    }
    out.push(b']');
    if let Some(reading) = &report.reading {
        let (files, bytes) = reading.skipped;
        let text = format!(
            ",\"reading\":{{\"bytes\":{},\"unreadable\":{},\"changed\":{},\"vanished\":{},\
             \"skipped_files\":{files},\"skipped_bytes\":{bytes}}}",
            reading.bytes,
            reading.unreadable.len(),
            reading.changed.len(),
            reading.vanished.len(),
        );
        out.extend_from_slice(text.as_bytes());
    }
    out.extend_from_slice(b"}\n");
}

/// Appends an object for each bucket, one a line.
pub(super) fn push_lines(report: &Report, out: &mut Vec<u8>) {
    for section in &report.sections {
        for row in &section.rows {
            out.extend_from_slice(b"{\"section\":");
            json_string(section.name.as_bytes(), out);
            out.push(b',');
            push_bucket(section, row, out);
            out.extend_from_slice(b"}\n");
        }
    }
}

fn push_section(section: &SectionReport, out: &mut Vec<u8>) {
    key("name", out);
    json_string(section.name.as_bytes(), out);
    next("query", out);
    json_string(section.query.as_bytes(), out);
    next("keys", out);
    out.push(b'[');
    for (at, name) in section.keys.iter().enumerate() {
        out.extend_from_slice(if at > 0 { b"," } else { b"" });
        json_string(name.as_bytes(), out);
    }
    out.push(b']');
    next("total", out);
    out.push(b'{');
    push_sums(&section.total, &section.metrics, out);
    out.push(b'}');
    if let Some((count, sums)) = &section.rest {
        next("rest", out);
        out.extend_from_slice(format!("{{\"buckets\":{count},").as_bytes());
        push_sums(sums, &section.metrics, out);
        out.push(b'}');
    }
    next("buckets", out);
    out.push(b'[');
    for (at, row) in section.rows.iter().enumerate() {
        out.extend_from_slice(if at > 0 { b",{" } else { b"{" });
        push_bucket(section, row, out);
        out.push(b'}');
    }
    out.push(b']');
}

fn push_bucket(section: &SectionReport, row: &Row, out: &mut Vec<u8>) {
    for (name, label) in section.keys.iter().zip(&row.labels) {
        match label {
            Some(bytes) => push_member(name, bytes, out),
            None => {
                key(name, out);
                out.extend_from_slice(b"null");
            }
        }
        out.push(b',');
    }
    push_sums(&row.sums, &section.metrics, out);
    for (name, count) in section.distinct.iter().zip(&row.distinct) {
        next(&format!("distinct_{name}"), out);
        out.extend_from_slice(count.to_string().as_bytes());
    }
    next("query", out);
    match row.query() {
        Some(query) => json_string(query.as_bytes(), out),
        None => out.extend_from_slice(b"null"),
    }
    if !row.samples.is_empty() {
        next("samples", out);
        out.push(b'[');
        for (at, sample) in row.samples.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",{" } else { b"{" });
            push_sample(sample, out);
            out.push(b'}');
        }
        out.push(b']');
    }
}

fn push_sample(sample: &Sample, out: &mut Vec<u8>) {
    push_member("path", &sample.path, out);
    next("size", out);
    out.extend_from_slice(sample.size.to_string().as_bytes());
    next("modified", out);
    push_time(sample.modified, out);
}

fn push_sums(sums: &Sums, metrics: &[Metric], out: &mut Vec<u8>) {
    for (at, &metric) in metrics.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        key(metric.word(), out);
        match sums.value(metric) {
            None => out.extend_from_slice(b"null"),
            Some(Value::Count(count)) => out.extend_from_slice(count.to_string().as_bytes()),
            Some(Value::Bytes(bytes)) => out.extend_from_slice(bytes.to_string().as_bytes()),
            Some(Value::Time(at)) => push_time(at, out),
        }
    }
}

/// RFC 3339, or seconds since 1970 as a number where that cannot say the year.
fn push_time(at: Timestamp, out: &mut Vec<u8>) {
    let before = out.len();
    out.push(b'"');
    if rfc3339(at, out) {
        out.push(b'"');
        return;
    }
    out.truncate(before);
    out.extend_from_slice(at.seconds.to_string().as_bytes());
}

fn key(name: &str, out: &mut Vec<u8>) {
    json_string(name.as_bytes(), out);
    out.push(b':');
}

fn next(name: &str, out: &mut Vec<u8>) {
    out.push(b',');
    key(name, out);
}
