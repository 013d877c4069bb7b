// Squarified treemaps whose edges are whole pixels: no gaps, no overlaps, same input same picture.
// The geometry is that of the crate `treemap`, step by step, so that both draw the same rectangles.

/** The smallest number that is not denormal: instead of a division by zero. */
const SMALLEST = 2.2250738585072014e-308;

/** The nearest whole number from `low` to `high`; `low` for what is no number. */
function roundWithin(value, low, high) {
  return Math.min(Math.max(Math.round(value) || 0, low), high);
}

/** The next strip of items from `first` on: how many there are in it, what they weigh, how thick it is. */
function chooseStrip(weights, first, left, along, across) {
  const divisor = Math.max(left, SMALLEST);
  // How far a block of weight `w` in a strip of weight `s` is from a square: `w` times this over the
  // square of `s`, or the inverse.
  const square = (along * along) / ((along * across) / divisor);
  const waiting = weights.length - first;
  // There must be pixels for those behind it.
  const least = Math.max(1, waiting - along * (across - 1));
  const most = Math.min(waiting, along);
  let count = 0;
  let weight = 0;
  let worst = Infinity;
  for (; count < most; count++) {
    const next = weights[first + count];
    const sum = weight + next;
    const squared = sum * sum;
    const ratio = Math.max((square * weights[first]) / squared, squared / (square * next));
    if (count >= least && ratio > worst) break;
    weight = sum;
    worst = ratio;
  }
  const after = waiting - count;
  const thickest = Math.max(1, across - Math.ceil(after / along));
  const thickness = after === 0 ? across : roundWithin((weight / divisor) * across, 1, thickest);
  return { count, weight, thickness };
}

/** Cuts a strip into the lengths of its blocks and tells each to `place(index, start, length)`. */
function fillStrip(weights, first, strip, along, place) {
  let { weight } = strip;
  let start = 0;
  for (let at = 0; at < strip.count; at++) {
    const own = weights[first + at];
    const free = along - start;
    const after = strip.count - at - 1;
    const share = (own / Math.max(weight, SMALLEST)) * free;
    const length = after === 0 ? free : roundWithin(share, 1, Math.max(1, free - after));
    place(first + at, start, length);
    weight -= own;
    start += length;
  }
}

/**
 * Divides a rectangle among weights that descend, of which there are no more than pixels. Each gets at
 * least one pixel; `emit(index, x, y, width, height)` is told of it.
 */
function squarify(weights, x, y, width, height, emit) {
  let left = 0;
  for (let at = 0; at < weights.length; at++) left += weights[at];
  for (let first = 0; first < weights.length && width > 0 && height > 0; ) {
    const isColumn = width >= height;
    const along = isColumn ? height : width;
    const strip = chooseStrip(weights, first, left, along, isColumn ? width : height);
    const { thickness } = strip;
    fillStrip(weights, first, strip, along, (index, start, length) => {
      if (isColumn) emit(index, x, y + start, thickness, length);
      else emit(index, x + start, y, length, thickness);
    });
    if (isColumn) {
      x += thickness;
      width -= thickness;
    } else {
      y += thickness;
      height -= thickness;
    }
    left -= strip.weight;
    first += strip.count;
  }
}

/**
 * Divides a rectangle among weights in any order. Those that deserve fewer pixels than `least` share the
 * last block, unless it is only one. `emit(item, x, y, width, height)` is told of all blocks by descending
 * weight; of the shared one with item -1. What is in it is returned.
 */
function divide(weights, x, y, width, height, least, emit) {
  const pixels = width * height;
  const rest = { count: 0, weight: 0 };
  const { length } = weights;
  if (length === 0 || width <= 0 || height <= 0) return rest;
  let total = 0;
  for (let item = 0; item < length; item++) total += weights[item];
  // Where nothing weighs anything, all are the same size.
  const even = total === 0;
  const weigh = (item) => (even ? 1 : weights[item]);
  const whole = even ? length : total;
  const enough = Math.min(least, pixels) * whole;
  let own = [];
  for (let item = 0; item < length; item++) if (weigh(item) * pixels >= enough) own.push(item);
  if (length - own.length <= 1 && length <= pixels) own = Array.from({ length }, (_, item) => item);
  own.sort((a, b) => weigh(b) - weigh(a) || a - b);
  if (own.length < length) own.length = Math.min(own.length, pixels - 1);
  const shares = own.map(weigh);
  if (own.length < length) {
    rest.count = length - own.length;
    const shown = shares.reduce((sum, weight) => sum + weight, 0);
    rest.weight = even ? 0 : Math.max(0, total - shown);
    shares.push(Math.max(0, whole - shown));
  }
  squarify(shares, x, y, width, height, (at, bx, by, bw, bh) => {
    emit(at < own.length ? own[at] : -1, bx, by, bw, bh);
  });
  return rest;
}
