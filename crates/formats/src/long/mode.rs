//! Modes as ten letters.

use groma_base::Kind;

const SETUID: u32 = 0o4000;
const SETGID: u32 = 0o2000;
const STICKY: u32 = 0o1000;

/// `drwxr-xr-x`: the letter of the kind, then read, write and execute for user, group and
/// others. Setuid and setgid take the place of an execute letter as `s`, sticky as `t`; in upper
/// case where the execute bit below them is not set.
pub fn mode_string(kind: Kind, mode: u32) -> [u8; 10] {
    let mut letters = [b'-'; 10];
    letters[0] = kind_letter(kind);
    for (index, letter) in letters.iter_mut().skip(1).enumerate() {
        if mode & (0o400 >> index) != 0 {
            *letter = b"rwx"[index % 3];
        }
    }
    for (bit, place, low, high) in [
        (SETUID, 3, b's', b'S'),
        (SETGID, 6, b's', b'S'),
        (STICKY, 9, b't', b'T'),
    ] {
        if mode & bit != 0 {
            letters[place] = if letters[place] == b'x' { low } else { high };
        }
    }
    letters
}

/// A mode of which only the kind is known.
pub(super) fn unknown_mode(kind: Kind) -> [u8; 10] {
    let mut letters = [b'?'; 10];
    letters[0] = kind_letter(kind);
    letters
}

fn kind_letter(kind: Kind) -> u8 {
    u8::try_from(kind.letter()).unwrap_or(b'?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_modes() {
        for (kind, mode, want) in [
            (Kind::File, 0o100_644, "-rw-r--r--"),
            (Kind::File, 0, "----------"),
            (Kind::Dir, 0o755, "drwxr-xr-x"),
            (Kind::Dir, 0o1777, "drwxrwxrwt"),
            (Kind::Dir, 0o1776, "drwxrwxrwT"),
            (Kind::File, 0o4755, "-rwsr-xr-x"),
            (Kind::File, 0o6644, "-rwSr-Sr--"),
            (Kind::File, 0o2711, "-rwx--s--x"),
            (Kind::Symlink, 0o777, "lrwxrwxrwx"),
            (Kind::BlockDevice, 0o660, "brw-rw----"),
            (Kind::CharDevice, 0o222, "c-w--w--w-"),
            (Kind::Fifo, 0o111, "p--x--x--x"),
            (Kind::Socket, 0o700, "srwx------"),
            (Kind::Unknown, 0o001, "?--------x"),
        ] {
            assert_eq!(
                mode_string(kind, mode),
                want.as_bytes(),
                "{kind:?} {mode:o}"
            );
        }
        assert_eq!(&unknown_mode(Kind::Dir), b"d?????????");
    }
}
