// The picture of a directory: nested rectangles, with as much detail as there is room for.

/** Kinds of tiles. */
const FILE = 0;
/** A directory whose children are drawn in it. */
const FRAME = 1;
/** A directory that is too small, or too empty, to be divided. */
const FOLDED = 2;
/** What is too small to be told apart, together. */
const REST = 3;

/** Pixels: a label row, the border of a frame, and from which size on a frame has these. */
const LABEL_HEIGHT = 18;
const FRAME_PADDING = 2;
const LABELLED = { width: 48, height: 40 };
const FRAMED = { width: 14, height: 14 };

/** Square pixels: what is smaller is not divided, or goes into the rest. */
const DIVIDED_AREA = 90;
const TILE_AREA = 20;

/** The tiles of a picture as columns; a frame comes before what is in it. */
class Tiles {
  constructor() {
    this.length = 0;
    this.grow(4096);
  }

  grow(capacity) {
    const columns = { x: Int32Array, y: Int32Array, width: Int32Array, height: Int32Array };
    Object.assign(columns, { row: Uint32Array, above: Uint32Array, kind: Uint8Array });
    Object.assign(columns, { level: Uint8Array, label: Uint8Array, few: Uint32Array });
    columns.weight = Float64Array;
    for (const [name, Type] of Object.entries(columns)) {
      const column = new Type(capacity);
      if (this[name]) column.set(this[name]);
      this[name] = column;
    }
  }

  /** Adds a tile and tells its number. `above` is the directory that it is a part of. */
  push(row, above, kind, level, weight, x, y, width, height) {
    if (this.length === this.x.length) this.grow(2 * this.length);
    const at = this.length++;
    this.row[at] = row;
    this.above[at] = above;
    this.kind[at] = kind;
    this.level[at] = Math.min(level, 255);
    this.weight[at] = weight;
    this.x[at] = x;
    this.y[at] = y;
    this.width[at] = width;
    this.height[at] = height;
    this.label[at] = 0;
    this.few[at] = 0;
    return at;
  }

  /** The innermost tile at a point; -1 if there is none. */
  hit(x, y) {
    for (let at = this.length - 1; at >= 0; at--) {
      const left = this.x[at];
      const top = this.y[at];
      if (x >= left && x < left + this.width[at] && y >= top && y < top + this.height[at]) return at;
    }
    return -1;
  }

  /** The tile of a row; -1 if it has none. */
  find(row) {
    for (let at = 0; at < this.length; at++) {
      if (this.row[at] === row && this.kind[at] !== REST) return at;
    }
    return -1;
  }
}

/** The only child of a directory, if that is a directory as well: chains share a label row. */
function onlyChild(tree, dir) {
  const child = dir + 1;
  const single = child < tree.end[dir] && tree.end[child] === tree.end[dir];
  return single && tree.isDir(child) ? child : NONE;
}

/** The directory at the end of a chain of directories with one child each. */
function chainEnd(tree, dir) {
  let at = dir;
  for (let next = onlyChild(tree, at); next !== NONE; next = onlyChild(tree, at)) at = next;
  return at;
}

/** Puts tiles for what is in `dir` into a rectangle. Small siblings share a tile. */
function placeChildren(tree, tiles, dir, metric, level, x, y, width, height) {
  const rows = tree.children(dir);
  const weights = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) weights[at] = tree.weight(rows[at], metric);
  let common = -1;
  const rest = divide(weights, x, y, width, height, TILE_AREA, (item, px, py, pw, ph) => {
    if (item < 0) common = tiles.push(dir, dir, REST, level, 0, px, py, pw, ph);
    else placeRow(tree, tiles, rows[item], dir, metric, level, weights[item], px, py, pw, ph);
  });
  if (common < 0) return;
  tiles.few[common] = rest.count;
  tiles.weight[common] = rest.weight;
}

function placeRow(tree, tiles, row, above, metric, level, weight, x, y, width, height) {
  if (tree.isDir(row)) placeDir(tree, tiles, row, above, metric, level, weight, x, y, width, height);
  else tiles.push(row, above, FILE, level, weight, x, y, width, height);
}

/** How far what is in a frame is from its edges: its upper one, and the three others. */
function frameInsets(width, height) {
  if (width >= LABELLED.width && height >= LABELLED.height) return { top: LABEL_HEIGHT, border: FRAME_PADDING };
  const border = width >= FRAMED.width && height >= FRAMED.height ? 1 : 0;
  return { top: border, border };
}

/** Puts a directory into a rectangle: with a label row, with a border, or folded. */
function placeDir(tree, tiles, row, above, metric, level, weight, x, y, width, height) {
  const divided = width * height >= DIVIDED_AREA && tree.heavy[row] !== NONE;
  const kind = divided ? FRAME : FOLDED;
  const at = tiles.push(row, above, kind, level, weight, x, y, width, height);
  if (!divided) return;
  const inner = chainEnd(tree, row);
  const { top, border } = frameInsets(width, height);
  tiles.label[at] = top === LABEL_HEIGHT ? 1 : 0;
  placeChildren(tree, tiles, inner, metric, level + 1,
    x + border, y + top, width - 2 * border, height - top - border);
}

/** The picture of a directory on a canvas of so many pixels. */
function layout(tree, dir, metric, width, height) {
  const tiles = new Tiles();
  if (width > 0 && height > 0) {
    placeChildren(tree, tiles, chainEnd(tree, dir), metric, 0, 0, 0, width, height);
  }
  return tiles;
}
