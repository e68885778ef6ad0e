// What tests/web/native_answers.c has written, and models made of it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";

const folder = process.env.GRAZE_WEB_ANSWERS;

function load(number) {
  const info = JSON.parse(readFileSync(`${folder}/${number}.json`, "utf8"));
  let all;
  const array = (name) => {
    const [type, first, count] = info[name];
    if (!all) {
      const bytes = readFileSync(`${folder}/${number}.bin`);
      all = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    }
    return new (type === "f" ? Float32Array : Uint32Array)(all, 4 * first, count);
  };
  return { info, array };
}

/** Each: { info, array(name) }, a character with one kind of skinning. */
export function loadAnswers() {
  const numbers = readdirSync(folder).filter((name) => name.endsWith(".json")).map(parseFloat);
  assert.ok(numbers.length > 0);
  return numbers.sort((x, y) => x - y).map(load);
}

export function makeModel(graze, { info, array }, more = {}) {
  const vertices = array("positions").length, morphs = [];
  for (let i = 0; i < info.morphCount; i++)
    morphs.push(array("morphs").subarray(i * vertices, (i + 1) * vertices));
  return graze.model({
    positions: array("positions"), triangles: array("triangles"), jointCount: info.jointCount,
    joints: array("joints"), weights: array("weights"), influences: info.influences, morphs,
    skinning: info.skinning, ...more,
  });
}

export function sameBits(got, wanted) {
  assert.equal(got.length, wanted.length);
  const x = new Uint32Array(got.buffer, got.byteOffset, got.length);
  const y = new Uint32Array(wanted.buffer, wanted.byteOffset, wanted.length);
  const first = x.findIndex((value, i) => value !== y[i]);
  assert.equal(first, -1, `number ${first} is ${got[first]}, not ${wanted[first]}`);
}
