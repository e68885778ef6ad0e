// Where models come from: files, things dropped, and those built in. Scripts beside the page bring
// what is not needed at once, so that a page opened from disk has it too.
import type { Beside } from "./gltf/buffers";
import { checkStart } from "./gltf/container";
import type { DecoderSource } from "./gltf/decoders";
import { readModel } from "./gltf/read";
import { ModelError, Rig } from "./gltf/rig";

const MOST_BYTES = 1 << 30;

export interface Opened {
  name: string;
  rig: Rig;
}

declare global {
  interface Window {
    grazeParcel?: { [name: string]: unknown };
  }
}

const scripts = new Map<string, Promise<unknown>>();

/** What a script beside the page leaves in window.grazeParcel under its name. */
function parcel(name: string, path: string): Promise<unknown> {
  let found = scripts.get(name);
  if (!found) {
    found = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = path;
      script.onload = () => {
        const value = window.grazeParcel?.[name];
        if (value === undefined) reject(new ModelError(`${path} is not what it should be`));
        else resolve(value);
      };
      script.onerror = () => {
        scripts.delete(name);
        script.remove();
        reject(new ModelError(`${path} could not be fetched`));
      };
      document.head.append(script);
    });
    scripts.set(name, found);
  }
  return found;
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

export const decoders: DecoderSource = {
  meshopt: async () => (await parcel("meshopt", "meshopt.js")) as never,
  draco: async () => {
    const { make, wasm } = (await parcel("draco", "draco.js")) as { make: (options: object) => Promise<unknown>; wasm: string };
    return make({ wasmBinary: fromBase64(wasm) });
  },
};

export interface BuiltIn {
  name: string;
  words: string;
}

export const BUILT_IN: BuiltIn[] = [
  { name: "man", words: "a man, walking" },
  { name: "player", words: "a soccer player" },
  { name: "creature", words: "a long-necked creature" },
  { name: "dwarf", words: "a stout dwarf" },
  { name: "robot", words: "a robot of rigid shells" },
  { name: "curtain", words: "a curtain, morphed" },
];

export async function openBuiltIn(name: string): Promise<Opened> {
  const text = (await parcel(`model:${name}`, `models/${name}.js`)) as string;
  return { name: `${name}.glb`, rig: await readModel(fromBase64(text), new Map(), decoders) };
}

function isModel(name: string): boolean {
  return /\.(glb|gltf)$/i.test(name);
}

async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MOST_BYTES) throw new ModelError(`${(file.size / 2 ** 30).toFixed(1)} GB are more than this page takes`);
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new ModelError("could not be read");
  }
}

/** The model among some files; the others may be its buffers. */
export async function openFiles(files: File[]): Promise<Opened> {
  const model = files.find((file) => isModel(file.name)) ?? files[0];
  if (!model) throw new ModelError("no file");
  try {
    checkStart(new Uint8Array(await model.slice(0, 64).arrayBuffer()));
    const beside: Beside = new Map();
    for (const file of files) if (file !== model) beside.set(file.name, await bytesOf(file));
    return { name: model.name, rig: await readModel(await bytesOf(model), beside, decoders) };
  } catch (error) {
    if (error instanceof ModelError) throw new ModelError(`${model.name}: ${error.message}`);
    throw error;
  }
}
