// What tests/web/native_answers.c and native_rigs.c have written, read in Node.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";

import { subjectOf } from "./compare.mjs";

const folder = process.env.GRAZE_WEB_ANSWERS;

function load(number) {
  const info = JSON.parse(readFileSync(`${folder}/${number}.json`, "utf8"));
  const bytes = readFileSync(`${folder}/${number}.bin`);
  return subjectOf(info, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Characters with one kind of skinning each. */
export function loadAnswers() {
  const numbers = readdirSync(folder).filter((name) => name.endsWith(".json")).map(parseFloat);
  assert.ok(numbers.length > 0);
  return numbers.sort((x, y) => x - y).map(load);
}

/** Rigs and their samples. */
export function loadRigs() {
  const rigs = process.env.GRAZE_WEB_RIGS;
  return readdirSync(rigs).map((file) => JSON.parse(readFileSync(`${rigs}/${file}`, "utf8")));
}
