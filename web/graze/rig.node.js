// rig.js in Node.
import { load } from "./load.node.js";
import { rigCreator } from "./rigs.js";

export { GrazeError } from "./memory.js";

/** A rig. `wasm`: rig.wasm's bytes, module, path or address, where it is not beside this file; such a
 * rig has a module of its own. */
export const createRig = rigCreator(load, () => new URL("./rig.wasm", import.meta.url));
