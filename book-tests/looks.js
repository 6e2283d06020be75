/*
 * Pictures of components, compared with the stored ones in `looks/`. They are taken at half size and compared in the
 * browser: a pixel differs if a channel does by more than a fifth, and so many of them may. Where this machine's fonts
 * are not those of the stored pictures, letters fall elsewhere, and more may differ.
 *
 * To renew them after a change of looks: npm run renew, then look at each before it is committed.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('looks/', import.meta.url));
const SAME_FONTS = 0.01;
const OTHER_FONTS = 0.12;

/** How wide some text is in the book's two fonts, which tells fonts apart. */
const fonts = (page) => page.evaluate(() => ['var(--text-font)', 'var(--mono-font)'].map((family) => {
  const probe = document.createElement('span');
  probe.style.cssText = `position: absolute; font: 100px ${family}`;
  probe.textContent = 'One Thread, Six Steps: 0123456789';
  document.body.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return Math.round(width);
}).join());

/** Compares a picture of an element with the stored one of that name. Open the page with `deviceScaleFactor: 0.5`. */
export async function same(page, locator, name) {
  await mkdir(FOLDER, { recursive: true });
  const file = `${FOLDER}${name}.png`;
  const list = `${FOLDER}fonts.json`;
  const known = existsSync(list) ? JSON.parse(await readFile(list, 'utf8')) : {};
  const here = await fonts(page);
  await page.evaluate(() => document.activeElement?.blur());
  const taken = await locator.screenshot({ animations: 'disabled', scale: 'device' });
  if (process.env.RENEW) {
    await writeFile(file, taken);
    await writeFile(list, `${JSON.stringify({ ...known, [name]: here }, null, 1)}\n`);
    return;
  }
  assert.ok(existsSync(file), `There is no stored picture ${name}.png: npm run renew makes it`);
  const stored = await readFile(file);
  const share = await page.evaluate(async (pictures) => {
    const pixels = await Promise.all(pictures.map(async (base64) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height);
    }));
    const [a, b] = pixels;
    if (Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1) return `${a.width}×${a.height} became ${b.width}×${b.height}`;
    let differ = 0;
    const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const [p, q] = [(y * a.width + x) * 4, (y * b.width + x) * 4];
        if ([0, 1, 2].some((c) => Math.abs(a.data[p + c] - b.data[q + c]) > 51)) differ += 1;
      }
    }
    return differ / (width * height);
  }, [stored.toString('base64'), taken.toString('base64')]);
  if (typeof share === 'string' && known[name] !== here) return;
  const most = known[name] === here ? SAME_FONTS : OTHER_FONTS;
  if (!(share <= most)) {
    await writeFile(`${FOLDER}${name}.now.png`, taken);
    assert.fail(`${name}: ${typeof share === 'string' ? share : `${(share * 100).toFixed(1)} % of the pixels differ, ${most * 100} % may`}. `
      + `Look at looks/${name}.now.png; if it is right, npm run renew.`);
  }
}
