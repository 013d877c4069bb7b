//! What was typed, as the question that it means.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_base::size::parse_size;
use groma_base::time::Zoned;
use groma_engine::stats::{self, Likeness, Metric, Plan, Run, find_preset, preset_named};
use groma_query::bind::Target;
use groma_query::pattern::Case;

use crate::catalog_dir;
use crate::config::{self, ExtensionGroups};
use crate::query::{Binding, absolute, as_text, queries};

/// A question.
pub(super) struct Request {
    pub(super) catalog: PathBuf,
    pub(super) plan: Plan,
    /// Absolute paths of the directories that it is restricted to.
    pub(super) within: Vec<Vec<u8>>,
    pub(super) form: Form,
    pub(super) output: Option<PathBuf>,
    pub(super) run: Run,
    pub(super) now: Zoned,
    pub(super) show_errors: bool,
}

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    Csv,
    Json,
    Ndjson,
    Parquet,
}

/// Reads the command line.
pub(super) fn read(matches: &ArgMatches) -> Result<Request> {
    let now = Zoned::now();
    let asked = asked(matches)?;
    let groups = match matches.get_flag("no_config") {
        true => ExtensionGroups::new(),
        false => config::extension_groups()?,
    };
    let binding = Binding {
        target: Target::Catalog,
        case: match () {
            () if matches.get_flag("ignore_case") => Case::Insensitive,
            () if matches.get_flag("case") => Case::Sensitive,
            () => Case::Smart,
        },
        now: now.clone(),
        groups: &groups,
    };
    let context = binding.context();
    let plan = stats::plan(&asked, &context).map_err(|error| anyhow!("{error}"))?;
    let output: Option<PathBuf> = matches.get_one("output").cloned();
    Ok(Request {
        catalog: catalog_dir::of(matches)?,
        plan,
        within: asked.within.clone(),
        form: form(matches, output.as_deref()),
        output,
        run: Run {
            threads: threads(matches),
            cancel: CancelToken::new(),
        },
        now,
        show_errors: matches.get_flag("show_errors"),
    })
}

fn threads(matches: &ArgMatches) -> usize {
    let given = matches.get_one::<NonZeroUsize>("threads");
    given.map_or_else(groma_sys::processors, |threads| threads.get())
}

fn form(matches: &ArgMatches, output: Option<&Path>) -> Form {
    let named = |word: &str| match word {
        "table" => Some(Form::Table),
        "csv" => Some(Form::Csv),
        "json" => Some(Form::Json),
        "ndjson" => Some(Form::Ndjson),
        "parquet" => Some(Form::Parquet),
        _ => None,
    };
    let asked = matches
        .get_one::<String>("format")
        .and_then(|word| named(word));
    let by_name = || output?.extension()?.to_str().and_then(named);
    let usual = || match output.is_none() && std::io::stdout().is_terminal() {
        true => Form::Table,
        false => Form::Csv,
    };
    asked.or_else(by_name).unwrap_or_else(usual)
}

/// What was asked, in words.
fn asked(matches: &ArgMatches) -> Result<stats::Request> {
    let texts = |id| -> Vec<String> {
        let values = matches.get_many::<String>(id).into_iter().flatten();
        values.cloned().collect()
    };
    let words = matches.get_many::<OsString>("query").into_iter().flatten();
    let mut query: Vec<&str> = words.map(as_text).collect::<Result<_>>()?;
    let mut asked = stats::Request {
        by: texts("by"),
        histograms: texts("histogram"),
        ranges: texts("ranges"),
        metrics: metrics(&texts("metrics"))?,
        top: matches.get_one("top").copied(),
        sort: matches.get_one("sort").cloned(),
        samples: matches.get_one("sample").copied(),
        distinct: texts("distinct"),
        missing: matches.get_flag("missing"),
        duplicates: matches
            .get_one::<String>("duplicates")
            .map(|word| likeness(word)),
        read_budget: read_budget(matches)?,
        within: within(matches)?,
        ..stats::Request::default()
    };
    if let Some(name) = matches.get_one::<String>("preset") {
        asked.preset = Some(preset_named(name).map_err(|error| anyhow!("{error}"))?);
    } else if !has_table(&asked) {
        asked.preset = match query.first().and_then(|word| find_preset(word)) {
            Some(preset) => {
                query.remove(0);
                Some(preset)
            }
            // What is asked for of each bucket without naming one is asked of everything.
            None if is_about_buckets(&asked) => None,
            None => find_preset("overview"),
        };
    }
    asked.query = queries(&query);
    Ok(asked)
}

fn has_table(asked: &stats::Request) -> bool {
    let named = [&asked.by, &asked.histograms, &asked.ranges];
    named.iter().any(|list| !list.is_empty()) || asked.duplicates.is_some()
}

fn is_about_buckets(asked: &stats::Request) -> bool {
    !asked.metrics.is_empty() || !asked.distinct.is_empty() || asked.samples.is_some()
}

fn metrics(words: &[String]) -> Result<Vec<Metric>> {
    let metric = |word: &String| {
        let word = word.trim();
        Metric::find(word).ok_or_else(|| {
            let names = Metric::ALL.iter().map(|row| row.1);
            match groma_query::syntax::nearest(word, names.clone()) {
                Some(near) => anyhow!("--metrics: there is no '{word}'; did you mean '{near}'?"),
                None => {
                    let names: Vec<&str> = names.collect();
                    anyhow!(
                        "--metrics: there is no '{word}'; there are {}",
                        names.join(" ")
                    )
                }
            }
        })
    };
    words.iter().map(metric).collect()
}

fn likeness(word: &str) -> Likeness {
    match word {
        "name" => Likeness::Name,
        "size" => Likeness::Size,
        _ => Likeness::Content,
    }
}

fn read_budget(matches: &ArgMatches) -> Result<Option<u64>> {
    let text = matches.get_one::<String>("read_budget");
    text.map(|text| parse_size(text).context("--read-budget"))
        .transpose()
}

fn within(matches: &ArgMatches) -> Result<Vec<Vec<u8>>> {
    let paths = matches.get_many::<PathBuf>("in").into_iter().flatten();
    paths
        .map(|path| Ok(groma_sys::path_bytes(&absolute(path)?).into_owned()))
        .collect()
}
