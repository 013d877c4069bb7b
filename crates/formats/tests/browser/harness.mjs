// Opens pages in a Chromium without a window, and hears of everything that should not happen.

import { strict as assert } from 'node:assert';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const PROGRAM = process.env.GROMA_TEST_CHROMIUM ?? '/usr/bin/chromium';

/** Runs before any script of the page: keeps what the policy has stopped. */
function listen() {
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
  });
}

/**
 * Calls `use` with an open page. `trouble` collects requests, errors and messages; what is left in it
 * at the end, or was stopped by the policy, fails the case.
 */
export async function withPage(file, options, use) {
  const browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const trouble = [];
    const own = pathToFileURL(file).href;
    page.on('request', (request) => {
      if (request.url() !== own) trouble.push(`request of ${request.url()}`);
    });
    page.on('console', (message) => trouble.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => trouble.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => trouble.push(`dialog: ${dialog.message()}`));
    await page.addInitScript(listen);
    await page.goto(own, { waitUntil: 'commit' });
    await page.waitForSelector('html[data-state=ready], html[data-state=failed]', { state: 'attached', timeout: 120_000 });
    await use(page, trouble);
    trouble.push(...await page.evaluate(() => window.violations));
    assert.deepEqual(trouble, []);
  } finally {
    await browser.close();
  }
}

/** The text of the first element that matches; pairs of the details as an object. */
export const text = (page, selector) => page.locator(selector).first().textContent();

export async function details(page) {
  return page.locator('#details').evaluate((host) => ({
    name: host.querySelector('.detail-name').textContent,
    place: host.querySelector('.detail-place').textContent,
    ...Object.fromEntries([...host.querySelectorAll('dl > div')].map((pair) => [
      pair.querySelector('dt').textContent, pair.querySelector('dd').textContent,
    ])),
  }));
}

/** The names of the rows of the table that are shown, from the top. */
export const names = (page) => page.locator('.row:visible').evaluateAll((rows) => rows
  .sort((a, b) => Number(a.dataset.at) - Number(b.dataset.at))
  .map((row) => row.querySelector('.name').textContent));

export const crumbs = (page) => page.locator('.crumb').allTextContents();

/** Moves the pointer over the map until the card beside it says `wanted`, and the mouse there. */
export async function findTile(page, wanted) {
  const place = await page.locator('#map').evaluate((map, name) => {
    const { left, top, width, height } = map.getBoundingClientRect();
    for (let y = 4; y < height; y += 9) {
      for (let x = 4; x < width; x += 9) {
        const at = { clientX: left + x, clientY: top + y };
        map.dispatchEvent(new PointerEvent('pointermove', at));
        if (document.querySelector('#tip .tip-name')?.textContent === name) return { x: left + x, y: top + y };
      }
    }
    return null;
  }, wanted);
  if (!place) throw new Error(`no tile is called ${wanted}`);
  await page.mouse.move(place.x, place.y);
  return place;
}

/** Waits until a zoom is over: the table then shows the directory of the last crumb. */
export async function settled(page) {
  await page.waitForTimeout(500);
}

/** What is on the screen of the map, as numbers of different colours and a checksum. */
export const picture = (page) => page.locator('#map canvas').first().evaluate((canvas) => {
  // A copy: Chromium warns of a canvas that is read often.
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(data.buffer);
  let sum = 0;
  for (const pixel of pixels) sum = (Math.imul(sum, 31) + pixel) | 0;
  return { colours: new Set(pixels).size, sum };
});
