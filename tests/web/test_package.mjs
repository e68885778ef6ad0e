// The package by itself: what it takes and refuses, and its memory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { GrazeError, createGraze } from "graze";
import { createRig } from "graze/rig";

const file = createRequire(import.meta.url).resolve("graze/graze.wasm");

const graze = await createGraze();
const triangle = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const moved = (x, y, z) => [...identity.slice(0, 12), x, y, z, 1];

/** A bumpy sheet of 2 n n triangles, half of it on each of two joints. */
function sheet(n) {
  const positions = [], triangles = [], joints = [], weights = [];
  for (let y = 0; y <= n; y++)
    for (let x = 0; x <= n; x++) {
      positions.push(x / n, y / n, 0.05 * Math.sin(9 * x / n) * Math.cos(7 * y / n));
      joints.push(0, 1);
      weights.push(1 - x / n, x / n);
    }
  for (let y = 0; y < n; y++)
    for (let x = 0; x < n; x++) {
      const a = y * (n + 1) + x;
      triangles.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1);
    }
  return { positions, triangles, jointCount: 2, joints, weights, influences: 2 };
}

test("a triangle, a ray, another triangle", () => {
  const model = graze.model(triangle), a = model.body(), b = model.body();
  b.setPose(moved(0.25, 0.25, 0.5));
  assert.deepEqual(a.raycast([0.25, 0.25, 1], [0, 0, -2]), {
    triangle: 0, t: 0.5, point: [0.25, 0.25, 0], normal: [0, 0, 1], uv: [0.25, 0.25], joint: 0, group: 0,
  });
  assert.equal(a.raycast([2, 2, 1], [0, 0, -1]), null);
  assert.equal(a.raycast([0.25, 0.25, 1], [0, 0, -1], { far: 0.5 }), null);
  assert.equal(a.raycast([0.25, 0.25, 1], [0, 0, -1], { near: 1.5 }), null);
  assert.deepEqual([...graze.collide(a, b)], []);
  assert.equal(graze.collideFirst(a, b), null);
  assert.equal(graze.distance(a, b).distance, 0.5);
  assert.equal(graze.distance(a, b, { limit: 0.25 }), null);
  b.setPose(moved(0.25, 0.25, 0));
  assert.deepEqual([...graze.collide(a, b)], [0, 0]);
  assert.deepEqual(graze.collideFirst(a, b), [0, 0]);
});

test("vertices of two joints are one where the joints are the same", () => {
  const def = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1], triangles: [0, 1, 2, 3, 4, 5],
    jointCount: 2, joints: [0, 0, 0, 1, 1, 1], weights: [1, 1, 1, 1, 1, 1], influences: 1 };
  const pairs = (sameJoints) => [...graze.self(graze.model({ ...def, sameJoints }).body())];
  assert.deepEqual(pairs(undefined), [0, 1]);
  assert.deepEqual(pairs([0, 1]), [0, 1]);
  assert.deepEqual(pairs([0, 0]), []);
  assert.throws(() => pairs([0]), /sameJoints has 1 numbers, not 2/);
  assert.throws(() => pairs([1, 0]), GrazeError);
});

test("shapes", () => {
  const body = graze.model(triangle).body();
  const turned = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  for (const [shape, hit] of [
    [{ sphere: [0, 0, 0.5, 0.6] }, true], [{ sphere: [0, 0, 0.5, 0.4] }, false],
    [{ capsule: [0, 0, 1, 2, 2, 1, 0.9] }, false], [{ capsule: [0, 0, 1, 2, 2, 1, 1] }, true],
    [{ box: { centre: [2, 0, 0], half: [1, 0.1, 0.1] } }, true],
    [{ box: { centre: [2, 0, 0], half: [1, 0.1, 0.1], rotation: turned } }, false],
    [{ plane: [0, 0, 1, 0] }, true], [{ plane: [0, 0, 1, 0.1] }, false],
    [{ halfSpace: [0, 0, 1, 0.1] }, true], [{ halfSpace: [0, 0, 1, -0.1] }, false],
  ])
    assert.equal(body.touch(shape).length === 1, hit, JSON.stringify(shape));
});

