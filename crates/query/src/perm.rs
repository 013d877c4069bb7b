//! Tests of permission bits, as `find -perm` writes them.

use thiserror::Error;

/// Why a text is no test of permissions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no permission: write 644, -022 (all of these bits), /022 (any), or u+w, a=rx")]
pub struct PermError(String);

/// A test of the twelve permission bits of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PermTest {
    /// Exactly these bits.
    Exactly(u32),
    /// All of these bits, perhaps more.
    All(u32),
    /// One of these bits at least; with no bits at all, everything passes.
    Any(u32),
}

impl PermTest {
    /// Reads `MODE`, `-MODE` or `/MODE`, where `MODE` is octal or symbolic (`u+w,g=rx`, applied to
    /// no bits).
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<PermTest, PermError> {
        let error = || PermError(text.to_owned());
        let (test, mode): (fn(u32) -> PermTest, &str) = match text.split_at_checked(1) {
            Some(("-", mode)) => (PermTest::All, mode),
            Some(("/", mode)) => (PermTest::Any, mode),
            _ => (PermTest::Exactly, text),
        };
        octal(mode)
            .or_else(|| symbolic(mode))
            .map(test)
            .ok_or_else(error)
    }

    /// Whether a mode passes; its type bits do not count.
    pub fn matches(self, mode: u32) -> bool {
        let mode = mode & 0o7777;
        match self {
            PermTest::Exactly(bits) => mode == bits,
            PermTest::All(bits) => mode & bits == bits,
            PermTest::Any(bits) => bits == 0 || mode & bits != 0,
        }
    }
}

fn octal(text: &str) -> Option<u32> {
    let is_octal = !text.is_empty() && text.bytes().all(|b| (b'0'..=b'7').contains(&b));
    u32::from_str_radix(text, 8)
        .ok()
        .filter(|&mode| is_octal && mode <= 0o7777)
}

fn symbolic(text: &str) -> Option<u32> {
    text.split(',').try_fold(0, clause)
}

/// Applies one clause such as `ug+rw` to the bits so far.
fn clause(bits: u32, text: &str) -> Option<u32> {
    let at = text.find(['+', '-', '='])?;
    let (who, rest) = text.split_at(at);
    let (op, what) = rest.split_at(1);
    let who = who
        .chars()
        .try_fold(0, |mask, c| Some(mask | class_mask(c)?))?;
    let who = if who == 0 { 0o7777 } else { who };
    let what = what
        .chars()
        .try_fold(0, |mask, c| Some(mask | permission_mask(c)?))?;
    // Set-user-id belongs to the user, set-group-id to the group, the sticky bit to all.
    let set = what & who;
    Some(match op {
        "+" => bits | set,
        "-" => bits & !set,
        _ => (bits & !who) | set,
    })
}

fn class_mask(c: char) -> Option<u32> {
    match c {
        'u' => Some(0o4700),
        'g' => Some(0o2070),
        'o' => Some(0o1007),
        'a' => Some(0o7777),
        _ => None,
    }
}

fn permission_mask(c: char) -> Option<u32> {
    match c {
        'r' => Some(0o444),
        'w' => Some(0o222),
        'x' => Some(0o111),
        's' => Some(0o6000),
        't' => Some(0o1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_modes() {
        for (text, want) in [
            ("644", PermTest::Exactly(0o644)),
            ("0644", PermTest::Exactly(0o644)),
            ("-022", PermTest::All(0o022)),
            ("/222", PermTest::Any(0o222)),
            ("/000", PermTest::Any(0)),
            ("u+w", PermTest::Exactly(0o200)),
            ("-g+w,u+w", PermTest::All(0o220)),
            ("/u+s", PermTest::Any(0o4000)),
            ("+t", PermTest::Exactly(0o1000)),
            ("a=rx", PermTest::Exactly(0o555)),
            ("ug=rw,o-r", PermTest::Exactly(0o660)),
            ("a+rw,u-w", PermTest::Exactly(0o466)),
        ] {
            assert_eq!(PermTest::parse(text), Ok(want), "{text}");
        }
        for text in [
            "", "-", "/", "8", "77777", "u", "u+z", "x+w", "+644", "--644", "é",
        ] {
            assert!(PermTest::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn tests_modes() {
        assert!(PermTest::Exactly(0o644).matches(0o100_644));
        assert!(!PermTest::Exactly(0o644).matches(0o100_664));
        assert!(PermTest::All(0o020).matches(0o664) && !PermTest::All(0o022).matches(0o664));
        assert!(PermTest::Any(0o022).matches(0o664) && !PermTest::Any(0o022).matches(0o644));
        assert!(PermTest::Any(0).matches(0));
    }
}
