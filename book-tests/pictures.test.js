/*
 * The map, the stepper, the responsiveness lab and "watch it run", in the browser: by mouse, by keys, by touch, and
 * what they show against the run files of the built book.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { start, WAYS } from './browser.js';
import { BOOK, recorded, serve } from './site.js';

const TAGS = {
  'loop-map': '<loop-map><figure class="still"><p>a still picture</p></figure></loop-map>',
  'turn-stepper': '<turn-stepper data-run="../runs/six-steps.json"><figure class="still"><p>a still picture</p></figure></turn-stepper>',
  'responsiveness-lab': '<responsiveness-lab data-run="../runs/responsiveness.json"><figure class="still"><p>a still picture</p></figure></responsiveness-lab>',
  'watch-it-run': '<watch-it-run data-run="../runs/two-workers.json ../runs/rude-task.json ../runs/rude-offloaded.json"><figure class="still"><p>a still picture</p></figure></watch-it-run>',
};
let site;
let browser;
before(async () => { [site, browser] = [await serve(), await start()]; });
after(async () => { await browser?.close(); await site?.close(); });

/** A page of the book with these tags in it, all drawn. */
async function shown(tags, options) {
  const names = [].concat(tags);
  const page = await browser.open(site.page(names.join('-'), `<h1>A page</h1>${names.map((name) => TAGS[name]).join('')}`), options);
  for (const name of new Set(names)) await page.waitForFunction((tag) => [...document.querySelectorAll(tag)].every((e) => e.querySelector('.live')?.childElementCount > 1), name);
  return page;
}
/** Closes a page in which nothing may have gone wrong. */
async function fine(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}
/** All that is to be seen of a component, as one text. */
const seen = (page, tag) => page.$eval(tag, (host) => `${host.querySelector('.live').innerText}|${
  [...host.querySelectorAll('.lit, [aria-current="step"], :checked, .row i')].map((e) => `${e.className} ${e.getAttribute('style')}`).join()}`);
const data = (page, tag, key) => page.$eval(tag, (host, name) => host.dataset[name], key);

describe('the map', () => {
  test('each part is explained, and leads to a heading that is there', async () => {
    const page = await shown('loop-map');
    const parts = page.locator('loop-map .part');
    const said = new Set();
    for (let k = 0; k < await parts.count(); k += 1) {
      await parts.nth(k).focus();
      assert.equal(await page.locator('loop-map .lit').count(), 1);
      const about = page.locator('loop-map .about');
      said.add(await about.innerText());
      const [path, id] = new URL(await about.locator('a').getAttribute('href')).pathname.length && new URL(await about.locator('a').getAttribute('href')).href.slice(site.address.length).split('#');
      assert.match(await readFile(`${BOOK}/${path}`, 'utf8'), new RegExp(`id="${id}"`), `${path}#${id}`);
    }
    assert.equal(said.size, await parts.count());
    await fine(page);
  });

  test('hover explains, the arrows go round, and Tab leaves by way of the link', async () => {
    const page = await shown('loop-map');
    await page.hover('loop-map .timeout');
    assert.match(await page.locator('loop-map .about').innerText(), /^timeout/);
    await page.focus('loop-map .ready');
    await page.keyboard.press('ArrowLeft');
    const before = await data(page, 'loop-map', 'part');
    await page.keyboard.press('ArrowRight');
    assert.equal(await data(page, 'loop-map', 'part'), 'ready');
    assert.notEqual(before, 'ready');
    for (let k = 0; k < await page.locator('loop-map .part').count(); k += 1) await page.keyboard.press('ArrowDown');
    assert.equal(await data(page, 'loop-map', 'part'), 'ready');
    assert.match(page.url(), /loop-map\.html$/);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'A');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => Boolean(document.activeElement.closest('loop-map'))), false);
    await fine(page);
  });

  test('a touch explains', async () => {
    const page = await shown('loop-map', WAYS.phone);
    await page.tap('loop-map .hatch');
    assert.match(await page.locator('loop-map .about').innerText(), /^_ssock/);
    await fine(page);
  });
});

