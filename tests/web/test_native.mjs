// The package answers what the native library does: positions bit for bit, pairs, rays, distances,
// for every test character, skinning and pose that tests/web/native_answers.c has written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createGraze } from "graze";

import { loadAnswers, makeModel, sameBits } from "./answers.mjs";

const graze = await createGraze();

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

for (const subject of loadAnswers())
  test(`${subject.info.name}, ${subject.info.skinning}`, () => {
    const model = makeModel(graze, subject);
    for (let frame = 0; frame < subject.info.frames; frame++) compareFrame(subject, model, frame);
    model.dispose();
  });
