/* The viewer in Chromium, against the command:
 *
 *   node test_viewer.mjs GRAZE MODELS FOLDER VIEWER
 *
 * MODELS: a folder of models, or one that is not there; FOLDER: where models and pictures go; VIEWER:
 * the page's folder. Needs no graphics card.
 */
import assert from "node:assert/strict";
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from "node:fs";
import {basename, dirname, join} from "node:path";
import {gzipSync} from "node:zlib";

import {makeGlb, serve, watch} from "./viewer_support.mjs";
import {countPixels, decodePng, finish, graze, objPositions, openBrowser, test} from "./support.mjs";

const [command, models, folder, viewer] = process.argv.slice(2);
const COLOURS = {
  dark: {hits: ["#ff5233", "#ffb020"], rest: "#8f7fd6", ray: "#3fd0ff", curve: "#ffffff"},
  light: {hits: ["#e8391a", "#e59400"], rest: "#7462c4", ray: "#0077b8", curve: "#101214"}};
const SKINNINGS = ["linear", "spherical", "dual"];

mkdirSync(folder, {recursive: true});
const site = await serve(viewer), browser = await openBrowser(true);

/* ---- the page ---- */

async function openViewer(options = {}, address = site.address) {
  const context = await browser.newContext({viewport: {width: 1000, height: 640}, colorScheme: "dark", ...options});
  const page = watch(await context.newPage());
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, {timeout: 20000});
  return page;
}

/* Gives files to the page as a person does, and waits for the model or for a message. */
async function open(page, paths, second = false) {
  await page.evaluate(() => document.getElementById("notice").hidden = true);
  const chooser = page.waitForEvent("filechooser");
  await page.click(second ? "#open-second" : "#open");
  await (await chooser).setFiles(paths);
  await page.waitForFunction((name) => !document.getElementById("notice").hidden ||
    (document.getElementById("busy").hidden && grazeViewer.app.characters.some((one) => one.name === name)),
  basename(paths[0]), {timeout: 30000});
  return page.evaluate(() => document.getElementById("notice").hidden ? null : document.querySelector("#notice span").textContent);
}

/* Changes what is asked, and waits until every frame was looked at. */
async function ask(page, settings) {
  await page.evaluate((changes) => grazeViewer.app.change(changes), settings);
  await page.waitForFunction(() => grazeViewer.app.survey.finished, null, {timeout: 30000});
}

