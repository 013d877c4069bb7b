//! Named groups of extensions: `ext:pictures`, `category:music`.

use std::collections::BTreeMap;

use groma_base::folded;

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

/// The categories of files: the user's own groups, then the built-in ones, then [`OTHER`]. A file
/// is in the first one that holds its extension; an own group takes the place of a built-in one of
/// its name.
#[derive(Clone, Debug)]
pub struct Categories {
    /// Each with its extensions, without those that one before it holds.
    list: Vec<(String, Vec<String>)>,
    /// By the folded extension.
    numbers: BTreeMap<Vec<u8>, usize>,
}

impl Default for Categories {
    /// The built-in ones.
    fn default() -> Categories {
        Categories::new(&[])
    }
}

impl Categories {
    /// With these groups of the user.
    pub fn new(own: &[(String, Vec<String>)]) -> Categories {
        let is_own = |name: &str| {
            own.iter()
                .any(|(other, _)| other.eq_ignore_ascii_case(name))
        };
        let mut categories = Categories {
            list: Vec::new(),
            numbers: BTreeMap::new(),
        };
        for (name, extensions) in own {
            if !name.eq_ignore_ascii_case(OTHER) {
                categories.add(name, extensions.iter().map(String::as_str));
            }
        }
        for group in GROUPS.iter().filter(|group| !is_own(group.name)) {
            categories.add(group.name, group.extensions.iter().copied());
        }
        categories
    }

    fn add<'a>(&mut self, name: &str, extensions: impl Iterator<Item = &'a str>) {
        let (number, numbers) = (self.list.len(), &mut self.numbers);
        let is_first = |extension: &&str| {
            let folded = folded(extension.as_bytes());
            *numbers.entry(folded).or_insert(number) == number
        };
        let extensions = extensions.filter(is_first).map(str::to_owned).collect();
        self.list.push((name.to_owned(), extensions));
    }

    /// The number of [`OTHER`], which is the largest one.
    pub fn other(&self) -> usize {
        self.list.len()
    }

    /// The number of the category with this name, in any case.
    pub fn find(&self, name: &str) -> Option<usize> {
        if name.eq_ignore_ascii_case(OTHER) {
            return Some(self.other());
        }
        let is_it = |row: &(String, Vec<String>)| row.0.eq_ignore_ascii_case(name);
        self.list.iter().position(is_it)
    }

    /// All names, that of [`OTHER`] last.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let names = self.list.iter().map(|row| row.0.as_str());
        names.chain([OTHER])
    }

    /// The name of a category.
    pub fn name(&self, number: usize) -> &str {
        self.list.get(number).map_or(OTHER, |row| &row.0)
    }

    /// The extensions of a category; none of [`OTHER`].
    pub fn extensions(&self, number: usize) -> &[String] {
        self.list.get(number).map_or(&[], |row| &row.1)
    }

    /// The extensions of all categories.
    pub fn all_extensions(&self) -> impl Iterator<Item = &str> {
        let all = self.list.iter().flat_map(|row| &row.1);
        all.map(String::as_str)
    }

    /// The number of the category of an extension.
    pub fn of(&self, extension: &[u8]) -> usize {
        let number = self.numbers.get(&folded(extension));
        number.copied().unwrap_or(self.other())
    }
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
        let (mut seen, built_in) = (HashSet::new(), Categories::new(&[]));
        for group in GROUPS {
            for extension in group.extensions {
                assert!(seen.insert(*extension), "{extension} in {}", group.name);
                assert_eq!(*extension, extension.to_ascii_lowercase());
                assert_eq!(built_in.name(built_in.of(extension.as_bytes())), group.name);
            }
        }
        assert_eq!(built_in.name(built_in.of(b"JPG")), "pictures");
        assert_eq!(built_in.name(built_in.of(b"nonsense")), OTHER);
        assert!(extensions("Music").is_some() && extensions("nonsense").is_none());
    }

    #[test]
    fn own_groups_go_before_built_in_ones() {
        let group = |name: &str, list: &[&str]| {
            let list = list.iter().map(|&extension| extension.to_owned());
            (name.to_owned(), list.collect())
        };
        let own = [
            group("Raw", &["cr2", "\u{c4}X"]),
            group("more", &["CR2", "nef"]),
            group("music", &["mp3"]),
            group("other", &["txt"]),
        ];
        let categories = Categories::new(&own);
        let name = |extension: &str| categories.name(categories.of(extension.as_bytes()));
        assert_eq!(
            (name("cr2"), name("NEF"), name("jpg")),
            ("Raw", "more", "pictures")
        );
        assert_eq!(name("\u{e4}x"), "Raw");
        // The own group of that name has not this one.
        assert_eq!((name("mp3"), name("flac")), ("music", OTHER));
        assert_eq!((name("txt"), name("nonsense")), ("documents", OTHER));
        assert_eq!(categories.extensions(1), ["nef"]);
        assert_eq!(categories.find("RAW"), Some(0));
        assert_eq!(categories.find("Other"), Some(categories.other()));
        assert_eq!(
            categories.names().filter(|name| *name == "music").count(),
            1
        );
        assert!(
            categories
                .all_extensions()
                .all(|extension| extension != "flac")
        );
    }
}
