// The tree as columns: rows depth first, a directory right before what it holds.

/** Marks the absence of a row. */
const NONE = 0xffffffff;

/** What areas and numbers of the page mean, in the order in which a key goes through them. */
const METRICS = {
  allocated: { label: 'On disk', show: showSize },
  size: { label: 'Apparent', show: showSize },
  count: { label: 'Files', show: showCount },
};

class Tree {
  constructor(length, nameBytes) {
    this.length = length;
    this.names = new Uint8Array(nameBytes);
    this.nameAt = new Uint32Array(length + 1);
    this.flags = new Uint8Array(length);
    this.category = new Uint16Array(length);
    this.owner = new Uint32Array(length);
    /** Sizes are a row's own until `complete`, and those of all below it from then on. */
    this.size = new Float64Array(length);
    this.allocated = new Float64Array(length);
    this.count = new Float64Array(length);
    /** Of a directory: the newest time below it. */
    this.modified = new Float64Array(length);
    this.parent = new Uint32Array(length);
    this.depth = new Uint16Array(length);
    /** The row after the last one below. */
    this.end = new Uint32Array(length);
    /** Of a directory: its largest file, which lends it its colour where it is too small to be divided. */
    this.heavy = new Uint32Array(length);
  }

  isDir(row) {
    return (this.flags[row] & FLAG_DIR) !== 0;
  }

  /** Works out parents, ends and totals from the depths of all rows. */
  complete(depths) {
    this.findParents(depths);
    const { flags, parent, end, heavy, size, allocated, count, modified } = this;
    for (let row = 0; row < this.length; row++) {
      const isDir = flags[row] & FLAG_DIR;
      end[row] = row + 1;
      heavy[row] = isDir ? NONE : row;
      count[row] = isDir ? 0 : 1;
    }
    for (let row = this.length - 1; row > 0; row--) {
      const up = parent[row];
      if (end[row] > end[up]) end[up] = end[row];
      count[up] += count[row];
      if (modified[row] > modified[up] || Number.isNaN(modified[up])) modified[up] = modified[row];
      if (flags[row] & FLAG_ELSEWHERE) continue;
      size[up] += size[row];
      allocated[up] += allocated[row];
      const largest = heavy[row];
      if (largest === NONE) continue;
      if (heavy[up] === NONE || allocated[largest] >= allocated[heavy[up]]) heavy[up] = largest;
    }
  }

  findParents(depths) {
    const open = [];
    for (let row = 0; row < this.length; row++) {
      const depth = depths[row];
      this.depth[row] = Math.min(depth, 0xffff);
      this.parent[row] = row === 0 ? NONE : open[depth - 1];
      open[depth] = row;
    }
  }

  /** The rows of a directory's children, in the order of the page. */
  children(dir) {
    let count = 0;
    for (let row = dir + 1; row < this.end[dir]; row = this.end[row]) count += 1;
    const rows = new Uint32Array(count);
    let at = 0;
    for (let row = dir + 1; row < this.end[dir]; row = this.end[row]) rows[at++] = row;
    return rows;
  }

  /** What a row takes in the map: nothing where its sizes are counted elsewhere. */
  weight(row, metric) {
    if (metric !== 'count' && this.flags[row] & FLAG_ELSEWHERE) return 0;
    return this[metric][row];
  }

  name(row) {
    return showBytes(this.names, this.nameAt[row], this.nameAt[row + 1]);
  }

  /** From the root to a row, both included. */
  lineage(row) {
    const rows = [];
    for (let at = row; at !== NONE; at = this.parent[at]) rows.push(at);
    return rows.reverse();
  }

  /** Names joined by `/`, from below `from` to `row`. */
  path(row, from = NONE) {
    const names = [];
    for (let at = row; at !== from && at !== NONE; at = this.parent[at]) names.push(this.name(at));
    return names.reverse().join('/').replace(/^\/\//, '/');
  }

  /** Whether `row` is `dir` or lies below it. */
  isWithin(row, dir) {
    return row >= dir && row < this.end[dir];
  }
}
