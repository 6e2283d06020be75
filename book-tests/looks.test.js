/* How each component looks: light, dark and on a phone. See looks.js for what may differ and how to renew. */
import { after, before, test } from 'node:test';
import { start, WAYS } from './browser.js';
import { same } from './looks.js';
import { serve } from './site.js';

let site;
let browser;
before(async () => { [site, browser] = [await serve(), await start()]; });
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Each: its tags, the element, and what is done before the picture is taken. */
const COMPONENTS = {
  'recorded-run': ['<recorded-run data-run="../runs/pulse-yielding.json" at="turn 4"></recorded-run>', (page) => page.locator('.track').press(']')],
  'recorded-run-asleep': ['<recorded-run data-run="../runs/six-steps.json"></recorded-run>', async (page) => {
    await page.locator('.marks').selectOption({ index: 2 });
  }],
  'loop-map': ['<loop-map></loop-map>'],
  'turn-stepper': ['<turn-stepper data-run="../runs/six-steps.json"></turn-stepper>', (page) => page.click('.steps button:nth-child(5)')],
  'responsiveness-lab': ['<responsiveness-lab data-run="../runs/responsiveness.json"></responsiveness-lab>'],
  'watch-it-run': ['<watch-it-run data-run="../runs/two-workers.json ../runs/rude-task.json ../runs/rude-offloaded.json"></watch-it-run>'],
  'watch-it-run-frozen': ['<watch-it-run data-run="../runs/two-workers.json ../runs/rude-task.json ../runs/rude-offloaded.json"></watch-it-run>', (page) => page.click('.steps button:nth-child(3)')],
};

for (const [name, [tags, act]] of Object.entries(COMPONENTS)) {
  test(`${name}: light, dark and on a phone`, async () => {
    for (const [way, options] of Object.entries(WAYS)) {
      const page = await browser.open(site.page(`look-${name}`, `<h1>Looks</h1>${tags}`), { ...options, deviceScaleFactor: 0.5, viewport: { ...options.viewport, height: 1800 } });
      const host = page.locator('main > :nth-child(2)');
      await page.waitForFunction(() => document.querySelector('main > :nth-child(2) > .live')?.childElementCount > 1);
      await act?.(page);
      await same(page, host, `${name}-${way}`);
      await page.context().close();
    }
  });
}
