//! Colours by example: what is painted how, and what the painter has to know for it.

use super::*;

/// What `value` makes of one entry, with `ESC[` shown as `<` and `m` behind it kept.
fn painted(value: Option<&str>, path: &str, looks: Looks) -> String {
    painted_as(
        value,
        path.as_bytes(),
        looks,
        PathForm {
            mark_dirs: true,
            ..PathForm::default()
        },
    )
}

fn painted_as(value: Option<&str>, path: &[u8], looks: Looks, form: PathForm<'_>) -> String {
    let cut = path.iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
    let mut out = Vec::new();
    Painter::new(value).paint_path(&path[..cut], &path[cut..], &looks, &form, &mut out);
    String::from_utf8(out).unwrap()
}

fn file(mode: u32) -> Looks {
    Looks {
        mode: Some(mode),
        ..Looks::of_kind(Kind::File)
    }
}

fn dir(mode: u32) -> Looks {
    Looks {
        mode: Some(mode),
        ..Looks::of_kind(Kind::Dir)
    }
}

fn link(target: Target) -> Looks {
    Looks {
        target: Some(target),
        ..Looks::of_kind(Kind::Symlink)
    }
}

const FOUND_DIR: Target = Target::Found {
    kind: Kind::Dir,
    mode: Some(0o755),
};

#[test]
fn parts_are_painted_like_fd_paints_them() {
    let set = "no=0:di=1;4;34:fi=0:*.rs=7;38;2;1;2;3:or=01;31;48;5;3;4";
    for (value, path, looks, want) in [
        ("", "d", dir(0o755), "\x1b[1;34md\x1b[0m\x1b[1;34m/\x1b[0m"),
        ("", "d/f.rs", file(0o644), "\x1b[1;34md/\x1b[0mf.rs"),
        (
            "",
            "d/x",
            file(0o755),
            "\x1b[1;34md/\x1b[0m\x1b[1;32mx\x1b[0m",
        ),
        (
            "",
            "d/l",
            link(FOUND_DIR),
            "\x1b[1;34md/\x1b[0m\x1b[1;36ml\x1b[0m",
        ),
        (
            "",
            "d/l",
            link(Target::Missing),
            "\x1b[1;34md/\x1b[0m\x1b[1;36ml\x1b[0m",
        ),
        (
            "no=31:di=:ex=",
            "d",
            dir(0o755),
            "\x1b[31md\x1b[0m\x1b[31m/\x1b[0m",
        ),
        (
            "no=31:di=:ex=",
            "d/f",
            file(0o755),
            "\x1b[31md/\x1b[0m\x1b[31mf\x1b[0m",
        ),
        (
            set,
            "./d/f.rs",
            file(0o644),
            "\x1b[1;4;34m./d/\x1b[0m\x1b[7;38;2;1;2;3mf.rs\x1b[0m",
        ),
        (
            set,
            "l",
            link(Target::Missing),
            "\x1b[1;4;48;5;3;31ml\x1b[0m",
        ),
        (set, "plain", file(0o644), "plain"),
        ("di=0", "d/e", dir(0o755), "d/e/"),
    ] {
        assert_eq!(painted(Some(value), path, looks), want, "{value} {path}");
    }
}

/// Every class at once, each with a colour that tells it.
const ALL: &str = "no=38;5;1:fi=38;5;2:di=38;5;3:ln=38;5;4:or=38;5;5:mi=38;5;6:pi=38;5;7:so=38;5;8\
                   :bd=38;5;9:cd=38;5;10:su=38;5;11:sg=38;5;12:ca=38;5;13:ex=38;5;14:mh=38;5;15\
                   :tw=38;5;16:ow=38;5;17:st=38;5;18:do=38;5;19:*.x=38;5;20";

/// The number that tells the class of `looks` under `value`; 0 when nothing is painted.
fn number(value: &str, name: &str, looks: Looks) -> u32 {
    let mut out = Vec::new();
    let painter = Painter::new(Some(value));
    painter.paint_name(name.as_bytes(), &looks, &PathForm::default(), &mut out);
    let text = String::from_utf8(out).unwrap();
    text.strip_prefix("\x1b[38;5;")
        .and_then(|rest| rest.split_once('m'))
        .map_or(0, |(number, _)| number.parse().unwrap())
}

