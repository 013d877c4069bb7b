//! `--where` and `--not`.

use super::env::{Env, Name};

const TREE: &str =
    "docs/big.pdf:2000000 docs/small.pdf:10 src/main.rs:500 src/.hid empty/ gone->no run=755";

#[test]
fn queries() {
    let env = Env::new(TREE);
    env.touch("docs/big.pdf", "2005-05-05");
    env.finds(&[
        ("--where 'size>1mb'", "docs/big.pdf"),
        ("--where 'ext:pdf size<1k'", "docs/small.pdf"),
        ("--where 'ext:pdf' --where 'size<1k'", "docs/small.pdf"),
        ("--where 'main OR small'", "docs/small.pdf src/main.rs"),
        ("--where '!(main OR pdf)' -t f", "run"),
        ("--where modified:2005", "docs/big.pdf"),
        ("--where 'modified:<2010'", "docs/big.pdf"),
        ("--where broken:", "gone"),
        ("--where 'type:dir empty:'", "empty/"),
        ("--where items:2", "docs/ src/"),
        ("--where depth=1", "docs/ empty/ gone run src/"),
        ("--where 'parent:docs'", "docs/big.pdf docs/small.pdf"),
        ("--where under:src", "src/main.rs"),
        ("--where path:docs/b", "docs/big.pdf"),
        ("--where '*.rs'", "src/main.rs"),
        ("--where '/^m.*s$/'", "src/main.rs"),
        ("--where executable: -t f", "run"),
        ("--where perm:755 -t f", "run"),
        ("--where 'owner:root' -t f run", "run"),
        ("--where is:hidden", ""),
        ("-H --where is:hidden", "src/.hid"),
        ("--where '' -t d", "docs/ empty/ src/"),
        ("--where -x", ""),
        ("pdf --where 'size<1k'", "docs/small.pdf"),
        (
            "--where 'ext:pdf' --sort size",
            "docs/small.pdf docs/big.pdf",
        ),
        ("--where items:2 --order breadth", "docs/ src/"),
        ("--where 'root:docs' . docs -1 --sort path", "docs/big.pdf"),
        ("--where MAIN", ""),
        ("-i --where MAIN", "src/main.rs"),
        ("-s --where main", "src/main.rs"),
    ]);
}

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let env = Env::new(TREE);
    for (query, needles) in [
        (
            "siez>1",
            &[
                "there is no field 'siez'",
                "  siez>1\n  ^~~~",
                "did you mean 'size'?",
            ][..],
        ),
        ("a (b", &["this '(' is never closed", "  a (b\n    ^"]),
        ("tree-size>1", &["only the catalog knows 'tree-size'"]),
        ("size>big", &["size>big\n"]),
        ("regex:a(b", &["regex"]),
    ] {
        for needle in needles {
            env.refused(&format!("--where '{query}'"), needle);
        }
    }
    env.refused("--where", "a value is required");
    env.fails(
        Name::Fd,
        "--where 'siez>1'",
        1,
        "[fd error]: --where: there is no field",
    );
}

#[test]
fn not_turns_the_next_filter_round() {
    let env = Env::new(TREE);
    env.finds(&[
        ("--not pdf -t f", "run src/main.rs"),
        ("--not -t f", "docs/ empty/ gone src/"),
        ("-t f --not -e pdf", "run src/main.rs"),
        ("-t f --not -e pdf --not -e rs", "run"),
        ("--not -t f --not -t d", "gone"),
        (
            "--not --not -t f",
            "docs/big.pdf docs/small.pdf run src/main.rs",
        ),
        ("--not --not --not -t f", "docs/ empty/ gone src/"),
        ("--not -t x -t f", "docs/big.pdf docs/small.pdf src/main.rs"),
        ("-t f --not -t x", "docs/big.pdf docs/small.pdf src/main.rs"),
        ("-t f --not -S +1k", "docs/small.pdf run src/main.rs"),
        (
            "-t f --not --where 'size>1k'",
            "docs/small.pdf run src/main.rs",
        ),
        ("--not --perm 755 run", ""),
        (
            "-t f --not --perm 755",
            "docs/big.pdf docs/small.pdf src/main.rs",
        ),
        ("-t f --not --links 2 run", "run"),
        ("-t f --not -o 0", ""),
        ("--not -H pdf -t f", "run src/.hid src/main.rs"),
        ("pdf --and big --not --and small", "docs/big.pdf"),
        ("pdf --not --and small", "docs/big.pdf"),
        ("--not -e pdf -t f -g '*m*'", "src/main.rs"),
        ("--not -t e -t f", "docs/big.pdf docs/small.pdf src/main.rs"),
    ]);
    env.find("--not '^[.]' -t d", "docs/ empty/ src/");
    for line in ["--not", "pdf --not", "-t f --not -H", "-t f --not --not"] {
        env.refused(line, "--not stands before no filter");
    }
}
