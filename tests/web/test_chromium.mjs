// The package in a real browser: a page and a worker give the native library's answers, memory is
// given back, and the console stays empty.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, test } from "node:test";

import { browserPath, startChromium } from "./chromium.mjs";

const skip = browserPath || process.env.CI ? false : "there is no Chromium";
const importMap = { imports: { graze: "/graze/index.js", "graze/rig": "/graze/rig.js", "graze/three": "/graze/three.js",
  three: "/three/build/three.module.js" } };
const mounts = { "/graze/": "node_modules/graze", "/three/": "node_modules/three", "/here/": ".",
  "/answers/": process.env.GRAZE_WEB_ANSWERS, "/rigs/": process.env.GRAZE_WEB_RIGS };
const pages = {
  "/index.html": `<!doctype html><title>graze</title><script type="importmap">${JSON.stringify(importMap)}</script>
    <script type="module">
      import * as graze from "graze";
      import * as rig from "graze/rig";
      import * as three from "graze/three";
      import * as THREE from "three";
      import * as compare from "/here/compare.mjs";
      Object.assign(window, { graze, rig, three, THREE, compare, ready: true });
    </script>`,
  "/worker.mjs": `import { createGraze } from "/graze/index.js";
    import { createRig } from "/graze/rig.js";
    import { compareSamples, compareSubject, subjectOf } from "/here/compare.mjs";
    onmessage = async ({ data: { number, rig } }) => {
      const [info, bytes] = await Promise.all([fetch("/answers/" + number + ".json").then((r) => r.json()),
        fetch("/answers/" + number + ".bin").then((r) => r.arrayBuffer())]);
      const samples = await fetch("/rigs/" + rig).then((r) => r.json());
      const { differences, checks } = compareSubject(await createGraze(), subjectOf(info, bytes));
      postMessage({ differences: [...differences, ...compareSamples(await createRig(samples.def), samples)], checks });
    };`,
};

let browser, page;

before(async () => {
  if (skip) return;
  browser = await startChromium(mounts, pages, ["--js-flags=--expose-gc"]);
  page = await browser.open("/index.html");
  await page.waitForFunction("window.ready");
});
after(() => browser?.close());

const answers = readdirSync(process.env.GRAZE_WEB_ANSWERS).filter((name) => name.endsWith(".json")).map(parseFloat);
const rigs = readdirSync(process.env.GRAZE_WEB_RIGS);

test("a page has the native library's answers", { skip }, async () => {
  const { differences, checks } = await page.evaluate(async (numbers) => {
    const all = await window.graze.createGraze(), found = { differences: [], checks: 0 };
    for (const number of numbers) {
      const info = await (await fetch(`/answers/${number}.json`)).json();
      const bytes = await (await fetch(`/answers/${number}.bin`)).arrayBuffer();
      const one = window.compare.compareSubject(all, window.compare.subjectOf(info, bytes));
      found.differences.push(...one.differences);
      found.checks += one.checks;
    }
    return found;
  }, answers);
  assert.deepEqual(differences, []);
  assert.ok(checks >= 150 * answers.length, `${checks} checks`);
  assert.deepEqual(page.complaints, []);
});

test("rigs in a page", { skip }, async () => {
  const differences = await page.evaluate(async (files) => {
    const found = [];
    for (const file of files) {
      const subject = await (await fetch(`/rigs/${file}`)).json();
      found.push(...window.compare.compareSamples(await window.rig.createRig(subject.def), subject));
    }
    return found;
  }, rigs);
  assert.deepEqual(differences, []);
  assert.deepEqual(page.complaints, []);
});

test("a worker", { skip }, async () => {
  const { differences, checks } = await page.evaluate(([number, rig]) => new Promise((done, fail) => {
    const worker = new Worker("/worker.mjs", { type: "module" });
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = (event) => fail(new Error(event.message));
    worker.postMessage({ number, rig });
  }), [answers[0], rigs[0]]);
  assert.deepEqual(differences, []);
  assert.ok(checks >= 100, `${checks} checks`);
  assert.deepEqual(page.complaints, []);
});

test("what nobody holds is given back, and what is held stays while memory grows", { skip }, async () => {
  const got = await page.evaluate(async () => {
    const graze = await window.graze.createGraze();
    const positions = Float32Array.from({ length: 3 * 3000 }, (_, i) => Math.sin(i * i));
    const def = { positions, triangles: Uint32Array.from({ length: 3000 }, (_, i) => i) };
    const model = graze.model(def), body = model.body(), held = body.positions(), start = graze.bytes;
    const collected = async () => {
      for (let i = 0; i < 5; i++) {
        globalThis.gc();
        await new Promise((done) => setTimeout(done, 20)); // finalisers run between tasks
      }
    };
    const litter = (count) => {
      for (let i = 0; i < count; i++) model.body();
    };
    litter(100);
    const grown = graze.bytes;
    await collected();
    for (let round = 0; round < 5; round++) {
      litter(90);
      await collected();
    }
    const now = body.positions(), same = held.length === positions.length && held.every((value, i) => value === now[i]);
    return { start, grown, end: graze.bytes, same };
  });
  assert.ok(got.grown > 2 * got.start, JSON.stringify(got));
  assert.equal(got.end, got.grown);
  assert.ok(got.same);
  assert.deepEqual(page.complaints, []);
});

test("three.js's Raycaster in a page", { skip }, async () => {
  const { own, theirs } = await page.evaluate(async () => {
    const { accelerate } = window.three, { THREE } = window;
    const geometry = new THREE.CylinderGeometry(1, 1, 8, 24, 32), count = geometry.attributes.position.count;
    const share = (i) => Math.min(1, Math.max(0, geometry.attributes.position.getY(i) / 8 + 0.5));
    const four = (Type, one) => new Type(Array.from({ length: count }, (_, i) => one(share(i))).flat(), 4);
    geometry.setAttribute("skinIndex", four(THREE.Uint16BufferAttribute, () => [0, 1, 0, 0]));
    geometry.setAttribute("skinWeight", four(THREE.Float32BufferAttribute, (s) => [1 - s, s, 0, 0]));
    const bones = [new THREE.Bone(), new THREE.Bone()];
    bones[0].add(bones[1]);
    const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    mesh.add(bones[0]);
    mesh.bind(new THREE.Skeleton(bones));
    bones[1].rotation.z = 0.7;
    mesh.updateMatrixWorld(true);
    const ask = () => Array.from({ length: 200 }, (_, i) => {
      const origin = new THREE.Vector3(20 * Math.cos(i), 3 * Math.sin(3 * i), 20 * Math.sin(i));
      const aim = new THREE.Vector3(0.5 * Math.sin(7 * i), 3 * Math.cos(5 * i), 0.5 * Math.cos(2 * i));
      return new THREE.Raycaster(origin, aim.sub(origin).normalize()).intersectObject(mesh)
        .map((hit) => [hit.faceIndex, hit.distance]);
    });
    mesh.computeBoundingSphere();
    const theirs = ask();
    accelerate(await window.graze.createGraze(), mesh);
    return { own: ask(), theirs };
  });
  const hits = own.flat(), faces = (rays) => rays.map((ray) => ray.map(([face]) => face));
  assert.ok(hits.length > 100, `${hits.length} hits`);
  assert.deepEqual(faces(own), faces(theirs));
  theirs.flat().forEach(([, distance], i) => assert.ok(Math.abs(distance - hits[i][1]) < 1e-4));
  assert.deepEqual(page.complaints, []);
});
