// The package in Node against the native library, one thread each: the same models, poses and
// questions, interleaved. `node queries.mjs NATIVE FOLDER ROUNDS [SKINNING:]MODEL.glb ...`, where NATIVE is the
// program native_queries and FOLDER takes its files; see run.sh. A question's time is from handing
// over the joint matrices to the answer.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { createGraze } from "graze";

import { makeModel, subjectOf } from "./compare.mjs";

const [native, folder, rounds, ...models] = process.argv.slice(2);
const CASES = ["ray", "one more ray", "pairs, apart", "pairs, touching", "pairs, deep", "first pair, touching", "self", "distance"];
const RAYS = 16;

const child = spawn(native, [folder, ...models], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const widest = (await lines.next()).value;
const graze = await createGraze();

async function askNative(model, which, isa) {
  child.stdin.write(`${model} ${which} ${isa}\n`);
  const [found, ...nanoseconds] = (await lines.next()).value.split(" ").map(Number);
  return { found, times: nanoseconds.map((time) => time / 1000) };
}

function open(number) {
  const info = JSON.parse(readFileSync(`${folder}/${number}.json`, "utf8"));
  const bytes = readFileSync(`${folder}/${number}.bin`);
  const subject = subjectOf(info, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const model = makeModel(graze, subject), frames = [];
  for (let i = 0; i < info.frames; i++) {
    const [matrices, weights, rays, ...placements] = ["matrices", "weights", "rays", "apart", "touching", "deep"]
      .map((name) => subject.array(`${name}${i}`));
    const cut = (r) => [rays.subarray(6 * r, 6 * r + 3), rays.subarray(6 * r + 3, 6 * r + 6)];
    frames.push({ matrices, morphWeights: weights.length ? weights : null, placements,
      rays: Array.from({ length: RAYS }, (_, r) => cut(r)) });
  }
  return { info, frames, a: model.body(), b: model.body(), triangles: model.triangleCount };
}

function cast({ a }, { rays }, first, end) {
  let found = 0;
  for (let r = first; r < end; r++) {
    const hit = a.raycast(rays[r][0], rays[r][1]);
    found += hit ? hit.triangle + 1 : 0;
  }
  return found;
}

function ask({ a, b }, frame, which) {
  const { matrices, morphWeights, placements } = frame;
  a.setPose(matrices, { morphWeights });
  if (which >= 2 && which <= 5) b.setPose(matrices, { morphWeights, placement: placements[which === 5 ? 1 : which - 2] });
  if (which === 7) b.setPose(matrices, { morphWeights, placement: placements[0] });
  switch (which) {
    case 0: return cast({ a }, frame, 0, 1);
    case 5: return graze.collideFirst(a, b) ? 1 : 0;
    case 6: return graze.self(a).length / 2;
    case 7: {
      const { triangles } = graze.distance(a, b);
      return triangles[0] + triangles[1];
    }
    default: return graze.collide(a, b).length / 2;
  }
}

/** What was found, and the microseconds of each pose. */
function askOwn(subject, which) {
  let found = 0;
  const times = subject.frames.map((frame) => {
    if (which === 1) { // in a pose that is there, with a ray asked already
      subject.a.setPose(frame.matrices, { morphWeights: frame.morphWeights });
      cast(subject, frame, 0, 1);
    }
    const start = performance.now();
    found += which === 1 ? cast(subject, frame, 1, RAYS) : ask(subject, frame, which);
    return 1000 * (performance.now() - start);
  });
  return { found, times };
}

const sum = (values) => values.reduce((x, y) => x + y, 0);
const median = (values) => [...values].sort((x, y) => x - y)[values.length >> 1];
/** Of rounds of times of poses: the mean of each pose's least time, and of its median. */
const leastOf = (rounds) => sum(rounds[0].map((_, i) => Math.min(...rounds.map((times) => times[i])))) / rounds[0].length;
const medianOf = (rounds) => sum(rounds[0].map((_, i) => median(rounds.map((times) => times[i])))) / rounds[0].length;

let worst = 0;
console.log(`microseconds a question: mean over poses of the least of ${rounds} rounds (of the median); widest: ${widest}`);
console.log(`${"".padEnd(24)}${["WASM", "SSE2", "widest"].map((name) => name.padStart(20)).join("")}` +
  `${"to SSE2".padStart(18)}${"to the widest".padStart(18)}`);
for (let number = 0; number < models.length; number++) {
  const subject = open(number);
  console.log(`${subject.info.name}, ${subject.info.skinning}, ${subject.triangles} triangles`);
  for (let which = 0; which < CASES.length; which++) {
    const own = [], base = [], best = [], questions = which === 1 ? RAYS - 1 : 1;
    // V8 makes fast code of what has run for a while.
    for (const start = performance.now(); performance.now() - start < 300;) askOwn(subject, which);
    for (let round = 0; round < rounds; round++) {
      const native = await askNative(number, which, 1), ours = askOwn(subject, which), widest = await askNative(number, which, 0);
      if (ours.found !== native.found || widest.found !== native.found)
        throw new Error(`${CASES[which]}: ${ours.found}, ${native.found} and ${widest.found} found`);
      [own, base, best].forEach((list, i) => list.push([ours, native, widest][i].times.map((time) => time / questions)));
    }
    const show = (values) => `${leastOf(values).toFixed(1)} (${medianOf(values).toFixed(1)})`.padStart(20);
    const ratio = (other) => `${(leastOf(own) / leastOf(other)).toFixed(2)} (${(medianOf(own) / medianOf(other)).toFixed(2)})`.padStart(18);
    worst = Math.max(worst, leastOf(own) / leastOf(base));
    console.log(`  ${CASES[which].padEnd(22)}${show(own)}${show(base)}${show(best)}${ratio(base)}${ratio(best)}`);
  }
}
console.log(`most, of least times: ${worst.toFixed(2)} x SSE2`);
child.stdin.end();
