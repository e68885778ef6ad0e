// From a .wasm file to its functions, in browsers and workers. load.node.js is for Node; this file
// names nothing of Node, which bundlers for browsers would stumble over.
import { GrazeError, start } from "./memory.js";

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new GrazeError(`${source}: ${response.status} ${response.statusText}`);
  // Servers that do not know .wasm send it as something else, which streaming refuses.
  if (response.headers.get("Content-Type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The functions of a new instance. source: bytes, a module or an address, as fetch() takes it. */
export async function load(source) {
  return start(await compile(source));
}