#[test]
fn every_class_of_files_has_its_colour_and_its_rank() {
    let hard_linked = |mode| Looks {
        links: Some(2),
        ..file(mode)
    };
    let capable = |mode| Looks {
        has_capability: Some(true),
        ..file(mode)
    };
    for (looks, name, want) in [
        (file(0o644), "f", 2),
        (file(0o644), "f.x", 20),
        (file(0o644), "f.X", 20),
        (file(0o4755), "f.x", 11),
        (file(0o6755), "f", 11),
        (file(0o2644), "f", 12),
        (capable(0o755), "f.x", 13),
        (capable(0o4755), "f", 11),
        (file(0o001), "f.x", 14),
        (hard_linked(0o644), "f.x", 15),
        (hard_linked(0o755), "f", 14),
        (
            Looks {
                links: Some(1),
                ..file(0o644)
            },
            "f",
            2,
        ),
        (Looks::of_kind(Kind::File), "f", 2),
    ] {
        assert_eq!(number(ALL, name, looks), want, "{name} {looks:?}");
    }
}

#[test]
fn every_other_class_has_its_colour_and_its_rank() {
    let unknown = |mode| Looks {
        mode: Some(mode),
        ..Looks::of_kind(Kind::Unknown)
    };
    for (looks, name, want) in [
        (dir(0o755), "d.x", 3),
        (dir(0o1777), "d", 16),
        (dir(0o777), "d", 17),
        (dir(0o1755), "d", 18),
        (Looks::of_kind(Kind::Dir), "d", 3),
        (link(FOUND_DIR), "l.x", 4),
        (link(Target::Missing), "l", 5),
        (Looks::of_kind(Kind::Symlink), "l", 4),
        (Looks::of_kind(Kind::Fifo), "p", 7),
        (Looks::of_kind(Kind::Socket), "s", 8),
        (Looks::of_kind(Kind::BlockDevice), "b", 9),
        (Looks::of_kind(Kind::CharDevice), "c", 10),
        (Looks::of_kind(Kind::Unknown), "u.x", 20),
        (unknown(0o040_777), "u", 17),
        (unknown(0o150_000), "u", 6),
    ] {
        assert_eq!(number(ALL, name, looks), want, "{name} {looks:?}");
    }
}

#[test]
fn what_is_not_set_falls_back() {
    let off = "ex=0:su=0:sg=00:st=:ow=0:tw=0";
    for (rest, looks, want) in [
        ("fi=38;5;2", file(0o6755), 2),
        ("no=38;5;1", file(0o6755), 1),
        ("no=38;5;1:fi=0", file(0o755), 0),
        ("di=38;5;3", dir(0o1777), 3),
        ("di=38;5;3:st=38;5;18", dir(0o1777), 18),
        ("ln=38;5;4", link(Target::Missing), 4),
        ("ln=0:no=38;5;1", link(FOUND_DIR), 1),
        ("pi=0", Looks::of_kind(Kind::Fifo), 0),
    ] {
        assert_eq!(
            number(&format!("{off}:{rest}"), "n", looks),
            want,
            "{rest} {looks:?}"
        );
    }
}

#[test]
fn links_can_look_like_their_targets() {
    let value = format!("{ALL}:ln=target");
    let found = |kind, mode| {
        link(Target::Found {
            kind,
            mode: Some(mode),
        })
    };
    for (looks, name, want) in [
        (found(Kind::Dir, 0o755), "l", 3),
        (found(Kind::Dir, 0o777), "l", 17),
        (found(Kind::File, 0o755), "l", 14),
        (found(Kind::File, 0o644), "l.x", 20),
        (found(Kind::Fifo, 0o644), "l", 7),
        (link(Target::Missing), "l", 5),
        (Looks::of_kind(Kind::Symlink), "l", 1),
    ] {
        assert_eq!(number(&value, name, looks), want, "{looks:?}");
    }
    assert_eq!(
        number(&format!("{value}:ln=38;5;4"), "l", found(Kind::Dir, 0o755)),
        4
    );
    assert_eq!(
        number("ln=target:or=0:no=38;5;1", "l", link(Target::Missing)),
        1
    );
}

#[test]
fn later_and_longer_endings() {
    for (value, name, want) in [
        ("*.gz=38;5;1:*.tar.gz=38;5;2", "a.tar.gz", 2),
        ("*.gz=38;5;1:*.tar.gz=38;5;2", "a.gz", 1),
        ("*README=38;5;3", "readme", 3),
        ("*.a=38;5;1:*.A=38;5;2", "x.A", 2),
        ("*.a=38;5;1:*.A=38;5;2", "x.a", 1),
        ("fi=38;5;4:*.a=0", "x.a", 4),
        ("*~=38;5;5", "x~", 5),
    ] {
        assert_eq!(number(value, name, file(0o644)), want, "{value} {name}");
    }
}

