//! Names of a made tree: those of generated trees on a disk, and the rare sorts among them.

use std::collections::HashSet;

use super::names;
use super::rng::Rng;

/// What a stream of random numbers is for: each part of a tree has its own.
const CHOICES: u64 = 0x4348_4f49_4345_5321;
const NAMES: u64 = 0x4e41_4d45_5321_2121;

/// Words of other scripts that names begin with.
const FOREIGN: &[&str] = &["Übersicht", "отчёт", "写真", "señal", "λ", "résumé"];

/// The name of the file with this number: six in a hundred have that of an earlier file.
pub(crate) fn file(seed: u64, number: usize) -> Vec<u8> {
    let mut choice = Rng::part(seed ^ CHOICES, number);
    let number = match number > 0 && choice.percent(6) {
        true => choice.below(number),
        false => number,
    };
    let mut rng = Rng::part(seed ^ NAMES, number);
    let name = names::file(&mut rng, number);
    varied(name, number, &mut rng)
}

/// Names of the directories in one directory.
#[derive(Debug, Default)]
pub(crate) struct Siblings(HashSet<Vec<u8>>);

impl Siblings {
    /// The name of the directory with this number.
    pub(crate) fn dir(&mut self, number: u32, rng: &mut Rng) -> Vec<u8> {
        let name = names::directory(rng, number as usize);
        self.distinct(name.into_bytes(), |name| {
            name.extend_from_slice(format!(".{number}").as_bytes());
        })
    }

    /// The name of the file with this number.
    pub(crate) fn file(&mut self, seed: u64, number: usize) -> Vec<u8> {
        self.distinct(file(seed, number), |name| {
            *name = names::unique(number, ".dat").into_bytes();
        })
    }

    /// Forgets the names: another directory begins.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    fn distinct(&mut self, mut name: Vec<u8>, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
        if self.0.contains(&name) {
            change(&mut name);
        }
        self.0.insert(name.clone());
        name
    }
}

/// Capitals in one of eight names, a word of another script in one of 300, an extension that
/// hardly another name has in one of 400, bytes that are no UTF-8 in one of 50 000.
fn varied(name: String, number: usize, rng: &mut Rng) -> Vec<u8> {
    let mut name = name.into_bytes();
    if rng.below(8) == 0 {
        capitalise(&mut name);
    }
    if rng.below(300) == 0 {
        let word = FOREIGN[rng.below(FOREIGN.len())];
        name.splice(..0, [word.as_bytes(), b"_"].concat());
    }
    if rng.below(400) == 0 {
        name.push(b'.');
        name.extend_from_slice(names::short(number).as_bytes());
    }
    if rng.below(50_000) == 0 {
        name.splice(..0, *b"caf\xe9_");
    }
    name
}

/// Each word begins with a capital.
fn capitalise(name: &mut [u8]) {
    let mut is_start = true;
    for byte in name {
        if is_start {
            byte.make_ascii_uppercase();
        }
        is_start = !byte.is_ascii_alphanumeric() && *byte != b'.';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_thirds_of_names_are_distinct_and_they_have_twenty_bytes() {
        let names: Vec<Vec<u8>> = (0..300_000).map(|number| file(1, number)).collect();
        let bytes: usize = names.iter().map(Vec::len).sum();
        let average = bytes / names.len();
        assert!((19..=22).contains(&average), "{average} bytes on average");
        let distinct: HashSet<&Vec<u8>> = names.iter().collect();
        let percent = distinct.len() * 100 / names.len();
        assert!((60..=70).contains(&percent), "{percent} % distinct");
        let odd = names
            .iter()
            .filter(|name| std::str::from_utf8(name).is_err());
        assert!((1..30).contains(&odd.count()));
    }

    #[test]
    fn names_of_one_directory_differ() {
        let mut siblings = Siblings::default();
        let files: HashSet<Vec<u8>> = (0..5000).map(|n| siblings.file(2, n)).collect();
        assert_eq!(files.len(), 5000);
        siblings.clear();
        let mut rng = Rng::new(2);
        let dirs: HashSet<Vec<u8>> = (0..500).map(|n| siblings.dir(n, &mut rng)).collect();
        assert_eq!(dirs.len(), 500);
    }
}
