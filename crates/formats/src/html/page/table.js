// The table of a directory, or of what search has found in it: only rows that are seen are made.

const ROW_HEIGHT = 28;
/** Rows beyond the lower edge, so that scrolling does not show a gap. */
const MORE_ROWS = 6;
/** Of what was found only so many of the largest are listed. */
const MOST_FOUND = 10000;

/** An element with a class and a text. */
function element(tag, className = '', text = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** Compares names by their folded bytes, then by their bytes. */
function compareNames(tree, folded, a, b) {
  const { nameAt, names } = tree;
  for (const bytes of [folded, names]) {
    const lengthA = nameAt[a + 1] - nameAt[a];
    const lengthB = nameAt[b + 1] - nameAt[b];
    const common = Math.min(lengthA, lengthB);
    for (let at = 0; at < common; at++) {
      const difference = bytes[nameAt[a] + at] - bytes[nameAt[b] + at];
      if (difference !== 0) return difference;
    }
    if (lengthA !== lengthB) return lengthA - lengthB;
  }
  return a - b;
}

class Table {
  /** `acts` are called with a row: `select`, `open`, `hover`; `look` tells what rows are shown with. */
  constructor(tree, search, host, acts) {
    Object.assign(this, { tree, search, acts });
    this.head = host.querySelector('.table-head');
    this.view = host.querySelector('.table-rows');
    this.space = this.view.querySelector('.space');
    this.note = host.querySelector('.table-note');
    this.rows = new Uint32Array(0);
    this.order = { column: 'weight', descending: true };
    this.active = -1;
    this.pool = [];
    this.listen();
  }

  listen() {
    this.view.addEventListener('scroll', () => this.draw(), { passive: true });
    this.view.addEventListener('keydown', (event) => this.key(event));
    this.view.addEventListener('click', (event) => {
      const at = this.rowOf(event);
      if (at < 0) return;
      this.activate(at);
      if (event.target.closest('.open')) this.acts.open(this.rows[at]);
    });
    this.view.addEventListener('dblclick', (event) => {
      const at = this.rowOf(event);
      if (at >= 0) this.acts.open(this.rows[at]);
    });
    this.view.addEventListener('pointerover', (event) => {
      const at = this.rowOf(event);
      this.acts.hover(at < 0 ? NONE : this.rows[at]);
    });
    this.view.addEventListener('pointerleave', () => this.acts.hover(NONE));
    for (const button of this.head.querySelectorAll('button')) {
      button.addEventListener('click', () => this.sortBy(button.dataset.column));
    }
  }

  rowOf(event) {
    const line = event.target.closest('.row');
    return line ? Number(line.dataset.at) : -1;
  }

  /** Shows a directory; `found` restricts it to what search has found anywhere below. */
  show(dir, look, found) {
    this.dir = dir;
    this.look = look;
    this.found = found;
    this.rows = found ? this.foundRows(dir, found) : this.tree.children(dir);
    this.most = this.rows.reduce((most, row) => Math.max(most, this.tree.weight(row, look.metric)), 0);
    this.sort();
    this.active = -1;
    this.view.scrollTop = 0;
    this.say();
    this.draw();
  }

  /** The same rows in other colours. */
  restyle(look) {
    this.look = look;
    this.draw();
  }

  say() {
    const { dir, found, rows } = this;
    let text = '';
    if (found) {
      const all = found.within(dir, this.tree.end[dir]);
      if (all === 0) text = 'Nothing in this directory matches.';
      else if (all > rows.length) text = `The ${showCount(rows.length)} largest of ${counted(all, 'match', 'matches')} here`;
      else text = `${counted(all, 'match', 'matches')} here`;
    } else if (rows.length === 0) {
      text = 'This directory is empty.';
    }
    this.note.textContent = text;
    this.note.hidden = text === '';
  }

  /** What was found below a directory, the largest of it if that is too much to list. */
  foundRows(dir, found) {
    const end = this.tree.end[dir];
    const all = new Uint32Array(found.within(dir, end));
    let at = 0;
    for (let row = dir; row < end; row++) if (found.state[row] === 1) all[at++] = row;
    if (all.length <= MOST_FOUND) return all;
    const weights = this.tree[this.look.metric];
    const sorted = new Float64Array(all.length);
    for (let index = 0; index < all.length; index++) sorted[index] = weights[all[index]];
    sorted.sort();
    const least = sorted[all.length - MOST_FOUND];
    const above = all.filter((row) => weights[row] > least);
    const equal = all.filter((row) => weights[row] === least).slice(0, MOST_FOUND - above.length);
    return Uint32Array.from([...above, ...equal]);
  }

  sortBy(column) {
    const same = column === this.order.column;
    this.order = { column, descending: same ? !this.order.descending : column !== 'name' };
    this.sort();
    this.active = -1;
    this.view.scrollTop = 0;
    this.draw();
  }

  sort() {
    const { column, descending } = this.order;
    const { tree, look } = this;
    const sign = descending ? -1 : 1;
    if (column === 'name') {
      const folded = this.search.foldedNames();
      this.rows.sort((a, b) => sign * compareNames(tree, folded, a, b));
    } else {
      const keys = tree[column === 'weight' ? look.metric : column];
      const key = (row) => (Number.isNaN(keys[row]) ? -Infinity : keys[row]);
      this.rows.sort((a, b) => {
        const left = key(a);
        const right = key(b);
        return left === right ? a - b : left < right ? -sign : sign;
      });
    }
    for (const button of this.head.querySelectorAll('button')) {
      const sorted = button.dataset.column === column;
      button.parentElement.setAttribute('aria-sort', sorted ? (descending ? 'descending' : 'ascending') : 'none');
    }
  }

  /** Makes and fills the rows that are seen. */
  draw() {
    const { rows, view, pool } = this;
    this.space.style.height = `${rows.length * ROW_HEIGHT}px`;
    view.setAttribute('aria-rowcount', rows.length + 1);
    const first = Math.max(0, Math.floor(view.scrollTop / ROW_HEIGHT) - 1);
    const last = Math.min(rows.length, first + Math.ceil(view.clientHeight / ROW_HEIGHT) + MORE_ROWS);
    while (pool.length < last - first) pool.push(this.makeRow());
    for (let at = 0; at < pool.length; at++) {
      const shown = first + at < last;
      pool[at].line.hidden = !shown;
      if (shown) this.fill(pool[at], first + at);
    }
    const active = this.active >= first && this.active < last ? `row-${this.active}` : '';
    if (active) view.setAttribute('aria-activedescendant', active);
    else view.removeAttribute('aria-activedescendant');
  }

  makeRow() {
    const line = element('div', 'row');
    line.setAttribute('role', 'row');
    const cell = (className) => {
      const made = element('div', className);
      made.setAttribute('role', 'gridcell');
      line.append(made);
      return made;
    };
    const bar = element('div', 'bar');
    const swatch = element('span', 'swatch');
    const name = element('bdi', 'name');
    const place = element('bdi', 'place');
    line.append(bar);
    const entry = cell('entry');
    entry.append(swatch, name, place);
    const [weight, count, modified] = [cell('number'), cell('number files'), cell('number time')];
    const open = element('button', 'open', '›');
    open.tabIndex = -1;
    line.append(open);
    this.space.append(line);
    return { line, bar, entry, swatch, name, place, weight, count, modified, open };
  }

  fill(parts, at) {
    const { tree, look } = this;
    const row = this.rows[at];
    const isDir = tree.isDir(row);
    const file = isDir ? tree.heavy[row] : row;
    parts.line.dataset.at = at;
    parts.line.id = `row-${at}`;
    parts.line.setAttribute('aria-rowindex', at + 2);
    parts.line.setAttribute('aria-selected', at === this.active);
    parts.line.style.transform = `translateY(${at * ROW_HEIGHT}px)`;
    parts.swatch.classList.toggle('dir', isDir);
    parts.swatch.style.backgroundColor = file === NONE ? '' : look.colouring.classes[look.colouring.of(file)].colour;
    parts.name.textContent = tree.name(row);
    parts.entry.classList.toggle('error', (tree.flags[row] & FLAG_ERROR) !== 0);
    parts.place.textContent = this.found && row !== this.dir ? tree.path(tree.parent[row], this.dir) : '';
    parts.weight.textContent = METRICS[look.metric].show(tree[look.metric][row]);
    parts.count.textContent = isDir ? showCount(tree.count[row]) : '';
    parts.modified.textContent = showTime(tree.modified[row]);
    const share = this.most > 0 ? tree.weight(row, look.metric) / this.most : 0;
    parts.bar.style.transform = `scaleX(${Math.min(1, share)})`;
    parts.open.hidden = !isDir;
    parts.open.setAttribute('aria-label', isDir ? `Open ${parts.name.textContent}` : '');
  }

  activate(at) {
    this.active = at;
    this.draw();
    this.acts.select(this.rows[at]);
  }

  /** Marks a row that was chosen elsewhere, and scrolls to it. */
  reveal(row) {
    this.active = row === NONE ? -1 : this.rows.indexOf(row);
    if (this.active >= 0) this.scrollTo(this.active);
    this.draw();
  }

  scrollTo(at) {
    const top = at * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.view;
    if (top < scrollTop) this.view.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.view.scrollTop = top + ROW_HEIGHT - clientHeight;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.view.clientHeight / ROW_HEIGHT) - 1);
    const last = this.rows.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last - 1, End: last + 1 };
    if (event.key === 'Enter' && this.active >= 0) {
      this.acts.open(this.rows[this.active]);
    } else if (event.key in steps && last >= 0) {
      this.activate(Math.min(last, Math.max(0, this.active + steps[event.key])));
      this.scrollTo(this.active);
      this.draw();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
