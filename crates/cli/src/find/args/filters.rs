//! fd's filters.

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction};

use super::option;

/// All of them.
pub(super) fn filters() -> Vec<Arg> {
    vec![
        option("type", "type", "filetype", "Filter by type: file (f), directory (d), symlink (l), executable (x), empty (e), socket (s), pipe (p), char-device (c), block-device (b), unknown (u)")
            .short('t')
            .action(ArgAction::Append)
            .hide_possible_values(true)
            .value_parser(file_types())
            .long_help(TYPE_HELP),
        option("extension", "extension", "ext", "Filter by extension")
            .short('e')
            .action(ArgAction::Append)
            .long_help(
                "Filter by extension, in any case; may be given several times, and may hold dots \
                 (tar.gz). Directories count too, unless --type says otherwise.",
            ),
        option("size", "size", "size", "Filter files by size: +10k, -2mi, 0")
            .short('S')
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .long_help(SIZE_HELP),
        option("changed_within", "changed-within", "date|dur", "Filter by time of change: newer than this")
            .aliases(["change-newer-than", "newer", "changed-after"])
            .long_help(TIME_HELP),
        option("changed_before", "changed-before", "date|dur", "Filter by time of change: older than this")
            .aliases(["change-older-than", "older"])
            .long_help(TIME_HELP),
        option("owner", "owner", "user:group", "Filter by owning user or group")
            .short('o')
            .long_help(
                "Filter by owner: [user|uid][:group|gid], either may be left out, and '!' before \
                 one negates it.\n\nExamples:\n  --owner john\n  --owner :students\n  --owner '!john:students'",
            ),
    ]
}

fn file_types() -> Vec<PossibleValue> {
    vec![
        PossibleValue::new("file").alias("f"),
        PossibleValue::new("directory").aliases(["d", "dir"]),
        PossibleValue::new("symlink").alias("l"),
        PossibleValue::new("block-device").alias("b"),
        PossibleValue::new("char-device").alias("c"),
        PossibleValue::new("executable").alias("x"),
        PossibleValue::new("empty").alias("e"),
        PossibleValue::new("socket").alias("s"),
        PossibleValue::new("pipe").alias("p"),
        PossibleValue::new("unknown").alias("u"),
    ]
}

const TYPE_HELP: &str = "Filter by type; may be given several times:
  f, file            regular files
  d, dir, directory  directories
  l, symlink         symbolic links
  s, socket          sockets
  p, pipe            named pipes
  b, block-device    block devices
  c, char-device     character devices
  u, unknown         what the file system tells no type of
  x, executable      files that may be executed
  e, empty           files without bytes, directories without entries

Types add up: '-tf -tl' finds files and links. 'x' and 'e' narrow: '-tx' means executable files, \
'-te' empty files and directories, '-te -td' empty directories.";

const SIZE_HELP: &str = "Filter files by size, <+|-><number><unit>: '+' at least, '-' at most, \
otherwise exactly. Several must all hold. Units, in any case:
  b            bytes (the default)
  k m g t      powers of 1000
  ki mi gi ti  powers of 1024";

const TIME_HELP: &str = "Filter by the time of the last change. The time is a duration before now \
(10h, 1d, 35min, 2weeks), a date (2018-10-27), a local date and time ('2018-10-27 10:00:00'), RFC \
3339, or seconds (@1540598400).";
