// The map: shows the picture of a directory, zooms from one to another, knows what is under a point.

const ZOOM_MS = 280;

/** A canvas that nobody sees, with its context in units of CSS pixels. */
function hiddenCanvas(width, height, ratio) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext('2d', { alpha: false });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { canvas, context };
}

/** From one rectangle to another. */
function between(a, b, share) {
  return a.map((from, at) => from + (b[at] - from) * share);
}

class TreeMap {
  /** `host` holds two canvases: the picture, and above it what is hovered and selected. */
  constructor(tree, host) {
    this.tree = tree;
    this.host = host;
    [this.canvas, this.overlay] = host.querySelectorAll('canvas');
    this.screen = this.canvas.getContext('2d', { alpha: false });
    this.marks = this.overlay.getContext('2d');
    this.tiles = new Tiles();
    this.look = null;
    this.dir = 0;
    this.hovered = -1;
    this.selected = -1;
    this.animation = 0;
    this.resize();
  }

  /** Takes the size of its place; tells whether that has changed. */
  resize() {
    const width = Math.floor(this.host.clientWidth);
    const height = Math.floor(this.host.clientHeight);
    const ratio = window.devicePixelRatio || 1;
    if (width === this.width && height === this.height && ratio === this.ratio) return false;
    Object.assign(this, { width, height, ratio });
    for (const canvas of [this.canvas, this.overlay]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
    }
    this.picture = hiddenCanvas(width, height, ratio);
    this.before = hiddenCanvas(width, height, ratio);
    this.painter = new Painter(this.tree, this.picture.context);
    return true;
  }

  /** Shows a directory in a new look, at once. */
  show(dir, look) {
    this.dir = dir;
    this.look = look;
    this.tiles = layout(this.tree, dir, look.metric, this.width, this.height);
    this.hovered = -1;
    this.selected = -1;
    this.repaint(look);
  }

  /** Shows the same tiles in other colours. */
  repaint(look) {
    this.look = look;
    cancelAnimationFrame(this.animation);
    this.painter.paint(this.tiles, look, this.width, this.height);
    this.present();
  }

  present() {
    this.screen.setTransform(1, 0, 0, 1, 0, 0);
    this.screen.drawImage(this.picture.canvas, 0, 0);
    this.drawMarks();
  }

  /** Goes to a directory inside or around the one that is shown; calls `done` when it is there. */
  zoom(dir, look, calm, done) {
    const from = this.dir;
    const inward = this.tree.isWithin(dir, from);
    const there = inward ? this.tileOf(dir) : -1;
    const start = there < 0 ? null : this.rectangle(there);
    this.screenTo(this.before);
    this.show(dir, look);
    // On the way out, where one came from is what one looks for.
    if (!inward) this.select(this.tileOf(from));
    const target = inward || this.selected < 0 ? start : this.rectangle(this.selected);
    if (calm || !target) done();
    else this.animate(target, inward, done);
  }

  /** Keeps what is on the screen. */
  screenTo({ canvas, context }) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, 0, 0, canvas.width, canvas.height);
  }

  /** The tile of a row or of the nearest directory above that has one; -1 if there is none. */
  tileOf(row) {
    for (let at = row; at !== NONE && at !== this.dir; at = this.tree.parent[at]) {
      const tile = this.tiles.find(at);
      if (tile >= 0) return tile;
    }
    return -1;
  }

  rectangle(at) {
    const { x, y, width, height } = this.tiles;
    return [x[at], y[at], width[at], height[at]];
  }

  /** Both pictures move so that `target` in the outer one is always where the inner one is. */
  animate(target, inward, done) {
    const whole = [0, 0, this.width, this.height];
    const [outer, inner] = inward ? [this.before, this.picture] : [this.picture, this.before];
    const start = performance.now();
    this.marks.clearRect(0, 0, this.width, this.height);
    const step = (now) => {
      const time = Math.min(1, Math.max(0, (now - start) / ZOOM_MS));
      const eased = 1 - (1 - time) ** 3;
      const share = inward ? eased : 1 - eased;
      this.drawZoom(outer, inner, target, between(target, whole, share), share);
      if (time < 1) {
        this.animation = requestAnimationFrame(step);
      } else {
        this.present();
        done();
      }
    };
    this.animation = requestAnimationFrame(step);
    step(start);
  }

  drawZoom(outer, inner, target, [x, y, width, height], share) {
    const { screen, ratio } = this;
    screen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const scaleX = width / target[2];
    const scaleY = height / target[3];
    screen.globalAlpha = 1;
    screen.drawImage(outer.canvas, x - target[0] * scaleX, y - target[1] * scaleY,
      this.width * scaleX, this.height * scaleY);
    screen.globalAlpha = Math.min(1, share * 1.4);
    screen.drawImage(inner.canvas, x, y, width, height);
    screen.globalAlpha = 1;
  }

  /** Outlines that are seen on every colour: a light line and a dark one. */
  drawMarks() {
    const { marks, ratio } = this;
    marks.setTransform(ratio, 0, 0, ratio, 0, 0);
    marks.clearRect(0, 0, this.width, this.height);
    const [inside, outside] = SKINS[this.look.skin].selection;
    if (this.hovered >= 0) this.outline(this.hovered, [[outside, 1.5]]);
    if (this.selected >= 0) this.outline(this.selected, [[inside, 5], [outside, 2.5]]);
  }

  outline(at, lines) {
    const [x, y, width, height] = this.rectangle(at);
    for (const [colour, thickness] of lines) {
      const inset = thickness / 2;
      this.marks.strokeStyle = colour;
      this.marks.lineWidth = thickness;
      this.marks.strokeRect(x + inset, y + inset,
        Math.max(1, width - 1 - thickness), Math.max(1, height - 1 - thickness));
    }
  }

  hover(at) {
    if (at === this.hovered) return;
    this.hovered = at;
    this.drawMarks();
  }

  select(at) {
    this.selected = at;
    this.drawMarks();
  }

  /** The tile that an arrow key leads to, among those of the same directory; -1 for none. */
  neighbour(dx, dy) {
    const { tiles, selected } = this;
    if (selected < 0) return this.largest();
    const [x, y, width, height] = this.rectangle(selected);
    let best = -1;
    let least = Infinity;
    for (let at = 0; at < tiles.length; at++) {
      if (at === selected || tiles.above[at] !== tiles.above[selected]) continue;
      const [ox, oy, otherWidth, otherHeight] = this.rectangle(at);
      const ahead = dx > 0 ? ox - (x + width) : dx < 0 ? x - (ox + otherWidth)
        : dy > 0 ? oy - (y + height) : y - (oy + otherHeight);
      if (ahead < 0) continue;
      const middle = dx !== 0 ? y + height / 2 : x + width / 2;
      const low = dx !== 0 ? oy : ox;
      const high = low + (dx !== 0 ? otherHeight : otherWidth);
      const aside = Math.max(0, low - middle, middle - high);
      const overlaps = dx !== 0 ? oy < y + height && oy + otherHeight > y : ox < x + width && ox + otherWidth > x;
      const cost = ahead + 2 * aside + (overlaps ? 0 : 1000);
      if (cost < least) {
        least = cost;
        best = at;
      }
    }
    return best;
  }

  /** The largest tile of the directory itself. */
  largest() {
    let best = -1;
    for (let at = 0; at < this.tiles.length; at++) {
      if (this.tiles.level[at] > 0) continue;
      if (best < 0 || this.tiles.weight[at] > this.tiles.weight[best]) best = at;
    }
    return best;
  }
}
