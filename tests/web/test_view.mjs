// web/graze-view, the viewer's module: pairs, contacts and statistics of the command's JSON, and the
// nodes of the tree.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { loadAnswers, loadRigs } from "./answers.mjs";
import { makeModel } from "./compare.mjs";

const { GrazeError, createView } = await import(process.env.GRAZE_VIEW);
const wasm = readFileSync(process.env.GRAZE_VIEW_WASM);
const view = await createView({ wasm });
const models = process.env.GRAZE_MODELS;
const shared = ["CesiumMan.glb", "Fox.glb", "RiggedFigure.glb", "RobotExpressive.glb"];
const answers = loadAnswers();
const subjects = loadRigs();

function commandLines(question, name, ...words) {
  const text = execFileSync(process.env.GRAZE_COMMAND, [question, `${models}/${name}`, ...words, "--json"],
    { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

const command = (...words) => commandLines(...words)[0];

const placedAt = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
const flat = (pairs) => Uint32Array.from(pairs.flat());
const sum = (values) => values.reduce((x, y) => x + y, 0);

/** Bodies a and b of a shared model at a time of its first clip, b moved along x; also a finder. */
function stage(name, skinning, time, x, tree) {
  const { a, b, pose } = cast(name, skinning, x, tree);
  pose(time);
  return { a, b };
}

/** Those bodies, and what poses both. */
function cast(name, skinning, x, tree) {
  const rig = view.rig(subjects.find((subject) => subject.name === name).def);
  const subject = answers.find(({ info }) => info.name === name && info.skinning === skinning);
  const model = makeModel(view, subject, { rig, tree }), a = model.body(), b = model.body();
  const pose = (time) => {
    const { matrices, morphWeights } = rig.sample(0, time);
    a.setPose(matrices, { morphWeights });
    b.setPose(matrices, { morphWeights, placement: placedAt(x, 0, 0) });
  };
  return { a, b, pose };
}

function sameStats(got, wanted) {
  const { nodesRefit, boundTests, patchesPosed, verticesPosed, triangleTests } = got;
  assert.deepEqual([nodesRefit, boundTests, patchesPosed, verticesPosed, triangleTests],
    [wanted.nodes_refit, wanted.bound_tests, wanted.patches_posed, wanted.vertices_posed, wanted.triangle_tests]);
}

for (const name of shared)
  for (const skinning of ["linear", "spherical", "dual"])
    test(`${name}, ${skinning}: as the command says`, (t) => {
      if (!existsSync(`${models}/${name}`)) return t.skip("the shared models are not there");
      const size = name === "Fox.glb" ? 16 : 0.25;
      const options = ["--skin", skinning, "--time", "0.5"];
      const wanted = command("collide", name, ...options, "--at", `${size},0,0`, "--contacts");
      const { a, b } = stage(name, skinning, 0.5, size);
      const { answer, stats } = view.counted(() => view.collide(a, b));
      assert.deepEqual(answer, flat(wanted.pairs));
      assert.ok(answer.length > 0);
      sameStats(stats, wanted.stats);
      assert.deepEqual(view.collideEager(a, b), answer);
      if (a.model.triangleCount < 1000) assert.deepEqual(view.collideBrute(a, b), answer);

      const own = command("self", name, ...options), { a: alone } = stage(name, skinning, 0.5, 0);
      const self = view.counted(() => view.self(alone));
      assert.deepEqual(self.answer, flat(own.pairs));
      sameStats(self.stats, own.stats);
      assert.deepEqual(view.selfEager(alone), self.answer);

      const finder = view.contacts(a, b), found = finder.find(a, b);
      assert.equal(found.contacts.length, wanted.contacts.length);
      found.contacts.forEach((contact, i) => {
        const { point, normal, depth } = wanted.contacts[i];
        assert.deepEqual([...contact.point, ...contact.normal, contact.depth].map(Math.fround),
          [...point, ...normal, depth].map(Math.fround));
      });
      assert.equal(sum(found.contacts.map(({ count }) => count)), answer.length / 2);
      const pairs = Array.from({ length: found.pairs.length / 2 }, (_, i) => [...found.pairs.slice(2 * i, 2 * i + 2)]);
      assert.deepEqual(flat(pairs.sort(([p, q], [r, s]) => p - r || q - s)), answer);
      finder.dispose();
      assert.throws(() => finder.find(a, b), /the finder was disposed of/);
    });

for (const name of shared)
  test(`${name}, blended: as much work as the command does, in every frame`, (t) => {
    if (!existsSync(`${models}/${name}`)) return t.skip("the shared models are not there");
    const size = name === "Fox.glb" ? 40 : 0.5;
    for (const skinning of ["spherical", "dual"]) {
      const frames = commandLines("collide", name, "--skin", skinning, "--times", "all", "--at", `${size},0,0`, "--count");
      assert.ok(frames.length > 10);
      const { a, b, pose } = cast(name, skinning, size);
      for (const { time, count, stats: wanted } of frames) {
        pose(time);
        const { answer, stats } = view.counted(() => view.collide(a, b));
        assert.equal(answer.length / 2, count);
        sameStats(stats, wanted);
      }
    }
  });

/** Whether every node holds its children's triangles and every vertex is inside its leaves' union. */
function checkTree(nodes, triangles) {
  for (let n = 0; n < nodes.count; n++) {
    const first = nodes.firstChildren[n], count = nodes.childCounts[n];
    if (!count) continue;
    assert.equal(sum(nodes.triangleCounts.subarray(first, first + count)), nodes.triangleCounts[n]);
    for (let k = first; k < first + count; k++) {
      assert.equal(nodes.levels[k], nodes.levels[n] + 1);
      assert.equal(nodes.refitted[k], nodes.refitted[first]);
    }
  }
  assert.equal(nodes.triangleCounts[0], triangles);
}

for (const tree of ["boxes", "spheres", "paper"])
  test(`the tree of ${tree}: what a query has refitted, and no more`, (t) => {
    if (!existsSync(`${models}/CesiumMan.glb`)) return t.skip("the shared models are not there");
    const { a, b } = stage("CesiumMan.glb", "linear", 0.5, 0.6, tree), info = view.info(a);
    const before = view.nodes(a);
    assert.equal(before.count, info.nodes);
    assert.equal(Math.max(...before.levels) + 1, info.levels);
    checkTree(before, a.model.triangleCount);
    const first = view.counted(() => view.collide(a, b));
    const touched = [view.nodes(a), view.nodes(b)];
    assert.equal(sum(touched.map(({ refitted }) => sum(refitted))), first.stats.nodesRefit);
    assert.ok(first.stats.nodesRefit < 2 * info.nodes, "all of it");
    touched.forEach((nodes) => checkTree(nodes, a.model.triangleCount));
    const again = view.counted(() => view.collide(a, b));
    assert.deepEqual(again, first);
    view.refitAll(a);
    assert.ok(view.nodes(a).refitted.every((one) => one === 1));
    const positions = a.positions();
    const { centres, radii, halves } = view.nodes(a), best = view.nodes(a, { best: true });
    for (let i = 0; i < positions.length; i += 3) {
      const apart = [0, 1, 2].map((k) => Math.abs(positions[i + k] - centres[k]));
      if (tree === "boxes") assert.ok(apart.every((distance, k) => distance <= halves[k] * (1 + 1e-6)));
      else assert.ok(Math.hypot(...apart) <= radii[0] * (1 + 1e-6));
    }
    assert.ok(best.radii[0] <= radii[0]);
  });

test("far apart, two nodes are refitted; a body of its own parts", () => {
  const subject = answers.find(({ info }) => info.skinning === "linear" && info.morphCount === 0);
  const model = makeModel(view, subject), a = model.body(), b = model.body();
  b.setPose(subject.array("matrices0"), { placement: placedAt(1e6, 0, 0) });
  const { answer, stats } = view.counted(() => view.collide(a, b));
  assert.equal(answer.length, 0);
  assert.deepEqual([stats.nodesRefit, stats.boundTests, stats.patchesPosed], [2, 1, 0]);
  assert.equal(sum(view.nodes(a).refitted), 1);
  const groups = view.triangleGroups(a);
  assert.equal(groups.length, model.triangleCount);
  const positions = a.positions(), triangles = subject.array("triangles");
  const corner = (k) => [0, 1, 2].map((axis) => positions[3 * triangles[k] + axis]);
  const hit = a.raycast(corner(0).map((x, i) => x - (i === 2 ? 10 : 0)), [0, 0, 1]);
  assert.equal(hit.group, groups[hit.triangle]);
});

test("a rig of the same memory, and what is refused", async () => {
  const other = await createView({ wasm });
  const def = { nodes: [{}], joints: [{ node: 0 }] };
  const triangle = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
  const body = view.model({ ...triangle, rig: view.rig(def) }).body(), foreign = other.model(triangle).body();
  const finder = view.contacts(body, body);
  for (const [call, words] of [
    [() => view.model({ ...triangle, tree: "oak" }), /tree is oak/],
    [() => view.model({ ...triangle, rig: other.rig(def) }), /rig is a rig of another module/],
    [() => view.model({ ...triangle, rig: view.rig({ nodes: [{}], joints: [] }) }), /the rig has 0 joints, not 1/],
    [() => view.nodes(foreign), /body of another Graze/],
    [() => view.nodes(), /not a body/],
    [() => view.info(null), /not a body/],
    [() => view.triangleGroups({}), /not a body/],
    [() => view.dropCaches(1), /not a body/],
    [() => view.refitAll(foreign), /body of another Graze/],
    [() => view.collideEager(body, body), /same body/],
    [() => view.collideBrute(body), /b is not a body/],
    [() => view.selfEager(), /not a body/],
    [() => view.contacts(body), /b is not a body/],
    [() => finder.find(body, view.model(triangle).body()), /b is not of the finder's model/],
    [() => finder.find(body, body), /same body/],
  ])
    assert.throws(call, (error) => {
      assert.ok(error instanceof GrazeError, `${call}: ${error.stack}`);
      assert.match(error.message, words, `${call}`);
      return true;
    });
});
