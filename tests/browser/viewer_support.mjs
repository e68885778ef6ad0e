/* For tests of the viewer: `node TEST GRAZE MODELS FOLDER VIEWER`.
 *
 * MODELS: a folder of models, or one that is not there; FOLDER: where models and pictures go; VIEWER:
 * the page's folder. Opens Chromium, serves the page; needs no graphics card.
 */
import assert from "node:assert/strict";
import {createServer} from "node:http";
import {existsSync, mkdirSync, readFileSync, statSync} from "node:fs";
import {basename, dirname, extname, join, normalize} from "node:path";

import {decodePng, graze, openBrowser} from "./support.mjs";

export const [command, models, folder, viewer] = process.argv.slice(2);
export const COLOURS = {
  dark: {hits: ["#ff5233", "#ffb020"], rest: "#8f7fd6", ray: "#3fd0ff", curve: "#ffffff"},
  light: {hits: ["#e8391a", "#e59400"], rest: "#7462c4", ray: "#0077b8", curve: "#101214"}};

/* The built-in models, as the command wrote them. */
export const builtin = ["dwarf", "creature", "robot", "curtain", "man"].map((name) => join(dirname(viewer), "viewer_build/models", `${name}.glb`));

mkdirSync(folder, {recursive: true});

/* ---- a server, complaints, files ---- */

const TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"};

/* Serves a folder on this machine. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html"));
    if (!existsSync(path) || !statSync(path).isFile())
      return response.writeHead(404).end();
    response.writeHead(200, {"Content-Type": TYPES[extname(path)] ?? "application/octet-stream"}).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
}

/* page.complaints has what should be empty. */
export function watch(page) {
  page.complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && !message.text().includes("GPU stall")))
      page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  return page;
}

/* A GLB of a JSON object and bytes. */
export function makeGlb(json, binary = Buffer.alloc(0)) {
  const text = Buffer.from(JSON.stringify(json)), padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
  const chunk = (kind, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(kind, 4);
    return [head, bytes];
  };
  const parts = [...chunk(0x4e4f534a, padded), ...binary.length ? chunk(0x004e4942, binary) : []];
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + parts.reduce((sum, part) => sum + part.length, 0), 8);
  return Buffer.concat([head, ...parts]);
}

/* A triangle that follows one joint. */
export function triangle(change) {
  const floats = (...numbers) => Buffer.from(new Float32Array(numbers).buffer);
  const binary = Buffer.concat([floats(0, 0, 0, 1, 0, 0, 0, 1, 0), Buffer.alloc(12), floats(...[1, 2, 3].flatMap(() => [1, 0, 0, 0]))]);
  const json = {asset: {version: "2.0"}, scenes: [{nodes: [0, 1]}], nodes: [{mesh: 0, skin: 0}, {name: "joint"}], skins: [{joints: [1]}],
    meshes: [{primitives: [{attributes: {POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2}}]}],
    accessors: [{bufferView: 0, componentType: 5126, count: 3, type: "VEC3"}, {bufferView: 1, componentType: 5121, count: 3, type: "VEC4"},
      {bufferView: 2, componentType: 5126, count: 3, type: "VEC4"}],
    bufferViews: [{buffer: 0, byteLength: 36}, {buffer: 0, byteOffset: 36, byteLength: 12}, {buffer: 0, byteOffset: 48, byteLength: 48}],
    buffers: [{byteLength: 96}]};
  change?.(json, binary);
  return makeGlb(json, binary);
}

export const site = await serve(viewer), browser = await openBrowser(true);

/* ---- the page ---- */

export async function openViewer(options = {}, address = site.address) {
  const context = await browser.newContext({viewport: {width: 1000, height: 640}, colorScheme: "dark", ...options});
  const page = watch(await context.newPage());
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, {timeout: 20000});
  return page;
}

/* Gives files to the page as a person does, and waits for the model or for a message. */
export async function open(page, paths, second = false) {
  await page.evaluate(() => document.getElementById("notice").hidden = true);
  const chooser = page.waitForEvent("filechooser");
  await page.click(second ? "#open-second" : "#open");
  await (await chooser).setFiles(paths);
  await page.waitForFunction((name) => !document.getElementById("notice").hidden ||
    (document.getElementById("busy").hidden && grazeViewer.app.characters.some((one) => one.name === name)),
  basename(paths[0]), {timeout: 30000});
  return page.evaluate(() => document.getElementById("notice").hidden ? null : document.querySelector("#notice span").textContent);
}

