// Squarified treemaps whose edges are whole pixels: no gaps, no overlaps, same input same picture.

/** The worst ratio of sides in a row of areas along `side`, given their sum and extremes. */
function worstRatio(sum, smallest, largest, side) {
  const square = sum * sum;
  return Math.max((side * side * largest) / square, square / (side * side * smallest));
}

/** How many of `weights` from `from` on make the best row along `side`; `scale` is area per weight. */
function rowLength(weights, from, to, side, scale) {
  const largest = weights[from] * scale;
  let sum = 0;
  let worst = Infinity;
  let at = from;
  for (; at < to; at++) {
    const area = weights[at] * scale;
    const ratio = worstRatio(sum + area, area, largest, side);
    if (ratio > worst) break;
    worst = ratio;
    sum += area;
  }
  return Math.max(1, at - from);
}

/**
 * Divides a rectangle among `weights`, which are positive and descend, and tells each part to
 * `emit(index, x, y, width, height)`. Parts may be empty where there are fewer pixels than parts.
 */
function squarify(weights, x, y, width, height, emit) {
  const to = weights.length;
  let left = 0;
  for (let at = 0; at < to; at++) left += weights[at];
  for (let at = 0; at < to; ) {
    const wide = width >= height;
    const side = wide ? height : width;
    const scale = (width * height) / left;
    const count = side > 0 && scale > 0 ? rowLength(weights, at, to, side, scale) : to - at;
    let sum = 0;
    for (let index = at; index < at + count; index++) sum += weights[index];
    const long = wide ? width : height;
    const thickness = at + count === to ? long : Math.min(long, Math.round((long * sum) / left));
    let done = 0;
    let edge = 0;
    for (let index = at; index < at + count; index++) {
      done += weights[index];
      const next = index + 1 === at + count ? side : Math.min(side, Math.round((side * done) / sum));
      if (wide) emit(index, x, y + edge, thickness, next - edge);
      else emit(index, x + edge, y, next - edge, thickness);
      edge = next;
    }
    if (wide) {
      x += thickness;
      width -= thickness;
    } else {
      y += thickness;
      height -= thickness;
    }
    left -= sum;
    at += count;
  }
}
