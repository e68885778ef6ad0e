// index.js in Node.
import { Graze } from "./core.js";
import { load } from "./load.node.js";

export { GrazeError } from "./memory.js";

/** Loads the module. `wasm`: its bytes, module, path or address, where it is not beside this file. */
export async function createGraze({ wasm = new URL("./graze.wasm", import.meta.url) } = {}) {
  return new Graze(await load(wasm));
}
