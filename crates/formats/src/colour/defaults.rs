//! The colours that apply where the user has set none.
//!
//! Only the sixteen basic colours are used, so a terminal's own theme decides how they look.
//! World-writable and sticky directories have no colour of their own here: it would cost one
//! stat call for every directory.

/// Colours of kinds that differ from the basic set.
const KINDS: &str = "or=01;31:mi=01;31:st=0:ow=0:tw=0";

/// Colours of name endings.
const ENDINGS: [(&str, &str); 7] = [
    // Archives, packages, disk images.
    (
        "31",
        ".7z .apk .ar .arj .br .bz .bz2 .cab .cpio .crate .deb .dmg .ear .gz .img .iso .jar .lha \
         .lz .lz4 .lzh .lzma .lzo .qcow2 .rar .rpm .sar .squashfs .tar .taz .tbz .tbz2 .tgz .tlz \
         .txz .tz .tzst .vdi .vhd .vhdx .vmdk .war .whl .xz .z .zip .zoo .zst",
    ),
    // Pictures and videos.
    (
        "35",
        ".arw .avi .avif .bmp .cr2 .cr3 .dng .emf .eps .flv .gif .heic .heif .ico .jpeg .jpg .jxl \
         .m2ts .m4v .mkv .mov .mp4 .mpeg .mpg .mts .nef .ogv .orf .pbm .pcx .pgm .png .pnm .ppm \
         .psd .raf .raw .rw2 .svg .svgz .tga .tif .tiff .vob .webm .webp .wmv .xcf .xpm",
    ),
    // Sound.
    (
        "36",
        ".aac .aif .aiff .ape .flac .m4a .mid .midi .mka .mp3 .oga .ogg .opus .wav .wma",
    ),
    // Documents and texts.
    (
        "33",
        ".adoc .csv .djvu .doc .docx .epub .htm .html .md .mobi .odp .ods .odt .org .pdf .ppt \
         .pptx .rst .rtf .tex .tsv .txt .xls .xlsx AUTHORS CHANGELOG COPYING LICENSE README",
    ),
    // Sources.
    (
        "32",
        ".asm .awk .bash .c .c++ .cc .clj .cpp .cs .css .cxx .d .dart .el .erl .ex .exs .f90 .fish \
         .fs .go .groovy .h .hh .hpp .hs .hxx .ipynb .java .jl .js .jsx .kt .kts .lisp .lua .m .ml \
         .mli .mm .nim .pas .php .pl .pm .ps1 .py .r .rb .rs .sass .scala .scm .scss .sh .sql \
         .swift .tcl .ts .tsx .v .vb .vim .vue .zig .zsh",
    ),
    // Settings and build files.
    (
        "34",
        ".cfg .cmake .conf .config .desktop .dockerignore .editorconfig .fdignore .gitattributes \
         .gitconfig .gitignore .gitmodules .gradle .ignore .ini .json .mk .nix .plist .proto \
         .service .toml .xml .yaml .yml CMakeLists.txt Dockerfile Makefile",
    ),
    // What is made from something else, or left over.
    (
        "90",
        ".a .aux .bak .cache .class .dyn_hi .dyn_o .hi .la .lo .lock .log .o .old .orig .part .pid \
         .pyc .pyo .rej .rlib .rmeta .swo .swp .tmp ~",
    ),
];

/// The default set, in the notation of LS_COLORS.
pub(super) fn ls_colors() -> String {
    let mut value = String::from(KINDS);
    for (code, endings) in ENDINGS {
        for ending in endings.split_ascii_whitespace() {
            value.push_str(":*");
            value.push_str(ending);
            value.push('=');
            value.push_str(code);
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_ending_is_named_twice() {
        let mut seen = HashSet::new();
        for (_, endings) in ENDINGS {
            for ending in endings.split_ascii_whitespace() {
                assert!(seen.insert(ending.to_ascii_lowercase()), "{ending}");
            }
        }
    }
}