/* What the page found in each of these frames. */
function answersOf(page, frames, skinning = null) {
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
async function checkFrames(page, lines, every, skinning = null) {
  const frames = lines.map((_, k) => k).filter((k) => k % every === 0 || k === lines.length - 1);
  const found = await answersOf(page, frames, skinning);
  frames.forEach((k, i) => {
    assert.equal(found[i].time, lines[k].time);
    assert.deepEqual(found[i].pairs, lines[k].pairs.flat(), `frame ${k}`);
    if (lines[k].rest)
      assert.deepEqual(found[i].rest, lines[k].rest.map(Number), `frame ${k}`);
    assert.deepEqual(found[i].stats, [lines[k].stats.nodes_refit, lines[k].stats.vertices_posed], `frame ${k}`);
  });
}

const countsOf = (page) => page.evaluate(() => [...grazeViewer.app.survey.track.counts]);

/* The stage as it is drawn now, without what stands over it. */
async function picture(page) {
  await page.evaluate(async () => {
    for (const id of ["legend", "tools", "labels"])
      document.getElementById(id).style.visibility = "hidden";
    const {stage} = grazeViewer, before = stage.drawn;
    stage.redraw();
    while (stage.drawn === before)
      await new Promise(requestAnimationFrame);
  });
  return decodePng(await page.locator("#view").screenshot());
}

/* Of all hit triangles: a body that is scaled to a point has nothing to show. */
function hitArea(page) {
  return page.evaluate(() => {
    const {app, stage} = grazeViewer;
    let area = 0;
    app.answers[0].found.pairs.forEach((t, i) => {
      const {posed} = stage.panes[0].figures[app.alone ? 0 : i % 2], points = posed.positions.array;
      const [a, b, c] = [0, 1, 2].map((k) => [...points.slice(3 * posed.surface.corners[3 * t + k], 3 * posed.surface.corners[3 * t + k] + 3)]);
      const [p, q] = [b, c].map((corner) => corner.map((x, k) => x - a[k]));
      area += Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
    });
    return area;
  });
}

/* The picture has pixels in the colours of hits exactly if there are some. */
async function checkColours(page, lines) {
  await page.evaluate(() => grazeViewer.app.setShow({contacts: false, xray: false}));
  const hit = lines.findIndex((line) => line.count > 0), free = lines.findIndex((line) => line.count === 0);
  const {hits, rest} = COLOURS.dark;
  for (const frame of [hit, free].filter((k) => k >= 0)) {
    await page.evaluate(async (k) => {
      grazeViewer.app.go(k);
      await Promise.resolve();
      grazeViewer.app.goToHits();
    }, frame);
    if (frame === hit && await hitArea(page) === 0)
      continue;
    let most = 0;
    for (let side = 0; side < 4 && (side === 0 || (frame === hit && most === 0)); side++) {
      const shot = await picture(page);
      most = [...hits, rest].reduce((sum, colour) => sum + countPixels(shot, colour), 0);
      await page.evaluate(() => {
        const {camera, controls} = grazeViewer.stage, away = camera.position.clone().sub(controls.target);
        camera.position.set(controls.target.x + away.z, camera.position.y, controls.target.z - away.x);
        controls.update();
      });
    }
    assert.equal(most > 0, frame === hit, `frame ${frame}: ${most} pixels of hits`);
  }
  await page.evaluate(() => grazeViewer.app.setShow({contacts: true, xray: true}));
}

/* Clicks where a vertex is seen, until a ray meets something; then the command casts the same one. */
async function checkRay(page, path, placing) {
  await page.evaluate(() => grazeViewer.app.lookAtAll());
  await page.waitForTimeout(30);
  let ray = null;
  for (let k = 0; k < 12 && !ray?.hit; k++) {
    const place = await page.evaluate((part) => {
      const {app, stage} = grazeViewer, {array} = stage.panes[0].figures[0].posed.positions;
      const v = 3 * Math.floor(part * array.length / 3), point = stage.controls.target.clone().fromArray(array, v);
      return stage.screenOf(point, app.answers.length - 1);
    }, (k + 0.5) / 12);
    await page.mouse.click(place.x, place.y);
    await page.waitForTimeout(10);
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

/* ---- models ---- */

function modelFiles(root) {
  if (!existsSync(root))
    return [];
  return readdirSync(root).flatMap((name) => {
    const path = join(root, name);
    return statSync(path).isDirectory() ? modelFiles(path) : /\.(glb|gltf)$/.test(name) ? [path] : [];
  });
}

const files = modelFiles(models);
const builtin = ["dwarf", "creature", "robot", "curtain", "man"].map((name) => join(dirname(viewer), "viewer_build/models", `${name}.glb`));

function withBuffers(path) {
  const beside = path.endsWith(".gltf") ? readdirSync(dirname(path)).filter((name) => name.endsWith(".bin")) : [];
  return [path, ...beside.map((name) => join(dirname(path), name))];
}

/* Load, scrub, collide, with itself, every skinning, positions, colours, a ray. */
async function checkModel(page, path) {
  assert.equal(await open(page, withBuffers(path)), null);
  const info = graze(command, "info", path, "--json")[0];
  const [vertices, triangles, skinned] = await page.evaluate(() => {
    const [one] = grazeViewer.app.characters;
    return [one.vertexCount, one.triangleCount, one.rig.skinned];
  });
  assert.deepEqual([vertices, triangles], [info.vertices, info.triangles]);
  const placing = {at: await page.evaluate(() => grazeViewer.app.placing.at), turn: 30, phase: 0.2};
  const words = ["--at", placing.at.join(), "--turn", "30", "--phase", "0.2"];
  const every = info.triangles > 5000 ? 6 : 3;

  await ask(page, {alone: true});
  const self = graze(command, "self", path, "--times", "all", "--json");
  assert.deepEqual(await countsOf(page), self.map((line) => line.count));
  await checkFrames(page, self, every);
  await ask(page, {alone: false, placing});
  const pairs = graze(command, "collide", path, ...words, "--times", "all", "--json");
  assert.deepEqual(await countsOf(page), pairs.map((line) => line.count));
  await checkFrames(page, pairs, every);
  await checkColours(page, pairs);

  const time = pairs[pairs.length >> 1].time, posed = join(folder, `posed-${basename(path)}.obj`);
  await answersOf(page, [pairs.length >> 1]);
  graze(command, "pose", path, ...words, "--time", String(time), "-o", posed);
  const positions = await page.evaluate(() => [...grazeViewer.app.casts[0].bodies[1].positions()]);
  assert.deepEqual(positions, objPositions(posed).map(Math.fround));
  rmSync(posed);
  await checkRay(page, path, words);
  if (!skinned)
    return;
  await page.evaluate(() => grazeViewer.app.change({compare: true}));
  for (const skin of SKINNINGS.slice(1))
    await checkFrames(page, graze(command, "collide", path, ...words, "--times", "all", "--json", "--skin", skin),
                      Math.ceil(pairs.length / 3), skin);
  await checkRay(page, path, words);
  await page.evaluate(() => grazeViewer.app.change({compare: false}));
}

const waiting = [...builtin, ...files];
await Promise.all([1, 2].map(async () => {
  const page = await openViewer({viewport: {width: 800, height: 440}});
  await page.evaluate(() => grazeViewer.app.measures = false);
  for (let path; (path = waiting.shift());) {
    await test(`viewer, ${basename(path)}`, async () => {
      await checkModel(page, path);
      assert.deepEqual(page.complaints.splice(0), []);
    });
  }
  await page.context().close();
}));
if (!files.length)
  await test("models beside the repository", () => `there is no ${models}`);

/* ---- the page itself ---- */

const dwarf = builtin[0], man = builtin[4];

await test("viewer: first load, from a server and from disk", async () => {
  const context = await browser.newContext(), page = watch(await context.newPage()), loaded = [];
  page.on("response", (response) => loaded.push(response));
  await page.goto(site.address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  let bytes = 0;
  for (const response of loaded.filter((one) => one.url().startsWith("http")))
    bytes += gzipSync(await response.body(), {level: 9}).length;
  console.log(`# first load: ${loaded.length} requests, ${bytes} bytes compressed`);
  assert.ok(bytes > 1e5 && bytes < 1e6, `${bytes} bytes`);
  await context.setOffline(true);
  await page.goto(`file://${viewer}/index.html#model=dwarf`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  assert.equal(await page.textContent("#title"), "dwarf.glb");
  for (const name of ["creature", "robot", "curtain", "man"]) {
    await page.selectOption("#builtin", name);
    await page.waitForFunction((wanted) => document.getElementById("title").textContent === `${wanted}.glb`, name);
  }
  assert.deepEqual(page.complaints, []);
  await context.close();
});

const page = await openViewer();
const state = (key) => page.evaluate((name) => grazeViewer.app[name], key);
const settle = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));

await test("viewer: keys", async () => {
  assert.equal(await open(page, [dwarf]), null);
  await ask(page, {});
  const counts = await countsOf(page), last = counts.length - 1, hits = counts.flatMap((count, k) => count ? [k] : []);
  const press = async (key, wanted) => {
    await page.keyboard.press(key);
    assert.equal(await state("place"), wanted, key);
  };
  assert.ok(hits.length > 0 && hits.length < counts.length, "frames with and without hits");
  await press("End", last);
  await press("ArrowRight", last);
  await press("Home", 0);
  await press("ArrowRight", 1);
  await press("ArrowLeft", 0);
  await press("Shift+ArrowRight", 10);
  await press("Home", 0);
  await press("ArrowDown", hits.find((frame) => frame > 0));
  await press("End", last);
  await press("ArrowUp", hits.filter((frame) => frame < last).at(-1));
  for (const [key, skin] of [["2", "spherical"], ["3", "dual"], ["1", "linear"]]) {
    await page.keyboard.press(key);
    assert.equal(await state("skin"), skin);
    assert.equal(await page.getAttribute(`#skin [data-value=${skin}]`, "aria-pressed"), "true");
  }
  await page.keyboard.press("4");
  await settle();
  assert.equal(await page.locator("#labels span").count(), 3);
  await page.keyboard.press("4");
  for (const [key, name] of [["c", "contacts"], ["t", "tree"], ["x", "xray"], ["e", "edges"]]) {
    const before = (await state("show"))[name];
    await page.keyboard.press(key);
    assert.equal((await state("show"))[name], !before);
    await page.keyboard.press(key);
  }
  await page.keyboard.press("s");
  assert.equal(await state("alone"), true);
  await page.keyboard.press("s");
  await page.keyboard.press(".");
  assert.equal((await state("placing")).turn, 5);
  await page.keyboard.press(",");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!await page.locator("#help").isVisible());
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.keyboard.press("l");
  assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), theme);
  await page.keyboard.press("l");
  await press("Home", 0);
  await page.keyboard.press(" ");
  await page.waitForFunction(() => grazeViewer.app.place > 3);
  await page.keyboard.press(" ");
  const stopped = await state("place");
  assert.equal(stopped, Math.round(stopped));
  await page.waitForTimeout(100);
  assert.equal(await state("place"), stopped);
  assert.deepEqual(page.complaints, []);
});