describe('the stepper', () => {
  test('at each moment the containers hold what the run says', async () => {
    const run = await recorded('six-steps');
    const page = await shown('turn-stepper');
    const name = (id) => run.handles[id].name;
    const chips = (part) => page.$$eval(`turn-stepper .${part} .chip`, (list) => list.map((e) => e.firstChild.data));
    await page.focus('turn-stepper .hljs');
    for (const [k, turn] of run.turns.entries()) {
      assert.match(await page.innerText('turn-stepper .where'), new RegExp(`^turn ${k + 1} of`));
      assert.equal((await page.locator('turn-stepper .told li').first().innerText()), `len(_scheduled): ${turn.heap.join(' → ')}`);
      await page.keyboard.press('2');
      assert.match(await page.innerText('turn-stepper .told'), new RegExp(`timeout = ${turn.timeout === null ? 'None' : `${turn.timeout} ms`}`));
      await page.keyboard.press('5');
      assert.deepEqual(await chips('ready'), turn.ran.map((r) => name(r.h)));
      for (const [at, r] of turn.ran.entries()) {
        await page.keyboard.press('.');
        assert.deepEqual(await chips('callback'), [name(r.h)]);
        assert.deepEqual(await chips('ready'), [...turn.ran.slice(at + 1), ...turn.ran.slice(0, at + 1).flatMap((s) => (s.ready ?? []).map((h) => ({ h })))].map((s) => name(s.h)));
      }
      await page.keyboard.press('.');
    }
    assert.equal(await page.innerText('turn-stepper .where'), 'the end');
    await fine(page);
  });

  test('the lines of the step are lit, and no others', async () => {
    const { run_once } = await recorded('listings');
    const page = await shown('turn-stepper');
    for (let step = 1; step <= 6; step += 1) {
      await page.click(`turn-stepper .steps button:nth-child(${step})`);
      const lit = await page.$$eval('turn-stepper .line.lit', (list) => list.map((e) => e.textContent.trimEnd()));
      assert.match(lit[0], new RegExp(`// Step ${step}:`));
      assert.equal(lit.filter((line) => line.includes('// Step')).length, 1);
      assert.ok(lit.every((line) => run_once.lines.includes(line)));
      assert.ok(await page.locator('turn-stepper .line.lit').first().evaluate((e) => {
        const [line, box] = [e, e.parentElement].map((x) => x.getBoundingClientRect());
        return line.top >= box.top && line.bottom <= box.bottom;
      }));
    }
    await fine(page);
  });

  test('back is the way on, the other way round', async () => {
    const page = await shown('turn-stepper');
    await page.focus('turn-stepper .hljs');
    await page.keyboard.press('Home');
    const on = [await seen(page, 'turn-stepper')];
    for (;;) {
      await page.keyboard.press('.');
      const now = await seen(page, 'turn-stepper');
      if (now === on.at(-1)) break;
      on.push(now);
    }
    assert.ok(on.length > 15);
    for (const expected of on.toReversed()) {
      assert.equal(await seen(page, 'turn-stepper'), expected);
      await page.keyboard.press(',');
    }
    await page.keyboard.press('End');
    assert.equal(await seen(page, 'turn-stepper'), on.at(-1));
    await fine(page);
  });

  test('buttons and touch do what the keys do', async () => {
    const page = await shown('turn-stepper', WAYS.phone);
    await page.tap('turn-stepper .steps button:nth-child(3)');
    assert.match(await page.innerText('turn-stepper .told'), /step 3/);
    await page.tap('turn-stepper [aria-label="on (.)"]');
    assert.match(await page.innerText('turn-stepper .told'), /step 4/);
    await page.tap('turn-stepper [aria-label="next turn (n)"]');
    assert.match(await page.innerText('turn-stepper .where'), /^turn 2/);
    await page.tap('turn-stepper [aria-label="previous turn (p)"]');
    assert.match(await page.innerText('turn-stepper .where'), /^turn 1/);
    await fine(page);
  });
});

