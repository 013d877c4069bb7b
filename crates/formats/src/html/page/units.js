// Numbers for people: sizes, counts, shares, times.

let UNIT_STEP = 1024;
let UNIT_NAMES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Powers of 1000 instead of 1024. */
function useDecimalUnits() {
  UNIT_STEP = 1000;
  UNIT_NAMES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
}

/** Bytes with three digits: `4.21 MiB`. */
function showSize(bytes) {
  let unit = 0;
  let value = bytes;
  while (value >= UNIT_STEP * 0.9995 && unit < UNIT_NAMES.length - 1) {
    value /= UNIT_STEP;
    unit += 1;
  }
  if (unit === 0) return `${value} ${UNIT_NAMES[0]}`;
  const decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(decimals)} ${UNIT_NAMES[unit]}`;
}

const SEPARATED = new Intl.NumberFormat('en-GB');

/** A count with separators: `1,234`. */
function showCount(count) {
  return SEPARATED.format(count);
}

/** A count and its noun: `1 file`, `2 files`. */
function counted(count, one, many = `${one}s`) {
  return `${showCount(count)} ${count === 1 ? one : many}`;
}

/** A share of a whole: `12.3 %`. */
function showShare(part, whole) {
  if (!(whole > 0)) return '0 %';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent.toFixed(percent < 99.95 ? 1 : 0)} %`;
}

/** Seconds since 1970 as a date, with the time of day if wanted; nothing for what is not known. */
function showTime(seconds, long = false) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(seconds) || Number.isNaN(date.getTime())) return '';
  const two = (number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return long ? `${day} ${two(date.getHours())}:${two(date.getMinutes())}` : day;
}

/** A size as people type it, `10M` or `1.5 GiB`, in bytes; NaN if it is none. */
function readSize(text) {
  const match = /^(\d+(?:\.\d+)?)([kmgtp]?)(i?)b?$/i.exec(text);
  if (!match) return NaN;
  const power = ' kmgtp'.indexOf(match[2].toLowerCase() || ' ');
  return Math.floor(Number(match[1]) * (match[3] ? 1024 : 1000) ** power);
}