/* Waits until the picture and the words are those of the settings. */
export function drawn(page) {
  return page.evaluate(async () => {
    const {stage} = grazeViewer, before = stage.drawn;
    await Promise.resolve();
    stage.redraw();
    while (stage.drawn === before)
      await new Promise(requestAnimationFrame);
  });
}

/* Changes what is asked, and waits until every frame was looked at. */
export async function ask(page, settings) {
  await page.evaluate((changes) => grazeViewer.app.change(changes), settings);
  await page.waitForFunction(() => grazeViewer.app.survey.finished, null, {timeout: 30000});
}

/* What the page found in each of these frames. */
export function answersOf(page, frames, skinning = null) {
  return page.evaluate(async ([wanted, kind]) => {
    const {app} = grazeViewer, found = [];
    for (const frame of wanted) {
      app.go(frame);
      await Promise.resolve();
      const answer = app.answers.find((one) => !kind || one.skinning === kind), {stats} = answer.found;
      found.push({time: app.time, pairs: [...answer.found.pairs], rest: answer.rest && [...answer.rest],
        stats: [stats.nodesRefit, stats.verticesPosed]});
    }
    return found;
  }, [frames, skinning]);
}

/* All that the command says of those frames, pair for pair. */
export async function checkFrames(page, lines, every, skinning = null) {
  const frames = lines.map((_, k) => k).filter((k) => k % every === 0 || k === lines.length - 1);
  const found = await answersOf(page, frames, skinning);
  frames.forEach((k, i) => {
    assert.equal(found[i].time, lines[k].time);
    assert.deepEqual(found[i].pairs, lines[k].pairs.flat(), `frame ${k}`);
    if (lines[k].rest)
      assert.deepEqual(found[i].rest ?? [], lines[k].rest.map(Number), `frame ${k}`);
    assert.deepEqual(found[i].stats, [lines[k].stats.nodes_refit, lines[k].stats.vertices_posed], `frame ${k}`);
  });
}

export const countsOf = (page) => page.evaluate(() => [...grazeViewer.app.survey.track.counts]);

/* The stage as it is drawn now, without what stands over it. */
export async function picture(page) {
  await page.evaluate(() => {
    for (const id of ["legend", "tools", "labels"])
      document.getElementById(id).style.visibility = "hidden";
  });
  await drawn(page);
  return decodePng(await page.locator("#view").screenshot());
}

/* Clicks where a vertex is seen, until a ray meets something; then the command casts the same one. */
export async function checkRay(page, path, placing) {
  await page.evaluate(() => grazeViewer.app.lookAtAll());
  await drawn(page);
  let ray = null;
  for (let k = 0; k < 12 && !ray?.hit; k++) {
    const place = await page.evaluate((part) => {
      const {app, stage} = grazeViewer, {array} = stage.panes[0].figures[0].posed.positions;
      const v = 3 * Math.floor(part * array.length / 3), point = stage.controls.target.clone().fromArray(array, v);
      return stage.screenOf(point, app.answers.length - 1);
    }, (k + 0.5) / 12);
    await page.mouse.click(place.x, place.y);
    await drawn(page);
    ray = await page.evaluate(() => {
      const found = grazeViewer.app.ray;
      return found && {...found, origin: [...found.origin], direction: [...found.direction]};
    });
  }
  assert.ok(ray?.hit, "no ray met the model");
  const skin = await page.evaluate(() => grazeViewer.app.answers[grazeViewer.app.ray.pane].skinning);
  const facts = await page.locator("#ray-facts").innerText(), time = await page.evaluate(() => grazeViewer.app.time);
  const words = ["ray", path, "--json", "--time", String(time), "--origin", ray.origin.join(), "--dir", ray.direction.join()];
  const [line] = graze(command, ...words, ...skin === "linear" ? [] : ["--skin", skin], ...ray.body ? placing : []);
  assert.equal(line.triangle, ray.hit.triangle);
  assert.deepEqual([line.t, ...line.point, ...line.normal].map(Math.fround), [ray.hit.t, ...ray.hit.point, ...ray.hit.normal]);
  assert.ok(facts.includes(line.joint_name), `${line.joint_name} is not in ${facts}`);
  assert.ok(facts.includes(line.triangle.toLocaleString("en")));
  return ray;
}
