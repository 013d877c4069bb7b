//! Did you mean ...?

/// The candidate nearest to a misspelt word, if one is near enough.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().take(40).collect();
    let allowed = match word.len() {
        0..=2 => 0,
        3..=4 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .map(|c| (distance(&word, &c.chars().collect::<Vec<_>>()), c))
        .filter(|&(d, _)| d <= allowed)
        .min_by_key(|&(d, _)| d)
        .map(|(_, c)| c)
}

/// Edits between two words; swapping two neighbours counts as one.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut best = (last[j] + 1).min(row[j - 1] + 1);
            best = best.min(last[j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_near_words_only() {
        let words = ["size", "modified", "ext", "is"];
        for (typed, want) in [
            ("siez", Some("size")),
            ("Modifed", Some("modified")),
            ("exr", Some("ext")),
            ("it", None),
            ("zzzz", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, words), want, "{typed}");
        }
    }
}
