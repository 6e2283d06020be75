/*
 * Every page of the book: axe finds nothing in its main part, the console is silent, nothing is asked for outside,
 * nothing moves while it loads, and its components are drawn. In print and without JavaScript the stills are there.
 */
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from '../book/components/model.js';
import { start, WAYS } from './browser.js';
import { BOOK, serve } from './site.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = 'recorded-run, loop-room, loop-map, turn-stepper, responsiveness-lab, watch-it-run';
let site;
let browser;
before(async () => { [site, browser] = [await serve(), await start()]; });
after(async () => {
  await browser?.close();
  await site?.close();
});

// The print page repeats all the others; `toc.html` and 404 are mdBook's own.
const entries = await readdir(BOOK, { recursive: true, withFileTypes: true });
const pages = entries.filter((e) => e.name.endsWith('.html')).map((e) => relative(BOOK, join(e.parentPath, e.name)).split(sep).join('/'))
  .filter((path) => !/^(print|toc|404)\.html$|^index\.html$/.test(path)).sort();

test('there are pages, and components on them', async () => {
  assert.ok(pages.length > 10, `${pages.length} pages`);
  const texts = await Promise.all(pages.map((path) => readFile(join(BOOK, path), 'utf8')));
  for (const tag of TAGS.split(', ')) assert.ok(texts.some((text) => text.includes(`<${tag}`)), `<${tag}> stands on a page`);
});

const drawn = (page) => page.waitForFunction((tags) => [...document.querySelectorAll(tags)].every((host) => host.querySelector('.live')?.childElementCount > 1), TAGS);

for (const path of pages) {
  test(`${path}: sound, silent, still`, async () => {
    const page = await browser.open(site.address + path);
    await drawn(page);
    const moved = await page.evaluate(() => new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().flatMap((e) => e.sources.map((s) => s.node?.parentElement?.closest('main') && `${e.value}: ${s.node.outerHTML?.slice(0, 80)}`)).filter(Boolean))).observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => resolve([])));
    }));
    assert.deepEqual(moved, []);
    await page.addScriptTag({ path: AXE });
    const faults = async (where, options) => (await page.evaluate((args) => axe.run(...args), [where, { ...options, resultTypes: ['violations'] }]))
      .violations.map((v) => `${v.id}: ${v.help}: ${v.nodes[0].html}`);
    assert.deepEqual(await faults('main'), []);
    const tags = await page.evaluate((all) => all.split(', ').filter((tag) => document.querySelector(tag)), TAGS);
    if (tags.length) {
      await page.evaluate(() => document.documentElement.classList.replace('light', 'navy'));
      assert.deepEqual(await faults({ include: tags }, { runOnly: ['color-contrast'] }), [], 'in the dark');
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test('on a phone no page scrolls sideways', async () => {
  const page = await browser.open(site.address + pages[0], WAYS.phone);
  for (const path of pages) {
    await page.goto(site.address + path);
    await drawn(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
  }
});

test('without JavaScript and in print a still stands for each component', async () => {
  const plain = await browser.open(site.address + pages[0], { javaScriptEnabled: false });
  const paper = await browser.open(site.address + pages[0]);
  for (const path of pages) {
    for (const page of [plain, paper]) {
      await page.emulateMedia({ media: page === paper ? 'print' : 'screen' });
      await page.goto(site.address + path);
      for (const host of await page.locator(TAGS).filter({ visible: true }).all()) {
        assert.ok((await host.locator(':scope > :not(.live)').filter({ visible: true }).count()) > 0, `${path}: ${await host.evaluate((e) => e.outerHTML.slice(0, 80))}`);
      }
      assert.equal(await page.locator('.live').filter({ visible: true }).count(), 0);
    }
  }
});

test('the page for printing shows the stills and asks for no module', async () => {
  const page = await browser.open(`${site.address}print.html`);
  assert.equal(await page.locator('.live').count(), 0);
  assert.equal(await page.locator(TAGS).filter({ visible: true }).count(), await page.locator(TAGS).count());
  assert.ok(await page.locator('recorded-run figure').first().isVisible());
  assert.deepEqual(page.faults, []);
});

test('every recording of the book is one the model takes', async () => {
  const names = (await readdir(join(BOOK, 'runs'))).filter((name) => name.endsWith('.json'));
  let runs = 0;
  for (const name of names) {
    const data = JSON.parse(await readFile(join(BOOK, 'runs', name), 'utf8'));
    if (data.format !== 'loop-run/1') continue;
    load(data);
    runs += 1;
  }
  assert.ok(runs >= 10, `${runs} recordings`);
});
