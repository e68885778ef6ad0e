// From a .wasm file to its functions, in Node, browsers and workers.
import { GrazeError } from "./memory.js";

const inNode = typeof process !== "undefined" && Boolean(process.versions?.node);

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source, import.meta.url);
  if (inNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new GrazeError(`${url}: ${response.status} ${response.statusText}`);
  // Servers that do not know .wasm send it as something else, which streaming refuses.
  if (response.headers.get("Content-Type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The functions of a new instance. source: bytes, a module or an address. */
export async function load(source) {
  const { exports } = await WebAssembly.instantiate(await compile(source)); // which needs nothing else
  exports._initialize();
  return exports;
}
