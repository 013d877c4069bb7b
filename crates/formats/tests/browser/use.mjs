// What people do with a page: look, zoom, search, sort, switch.

import { strict as assert } from 'node:assert';
import { crumbs, details, findTile, names, picture, settled, text, withPage } from './harness.mjs';

/** Opens without a request or a message, and the numbers are those of the tree. */
export const loads = (file) => withPage(file, {}, async (page) => {
  assert.equal(await page.locator('html').getAttribute('data-state'), 'ready');
  assert.equal(await page.title(), 'Known tree');
  assert.equal(await text(page, '#totals'), '20.0 MiB in 9 files');
  assert.equal(await page.locator('#warnings').textContent(), '1 entry could not be read.');
  const root = await details(page);
  assert.equal(root.name, '/data');
  assert.equal(root['On disk'], '20.0 MiB');
  assert.equal(root.Apparent, '1.02 GiB');
  assert.equal(root.Files, '9');
  assert.deepEqual(await names(page), ['alpha', 'beta', 'old.txt', 'sparse.img', 'gamma', 'locked']);
  assert.ok((await picture(page)).colours > 10);
});

/** Clicks zoom in, crumbs and keys zoom out. */
export const zooms = (file) => withPage(file, {}, async (page) => {
  const before = await picture(page);
  const { x, y } = await findTile(page, 'a2.mp4');
  await page.mouse.click(x, y);
  await settled(page);
  assert.deepEqual(await crumbs(page), ['/data', 'alpha']);
  assert.deepEqual(await names(page), ['a2.mp4', 'a1.jpg', 'deep']);
  assert.notEqual((await picture(page)).sum, before.sum);
  await page.keyboard.press('Backspace');
  await settled(page);
  assert.deepEqual(await crumbs(page), ['/data']);
  assert.equal((await details(page)).name, 'alpha', 'where one came from is selected');
  await page.locator('.row', { hasText: 'alpha' }).locator('.open').click();
  await settled(page);
  await page.locator('.row', { hasText: 'deep' }).dblclick();
  await settled(page);
  assert.deepEqual(await crumbs(page), ['/data', 'alpha', 'deep']);
  await page.locator('.crumb').first().click();
  await settled(page);
  assert.deepEqual(await crumbs(page), ['/data']);
  assert.equal((await picture(page)).sum, before.sum, 'the same picture as at first');
});

/** Where people want less motion, the new directory is there at once. */
export const calm = (file) => withPage(file, { reducedMotion: 'reduce' }, async (page) => {
  const after = await page.evaluate(async () => {
    const canvas = document.querySelector('#map canvas');
    document.querySelector('.row .open').click();
    const at = () => canvas.toDataURL();
    const first = at();
    await new Promise((done) => { setTimeout(done, 400); });
    return { first, last: at(), rows: document.querySelectorAll('.row:not([hidden])').length };
  });
  assert.equal(after.first, after.last);
  assert.equal(after.rows, 3);
});

/** The card beside the pointer, and the details of what is selected. */
export const hovers = (file) => withPage(file, {}, async (page) => {
  const { x, y } = await findTile(page, 'sparse.img');
  assert.match(await text(page, '#tip'), /^sparse\.img1\.00 MiB\s+·\s+5\.0 %$/);
  await page.mouse.click(x, y);
  const facts = await details(page);
  assert.deepEqual([facts.name, facts.place, facts.Apparent, facts['On disk']], ['sparse.img', '/data', '1.00 GiB', '1.00 MiB']);
  assert.equal(facts.Owner, 'bob');
  assert.equal(facts.Type, 'other');
  assert.equal(await page.locator('.row[aria-selected=true] .name').textContent(), 'sparse.img');
  await page.mouse.move(2, 2);
  assert.equal(await page.locator('#tip').isVisible(), false);
  await page.locator('.row', { hasText: 'alpha' }).locator('.open').click();
  await settled(page);
  await page.locator('.row', { hasText: 'deep' }).locator('.open').click();
  await settled(page);
  await page.locator('.row', { hasText: 'linked.bin' }).click();
  assert.equal((await details(page))['Hard link'], 'counted at another entry');
});

