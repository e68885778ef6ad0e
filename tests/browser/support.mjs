/* For tests in a browser: the command, Chromium, pictures, and counting. */
import {execFileSync} from "node:child_process";
import {readFileSync, existsSync} from "node:fs";
import {inflateSync} from "node:zlib";

import {chromium} from "playwright-core";

/* ---- counting, as tests/harness.h does ---- */

const counts = {passed: 0, failed: 0, skipped: 0};

/* Runs a test; the last line of finish() is what scripts/test.sh adds up. */
export async function test(name, run) {
  const start = Date.now();
  try {
    const reason = await run();
    if (reason !== undefined) {
      counts[process.env.CI ? "failed" : "skipped"]++;
      console.log(`${process.env.CI ? "FAIL" : "skip"} ${name} (${reason})`);
      return;
    }
    counts.passed++;
    console.log(`ok   ${name}  (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    counts.failed++;
    console.log(`FAIL ${name}\n     ${String(error.stack || error).replaceAll("\n", "\n     ")}`);
  }
}

export function finish() {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed ? 1 : 0); /* and browsers that a failed test has left open */
}

/* ---- the command ---- */

/* Runs graze; its lines of JSON where it was asked for them. */
export function graze(command, ...words) {
  const text = execFileSync(command, words, {encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"]});
  return words.includes("--json") ? text.trim().split("\n").map((line) => JSON.parse(line)) : text;
}

/* Positions in an OBJ file. */
export function objPositions(path) {
  return readFileSync(path, "utf8").split("\n").filter((line) => line.startsWith("v "))
    .flatMap((line) => line.slice(2).split(" ").map(Number));
}

/* ---- Chromium ---- */

/* One browser: WebGL by software, so that machines without a graphics card draw too; without it,
 * none. */
export async function openBrowser(withPicture) {
  const path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  return chromium.launch({
    executablePath: path,
    args: ["--no-sandbox", ...withPicture ? ["--enable-unsafe-swiftshader"] : ["--disable-3d-apis"]]});
}

/* Opens a file with the network cut off, and waits until the page says that it is ready.
 * page.complaints has what should be empty: errors, and requests for anything but files. */
export async function openPage(browser, path, options = {}) {
  const context = await browser.newContext({offline: true, viewport: {width: 900, height: 520}, ...options});
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && !message.text().includes("GPU stall")))
      page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    page.complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url()))
      page.complaints.push(`asks for ${request.url()}`);
  });
  await page.goto(`file://${path}`);
  for (let waited = 0; !await page.evaluate(() => document.documentElement.dataset.ready === "yes"); waited++) {
    if (waited > 1000)
      throw new Error(`${path} is not ready: ${page.complaints}`);
    await page.waitForTimeout(20);
  }
  return page;
}

/* ---- pictures ---- */

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const p = Math.abs(guess - left), q = Math.abs(guess - up), r = Math.abs(guess - corner);
  return p <= q && p <= r ? left : q <= r ? up : corner;
}

function unfilter(bytes, width, height, pixel) {
  const row = width * pixel, out = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    const kind = bytes[y * (row + 1)], from = y * (row + 1) + 1, to = y * row;
    for (let x = 0; x < row; x++) {
      const left = x >= pixel ? out[to + x - pixel] : 0, up = y ? out[to - row + x] : 0;
      const corner = x >= pixel && y ? out[to - row + x - pixel] : 0;
      const add = kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 :
        kind === 4 ? paeth(left, up, corner) : 0;
      out[to + x] = bytes[from + x] + add;
    }
  }
  return out;
}

/* A PNG of eight bits a channel as Chromium writes it: {width, height, pixel, data}. */
export function decodePng(file) {
  const parts = [];
  let width, height, pixel;
  for (let at = 8; at < file.length;) {
    const size = file.readUInt32BE(at), kind = file.toString("latin1", at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + size);
    if (kind === "IHDR")
      [width, height, pixel] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 6 ? 4 : 3];
    if (kind === "IDAT")
      parts.push(body);
    at += size + 12;
  }
  return {width, height, pixel, data: unfilter(inflateSync(Buffer.concat(parts)), width, height, pixel)};
}

/* Pixels so red that nothing but a hit is, also one that shines through what stands before it. */
export function countShining({data, pixel}) {
  let count = 0;
  for (let at = 0; at < data.length; at += pixel)
    count += data[at] - data[at + 1] > 68;
  return count;
}

/* Pixels that are nearly of a colour "#rrggbb". */
export function countPixels({data, pixel}, colour) {
  const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const [red, green, blue] = wanted;
  let count = 0;
  for (let at = 0; at < data.length; at += pixel)
    count += Math.abs(data[at] - red) <= 6 && Math.abs(data[at + 1] - green) <= 6 && Math.abs(data[at + 2] - blue) <= 6;
  return count;
}
