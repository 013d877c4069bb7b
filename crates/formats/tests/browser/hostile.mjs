// Names that mean harm: shown as they are escaped, never run; and the policy behind that works.

import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { crumbs, findTile, names, settled, withPage } from './harness.mjs';

const canary = (page) => page.evaluate(() => window.__pwned);

/** Every name is shown, in every view, and nothing of it runs. */
export const shown = (file, expected) => withPage(file, {}, async (page) => {
  const wanted = new Set(JSON.parse(readFileSync(expected, 'utf8')));
  await page.locator('[data-column=name]').click();
  const seen = new Set();
  const view = page.locator('.table-rows');
  for (let step = 0; step < 12; step++) {
    for (const name of await names(page)) seen.add(name);
    await view.evaluate((element) => { element.scrollTop += 200; });
    await page.waitForTimeout(30);
  }
  for (const name of wanted) assert.ok(seen.has(name), `not shown: ${JSON.stringify(name)}`);
  const elements = await page.evaluate(() => document.querySelectorAll('b, img, svg[onload], [onerror], [onmouseover]').length);
  assert.equal(elements, 0, 'no name became an element');
  assert.equal(await page.locator('script:not([type])').count(), 1);
  const bidi = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
  assert.doesNotMatch(await page.evaluate(() => document.title + document.body.innerText), bidi);
  assert.equal(await canary(page), undefined);
});

/** Opening, hovering, searching, switching: still nothing runs. */
export const used = (file) => withPage(file, {}, async (page) => {
  await page.locator('#metric').selectOption('count');
  const name = '</script><script>window.__pwned=2</script>';
  const { x, y } = await findTile(page, name);
  await page.mouse.click(x, y);
  await settled(page);
  // What has this name is a file and a directory: whichever it was, go on from the root.
  await page.locator('.crumb').first().click();
  await settled(page);
  await page.locator('[data-column=name]').click();
  await page.locator('.row', { hasText: name }).locator('.open:visible').click();
  await settled(page);
  assert.equal((await crumbs(page)).length, 2);
  for (const query of ['<script', '"><svg', '\u202e', '"', '""', '>', '< >', '\\', '{{meta}}', '__proto__']) {
    await page.locator('#search').fill(query);
    await page.waitForTimeout(160);
  }
  await page.keyboard.press('Escape');
  for (const tab of ['types', 'ages', 'owners', 'contents']) await page.locator(`#tab-${tab}`).click();
  for (const way of ['age', 'owner', 'depth', 'ratio', 'type']) await page.locator('#way').selectOption(way);
  await page.evaluate(() => document.querySelectorAll('.row:not([hidden])').forEach((row) => row.click()));
  assert.equal(await canary(page), undefined);
});

/** Extreme numbers and times arrive as they are, or as the nearest that can be shown. */
export const extremes = (file) => withPage(file, {}, async (page) => {
  await page.locator('#metric').selectOption('size');
  const row = page.locator('.row', { hasText: 'huge' });
  assert.equal(await row.locator('.number').first().textContent(), '4.00 PiB');
  await row.click();
  assert.match(await page.locator('#details').textContent(), /On disk0 B/);
});

/**
 * Were a name to get into the page as HTML after all, the policy would stop it. The same page without
 * its policy rings the alarm: so the alarm works.
 */
export const policy = async (file) => {
  const html = readFileSync(file, 'latin1');
  const attack = '<body><script>window.__pwned=1</script><img src="x" onerror="window.__pwned=2">'
    + '<link rel="stylesheet" href="https://example.invalid/a.css">';
  const attacked = html.replace('<body>', attack);
  assert.notEqual(attacked, html);
  writeFileSync(`${file}.attacked.html`, attacked, 'latin1');
  await withPage(`${file}.attacked.html`, {}, async (page, trouble) => {
    assert.equal(await canary(page), undefined);
    assert.equal(await page.locator('html').getAttribute('data-state'), 'ready', 'the page itself works on');
    const stopped = await page.evaluate(() => window.violations.splice(0));
    for (const kind of ['script-src-elem inline', 'img-src', 'style-src-elem https']) {
      assert.ok(stopped.some((one) => one.startsWith(kind)), `not stopped: ${kind}: ${stopped}`);
    }
    trouble.length = 0;
  });
  const open = attacked.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  assert.notEqual(open, attacked);
  writeFileSync(`${file}.open.html`, open, 'latin1');
  await withPage(`${file}.open.html`, {}, async (page, trouble) => {
    await page.waitForFunction(() => window.__pwned === 2);
    trouble.length = 0;
  });
};

/** Text never becomes HTML, whoever tries: not even a script of the page could. */
export const trusted = (file) => withPage(file, {}, async (page, trouble) => {
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<i>x</i>';
    } catch (error) {
      return error.name;
    }
    return 'done';
  });
  assert.equal(refused, 'TypeError');
  await page.waitForTimeout(100);
  const stopped = await page.evaluate(() => window.violations.splice(0));
  assert.equal(stopped.length, 1, stopped.join());
  trouble.length = 0;
});