/** Words, smart case, phrases, sizes; each match counts once. */
export const searches = (file) => withPage(file, {}, async (page) => {
  const found = async (query) => {
    await page.keyboard.press('/');
    await page.locator('#search').fill(query);
    await page.waitForTimeout(300);
    await page.locator('#search').blur();
    return [await text(page, '#search-status'), await names(page)];
  };
  assert.deepEqual(await found('.log'), ['2 matches · 3.00 MiB', ['b.log', 'B-Upper.LOG']]);
  assert.deepEqual(await found('LOG'), ['1 match · 1.00 MiB', ['B-Upper.LOG']]);
  assert.deepEqual(await found('upper b'), ['1 match · 1.00 MiB', ['B-Upper.LOG']]);
  assert.deepEqual(await found('"b upper"'), ['0 matches · 0 B', []]);
  assert.deepEqual(await found('>2Mi <10Mi'), ['4 matches · 16.0 MiB', ['a2.mp4', 'linked.bin', 'a1.jpg', 'old.txt']]);
  assert.deepEqual(await found('É'), ['1 match · 4.00 KiB', ['É-upper.rs']]);
  assert.deepEqual(await found('é'), ['2 matches · 8.00 KiB', ['é-lower.rs', 'É-upper.rs']]);
  // A directory that matches has all below it; what matches below it counts no second time.
  assert.deepEqual(await found('a'), ['6 matches · 17.0 MiB', ['alpha', 'a2.mp4', 'a1.jpg', 'beta', 'sparse.img', 'gamma']]);
  assert.deepEqual(await found('>nonsense'), ['“nonsense” is no size: try 10M, 1.5GiB, 4096', await names(page)]);
  const plain = await found('');
  assert.equal(plain[0], '');
  const before = await picture(page);
  await found('b.log');
  assert.notEqual((await picture(page)).sum, before.sum, 'what does not match is dimmed');
  await page.keyboard.press('Escape');
  assert.equal((await picture(page)).sum, before.sum);
  assert.equal(await page.locator('#search').inputValue(), '');
});

/** Colours, sizes and the legend. */
export const colours = (file) => withPage(file, {}, async (page) => {
  const seen = new Set([(await picture(page)).sum]);
  const legends = new Set([(await page.locator('.chip').allTextContents()).join()]);
  for (const way of ['age', 'owner', 'depth', 'ratio']) {
    await page.locator('#way').selectOption(way);
    seen.add((await picture(page)).sum);
    legends.add((await page.locator('.chip').allTextContents()).join());
  }
  assert.equal(seen.size, 5, 'five ways to colour, five pictures');
  assert.equal(legends.size, 5);
  await page.locator('#way').selectOption('owner');
  assert.deepEqual(await page.locator('.chip').allTextContents(), ['alice', 'bob']);
  const whole = await picture(page);
  await page.locator('.chip', { hasText: 'bob' }).click();
  assert.notEqual((await picture(page)).sum, whole.sum, 'others are dimmed');
  await page.locator('.chip', { hasText: 'bob' }).click();
  assert.equal((await picture(page)).sum, whole.sum);
  await page.locator('#metric').selectOption('size');
  assert.notEqual((await picture(page)).sum, whole.sum);
  assert.equal((await names(page))[0], 'sparse.img');
  await page.locator('#metric').selectOption('count');
  assert.deepEqual((await names(page)).slice(0, 2), ['alpha', 'beta']);
});

/** Types, ages and owners of what is below the directory at hand. */
export const tabs = (file) => withPage(file, {}, async (page) => {
  const lines = async () => (await page.locator('.class-line').allTextContents());
  await page.locator('#tab-types').click();
  assert.deepEqual(await lines(), [
    'videos9.00 MiB45.0 % · 1 file', 'pictures4.00 MiB20.0 % · 1 file', 'documents3.00 MiB15.0 % · 1 file',
    'logs3.00 MiB15.0 % · 2 files', 'other1.00 MiB5.0 % · 2 files', 'code8.00 KiB< 0.1 % · 2 files',
  ]);
  await page.keyboard.press('ArrowRight');
  assert.match((await lines()).join('\n'), /last day13\.0 MiB.*older3\.00 MiB.*unknown/s);
  await page.locator('#tab-owners').click();
  assert.deepEqual((await lines()).map((line) => line.slice(0, 3)), ['ali', 'bob']);
  await page.locator('#tab-contents').click();
  await page.locator('.row', { hasText: 'beta' }).locator('.open').click();
  await settled(page);
  await page.locator('#tab-types').click();
  assert.deepEqual(await lines(), ['logs3.00 MiB100 % · 2 files']);
});

