//! `groma search --format` and `--output`: read back by readers of others.

use serde_json::Value;

use super::env::{Env, bytes};
use super::search::{found, index, indexed, search};

/// Names that break what is not careful.
fn hostile() -> Env {
    let env = Env::new("plain:5 dir/x,y:7 dir/.hid");
    for name in [
        &b"q\"uo\"te, and \n break\r"[..],
        b"caf\xe9",
        b"=1+1",
        b"tab\tback\\slash",
        b"\x1b[31mred",
        "täx\u{202e}".as_bytes(),
    ] {
        std::fs::write(env.path(bytes(name)), "content").unwrap();
    }
    index(&env);
    env
}

/// What python's reader makes of a listing, printed as JSON with bytes as Latin-1.
fn by_python(env: &Env, line: &str, program: &str) -> Value {
    let answer = env.shell(&format!("groma search {line} > out"));
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""), "{line}");
    let text = env.tool("python3", &["-c", program]);
    serde_json::from_str(&text).unwrap()
}

/// The paths and sizes of all entries, as `find` of findutils tells them.
fn expected(env: &Env) -> Vec<(String, String)> {
    let answer = env.shell("find \"$PWD\" -not -name out -printf '%p\\0%s\\0'");
    let fields: Vec<String> = answer
        .stdout
        .split(|&b| b == 0)
        .map(|field| field.iter().map(|&b| char::from(b)).collect())
        .collect();
    let mut pairs: Vec<(String, String)> = fields
        .chunks_exact(2)
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect();
    pairs.sort();
    pairs
}

fn pairs(rows: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let mut pairs: Vec<(String, String)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (text(&row[0]), text(&row[1])))
        .collect();
    pairs.sort();
    pairs
}

#[test]
fn csv_is_read_back_by_another_reader() {
    let env = hostile();
    let program = "import csv, json\n\
                   rows = list(csv.reader(open('out', encoding='latin-1', newline='')))\n\
                   assert rows[0] == ['path', 'size'], rows[0]\n\
                   print(json.dumps(rows[1:]))";
    let rows = by_python(&env, "--format csv --columns path,size", program);
    assert_eq!(pairs(&rows), expected(&env));
    let header = found(&env, "--format csv --limit 0");
    assert_eq!(header, "path,kind,size,allocated,modified,mode,user,group");
}

#[test]
fn json_is_read_back_by_another_reader() {
    let env = hostile();
    let path = "def path(o):\n  \
                return base64.b64decode(o['path_b64']) if 'path_b64' in o else o['path'].encode()\n";
    let print = "print(json.dumps([[path(o).decode('latin-1'), o['size']] for o in objects]))";
    for (line, load) in [
        ("--format json", "objects = json.load(open('out'))\n"),
        (
            "--format ndjson",
            "objects = [json.loads(line) for line in open('out')]\n",
        ),
        (
            "--format json --columns size,path",
            "objects = json.load(open('out'))\n",
        ),
    ] {
        let program = format!("import base64, json\n{path}{load}{print}");
        assert_eq!(
            pairs(&by_python(&env, line, &program)),
            expected(&env),
            "{line}"
        );
    }
}

#[test]
fn tsv_has_one_row_a_line() {
    let env = hostile();
    let program = "import json, re\n\
                   lines = open('out', encoding='latin-1', newline='\\n').read().split('\\n')[1:-1]\n\
                   back = {'\\\\t': '\\t', '\\\\n': '\\n', '\\\\r': '\\r', '\\\\\\\\': '\\\\'}\n\
                   undo = lambda s: re.sub(r'\\\\.', lambda m: back[m.group()], s)\n\
                   print(json.dumps([[undo(f) for f in line.split('\\t')] for line in lines]))";
    let rows = by_python(&env, "--format tsv --columns path,size", program);
    assert_eq!(pairs(&rows), expected(&env));
}

