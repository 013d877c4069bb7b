//! Times: every spelling of a point, every option, and what is no time.

use super::env::{Env, Name};

fn times() -> Env {
    let env = Env::new("now old mid ancient d/");
    env.touch("old", "2001-02-03 04:05:06 UTC");
    env.touch("mid", "30 hours ago");
    env.touch("ancient", "1965-05-05 UTC");
    env.touch("d", "2001-02-03 04:05:06 UTC");
    env
}

#[test]
fn aliases_of_the_options() {
    let env = times();
    for option in [
        "--changed-within",
        "--change-newer-than",
        "--newer",
        "--changed-after",
    ] {
        env.both(&format!("{option} 1d"), "now");
    }
    for option in ["--changed-before", "--change-older-than", "--older"] {
        env.both(&format!("{option} 1week"), "ancient d/ old");
    }
}

#[test]
fn durations() {
    let env = times();
    for (time, want) in [
        ("10min", "now"),
        ("1h", "now"),
        ("24hours", "now"),
        ("1d", "now"),
        ("2days", "mid now"),
        ("36h", "mid now"),
        ("1week", "mid now"),
        ("2weeks", "mid now"),
        ("1month", "mid now"),
        ("1year", "mid now"),
        ("100y", "ancient d/ mid now old"),
        ("1d12h", "mid now"),
        ("600s", "now"),
    ] {
        env.both(&format!("--changed-within '{time}'"), want);
    }
}

#[test]
fn points() {
    let env = times();
    for (time, want) in [
        ("2001-02-03", "d/ old"),
        ("'2001-02-03 04:05:05'", "d/ old"),
        ("2001-02-03T04:05:05Z", "d/ old"),
        ("2001-02-03T06:05:05+02:00", "d/ old"),
        ("2001-02-03T04:05:06Z", ""),
        ("'2001-02-03 04:05:06'", ""),
        ("2001-02-03T04:05:07Z", ""),
        ("@981173105", "d/ old"),
        ("@981173106", ""),
        ("@0", "d/ old"),
    ] {
        env.both(
            &format!("--changed-within {time} --changed-before 2002-01-01"),
            want,
        );
    }
    env.cases(&[
        ("--changed-before 1970-01-01", "ancient"),
        ("--changed-before @0", "ancient"),
        (
            "--changed-within 1960-01-01 --changed-before 1966-01-01",
            "ancient",
        ),
        ("--changed-within 2999-01-01", ""),
    ]);
    env.find("--changed-before @-1", "ancient");
    env.find("--changed-within @-200000000 --older @0", "ancient");
}

#[test]
fn a_point_is_in_local_time() {
    let mut env = times();
    env.set("TZ", "Asia/Tokyo");
    env.both("--older 2010 --newer '2001-02-03 13:05:05'", "d/ old");
    env.both("--older 2010 --newer '2001-02-03 13:05:06'", "");
}

#[test]
fn what_is_no_time_is_refused() {
    let env = times();
    for time in ["nonsense", "''", "2018-13-45", "5", "@x", "1fortnight"] {
        let line = format!("--changed-within={time}");
        env.refused(&line, "is not a time");
        env.fails(
            Name::Fd,
            &line,
            1,
            "is not a valid date or duration. See 'fd --help'.",
        );
    }
    let far = "--changed-within @9999999999999999999";
    env.refused(far, "outside of the years -9999 to 9999");
    env.fails(Name::Fd, far, 1, "is not a valid date or duration");
    for option in [
        "--modified",
        "-T",
        "--accessed",
        "--created-before",
        "--status-changed-within",
    ] {
        env.refused(&format!("{option}=x"), "'x' is not a");
    }
}

#[test]
fn ranges() {
    times().finds(&[
        ("--modified 2d..1d", "mid"),
        ("--modified 2001", "d/ old"),
        ("--modified 2001-02", "d/ old"),
        ("--modified 2001-02-03", "d/ old"),
        ("--modified 2001-02-03T04", "d/ old"),
        ("--modified 2001-02-04", ""),
        ("--modified ..1970", "ancient"),
        ("--modified 2000..2002", "d/ old"),
        ("--modified 1d..", "now"),
        ("--modified 1d", "now"),
        ("--modified @981173106", "d/ old"),
        ("--not --modified 1d -t f", "ancient mid old"),
        ("-T -1d", "now"),
        ("-T 1d", "now"),
        ("-T +1d", "ancient d/ mid old"),
        ("-T 2d..1d", "mid"),
        ("--time-modified=-1h", "now"),
    ]);
}

#[test]
fn other_times() {
    let env = times();
    let all = "ancient d/ mid now old";
    let files = "ancient mid now old";
    env.tool("touch", &["-a", "-d", "2003-03-03 UTC", "now"]);
    env.finds(&[
        ("--accessed 2003", "now"),
        (
            "--accessed-within 2002-01-01 --accessed-before 2004-01-01",
            "now",
        ),
        ("--accessed-before 2004-01-01 -t f", "ancient now old"),
        ("--status-changed-within 1h", all),
        ("--status-changed-before 1h", ""),
        ("--status-changed 1h..", all),
        ("--created-within 1h -t f", files),
        ("--created-before 1h", ""),
        ("--created 1h.. -t f", files),
        ("--newer-than old -t f", "mid now"),
        ("--newer-than mid", "now"),
        ("--not --newer-than old", "ancient d/ old"),
    ]);
    env.refused(
        "--newer-than gone",
        "cannot stat 'gone': No such file or directory",
    );
}
