/* Every model in the viewer, against the command; how it is called: viewer_support.mjs. */
import assert from "node:assert/strict";
import {existsSync, readdirSync, rmSync, statSync} from "node:fs";
import {basename, dirname, join} from "node:path";

import {COLOURS, answersOf, ask, browser, builtin, checkFrames, checkRay, command, countsOf, folder, models, open, openViewer, picture,
        site} from "./viewer_support.mjs";
import {countPixels, finish, graze, objPositions, test} from "./support.mjs";

const SKINNINGS = ["linear", "spherical", "dual"];

/* Of all hit triangles: a body that is scaled to a point has nothing to show. */
function hitArea(page) {
  return page.evaluate(() => {
    const {app, stage} = grazeViewer;
    let area = 0;
    app.answers[0].found.pairs.forEach((t, i) => {
      const {posed} = stage.panes[0].figures[app.alone ? 0 : i % 2], points = posed.positions.array;
      const [a, b, c] = [0, 1, 2].map((k) => 3 * posed.surface.corners[3 * t + k]).map((at) => [...points.slice(at, at + 3)]);
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

function modelFiles(root) {
  if (!existsSync(root))
    return [];
  return readdirSync(root).flatMap((name) => {
    const path = join(root, name);
    return statSync(path).isDirectory() ? modelFiles(path) : /\.(glb|gltf)$/.test(name) ? [path] : [];
  });
}

const files = modelFiles(models);

function withBuffers(path) {
  const beside = path.endsWith(".gltf") ? readdirSync(dirname(path)).filter((name) => name.endsWith(".bin")) : [];
  return [path, ...beside.map((name) => join(dirname(path), name))];
}

/* Load, scrub, collide, with itself, every skinning, positions, colours, a ray. */
async function checkModel(page, path) {
  assert.equal(await open(page, withBuffers(path)), null);
  const info = graze(command, "info", path, "--json")[0];
  const [vertices, triangles, skinned, names] = await page.evaluate(() => {
    const [one] = grazeViewer.app.characters;
    return [one.vertexCount, one.triangleCount, one.rig.skinned, one.rig.jointNames];
  });
  assert.deepEqual(names, graze(command, "info", path, "--parts", "--json")[0].parts.map((part) => part.name));
  assert.deepEqual([vertices, triangles], [info.vertices, info.triangles]);
  const placing = {at: await page.evaluate(() => grazeViewer.app.placing.at), turn: 30, phase: 0.2};
  const words = ["--at", placing.at.join(), "--turn", "30", "--phase", "0.2"];
  const every = info.triangles > 5000 ? 6 : 3;

  await ask(page, {alone: true});
  const self = graze(command, "self", path, "--times", "all", "--json");
  assert.deepEqual(await countsOf(page), self.map((line) => line.count));
  assert.deepEqual(await page.evaluate(() => [...grazeViewer.app.survey.track.fresh]), self.map((line) => line.new));
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

await browser.close();
site.close();
finish();