describe('the responsiveness lab', () => {
  const choose = (page, legend, label) => page.locator('responsiveness-lab fieldset', { hasText: legend }).getByText(label, { exact: true }).click();

  test('it opens with the case of the chapter: 300 ms, in three turns of 100', async () => {
    const page = await shown('responsiveness-lab');
    assert.match(await page.innerText('responsiveness-lab .said'), /^4 ticks in 1000 ms, 96 missed.* median 300 ms, longest 300 ms/);
    assert.match(await page.innerText('responsiveness-lab .why'), /^Why 300 ms and not 100 ms\?/);
    assert.match(await page.innerText('responsiveness-lab .moral'), /^100 \+ 100 \+ 100 = 300 ms\./);
    const turns = await page.locator('responsiveness-lab .turns > li').allInnerTexts();
    assert.equal(turns.length, 3);
    assert.match(turns[0], /The deadline passes, and nobody looks/);
    assert.match(turns[1], /behind step:worker/);
    assert.match(turns[2], /tick, 290 ms late/);
    await fine(page);
  });

  test('every cell of the grid is told, and its turns add up to its first gap', async () => {
    const page = await shown('responsiveness-lab');
    const faults = await page.$eval('responsiveness-lab', (host) => {
      const faults = [];
      const sets = [...host.querySelectorAll('fieldset')].map((set) => [...set.querySelectorAll('input')]);
      const visit = ([set, ...rest]) => {
        if (set) return set.forEach((input) => { input.checked = true; visit(rest); });
        host.show();
        const choice = host.dataset.choice;
        const text = host.querySelector('.live').innerText;
        const [, sum] = /= ([\d.]+) ms/.exec(host.querySelector('.moral').textContent);
        const [kind, chunk, tasks, period] = choice.split(' ');
        const { chunks, periods, tasks: many, kinds, cells } = host.grid;
        const cell = cells[((chunks.indexOf(+chunk) * periods.length + periods.indexOf(+period)) * many.length + many.indexOf(+tasks)) * kinds.length + kinds.indexOf(kind)];
        if (+sum !== cell.gaps[0][0]) faults.push(`${choice}: ${sum} for ${cell.gaps[0][0]}`);
        if (!text.includes(`${cell.missed} missed`)) faults.push(`${choice}: missed`);
        if (host.querySelectorAll('.strip i.tick').length !== cell.ticks) faults.push(`${choice}: ticks`);
        if (/undefined|NaN|null/.test(host.outerHTML)) faults.push(`${choice}: a value is missing`);
      };
      visit(sets);
      return faults;
    });
    assert.deepEqual(faults, []);
    await fine(page);
  });

  test('choices by mouse and by keys; the turns one by one, forth and back', async () => {
    const page = await shown('responsiveness-lab');
    await choose(page, 'The worker', 'blocks on another thread');
    assert.match(await page.innerText('responsiveness-lab .said'), /, 0 missed/);
    await page.keyboard.press('ArrowUp');
    assert.equal((await data(page, 'responsiveness-lab', 'choice')).split(' ')[0], 'cooperative');
    await page.keyboard.press('ArrowUp');
    const at = () => data(page, 'responsiveness-lab', 'turn');
    const first = await seen(page, 'responsiveness-lab');
    await page.keyboard.press('.');
    await page.click('responsiveness-lab [aria-label="the next turn (.)"]');
    assert.equal(await at(), '2');
    await page.keyboard.press('.');
    assert.equal(await at(), '2');
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    assert.equal(await seen(page, 'responsiveness-lab'), first);
    await fine(page);
  });

  test('by touch', async () => {
    const page = await shown('responsiveness-lab', WAYS.phone);
    await page.locator('responsiveness-lab').getByText('20 ms', { exact: true }).first().tap();
    assert.match(await page.innerText('responsiveness-lab .moral'), /^20 \+ 20 \+ 20 = 60 ms\./);
    await fine(page);
  });
});

