/* <recorded-run> in a browser: by mouse, keyboard and touch; what is shown is what the run file says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, WAYS } from './browser.js';
import { long, replay, small } from './runs.js';
import { recorded, serve } from './site.js';

let site;
let browser;
before(async () => {
  site = await serve();
  browser = await start();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Opens a page with these runs; each is a name of the gallery or a run file. */
async function show(runs, way, attributes = '') {
  const tags = runs.map((run, k) => {
    const url = typeof run === 'string' ? `../runs/${run}.json` : site.put(`run-${run.name}-${k}.json`, JSON.stringify(run));
    return `<recorded-run data-run="${url}" ${attributes}><figure class="still"><p>The still picture.</p></figure></recorded-run>`;
  });
  const page = await browser.open(site.page('run', `<h1>Runs</h1>${tags.join('<p>Between.</p>')}`), way);
  await page.waitForFunction((count) => document.querySelectorAll('recorded-run[data-moment]').length === count, runs.length);
  return page;
}

/** In the page: all that a component shows at this moment. */
function read(host) {
  const own = (chip) => [...chip.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join('');
  const box = (name) => [...host.querySelectorAll(`.box.${name} .chip`)].map(own);
  return {
    moment: +host.dataset.moment, sentence: host.querySelector('.sentence').textContent,
    facts: Object.fromEntries([...host.querySelectorAll('.facts div')].map((div) => [...div.children].map((cell) => cell.textContent))),
    running: box('running'), ready: box('_ready'), heap: box('_scheduled'), readers: box('_selector'),
    counts: ['_ready', '_scheduled', '_selector'].map((name) => +host.querySelector(`.box.${name} div span`).textContent),
    row: host.querySelector('[aria-selected="true"]')?.textContent, asleep: host.querySelector('._selector .asleep')?.textContent,
    busy: host.querySelector('.running .busy')?.textContent, lit: [...host.querySelectorAll('.line.lit')].map((line) => line.textContent),
    step: host.querySelector('.steps [aria-pressed="true"]')?.textContent, head: host.querySelector('.head').style.transform,
    value: host.querySelector('.track').getAttribute('aria-valuetext'),
  };
}
const shown = (page, which = 0) => page.locator('recorded-run').nth(which).evaluate(read);
/** What is shown before a key and after each of so many. */
const walk = (page, key, times) => page.locator('recorded-run').evaluate((host, [source, name, count]) => {
  const look = new Function(`return ${source}`)();
  const seen = [look(host)];
  for (let n = 0; n < count; n += 1) {
    host.querySelector('.track').dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    seen.push(look(host));
  }
  return seen;
}, [read.toString(), key, times]);
const moment = async (page, which = 0) => +await page.locator('recorded-run').nth(which).getAttribute('data-moment');
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const frames = (page, count) => page.evaluate((n) => new Promise((resolve) => {
  const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : resolve());
  next(n);
}), count);

for (const name of ['pulse-yielding', 'six-steps', 'cancellation']) {
  test(`${name}: every moment of every turn is shown as the recording has it, forward and back the same`, async () => {
    const run = await recorded(name);
    const all = replay(run);
    const page = await show([name]);
    const on = await walk(page, '.', all.length - 1);
    const time = (value) => (value === null ? 'None' : `${value} ms`);
    for (const [i, expected] of all.entries()) {
      const s = on[i];
      assert.equal(s.moment, i);
      assert.deepEqual(s.running, expected.running);
      assert.deepEqual(s.ready, expected.ready.slice(0, 12));
      assert.deepEqual(s.heap, expected.heap.slice(0, 12));
      assert.deepEqual(s.readers, expected.readers.slice(0, 12));
      assert.deepEqual(s.counts, [expected.ready.length, expected.heap.length, expected.readers.length]);
      const t = run.turns[expected.turn];
      if (t) {
        assert.deepEqual(s.facts, {
          turn: `${expected.turn + 1} of ${run.turns.length}`, phase: t.phase, starts: time(t.t), timeout: time(t.timeout), woke: time(t.woke),
          heap: t.heap.join(' → '), cancelled: t.ccount.join(' → '),
        });
      }
      if (expected.step) assert.match(s.step, new RegExp(`^${expected.step}`));
      const k = all.slice(0, i).filter((m) => m.turn === expected.turn && m.step === 6).length;
      const ran = expected.step === 6 && t.ran?.[k];
      if (ran) {
        assert.ok(s.row.includes(expected.running[0]), `${s.row} names ${expected.running[0]}`);
        for (const event of ran.log ?? []) assert.ok(s.row.includes(`${event[0]}: ${event[1]}`), `${s.row} tells ${event}`);
        assert.equal(s.busy, ran.end > ran.t ? `busy ${ran.end - ran.t} ms` : undefined);
        const [from, to] = ran.lines?.rust ?? [0, -1];
        assert.deepEqual(s.lit, run.source.rust.slice(from, to + 1));
      } else assert.deepEqual(s.lit, []);
      assert.equal(s.asleep, expected.step === 3 && t.woke > t.t ? `asleep ${t.woke - t.t} ms` : undefined);
    }
    assert.deepEqual((await walk(page, ',', all.length - 1)).toReversed(), on);
    assert.deepEqual(page.faults, []);
  });
}

