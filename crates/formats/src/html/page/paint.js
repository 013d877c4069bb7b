// Paints the tiles of a picture: colours, labels, hatching.

const LABEL_FONT = '600 11.5px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const TILE_FONT = '11.5px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const LINE_HEIGHT = 14;
const TEXT_PADDING = 4;

/** What the map is made of besides the colours of classes. */
const SKINS = {
  light: {
    ground: '#f4f6f9',
    frames: ['#e6ebf1', '#dae1e9', '#ced7e1', '#c2cdd9', '#b7c3d1'],
    label: '#1e2833',
    quiet: '#556271',
    rest: ['#e9edf2', '#ccd4dd'],
    selection: ['#ffffff', '#0b3d91'],
  },
  dark: {
    ground: '#12161c',
    frames: ['#1f2630', '#28313d', '#313c4a', '#3a4757', '#435264'],
    label: '#e4eaf1',
    quiet: '#9aa8b8',
    rest: ['#1b222b', '#3a4553'],
    selection: ['#0b0e12', '#ffffff'],
  },
};

/** `#rrggbb` as three numbers. */
function channels(colour) {
  const number = parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** A colour that is `share` of `a` and for the rest `b`. */
function mix(a, b, share) {
  const from = channels(a);
  const to = channels(b);
  return `rgb(${from.map((part, at) => Math.round(part * share + to[at] * (1 - share))).join(' ')})`;
}

/** How bright a colour is to eyes, from 0 to 1, as the contrast rules of the web define it. */
function luminance(colour) {
  const linear = channels(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/** Each class as it is painted: whole, folded, dimmed; and what is written on it. */
function shades(classes, skin) {
  return classes.map(({ colour }) => ({
    fill: colour,
    folded: mix(colour, skin.frames[1], 0.72),
    dim: mix(colour, skin.ground, 0.16),
    ink: luminance(colour) > 0.179 ? '#10151b' : '#ffffff',
  }));
}

/** Cuts texts to widths without measuring each: the widths of characters are remembered. */
class Ruler {
  constructor(context) {
    this.context = context;
    this.widths = new Map();
  }

  use(font) {
    this.context.font = font;
    if (!this.widths.has(font)) this.widths.set(font, new Map());
    this.current = this.widths.get(font);
  }

  width(character) {
    let width = this.current.get(character);
    if (width === undefined) {
      width = this.context.measureText(character).width;
      this.current.set(character, width);
    }
    return width;
  }

  /** The text, or as much of its beginning as fits with an ellipsis; nothing if that says nothing. */
  fit(text, room) {
    let width = 0;
    const ellipsis = this.width('…');
    let kept = 0;
    let at = 0;
    for (const character of text) {
      if (width + ellipsis <= room) kept = at;
      width += this.width(character);
      at += character.length;
      if (width > room) return kept < 2 ? '' : `${text.slice(0, kept)}…`;
    }
    return text;
  }

  measure(text) {
    let width = 0;
    for (const character of text) width += this.width(character);
    return width;
  }
}

class Painter {
  constructor(tree, context) {
    this.tree = tree;
    this.context = context;
    this.ruler = new Ruler(context);
    this.hatches = new Map();
  }

  /**
   * Paints a whole picture. `look` says how: skin, colouring, metric, what was found (or null), and
   * the one class that is not dimmed (or -1).
   */
  paint(tiles, look, width, height) {
    const { context } = this;
    this.look = look;
    this.skin = SKINS[look.skin];
    this.shades = shades(look.colouring.classes, this.skin);
    context.fillStyle = this.skin.ground;
    context.fillRect(0, 0, width, height);
    context.textBaseline = 'middle';
    context.direction = 'ltr';
    for (let at = 0; at < tiles.length; at++) {
      const kind = tiles.kind[at];
      if (kind === FRAME) this.frame(tiles, at);
      else if (kind === REST) this.rest(tiles, at);
      else this.tile(tiles, at);
    }
  }

  /** The rectangle of a tile without the line that parts it from its neighbours. */
  box(tiles, at) {
    const width = tiles.width[at];
    const height = tiles.height[at];
    const gap = width > 3 && height > 3 ? 1 : 0;
    return [tiles.x[at], tiles.y[at], width - gap, height - gap];
  }

  frame(tiles, at) {
    const { frames, label, quiet } = this.skin;
    const [x, y, width, height] = this.box(tiles, at);
    const dimmed = this.isDimmed(tiles.row[at]);
    this.context.fillStyle = frames[dimmed ? 0 : Math.min(tiles.level[at], frames.length - 1)];
    this.context.fillRect(x, y, width, height);
    // The ground shows between the tiles in it, whatever colour these have.
    const { top, border } = frameInsets(tiles.width[at], tiles.height[at]);
    this.context.fillStyle = this.skin.ground;
    this.context.fillRect(x + border, y + top, width - 2 * border, height - top - border);
    if (!tiles.label[at]) return;
    const row = tiles.row[at];
    const middle = y + LABEL_HEIGHT / 2;
    this.ruler.use(TILE_FONT);
    const size = METRICS[this.look.metric].show(tiles.weight[at]);
    const sizeWidth = this.ruler.measure(size);
    this.ruler.use(LABEL_FONT);
    const name = this.chainName(row);
    const room = width - 2 * TEXT_PADDING;
    const withSize = this.ruler.measure(name) + sizeWidth + 10 <= room;
    this.context.fillStyle = dimmed ? quiet : label;
    this.context.fillText(this.ruler.fit(name, room), x + TEXT_PADDING, middle);
    if (!withSize) return;
    this.ruler.use(TILE_FONT);
    this.context.fillStyle = quiet;
    this.context.fillText(size, x + width - TEXT_PADDING - sizeWidth, middle);
  }

  /** The names of a chain of directories with one child each. */
  chainName(row) {
    let name = this.tree.name(row);
    for (let next = onlyChild(this.tree, row); next !== NONE; next = onlyChild(this.tree, next)) {
      name += ` / ${this.tree.name(next)}`;
      if (name.length > 200) break;
    }
    return name;
  }

  /** Whether search has found nothing in a row. */
  isDimmed(row) {
    const { found } = this.look;
    return found !== null && !found.touches(row, this.tree.end[row]);
  }

  tile(tiles, at) {
    const { context, look, tree } = this;
    const row = tiles.row[at];
    const folded = tiles.kind[at] === FOLDED;
    const file = folded ? tree.heavy[row] : row;
    const [x, y, width, height] = this.box(tiles, at);
    if (file === NONE) {
      context.fillStyle = this.skin.frames[2];
      context.fillRect(x, y, width, height);
      return;
    }
    const number = look.colouring.of(file);
    const shade = this.shades[number];
    const dimmed = this.isDimmed(row) || (look.only >= 0 && look.only !== number);
    context.fillStyle = dimmed ? shade.dim : folded ? shade.folded : shade.fill;
    context.fillRect(x, y, width, height);
    if (tree.flags[row] & FLAG_ERROR) this.mark(x, y, width, height);
    if (width >= 34 && height >= 15) this.write(tiles, at, dimmed ? this.skin.quiet : shade.ink);
  }

  /** Name, and below it the size if there is room. */
  write(tiles, at, ink) {
    const [x, y, width, height] = this.box(tiles, at);
    const room = width - 2 * TEXT_PADDING;
    this.ruler.use(TILE_FONT);
    const name = this.ruler.fit(this.tree.name(tiles.row[at]), room);
    if (!name) return;
    this.context.fillStyle = ink;
    const first = y + (height < 22 ? height / 2 : TEXT_PADDING + LINE_HEIGHT / 2);
    this.context.fillText(name, x + TEXT_PADDING, first);
    const size = METRICS[this.look.metric].show(tiles.weight[at]);
    if (height < 2 * LINE_HEIGHT + 2 * TEXT_PADDING || this.ruler.measure(size) > room) return;
    this.context.globalAlpha = 0.72;
    this.context.fillText(size, x + TEXT_PADDING, first + LINE_HEIGHT);
    this.context.globalAlpha = 1;
  }

  /** A corner that says: this could not be read. */
  mark(x, y, width, height) {
    const side = Math.min(9, width, height);
    this.context.fillStyle = '#d6262e';
    this.context.beginPath();
    this.context.moveTo(x + width, y);
    this.context.lineTo(x + width - side, y);
    this.context.lineTo(x + width, y + side);
    this.context.fill();
  }

  rest(tiles, at) {
    const [x, y, width, height] = this.box(tiles, at);
    this.context.fillStyle = this.hatch();
    this.context.fillRect(x, y, width, height);
    if (width < 40 || height < 15) return;
    this.ruler.use(TILE_FONT);
    const few = tiles.few[at];
    const room = width - 2 * TEXT_PADDING;
    const long = `${showCount(few)} smaller items`;
    const text = this.ruler.measure(long) <= room ? long : this.ruler.fit(`+${showCount(few)}`, room);
    const textWidth = this.ruler.measure(text);
    // Hatching behind letters makes them hard to read.
    this.context.fillStyle = this.skin.rest[0];
    this.context.fillRect(x + 2, y + height / 2 - 7, Math.min(textWidth + 4, width - 2), 14);
    this.context.fillStyle = this.skin.quiet;
    this.context.fillText(text, x + TEXT_PADDING, y + height / 2);
  }

  hatch() {
    const key = this.look.skin;
    if (!this.hatches.has(key)) {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 6;
      const context = canvas.getContext('2d');
      context.fillStyle = this.skin.rest[0];
      context.fillRect(0, 0, 6, 6);
      context.strokeStyle = this.skin.rest[1];
      context.lineWidth = 1;
      for (const shift of [-6, 0, 6]) {
        context.moveTo(shift - 1, 7);
        context.lineTo(shift + 7, -1);
      }
      context.stroke();
      this.hatches.set(key, this.context.createPattern(canvas, 'repeat'));
    }
    return this.hatches.get(key);
  }
}