await test("viewer: hands: the second body is moved and turned, numbers say the same, the timeline goes", async () => {
  assert.equal(await open(page, [dwarf]), null);
  await ask(page, {});
  const grab = await page.evaluate(() => {
    const {app, stage} = grazeViewer, {array} = stage.panes[0].figures[1].posed.positions, point = stage.controls.target.clone();
    for (let v = 0; v < array.length; v += 3) {
      const place = stage.screenOf(point.fromArray(array, v)), ray = stage.rayAt(place.x, place.y);
      if (ray && app.pick(ray.origin, ray.direction, ray.pane)?.body === 1)
        return place;
    }
    return null;
  });
  const before = await state("placing"), camera = () => page.evaluate(() => grazeViewer.stage.camera.position.toArray());
  const eye = await camera();
  const drag = async (from, across, down) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const part of [0.3, 0.7, 1])
      await page.mouse.move(from.x + part * across, from.y + part * down);
    await page.mouse.up();
  };
  await drag(grab, -46, 14);
  const moved = await state("placing");
  assert.ok(Math.hypot(moved.at[0] - before.at[0], moved.at[2] - before.at[2]) > 0.02 && moved.at[1] === before.at[1]);
  assert.deepEqual(await camera(), eye);
  assert.equal(Number(await page.inputValue("#at-x")), moved.at[0]);
  const ring = await page.evaluate(() => {
    const {app, stage} = grazeViewer, point = stage.controls.target.clone(), r = 0.42 * stage.size;
    for (let angle = 0; angle < 6.28; angle += 0.1) {
      point.set(app.placing.at[0] + r * Math.cos(angle), stage.floorHeight, app.placing.at[2] + r * Math.sin(angle));
      const place = stage.screenOf(point), ray = stage.rayAt(place.x, place.y);
      if (ray && !app.pick(ray.origin, ray.direction, ray.pane))
        return place;
    }
    return null;
  });
  await drag(ring, 60, -25);
  assert.notEqual((await state("placing")).turn, 0);
  assert.deepEqual(await camera(), eye);
  await drag({x: 40, y: 120}, 80, 20);
  assert.notDeepEqual(await camera(), eye);
  for (const [id, value] of [["at-x", "0.4"], ["at-z", "-0.05"], ["turn", "90"], ["phase", "0.1"]])
    await page.fill(`#${id}`, value);
  await ask(page, {});
  assert.deepEqual(await state("placing"), {at: [0.4, moved.at[1], -0.05], turn: 90, phase: 0.1});
  const words = ["--at", `0.4,${moved.at[1]},-0.05`, "--turn", "90", "--phase", "0.1", "--times", "all", "--json"];
  await checkFrames(page, graze(command, "collide", dwarf, ...words), 3);
  const said = (await page.textContent("#command")).split(" ");
  assert.equal(said[0], "graze");
  const [line] = graze(command, ...said.slice(1).map((word) => word === "dwarf.glb" ? dwarf : word));
  assert.deepEqual((await answersOf(page, [await state("frame")]))[0].pairs, line.pairs.flat());
  const box = await page.locator("#timeline").boundingBox();
  await page.mouse.click(box.x + box.width - 14, box.y + 40);
  assert.equal(await state("place"), await state("frames") - 1);
  await page.mouse.click(box.x + 14, box.y + 40);
  assert.equal(await state("place"), 0);
  assert.deepEqual(page.complaints, []);
});