test('by keyboard: every documented key, within the component only, and no trap', async () => {
  const page = await show([small()]);
  await press(page, '.', 'n');
  assert.equal(await moment(page), 0, 'keys outside do nothing');
  await page.locator('.track').focus();
  await press(page, 'n', 'n');
  assert.equal(await moment(page), 7);
  await press(page, ']', ']', '[');
  assert.equal(await moment(page), 12);
  await press(page, '>');
  assert.equal(await moment(page), 16);
  await press(page, '<', 'p', 'p');
  assert.equal(await moment(page), 1);
  await press(page, 'e');
  assert.equal(await moment(page), 6);
  await press(page, 'e', 'e', 'E');
  assert.equal(await moment(page), 21);
  await press(page, 'End');
  assert.equal(await moment(page), 28);
  await press(page, 'Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft');
  assert.equal(await moment(page), 1);
  await press(page, 'PageDown', 'PageUp');
  assert.equal(await moment(page), 1);
  const speed = () => page.locator('recorded-run select').first().inputValue();
  await press(page, '+', '+', '-');
  assert.equal(await speed(), '5');
  const address = page.url();
  await page.locator('.log').focus();
  await press(page, 'ArrowDown');
  assert.equal(await moment(page), 2);
  assert.equal(page.url(), address);
  // In the field for searching, keys are letters.
  await page.locator('recorded-run [type=search]').focus();
  await page.keyboard.type('pulse.n');
  assert.equal(await moment(page), 2);
  assert.equal(await page.locator('recorded-run [type=search]').inputValue(), 'pulse.n');
  await page.locator('recorded-run [type=search]').fill('pulse');
  await press(page, 'Enter');
  assert.equal(await moment(page), 12);
  await press(page, 'Shift+Enter');
  assert.equal(await moment(page), 21);
  await page.locator('recorded-run [type=search]').fill('nobody');
  await press(page, 'Enter');
  assert.match((await shown(page)).sentence, /Nothing in this run is called “nobody”/);
  // Tab leaves the component at both ends.
  for (const key of ['Tab', 'Shift+Tab']) {
    await page.locator('.track').focus();
    for (let n = 0; n < 40 && await page.evaluate(() => document.activeElement.closest('recorded-run') !== null); n += 1) await press(page, key);
    assert.equal(await page.evaluate(() => document.activeElement.closest('recorded-run')), null, key);
  }
  assert.deepEqual(page.faults, []);
});

test('by keyboard: Space plays and pauses, and the end stops it', async () => {
  const page = await show(['pulse-cooperative']);
  await page.locator('.track').focus();
  await press(page, 'Space');
  await page.waitForFunction(() => +document.querySelector('recorded-run').dataset.moment > 0);
  await press(page, 'Space');
  assert.equal(await page.locator('.player').textContent(), 'Play');
  const at = await moment(page);
  await frames(page, 20);
  assert.equal(await moment(page), at);
  await press(page, 'End', 'p', '+', '+', '+', '+', 'Space');
  await page.waitForFunction(() => {
    const host = document.querySelector('recorded-run');
    return +host.dataset.moment === host.run.length - 1 && host.querySelector('.player').textContent === 'Play';
  });
});

