/*
 * Debian's chromium, driven by playwright-core. `open` gives a page that keeps a list of what went wrong in it:
 * errors on the console, exceptions, requests that leave the book. What matches `without` is not served.
 */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--force-color-profile=srgb', '--font-render-hinting=none'];

/** The four ways a page is looked at. */
export const WAYS = {
  light: { viewport: { width: 1280, height: 900 } },
  dark: { viewport: { width: 1280, height: 900 }, theme: 'navy' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

export async function start() {
  const executablePath = CANDIDATES.find((path) => path && existsSync(path));
  if (!executablePath) {
    throw new Error('There is no chromium. Install it (Debian: apt-get install -y chromium), or name one in the variable CHROMIUM.');
  }
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  return {
    close: () => browser.close(),
    async open(address, { theme, ...options } = {}, without) {
      const context = await browser.newContext({ viewport: WAYS.light.viewport, deviceScaleFactor: 1, ...options });
      if (theme) await context.addInitScript((name) => localStorage.setItem('mdbook-theme', name), theme);
      const page = await context.newPage();
      page.setDefaultTimeout(60000);
      page.faults = [];
      page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.faults.push(`console: ${message.text()}`));
      page.on('pageerror', (error) => page.faults.push(`exception: ${error.message}`));
      page.on('request', (request) => request.url().startsWith(new URL(address).origin) || request.url().startsWith('data:') || page.faults.push(`outside: ${request.url()}`));
      if (without) await page.route(without, (route) => route.abort());
      await page.goto(address);
      return page;
    },
  };
}
