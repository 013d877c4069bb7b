//! The few flags that chores take: `--name value`, `--name`, and plain words.

use std::str::FromStr;

use anyhow::{Result, anyhow, bail};

/// The words after a command that nobody has asked for yet.
pub(crate) struct Args {
    words: Vec<String>,
}

impl Args {
    pub(crate) fn new(words: &[String]) -> Self {
        Self {
            words: words.to_vec(),
        }
    }

    /// Whether `name` was given.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        match self.words.iter().position(|word| word == name) {
            Some(at) => {
                self.words.remove(at);
                true
            }
            None => false,
        }
    }

    /// The value after `name`, if `name` was given.
    pub(crate) fn option<T: FromStr>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(at) = self.words.iter().position(|word| word == name) else {
            return Ok(None);
        };
        if at + 1 == self.words.len() {
            bail!("expected a value after {name}, found none");
        }
        let value = self.words.remove(at + 1);
        self.words.remove(at);
        match value.parse() {
            Ok(parsed) => Ok(Some(parsed)),
            Err(_) => bail!("expected a usable value after {name}, found `{value}`"),
        }
    }

    /// The next plain word; `what` names it in the error.
    pub(crate) fn word(&mut self, what: &str) -> Result<String> {
        let at = self.words.iter().position(|word| !word.starts_with("--"));
        at.map(|at| self.words.remove(at))
            .ok_or_else(|| anyhow!("expected {what}, found nothing"))
    }

    /// Fails when a word is left that nobody asked for.
    pub(crate) fn finish(self) -> Result<()> {
        match self.words.first() {
            Some(word) => bail!("expected no further argument, found `{word}`"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(words: &[&str]) -> Args {
        Args::new(
            &words
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn takes_flags_options_and_words_in_any_order() {
        let mut args = args(&["--seed", "7", "tree", "--flat"]);
        assert!(args.flag("--flat"));
        assert_eq!(args.option::<u64>("--seed").unwrap(), Some(7));
        assert_eq!(args.option::<u64>("--entries").unwrap(), None);
        assert_eq!(args.word("a shape").unwrap(), "tree");
        args.finish().unwrap();
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        assert!(args(&["--seed"]).option::<u64>("--seed").is_err());
        assert!(args(&["--seed", "x"]).option::<u64>("--seed").is_err());
        assert!(args(&["--seed"]).word("a directory").is_err());
        assert!(args(&["left"]).finish().is_err());
    }
}
