// The outside of a glTF file: GLB chunks, the JSON text, versions and required extensions.
import { arrayOf, isObject, Json, objectOf } from "./json";
import { ModelError } from "./rig";

const GLB_MAGIC = 0x46546c67, CHUNK_JSON = 0x4e4f534a, CHUNK_BINARY = 0x004e4942;

export interface Container {
  json: Json;
  binary: Uint8Array | null;
}

/** Whether a file can be one, from its first bytes: what is not is told without reading the rest. */
export function checkStart(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new ModelError("the file is empty");
  if (bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === GLB_MAGIC) return;
  const text = new TextDecoder().decode(bytes.subarray(0, 64)).replace(/^\uFEFF/, "").trimStart();
  if (text[0] !== "{") throw new ModelError("neither GLB nor glTF JSON: starts with neither 'glTF' nor '{'");
}

function parseJson(bytes: Uint8Array): Json {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes).replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new ModelError(`not valid JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) throw new ModelError("the JSON text is not an object");
  return json;
}

function chunkLength(view: DataView, size: number, offset: number): number {
  if (size - offset < 8) throw new ModelError(`byte ${offset}: GLB chunk header is cut off`);
  const length = view.getUint32(offset, true), left = size - offset - 8;
  if (length > left) throw new ModelError(`byte ${offset}: GLB chunk of ${length} bytes, but only ${left} follow`);
  return length;
}

function openGlb(bytes: Uint8Array): Container {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) throw new ModelError("GLB header is cut off");
  const version = view.getUint32(4, true), size = view.getUint32(8, true);
  if (version !== 2) throw new ModelError(`GLB version ${version}, not 2`);
  if (size > bytes.length || size < 12)
    throw new ModelError(`GLB length says ${size} bytes, the file has ${bytes.length}`);
  const length = chunkLength(view, size, 12), offset = 20 + length;
  if (view.getUint32(16, true) !== CHUNK_JSON) throw new ModelError("the first GLB chunk is not JSON");
  let binary = null;
  if (offset < size) {
    const more = chunkLength(view, size, offset);
    if (view.getUint32(offset + 4, true) === CHUNK_BINARY) binary = bytes.subarray(offset + 8, offset + 8 + more);
  }
  return { json: parseJson(bytes.subarray(20, offset)), binary };
}

function checkVersion(json: Json): void {
  const asset = objectOf(json, "asset", "top level");
  if (typeof asset.version !== "string") throw new ModelError('asset: no "version"');
  if (!asset.version.startsWith("2.")) throw new ModelError(`asset: glTF version ${asset.version.slice(0, 20)}, not 2`);
  if (typeof asset.minVersion === "string" && asset.minVersion !== "2.0")
    throw new ModelError(`asset: needs glTF version ${asset.minVersion.slice(0, 20)}`);
}

// What a file may require: what matters here, and what is about looks alone.
const KNOWN = new RegExp("^(KHR_mesh_quantization|KHR_draco_mesh_compression|EXT_meshopt_compression|KHR_texture_.*|" +
  "EXT_texture_.*|MSFT_texture_dds|KHR_lights_punctual|KHR_materials_.*)$");

function checkExtensions(json: Json): void {
  for (const name of arrayOf(json, "extensionsRequired", "top level")) {
    if (typeof name !== "string") throw new ModelError("extensionsRequired: an entry is not a string");
    if (!KNOWN.test(name)) throw new ModelError(`extensionsRequired: '${name.slice(0, 80)}' is not supported`);
  }
}

export function openContainer(bytes: Uint8Array): Container {
  checkStart(bytes);
  const isGlb = bytes[0] === 0x67;
  const container = isGlb ? openGlb(bytes) : { json: parseJson(bytes), binary: null };
  checkVersion(container.json);
  checkExtensions(container.json);
  return container;
}
