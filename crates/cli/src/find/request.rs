//! What was typed, as the search that it means.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_engine::find::{FindRequest, GitEnvironment, Order, RootSpec, RuleSettings, SortField};
use groma_query::pattern::{Case, Pattern, Syntax};

use super::filters;
use crate::report::Voice;

/// A short result is held back for this long, to be shown in order.
const HOLD: Duration = Duration::from_millis(100);

/// More threads than this only get in each other's way.
const MOST_THREADS: usize = 64;

/// Builds the request, but for what depends on the kind of output.
pub(super) fn build(
    voice: Voice,
    matches: &ArgMatches,
    roots: Vec<RootSpec>,
    cwd: PathBuf,
) -> Result<FindRequest> {
    let flag = |id| matches.get_flag(id);
    let number = |id| matches.get_one::<u32>(id).copied();
    let exact = number("exact_depth");
    Ok(FindRequest {
        roots,
        filters: filters::read(voice, matches)?,
        excluded: excluded(matches)?,
        min_depth: number("min_depth").or(exact).unwrap_or(0),
        max_depth: number("max_depth").or(exact),
        hidden: flag("hidden") || is_unrestricted(matches),
        follow: flag("follow"),
        unique: flag("unique"),
        one_file_system: flag("one_file_system"),
        prune: flag("prune"),
        ignore_contain: byte_values(matches, "ignore_contain"),
        rules: rules(voice, matches, &cwd),
        threads: threads(matches),
        limit: limit(matches),
        order: order(matches),
        hold: matches
            .get_one("max_buffer_time")
            .map_or(HOLD, |ms| Duration::from_millis(*ms)),
        eager: false,
        reserved_descriptors: 0,
        wants_birth: false,
        wants_ids: false,
        cwd,
        cancel: CancelToken::new(),
    })
}

fn is_unrestricted(matches: &ArgMatches) -> bool {
    matches.get_count("unrestricted") > 0
}

/// Threads to search with, and to run commands with.
pub(super) fn threads(matches: &ArgMatches) -> usize {
    match matches.get_one::<NonZeroUsize>("threads") {
        Some(threads) => threads.get(),
        None => groma_sys::processors().min(MOST_THREADS),
    }
}

fn limit(matches: &ArgMatches) -> Option<u64> {
    let given = matches
        .get_one::<u64>("max_results")
        .copied()
        .filter(|most| *most > 0);
    given.or((matches.get_flag("max_one_result") || matches.get_flag("quiet")).then_some(1))
}

fn order(matches: &ArgMatches) -> Order {
    if matches.contains_id("order") {
        return Order::Breadth;
    }
    match matches.get_one::<String>("sort").map(String::as_str) {
        Some("name") => Order::By(SortField::Name),
        Some("size") => Order::By(SortField::Size),
        Some("modified") => Order::By(SortField::Modified),
        Some("created") => Order::By(SortField::Created),
        Some(_) => Order::Path,
        None => Order::Arrival,
    }
}

fn excluded(matches: &ArgMatches) -> Result<Vec<Pattern>> {
    let texts = matches
        .get_many::<String>("exclude_regex")
        .into_iter()
        .flatten();
    let compile = |text: &String| {
        let case = Case::Smart.resolve([text.as_str()], Syntax::Regex);
        Pattern::compile(text, Syntax::Regex, case)
            .map_err(|error| anyhow!("--exclude-regex: {error}"))
    };
    texts.map(compile).collect()
}

fn byte_values(matches: &ArgMatches, id: &str) -> Vec<Vec<u8>> {
    let values = matches.get_many::<OsString>(id).into_iter().flatten();
    values
        .map(|value| groma_sys::path_bytes(Path::new(value)).into_owned())
        .collect()
}

/// Which rules leave entries out; `None` when there are none.
fn rules(voice: Voice, matches: &ArgMatches, cwd: &Path) -> Option<RuleSettings> {
    let flag = |id| matches.get_flag(id);
    let reads_files = !flag("no_ignore") && !is_unrestricted(matches);
    let mut excludes = byte_values(matches, "exclude");
    excludes.extend(byte_values(matches, "ignoreg"));
    let named: Vec<PathBuf> = matches
        .get_many::<PathBuf>("ignore_file")
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    if !reads_files && excludes.is_empty() && named.is_empty() {
        return None;
    }
    let mut settings = RuleSettings::none(cwd.to_owned());
    settings.excludes = excludes;
    settings.parents = !flag("no_ignore_parent");
    settings.require_git = !flag("no_require_git");
    if reads_files {
        settings.vcs = !flag("no_ignore_vcs");
        settings.dot_ignore = true;
        settings.custom_names = vec![b".fdignore".to_vec()];
        settings.git = git_environment();
        if !flag("no_global_ignore_file") {
            settings.ignore_files.extend(global_ignore_files(voice));
        }
    }
    settings.ignore_files.extend(named);
    Some(settings)
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// The user's directory for configuration.
pub(crate) fn config_home() -> Option<PathBuf> {
    let xdg = variable("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    xdg.or_else(|| variable("HOME").map(|home| home.join(".config")))
}

/// The files of rules that always apply: fd's, and our own.
fn global_ignore_files(voice: Voice) -> Vec<PathBuf> {
    let Some(home) = config_home() else {
        return Vec::new();
    };
    let programs: &[&str] = match voice {
        Voice::Fd => &["fd"],
        Voice::Groma => &["fd", "groma"],
    };
    let files = programs
        .iter()
        .map(|program| home.join(program).join("ignore"));
    files.filter(|file| file.is_file()).collect()
}

fn git_environment() -> GitEnvironment {
    let no_system = variable("GIT_CONFIG_NOSYSTEM").is_some_and(|value| {
        !["0", "false", "no", "off"].contains(&&*value.to_string_lossy().to_ascii_lowercase())
    });
    let system = || variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
    GitEnvironment {
        home: variable("HOME"),
        xdg_config_home: variable("XDG_CONFIG_HOME"),
        system_config: (!no_system).then(system),
        global_config: variable("GIT_CONFIG_GLOBAL"),
        excludes_file: excludes_file_from_environment(),
    }
}

/// `core.excludesFile` as `git -c` hands it to its children.
fn excludes_file_from_environment() -> Option<Vec<u8>> {
    let count: usize = std::env::var("GIT_CONFIG_COUNT").ok()?.parse().ok()?;
    let is_it = |index: &usize| {
        let key = std::env::var(format!("GIT_CONFIG_KEY_{index}"));
        key.is_ok_and(|key| key.eq_ignore_ascii_case("core.excludesfile"))
    };
    let last = (0..count.min(1000)).rev().find(is_it)?;
    let value = std::env::var_os(format!("GIT_CONFIG_VALUE_{last}"))?;
    Some(groma_sys::path_bytes(Path::new(&value)).into_owned())
}
