// Compressed models: meshopt's views and Draco's primitives, by three.js's copies of their decoders,
// which are fetched only for a file that needs them.
import { Accessor, Buffers } from "./buffers";
import { arrayOf, indexOf, isObject, Json, objectOf, sizeOf } from "./json";
import { ModelError } from "./rig";

interface MeshoptDecoder {
  ready: Promise<void>;
  decodeGltfBuffer(target: Uint8Array, count: number, size: number, source: Uint8Array, mode: string, filter?: string): void;
}

type DracoModule = any;

/** How decoders get here: scripts of their own beside the page. */
export interface DecoderSource {
  meshopt(): Promise<MeshoptDecoder>;
  draco(): Promise<DracoModule>;
}

export interface DecodedPrimitive {
  indices: Accessor;
  attributes: { [name: string]: Accessor };
}

function extensionOf(json: Json, name: string): Json | null {
  const all = json.extensions;
  return isObject(all) && isObject(all[name]) ? (all[name] as Json) : null;
}

export async function decodeViews(buffers: Buffers, source: DecoderSource): Promise<void> {
  const found = buffers.views.flatMap((json, i) => {
    const extension = extensionOf(json, "EXT_meshopt_compression");
    return extension ? [{ i, extension }] : [];
  });
  if (!found.length) return;
  const decoder = await source.meshopt();
  await decoder.ready;
  for (const { i, extension } of found) {
    const place = `bufferViews[${i}].extensions.EXT_meshopt_compression`;
    const count = sizeOf(extension, "count", place), stride = sizeOf(extension, "byteStride", place);
    if (count * stride > 1 << 30) throw new ModelError(`${place}: more than a gigabyte`);
    const target = new Uint8Array(count * stride), mode = String(extension.mode);
    const filter = extension.filter === undefined ? undefined : String(extension.filter);
    try {
      decoder.decodeGltfBuffer(target, count, stride, buffers.range(extension, place), mode, filter);
    } catch (error) {
      if (error instanceof ModelError) throw error;
      throw new ModelError(`${place}: damaged (${(error as Error).message})`);
    }
    buffers.decoded.set(i, target);
  }
}

// Draco's names of numbers, by glTF's.
const DRACO_TYPES: { [type: number]: string } = { 5120: "DT_INT8", 5121: "DT_UINT8", 5122: "DT_INT16", 5123: "DT_UINT16",
  5125: "DT_UINT32", 5126: "DT_FLOAT32" };
const SIZES: { [type: number]: number } = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const COMPONENTS: { [type: string]: number } = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Numbers that the decoder writes into its own memory, taken out. */
function taken(draco: DracoModule, bytes: number, fill: (at: number) => boolean, place: string): Uint8Array {
  const at = draco._malloc(bytes);
  try {
    if (!fill(at)) throw new ModelError(`${place}: could not be decoded`);
    return new Uint8Array(draco.HEAPU8.buffer, at, bytes).slice();
  } finally {
    draco._free(at);
  }
}

function attributeOf(draco: DracoModule, decoder: DracoModule, mesh: DracoModule, json: Json, index: number, id: number,
  place: string): Accessor {
  const attribute = decoder.GetAttributeByUniqueId(mesh, id);
  if (!attribute || !attribute.ptr) throw new ModelError(`${place}: there is no attribute ${id} in it`);
  const type = sizeOf(json, "componentType", place), components = COMPONENTS[String(json.type)];
  if (!SIZES[type] || attribute.num_components() !== components)
    throw new ModelError(`${place}: accessors[${index}] is not what was compressed`);
  const count = mesh.num_points(), bytes = count * components * SIZES[type];
  const data = taken(draco, bytes, (at) =>
    decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[DRACO_TYPES[type]], bytes, at), place);
  return { index, count, components, type, normalized: json.normalized === true, data,
    stride: components * SIZES[type], sparse: null };
}

function decodePrimitive(draco: DracoModule, buffers: Buffers, json: Json, extension: Json, place: string): DecodedPrimitive {
  const view = indexOf(extension, "bufferView", place, buffers.views.length);
  if (view < 0) throw new ModelError(`${place}: no "bufferView"`);
  const bytes = buffers.view(view).data, decoder = new draco.Decoder(), mesh = new draco.Mesh();
  try {
    const status = decoder.DecodeArrayToMesh(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length, mesh);
    if (!status.ok() || !mesh.ptr) throw new ModelError(`${place}: ${status.error_msg() || "could not be decoded"}`);
    const faces = mesh.num_faces(), indexBytes = 12 * faces, attributes: DecodedPrimitive["attributes"] = {};
    const indices = taken(draco, indexBytes, (at) => decoder.GetTrianglesUInt32Array(mesh, indexBytes, at), place);
    const own = objectOf(json, "attributes", place), ids = objectOf(extension, "attributes", place);
    for (const name of Object.keys(ids)) {
      const index = indexOf(own, name, place, buffers.accessors.length);
      if (index < 0 || !/^(POSITION|JOINTS_|WEIGHTS_)/.test(name)) continue;
      attributes[name] = attributeOf(draco, decoder, mesh, buffers.accessors[index], index, sizeOf(ids, name, place), place);
    }
    return { attributes, indices: { index: indexOf(json, "indices", place, buffers.accessors.length), count: 3 * faces,
      components: 1, type: 5125, normalized: false, data: indices, stride: 4, sparse: null } };
  } finally {
    draco.destroy(mesh);
    draco.destroy(decoder);
  }
}

export async function decodePrimitives(buffers: Buffers, meshes: Json[], source: DecoderSource):
  Promise<Map<Json, DecodedPrimitive>> {
  const decoded = new Map<Json, DecodedPrimitive>();
  let draco: DracoModule = null;
  for (const [m, mesh] of meshes.entries())
    for (const [p, primitive] of arrayOf(mesh, "primitives", `meshes[${m}]`).entries()) {
      const extension = isObject(primitive) && extensionOf(primitive, "KHR_draco_mesh_compression");
      if (!extension) continue;
      draco ??= await source.draco();
      const place = `meshes[${m}].primitives[${p}].extensions.KHR_draco_mesh_compression`;
      decoded.set(primitive, decodePrimitive(draco, buffers, primitive, extension, place));
    }
  return decoded;
}
