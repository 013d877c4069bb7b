//! `--sort` and `--order`.

use super::env::{Env, Name};

fn tree() -> Env {
    let env = Env::new("b/big:3000 b/c/mid:2000 a:5 A2:5 z/a:5 m:0");
    for (file, time) in [
        ("b/big", "2001-01-01"),
        ("b/c/mid", "2003-01-01"),
        ("m", "1960-01-01"),
    ] {
        env.touch(file, time);
    }
    for file in ["a", "A2", "z/a"] {
        env.touch(file, "2002-01-01");
    }
    env
}

#[test]
fn sorted_by_each_field() {
    tree().finds(&[
        ("--sort path", "a A2 b/ b/big b/c/ b/c/mid m z/ z/a"),
        ("--sort name", "a z/a A2 b/ b/big b/c/ m b/c/mid z/"),
        ("--sort size -t f", "m a A2 z/a b/c/mid b/big"),
        ("--sort modified -t f", "m b/big a A2 z/a b/c/mid"),
        ("--sort created -t f -e nothing", ""),
        ("--sort size -t f -j 1", "m a A2 z/a b/c/mid b/big"),
        ("--sort size -t f --max-results 3", "m a A2"),
        ("--sort path --max-results 3", "a A2 b/"),
        ("--sort name -1", "a"),
        ("--sort modified -t f -1", "m"),
        (
            "--sort size -t f -0",
            "./m␀./a␀./A2␀./z/a␀./b/c/mid␀./b/big␀",
        ),
        ("--sort size -t f --format {/}", "m a A2 a mid big"),
        ("--sort size -t f -x echo {/}", "m a A2 a mid big"),
        ("--sort size -t f -X echo {/}", "m a A2 a mid big"),
        ("--sort size --sort path -d 1", "a A2 b/ m z/"),
        ("--sort path . z b", "b/big b/c/ b/c/mid z/a"),
        ("--sort path --prune b", "b/"),
        ("--sort path --min-depth 2", "b/big b/c/ b/c/mid z/a"),
        ("--sort path -t e", "m"),
    ]);
}

#[test]
fn births_are_in_the_order_of_making() {
    let env = Env::new("");
    for name in ["c", "a", "b"] {
        env.write(name, "");
        std::thread::sleep(std::time::Duration::from_millis(15));
    }
    env.find("--sort created", "c a b");
}

#[test]
fn breadth_first() {
    let env = tree();
    env.finds(&[
        ("--order breadth", "a A2 b/ m z/ b/big b/c/ z/a b/c/mid"),
        ("--order breadth --max-results 6", "a A2 b/ m z/ b/big"),
        ("--order breadth -1 mid", "b/c/mid"),
        ("--order breadth -t f -d 2", "a A2 m b/big z/a"),
        ("--order breadth . z b", "b/big b/c/ z/a b/c/mid"),
        ("--order breadth -t e", "m"),
        ("--order breadth --prune -t d", "b/ z/"),
        ("--order breadth -x echo {/} ';' big", "big"),
        ("--order breadth -t f -X echo {/}", "a A2 m big a mid"),
    ]);
    env.refused("--order breadth --sort name", "cannot be used with");
    env.refused("--order depth", "possible values");
    env.refused("--sort", "a value is required");
    env.refused("--sort color", "possible values");
}

#[test]
fn sorting_does_not_depend_on_threads() {
    let env = Env::new("");
    for number in 0..400 {
        env.write(
            &format!("d{}/f{}", number % 20, number),
            &"x".repeat(number % 7),
        );
    }
    for field in ["path", "name", "size", "modified"] {
        let one = env.answer(Name::Groma, &format!("--sort {field} -t f -j 1"));
        assert_eq!(one.sorted().len(), 400);
        for _ in 0..3 {
            let many = env.answer(Name::Groma, &format!("--sort {field} -t f -j 8"));
            assert_eq!(one.stdout, many.stdout, "{field}");
        }
    }
}
