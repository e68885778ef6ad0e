// load.js in Node.
import { readFile } from "node:fs/promises";

import { load as loadHere } from "./load.js";

/** The functions of a new instance. source: bytes, a module, a path or an address. */
export async function load(source) {
  const isFile = source instanceof URL ? source.protocol === "file:" : typeof source === "string" && !/^(https?|data):/.test(source);
  if (!isFile) return loadHere(source);
  return loadHere(await readFile(String(source).startsWith("file:") ? new URL(source) : source));
}