#[test]
fn file_lists_are_csv_with_file_times() {
    let env = hostile();
    env.touch("plain", "2001-02-03 04:05:06.5");
    index(&env);
    let program = "import csv, json\n\
                   rows = list(csv.reader(open('out', encoding='latin-1', newline='')))\n\
                   assert rows[0] == ['Filename', 'Size', 'Date Modified', 'Date Created', 'Attributes']\n\
                   print(json.dumps(rows[1:]))";
    let rows = by_python(&env, "--format efu type:file", program);
    let plain = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row[0].as_str().unwrap().ends_with("/plain"));
    let plain = plain.unwrap();
    assert_eq!(
        (&plain[1], &plain[2], &plain[4]),
        (&"5".into(), &"126256467065000000".into(), &"128".into())
    );
    let own: Vec<String> = pairs(&rows).into_iter().map(|(path, _)| path).collect();
    assert_eq!(own.len(), 9);
}

#[test]
fn tables_and_templates() {
    let env = indexed("a:1500 dir/b:2");
    let table = found(&env, "--format table --columns kind,size,name type:file");
    assert_eq!(table, "kind  size  name file  1500  a file     2  b");
    assert_eq!(
        found(&env, "--columns name,size a type:file"),
        "name  size a     1500"
    );
    assert_eq!(
        found(&env, "--format '{/}={size} {{x}}' type:file"),
        "a=1500 {x} b=2 {x}"
    );
    assert_eq!(found(&env, "-f '{//}|{.}' b type:file"), "dir|dir/b");
    assert_eq!(found(&env, "-0 -f '{size}' type:file"), "1500␀2␀");
    let all = search(&env, "--columns all --format csv type:file");
    let all = String::from_utf8(all.stdout).unwrap();
    let columns: Vec<usize> = all.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [columns[0]; 3]);
    assert!(columns[0] > 35, "{all}");
}

#[test]
fn colours_are_those_of_ls_colors() {
    let mut env = indexed("dir/ x.rs:1");
    env.set("LS_COLORS", "di=34:*.rs=31");
    let dir = env.dir().display().to_string();
    let painted = search(&env, "-c always x.rs").shown();
    assert_eq!(painted, format!("␛[34m{dir}/␛[0m␛[31mx.rs␛[0m"));
    assert_eq!(found(&env, "x.rs"), "x.rs");
    assert_eq!(
        found(&env, "x.rs -c always --format csv --columns name"),
        "name x.rs"
    );
}

#[test]
fn output_goes_to_a_file_whole_or_not_at_all() {
    let env = indexed("a:1 b:2");
    let answer = search(&env, "type:file --format json --output result.json");
    assert_eq!(
        (answer.shown(), answer.code),
        (String::new(), 0),
        "{}",
        answer.stderr
    );
    let text = std::fs::read_to_string(env.path("result.json")).unwrap();
    assert!(text.lines().all(|line| !line.is_empty()), "{text}");
    let objects: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(objects.len(), 2);
    env.chmod("result.json", 0o600);
    assert_eq!(search(&env, "a -o result.json").code, 0);
    assert_eq!(
        env.tool("cat", &["result.json"]),
        format!("{}/a\n", env.dir().display())
    );
    assert_eq!(env.tool("stat", &["-c", "%a", "result.json"]), "600\n");
    assert_eq!(search(&env, "--count -o result.json").code, 0);
    assert_eq!(env.tool("cat", &["result.json"]), "3\n");
    let answer = search(&env, "-o none/here");
    assert_eq!(answer.code, 1);
    assert!(
        answer.stderr.contains("cannot write: No such file"),
        "{}",
        answer.stderr
    );
    // A mistake leaves the file alone.
    assert_eq!(search(&env, "'siez>1' -o result.json").code, 2);
    assert_eq!(env.tool("cat", &["result.json"]), "3\n");
    assert_eq!(env.tool("ls", &["-A"]), "a\nb\nresult.json\n");
}
