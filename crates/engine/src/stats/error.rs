//! What can be wrong with a question, and with the answer.

use groma_catalog::Damage;
use groma_query::fields::FIELDS;
use groma_query::select::SelectError;
use groma_query::syntax::{QueryErrors, nearest};
use thiserror::Error;

use super::field::GROUPINGS;

/// Why a question makes no sense. Nothing was started.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The query is wrong.
    #[error("{0}")]
    Query(QueryErrors),
    /// A word that is no field of an option's kind.
    #[error("{option}: there is no field '{word}' to count by; {hint}")]
    UnknownField {
        /// The option.
        option: &'static str,
        /// What was written.
        word: String,
        /// What could be meant.
        hint: String,
    },
    /// A value that an option cannot take.
    #[error("{option}: '{value}': {why}")]
    Value {
        /// The option.
        option: &'static str,
        /// What was written.
        value: String,
        /// What is wrong with it, or what is expected.
        why: String,
    },
}

impl PlanError {
    pub(super) fn value(option: &'static str, value: &str, why: &str) -> PlanError {
        PlanError::Value {
            option,
            value: value.to_owned(),
            why: why.to_owned(),
        }
    }

    pub(super) fn unknown_field(option: &'static str, word: &str) -> PlanError {
        let own = GROUPINGS.iter().map(|row| row.0);
        let aliases = FIELDS.iter().flat_map(|row| row.aliases.iter().copied());
        let hint = match nearest(word, own.clone().chain(aliases)) {
            Some(name) => format!("did you mean '{name}'?"),
            None => format!("there are {}", own.collect::<Vec<_>>().join(" ")),
        };
        PlanError::UnknownField {
            option,
            word: word.to_owned(),
            hint,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum StatsError {
    /// A root of the catalog is damaged.
    #[error("the catalog of '{}' is damaged: {damage}; 'groma index add' makes it anew", String::from_utf8_lossy(.root))]
    Damaged {
        /// The path of the root.
        root: Vec<u8>,
        /// What was found.
        damage: Damage,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

impl StatsError {
    /// What went wrong in the catalog of this root.
    pub(super) fn at(root: &[u8], error: ScanError) -> StatsError {
        match error {
            ScanError::Damaged(damage) => StatsError::Damaged {
                root: root.to_vec(),
                damage,
            },
            ScanError::Cancelled => StatsError::Cancelled,
        }
    }
}

/// What ends the scan of one root.
#[derive(Clone, Debug)]
pub(super) enum ScanError {
    Damaged(Damage),
    Cancelled,
}

impl From<Damage> for ScanError {
    fn from(damage: Damage) -> ScanError {
        ScanError::Damaged(damage)
    }
}

impl From<SelectError> for ScanError {
    fn from(error: SelectError) -> ScanError {
        match error {
            SelectError::Damaged(damage) => ScanError::Damaged(damage),
            _ => ScanError::Cancelled,
        }
    }
}