describe('watch it run', () => {
  test('four stages, each with its moral, the numbers those of the recording', async () => {
    const page = await shown('watch-it-run');
    const morals = [];
    for (const k of [1, 2, 3, 4]) {
      await page.click(`watch-it-run .steps button:nth-child(${k})`);
      morals.push(await page.innerText('watch-it-run .moral'));
    }
    assert.equal(new Set(morals).size, 4);
    const run = await recorded('rude-task');
    const rude = run.turns.flatMap((turn) => turn.ran).find((r) => r.end > r.t);
    assert.match(morals[2], new RegExp(`run at ${rude.end} ms`));
    assert.equal(await page.locator('watch-it-run .late').count(), 0);
    await page.keyboard.press('p');
    assert.equal(await page.locator('watch-it-run .late').count(), 2);
    await fine(page);
  });

  test('forth and back by keys, and it plays to the end by itself', async () => {
    const page = await shown('watch-it-run', { reducedMotion: 'reduce' });
    await page.click('watch-it-run .steps button:nth-child(3)');
    await page.keyboard.press('Home');
    const on = [];
    const last = async () => +await data(page, 'watch-it-run', 'frame');
    for (let k = -1; await last() !== k; await page.keyboard.press('.')) {
      k = await last();
      on.push(await page.$eval('watch-it-run', (e) => e.querySelector('output').textContent + e.querySelector('.veil').style.cssText));
    }
    for (const expected of on.toReversed()) {
      assert.equal(await page.$eval('watch-it-run', (e) => e.querySelector('output').textContent + e.querySelector('.veil').style.cssText), expected);
      await page.keyboard.press(',');
    }
    await page.click('watch-it-run .steps button:nth-child(1)');
    await page.getByText('▶ Play').click();
    assert.ok(await last() < 3);
    await page.getByText('Pause').waitFor();
    await page.getByText('▶ Play').waitFor();
    assert.equal(await last(), 3);
    await fine(page);
  });

  test('by touch', async () => {
    const page = await shown('watch-it-run', WAYS.phone);
    await page.tap('watch-it-run .steps button:nth-child(4)');
    assert.match(await page.innerText('watch-it-run .moral'), /another|sent away/);
    await fine(page);
  });
});

describe('all of them', () => {
  const all = Object.keys(TAGS);

  for (const [way, options] of Object.entries(WAYS)) {
    test(`nothing is wider than the page, and axe has nothing to say (${way})`, async () => {
      const page = await shown(all, options);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.addScriptTag({ path: new URL('node_modules/axe-core/axe.min.js', import.meta.url).pathname });
      const { violations } = await page.evaluate(() => axe.run('main'));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`), []);
      await fine(page);
    });
  }

  test('without JavaScript and in print the still picture stands, and nothing else', async () => {
    for (const name of all) {
      const off = await browser.open(site.page(`off-${name}`, TAGS[name]), { javaScriptEnabled: false });
      assert.ok(await off.isVisible('.still'));
      await fine(off);
      const page = await shown(name);
      assert.ok(!await page.isVisible('.still'));
      await page.emulateMedia({ media: 'print' });
      assert.ok(await page.isVisible('.still'));
      assert.ok(!await page.isVisible('.live'));
      await fine(page);
    }
  });

  test('two on a page leave each other alone', async () => {
    for (const name of all) {
      const page = await shown([name, name]);
      const text = () => page.$$eval(name, (hosts) => hosts.map((host) => host.outerHTML));
      const [, second] = await text();
      await page.locator(`${name} :is(.part.hatch, .steps button:nth-child(4), label:nth-child(5))`).first().click();
      const now = await text();
      assert.notEqual(now[0], now[1]);
      assert.equal(now[1], second);
      await fine(page);
    }
  });

  test('a recording that is not there is said in one sentence', async () => {
    const page = await browser.open(site.page('missing', '<turn-stepper data-run="../runs/none.json"></turn-stepper>'));
    assert.match(await page.innerText('turn-stepper [role="alert"]'), /^The recording cannot be shown/);
    await page.context().close();
  });

  test('nothing moves while they load, and nothing below a stepper or a scene while one uses it', async () => {
    for (const options of [WAYS.light, WAYS.phone]) {
      for (const name of all) {
        const page = await browser.open(site.page(`calm-${name}`, `${TAGS[name]}<p class="after">After it.</p>`), options);
        const top = () => page.$eval('.after', (e) => Math.round(e.getBoundingClientRect().top + scrollY));
        await page.waitForFunction((tag) => document.querySelector(tag).querySelector('.live')?.childElementCount > 1, name);
        const shift = await page.evaluate(() => new Promise((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0))).observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => resolve(0), 300);
        }));
        assert.ok(shift < 0.01, `${name}: ${shift}`);
        if (name === 'responsiveness-lab') { await fine(page); continue; }
        const before = await top();
        for (let k = 0; k < 24; k += 1) {
          await page.locator(`${name} .live :is(button, .part)`).first().focus();
          await page.keyboard.press(name === 'loop-map' ? 'ArrowRight' : '.');
          if (name === 'watch-it-run' && k % 6 === 5) await page.keyboard.press('n');
          assert.equal(await top(), before, `${name}, ${k}`);
        }
        await fine(page);
      }
    }
  });
});
