// Bars for types, ages and owners, the legend, and the details of a row.

/** The classes that have files: those of a scale in its order, others by how much they are. */
function classOrder(colouring, sums, metric) {
  const there = [...colouring.classes.keys()].filter((at) => sums.count[at] > 0);
  if (colouring.isScale) return there;
  return there.sort((a, b) => sums[metric][b] - sums[metric][a] || a - b);
}

/** Shows the classes of one colouring below a directory as bars. */
function showBars(host, colouring, sums, metric, only, choose) {
  const total = sums[metric].reduce((sum, value) => sum + value, 0);
  const largest = Math.max(...sums[metric]);
  const order = classOrder(colouring, sums, metric);
  const lines = order.map((at) => {
    const { label, colour } = colouring.classes[at];
    const line = element('button', 'class-line');
    line.setAttribute('aria-pressed', only === at);
    const swatch = element('span', 'swatch');
    swatch.style.backgroundColor = colour;
    const bar = element('span', 'class-bar');
    const inner = element('span', 'class-bar-inner');
    inner.style.backgroundColor = colour;
    inner.style.width = `${largest > 0 ? (100 * sums[metric][at]) / largest : 0}%`;
    bar.append(inner);
    const value = metric === 'count' ? showSize(sums.allocated[at]) : counted(sums.count[at], 'file');
    line.append(
      swatch, element('bdi', 'class-name', label),
      element('span', 'class-size', METRICS[metric].show(sums[metric][at])),
      bar,
      element('span', 'class-more', `${showShare(sums[metric][at], total)} · ${value}`),
    );
    line.addEventListener('click', () => choose(at));
    return line;
  });
  if (lines.length === 0) lines.push(element('p', 'empty', 'There are no files here.'));
  host.replaceChildren(...lines);
}

/** Shows what colours mean, for those that are there. */
function showLegend(host, colouring, sums, metric, only, choose) {
  const chips = classOrder(colouring, sums, metric).map((at) => {
    const { label, colour } = colouring.classes[at];
    const chip = element('button', 'chip');
    chip.setAttribute('aria-pressed', only === at);
    chip.title = `${label}: ${METRICS[metric].show(sums[metric][at])}`;
    const swatch = element('span', 'swatch');
    swatch.style.backgroundColor = colour;
    chip.append(swatch, element('bdi', '', label));
    chip.addEventListener('click', () => choose(at));
    return chip;
  });
  host.replaceChildren(...chips);
}

/** All that is known of a row, as pairs of a label and a text. */
function facts(tree, meta, row, ways) {
  const isDir = tree.isDir(row);
  const pairs = [
    ['On disk', showSize(tree.allocated[row])],
    ['Apparent', showSize(tree.size[row])],
  ];
  if (isDir) pairs.push(['Files', showCount(tree.count[row])]);
  const time = showTime(tree.modified[row], true);
  if (time) pairs.push([isDir ? 'Newest' : 'Modified', time]);
  if (!isDir) pairs.push(['Type', ways.type.classes[ways.type.of(row)].label]);
  if (meta.owners.length > 0) pairs.push(['Owner', meta.owners[tree.owner[row]]]);
  if (tree.flags[row] & FLAG_ELSEWHERE) pairs.push(['Hard link', 'counted at another entry']);
  if (tree.flags[row] & FLAG_ERROR) pairs.push(['Error', 'could not be read']);
  return pairs;
}

/** Shows a title and facts in the strip below the map. */
function showDetails(host, title, place, pairs) {
  const name = element('bdi', 'detail-name', title);
  const list = element('dl');
  for (const [label, text] of pairs) {
    const pair = element('div');
    const value = element('dd');
    value.append(element('bdi', '', text));
    pair.append(element('dt', '', label), value);
    list.append(pair);
  }
  const head = element('div', 'detail-head');
  head.append(name, element('bdi', 'detail-place', place));
  host.replaceChildren(head, list);
}

/** Shows the way from the root to a directory; `open` is called with the directory of a step. */
function showCrumbs(host, tree, dir, open) {
  const steps = tree.lineage(dir).map((row) => {
    const step = element('button', 'crumb');
    step.append(element('bdi', '', tree.name(row) || '/'));
    if (row === dir) step.setAttribute('aria-current', 'page');
    step.addEventListener('click', () => open(row));
    const item = element('li');
    item.append(step);
    return item;
  });
  host.replaceChildren(...steps);
  host.scrollLeft = host.scrollWidth;
}