test("two triangles on their way", () => {
  const model = graze.model(triangle);
  const [a, before, after] = [model.body(), model.body(), model.body()];
  before.setPose(moved(0, 0, 1));
  after.setPose(moved(0, 0, -3));
  const impact = graze.sweep({ start: before, end: after }, { start: a, end: a });
  assert.ok(impact.toi <= 0.25 && impact.toi > 0.2499, `toi ${impact.toi}`);
  assert.deepEqual([impact.triangles, impact.initial], [[0, 0], false]);
  assert.equal(graze.sweep({ start: before, end: before }, { start: a, end: a }), null);
  assert.equal(graze.sweep({ start: before, end: after }, null), null);
});

test("groups, positions and many answers", () => {
  const model = graze.model(sheet(60)), body = model.body(), other = model.body();
  assert.equal(model.triangleCount, 7200);
  const column = [0.25, 0.5, 1], down = [0, 0, -1];
  const all = body.touch({ halfSpace: [0, 0, 1, 10] });
  assert.deepEqual([...all], Array.from({ length: 7200 }, (_, i) => i));
  assert.equal(body.raycast(column, down).joint, 0);
  body.setGroups([1]);
  assert.equal(body.raycast(column, down), null);
  const right = body.touch({ halfSpace: [0, 0, 1, 10] });
  assert.ok(right.length > 3000 && right.length < 4200, `${right.length}`);
  body.setGroups(null);
  assert.equal(body.touch({ halfSpace: [0, 0, 1, 10] }).length, 7200);
  other.setPositions(body.positions().map((value, i) => (i % 3 === 2 ? -value : value)));
  const pairs = graze.collide(body, other);
  assert.ok(pairs.length > 400);
  for (let i = 2; i < pairs.length; i += 2)
    assert.ok(pairs[i] > pairs[i - 2] || (pairs[i] === pairs[i - 2] && pairs[i + 1] > pairs[i - 1]));
  other.setPose([...identity, ...identity]);
  assert.deepEqual(other.positions(), body.positions());
});

