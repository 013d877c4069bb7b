// Large trees: how long a page takes to open, and how smoothly it goes on.

import { strict as assert } from 'node:assert';
import { crumbs, names, picture, settled, text, withPage } from './harness.mjs';

/**
 * Bounds, in milliseconds, that hold on a machine of two cores with many times the work it can do; on an
 * idle one a tenth of them is usual, and what was measured is printed.
 */
const LOAD = 20_000;
const FRAME = 150;
const SEARCH = 8000;
const SORT = 8000;

/** The times between frames while `act` is done in the page and for a while after. */
const frames = (page, act) => page.evaluate(async (wanted) => {
  const acts = {
    open: () => document.querySelector('.row:not([hidden]) .open:not([hidden])').click(),
    up: () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Backspace' })),
    scroll: () => { document.querySelector('.table-rows').scrollTop = 1e6; },
  };
  const times = [];
  let going = true;
  const tick = (now) => {
    times.push(now);
    if (going) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  await new Promise((done) => { setTimeout(done, 50); });
  const start = performance.now();
  acts[wanted]();
  const blocked = performance.now() - start;
  await new Promise((done) => { setTimeout(done, 450); });
  going = false;
  const gaps = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
  return { frames: gaps.length, median: gaps[gaps.length >> 1], worst: gaps.at(-1), blocked };
}, act);

const rounded = (numbers) => JSON.stringify(numbers, (_, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value));

/** Opens a million nodes, zooms through them, searches and sorts. */
export const million = (file) => withPage(file, {}, async (page) => {
  const load = await page.evaluate(() => performance.now());
  console.log(`ready after ${Math.round(load)} ms`);
  assert.ok(load < LOAD, `${load} ms to load`);
  assert.match(await text(page, '#totals'), /files$/);
  assert.ok((await picture(page)).colours > 20);

  const steps = [];
  for (let depth = 0; depth < 3; depth++) {
    const zoom = await frames(page, 'open');
    console.log(`zoom in: ${rounded(zoom)}`);
    steps.push(zoom);
    await settled(page);
    assert.equal((await crumbs(page)).length, depth + 2);
  }
  for (let depth = 3; depth > 0; depth--) {
    const zoom = await frames(page, 'up');
    console.log(`zoom out: ${rounded(zoom)}`);
    steps.push(zoom);
    await settled(page);
  }
  for (const { median } of steps) assert.ok(median < FRAME, `${median} ms between frames`);

  const search = await page.evaluate(async () => {
    const input = document.getElementById('search');
    const run = (query) => {
      input.value = query;
      const start = performance.now();
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      return performance.now() - start;
    };
    return { first: run('summer'), again: run('index flac'), all: run('-'), none: run('no such name') };
  });
  console.log(`search: ${rounded(search)}`);
  for (const time of Object.values(search)) assert.ok(time < SEARCH, `${time} ms to search`);
});

/** A directory of very many files: opening, sorting and scrolling it does not hang. */
export const flat = (file) => withPage(file, {}, async (page) => {
  const sorted = await page.evaluate(() => {
    const times = {};
    for (const column of ['name', 'modified', 'weight', 'count']) {
      const start = performance.now();
      document.querySelector(`[data-column=${column}]`).click();
      times[column] = performance.now() - start;
    }
    document.querySelector('[data-column=name]').click();
    return times;
  });
  console.log(`sort: ${rounded(sorted)}`);
  for (const time of Object.values(sorted)) assert.ok(time < SORT, `${time} ms to sort`);
  assert.equal((await names(page))[0], 'file-000000.dat');
  assert.ok(await page.locator('.row').count() < 100, 'only rows that are seen are made');
  await page.locator('.table-rows').focus();
  await page.keyboard.press('End');
  assert.equal((await names(page)).at(-1), 'file-199999.dat');
  const { blocked } = await frames(page, 'scroll');
  console.log(`scroll: ${blocked} ms`);
  assert.ok(blocked < FRAME);
});