/** A click on a header sorts, a second one turns the order round. */
export const sorts = (file) => withPage(file, {}, async (page) => {
  const head = (column) => page.locator(`.table-head [data-column=${column}]`);
  await head('name').click();
  const byName = ['alpha', 'beta', 'gamma', 'locked', 'old.txt', 'sparse.img'];
  assert.deepEqual(await names(page), byName);
  assert.equal(await head('name').locator('..').getAttribute('aria-sort'), 'ascending');
  await head('name').click();
  assert.deepEqual(await names(page), [...byName].reverse());
  await head('count').click();
  assert.deepEqual((await names(page)).slice(0, 2), ['alpha', 'beta']);
  await head('modified').click();
  assert.deepEqual((await names(page)).slice(-2), ['locked', 'sparse.img'], 'what has no time comes last');
  await head('weight').click();
  await head('weight').click();
  assert.equal((await names(page)).at(-1), 'alpha');
  assert.equal(await head('name').locator('..').getAttribute('aria-sort'), 'none');
});

/** Everything without a mouse. */
export const keys = (file) => withPage(file, {}, async (page) => {
  await page.locator('#map').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal((await details(page)).name, 'alpha', 'the largest comes first');
  const seen = new Set(['alpha']);
  for (const key of ['ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) {
    await page.keyboard.press(key);
    seen.add((await details(page)).name);
  }
  assert.ok(seen.size >= 4, [...seen].join());
  for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowLeft');
  assert.equal((await details(page)).name, 'alpha');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.deepEqual(await crumbs(page), ['/data', 'alpha']);
  await page.keyboard.press('Escape');
  await settled(page);
  assert.deepEqual(await crumbs(page), ['/data']);
  await page.keyboard.press('?');
  assert.equal(await page.locator('#help').isVisible(), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#help').isVisible(), false);
  await page.keyboard.press('a');
  assert.equal(await page.locator('#metric').inputValue(), 'size');
  await page.keyboard.press('c');
  assert.equal(await page.locator('#way').inputValue(), 'age');
  await page.locator('.table-rows').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('.row[aria-selected=true] .name').textContent(), 'alpha');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.deepEqual(await crumbs(page), ['/data', 'alpha']);
});

/** Dark or light, as the system likes it or as one chooses. */
export const themes = async (file) => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  for (const [scheme, first, second] of [
    ['light', 'rgb(255, 255, 255)', 'rgb(18, 22, 28)'],
    ['dark', 'rgb(18, 22, 28)', 'rgb(255, 255, 255)'],
  ]) {
    await withPage(file, { colorScheme: scheme }, async (page) => {
      assert.equal(await ground(page), first);
      const before = await picture(page);
      await page.locator('#theme').click();
      assert.equal(await ground(page), second);
      assert.notEqual((await picture(page)).sum, before.sum);
      await page.keyboard.press('t');
      assert.equal((await picture(page)).sum, before.sum);
    });
  }
};

/** A telephone: nothing is wider than the screen, and everything is there. */
export const narrow = (file) => withPage(file, { viewport: { width: 360, height: 740 } }, async (page) => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);
  assert.ok((await page.locator('#map').boundingBox()).height > 300);
  await page.setViewportSize({ width: 740, height: 360 });
  await page.setViewportSize({ width: 200, height: 100 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.waitForTimeout(200);
  assert.ok((await picture(page)).colours > 10, 'the map is there again');
});

/** A page whose writing was cut short says so. */
export const truncated = (file) => withPage(file, {}, async (page, trouble) => {
  assert.deepEqual(trouble.splice(0), []);
  assert.equal(await page.locator('html').getAttribute('data-state'), 'failed');
  assert.match(await text(page, '#warnings'), /cannot be shown/);
});