test("memory grows, and answers that were given stay", () => {
  const model = graze.model(sheet(20)), body = model.body();
  const before = graze.bytes, positions = body.positions(), copy = [...positions];
  const bodies = Array.from({ length: 200 }, () => model.body());
  assert.ok(graze.bytes > before);
  assert.deepEqual([...positions], copy);
  assert.deepEqual([...body.positions()], copy);
  assert.equal(bodies.at(-1).raycast([0.5, 0.5, 1], [0, 0, -1]).joint, body.raycast([0.5, 0.5, 1], [0, 0, -1]).joint);
  for (const one of bodies) one.dispose();
  const after = graze.bytes;
  for (let i = 0; i < 1000; i++) model.body().dispose();
  assert.equal(graze.bytes, after);
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** Bytes after litter was dropped and collected, once and then again and again. */
async function bytesAfter(litter, bytes) {
  const all = [];
  for (let round = 0; round < 6; round++) {
    await litter();
    if (round === 0) all.push(bytes());
    for (let i = 0; i < 5; i++) {
      collect();
      await new Promise((done) => setTimeout(done, 5)); // finalisers run between tasks
    }
  }
  return [...all, bytes()];
}

test("what nobody holds is given back by the garbage collector", async () => {
  const own = await createGraze(), start = own.bytes, def = sheet(40);
  const [once, often] = await bytesAfter(() => {
    for (let i = 0; i < 12; i++) own.model(def).body();
  }, () => own.bytes);
  assert.ok(once > 2 * start, `${start} ${once}`);
  assert.ok(often <= 1.25 * once, `${once} ${often}`);
  const keys = 50_000, times = Float32Array.from({ length: keys }, (_, i) => i);
  const channels = [{ path: "scale", node: 0, times, values: new Float32Array(3 * keys) }];
  const clips = [{ channels }], keeper = await createRig({ nodes: [{}], joints: [] });
  const [few, many] = await bytesAfter(async () => {
    for (let i = 0; i < 12; i++) await createRig({ nodes: [{}], joints: [], clips });
  }, () => keeper.bytes);
  assert.ok(few > 12 * 4 * 4 * keys, `${few}`);
  assert.ok(many <= 1.25 * few, `${few} ${many}`);
});

test("what was disposed of is refused, and a body keeps its model", () => {
  const model = graze.model(triangle), body = model.body();
  model.dispose();
  model.dispose();
  assert.throws(() => model.body(), /^GrazeError: the model was disposed of$/);
  assert.equal(body.positions().length, 9);
  body.dispose();
  body.dispose();
  assert.throws(() => body.positions(), /the body was disposed of/);
  assert.throws(() => graze.self(body), /the body was disposed of/);
});

test("bad input is refused in words", async () => {
  const body = graze.model(triangle).body(), other = (await createGraze()).model(triangle).body();
  const skinned = sheet(2);
  const cases = [
    [() => graze.model(), /made from an object/],
    [() => graze.model({}), /positions is not an array/],
    [() => graze.model({ ...triangle, positions: [0, 0] }), /positions has 2 numbers, not 3 a vertex/],
    [() => graze.model({ ...triangle, positions: [0, 0, 0, 1, 0, 0, 0, 1, NaN] }), /position/],
    [() => graze.model({ ...triangle, triangles: [0, 1] }), /triangles has 2 numbers/],
    [() => graze.model({ ...triangle, triangles: [0, 1, 3] }), /triangle 0 refers to vertex 3 of 3/],
    [() => graze.model({ ...triangle, triangles: [0, 1, -1] }), /triangles\[2\] is -1/],
    [() => graze.model({ ...triangle, triangles: [0, 1, 1.5] }), /triangles\[2\] is 1.5/],
    [() => graze.model({ ...triangle, triangles: [] }), /triangle/],
    [() => graze.model({ ...triangle, jointCount: 0 }), /joint/],
    [() => graze.model({ ...triangle, skinning: "cubic" }), /skinning is cubic/],
    [() => graze.model({ ...skinned, weights: undefined }), /come together/],
    [() => graze.model({ ...skinned, weights: skinned.weights.slice(1) }), /weights has 17 numbers, not 18/],
    [() => graze.model({ ...skinned, weights: skinned.weights.map(() => 0) }), /weight/],
    [() => graze.model({ ...skinned, joints: skinned.joints.map(() => 2) }), /joint 2/],
    [() => graze.model({ ...triangle, morphs: [[0, 0, 0]] }), /morphs\[0\] has 3 numbers, not 9/],
    [() => body.setPose([1]), /matrices has 1 numbers, not 16/],
    [() => body.setPose(identity.map(() => Infinity)), /finite/],
    [() => body.setPose(identity, { placement: [1] }), /placement has 1/],
    [() => body.setPose(identity, { morphWeights: [1] }), /morphWeights has 1 numbers, not 0/],
    [() => body.setPositions([0]), /positions has 1 numbers, not 9/],
    [() => body.setGroups([1]), /group 1 is not one of 1/],
    [() => body.raycast([0, 0, 0], [0, 0, 0]), /dir is zero/],
    [() => body.raycast([0, 0], [0, 0, 1]), /origin has 2/],
    [() => body.raycast([0, 0, NaN], [0, 0, 1]), /origin/],
    [() => body.touch({ sphere: [0, 0, 0, -1] }), /radius/],
    [() => body.touch({ cone: [] }), /a shape is/],
    [() => graze.collide(body, body), /same body/],
    [() => graze.collide(body), /b is not a body/],
    [() => graze.collide(body, other), /body of another Graze/],
    [() => graze.distance(body, graze.model(triangle).body(), { limit: -1 }), /./],
    [() => graze.sweep({ start: body }, null), /a.end is not a body/],
  ];
  for (const [call, words] of cases)
    assert.throws(call, (error) => {
      assert.ok(error instanceof GrazeError, `${call}: ${error}`);
      assert.match(error.message, words, `${call}`);
      return true;
    });
});

test("the module from its bytes, and what it weighs", async () => {
  const bytes = readFileSync(file);
  const { gzipSync } = await import("node:zlib");
  assert.ok(gzipSync(bytes, { level: 9 }).length <= 155_000);
  for (const wasm of [bytes, await WebAssembly.compile(bytes), `file://${file}`])
    assert.equal((await createGraze({ wasm })).version, graze.version);
  await assert.rejects(createGraze({ wasm: new Uint8Array(8) }));
});
