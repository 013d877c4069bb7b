//! Filters, from the options that ask for them.

mod kinds;
mod metadata;
mod patterns;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::ArgMatches;
use groma_base::time::Zoned;
use groma_engine::find::Filter;
use groma_query::bind::Target;
use groma_query::bound::TimeField;

use super::args::FILTERS;
use super::times;
use crate::config::{self, ExtensionGroups};
use crate::query::Binding;
use crate::report::Voice;

/// Collects filters; `--not` decides at which places they are turned round.
struct Filters<'m> {
    voice: Voice,
    matches: &'m ArgMatches,
    /// Places of arguments that a `--not` stands before.
    negated: Vec<usize>,
    now: Option<Zoned>,
    found: Vec<Filter>,
}

/// All filters that were asked for.
pub(super) fn read(voice: Voice, matches: &ArgMatches) -> Result<Vec<Filter>> {
    let negated = negated_places(matches)?;
    let mut filters = Filters {
        voice,
        matches,
        negated,
        now: None,
        found: Vec::new(),
    };
    filters.patterns()?;
    filters.types();
    filters.extensions();
    filters.sizes()?;
    filters.times()?;
    filters.ownership()?;
    filters.metadata()?;
    filters.queries()?;
    Ok(filters.found)
}

/// For each `--not`, the place of the filter that comes next.
fn negated_places(matches: &ArgMatches) -> Result<Vec<usize>> {
    let places = |id: &str| -> Vec<usize> {
        let typed = matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
        matches
            .indices_of(id)
            .filter(|_| typed)
            .into_iter()
            .flatten()
            .collect()
    };
    let nots = places("not");
    let mut filters: Vec<usize> = FILTERS.iter().flat_map(|id| places(id)).collect();
    filters.sort_unstable();
    let next = |not: usize| {
        let next = filters.iter().find(|place| **place > not).copied();
        next.ok_or_else(|| anyhow!("--not stands before no filter"))
    };
    let mut negated = Vec::new();
    for not in nots {
        let place = next(not)?;
        // Twice is not at all.
        match negated.iter().position(|other| *other == place) {
            Some(at) => drop(negated.remove(at)),
            None => negated.push(place),
        }
    }
    Ok(negated)
}

impl<'m> Filters<'m> {
    /// The values of an option, each with whether it is negated.
    fn values<T: Clone + Send + Sync + 'static>(&self, id: &str) -> Vec<(&'m T, bool)> {
        let places = self.matches.indices_of(id).into_iter().flatten();
        let values = self.matches.get_many::<T>(id).into_iter().flatten();
        values
            .zip(places)
            .map(|(value, place)| (value, self.negated.contains(&place)))
            .collect()
    }

    fn push(&mut self, filter: Filter, negated: bool) {
        self.found.push(if negated {
            Filter::Not(Box::new(filter))
        } else {
            filter
        });
    }

    fn now(&mut self) -> Zoned {
        self.now.get_or_insert_with(Zoned::now).clone()
    }

    fn times(&mut self) -> Result<()> {
        for (id, field, reading) in times::OPTIONS {
            for (text, negated) in self.values::<String>(id) {
                let now = self.now();
                let filter = times::filter(self.voice, *field, *reading, text, &now)?;
                self.push(filter, negated);
            }
        }
        for (file, negated) in self.values::<PathBuf>("newer_than") {
            let span = times::after(metadata::of_named(file)?.modified);
            self.push(Filter::Time(TimeField::Modified, span), negated);
        }
        Ok(())
    }

    fn queries(&mut self) -> Result<()> {
        let queries = self.values::<String>("where");
        if queries.is_empty() {
            return Ok(());
        }
        let reads_file = self.voice == Voice::Groma && !self.matches.get_flag("no_config");
        let groups = match reads_file {
            true => config::extension_groups()?,
            false => ExtensionGroups::new(),
        };
        let binding = Binding {
            target: Target::Live,
            case: self.case(),
            now: self.now(),
            groups: &groups,
        };
        for (text, negated) in queries {
            let expr = binding.bind(text);
            let expr = expr.map_err(|errors| anyhow!("--where: {errors}"))?;
            self.push(Filter::Query(Arc::new(expr)), negated);
        }
        Ok(())
    }
}