#[test]
fn endings_count_in_names_that_are_no_text() {
    for (name, want) in [
        (&b"bad\xff.x"[..], true),
        (b"bad\xff.y", false),
        (b"bad.x\xff", false),
        (b"\xff\xfe", false),
    ] {
        let painter = Painter::new(Some(ALL));
        assert_eq!(painter.ending_style(name).is_some(), want, "{name:?}");
    }
}

#[test]
fn nothing_is_asked_for_that_no_colour_depends_on() {
    let needs = |value: &str| {
        let painter = Painter::new(Some(value));
        [
            painter.needs_metadata(Kind::File),
            painter.needs_links(Kind::File),
            painter.needs_capability(Kind::File),
            painter.needs_metadata(Kind::Dir),
            painter.needs_target(Kind::Symlink),
            painter.needs_target_mode(Kind::Symlink),
        ]
    };
    let off = "ex=0:su=0:sg=0:st=0:ow=0:tw=0";
    assert_eq!(needs(""), [true, false, false, true, false, false]);
    assert_eq!(needs(off), [false; 6]);
    assert_eq!(
        needs(&format!("{off}:mh=44")),
        [true, true, false, false, false, false]
    );
    assert_eq!(
        needs(&format!("{off}:ca=44")),
        [false, false, true, false, false, false]
    );
    assert_eq!(
        needs(&format!("{off}:ow=44")),
        [false, false, false, true, false, false]
    );
    assert_eq!(
        needs(&format!("{off}:or=44")),
        [false, false, false, false, true, false]
    );
    assert_eq!(
        needs(&format!("{off}:ln=target")),
        [false, false, false, false, true, true]
    );
    assert_eq!(needs(&format!("{off}:mi=44:*.x=1")), [false; 6]);
    let painter = Painter::new(Some(ALL));
    for kind in [
        Kind::Fifo,
        Kind::Socket,
        Kind::BlockDevice,
        Kind::CharDevice,
    ] {
        assert!(!painter.needs_metadata(kind) && !painter.needs_target(kind));
        assert!(!painter.needs_links(kind) && !painter.needs_capability(kind));
    }
    assert!(!painter.needs_metadata(Kind::Symlink));
}

#[test]
fn without_a_value_common_files_have_colours() {
    for (name, looks, want) in [
        ("d", dir(0o777), "\x1b[1;34md\x1b[0m\x1b[1;34m/\x1b[0m"),
        ("a.rs", file(0o644), "\x1b[32ma.rs\x1b[0m"),
        ("run", file(0o755), "\x1b[1;32mrun\x1b[0m"),
        ("a.tar.gz", file(0o644), "\x1b[31ma.tar.gz\x1b[0m"),
        ("README", file(0o644), "\x1b[33mREADME\x1b[0m"),
        ("x~", file(0o644), "\x1b[38;5;8mx~\x1b[0m"),
        ("noext", file(0o644), "noext"),
        ("l", link(Target::Missing), "\x1b[1;31ml\x1b[0m"),
        ("l", link(FOUND_DIR), "\x1b[1;36ml\x1b[0m"),
    ] {
        assert_eq!(painted(None, name, looks), want, "{name}");
    }
    assert!(!Painter::new(None).needs_metadata(Kind::Dir));
}

#[test]
fn separators_and_escapes() {
    let form = PathForm {
        separator: Some(b"::"),
        escape: true,
        mark_dirs: true,
    };
    let looks = dir(0o755);
    assert_eq!(
        painted_as(Some(""), b"a/b\x1b/c\n\xff", looks, form),
        "\x1b[1;34ma::b\\x1B::\x1b[0m\x1b[1;34mc\\x0A\\xFF\x1b[0m\x1b[1;34m::\x1b[0m"
    );
    let plain = PathForm {
        mark_dirs: false,
        ..form
    };
    assert_eq!(painted_as(Some("di=0"), b"a/b", looks, plain), "a::b");
    let mut out = Vec::new();
    form.push_path(b"a/\x07b", Kind::Dir, &mut out);
    PathForm::default().push_path(b"a/\x07\xff", Kind::Dir, &mut out);
    assert_eq!(out, b"a::\\x07b::a/\x07\xff");
}

#[test]
fn targets_of_links_are_painted_as_what_they_are() {
    let painter = Painter::new(Some(ALL));
    let mut out = Vec::new();
    painter.paint_target(
        b"../d/t.x",
        Some(&file(0o644)),
        &PathForm::default(),
        &mut out,
    );
    painter.paint_target(b"gone", None, &PathForm::default(), &mut out);
    assert_eq!(out, b"\x1b[38;5;20m../d/t.x\x1b[0m\x1b[38;5;6mgone\x1b[0m");
}
