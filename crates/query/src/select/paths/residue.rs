//! What remains to be asked of paths: a pattern that no index answers, and the text without which
//! it cannot match.

use regex_syntax::hir::{Hir, HirKind};

use crate::bound::TextField;
use crate::pattern::{Pattern, analyse};
use crate::select::SelectError;
use crate::select::bits::{self, Mask};
use crate::select::filter::Filter;
use crate::select::frame::Frame;
use crate::select::names::folded_regex;
use crate::select::way::Paths;

/// Texts shorter than this are in too many paths to be looked for.
const SHORTEST: usize = 2;

/// The longest text that every path holds, folded, that a regex matches.
pub(crate) fn required_text(text: &str, fold: bool) -> Option<Vec<u8>> {
    let hir = analyse::parse(text, fold).ok()?;
    let hir = folded_regex(&hir)?;
    let mut texts = Vec::new();
    collect(&hir, &mut texts);
    let longest = texts.into_iter().max_by_key(Vec::len)?;
    (longest.len() >= SHORTEST).then(|| groma_base::folded(&longest))
}

fn collect(hir: &Hir, texts: &mut Vec<Vec<u8>>) {
    match hir.kind() {
        HirKind::Literal(literal) => texts.push(literal.0.to_vec()),
        HirKind::Capture(capture) => collect(&capture.sub, texts),
        HirKind::Repetition(repetition) if repetition.min > 0 => collect(&repetition.sub, texts),
        HirKind::Concat(list) => list.iter().for_each(|sub| collect(sub, texts)),
        _ => {}
    }
}

/// Asks the path of each row, or of its directory.
pub(crate) struct PathTexts<'f, 'v> {
    pub(crate) frame: &'f Frame<'v>,
    pub(crate) field: TextField,
    pub(crate) pattern: Pattern,
}

impl Filter for PathTexts<'_, '_> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        let mut paths = Paths::new(self.frame);
        let mut last: Option<(u32, bool)> = None;
        for bit in bits::ones(&mask.clone()) {
            let row = first + bit;
            if bit % 256 == 0 {
                self.frame.look()?;
            }
            let matches = if self.field == TextField::Parent {
                let parent = self.frame.segment.parent(row)?.unwrap_or(0);
                match last {
                    Some((dir, answer)) if dir == parent => answer,
                    _ => {
                        let answer = self.pattern.is_match(paths.parent(row)?);
                        last = Some((parent, answer));
                        answer
                    }
                }
            } else {
                self.pattern.is_match(paths.path(row)?)
            };
            if !matches {
                bits::clear(mask, bit);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_no_match_can_lack() {
        let text = |regex, fold| required_text(regex, fold).map(|t| String::from_utf8(t).unwrap());
        assert_eq!(text("^/usr/(lib|share)/x", false).as_deref(), Some("/usr/"));
        assert_eq!(text("(?:a.*Report)+x?", true).as_deref(), Some("report"));
        assert_eq!(text("[ab]c*|long", true), None);
        assert_eq!(text("É.*a", false).as_deref(), Some("é"));
    }
}
