// What index.d.ts, rig.d.ts and three.d.ts say, as a compiler reads it; never run.
import { type Body, GrazeError, type RayHit, createGraze } from "graze";
import { createGraze as createInline } from "graze/inline";
import { type Sample, createRig } from "graze/rig";
import { createRig as createInlineRig } from "graze/rig/inline";
import { MeshBody, accelerate, meshDef } from "graze/three";
import { BatchedMesh, Mesh, SkinnedMesh } from "three";

const graze = await createGraze({ wasm: new Uint8Array() });
const model = graze.model({ positions: new Float32Array(9), triangles: [0, 1, 2], skinning: "dual" });
const body: Body = model.body();
body.setPose(new Float32Array(16), { placement: null, morphWeights: [1] });
const one: RayHit | null = body.raycast([0, 0, 0], [0, 0, 1], { far: 2 });
const all: RayHit[] = body.raycast([0, 0, 0], [0, 0, 1], { all: true });
const pairs: Uint32Array = graze.collide(body, body);
const apart: number | undefined = graze.distance(body, body)?.distance;
const when: number | undefined = graze.sweep({ start: body, end: body }, null)?.toi;
body.touch({ box: { centre: [0, 0, 0], half: [1, 1, 1] } });
// @ts-expect-error: no such shape
body.touch({ cone: [1] });
// @ts-expect-error: no such skinning
graze.model({ positions: [], triangles: [], skinning: "cubic" });
graze.model(meshDef(new Mesh()));
accelerate(graze, new SkinnedMesh()).dispose();
accelerate(await createInline(), new BatchedMesh(1, 1)).dispose();
(await createInlineRig({ nodes: [], joints: [] })).dispose();
new MeshBody(graze, new Mesh(), { placed: false }).pose();
const rig = await createRig({
  nodes: [{ translation: [0, 0, 0] }, { parent: 0 }],
  joints: [{ node: 1, inverseBind: new Float32Array(16) }],
  clips: [{ name: "walk", channels: [{ path: "rotation", node: 1, times: [0], values: [0, 0, 0, 1] }] }],
});
const sample: Sample = rig.sample("walk", 0.5);
body.setPose(rig.blend([{ clip: 0, time: 0 }, { clip: null, time: 0, weight: 2 }], sample).matrices);
// @ts-expect-error: no such path
await createRig({ nodes: [], joints: [], clips: [{ channels: [{ path: "colour", times: [], values: [] }] }] });
rig.dispose();
export { GrazeError, all, apart, one, pairs, when };
