// Graze in browsers and workers: queries against skinned and morphed meshes from their pose. Node has
// index.node.js in its place.
//
//   const graze = await createGraze();
//   const model = graze.model({ positions, triangles, jointCount, joints, weights, influences: 4 });
//   const body = model.body();
//   body.setPose(matrices);
//   body.raycast([0, 1, 5], [0, 0, -1]);
//
// Models and bodies live in the module's memory: dispose() gives it back, and so does the garbage
// collector, some day.
import { Graze } from "./core.js";
import { load } from "./load.js";

export { GrazeError } from "./memory.js";

/** Loads the module. `wasm`: its bytes, module or address, where it is not beside this file. */
export async function createGraze({ wasm = new URL("./graze.wasm", import.meta.url) } = {}) {
  return new Graze(await load(wasm));
}
