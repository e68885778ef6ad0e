// The package answers what the native library does: positions bit for bit, pairs, rays, distances,
// for every test character, skinning and pose that tests/web/native_answers.c has written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createGraze } from "graze";

import { loadAnswers } from "./answers.mjs";
import { compareSubject } from "./compare.mjs";

const graze = await createGraze();

for (const subject of loadAnswers())
  test(`${subject.info.name}, ${subject.info.skinning}`, () => {
    const { differences, checks } = compareSubject(graze, subject);
    assert.deepEqual(differences, []);
    assert.ok(checks >= 50 * subject.info.frames, `${checks} checks`);
  });
