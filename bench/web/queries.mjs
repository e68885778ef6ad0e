// The package in Node against the native library, one thread each: the same models, poses and
// questions, interleaved. `node queries.mjs NATIVE FOLDER ROUNDS MODEL.glb ...`, where NATIVE is the
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
  const [nanoseconds, found] = (await lines.next()).value.split(" ").map(Number);
  return { milliseconds: nanoseconds / 1e6, found };
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

/** Further rays: in a pose that is there, with a ray asked already. */
function askMore(subject) {
  let milliseconds = 0, found = 0;
  for (const frame of subject.frames) {
    subject.a.setPose(frame.matrices, { morphWeights: frame.morphWeights });
    cast(subject, frame, 0, 1);
    const start = performance.now();
    found += cast(subject, frame, 1, RAYS);
    milliseconds += performance.now() - start;
  }
  return { milliseconds, found };
}

function askOwn(subject, which) {
  if (which === 1) return askMore(subject);
  let found = 0;
  const start = performance.now();
  for (const frame of subject.frames) found += ask(subject, frame, which);
  return { milliseconds: performance.now() - start, found };
}

const least = (times) => Math.min(...times);
const median = (times) => [...times].sort((x, y) => x - y)[times.length >> 1];

let worst = 0;
console.log(`microseconds a question, least of ${rounds} rounds (median); ratios of medians; widest: ${widest}`);
for (let number = 0; number < models.length; number++) {
  const subject = open(number);
  console.log(`${subject.info.name}, ${subject.triangles} triangles`);
  for (let which = 0; which < CASES.length; which++) {
    const times = { own: [], base: [], best: [] };
    const questions = subject.frames.length * (which === 1 ? RAYS - 1 : 1);
    // V8 makes fast code of what has run for a while.
    for (const start = performance.now(); performance.now() - start < 300;) askOwn(subject, which);
    for (let round = -3; round < rounds; round++) {
      const base = await askNative(number, which, 1), own = askOwn(subject, which), best = await askNative(number, which, 0);
      if (own.found !== base.found || best.found !== base.found)
        throw new Error(`${CASES[which]}: ${own.found}, ${base.found} and ${best.found} found`);
      if (round < 0) continue;
      times.own.push((1000 * own.milliseconds) / questions);
      times.base.push((1000 * base.milliseconds) / questions);
      times.best.push((1000 * best.milliseconds) / questions);
    }
    const show = (values) => `${least(values).toFixed(1)} (${median(values).toFixed(1)})`.padStart(20);
    const ratio = (other, of) => (of(times.own) / of(times[other])).toFixed(2).padStart(7);
    worst = Math.max(worst, least(times.own) / least(times.base));
    console.log(`  ${CASES[which].padEnd(22)}${show(times.own)}${show(times.base)}${show(times.best)}` +
      `${ratio("base", median)}${ratio("base", least)}${ratio("best", median)}${ratio("best", least)}`);
  }
}
console.log(`most, of least times: ${worst.toFixed(2)} x SSE2`);
child.stdin.end();
