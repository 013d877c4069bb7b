// What colours mean: each way to colour puts files into classes that have a name and a colour.

/** Paul Tol's muted scheme, which most kinds of colour blindness can tell apart. */
const MUTED = ['#88ccee', '#cc6677', '#ddcc77', '#117733', '#aa4499', '#44aa99', '#999933', '#882255', '#6699cc', '#bbbbbb'];

/** From new to old, in steps of viridis, whose brightness alone tells them apart. */
const AGES = [
  { label: 'in the future', days: -1, colour: '#d1495b' },
  { label: 'last day', days: 1, colour: '#fde725' },
  { label: 'last week', days: 7, colour: '#b8de29' },
  { label: 'last month', days: 30, colour: '#74d055' },
  { label: 'last 3 months', days: 91, colour: '#3cbb75' },
  { label: 'last year', days: 365, colour: '#20a386' },
  { label: 'last 2 years', days: 730, colour: '#287d8e' },
  { label: 'last 5 years', days: 1826, colour: '#39568c' },
  { label: 'older', days: Infinity, colour: '#573f85' },
  { label: 'unknown', days: NaN, colour: '#9a9a9a' },
];
const AGE_UNKNOWN = AGES.length - 1;

/** From shallow to deep. */
const DEPTHS = ['#dcebd3', '#bfdcc4', '#9bcbb6', '#74b8aa', '#51a3a0', '#368c96', '#29748a', '#285c7b', '#2b4468'];

/** Allocated bytes for each apparent byte: from holes and compression to waste. */
const RATIOS = [
  { label: 'under 10 % on disk', most: 0.1, colour: '#2166ac' },
  { label: '10 - 50 %', most: 0.5, colour: '#67a9cf' },
  { label: '50 - 95 %', most: 0.95, colour: '#b5d6e6' },
  { label: 'about equal', most: 1.1, colour: '#cfcbc0' },
  { label: 'up to twice', most: 2, colour: '#fbcfa8' },
  { label: '2 - 10 times', most: 10, colour: '#ef8a62' },
  { label: 'over 10 times', most: Infinity, colour: '#b2402b' },
];

/** Classes of a list, and which of them a row is in. */
function byType(tree, meta) {
  const classes = meta.categories.map(({ name, colour }) => ({ label: name, colour }));
  return { label: 'Type', classes, of: (row) => tree.category[row] };
}

function byAge(tree, meta) {
  const limits = Float64Array.from(AGES.slice(1, AGE_UNKNOWN), ({ days }) => days * 86400);
  const of = (row) => {
    const age = meta.taken - tree.modified[row];
    if (Number.isNaN(age)) return AGE_UNKNOWN;
    if (age < 0) return 0;
    let at = 0;
    while (age > limits[at]) at += 1;
    return at + 1;
  };
  return { label: 'Age', classes: AGES, isScale: true, of };
}

/** The owners of most files have colours of their own, the others share the last one. */
function byOwner(tree, meta) {
  const files = new Float64Array(meta.owners.length);
  for (let row = 0; row < tree.length; row++) files[tree.owner[row]] += tree.allocated[row] * (tree.isDir(row) ? 0 : 1) + 1;
  const ranked = [...files.keys()].sort((a, b) => files[b] - files[a]);
  const own = ranked.slice(0, ranked.length > MUTED.length ? MUTED.length - 1 : MUTED.length);
  const classes = own.map((owner, at) => ({ label: meta.owners[owner], colour: MUTED[at] }));
  const numbers = new Uint8Array(files.length).fill(own.length);
  own.forEach((owner, at) => { numbers[owner] = at; });
  if (own.length < ranked.length) classes.push({ label: 'others', colour: MUTED[MUTED.length - 1] });
  return { label: 'Owner', classes, of: (row) => numbers[tree.owner[row]] };
}

function byDepth(tree) {
  const last = DEPTHS.length - 1;
  const label = (at) => (at === last ? `${at + 1} and deeper` : `level ${at + 1}`);
  const classes = DEPTHS.map((colour, at) => ({ label: label(at), colour }));
  return { label: 'Depth', classes, isScale: true, of: (row) => Math.min(Math.max(tree.depth[row] - 1, 0), last) };
}

function byRatio(tree) {
  const of = (row) => {
    const size = tree.size[row];
    const ratio = size > 0 ? tree.allocated[row] / size : tree.allocated[row] > 0 ? Infinity : 1;
    // One unit of allocation more than the bytes fill is what every file system does.
    if (ratio > 1 && tree.allocated[row] - size < ALLOCATION) return 3;
    return RATIOS.findIndex(({ most }) => ratio <= most);
  };
  return { label: 'Disk ratio', classes: RATIOS, isScale: true, of };
}

/** All ways to colour, by name. */
function colourings(tree, meta) {
  const ways = { type: byType(tree, meta), age: byAge(tree, meta) };
  if (meta.owners.length > 0) ways.owner = byOwner(tree, meta);
  return { ...ways, depth: byDepth(tree), ratio: byRatio(tree) };
}

/** Files and bytes of each class below a row. */
function breakdown(tree, dir, colouring) {
  const empty = () => new Float64Array(colouring.classes.length);
  const sums = { allocated: empty(), size: empty(), count: empty() };
  for (let row = dir; row < tree.end[dir]; row++) {
    if (tree.flags[row] & FLAG_DIR) continue;
    const at = colouring.of(row);
    sums.count[at] += 1;
    if (tree.flags[row] & FLAG_ELSEWHERE) continue;
    sums.allocated[at] += tree.allocated[row];
    sums.size[at] += tree.size[row];
  }
  return sums;
}
