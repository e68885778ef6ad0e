/* The page of graze ... --report, from disk, in Chromium with the network cut off:
 *
 *   node test_report.mjs GRAZE MODELS FOLDER
 *
 * MODELS: a folder of models, or one that is not there; FOLDER: where pages and pictures go. Needs
 * no server and no graphics card.
 */
import assert from "node:assert/strict";
import {existsSync, readdirSync, rmSync, statSync, writeFileSync} from "node:fs";
import {basename, join} from "node:path";

import {countPixels, countShining, decodePng, finish, graze, objPositions, openBrowser, openPage, test} from "./support.mjs";

const [command, models, folder] = process.argv.slice(2);
const COLOURS = {dark: ["#ff5233", "#ffb020"], light: ["#e8391a", "#e59400"]};

function write(name, ...words) {
  const path = join(folder, `${name}.html`);
  return {path, lines: graze(command, ...words, "--json", "--report", path)};
}

/* Everything in the page that the command printed, pair for pair. */
async function checkHits(page, lines, sweep) {
  const found = await page.evaluate((isSweep) => Array.from({length: grazeReport.frames}, (_, k) => ({
    time: grazeReport.time(k), pairs: grazeReport.pairs(k), rest: grazeReport.atRest(k),
    toi: isSweep && grazeReport.impact(k) ? grazeReport.impact(k).toi : null})), sweep);
  assert.equal(found.length, lines.length + (sweep ? 1 : 0));
  lines.forEach((line, i) => {
    const frame = found[sweep ? i + 1 : i];
    assert.equal(frame.time, sweep ? line.to : line.time);
    assert.deepEqual(frame.pairs, sweep ? line.triangles ?? [] : line.pairs.flat());
    if (line.rest)
      assert.deepEqual(frame.rest, line.rest);
    if (sweep)
      assert.equal(frame.toi, line.toi === null ? null : Math.fround(line.toi));
  });
}

/* What the page draws, without what stands over it. */
async function picture(page, place) {
  await page.evaluate(async (where) => {
    for (const id of ["legend", "tools"])
      document.getElementById(id).hidden = true;
    const before = grazeReport.drawn();
    grazeReport.go(where);
    while (grazeReport.drawn() === before)
      await new Promise(requestAnimationFrame);
  }, place);
  return decodePng(await page.locator("#view").screenshot());
}

/* The picture of a frame shows hits exactly if it has some. */
async function checkShining(page, place, wanted) {
  if (wanted)
    await page.evaluate((where) => {
      grazeReport.go(where);
      grazeReport.goToHits();
    }, place);
  const shot = await picture(page, place), count = countShining(shot), body = countBody(shot);
  assert.ok(body > 300, `only ${body} pixels are not background`);
  assert.equal(count > 0, wanted, `${count} pixels of hits`);
}

/* Both bodies' hits in their own colours, in one of four views from around them. */
async function checkColours(page, place, colours) {
  const most = colours.map(() => 0);
  await checkShining(page, place, true);
  for (let side = 0; side < 4 && !most.every((count) => count > 0); side++) {
    const shot = await picture(page, place);
    colours.forEach((colour, i) => most[i] = Math.max(most[i], countPixels(shot, colour)));
    await drag(page, "#view", 200, side === 1 ? 90 : 0);
  }
  assert.ok(most.every((count) => count > 0), `${most} pixels of ${colours}`);
}

async function drag(page, selector, across, down) {
  const box = await page.locator(selector).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + across, y + down);
  await page.mouse.up();
}

function countBody({data, pixel}) {
  let count = 0;
  for (let at = pixel; at < data.length; at += pixel)
    count += Math.abs(data[at] - data[0]) + Math.abs(data[at + 1] - data[1]) > 40;
  return count;
}

let posed = 0;

/* The shader poses as the command does: all vertices of a frame, to a part in 10,000. */
async function checkPositions(page, frame, number, poseWords) {
  const path = join(folder, `posed-${++posed}.obj`);
  graze(command, "pose", ...poseWords, "-o", path);
  const wanted = objPositions(path);
  rmSync(path);
  const found = await page.evaluate(([place, body]) => {
    grazeReport.go(place);
    return grazeReport.positions(body);
  }, [frame, number]);
  assert.equal(found.length, wanted.length);
  const size = wanted.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-6);
  found.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) <= 1e-4 * size, `vertex ${Math.floor(i / 3)}`));
}

