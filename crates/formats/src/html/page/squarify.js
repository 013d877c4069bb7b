// Squarified treemaps whose edges are whole pixels: no gaps, no overlaps, same input same picture.
// The geometry is that of the crate `treemap`, step by step, so that both draw the same rectangles.

/** The nearest whole number from `low` to `high`. */
function roundWithin(value, low, high) {
  return Math.min(Math.max(Math.round(value), low), high);
}

/** What is free, seen along its shorter side: a row of blocks will stand there. */
class Strip {
  constructor(x, y, width, height, blocks) {
    Object.assign(this, { x, y, width, height, blocks });
    /** The row is a column: it stands at the left instead of lying at the top. */
    this.upright = width >= height;
    this.length = this.upright ? height : width;
    this.depth = this.upright ? width : height;
  }

  /** How many of the shares from `first` on make the row, and their sum; `left` is the sum of all. */
  fill(shares, first, left) {
    const pixelsPerShare = (this.length * this.depth) / left;
    // A block of share `w` in a row of sum `s` is `w * shape / s^2` times as long as thick.
    const shape = (this.length * this.length) / pixelsPerShare;
    const worst = (sum, small, large) => {
      const square = sum * sum;
      return Math.max((large * shape) / square, square / (small * shape));
    };
    // A row of fewer blocks would leave too few pixels to the others.
    const fewest = this.blocks - (this.depth - 1) * this.length;
    const end = Math.min(shares.length, first + this.length);
    let sum = shares[first];
    let small = sum;
    let large = sum;
    let ratio = worst(sum, small, large);
    let at = first + 1;
    for (; at < end; at++) {
      const share = shares[at];
      const newSmall = Math.min(share, small);
      const newLarge = Math.max(share, large);
      const newRatio = worst(sum + share, newSmall, newLarge);
      if (newRatio > ratio && at - first >= fewest) break;
      small = newSmall;
      large = newLarge;
      ratio = newRatio;
      sum += share;
    }
    return { take: at - first, sum };
  }

  /** How thick the row is that takes so many blocks and this part of all that is free. */
  thickness(take, part) {
    const others = this.blocks - take;
    if (others === 0) return this.depth;
    const reserved = Math.ceil(others / this.length);
    return roundWithin(this.depth * part, 1, Math.max(1, this.depth - reserved));
  }

  /** Cuts the row into blocks and tells each to `emit`. */
  place(shares, first, take, sum, thickness, emit) {
    let start = 0;
    let soFar = 0;
    for (let at = 0; at < take; at++) {
      soFar += shares[first + at];
      const after = take - at - 1;
      const end = after === 0 ? this.length
        : roundWithin((this.length * soFar) / sum, start + 1, this.length - after);
      if (this.upright) emit(first + at, this.x, this.y + start, thickness, end - start);
      else emit(first + at, this.x + start, this.y, end - start, thickness);
      start = end;
    }
  }
}

/**
 * Divides a rectangle among shares, which are numbers of pixels: positive, and not more of them than
 * there are pixels. Each gets at least one pixel; `emit(index, x, y, width, height)` is told of it.
 */
function squarify(shares, x, y, width, height, emit) {
  const left = Float64Array.from(shares);
  for (let at = left.length - 1; at > 0; at--) left[at - 1] += left[at];
  for (let first = 0; first < shares.length; ) {
    const strip = new Strip(x, y, width, height, shares.length - first);
    const { take, sum } = strip.fill(shares, first, left[first]);
    const thickness = strip.thickness(take, sum / left[first]);
    strip.place(shares, first, take, sum, thickness, emit);
    if (strip.upright) {
      x += thickness;
      width -= thickness;
    } else {
      y += thickness;
      height -= thickness;
    }
    first += take;
  }
}

/**
 * Divides a rectangle among weights in any order. Those that deserve fewer pixels than `least` have
 * the last block in common, if it can be seen or `always`. `emit(item, x, y, width, height)` is told of
 * all blocks by descending weight; of the common one with item -1. What is in it is returned.
 */
function divide(weights, x, y, width, height, least, always, emit) {
  const pixels = width * height;
  const rest = { count: 0, weight: 0, last: -1 };
  if (weights.length === 0 || pixels === 0) return rest;
  let total = 0;
  for (let item = 0; item < weights.length; item++) total += weights[item];
  // Where nothing weighs anything, all are the same size, if that is large enough.
  const even = total === 0;
  const allFit = weights.length * least <= pixels;
  const drawn = [];
  for (let item = 0; item < weights.length; item++) {
    if (even ? allFit : weights[item] * pixels >= total * least) {
      drawn.push(item);
    } else {
      rest.count += 1;
      rest.weight += weights[item];
      rest.last = item;
    }
  }
  drawn.sort((a, b) => weights[b] - weights[a] || a - b);
  const scale = pixels / total;
  const share = (weight) => (even ? pixels / weights.length : weight * scale);
  const shares = drawn.map((item) => share(weights[item]));
  const own = shares.length;
  if (rest.count > 0) {
    const wanted = share(rest.weight);
    if (own === 0) shares.push(pixels);
    else if ((always || wanted * 2 >= least) && own < pixels) shares.push(Math.max(wanted, 1));
  }
  squarify(shares, x, y, width, height, (at, bx, by, bw, bh) => {
    emit(at < own ? drawn[at] : -1, bx, by, bw, bh);
  });
  return rest;
}
