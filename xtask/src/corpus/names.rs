//! Names as they lie on a developer's disk: some everywhere, most only once, 20 bytes on average.

use super::rng::Rng;

/// Directory names that repeat.
const DIRS: &[&str] = &[
    "src",
    "tests",
    "lib",
    "include",
    "docs",
    "node_modules",
    "target",
    "build",
    "dist",
    "utils",
    "common",
    "core",
    "internal",
    "examples",
    "assets",
    "static",
    "templates",
    "config",
    "scripts",
    "resources",
    "__pycache__",
    "fixtures",
    "components",
    "modules",
    "vendor",
    "bin",
    "data",
    "images",
    "locales",
    "en_US",
    "x86_64-linux-gnu",
    "generated",
];

/// File names that repeat.
const FILES: &[&str] = &[
    "index.js",
    "__init__.py",
    "mod.rs",
    "package.json",
    "README.md",
    "LICENSE",
    "index.d.ts",
    "Makefile",
    "lib.rs",
    "main.rs",
    "utils.py",
    "types.ts",
    "config.h",
    "CMakeLists.txt",
    "index.html",
    "style.css",
    "setup.py",
    "test_utils.py",
    "Cargo.toml",
    "tsconfig.json",
    "index.js.map",
    "CHANGELOG.md",
    "errors.rs",
    "helpers.js",
    "constants.py",
    "messages.po",
    "METADATA",
    "RECORD",
    "common.h",
    "version.txt",
    "index.tsx",
    "main.c",
    "build.rs",
    "conftest.py",
    "package-lock.json",
    "tests.rs",
    "builder.rs",
    "icon.png",
    "logo.svg",
];

/// Words that other names are put together from.
const WORDS: &[&str] = &[
    "file",
    "index",
    "parser",
    "config",
    "reader",
    "writer",
    "buffer",
    "handler",
    "manager",
    "service",
    "client",
    "server",
    "request",
    "response",
    "session",
    "token",
    "schema",
    "model",
    "view",
    "controller",
    "adapter",
    "factory",
    "builder",
    "context",
    "stream",
    "channel",
    "socket",
    "thread",
    "worker",
    "queue",
    "cache",
    "store",
    "record",
    "table",
    "column",
    "vector",
    "matrix",
    "graph",
    "node",
    "edge",
    "tree",
    "path",
    "string",
    "number",
    "array",
    "object",
    "function",
    "module",
    "package",
    "version",
    "release",
    "debug",
    "trace",
    "error",
    "warning",
    "report",
    "photo",
    "image",
    "audio",
    "video",
    "archive",
    "backup",
    "export",
    "import",
];

/// Extensions, the frequent ones first; none for files such as programs.
const EXTENSIONS: &[&str] = &[
    ".rs", ".js", ".py", ".h", ".c", ".json", ".ts", "", ".html", ".md", ".o", ".txt", ".png",
    ".d", ".xml", ".css", ".cpp", ".go", ".svg", ".so", ".pyc", ".java", ".yml", ".po", ".gz",
    ".jpg", ".toml", ".map", ".tmp", ".log", ".sh", ".tar.gz", ".pdf", ".mp4",
];

/// A name for a directory; `number` is different for each directory of the tree.
pub(crate) fn directory(rng: &mut Rng, number: usize) -> String {
    let hidden = if rng.percent(2) { "." } else { "" };
    if rng.percent(40) {
        return format!("{hidden}{}", rng.skewed(DIRS));
    }
    format!("{hidden}{}-{}", rng.skewed(WORDS), short(number))
}

/// A name for a file; `number` is different for each file of the tree.
pub(crate) fn file(rng: &mut Rng, number: usize) -> String {
    if rng.percent(11) {
        return (*rng.skewed(FILES)).to_owned();
    }
    let hidden = if rng.percent(2) { "." } else { "" };
    let first = rng.skewed(WORDS);
    let second = rng.skewed(WORDS);
    let extension = rng.skewed(EXTENSIONS);
    match rng.below(10) {
        // Some thousands of names: each comes back here and there, as in versions of one package.
        0..=1 => {
            let extension = EXTENSIONS[(first.len() + second.len()) % 8];
            format!("{hidden}{first}_{second}{extension}")
        }
        2..=7 => {
            let third = rng.skewed(WORDS);
            format!(
                "{hidden}{first}_{second}_{third}{}{extension}",
                short(number)
            )
        }
        _ => unique(number, extension),
    }
}

/// A name that nothing else in the tree has.
pub(crate) fn unique(number: usize, extension: &str) -> String {
    format!("{:016x}{extension}", Rng::part(0, number).next())
}

/// The number in base 36.
pub(crate) fn short(mut number: usize) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]);
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits
        .iter()
        .rev()
        .map(|digit| char::from(*digit))
        .collect()
}

/// What a rule file may say; most of it hits something in a tree made here.
const RULES: &[&str] = &[
    "*.o",
    "*.pyc",
    "__pycache__/",
    "target/",
    "/build",
    "node_modules",
    "*.log",
    "dist/",
    "*.tmp",
    "!release.log",
    "/generated/**",
    "*.map",
    "index_*.so",
    "**/fixtures/*.png",
    "# made by a tool",
    "?rchive_*.gz",
];

/// The content of a rule file.
pub(crate) fn rules(rng: &mut Rng) -> String {
    let count = 2 + rng.below(6);
    (0..count)
        .map(|_| format!("{}\n", RULES[rng.below(RULES.len())]))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_as_long_and_as_distinct_as_in_real_trees() {
        let mut rng = Rng::new(1);
        let names: Vec<String> = (0..300_000).map(|number| file(&mut rng, number)).collect();
        let bytes: usize = names.iter().map(String::len).sum();
        let average = bytes / names.len();
        assert!((19..=22).contains(&average), "{average} bytes on average");
        let distinct: HashSet<&String> = names.iter().collect();
        let percent = distinct.len() * 100 / names.len();
        assert!((64..=74).contains(&percent), "{percent} % distinct");
    }

    #[test]
    fn numbers_are_short_and_differ() {
        assert_eq!(short(0), "0");
        assert_eq!(short(35), "z");
        assert_eq!(short(36), "10");
    }
}
