// index.js with the module in it, for bundlers that do not copy a .wasm, and pages without a server.
import { Graze } from "./core.js";
import { load } from "./load.inline.js";
import wasm from "./graze.wasm.js";

export { GrazeError } from "./memory.js";

/** Makes the module; nothing is fetched. */
export async function createGraze() {
  return new Graze(await load(wasm));
}
