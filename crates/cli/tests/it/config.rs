//! The configuration file.

use super::env::{Env, Name};

fn configured(text: &str) -> Env {
    let env = Env::new("a.foo .hid b/c.foo");
    std::fs::create_dir(env.beside("config/groma")).unwrap();
    std::fs::write(env.beside("config/groma/config.toml"), text).unwrap();
    env
}

#[test]
fn flags_come_before_those_typed() {
    let env =
        configured("[find]\nflags = ['--hidden', '-E', 'b', '--sort=size']\n[other]\nkey = 1\n");
    env.find("", ".hid a.foo");
    env.find("--no-hidden", "a.foo");
    env.find("--sort path", ".hid a.foo");
    env.find("--no-config", "a.foo b/ b/c.foo");
    env.fd("", "a.foo b/ b/c.foo");
    let env = configured("[find]\nflags = ['-d', '1']\n");
    env.find("foo", "a.foo");
    env.find("-d 2 foo", "a.foo b/c.foo");
    env.find("c.foo -x echo ';' --no-config", "./b/c.foo");
    let env = configured("[find]\nflags = ['--color=always']\n");
    env.find("foo -c never -d 1", "a.foo");
}

#[test]
fn an_empty_file_and_none() {
    for text in [
        "",
        "[find]\n",
        "# nothing\n",
        "[other]\nx = 1\n",
        "[find]\nflags = []\n",
    ] {
        configured(text).find("foo", "a.foo b/c.foo");
    }
    Env::new("a").find("", "a");
}

#[test]
fn mistakes_are_refused() {
    for (text, needle) in [
        ("[find", "config.toml'"),
        ("find = 1", "'find' must be a table"),
        (
            "[find]\nflags = '-H'",
            "'flags' in [find] must be a list of strings",
        ),
        (
            "[find]\nflags = [1]",
            "'flags' in [find] must be a list of strings",
        ),
        ("[find]\nflag = []", "unknown key 'flag' in [find]"),
        ("[find]\nflags = ['--nonsense']", "--nonsense"),
        ("\u{0}", "config.toml'"),
    ] {
        configured(text).refused("foo", needle);
        configured(text).find("--no-config foo -d 1", "a.foo");
        configured(text).fd("foo -d 1", "a.foo");
    }
    let env = configured("");
    std::fs::write(env.beside("config/groma/config.toml"), b"\xff\xfe").unwrap();
    env.refused("foo", "config.toml'");
}

#[test]
fn actions_are_refused() {
    for flags in [
        "'-x', 'rm'",
        "'--exec', 'rm'",
        "'--exec=rm'",
        "'-Hx', 'rm'",
        "'-xrm'",
        "'-X', 'rm'",
        "'--exec-batch', 'rm'",
        "'--exec-batch=rm'",
        "'--delete'",
        "'-H', '--delete', '--yes'",
        "'--yes'",
        "'--generate', 'bash'",
        "'--gen-completions'",
        "'--exe', 'rm'",
        "'--del'",
        "'-IHX', 'rm'",
    ] {
        let env = configured(&format!("[find]\nflags = [{flags}]\n"));
        let answer = env.answer(Name::Groma, "foo");
        assert_eq!(
            (answer.code, answer.shown().as_str()),
            (2, ""),
            "{flags}: {}",
            answer.stderr
        );
        assert!(env.path("a.foo").exists());
    }
    // Values that only look like actions.
    configured("[find]\nflags = ['-E', 'x*', '-Ex', '--exclude', 'max', '-d9']\n")
        .find("foo", "a.foo b/c.foo");
    configured("[find]\nflags = ['-epx']\n").find("foo", "");
}

#[test]
fn a_pattern_is_no_flag() {
    let env = configured("[find]\nflags = ['foo']\n");
    env.refused("", "only flags");
    let env = configured("[find]\nflags = ['--']\n");
    env.refused("", "only flags");
}

#[test]
fn a_file_of_somebody_else_is_as_good_as_none() {
    let env = configured("[find]\nflags = ['-H']\n");
    env.chmod("../config/groma", 0o000);
    let groma = env!("CARGO_BIN_EXE_groma");
    // The program may lie where only its builder can read it.
    std::fs::copy(groma, env.beside("bin/groma")).unwrap();
    env.chmod("../bin/groma", 0o755);
    env.chmod("..", 0o755);
    let line = format!(
        "setpriv --reuid 65534 --clear-groups {} find foo",
        env.beside("bin/groma").display()
    );
    let answer = env.shell(&line);
    env.chmod("../config/groma", 0o755);
    assert_eq!(
        (answer.shown().as_str(), answer.code),
        ("a.foo b/c.foo", 0),
        "{}",
        answer.stderr
    );
}

#[test]
fn what_is_typed_beats_flags_that_conflict_with_it() {
    let env = configured("[find]\nflags = ['-l', '-E', 'b', '-d', '7']\n");
    assert!(env.answer(Name::Groma, "foo").shown().starts_with("-rw"));
    env.find("foo -x echo", "./a.foo");
    let limited = configured("[find]\nflags = ['--max-results=1', '-d', '1']\n");
    limited.find("-q foo", "");
    limited.find("foo -x echo", "./a.foo");
    env.find("foo -0", "./a.foo␀");
    env.find("--exact-depth 1 --format {/}", "a.foo");
    let json = env.answer(Name::Groma, "--json foo");
    assert!(
        json.shown().starts_with("{\"path\":\"a.foo\""),
        "{}",
        json.stderr
    );
    assert_eq!(env.shell("groma find --generate bash").code, 0);
    // What conflicts with itself is still a mistake.
    env.refused("--json -l", "cannot be used with");
    configured("[find]\nflags = ['-l', '--json']\n").refused("", "cannot be used with");
}

#[test]
fn the_flag_of_a_command_is_its_own() {
    let env = configured("[find]\nflags = ['-d', '1']\n");
    env.find("foo -x echo --no-config", "--no-config ./a.foo");
    env.find("c.foo --no-config -x echo {/} ';' b", "c.foo");
}
