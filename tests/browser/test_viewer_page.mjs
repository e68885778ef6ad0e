/* The viewer's page: first load, keys, hands, colours, bad files; how it is called: viewer_support.mjs. */
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {readFileSync, rmSync, statSync, truncateSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";

import {COLOURS, answersOf, ask, browser, builtin, checkFrames, checkRay, command, countsOf, drawn, folder, makeGlb, open, openViewer,
        picture, site, triangle, viewer, watch} from "./viewer_support.mjs";
import {countPixels, finish, graze, openBrowser, test} from "./support.mjs";

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
  for (const name of ["player", "creature", "robot", "curtain", "man"]) {
    await page.selectOption("#builtin", name);
    await page.waitForFunction((wanted) => document.getElementById("title").textContent === `${wanted}.glb`, name);
  }
  assert.deepEqual(page.complaints, []);
  await context.close();
});

const page = await openViewer();
const state = (key) => page.evaluate((name) => grazeViewer.app[name], key);

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
  await drawn(page);
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
  await drawn(page);
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
      grazeViewer.app.answers[0].trees.reduce((sum, tree) => sum + tree.refitted.reduce((a, b) => a + b, 0), 0)]);
    assert.deepEqual(found, [line.stats.nodes_refit, line.stats.nodes_refit]);
    await page.screenshot({path: join(folder, `tree-${kind}.png`)});
  }
  await ask(page, {treeKind: "boxes"});
  await page.evaluate(() => grazeViewer.app.setShow({tree: false, hits: true}));
  assert.equal(await seen(ray), 0);
  await checkRay(page, man, words);
  assert.ok(await seen(ray) > 5);
  await page.waitForFunction(() => grazeViewer.app.cost && !Number.isNaN(grazeViewer.app.ray.micros));
  const cost = await page.evaluate(() => {
    const {app} = grazeViewer;
    return {...app.cost, ray: app.ray.micros, sum: app.characters.reduce((sum, one) => sum + one.vertexCount, 0)};
  });
  assert.ok(cost.lazy > 0 && cost.eager > 0 && cost.ray > 0);
  assert.equal(cost.eagerStats.verticesPosed, cost.sum);
  assert.match(await page.textContent("#cost"), /µs|ms/);
  await page.keyboard.press("Escape");
  assert.equal(await state("ray"), null);
  assert.deepEqual(page.complaints, []);
});

/* Whether the command was built with the decoders. */
function reads(path) {
  try {
    return graze(command, "info", path, "--json").length === 1;
  } catch {
    return false;
  }
}

await test("viewer: compressed by meshoptimizer and Draco", async () => {
  const made = [["gltfpack", "-c"], ["gltfpack", "-cc", "-noq"], ["draco_transcoder"]].map(([program, ...options], i) => {
    const path = join(folder, `packed-${i}.glb`);
    return spawnSync(program, ["-i", dwarf, "-o", path, ...options]).status === 0 ? path : null;
  });
  if (made.includes(null))
    return "there is no gltfpack or draco_transcoder";
  for (const path of made) {
    assert.equal(await open(page, [path]), null);
    const placing = {at: [0.4, 0, 0.1], turn: 0, phase: 0};
    await ask(page, {placing});
    if (reads(path))
      await checkFrames(page, graze(command, "collide", path, "--at", "0.4,0,0.1", "--times", "all", "--json"), 4);
    const counts = await countsOf(page), plain = graze(command, "collide", dwarf, "--at", "0.4,0,0.1", "--times", "all", "--json");
    const sum = plain.reduce((all, line) => all + line.count, 0), found = counts.reduce((all, count) => all + count, 0);
    assert.ok(sum > 0 && Math.abs(found - sum) < 0.2 * sum, `${found} pairs in all, ${sum} of the same uncompressed`);
  }
  for (const path of made) { /* cut in the middle of a stream, the lengths as before */
    const bytes = readFileSync(path), json = 20 + bytes.readUInt32LE(12), broken = `${path}.broken.glb`;
    bytes.fill(0x5a, json + 8 + 40, json + 8 + 400);
    writeFileSync(broken, bytes);
    assert.match(String(await open(page, [broken])), /broken\.glb: .*(meshopt|draco|KHR|EXT)/);
  }
  assert.equal(await open(page, [dwarf]), null);
  assert.deepEqual(page.complaints, []);
});

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
  await page.evaluate(() => {
    const {app, stage} = grazeViewer, {target} = stage.controls;
    app.castRay(target.clone().set(0.2, 0.2, 2), target.clone().set(0, 0, -1), 0);
  });
  await drawn(page);
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
