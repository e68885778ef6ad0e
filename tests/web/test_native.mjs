// The package answers what the native library does: positions bit for bit, pairs, rays, distances,
// for every test character, skinning and pose that tests/web/native_answers.c has written.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { createGraze } from "graze";

const folder = process.env.GRAZE_WEB_ANSWERS;
const graze = await createGraze();

function load(number) {
  const info = JSON.parse(readFileSync(`${folder}/${number}.json`, "utf8"));
  const bytes = readFileSync(`${folder}/${number}.bin`);
  const all = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const array = (name) => {
    const [type, first, count] = info[name];
    return new (type === "f" ? Float32Array : Uint32Array)(all, 4 * first, count);
  };
  return { info, array };
}

function sameBits(got, wanted) {
  assert.equal(got.length, wanted.length);
  const x = new Uint32Array(got.buffer, got.byteOffset, got.length);
  const y = new Uint32Array(wanted.buffer, wanted.byteOffset, wanted.length);
  const first = x.findIndex((value, i) => value !== y[i]);
  assert.equal(first, -1, `number ${first} is ${got[first]}, not ${wanted[first]}`);
}

function makeModel({ info, array }) {
  const vertices = array("positions").length, morphs = [];
  for (let i = 0; i < info.morphCount; i++)
    morphs.push(array("morphs").subarray(i * vertices, (i + 1) * vertices));
  return graze.model({
    positions: array("positions"), triangles: array("triangles"), jointCount: info.jointCount,
    joints: array("joints"), weights: array("weights"), influences: info.influences, morphs,
    skinning: info.skinning,
  });
}

function compareRays(body, array, frame) {
  const rays = array(`rays${frame}`), hits = array(`hits${frame}`), times = array(`times${frame}`);
  for (let r = 0; r < hits.length; r++) {
    const at = 6 * r;
    const hit = body.raycast(rays.subarray(at, at + 3), rays.subarray(at + 3, at + 6));
    assert.equal(hit ? hit.triangle : 0xffffffff, hits[r], `ray ${r}`);
    if (hit) assert.equal(hit.t, times[r]);
    const all = body.raycast(rays.subarray(at, at + 3), rays.subarray(at + 3, at + 6), { all: true });
    assert.equal(all.length > 0, hit !== null);
    if (hit) assert.deepEqual(all[0], hit);
  }
}

function compareFrame({ info, array }, model, frame) {
  const a = model.body(), b = model.body();
  const morphWeights = info.morphCount ? array(`weights${frame}`) : null;
  a.setPose(array(`matrices${frame}`), { morphWeights });
  b.setPose(array(`matrices${frame}`), { morphWeights, placement: array(`placement${frame}`) });
  sameBits(graze.collide(a, b), array(`pairs${frame}`));
  sameBits(graze.self(a), array(`self${frame}`));
  sameBits(a.positions(), array(`posed${frame}`));
  sameBits(b.positions(), array(`placed${frame}`));
  compareRays(a, array, frame);
  const { distance } = graze.distance(a, b);
  assert.equal(distance, info[`distance${frame}`]);
  const first = graze.collideFirst(a, b);
  assert.equal(first !== null, distance === 0);
  a.dispose();
  b.dispose();
}

const numbers = readdirSync(folder).filter((name) => name.endsWith(".json")).map(parseFloat);
assert.ok(numbers.length > 0);
for (const number of numbers.sort((x, y) => x - y)) {
  const subject = load(number);
  test(`${subject.info.name}, ${subject.info.skinning}`, () => {
    const model = makeModel(subject);
    for (let frame = 0; frame < subject.info.frames; frame++) compareFrame(subject, model, frame);
    model.dispose();
  });
}
