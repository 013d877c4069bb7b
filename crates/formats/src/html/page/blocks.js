// Reads the blocks of nodes that the page carries. The writer is `html/block.rs`.

const FLAG_DIR = 1;
const FLAG_ERROR = 2;
const FLAG_ELSEWHERE = 4;
const FLAG_NO_TIME = 8;
const ALLOCATION = 4096;

/** The bytes that base64 means. */
function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The bytes that were deflated. */
async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads numbers of seven bits a byte, low bits first, one after another. */
class Cursor {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  number() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 128;
    do {
      if (this.at >= bytes.length) throw new Error('a block of nodes is cut short');
      byte = bytes[this.at++];
      value += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte >= 0x80);
    return value;
  }

  /** A number that may be negative. */
  signed() {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** Reads one block into the columns of the tree, from its row `first`; tells how many rows that were. */
function readBlock(bytes, tree, first, depths) {
  const cursor = new Cursor(bytes);
  const count = cursor.number();
  const last = first + count;
  if (last > tree.length) throw new Error('there are more nodes than the page says');
  const column = (into) => {
    for (let row = first; row < last; row++) into[row] = cursor.number();
  };
  column(depths);
  column(tree.flags);
  for (let row = first; row < last; row++) {
    tree.nameAt[row + 1] = tree.nameAt[row] + cursor.number();
  }
  column(tree.category);
  column(tree.owner);
  column(tree.size);
  for (let row = first; row < last; row++) {
    const pages = Math.ceil(tree.size[row] / ALLOCATION) * ALLOCATION;
    tree.allocated[row] = pages + cursor.signed();
  }
  let time = 0;
  for (let row = first; row < last; row++) {
    if (tree.flags[row] & FLAG_NO_TIME) tree.modified[row] = NaN;
    else tree.modified[row] = time += cursor.signed();
  }
  const names = bytes.subarray(cursor.at);
  if (names.length !== tree.nameAt[last] - tree.nameAt[first]) {
    throw new Error('a block of nodes is cut short');
  }
  tree.names.set(names, tree.nameAt[first]);
  return count;
}

/** Reads all blocks of the document. `progress` is told how far it is, from 0 to 1. */
async function readTree(document, progress) {
  const end = document.getElementById('end');
  if (!end) throw new Error('this page ends too early: it was not written to its end');
  const { nodes, nameBytes } = JSON.parse(end.textContent);
  const tree = new Tree(nodes, nameBytes);
  const depths = new Uint32Array(nodes);
  let row = 0;
  for (const block of document.querySelectorAll('script.nodes')) {
    const bytes = await inflate(fromBase64(block.textContent));
    block.remove();
    row += readBlock(bytes, tree, row, depths);
    progress(row / nodes);
  }
  if (row !== nodes) throw new Error(`expected ${nodes} nodes, found ${row}`);
  tree.complete(depths);
  return tree;
}
