//! The list of functions and files that may be longer than the rule, each with its reason.

use anyhow::{Context as _, Result, anyhow, bail};
use toml::{Table, Value};

use super::Problem;

/// Where the list is kept.
pub(crate) const FILE: &str = "xtask/exceptions.toml";

/// The list, and which of its lines were needed.
pub(crate) struct Exceptions {
    items: Vec<Item>,
}

struct Item {
    file: String,
    /// `None` where the whole file is meant.
    function: Option<String>,
    needed: bool,
}

impl Exceptions {
    /// Reads the list: tables `[[function]]` (file, name, reason) and `[[file]]` (file, reason).
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let table: Table = text.parse().with_context(|| format!("{FILE} is no TOML"))?;
        let mut items = Vec::new();
        for (kind, list) in &table {
            if !matches!(kind.as_str(), "function" | "file") {
                bail!("{FILE}: expected [[function]] or [[file]], found `{kind}`");
            }
            let list = list
                .as_array()
                .ok_or_else(|| anyhow!("{FILE}: `{kind}` is no list"))?;
            for value in list {
                items.push(item(kind, value).with_context(|| format!("{FILE}: [[{kind}]]"))?);
            }
        }
        Ok(Self { items })
    }

    pub(crate) fn allow_file(&mut self, file: &str) -> bool {
        self.allow(file, None)
    }

    pub(crate) fn allow_function(&mut self, file: &str, name: &str) -> bool {
        self.allow(file, Some(name))
    }

    fn allow(&mut self, file: &str, function: Option<&str>) -> bool {
        let item = self
            .items
            .iter_mut()
            .find(|item| item.file == file && item.function.as_deref() == function);
        match item {
            Some(item) => {
                item.needed = true;
                true
            }
            None => false,
        }
    }

    /// Exceptions that nothing asked for: what they excused is gone.
    pub(crate) fn unneeded(&self) -> Vec<Problem> {
        self.items
            .iter()
            .filter(|item| !item.needed)
            .map(|item| {
                let what = match &item.function {
                    Some(name) => format!("an exception for `{name}` in {}", item.file),
                    None => format!("an exception for {}", item.file),
                };
                Problem::new(FILE, 1, "only exceptions that are needed", what)
            })
            .collect()
    }
}

fn item(kind: &str, value: &Value) -> Result<Item> {
    let field = |name: &str| {
        let text = value.get(name).and_then(Value::as_str).map(str::trim);
        text.filter(|text| !text.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| anyhow!("expected `{name}` with a text, found none"))
    };
    field("reason")?;
    let function = if kind == "function" {
        Some(field("name")?)
    } else {
        None
    };
    Ok(Item {
        file: field("file")?,
        function,
        needed: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_without_a_reason_is_refused() {
        assert!(Exceptions::parse("[[file]]\nfile = 'a.rs'").is_err());
        assert!(Exceptions::parse("[[file]]\nfile = 'a.rs'\nreason = ' '").is_err());
        assert!(Exceptions::parse("[[function]]\nfile = 'a.rs'\nreason = 'x'").is_err());
        assert!(Exceptions::parse("[[crate]]\nfile = 'a.rs'\nreason = 'x'").is_err());
    }

    #[test]
    fn an_exception_that_is_no_longer_needed_fails() {
        let mut list = Exceptions::parse("[[file]]\nfile = 'a.rs'\nreason = 'data'").unwrap();
        assert_eq!(list.unneeded().len(), 1);
        assert!(!list.allow_file("b.rs"));
        assert!(!list.allow_function("a.rs", "f"));
        assert!(list.allow_file("a.rs"));
        assert!(list.unneeded().is_empty());
    }
}
