// Skeletons and clips, sampled as Graze's command samples them, bit for bit: nodes, joints and
// channels as glTF has them go in, the matrices that body.setPose() takes come out.
//
//   const rig = await createRig({ nodes, joints, clips });
//   const { matrices, morphWeights } = rig.sample("walk", 0.5);
//   body.setPose(matrices, { morphWeights });
import { load } from "./load.js";
import { rigCreator } from "./rigs.js";

export { GrazeError } from "./memory.js";

/** A rig. `wasm`: rig.wasm's bytes, module or address, where it is not beside this file; such a rig
 * has a module of its own. */
export const createRig = rigCreator(load, () => new URL("./rig.wasm", import.meta.url));
