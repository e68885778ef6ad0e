// graze/rig samples what the native library does, bit for bit, and refuses what it cannot.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { createGraze } from "graze";
import { GrazeError, createRig } from "graze/rig";

import { loadAnswers, loadRigs } from "./answers.mjs";
import { bitDifference, compareSamples, makeModel } from "./compare.mjs";

const folder = process.env.GRAZE_WEB_RIGS;
const graze = await createGraze();
const subjects = loadRigs();

for (const subject of subjects)
  test(`${subject.name}: ${subject.samples.length} samples, bit for bit`, async () => {
    const rig = await createRig(subject.def);
    assert.equal(rig.jointCount, subject.def.joints.length);
    assert.equal(rig.morphCount, subject.def.morphWeights.length);
    assert.deepEqual(compareSamples(rig, subject), []);
    rig.dispose();
  });

/** Positions of `graze pose`, whose digits are enough for every float. */
function posedByCommand(path, clip, time) {
  const out = `${folder}/../posed.obj`;
  execFileSync(process.env.GRAZE_COMMAND, ["pose", path, "--clip", `${clip}`, "--time", `${time}`, "-o", out],
    { stdio: "ignore" });
  const lines = readFileSync(out, "utf8").split("\n").filter((line) => line.startsWith("v "));
  return Float32Array.from(lines.flatMap((line) => line.slice(2).split(" ").map(Number)));
}

function findModels(at, found = {}) {
  for (const entry of readdirSync(at, { withFileTypes: true }))
    if (entry.isDirectory()) findModels(`${at}/${entry.name}`, found);
    else found[entry.name] = `${at}/${entry.name}`;
  return found;
}

test("a clip, a rig, a body: the positions of `graze pose`, on every shared model", async (t) => {
  let paths;
  try {
    paths = findModels(process.env.GRAZE_MODELS);
  } catch {
    return t.skip("the shared models are not there");
  }
  let compared = 0;
  for (const answers of loadAnswers().filter(({ info }) => info.skinning === "linear" && paths[info.name])) {
    const { name } = answers.info, { def } = subjects.find((subject) => subject.name === name);
    const rig = await createRig(def), body = makeModel(graze, answers).body();
    const clips = def.clips.length ? def.clips.map((_, i) => i).slice(0, 4) : [null];
    for (const clip of clips)
      for (const share of [0, 0.21, 0.5, 0.83, 1.1]) {
        const time = share * (rig.clips[clip]?.seconds ?? 1);
        const { matrices, morphWeights } = rig.sample(clip, time);
        body.setPose(matrices, { morphWeights });
        assert.equal(bitDifference(body.positions(), posedByCommand(paths[name], clip ?? "none", time)), null, `${name} at ${time}`);
        compared++;
      }
    rig.dispose();
    body.dispose();
  }
  assert.ok(compared >= 50, `${compared} poses`);
  t.diagnostic(`${compared} poses of shared models`);
});

const bend = {
  nodes: [{ rotation: [0, 0, 0, 2] }, { parent: 0, translation: [0, 1, 0] }],
  joints: [{ node: 0 }, { node: 1, inverseBind: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1] }],
  morphWeights: [0.25],
  clips: [
    { name: "up", channels: [{ path: "translation", node: 0, times: [0, 2], values: [0, 0, 0, 0, 4, 0] }] },
    { channels: [{ path: "weights", times: [1], values: [0.5] }] },
  ],
};

test("clips by name and number, arrays of the caller, what is disposed of", async () => {
  const rig = await createRig(bend);
  assert.deepEqual(rig.clips, [{ name: "up", seconds: 2 }, { name: null, seconds: 1 }]);
  const { matrices, morphWeights } = rig.sample("up", 0.5);
  assert.deepEqual([...matrices.subarray(16)], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]);
  assert.deepEqual([...morphWeights], [0.25]);
  assert.deepEqual([...rig.sample(1, 0).morphWeights], [0.5]);
  assert.equal(rig.sample(null, 0).matrices[13], 0);
  const own = { matrices: new Float32Array(32), morphWeights: new Float32Array(1) };
  assert.equal(rig.sample(0, 0.5, own), own);
  assert.deepEqual(own, { matrices, morphWeights });
  assert.deepEqual(rig.blend([{ clip: 0, time: 0.5 }]), own);
  assert.equal(rig.blend([{ clip: "up", time: 0, weight: 1 }, { clip: 0, time: 2, weight: 3 }]).matrices[13], 3);
  rig.dispose();
  rig.dispose();
  assert.throws(() => rig.sample(0, 0), /^GrazeError: the rig was disposed of$/);
  assert.throws(() => rig.blend([{ clip: 0, time: 0 }]), /the rig was disposed of/);
});

