//! Random trees and rule files, from few words so that rules and files meet often.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Names of files and directories, separated by bars.
const NAMES: &[u8] =
    b"a|b|ab|ba|abc|foo|foo.o|bar.o|a.tar.gz|x y|b |#h|!n|a\\b|[a]|\xc3\xa4|\xff\xfe|\
    target|.hidden|*|{a,b}|a-b|A|B.O|1|a\xff.o|foo~|b\r|a\nb|a]|-";

/// Components of patterns.
const PIECES: &[u8] = b"a|b|ab|foo|foo.o|x y|*|*|**|**|***|**\\/b|\\/a|?|??|*.o|*.o|*.o|f*.o|*.gz|*.tar.gz|fo*|*o|a*|*b*|a*c|\
    [a-c]|[!a]*|[^a-]|[]a]|[[:alpha:]]*|[[:digit:]]|[[:nope:]]|[[:upper:]]*|[[:punct:]]*|[b-a]|[a|\
    [\\]a]|[a\\-c]|[/]|[a-c-o]|[+-0]|a[+-0]b|\\a|\\*|\\[a]|\\#h|\\!n|#h|!n|x\\ y|b\\ |a\\\\b|\\|\
    \xc3\xa4|\xff*|*\xff*|\xff\xfe|target|.*|*~|{a,b}|*.{o,gz}|a**|**b|a**b|f**o|[*]|?b|*.*|\\\xff*|b\r";

/// A small generator of pseudo-random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % bound as u64).unwrap()
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn of<'a>(&mut self, choices: &[&'a [u8]]) -> &'a [u8] {
        choices[self.below(choices.len())]
    }
}

/// The few names and pieces of patterns that one case uses, so that they meet often.
pub(crate) struct Words {
    pub(crate) names: Vec<&'static [u8]>,
    pub(crate) pieces: Vec<&'static [u8]>,
}

impl Words {
    pub(crate) fn some(random: &mut Random) -> Words {
        let mut some = |all: &'static [u8]| {
            let all: Vec<&[u8]> = all.split(|&b| b == b'|').collect();
            (0..9).map(|_| random.of(&all)).collect()
        };
        Words {
            names: some(NAMES),
            pieces: some(PIECES),
        }
    }
}

pub(crate) fn pattern(words: &Words, random: &mut Random) -> Vec<u8> {
    let mut line = Vec::new();
    let mark = random.below(10);
    line.extend_from_slice(if mark < 3 { b"!" } else { b"" });
    line.extend_from_slice(if random.chance(5) { b"/" } else { b"" });
    let count = 1 + if random.chance(2) { random.below(4) } else { 0 };
    for n in 0..count {
        line.extend_from_slice(if n > 0 && !random.chance(12) {
            b"/"
        } else {
            b""
        });
        let choices = if random.chance(3) {
            &words.names
        } else {
            &words.pieces
        };
        line.extend_from_slice(random.of(choices));
    }
    line.extend_from_slice(
        random.of(&[b"", b"", b"", b"", b"/", b"/", b" ", b"  ", b"\\/", b"//"]),
    );
    line
}

pub(crate) fn rule_file(words: &Words, random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    text.extend_from_slice(if random.chance(8) {
        b"\xef\xbb\xbf"
    } else {
        b""
    });
    let end: &[u8] = if random.chance(5) { b"\r\n" } else { b"\n" };
    for _ in 0..1 + random.below(6) {
        match random.below(20) {
            0 => text.extend_from_slice(b"# comment"),
            1 => text.extend_from_slice(random.of(&[b"", b" ", b"/", b"!", b"!/", b"a\0b"])),
            _ => text.extend(pattern(words, random)),
        }
        text.extend_from_slice(end);
    }
    if random.chance(4) {
        text.truncate(text.len() - end.len());
    }
    text
}

/// Fills `dir`; some directories become repositories of their own.
pub(crate) fn fill(dir: &Path, depth: usize, words: &Words, random: &mut Random) {
    if random.chance(if depth == 0 { 2 } else { 4 }) {
        fs::write(dir.join(".gitignore"), rule_file(words, random)).unwrap();
    }
    for _ in 0..4 + random.below(4) {
        let path = dir.join(OsStr::from_bytes(random.of(&words.names)));
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match random.below(12) {
            0..=5 if depth < 4 => {
                fs::create_dir(&path).unwrap();
                if random.chance(25) {
                    init(&path, words, random);
                }
                fill(&path, depth + 1, words, random);
            }
            6 => symlink("..", &path).unwrap(),
            _ => fs::write(&path, "").unwrap(),
        }
    }
}

/// The least that git takes for a repository: `git init` is slow.
pub(crate) fn init(top: &Path, words: &Words, random: &mut Random) {
    for dir in [".git/objects", ".git/refs", ".git/info"] {
        fs::create_dir_all(top.join(dir)).unwrap();
    }
    fs::write(top.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    if random.chance(2) {
        fs::write(top.join(".git/info/exclude"), rule_file(words, random)).unwrap();
    }
}
