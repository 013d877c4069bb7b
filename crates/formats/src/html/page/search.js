// Search: words that names must contain, and limits of size.

/** Upper-case ASCII letters as lower-case ones, and every other byte as itself. */
const ASCII_FOLD = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

/** The first byte of U+00C0 to U+00FF, whose letters are folded like those of ASCII. */
const LATIN_1 = 0xc3;

/** Whether the byte after that makes a capital: U+00C0 to U+00DE but for the sign of multiplication. */
function isLatin1Capital(byte) {
  return byte >= 0x80 && byte <= 0x9e && byte !== 0x97;
}

/** Whether characters that begin with this byte of UTF-8 may have a case; those of Chinese have none. */
function isCasedLead(byte) {
  return (byte >= 0xc4 && byte <= 0xd6) || byte === 0xe1 || byte === 0xe2 || byte === 0xea || byte >= 0xef;
}

/** What was typed: words, and sizes that entries must have. An upper-case letter makes case count. */
function readQuery(text) {
  const query = { words: [], least: 0, most: Infinity, error: '' };
  for (const [, quoted, word] of text.matchAll(/"([^"]*)"?|(\S+)/g)) {
    if (word === undefined) {
      if (quoted) query.words.push(quoted);
      continue;
    }
    const limit = /^(?:size:?)?([<>]=?)(.+)$/.exec(word);
    if (!limit) query.words.push(word);
    else addLimit(query, limit[1], limit[2]);
  }
  query.isEmpty = query.words.length === 0 && query.least === 0 && query.most === Infinity;
  return query;
}

function addLimit(query, sign, text) {
  const size = readSize(text);
  if (Number.isNaN(size)) query.error = `“${text}” is no size: try 10M, 1.5GiB, 4096`;
  else if (sign === '>') query.least = Math.max(query.least, size + 1);
  else if (sign === '>=') query.least = Math.max(query.least, size);
  else if (sign === '<') query.most = Math.min(query.most, size - 1);
  else query.most = Math.min(query.most, size);
}

class Search {
  constructor(tree) {
    this.tree = tree;
    this.folded = null;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  }

  /** All names in lower case, byte for byte at the same places; made when it is first needed. */
  foldedNames() {
    if (this.folded) return this.folded;
    const { names, nameAt } = this.tree;
    const folded = new Uint8Array(names.length);
    let row = 0;
    for (let at = 0; at < names.length; at++) {
      const byte = names[at];
      folded[at] = ASCII_FOLD[byte];
      if (byte < 0x80) continue;
      while (nameAt[row + 1] <= at) row += 1;
      this.foldText(folded, nameAt[row], nameAt[row + 1]);
      at = nameAt[row + 1] - 1;
    }
    this.folded = folded;
    return folded;
  }

  /** Folds a name that is not all ASCII. Only where its letters may have a case, it becomes text. */
  foldText(folded, from, to) {
    const { names } = this.tree;
    let isCased = false;
    for (let at = from; at < to; at++) {
      folded[at] = ASCII_FOLD[names[at]];
      if (names[at] !== LATIN_1) isCased ||= isCasedLead(names[at]);
      else if (++at < to) folded[at] = isLatin1Capital(names[at]) ? names[at] | 0x20 : names[at];
    }
    if (!isCased) return;
    const lower = this.encoder.encode(this.decoder.decode(names.subarray(from, to)).toLowerCase());
    // Where lower case has another length, or the name is no UTF-8, only what is folded above is.
    if (lower.length === to - from) folded.set(lower, from);
  }

  /** Adds one to `marks` of each row whose name contains the word. */
  markWord(word, marks) {
    const exact = word !== word.toLowerCase();
    const bytes = exact ? this.tree.names : this.foldedNames();
    const wanted = this.encoder.encode(exact ? word : word.toLowerCase());
    const { nameAt, length } = this.tree;
    let row = 0;
    for (let at = bytes.indexOf(wanted[0]); at !== -1; at = bytes.indexOf(wanted[0], at + 1)) {
      let same = 1;
      while (same < wanted.length && bytes[at + same] === wanted[same]) same += 1;
      if (same < wanted.length) continue;
      while (nameAt[row + 1] <= at) row += 1;
      if (at + wanted.length > nameAt[row + 1]) continue;
      marks[row] += 1;
      // One find in a name is enough: go on behind it.
      at = nameAt[row + 1] - 1;
      if (row === length - 1) break;
    }
  }

  /** Which rows match, and how many entries and bytes those and all below them are. */
  run(query, metric) {
    const { tree } = this;
    const marks = new Uint8Array(tree.length);
    for (const word of query.words) this.markWord(word, marks);
    const bytes = metric === 'size' ? tree.size : tree.allocated;
    const all = query.words.length;
    const limited = query.least > 0 || query.most < Infinity;
    const found = new Found(tree.length);
    let covered = 0;
    // The root is known by a path, which is no name.
    for (let row = 1; row < tree.length; row++) {
      let matches = marks[row] === all;
      if (matches && limited) {
        matches = !(tree.flags[row] & FLAG_DIR) && bytes[row] >= query.least && bytes[row] <= query.most;
      }
      found.add(row, matches, row < covered);
      if (!matches) continue;
      if (row >= covered) {
        found.size += tree.weight(row, 'size');
        found.allocated += tree.weight(row, 'allocated');
        covered = tree.end[row];
      }
    }
    return found;
  }
}

/** The answer to a query. */
class Found {
  constructor(length) {
    this.matches = 0;
    /** Bytes of what matches and of all below; nothing is counted twice. */
    this.size = 0;
    this.allocated = 0;
    /** 1: the row matches. 2: it is below one that does. */
    this.state = new Uint8Array(length);
    /** How many rows before this one match. */
    this.before = new Uint32Array(length + 1);
  }

  add(row, matches, below) {
    if (matches) {
      this.matches += 1;
      this.state[row] = 1;
    } else if (below) {
      this.state[row] = 2;
    }
    this.before[row + 1] = this.matches;
  }

  /** How many rows from `row` to before `end` match. */
  within(row, end) {
    return this.before[end] - this.before[row];
  }

  /** Whether a row matches, is below one that does, or holds one that does. */
  touches(row, end) {
    return this.state[row] !== 0 || this.within(row, end) > 0;
  }
}