await test("viewer: colours of the tree, contacts and the ray; two models; what it costs", async () => {
  assert.equal(await open(page, [man]), null);
  assert.equal(await open(page, [dwarf], true), null);
  await ask(page, {placing: {at: [0.5, 0, 0], turn: 0, phase: 0}});
  const words = ["--at", "0.5,0,0", "--times", "all", "--json"], lines = graze(command, "collide", man, dwarf, ...words);
  assert.deepEqual(await countsOf(page), lines.map((line) => line.count));
  const frame = lines.findIndex((line) => line.count);
  await answersOf(page, [frame]);
  await page.evaluate(() => grazeViewer.app.goToHits());
  const {ray, curve} = COLOURS.dark;
  const seen = async (colour) => countPixels(await picture(page), colour);
  await page.evaluate(() => grazeViewer.app.setShow({contacts: false, tree: false}));
  assert.equal(await seen(curve), 0);
  await page.evaluate(() => grazeViewer.app.setShow({contacts: true}));
  assert.ok(await seen(curve) > 5);
  const contacts = await page.evaluate(() => grazeViewer.app.answers[0].contacts.contacts.map((one) => one.count));
  assert.equal(contacts.reduce((sum, count) => sum + count, 0), lines[frame].count);
  const bluish = async () => {
    const {data, pixel} = await picture(page);
    let blue = 0, red = 0;
    for (let at = 0; at < data.length; at += pixel) {
      blue += data[at + 2] - data[at] > 60;
      red += data[at] - data[at + 2] > 60 && data[at] - data[at + 1] > 60;
    }
    return [blue, red];
  };
  await page.evaluate(() => grazeViewer.app.setShow({contacts: false, hits: false}));
  assert.deepEqual(await bluish(), [0, 0]);
  for (const kind of ["boxes", "paper"]) {
    await ask(page, {treeKind: kind});
    await page.evaluate(() => grazeViewer.app.setShow({tree: true}));
    await page.evaluate(() => grazeViewer.app.setLevel(3));
    const [blue, red] = await bluish();
    assert.ok(blue > 100 && red > 100, `${kind}: ${blue} blue and ${red} red pixels`);
    const [line] = graze(command, "collide", man, dwarf, "--at", "0.5,0,0", "--time", String(lines[frame].time), "--json",
                         ...kind === "paper" ? ["--tree", "paper"] : []);
    const found = await page.evaluate(() => [grazeViewer.app.answers[0].found.stats.nodesRefit,
      grazeViewer.app.trees.reduce((sum, tree) => sum + tree.refitted.reduce((a, b) => a + b, 0), 0)]);
    assert.deepEqual(found, [line.stats.nodes_refit, line.stats.nodes_refit]);
    await page.screenshot({path: join(folder, `tree-${kind}.png`)});
  }
  await ask(page, {treeKind: "boxes"});
  await page.evaluate(() => grazeViewer.app.setShow({tree: false, hits: true}));
  assert.equal(await seen(ray), 0);
  await checkRay(page, man, words);
  assert.ok(await seen(ray) > 5);
  await page.waitForFunction(() => grazeViewer.app.cost && !Number.isNaN(grazeViewer.app.ray.micros));
  const cost = await page.evaluate(() => ({...grazeViewer.app.cost, ray: grazeViewer.app.ray.micros, sum: grazeViewer.app.characters.reduce((sum, one) => sum + one.vertexCount, 0)}));
  assert.ok(cost.lazy > 0 && cost.eager > 0 && cost.ray > 0);
  assert.equal(cost.eagerStats.verticesPosed, cost.sum);
  assert.match(await page.textContent("#cost"), /µs|ms/);
  await page.keyboard.press("Escape");
  assert.equal(await state("ray"), null);
  assert.deepEqual(page.complaints, []);
});

