// The page at work: what is shown, and what keys, clicks and words do to it.

const SEARCH_DELAY_MS = 120;
const $ = (id) => document.getElementById(id);

class App {
  constructor(tree, meta) {
    this.tree = tree;
    this.meta = meta;
    this.ways = colourings(tree, meta);
    this.search = new Search(tree);
    this.dir = 0;
    this.metric = meta.apparent ? 'size' : 'allocated';
    this.way = 'type';
    this.only = -1;
    this.found = null;
    this.tab = 'contents';
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.map = new TreeMap(tree, $('map'));
    this.table = new Table(tree, this.search, $('contents'), {
      select: (row) => this.selectRow(row),
      open: (row) => this.open(row),
      hover: (row) => this.hoverRow(row),
    });
    const total = tree[this.metric][0];
    $('totals').textContent = `${showSize(total)} in ${counted(tree.count[0], 'file')}`;
    this.makeControls();
    this.listen();
    this.refresh();
  }

  /** How the map and the table are to look now. */
  look() {
    return {
      skin: this.isDark() ? 'dark' : 'light',
      colouring: this.ways[this.way],
      metric: this.metric,
      found: this.found,
      only: this.only,
    };
  }

  isDark() {
    const theme = document.documentElement.dataset.theme;
    return theme === 'system' ? this.system.matches : theme === 'dark';
  }

  makeControls() {
    const options = (host, entries, chosen) => {
      host.replaceChildren(...entries.map(([value, { label }]) => new Option(label, value, false, value === chosen)));
    };
    options($('way'), Object.entries(this.ways), this.way);
    options($('metric'), Object.entries(METRICS), this.metric);
    $('tab-owners').hidden = !('owner' in this.ways) || this.ways.owner.classes.length < 2;
  }

  listen() {
    $('way').addEventListener('change', (event) => this.setWay(event.target.value));
    $('metric').addEventListener('change', (event) => this.setMetric(event.target.value));
    $('theme').addEventListener('click', () => this.toggleTheme());
    $('help-open').addEventListener('click', () => $('help').showModal());
    this.system.addEventListener('change', () => this.restyle());
    new ResizeObserver(() => { if (this.map.resize()) this.showMap(); this.table.draw(); }).observe($('map'));
    new ResizeObserver(() => this.table.draw()).observe($('side'));
    this.listenToMap($('map'));
    this.listenToSearch($('search'));
    for (const tab of document.querySelectorAll('[role=tab]')) {
      tab.addEventListener('click', () => this.setTab(tab.dataset.tab));
      tab.addEventListener('keydown', (event) => this.tabKey(event));
    }
    document.addEventListener('keydown', (event) => this.key(event));
  }