test("a module of its own, from bytes, and what it weighs", async () => {
  const bytes = readFileSync(createRequire(import.meta.url).resolve("graze/rig.wasm"));
  const { gzipSync } = await import("node:zlib");
  assert.ok(gzipSync(bytes, { level: 9 }).length <= 150_000);
  const shared = await createRig(bend);
  for (const wasm of [bytes, await WebAssembly.compile(bytes)])
    assert.deepEqual((await createRig(bend, { wasm })).sample(0, 1), shared.sample(0, 1));
  await assert.rejects(createRig(bend, { wasm: new Uint8Array(8) }));
});

const channel = (changes) => ({ ...bend, clips: [{ channels: [{ ...bend.clips[0].channels[0], ...changes }] }] });
const weights = (changes) => ({ ...bend, clips: [{ channels: [{ path: "weights", times: [0], values: [1], ...changes }] }] });

test("bad input is refused in words", async () => {
  const wrong = [
    [undefined, /a rig's definition is not an object/],
    [{}, /nodes is not an array/],
    [{ nodes: [{}] }, /joints is not an array/],
    [{ nodes: [null], joints: [] }, /nodes\[0\] is not an object/],
    [{ ...bend, nodes: [{ parent: 2 }, {}] }, /nodes\[0\]\.parent is 2, but there are 2 nodes/],
    [{ ...bend, nodes: [{ parent: 1.5 }, {}] }, /nodes\[0\]\.parent is 1\.5/],
    [{ ...bend, nodes: [{ parent: 0 }, {}] }, /nodes\[0\] is above itself/],
    [{ ...bend, nodes: [{ parent: 1 }, { parent: 2 }, { parent: 1 }] }, /nodes\[[12]\] is above itself/],
    [{ ...bend, nodes: [{ translation: [0, 0] }, {}] }, /nodes\[0\]\.translation has 2 numbers, not 3/],
    [{ ...bend, nodes: [{ rotation: [0, 0, NaN, 1] }, {}] }, /nodes\[0\]\.rotation\[2\] is NaN/],
    [{ ...bend, nodes: [{ matrix: [1] }, {}] }, /nodes\[0\]\.matrix has 1 numbers, not 16/],
    [{ ...bend, joints: [{ node: 2 }] }, /joints\[0\]\.node is 2, but there are 2 nodes/],
    [{ ...bend, joints: [{}] }, /joints\[0\]\.node is undefined/],
    [{ ...bend, joints: [{ node: 0, inverseBind: [1] }] }, /joints\[0\]\.inverseBind has 1/],
    [{ ...bend, morphWeights: [Infinity] }, /morphWeights\[0\] is Infinity/],
    [{ ...bend, clips: {} }, /clips is not an array/],
    [{ ...bend, clips: [{}] }, /clips\[0\]\.channels is not an array/],
    [channel({ path: "colour" }), /clips\[0\]\.channels\[0\]\.path is colour/],
    [channel({ path: "toString" }), /path is toString/],
    [channel({ interpolation: "CUBIC" }), /interpolation is CUBIC/],
    [channel({ node: 2 }), /channels\[0\]\.node is 2/],
    [channel({ times: [] }), /times is empty/],
    [channel({ times: [1, 1] }), /times\[1\] is 1, not after 1/],
    [channel({ times: [0, NaN] }), /times\[1\] is NaN/],
    [channel({ values: [0, 0, 0] }), /values has 3 numbers, not 6/],
    [channel({ values: undefined }), /values is not an array of numbers/],
    [channel({ interpolation: "CUBICSPLINE" }), /values has 6 numbers, not 18/],
    [weights({ firstMorph: 1 }), /firstMorph is 1, but there are 1 morph targets/],
    [weights({ morphCount: 2 }), /morphCount is 2, but 1 are left/],
    [weights({ values: [1, 2] }), /values has 2 numbers, not 1/],
  ];
  for (const [def, words] of wrong)
    await assert.rejects(createRig(def), (error) => {
      assert.ok(error instanceof GrazeError, `${error.stack}`);
      assert.match(error.message, words);
      return true;
    });
  const rig = await createRig(bend);
  for (const [call, words] of [
    [() => rig.sample(2, 0), /the clip is 2, but there are 2 clips/],
    [() => rig.sample(-1, 0), /the clip is -1/],
    [() => rig.sample(undefined, 0), /the clip is undefined/],
    [() => rig.sample("down", 0), /no clip is named down/],
    [() => rig.sample(0), /the time is undefined, not a number/],
    [() => rig.sample(0, NaN), /the time is not finite/],
    [() => rig.sample(0, 0, { matrices: new Float32Array(31) }), /matrices has 31 numbers, not 32/],
    [() => rig.sample(0, 0, {}), /matrices is not a Float32Array/],
    [() => rig.blend([]), /./],
    [() => rig.blend([{ clip: 0, time: 0, weight: -1 }]), /./],
    [() => rig.blend([{ clip: 0 }]), /./],
    [() => rig.blend([null]), /layers\[0\] is not an object/],
    [() => rig.blend(), /layers is not an array/],
  ])
    assert.throws(call, (error) => {
      assert.ok(error instanceof GrazeError, `${call}: ${error.stack}`);
      assert.match(error.message, words, `${call}`);
      return true;
    });
});