/* A triangle that follows one joint. */
function triangle(change) {
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

await test("viewer: bad files: a message, and the page goes on", async () => {
  assert.equal(await open(page, [dwarf]), null);
  await ask(page, {});
  const wanted = await countsOf(page), whole = readFileSync(dwarf), path = (name) => join(folder, name);
  const bad = (name, bytes) => {
    writeFileSync(path(name), bytes);
    return path(name);
  };
  writeFileSync(path("zeros.glb"), "");
  truncateSync(path("zeros.glb"), 200e6);
  const big = {asset: {version: "2.0"}, scenes: [{nodes: [0]}], nodes: [{mesh: 0}], meshes: [{primitives: [{attributes: {POSITION: 0}}]}],
    accessors: [{bufferView: 0, componentType: 5126, count: 16500000, type: "VEC3"}], bufferViews: [{buffer: 0, byteLength: 198e6}],
    buffers: [{byteLength: 198e6}]};
  const cases = [
    [bad("text.glb", "not a model at all"), /text\.glb: neither GLB nor glTF/],
    [bad("empty.glb", ""), /empty\.glb: the file is empty/],
    ...[8, 14, 100, 2000, whole.length - 1].map((size) => [bad(`cut-${size}.glb`, whole.subarray(0, size)), /cut-\d+\.glb: (GLB|byte)/]),
    [bad("json.gltf", "{\"asset\":"), /json\.gltf: not valid JSON/],
    [bad("meshless.glb", makeGlb({asset: {version: "2.0"}, scenes: [{nodes: [0]}], nodes: [{}]})), /no triangles in the scene/],
    [bad("version.glb", makeGlb({asset: {version: "1.0"}})), /glTF version 1.0, not 2/],
    [bad("required.glb", makeGlb({asset: {version: "2.0"}, extensionsRequired: ["EXT_none"]})), /'EXT_none' is not supported/],
    [bad("nan.glb", triangle((_, binary) => binary.writeFloatLE(NaN, 0))), /element 0 holds a number that is not finite/],
    [bad("weightless.glb", triangle((_, binary) => binary.fill(0, 48))), /weight/],
    [bad("cycle.glb", triangle((json) => json.nodes[1].children = [1])), /own ancestor/],
    [bad("range.glb", triangle((json) => json.accessors[0].count = 4)), /exceeds bufferView 0/],
    [bad("joint.glb", triangle((_, binary) => binary[36] = 9)), /joint 9 of the 1/],
    [bad("beside.gltf", JSON.stringify({...big, buffers: [{byteLength: 198e6, uri: "far.bin"}]})), /choose both files together/],
    [bad("big.glb", makeGlb(big, Buffer.alloc(198e6))), /5,500,000 triangles are more than this page takes/],
    [path("zeros.glb"), /zeros\.glb: neither GLB nor glTF/],
  ];
  for (const [file, words] of cases) {
    const said = await open(page, [file]);
    assert.match(String(said), words);
    assert.equal(await page.textContent("#title"), "dwarf.glb");
    if (statSync(file).size > 1e6)
      rmSync(file);
  }
  await page.screenshot({path: join(folder, "message.png")});
  assert.deepEqual(await countsOf(page), wanted);
  await checkFrames(page, graze(command, "collide", dwarf, "--at", (await state("placing")).at.join(), "--times", "all", "--json"), 5);
  assert.equal(await open(page, [bad("triangle.glb", triangle())]), null);
  assert.equal(await page.textContent("#title"), "triangle.glb");
  assert.deepEqual(page.complaints, []);
});

await test("viewer: dropped files, names that are no markup, dark and light", async () => {
  const name = "<img src=x onerror=alert(1)>.glb", bytes = triangle((json) => json.nodes[1].name = "<b>joint</b>").toString("base64");
  await page.evaluate(async ([called, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], called));
    document.body.dispatchEvent(new DragEvent("dragover", {dataTransfer: data, bubbles: true, cancelable: true}));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
  }, [name, bytes]);
  await page.waitForFunction((wanted) => document.getElementById("title").textContent === wanted, name);
  await page.evaluate(() => grazeViewer.app.castRay(grazeViewer.stage.controls.target.clone().set(0.2, 0.2, 2), grazeViewer.stage.controls.target.clone().set(0, 0, -1), 0));
  await settle();
  assert.match(await page.textContent("#ray-facts"), /<b>joint<\/b>/);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await open(page, [dwarf]), null);
  await ask(page, {});
  const frame = (await countsOf(page)).findIndex((count) => count > 0);
  for (const scheme of ["light", "dark"]) {
    await page.keyboard.press("l");
    await page.evaluate(async (k) => {
      grazeViewer.app.setShow({contacts: false, xray: false});
      grazeViewer.app.go(k);
      await Promise.resolve();
      grazeViewer.app.goToHits();
    }, frame);
    const shot = await picture(page), other = scheme === "light" ? "dark" : "light";
    const count = (of) => COLOURS[of].hits.reduce((sum, colour) => sum + countPixels(shot, colour), 0);
    assert.ok(count(scheme) > 20 && count(other) === 0, `${scheme}: ${count(scheme)} pixels, ${count(other)} of the other`);
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test("viewer: touch, and a narrow screen", async () => {
  const phone = await openViewer({viewport: {width: 390, height: 800}, hasTouch: true, isMobile: true, colorScheme: "light"});
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth) <= 390);
  const box = await phone.locator("#view").boundingBox(), client = await phone.context().newCDPSession(phone);
  const far = () => phone.evaluate(() => grazeViewer.stage.camera.position.distanceTo(grazeViewer.stage.controls.target));
  const fingers = (apart) => [-1, 1].map((side, id) => ({id, x: box.x + box.width / 2 + side * apart, y: box.y + box.height / 2}));
  const before = await far();
  await client.send("Input.dispatchTouchEvent", {type: "touchStart", touchPoints: fingers(40)});
  for (const apart of [60, 90, 120])
    await client.send("Input.dispatchTouchEvent", {type: "touchMove", touchPoints: fingers(apart)});
  await client.send("Input.dispatchTouchEvent", {type: "touchEnd", touchPoints: []});
  assert.ok(await far() < 0.7 * before);
  await phone.evaluate(() => grazeViewer.app.lookAtAll());
  for (let k = 0; k < 8 && !await phone.evaluate(() => grazeViewer.app.ray?.hit); k++)
    await phone.touchscreen.tap(box.x + box.width * (0.3 + 0.05 * k), box.y + box.height / 2);
  assert.ok(await phone.evaluate(() => grazeViewer.app.ray.hit));
  assert.equal(await phone.evaluate(() => document.documentElement.dataset.theme), "light");
  await phone.emulateMedia({colorScheme: "dark"});
  await phone.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await phone.screenshot({path: join(folder, "viewer-narrow.png")});
  assert.deepEqual(phone.complaints, []);
  await phone.context().close();
});

await browser.close();
site.close();

await test("viewer: without WebGL it says so", async () => {
  const plain = await openBrowser(false), blind = await plain.newPage();
  await blind.goto(`file://${viewer}/index.html`);
  await blind.waitForFunction(() => !document.getElementById("notice").hidden);
  assert.match(await blind.textContent("#notice"), /no WebGL/);
  await plain.close();
});

finish();
