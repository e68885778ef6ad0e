import type { Rig, RigDef } from "./rig.js";

export * from "./rig.js";

/** The module is in the script: nothing is fetched. */
export function createRig(def: RigDef): Promise<Rig>;