test('by mouse: buttons, steps, the axis, the log, the jumps and the two languages', async () => {
  const page = await show([small()]);
  const click = (name) => page.getByRole('button', { name, exact: true }).click();
  await click('turn on');
  assert.equal(await moment(page), 1);
  await click('handle on');
  assert.equal(await moment(page), 6);
  await click('step on');
  assert.equal(await moment(page), 7);
  await click('step back');
  await click('turn back');
  assert.equal(await moment(page), 1);
  await click('handle on');
  await click('handle on');
  await click('handle back');
  assert.equal(await moment(page), 6);
  assert.deepEqual((await shown(page)).lit, ['    work();']);
  await click('the program in python');
  assert.deepEqual((await shown(page)).lit, ['    work()']);
  await click('step 3, select');
  assert.equal(await moment(page), 3);
  await page.locator('.marks').selectOption({ label: 'turn 3: pulse: caught ValueError:x' });
  assert.equal(await moment(page), 21);
  await page.locator('.rows > *').filter({ hasText: 'io:r' }).click();
  assert.equal(await moment(page), 14);
  // The axis: lanes are turn, select, loop, main, pulse; the run lasts 80 ms.
  const box = await page.locator('canvas').boundingBox();
  const at = (time, lane) => ({ position: { x: (box.width - 3) * time / 80, y: 24 * (lane + 0.5) } });
  await page.locator('.track').click(at(25, 3));
  assert.equal(await moment(page), 6);
  await page.locator('.track').click(at(65, 1));
  assert.equal(await moment(page), 24);
  await page.locator('.track').click(at(50, 4));
  assert.ok([12, 15, 21].includes(await moment(page)), 'a handle of pulse');
  const now = await page.locator('canvas').boundingBox();
  await page.mouse.move(now.x + 5, now.y + 60);
  await page.mouse.down();
  await page.mouse.move(now.x + now.width * 0.9, now.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.equal(await moment(page), 24);
  // By moments, each has the same room.
  await click('the axis: time or turns');
  await page.locator('.track').click({ position: { x: (box.width - 3) * 13.5 / 29, y: 4 } });
  assert.equal(await moment(page), 13);
  await click('show less of the axis');
  await click('show less of the axis');
  assert.equal(await moment(page), 13);
  assert.deepEqual(page.faults, []);
});

test('by mouse: play and pause', async () => {
  const page = await show([small()]);
  await page.locator('.player').click();
  await page.waitForFunction(() => document.querySelector('recorded-run').dataset.moment > 0);
  await page.locator('.player').click();
  const at = await moment(page);
  await frames(page, 20);
  assert.equal(await moment(page), at);
});

test('by touch on a phone: everything is in the width and large enough for a finger', async () => {
  const page = await show(['pulse-yielding'], WAYS.phone);
  await page.getByRole('button', { name: 'turn on', exact: true }).tap();
  assert.equal(await moment(page), 1);
  const box = await page.locator('.track').boundingBox();
  await page.locator('.track').scrollIntoViewIfNeeded();
  await page.locator('.track').tap({ position: { x: box.width / 2, y: 100 } });
  assert.ok(await moment(page) > 20);
  await page.locator('.rows [role=option]').first().tap();
  await page.locator('.player').tap();
  await page.waitForFunction((from) => document.querySelector('recorded-run').dataset.moment !== from, String(await moment(page)));
  await page.locator('.player').tap();
  const tiny = await page.locator('recorded-run :is(.bar, .steps) :is(button, select, input)').evaluateAll((all) => all
    .map((b) => [b.textContent, b.getBoundingClientRect()]).filter(([, r]) => r.height < 40 || r.width < 30 || r.right > innerWidth || r.left < 0).map(([text]) => text));
  assert.deepEqual(tiny, []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page does not scroll sideways');
  assert.deepEqual(page.faults, []);
});

test('two on a page do not disturb each other', async () => {
  const page = await show([small(), 'pulse-yielding']);
  await page.locator('.track').nth(0).focus();
  await press(page, 'End');
  assert.deepEqual([await moment(page, 0), await moment(page, 1)], [28, 0]);
  await page.locator('.player').nth(1).click();
  await page.waitForFunction(() => document.querySelectorAll('recorded-run')[1].dataset.moment > 0);
  await page.locator('.player').nth(1).click();
  assert.equal(await moment(page, 0), 28);
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((node) => node.id));
  assert.equal(new Set(ids).size, ids.length, 'ids are unique');
});

test('20,000 handles: what a frame costs is bounded by what is in view', async () => {
  const page = await show([long(20000)]);
  const seen = await page.locator('recorded-run').evaluate(async (host) => {
    const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
    let made = 0;
    new MutationObserver((changes) => { for (const change of changes) made += change.addedNodes.length; }).observe(host, { childList: true, subtree: true });
    const most = { nodes: 0, made: 0, looked: 0 };
    const look = async (act) => {
      made = 0;
      let looked = 0;
      const { moments } = host.run;
      host.run.moments = new Proxy(moments, { get(target, key) {
        looked += typeof key === 'string' && !Number.isNaN(+key) ? 1 : 0;
        return target[key];
      } });
      act();
      host.run.moments = moments;
      await frame();
      most.nodes = Math.max(most.nodes, host.querySelectorAll('*').length);
      most.made = Math.max(most.made, made);
      most.looked = Math.max(most.looked, looked);
    };
    for (let n = 0; n < 40; n += 1) await look(() => host.go((n * 7919) % host.run.length));
    for (let n = 0; n < 40; n += 1) await look(() => { host.querySelector('.log').scrollTop = n * 12000; });
    return { ...most, drawn: host.drawn, lanes: host.querySelectorAll('.lanes span').length, width: host.querySelector('canvas').clientWidth };
  });
  assert.ok(seen.nodes < 500, `${seen.nodes} nodes`);
  assert.ok(seen.made < 250, `${seen.made} nodes made in a frame`);
  assert.ok(seen.looked < 3000, `${seen.looked} moments looked at in a frame`);
  assert.ok(seen.drawn <= seen.lanes * seen.width * 2, `${seen.drawn} stretches drawn in ${seen.width} pixels`);
  assert.deepEqual(page.faults, []);
});

test('while playing fast it stays in step, to the last of 20,000 handles', async () => {
  const page = await show([long(20000)]);
  await page.locator('recorded-run select').first().selectOption('1000');
  await page.locator('recorded-run').evaluate((host) => host.go(host.run.length - 2000));
  await page.locator('.player').click();
  await page.waitForFunction(() => document.querySelector('.player').textContent === 'Play');
  const s = await shown(page);
  assert.match(s.sentence, /^The run is over/);
  assert.match(s.row, /the end/);
});

test('with reduced motion nothing glides', async () => {
  const page = await show([small()], { reducedMotion: 'reduce' });
  await page.locator('.track').focus();
  await press(page, 'n', 'n', 'Space');
  await page.waitForFunction(() => document.querySelector('recorded-run').dataset.moment > 10);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
});

test('screen readers get a sentence a moment, and none in a rush', async () => {
  const page = await show([small()]);
  const live = () => page.locator('.sentence').getAttribute('aria-live');
  assert.equal(await live(), 'polite');
  await page.locator('.track').focus();
  await press(page, 'n', ']');
  const s = await shown(page);
  assert.match(s.sentence, /^Turn 1, step 6: handle 1 of 1, step:main/);
  assert.equal(s.value, 'turn 1, step 6, 0 ms');
  await page.locator('.player').click();
  assert.equal(await live(), 'off');
  await page.locator('.player').click();
  assert.equal(await live(), 'polite');
});

test('it opens where `at` says', async () => {
  const page = await show([small()], undefined, 'at="turn 3"');
  assert.equal((await shown(page)).facts.turn, '3 of 4');
});

test('nothing moves while it loads', async () => {
  const page = await browser.open(site.page('shift', `<h1>Run</h1><recorded-run data-run="../runs/pulse-yielding.json"><figure class="still"><table><tr><td>still</td></tr></table></figure></recorded-run><p>After it.</p>`));
  await page.waitForSelector('[data-moment]');
  await frames(page, 3);
  const moved = await page.evaluate(() => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0))).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  }));
  assert.equal(moved, 0);
});

