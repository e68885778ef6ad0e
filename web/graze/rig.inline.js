// rig.js with the module in it.
import { load } from "./load.inline.js";
import wasm from "./rig.wasm.js";
import { rigCreator } from "./rigs.js";

export { GrazeError } from "./memory.js";

const create = rigCreator(load, () => wasm);

/** A rig; nothing is fetched. */
export function createRig(def) {
  return create(def);
}
