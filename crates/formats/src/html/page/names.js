// Names: bytes in, text out that is safe to look at.

/** Ranges of characters that nobody sees, or that change how others are shown: [low, high, ...]. */
let INVISIBLE = new Uint32Array(0);

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether all bytes are printable ASCII: such names need no care. */
function isPlain(bytes, from, to) {
  for (let at = from; at < to; at++) {
    if (bytes[at] < 0x20 || bytes[at] > 0x7e) return false;
  }
  return true;
}

/** Whether a character must not be shown as it is. A tab may. */
function isHostile(code) {
  if (code < 0x20) return code !== 9;
  if (code < 0x7f) return false;
  if (code < 0xa0) return true;
  for (let at = 0; at < INVISIBLE.length; at += 2) {
    if (code <= INVISIBLE[at + 1]) return code >= INVISIBLE[at];
  }
  return false;
}

/** `\x1B` up to U+00FF, `\u{202E}` above. */
function escapeCode(code) {
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex.padStart(4, '0')}}`;
}

/** How many bytes the UTF-8 character at `at` has; 0 if there is none. */
function utf8Length(bytes, at, to) {
  const lead = bytes[at];
  const tail = (offset, low = 0x80, high = 0xbf) =>
    at + offset < to && bytes[at + offset] >= low && bytes[at + offset] <= high;
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return tail(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const low = lead === 0xe0 ? 0xa0 : 0x80;
    const high = lead === 0xed ? 0x9f : 0xbf;
    return tail(1, low, high) && tail(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const low = lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xf4 ? 0x8f : 0xbf;
    return tail(1, low, high) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

/** Bytes as text: what is no UTF-8, invisible or reverses the order of text becomes an escape. */
function showBytes(bytes, from, to) {
  if (isPlain(bytes, from, to)) return String.fromCharCode.apply(null, bytes.subarray(from, to));
  let text = '';
  for (let at = from; at < to; ) {
    const length = utf8Length(bytes, at, to);
    if (length === 0) {
      text += escapeCode(bytes[at++]);
      continue;
    }
    const character = STRICT.decode(bytes.subarray(at, at + length));
    const code = character.codePointAt(0);
    text += isHostile(code) ? escapeCode(code) : character;
    at += length;
  }
  return text;
}
