//! `{a,b}` in patterns from the command line: one pattern becomes one per alternative.

use super::glob::Malformed;

/// So many patterns may come of one; nested braces multiply.
const MAX_PATTERNS: usize = 4096;

/// All patterns that `pattern` stands for. Braces nest; an escaped brace and one inside of `[...]`
/// are ordinary bytes.
pub(super) fn expand(pattern: &[u8]) -> Result<Vec<Vec<u8>>, Malformed> {
    if !pattern.iter().any(|b| matches!(b, b'{' | b'}')) {
        return Ok(vec![pattern.to_vec()]);
    }
    let mut parser = Parser {
        pattern,
        at: 0,
        depth: 0,
    };
    let all = parser.sequence()?;
    match parser.peek() {
        None => Ok(all),
        Some(_) => Err("a '}' has no matching '{'"),
    }
}

struct Parser<'a> {
    pattern: &'a [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.pattern.get(self.at).copied()
    }

    /// Everything up to the end, a `}`, or a `,` inside of braces.
    fn sequence(&mut self) -> Result<Vec<Vec<u8>>, Malformed> {
        let mut all = vec![Vec::new()];
        while let Some(byte) = self.peek() {
            match byte {
                b'}' => break,
                b',' if self.depth > 0 => break,
                b'{' => all = product(&all, &self.alternatives()?)?,
                _ => {
                    let atom = self.atom(byte);
                    all.iter_mut()
                        .for_each(|one| one.extend_from_slice(&self.pattern[atom.clone()]));
                }
            }
        }
        Ok(all)
    }

    /// From a `{` to behind its `}`.
    fn alternatives(&mut self) -> Result<Vec<Vec<u8>>, Malformed> {
        if self.depth == 32 {
            return Err("braces nest too deeply");
        }
        self.depth += 1;
        let mut all = Vec::new();
        loop {
            self.at += 1;
            all.extend(self.sequence()?);
            match self.peek() {
                Some(b',') => {}
                Some(_) => break,
                None => return Err("a '{' has no matching '}'"),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(all)
    }

    /// One ordinary byte, an escaped one, or a whole class.
    fn atom(&mut self, byte: u8) -> std::ops::Range<usize> {
        let start = self.at;
        let len = match byte {
            b'\\' => 2,
            b'[' => class_len(&self.pattern[start..]),
            _ => 1,
        };
        self.at = self.pattern.len().min(start + len);
        start..self.at
    }
}

/// Length of the class that opens `text`; 1 when it is never closed.
fn class_len(text: &[u8]) -> usize {
    let first = if matches!(text.get(1), Some(b'!' | b'^')) {
        2
    } else {
        1
    };
    let close = text.iter().skip(first + 1).position(|&b| b == b']');
    close.map_or(1, |at| first + 1 + at + 1)
}

/// Every head with every tail.
fn product(heads: &[Vec<u8>], tails: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Malformed> {
    if heads.len().saturating_mul(tails.len()) > MAX_PATTERNS {
        return Err("the braces stand for too many patterns");
    }
    Ok(heads
        .iter()
        .flat_map(|head| tails.iter().map(move |tail| [&head[..], tail].concat()))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(pattern: &str) -> Result<Vec<String>, Malformed> {
        let all = expand(pattern.as_bytes())?;
        Ok(all
            .into_iter()
            .map(|one| String::from_utf8(one).unwrap())
            .collect())
    }

    #[test]
    fn alternatives_nest_and_multiply() {
        assert_eq!(expanded("a").unwrap(), ["a"]);
        assert_eq!(expanded("*.{a,b}").unwrap(), ["*.a", "*.b"]);
        assert_eq!(expanded("{a,{b,c}d,}x").unwrap(), ["ax", "bdx", "cdx", "x"]);
        assert_eq!(expanded("{a,b}{c,d}").unwrap(), ["ac", "ad", "bc", "bd"]);
        assert_eq!(expanded("a,b").unwrap(), ["a,b"]);
    }

    #[test]
    fn escaped_and_bracketed_braces_are_bytes() {
        assert_eq!(expanded("\\{a,b\\}").unwrap(), ["\\{a,b\\}"]);
        assert_eq!(expanded("[{,}]").unwrap(), ["[{,}]"]);
        assert_eq!(expanded("{[,],b}").unwrap(), ["[,]", "b"]);
    }

    #[test]
    fn unbalanced_braces_are_refused() {
        for pattern in ["{a", "a}", "{a,{b}", "{a}}"] {
            assert!(expanded(pattern).is_err(), "{pattern}");
        }
        assert!(expanded(&"{a,b}".repeat(13)).is_err());
        assert!(expanded(&"{".repeat(100_000)).is_err());
    }
}
