// load.js for modules that are text: gzip, as base64. Nothing is fetched.
import { start } from "./memory.js";

/** The functions of a new instance. */
export async function load(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  return start(await WebAssembly.compile(await bytes));
}
