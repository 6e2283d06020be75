/* <loop-room>: the gallery, and run files of the reader's own, picked and dropped; bad ones are refused by their fault. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, WAYS } from './browser.js';
import { long, small } from './runs.js';
import { serve } from './site.js';

let site;
let browser;
before(async () => { [site, browser] = [await serve(), await start()]; });
after(async () => {
  await browser?.close();
  await site?.close();
});

const GALLERY = `<h1>The loop room</h1><loop-room><ul class="gallery">
<li><a href="../runs/two-workers.json">Two workers</a> take turns.</li><li><a href="../runs/pulse-yielding.json">A pulse</a> is late.</li></ul></loop-room>`;
async function room(way) {
  const page = await browser.open(site.page('room', GALLERY), way);
  await page.waitForSelector('recorded-run[data-moment]');
  return page;
}
const file = (name, run) => ({ name, mimeType: 'application/json', buffer: Buffer.from(typeof run === 'string' ? run : JSON.stringify(run)) });
const said = (page) => page.locator('loop-room [role=status]');
const title = (page) => page.locator('recorded-run .name b').textContent();

for (const [name, way] of [['by mouse', undefined], ['by touch', WAYS.phone]]) {
  test(`${name}: a program of the gallery is chosen`, async () => {
    const page = await room(way);
    const first = await title(page);
    await page.locator('loop-room select').first().selectOption({ label: 'A pulse' });
    await page.waitForFunction((before) => document.querySelector('recorded-run .name b').textContent !== before, first);
    assert.match(await title(page), /pulse/i);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(page.faults, []);
  });
}

test('by keyboard: a program is chosen, and the run is reached by Tab', async () => {
  const page = await room();
  await page.locator('loop-room select').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => /pulse/i.test(document.querySelector('recorded-run .name b').textContent));
  for (let n = 0; n < 20 && !await page.evaluate(() => document.activeElement.matches('.track')); n += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  assert.match(await page.locator('.sentence').textContent(), /^The run is over/);
});

test('a file of the reader is picked, and picked again after it has changed', async () => {
  const page = await room();
  for (const run of [small(), { ...long(200), title: 'Another', cut: 'It was cut off after 10 s.' }]) {
    await page.getByLabel('Your own run file').setInputFiles(file('mine.json', run));
    await page.waitForFunction((name) => document.querySelector('recorded-run .name b').textContent === name, run.title);
  }
  assert.match(await said(page).textContent(), /^mine\.json: \d+ turns, 2\d\d handles\. It was cut off after 10 s\.$/);
  assert.deepEqual(page.faults, []);
});

test('a file is dropped', async () => {
  const page = await room();
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
    return transfer;
  }, JSON.stringify(small()));
  const live = page.locator('loop-room > .live');
  await live.dispatchEvent('dragover', { dataTransfer: data });
  assert.ok(await page.locator('loop-room.over').count());
  await live.dispatchEvent('drop', { dataTransfer: data });
  await page.waitForFunction(() => document.querySelector('recorded-run .name b').textContent === 'A small run');
  assert.equal(await page.locator('loop-room.over').count(), 0);
});

const late = small();
late.turns[2].t = 10;
for (const [name, content, message] of [
  ['broken.json', '{"format": ', /^broken\.json cannot be shown: This is not JSON: /],
  ['other.json', '{"turns": []}', /^other\.json cannot be shown: It has no "format"/],
  ['next.json', '{"format": "loop-run/2"}', /The format is "loop-run\/2"; this page reads "loop-run\/1"/],
  ['late.json', late, /Turn 3: the clock goes back, from 50 ms to 10 ms/],
  ['picture.png', '\u0089PNG', /This is not JSON/],
]) {
  test(`${name} is refused by the name of its fault, and the run shown stays`, async () => {
    const page = await room();
    const before = await title(page);
    await page.getByLabel('Your own run file').setInputFiles(file(name, content));
    await page.waitForFunction(() => / cannot be shown: /.test(document.querySelector('loop-room [role=status]').textContent));
    assert.match(await said(page).textContent(), message);
    assert.equal(await title(page), before);
    assert.deepEqual(page.faults, []);
  });
}

test('a file that is too large is refused before it is read', async () => {
  const page = await room();
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(41e6)], 'large.json'));
    return transfer;
  });
  await page.locator('loop-room > .live').dispatchEvent('drop', { dataTransfer: data });
  await page.waitForFunction(() => /cannot be shown/.test(document.querySelector('loop-room [role=status]').textContent));
  assert.match(await said(page).textContent(), /^large\.json cannot be shown: it has 41 MB, and 40 MB is the most\. Record a shorter run/);
});

test('text in a file is text, never markup', async () => {
  const page = await room();
  const run = small();
  const evil = '<img src=x onerror="document.title=1">';
  run.title = run.text = run.handles[0].name = run.tasks[0] = run.turns[0].phase = evil;
  run.turns[0].ran[0].log = [[evil, evil]];
  run.source.rust[1] = evil;
  await page.getByLabel('Your own run file').setInputFiles(file('evil.json', run));
  await page.waitForFunction((name) => document.querySelector('recorded-run .name b').textContent === name, evil);
  await page.getByRole('button', { name: 'handle on', exact: true }).click();
  assert.equal(await page.locator('loop-room img').count(), 0);
  assert.deepEqual(page.faults, []);
});

test('without JavaScript the gallery is a list of links', async () => {
  const page = await browser.open(site.page('plain', GALLERY), { javaScriptEnabled: false });
  assert.ok(await page.getByRole('link', { name: 'Two workers' }).isVisible());
});