  listenToMap(host) {
    const at = (event) => {
      const { left, top } = host.getBoundingClientRect();
      return this.map.tiles.hit(event.clientX - left, event.clientY - top);
    };
    host.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'touch') return;
      const tile = at(event);
      this.map.hover(tile);
      this.showTip(tile, event);
    });
    host.addEventListener('pointerleave', () => {
      this.map.hover(-1);
      this.showTip(-1);
    });
    host.addEventListener('click', (event) => {
      const { top } = host.getBoundingClientRect();
      this.clickTile(at(event), event.clientY - top);
    });
  }

  listenToSearch(input) {
    let timer = 0;
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.find(input.value), SEARCH_DELAY_MS);
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        if (input.value === '') input.blur();
        input.value = '';
      } else if (event.key !== 'Enter') {
        return;
      }
      clearTimeout(timer);
      this.find(input.value);
      if (event.key === 'Enter') $('map').focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Everything anew, for another directory or another metric. */
  refresh() {
    this.showMap();
    this.showRest();
  }

  showMap() {
    this.map.show(this.dir, this.look());
    $('map').setAttribute('aria-label', `Treemap of ${this.tree.name(this.dir)}`);
    $('map-empty').hidden = this.map.tiles.length > 0;
  }

  /** All but the map. */
  showRest() {
    const { tree, dir } = this;
    showCrumbs($('crumbs'), tree, dir, (row) => this.open(row));
    this.table.show(dir, this.look(), this.found);
    $('weight-head').textContent = METRICS[this.metric].label;
    this.showClasses();
    this.showSelected();
  }

  /** The legend, and the tab that has bars. */
  showClasses() {
    const { tree, dir, metric, ways } = this;
    const shown = { types: 'type', ages: 'age', owners: 'owner' }[this.tab];
    const sums = breakdown(tree, dir, ways[this.way]);
    showLegend($('legend'), ways[this.way], sums, metric, this.only, (at) => this.focusClass(this.way, at));
    if (!shown) return;
    const only = shown === this.way ? this.only : -1;
    const of = shown === this.way ? sums : breakdown(tree, dir, ways[shown]);
    showBars($('bars'), ways[shown], of, metric, only, (at) => this.focusClass(shown, at));
  }

  /** The same things in other colours. */
  restyle() {
    const { selected } = this.map;
    this.map.repaint(this.look());
    this.map.select(selected);
    this.table.restyle(this.look());
    this.showClasses();
  }

  /** Goes to a directory, or selects what is none where it is. */
  open(row) {
    const { tree } = this;
    if (!tree.isDir(row)) {
      this.openFile(row);
      return;
    }
    if (row === this.dir) return;
    this.dir = row;
    this.only = -1;
    this.showTip(-1);
    this.map.zoom(row, this.look(), this.calm.matches, () => this.showRest());
    showCrumbs($('crumbs'), tree, row, (step) => this.open(step));
    $('map-empty').hidden = this.map.tiles.length > 0;
    $('map').setAttribute('aria-label', `Treemap of ${tree.name(row)}`);
  }

  openFile(row) {
    const up = this.tree.parent[row];
    if (up !== this.dir && this.map.tiles.find(row) < 0) {
      this.dir = up;
      this.refresh();
    }
    this.selectRow(row);
  }

  up() {
    if (this.dir !== 0) this.open(this.tree.parent[this.dir]);
  }

  clickTile(tile, y) {
    const { map, tree } = this;
    if (tile < 0) return;
    const { tiles } = map;
    const row = tiles.row[tile];
    const onLabel = tiles.label[tile] && y < tiles.y[tile] + LABEL_HEIGHT;
    if (tiles.kind[tile] === FRAME && onLabel) {
      this.open(row);
    } else if (tiles.level[tile] > 0) {
      this.open(this.childTowards(row));
    } else if (tiles.kind[tile] !== REST && tree.isDir(row)) {
      this.open(row);
    } else {
      this.selectTile(tile);
    }
  }

  /** The outermost drawn directory around a row. */
  childTowards(row) {
    const inner = chainEnd(this.tree, this.dir);
    let at = row;
    while (this.tree.parent[at] !== inner) at = this.tree.parent[at];
    return at;
  }

  selectTile(tile) {
    this.map.select(tile);
    const { tiles } = this.map;
    const row = tile < 0 || tiles.kind[tile] === REST ? NONE : tiles.row[tile];
    this.table.reveal(row);
    this.showSelected();
  }

  selectRow(row) {
    this.map.select(this.map.tileOf(row));
    this.showDetails(row);
  }

  hoverRow(row) {
    this.map.hover(row === NONE ? -1 : this.map.tileOf(row));
  }

  /** Details of the selected tile, else of the directory. */
  showSelected() {
    const { tiles, selected } = this.map;
    if (selected < 0) this.showDetails(this.dir);
    else if (tiles.kind[selected] === REST) this.showRestDetails(selected);
    else this.showDetails(tiles.row[selected]);
  }

  showDetails(row) {
    const { tree } = this;
    const place = row === 0 ? '' : tree.path(tree.parent[row]);
    const pairs = facts(tree, this.meta, row, this.ways);
    if (row !== this.dir) {
      pairs.unshift(['Share', showShare(tree.weight(row, this.metric), tree[this.metric][this.dir])]);
    }
    showDetails($('details'), tree.name(row), place, pairs);
  }

  showRestDetails(tile) {
    const { tiles } = this.map;
    const text = counted(tiles.few[tile], 'smaller item');
    showDetails($('details'), text, this.tree.path(tiles.row[tile]), [
      ['Together', METRICS[this.metric].show(tiles.weight[tile])],
      ['Share', showShare(tiles.weight[tile], this.tree[this.metric][this.dir])],
    ]);
  }

  /** A small card beside the pointer. */
  showTip(tile, event) {
    const tip = $('tip');
    tip.hidden = tile < 0;
    if (tile < 0) return;
    const { tiles } = this.map;
    const { tree, metric } = this;
    const row = tiles.row[tile];
    const rest = tiles.kind[tile] === REST;
    const title = rest ? counted(tiles.few[tile], 'smaller item') : tree.name(row);
    const time = rest ? '' : showTime(tree.modified[row]);
    const share = showShare(tiles.weight[tile], tree[metric][this.dir]);
    const place = rest ? tree.path(row, this.dir) : tree.path(tree.parent[row], this.dir);
    const numbers = [METRICS[metric].show(tiles.weight[tile]), share, time].filter(Boolean).join('  ·  ');
    tip.replaceChildren(element('bdi', 'tip-name', title), element('span', 'tip-numbers', numbers));
    if (place) tip.append(element('bdi', 'tip-place', place));
    const width = tip.offsetWidth;
    const height = tip.offsetHeight;
    const x = event.clientX + 14 + width > innerWidth ? event.clientX - 14 - width : event.clientX + 14;
    const y = event.clientY + 18 + height > innerHeight ? event.clientY - 12 - height : event.clientY + 18;
    tip.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
  }

  find(text) {
    const query = readQuery(text);
    const error = query.error;
    this.found = error || query.isEmpty ? null : this.search.run(query, this.metric);
    const status = $('search-status');
    status.classList.toggle('error', error !== '');
    if (error) status.textContent = error;
    else if (!this.found) status.textContent = '';
    else {
      const bytes = showSize(this.metric === 'size' ? this.found.size : this.found.allocated);
      status.textContent = `${counted(this.found.matches, 'match', 'matches')} · ${bytes}`;
    }
    if (this.found) this.setTab('contents');
    this.restyle();
    this.table.show(this.dir, this.look(), this.found);
  }

  setWay(way) {
    this.way = way;
    this.only = -1;
    $('way').value = way;
    this.restyle();
  }

  setMetric(metric) {
    this.metric = metric;
    $('metric').value = metric;
    if ($('search').value) this.find($('search').value);
    this.refresh();
  }

  toggleTheme() {
    document.documentElement.dataset.theme = this.isDark() ? 'light' : 'dark';
    this.restyle();
  }

  /** Dims all classes but one, or none if that one was chosen before. */
  focusClass(way, at) {
    const again = this.way === way && this.only === at;
    this.way = way;
    $('way').value = way;
    this.only = again ? -1 : at;
    this.restyle();
  }

  setTab(name) {
    this.tab = name;
    for (const tab of document.querySelectorAll('[role=tab]')) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
    $('contents').hidden = name !== 'contents';
    $('bars').hidden = name === 'contents';
    if (name === 'contents') this.table.draw();
    else $('bars').setAttribute('aria-labelledby', `tab-${name}`);
    this.showClasses();
  }

  tabKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...document.querySelectorAll('[role=tab]')].filter((tab) => !tab.hidden);
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    this.setTab(next.dataset.tab);
    next.focus();
    event.stopPropagation();
    event.preventDefault();
  }

  /** Keys that work wherever the focus is, but for fields that take text. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $('help').open) return;
    if (event.target.closest?.('input, select')) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const acts = {
      '/': () => $('search').focus(),
      '?': () => $('help').showModal(),
      Backspace: () => this.up(),
      Escape: () => this.escape(),
      a: () => this.setMetric(this.following(METRICS, this.metric)),
      c: () => this.setWay(this.following(this.ways, this.way)),
      t: () => this.toggleTheme(),
    };
    if (event.key in arrows) this.move(arrows[event.key]);
    else if (event.key === 'Enter' && event.target.tagName !== 'BUTTON') this.enter();
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
  }

  following(table, key) {
    const keys = Object.keys(table);
    return keys[(keys.indexOf(key) + 1) % keys.length];
  }

  /** One step back: first what is dimmed, then what is selected, then out. */
  escape() {
    if (this.found) {
      $('search').value = '';
      this.find('');
    } else if (this.only >= 0) {
      this.focusClass(this.way, this.only);
    } else if (this.map.selected >= 0) {
      this.selectTile(-1);
    } else {
      this.up();
    }
  }

  move([dx, dy]) {
    const next = this.map.neighbour(dx, dy);
    if (next >= 0) this.selectTile(next);
  }

  enter() {
    const { tiles, selected } = this.map;
    if (selected < 0 || tiles.kind[selected] === REST) return;
    if (this.tree.isDir(tiles.row[selected])) this.open(tiles.row[selected]);
  }
}

/** Says above everything that something is wrong with the page. */
function warn(text) {
  const note = element('p', '', text);
  $('warnings').append(note);
  $('warnings').hidden = false;
}

async function start() {
  const meta = JSON.parse($('meta').textContent);
  INVISIBLE = Uint32Array.from(meta.invisible.flat());
  if (meta.si) useDecimalUnits();
  $('taken').textContent = showTime(meta.taken, true);
  $('totals').textContent = `${showSize(meta.apparent ? meta.size : meta.allocated)} in ${counted(meta.files, 'file')}`;
  if (meta.incomplete) warn('The scan was cut short: sizes are of what had been read by then.');
  if (meta.errors > 0) warn(`${counted(meta.errors, 'entry', 'entries')} could not be read.`);
  const tree = await readTree(document, (share) => {
    $('loading-bar').style.transform = `scaleX(${share})`;
  });
  $('loading').remove();
  new App(tree, meta);
  document.documentElement.dataset.state = 'ready';
}

// The nodes stand behind this script: so it can tell when they do not all arrive.
document.addEventListener('DOMContentLoaded', () => {
  start().catch((error) => {
    warn(`This page cannot be shown: ${error.message}.`);
    document.documentElement.dataset.state = 'failed';
  });
});
