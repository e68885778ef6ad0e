// The package as users have it: installed from its file into a fresh project, built by each of their
// tools, and run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

import { ANSWER, BUNDLERS } from "./bundles.mjs";
import { browserPath, startChromium } from "./chromium.mjs";

const skip = browserPath || process.env.CI ? false : "there is no Chromium";
const three = dirname(createRequire(import.meta.url).resolve("three"));
const file = resolve(process.env.GRAZE_PACKAGE);

/** A folder with a package.json, main.js and the package; bundlers and three.js are those of its parent. */
function freshProject(source, before) {
  const project = mkdtempSync(join(realpathSync("."), "project-"));
  writeFileSync(join(project, "package.json"), '{ "name": "fresh", "private": true, "type": "module" }');
  writeFileSync(join(project, "main.js"), source);
  if (before) writeFileSync(join(project, "index.html"), before);
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", file],
    { cwd: project, stdio: "pipe" });
  return project;
}

async function answerInChromium(out, inner) {
  const browser = await startChromium({ "/inner/": out }, {});
  try {
    const page = await browser.open(`/inner/${inner}`);
    await page.waitForFunction("window.answer", null, { timeout: 10000 }).catch(() => {});
    assert.deepEqual(page.complaints, []);
    return await page.evaluate("window.answer");
  } finally {
    await browser.close();
  }
}

for (const [name, { source, page, before, inNode, build }] of Object.entries(BUNDLERS))
  test(name, { skip: inNode ? false : skip }, async () => {
    const project = freshProject(source, before), out = join(project, "out");
    try {
      mkdirSync(out);
      await build(project, out, three);
      if (page) writeFileSync(join(out, "index.html"), page);
      if (!inNode) return assert.deepEqual(await answerInChromium(out, "index.html"), ANSWER);
      writeFileSync(join(out, "run.mjs"), 'await import("./app.mjs"); console.log(JSON.stringify(globalThis.answer));');
      assert.deepEqual(JSON.parse(execFileSync(process.execPath, [join(out, "run.mjs")])), ANSWER);
    } finally {
      rmSync(project, { recursive: true });
    }
  });

test("Node, as it is", () => {
  const project = freshProject(`${BUNDLERS.webpack.source}console.log(JSON.stringify(answer));`);
  try {
    assert.deepEqual(JSON.parse(execFileSync(process.execPath, ["main.js"], { cwd: project })), ANSWER);
  } finally {
    rmSync(project, { recursive: true });
  }
});

test("the page of docs/web.md", { skip }, async () => {
  const [, page, says] = readFileSync(process.env.GRAZE_WEB_PAGE, "utf8").match(/```html\n([^]*\/\/ (triangle .*)\n[^]*?)```/);
  const browser = await startChromium({ "/graze/": "node_modules/graze" }, { "/index.html": page });
  try {
    const shown = await browser.open("/index.html");
    await shown.waitForFunction("document.body?.textContent.startsWith('triangle')", null, { timeout: 10000 });
    assert.equal(await shown.evaluate("document.body.textContent"), says);
    assert.deepEqual(shown.complaints, []);
  } finally {
    await browser.close();
  }
});
