// Pages in a real browser, served from folders of this machine.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, resolve, sep } from "node:path";

import { chromium } from "playwright-core";

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html", ".json": "application/json",
  ".wasm": "application/wasm" };

export const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** mounts: { "/name/": folder }, pages: { "/name.html": text }. Clocks of its pages are fine ones,
 * since they are isolated from others. */
function serve(mounts, pages) {
  return new Promise((done) => {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
      const mount = Object.keys(mounts).find((name) => path.startsWith(name));
      const folder = mount && resolve(mounts[mount]), file = mount && resolve(folder, path.slice(mount.length));
      const found = file?.startsWith(folder + sep) && existsSync(file) && statSync(file).isFile();
      const body = pages[path] ?? (found ? readFileSync(file) : null);
      response.writeHead(body === null ? 404 : 200, {
        "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
      });
      response.end(body ?? "");
    });
    server.listen(0, "127.0.0.1", () => done(server));
  });
}

/** { open(path), close() }: open gives a page with `complaints`, which should stay empty. */
export async function startChromium(mounts, pages, args = []) {
  const server = await serve(mounts, { "/favicon.ico": "", ...pages });
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", ...args] });
  const address = `http://127.0.0.1:${server.address().port}`;
  return {
    async open(path) {
      const page = await browser.newPage();
      page.complaints = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
      });
      page.on("pageerror", (error) => page.complaints.push(String(error)));
      await page.goto(address + path);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
