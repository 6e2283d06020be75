/*
 * The built book, served from this process on a free port. A test may add pages of its own (`page`), which have
 * the book's frame and a main part of the test's choosing, and files (`put`). Nothing else is answered.
 */
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BOOK = process.env.BOOK_DIR ?? fileURLToPath(new URL('../target/book/', import.meta.url));
if (!existsSync(join(BOOK, 'index.html'))) {
  throw new Error(`There is no built book in ${BOOK}. Build it first: cargo run -q -p press -- build`);
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png', '.woff2': 'font/woff2' };

/** The run file of that name in the built book, parsed. */
export const recorded = async (name) => JSON.parse(await readFile(join(BOOK, 'runs', `${name}.json`), 'utf8'));

export async function serve() {
  const made = new Map();
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://book').pathname));
    try {
      let file = join(BOOK, path);
      if (!made.has(path) && (await stat(file)).isDirectory()) file = join(file, 'index.html');
      const body = made.get(path) ?? await readFile(file);
      response.writeHead(200, { 'content-type': TYPES[extname(made.has(path) ? path : file)] ?? 'application/octet-stream' });
      response.end(body);
    } catch {
      response.writeHead(404).end('not in the book');
    }
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const address = `http://127.0.0.1:${server.address().port}/`;
  const frame = await readFile(join(BOOK, '06-blocking', 'index.html'), 'utf8');
  return {
    address,
    /** A page with the book's frame around `main`; its address. It lies one folder deep, as chapters do. */
    page(name, main) {
      made.set(`/made/${name}.html`, frame.replace(/<main>[\s\S]*<\/main>/, () => `<main>${main}</main>`));
      return `${address}made/${name}.html`;
    },
    /** A file beside those pages. */
    put(name, body) {
      made.set(`/made/${name}`, body);
      return `${address}made/${name}`;
    },
    close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}