test('a recording that is missing or broken is told in the component', async () => {
  for (const [url, message] of [['../runs/no-such.json', /cannot be shown: the server says 404/], [site.put('bad.json', '{"format":"loop-run/9"}'), /cannot be shown: The format is "loop-run\/9"/]]) {
    const page = await browser.open(site.page('bad', `<recorded-run data-run="${url}"></recorded-run>`));
    await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.sentence')?.textContent), message.source);
  }
});

for (const [name, way, act] of [
  ['without JavaScript', { javaScriptEnabled: false }, () => {}],
  ['in print', {}, async (page) => {
    await page.waitForSelector('[data-moment]');
    await page.emulateMedia({ media: 'print' });
  }],
  ['where the modules cannot be loaded', { broken: true }, (page) => page.waitForSelector('html.no-film')],
]) {
  test(`${name} the still picture stands in its place`, async () => {
    const { broken, ...options } = way;
    const main = '<recorded-run data-run="../runs/pulse-yielding.json"><figure class="still"><p>The still picture.</p></figure></recorded-run>';
    const page = await browser.open(site.page('still', main), options, broken && /components\/recorded-run/);
    await act(page);
    assert.ok(await page.getByText('The still picture.').isVisible());
    assert.equal(await page.locator('.live:visible').count(), 0);
  });
}
