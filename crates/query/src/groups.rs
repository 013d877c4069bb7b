//! Named groups of extensions: `ext:pictures`, `category:music`.

/// A named group of extensions.
#[derive(Clone, Copy, Debug)]
pub struct ExtensionGroup {
    /// Its name, lower case.
    pub name: &'static str,
    /// Its extensions, lower case, without dots.
    pub extensions: &'static [&'static str],
}

/// The category of files that are in no group.
pub const OTHER: &str = "other";

/// The extensions of a group; `None` when there is no such group.
pub fn extensions(group: &str) -> Option<&'static [&'static str]> {
    GROUPS
        .iter()
        .find(|g| g.name.eq_ignore_ascii_case(group))
        .map(|g| g.extensions)
}

/// The category of an extension: the first group that holds it, or [`OTHER`].
pub fn category_of(extension: &[u8]) -> &'static str {
    let holds = |g: &&ExtensionGroup| {
        g.extensions
            .iter()
            .any(|e| e.as_bytes().eq_ignore_ascii_case(extension))
    };
    GROUPS.iter().find(holds).map_or(OTHER, |g| g.name)
}

/// Every group. No extension is in two.
#[rustfmt::skip]
pub static GROUPS: &[ExtensionGroup] = &[
    ExtensionGroup { name: "pictures", extensions: &[
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "bmp", "dib", "tif", "tiff", "webp", "heic", "heif", "avif",
        "jxl", "jp2", "j2k", "svg", "svgz", "ico", "icns", "psd", "xcf", "kra", "tga", "pcx", "ppm", "pgm", "pbm", "exr",
        "hdr", "raw", "arw", "cr2", "cr3", "crw", "nef", "nrw", "orf", "raf", "rw2", "dng", "pef", "srw", "x3f", "3fr",
        "iiq", "rwl", "erf", "mos", "ai", "eps",
    ] },
    ExtensionGroup { name: "documents", extensions: &[
        "pdf", "doc", "docx", "docm", "dot", "dotx", "odt", "ott", "fodt", "rtf", "txt", "md", "markdown", "rst", "tex",
        "xls", "xlsx", "xlsm", "xlsb", "xlt", "xltx", "ods", "ots", "csv", "tsv", "ppt", "pptx", "pptm", "pps", "ppsx",
        "odp", "otp", "pages", "numbers", "key", "epub", "mobi", "azw", "azw3", "djvu", "fb2", "xps", "oxps", "ps",
        "org", "adoc", "asciidoc", "wpd", "wps", "one", "vsd", "vsdx", "msg", "eml", "mbox", "ics", "vcf",
    ] },
    ExtensionGroup { name: "videos", extensions: &[
        "mp4", "m4v", "mkv", "webm", "avi", "mov", "qt", "wmv", "asf", "flv", "f4v", "mpg", "mpeg", "mpe", "m2v", "m2ts",
        "mts", "3gp", "3g2", "ogv", "ogm", "vob", "divx", "rm", "rmvb", "mxf", "dv", "insv", "braw",
    ] },
    ExtensionGroup { name: "music", extensions: &[
        "mp3", "m4a", "m4b", "aac", "flac", "alac", "wav", "ogg", "oga", "opus", "wma", "aif", "aiff", "aifc", "ape",
        "wv", "mka", "mid", "midi", "amr", "au", "dsf", "dff", "mpc", "spx", "ra", "tta", "caf", "m3u", "m3u8", "pls", "cue",
    ] },
    ExtensionGroup { name: "archives", extensions: &[
        "zip", "zipx", "7z", "rar", "tar", "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz", "zst", "tzst", "lz", "lz4",
        "lzma", "lzo", "z", "br", "cab", "arj", "lha", "lzh", "ace", "cpio", "deb", "rpm", "apk", "jar", "war", "ear",
        "xpi", "crx", "whl", "gem", "egg", "snap", "flatpak", "xar", "par2", "sit", "sitx",
    ] },
    ExtensionGroup { name: "code", extensions: &[
        "rs", "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "m", "mm", "cs", "fs", "vb", "java", "kt", "kts", "scala",
        "clj", "cljs", "go", "py", "pyi", "pyx", "ipynb", "rb", "pl", "pm", "php", "js", "mjs", "cjs", "jsx", "ts", "cts",
        "tsx", "vue", "svelte", "html", "htm", "xhtml", "css", "scss", "sass", "less", "xml", "xsl", "xsd", "json",
        "json5", "jsonc", "yaml", "yml", "toml", "ini", "cfg", "conf", "sh", "bash", "zsh", "fish", "ps1", "psm1", "lua",
        "r", "jl", "swift", "dart", "ex", "exs", "erl", "hrl", "hs", "lhs", "ml", "mli", "nim", "zig", "d", "asm", "s",
        "f", "f90", "f95", "pas", "lisp", "el", "scm", "rkt", "tcl", "awk", "sed", "sql", "proto", "thrift", "graphql",
        "cmake", "mk", "gradle", "nix", "tf", "hcl", "diff", "patch", "v", "sv", "vhd", "vhdl", "cu", "glsl", "wgsl",
    ] },
    ExtensionGroup { name: "executables", extensions: &[
        "exe", "com", "msi", "msix", "appx", "bat", "cmd", "scr", "dll", "sys", "ocx", "so", "dylib", "a", "lib", "o",
        "obj", "ko", "elf", "bin", "run", "appimage", "app", "class", "wasm", "pyc", "pyo", "efi", "axf",
    ] },
    ExtensionGroup { name: "fonts", extensions: &[
        "ttf", "otf", "ttc", "otc", "woff", "woff2", "eot", "pfb", "pfm", "afm", "pcf", "bdf", "fon", "fnt", "dfont",
    ] },
    ExtensionGroup { name: "databases", extensions: &[
        "db", "db3", "sqlite", "sqlite3", "sqlitedb", "mdb", "accdb", "dbf", "mdf", "ndf", "ldf", "frm", "ibd", "myd",
        "myi", "rdb", "ldb", "sst", "mdbx", "lmdb", "realm", "kdbx", "parquet", "arrow", "feather", "orc", "avro",
        "duckdb", "h5", "hdf5", "nc",
    ] },
    ExtensionGroup { name: "disk-images", extensions: &[
        "iso", "img", "dmg", "vdi", "vmdk", "vhdx", "qcow", "qcow2", "ova", "ovf", "wim", "esd", "nrg", "mdx", "toast",
        "vfd", "squashfs", "sfs", "e01",
    ] },
    ExtensionGroup { name: "logs", extensions: &[
        "log", "log1", "log2", "err", "out", "trace", "etl", "evt", "evtx", "journal", "dmp", "core", "pcap", "pcapng",
    ] },
    ExtensionGroup { name: "caches", extensions: &[
        "cache", "tmp", "temp", "bak", "old", "swp", "swo", "part", "crdownload", "partial", "download", "thumb",
        "thumbs", "dep", "tlog", "idx",
    ] },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_extension_is_in_two_groups() {
        let mut seen = HashSet::new();
        for group in GROUPS {
            for extension in group.extensions {
                assert!(seen.insert(*extension), "{extension} in {}", group.name);
                assert_eq!(*extension, extension.to_ascii_lowercase());
                assert_eq!(category_of(extension.as_bytes()), group.name);
            }
        }
        assert_eq!(category_of(b"JPG"), "pictures");
        assert_eq!(category_of(b"nonsense"), OTHER);
        assert!(extensions("Music").is_some() && extensions("nonsense").is_none());
    }
}
