//! Extensions: does a name end in one of these?

use groma_base::folded;

use super::scratch::with_folded;

/// A set of extensions, whatever their case.
///
/// A name has an extension when it ends in a dot and the extension, with at least one byte before
/// the dot: `.txt` alone is a name without an extension. An extension may have dots in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Extensions of at most eight ASCII bytes without a dot, packed, sorted.
    short: Vec<u64>,
    /// All others, folded, each with its leading dot.
    long: Vec<Box<[u8]>>,
    /// As given, without leading dots, for those who print or look them up.
    texts: Vec<String>,
    /// Bytes that a name with one of them can end in, as bits: most names are done with here.
    endings: [u64; 4],
}

impl Extensions {
    /// A set of these extensions; leading dots do not count.
    pub fn new<S: AsRef<str>>(extensions: impl IntoIterator<Item = S>) -> Extensions {
        let mut set = Extensions::default();
        for extension in extensions {
            let text = extension.as_ref().trim_start_matches('.');
            set.add(text);
        }
        set.short.sort_unstable();
        set.short.dedup();
        set
    }

    fn add(&mut self, text: &str) {
        let lower = folded(text.as_bytes());
        if let Some(last) = lower.last() {
            self.allow_ending(last.to_ascii_lowercase());
            self.allow_ending(last.to_ascii_uppercase());
            // Any character beyond ASCII may fold to the last one.
            (0x80..=0xff).for_each(|byte| self.allow_ending(byte));
        } else {
            self.allow_ending(b'.');
        }
        match packed(&lower).filter(|_| !lower.contains(&b'.')) {
            Some(word) => self.short.push(word),
            None => self.long.push([b".", &lower[..]].concat().into()),
        }
        self.texts.push(text.to_owned());
    }

    fn allow_ending(&mut self, byte: u8) {
        self.endings[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    #[inline]
    fn allows_ending(&self, byte: u8) -> bool {
        self.endings[usize::from(byte / 64)] & (1 << (byte % 64)) != 0
    }

    /// The extensions as they were given, without leading dots.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether a name ends in a dot and one of the extensions.
    #[inline]
    pub fn is_match(&self, name: &[u8]) -> bool {
        name.last().is_some_and(|&last| self.allows_ending(last)) && self.is_match_in_full(name)
    }

    fn is_match_in_full(&self, name: &[u8]) -> bool {
        if let Some(dot) = memchr::memrchr(b'.', name).filter(|&dot| dot > 0) {
            let tail = &name[dot + 1..];
            match packed(tail) {
                Some(word) if self.short.binary_search(&word).is_ok() => return true,
                // Some characters beyond ASCII fold to ASCII letters.
                None if !tail.is_ascii() && with_folded(tail, |t| self.has_short(t)) => {
                    return true;
                }
                _ => {}
            }
        }
        !self.long.is_empty() && self.is_long_match(name)
    }

    fn has_short(&self, folded_tail: &[u8]) -> bool {
        packed(folded_tail).is_some_and(|word| self.short.binary_search(&word).is_ok())
    }

    fn is_long_match(&self, name: &[u8]) -> bool {
        let ends = |name: &[u8]| {
            self.long.iter().any(|ext| {
                name.len() > ext.len() && name[name.len() - ext.len()..].eq_ignore_ascii_case(ext)
            })
        };
        if name.is_ascii() {
            ends(name)
        } else {
            with_folded(name, ends)
        }
    }
}

/// Up to eight ASCII bytes in lower case as one number.
fn packed(extension: &[u8]) -> Option<u64> {
    let fits = !extension.is_empty() && extension.len() <= 8;
    // Zero bytes would be lost in the padding; no name has one.
    if !fits || !extension.is_ascii() || extension[0] == 0 {
        return None;
    }
    Some(
        extension
            .iter()
            .fold(0, |word, b| (word << 8) | u64::from(b.to_ascii_lowercase())),
    )
}
