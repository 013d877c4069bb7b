// The parts of the page's script that need no page, run here and compared with what Rust says.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const PAGE = new URL('../../src/html/page/', import.meta.url);

/** The value of an expression after these parts of the script were run. */
function evaluate(parts, expression) {
  const context = vm.createContext({ TextDecoder, TextEncoder });
  const sources = parts.map((part) => readFileSync(fileURLToPath(new URL(part, PAGE)), 'utf8'));
  return vm.runInContext(`${sources.join('\n')}\n(${expression})`, context);
}

/** Names are escaped as Rust escapes them for terminals. Lines of the file: bytes in hex, text. */
export function names(file) {
  const { invisible, samples } = JSON.parse(readFileSync(file, 'utf8'));
  const show = evaluate(['names.js'], `(invisible, bytes) => {
    INVISIBLE = Uint32Array.from(invisible);
    return showBytes(bytes, 0, bytes.length);
  }`);
  for (const [hex, wanted] of samples) {
    const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
    assert.equal(show(invisible.flat(), bytes), wanted, hex);
  }
  assert.ok(samples.length > 1000);
}

/** Rectangles of random weights: no gap, no overlap, areas as near to the weights as pixels allow. */
export function rectangles() {
  const squarify = evaluate(['squarify.js'], 'squarify');
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 400; round++) {
    const width = 1 + Math.floor(random() * 300);
    const height = 1 + Math.floor(random() * 200);
    const weights = Float64Array.from({ length: 1 + Math.floor(random() * 80) }, () => random() ** 4 * 1e6 + 1e-3);
    weights.sort().reverse();
    const covered = new Uint8Array(width * height);
    const total = weights.reduce((sum, weight) => sum + weight);
    const seen = [];
    squarify(weights, 10, 20, width, height, (index, x, y, w, h) => {
      seen.push(index);
      const wanted = (weights[index] / total) * width * height;
      assert.ok(Math.abs(w * h - wanted) <= w + h + width + height, `${w}x${h} for ${wanted}`);
      for (let row = y; row < y + h; row++) {
        for (let column = x; column < x + w; column++) covered[(row - 20) * width + column - 10] += 1;
      }
    });
    assert.deepEqual(seen, [...weights.keys()], 'each once, in order');
    assert.ok(covered.every((times) => times === 1), `${width}x${height} is covered once everywhere`);
  }
}