function modelFiles(root) {
  if (!existsSync(root))
    return [];
  return readdirSync(root).flatMap((name) => {
    const path = join(root, name);
    return statSync(path).isDirectory() ? modelFiles(path) : /\.(glb|gltf)$/.test(name) ? [path] : [];
  });
}

/* Of all hit triangles in a frame: a body that is scaled to a point has nothing to show. */
async function hitArea(page, frame) {
  return page.evaluate((k) => {
    grazeReport.go(k);
    const points = grazeReport.positions(0), triangles = grazeReport.triangles(0);
    let area = 0;
    for (const t of grazeReport.pairs(k)) {
      const [a, b, c] = [0, 1, 2].map((i) => points.slice(3 * triangles[3 * t + i], 3 * triangles[3 * t + i] + 3));
      const [p, q] = [b, c].map((corner) => corner.map((x, i) => x - a[i]));
      area += Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
    }
    return area;
  }, frame);
}

/* A report of a model against itself: hits, colours, positions. */
async function checkModel(browser, path, scheme) {
  const name = basename(path).replace(/[^A-Za-z0-9]+/g, "-");
  const times = ["--times", "all:12"];
  const {path: file, lines} = write(`self-${name}`, "self", path, ...times);
  const page = await openPage(browser, file, {colorScheme: scheme});
  await checkHits(page, lines, false);
  const hit = lines.find((line) => line.rest.some((rest) => !rest)), free = lines.find((line) => line.count === 0);
  if (hit && await hitArea(page, hit.frame) > 0)
    await checkShining(page, hit.frame, true);
  if (free)
    await checkShining(page, free.frame, false);
  for (const frame of new Set([Math.floor(lines.length / 2), lines.length - 1]))
    await checkPositions(page, frame, 0, [path, "--time", String(lines[frame].time)]);
  await page.evaluate((where) => grazeReport.go(where), hit ? hit.frame : 0);
  await page.screenshot({path: join(folder, `self-${name}.png`)});
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

const browser = await openBrowser(true);
const files = modelFiles(models);
/* Written once, since making them takes longer than all that is asked of them. */
const builtin = [["dwarf", 1664], ["creature", 13590], ["curtain", 3000], ["robot", 2400]].map(([kind, triangles]) => {
  const path = join(folder, `${kind}.glb`);
  graze(command, "synth", kind, "--triangles", String(triangles), "-o", path);
  return path;
});
const dwarf = builtin[0];

/* Two at a time: one waits for the browser while the other waits for the command. */
const waiting = [...files, ...builtin].map((path, i) => [path, i % 2 ? "light" : "dark"]);
await Promise.all([1, 2].map(async () => {
  for (let next; (next = waiting.shift());)
    await test(`self, ${basename(next[0])}`, () => checkModel(browser, ...next));
}));
if (!files.length)
  await test("models beside the repository", () => `there is no ${models}`);

await test("collide: two bodies, depths, both colours", async () => {
  const place = ["--at", "0.5,0,0.1", "--turn", "30", "--phase", "0.2"];
  const {path, lines} = write("collide", "collide", dwarf, ...place, "--times", "0:0.6:20", "--contacts");
  const page = await openPage(browser, path);
  await checkHits(page, lines, false);
  const hit = lines.reduce((x, y) => y.count > x.count ? y : x);
  await checkColours(page, hit.frame, COLOURS.light);
  await page.screenshot({path: join(folder, "collide.png")});
  await checkPositions(page, 7, 1, [dwarf, ...place, "--time", String(lines[7].time)]);
  const deepest = await page.evaluate(() => Math.max(...grazeReport.partPairs().map((pair) => pair.depth)));
  assert.ok(deepest > 0 && deepest < 1, `${deepest}`);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("collide: blended rotations, by what the command says they are off linear ones", async () => {
  for (const skin of ["spherical", "dual"]) {
    const {path, lines} = write(skin, "collide", dwarf, "--skin", skin, "--at", "0.5,0,0", "--times", "0:0.4:10");
    const page = await openPage(browser, path, {colorScheme: "dark"});
    await checkHits(page, lines, false);
    await checkPositions(page, 2, 0, [dwarf, "--skin", skin, "--time", String(lines[2].time)]);
    await checkColours(page, lines.reduce((x, y) => y.count > x.count ? y : x).frame, COLOURS.dark);
    await page.screenshot({path: join(folder, `${skin}.png`)});
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

await test("sweep: between frames, and at the moment of impact", async () => {
  const {path, lines} = write("sweep", "sweep", dwarf, "--at", "0.8,0,0.1", "--phase", "0.2", "--times", "0:1:20");
  const page = await openPage(browser, path, {colorScheme: "dark"});
  await checkHits(page, lines, true);
  const hit = lines.findIndex((line) => line.hit && !line.initial);
  assert.ok(hit >= 0);
  await checkShining(page, hit + lines[hit].toi, true);
  const [before, between, after] = await page.evaluate((k) => [k, k + 0.25, k + 1].map((place) => {
    grazeReport.go(place);
    return grazeReport.positions(0);
  }), hit);
  between.forEach((x, i) => assert.ok(Math.abs(x - (0.75 * before[i] + 0.25 * after[i])) < 1e-5));
  await page.screenshot({path: join(folder, "sweep.png")});
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

/* ---- hands ---- */

const walk = write("walk", "collide", dwarf, "--at", "0.6,0,0.1", "--phase", "0.2", "--times", "0:1:20");
const place = (page) => page.evaluate(() => grazeReport.place());

await test("keys", async () => {
  const page = await openPage(browser, walk.path, {colorScheme: "dark"});
  const last = walk.lines.length - 1, hits = walk.lines.filter((line) => line.hit).map((line) => line.frame);
  const press = async (key, wanted) => {
    await page.keyboard.press(key);
    assert.equal(await place(page), wanted, key);
  };
  await press("Home", 0);
  await press("ArrowRight", 1);
  await press("ArrowLeft", 0);
  await press("ArrowLeft", 0);
  await press("Shift+ArrowRight", 10);
  await press("End", last);
  await press("ArrowRight", last);
  await press("Home", 0);
  await press("ArrowDown", hits.find((frame) => frame > 0));
  await press("End", last);
  await press("ArrowUp", hits.filter((frame) => frame < last).at(-1));
  await press("Home", 0);
  await page.keyboard.press(" ");
  while (await place(page) < 3)
    await page.waitForTimeout(20);
  await page.keyboard.press(" ");
  const stopped = await place(page);
  await page.waitForTimeout(150);
  assert.equal(await place(page), stopped);
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.screenshot({path: join(folder, "help.png")});
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("the demo's page; following what walks away", async () => {
  const path = join(folder, "demo.html"), lines = graze(command, "demo", "--json", "--report", path);
  const page = await openPage(browser, path, {colorScheme: "dark"});
  assert.deepEqual(await page.evaluate(() => Array.from({length: grazeReport.frames}, (_, k) => grazeReport.pairs(k).length / 2)),
                   lines.map((line) => line.count));
  assert.equal(await page.textContent("#title"), "two men walk towards each other until their limbs touch");
  assert.match(await page.textContent("#facts"), /^each of 8,270 triangles/);
  const distance = async () => (await page.evaluate(() => grazeReport.camera())).distance;
  const first = await distance(); /* on the two where they meet, not on all the way they go */
  await page.keyboard.press("f");
  assert.ok(first < 0.75 * await distance());
  const steps = async () => {
    await page.keyboard.press("Home");
    const start = (await page.evaluate(() => grazeReport.camera())).target;
    await page.keyboard.press("End");
    const end = (await page.evaluate(() => grazeReport.camera())).target;
    return Math.hypot(...end.map((x, k) => x - start[k]));
  };
  assert.equal(await steps(), 0);
  await page.keyboard.press("c");
  assert.ok(await steps() > 1e-4);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("timeline, tables and links", async () => {
  const page = await openPage(browser, walk.path, {colorScheme: "light"});
  const box = await page.locator("#timeline").boundingBox(), last = walk.lines.length - 1;
  await page.mouse.click(box.x + box.width - 14, box.y + 50);
  assert.equal(await place(page), last);
  await page.mouse.click(box.x + 14, box.y + 50);
  assert.equal(await place(page), 0);
  const row = page.locator("#parts tbody tr").first();
  await row.click();
  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /^#frame=\d+&parts=\d+,\d+$/);
  assert.equal(await place(page), Number(hash.match(/\d+/)[0]));
  assert.ok(await page.locator("#chosen").isVisible());
  assert.equal(await page.locator("#parts tr.current").count(), 1);
  await page.screenshot({path: join(folder, "chosen.png")});
  await page.keyboard.press("Escape");
  assert.ok(!await page.locator("#chosen").isVisible());
  await page.click("#tab-frames");
  const column = (i) => page.locator(`#frames tbody td:nth-child(${i})`).allTextContents();
  const counts = (await column(3)).map((text) => Number(text.replaceAll(",", "")));
  assert.deepEqual(counts, walk.lines.map((line) => line.count).filter((count) => count).sort((x, y) => y - x));
  await page.click("#frames th:nth-child(1) button");
  assert.deepEqual((await column(1)).map(Number), walk.lines.filter((line) => line.hit).map((line) => line.frame));
  await page.locator("#frames tbody a").nth(1).click();
  assert.equal(await place(page), walk.lines.filter((line) => line.hit)[1].frame);
  await page.goBack();
  await page.screenshot({path: join(folder, "frames.png")});
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("mouse and touch turn, move and zoom", async () => {
  const page = await openPage(browser, walk.path, {hasTouch: true, colorScheme: "dark"});
  const camera = () => page.evaluate(() => grazeReport.camera());
  const start = await camera();
  await drag(page, "#view", 120, 30);
  const turned = await camera();
  assert.ok(Math.abs(turned.yaw - start.yaw) > 0.5 && turned.distance === start.distance);
  await page.keyboard.down("Shift");
  await drag(page, "#view", 120, 30);
  await page.keyboard.up("Shift");
  const moved = await camera();
  assert.ok(moved.yaw === turned.yaw && Math.hypot(...moved.target.map((x, k) => x - turned.target[k])) > 0.05);
  await page.keyboard.press("f");
  const view = await page.locator("#view").boundingBox(), named = new Set();
  for (let x = 0.3; x <= 0.7; x += 0.05) {
    await page.mouse.move(view.x + x * view.width, view.y + view.height / 2);
    await page.waitForTimeout(250);
    if (await page.locator("#tip").isVisible())
      named.add((await page.textContent("#tip")).slice(0, 2));
  }
  assert.deepEqual([...named].sort(), ["A:", "B:"]);
  await page.mouse.wheel(0, 300);
  assert.ok((await camera()).distance > 1.2 * start.distance);
  const box = await page.locator("#view").boundingBox(), client = await page.context().newCDPSession(page);
  const fingers = (apart) => [-1, 1].map((side) => ({x: box.x + box.width / 2 + side * apart, y: box.y + box.height / 2}));
  const near = (await camera()).distance;
  await client.send("Input.dispatchTouchEvent", {type: "touchStart", touchPoints: fingers(40)});
  for (const apart of [60, 90, 120])
    await client.send("Input.dispatchTouchEvent", {type: "touchMove", touchPoints: fingers(apart)});
  await client.send("Input.dispatchTouchEvent", {type: "touchEnd", touchPoints: []});
  assert.ok((await camera()).distance < 0.6 * near);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("a narrow screen", async () => {
  const page = await openPage(browser, walk.path, {viewport: {width: 390, height: 800}, colorScheme: "light"});
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
  await page.screenshot({path: join(folder, "narrow.png")});
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("names of the model stay text", async () => {
  const name = "</script><img src=x onerror=alert(1)><b>&amp;";
  const buffer = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer).toString("base64");
  const model = join(folder, "<i>a&b.gltf");
  writeFileSync(model, JSON.stringify({
    asset: {version: "2.0"}, scenes: [{nodes: [0]}], nodes: [{name, mesh: 0}],
    meshes: [{primitives: [{attributes: {POSITION: 0}}]}],
    accessors: [{bufferView: 0, componentType: 5126, count: 3, type: "VEC3"}],
    bufferViews: [{buffer: 0, byteLength: 36}],
    buffers: [{byteLength: 36, uri: `data:application/octet-stream;base64,${buffer}`}]}));
  const {path} = write("names", "collide", model);
  const page = await openPage(browser, path);
  assert.equal(await page.textContent("#title"), "<i>a&b.gltf, twice");
  assert.deepEqual(await page.locator("#parts .names span").allTextContents(), [name, name]);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("sizes", async () => {
  const man = join(models, "CesiumMan.glb"), size = (page) => statSync(page.path).size;
  if (existsSync(man))
    assert.ok(size(write("man", "collide", man, "--at", "0.3,0,0", "--times", "all")) < 3e6);
  const creature = join(folder, "creature-50000.glb"), words = ["--at", "0.5,0,0", "--times", "all"];
  graze(command, "synth", "creature", "--triangles", "50000", "-o", creature);
  const large = write("large", "collide", creature, ...words);
  const dual = write("large-dual", "collide", creature, ...words, "--skin", "dual");
  assert.ok(size(large) < 12e6 && size(dual) < 12e6);
  const page = await openPage(browser, large.path, {colorScheme: "dark"});
  await checkHits(page, large.lines, false);
  await page.screenshot({path: join(folder, "large.png")});
  assert.deepEqual(page.complaints, []);
  console.log(`# twice 50,000 triangles, ${large.lines.length} frames: ${size(large)} bytes, dual ${size(dual)}`);
  await page.context().close();
});

await test("the page of an audit shows its worst frames", async () => {
  const path = join(folder, "audit.html");
  graze(command, "audit", "builtin:player", "--rows", "4", "--report", path);
  const page = await openPage(browser, path, {colorScheme: "dark", viewport: {width: 1400, height: 800}});
  const seen = new Set();
  for (let row = 0; row < 4; row++, await page.keyboard.press("ArrowDown")) {
    assert.equal(await page.evaluate(() => grazeAudit.chosen()), row);
    assert.match(await page.textContent("tr.current"), /chest × upper_arm.R|spine.3 × upper_arm.L/);
    const shot = decodePng(await page.locator("#view").screenshot());
    assert.ok(countShining(shot) > 100, `only ${countShining(shot)} pixels of row ${row} are marked`);
    seen.add(await page.textContent("#where"));
  }
  assert.equal(seen.size, 4);
  await page.fill("#words", "clavicle");
  for (const text of await page.locator("tbody tr").allTextContents())
    assert.match(text, /clavicle/);
  await page.screenshot({path: join(folder, "audit.png")});
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await browser.close();

await test("without WebGL the tables and the timeline work", async () => {
  const plain = await openBrowser(false);
  const page = await openPage(plain, walk.path, {colorScheme: "dark"});
  assert.equal(await page.evaluate(() => grazeReport.hasPicture), false);
  assert.match(await page.textContent("#notice"), /no WebGL 2/);
  await checkHits(page, walk.lines, false);
  const box = await page.locator("#timeline").boundingBox();
  const bars = decodePng(await page.locator("#timeline").screenshot());
  assert.ok(countPixels(bars, COLOURS.dark[0]) > 500);
  await page.mouse.click(box.x + 14, box.y + 50);
  assert.equal(await place(page), 0);
  await page.locator("#parts tbody tr").first().click();
  assert.ok(await place(page) > 0);
  await page.keyboard.press("End");
  assert.equal(await place(page), walk.lines.length - 1);
  await page.screenshot({path: join(folder, "plain.png")});
  assert.deepEqual(page.complaints.filter((text) => !/WebGL|GPU/.test(text)), []);
  await plain.close();
});

finish();
