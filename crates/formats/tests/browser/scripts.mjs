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

/**
 * The same rectangles as the crate `treemap` makes of the same weights. Each sample of the file is a
 * width, a height, the least number of pixels, weights; and what the crate said: how many share a block,
 * and all blocks at (3, 5), the shared one as item -1.
 */
export function same(file) {
  const divide = evaluate(['squarify.js'], 'divide');
  const samples = JSON.parse(readFileSync(file, 'utf8'));
  assert.ok(samples.length > 100);
  for (const [width, height, least, weights, count, wanted] of samples) {
    const blocks = [];
    const rest = divide(Float64Array.from(weights), 3, 5, width, height, least, (...block) => blocks.push(block));
    const about = JSON.stringify([width, height, least, weights]);
    assert.deepEqual(blocks, wanted, about);
    assert.equal(rest.count, count, about);
  }
}

/** Rectangles of random weights cover the whole, and no two have a pixel in common. */
export function rectangles() {
  const divide = evaluate(['squarify.js'], 'divide');
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 600; round++) {
    const width = 1 + Math.floor(random() * 300);
    const height = 1 + Math.floor(random() * 200);
    const scale = random() < 0.2 ? 0 : 10 ** (random() * 15);
    const weights = Float64Array.from({ length: 1 + Math.floor(random() * 300) }, () => Math.floor(random() ** 4 * scale));
    const covered = new Uint8Array(width * height);
    const seen = new Set();
    const rest = divide(weights, 10, 20, width, height, 1 + Math.floor(random() * 30), (item, x, y, w, h) => {
      assert.ok(!seen.has(item) && w > 0 && h > 0);
      seen.add(item);
      for (let row = y; row < y + h; row++) {
        for (let column = x; column < x + w; column++) covered[(row - 20) * width + column - 10] += 1;
      }
    });
    const shown = seen.has(-1) ? seen.size - 1 : seen.size;
    assert.equal(shown + rest.count, weights.length);
    assert.ok(covered.every((times) => times === 1), `${width}x${height} is covered once everywhere`);
  }
}

/** Names fold as JavaScript makes lower case, byte for byte where that has the same length. */
export function folds() {
  const fold = evaluate(['search.js'], `(names, nameAt) => new Search({ names, nameAt }).foldedNames()`);
  const lower = (text) => text.toLowerCase();
  for (let first = 0xa0; first < 0x2e00; first += 16) {
    const texts = Array.from({ length: 16 }, (_, at) => `aB${String.fromCodePoint(first + at)}Z`);
    const parts = texts.map((text) => Buffer.from(text));
    const nameAt = [0];
    for (const part of parts) nameAt.push(nameAt.at(-1) + part.length);
    const folded = Buffer.from(fold(new Uint8Array(Buffer.concat(parts)), Uint32Array.from(nameAt)));
    texts.forEach((text, at) => {
      if (Buffer.byteLength(lower(text)) !== parts[at].length) return;
      assert.equal(folded.subarray(nameAt[at], nameAt[at + 1]).toString(), lower(text), text);
    });
  }
}
