// Buffers, views into them, and accessors: every component type, strides, normalised integers, sparse
// overlays. Numbers come out as adapters/gltf/accessors.c gives them, bit for bit.
import { indexOf, Json, objectOf, sizeOf, tableOf } from "./json";
import { ModelError } from "./rig";

const SIZES: { [type: number]: number } = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const LARGEST: { [type: number]: number } = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535, 5125: 4294967295 };
const COMPONENTS: { [type: string]: number } = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };
const FLOAT = 5126;

export interface View {
  data: Uint8Array;
  stride: number; // 0: packed
}

interface Sparse {
  count: number;
  indexType: number;
  indices: Uint8Array;
  values: Uint8Array;
}

export interface Accessor {
  index: number;
  count: number;
  components: number;
  type: number;
  normalized: boolean;
  data: Uint8Array | null; // null: zeros
  stride: number;
  sparse: Sparse | null;
}

/** Files that came beside the model, by name. */
export type Beside = Map<string, Uint8Array>;

export class Buffers {
  readonly accessors: Json[];
  readonly views: Json[];
  readonly decoded = new Map<number, Uint8Array>(); // views that were compressed
  private readonly buffers: Json[];
  private readonly loaded = new Map<number, Uint8Array>();

  constructor(json: Json, private readonly binary: Uint8Array | null, private readonly beside: Beside) {
    this.buffers = tableOf(json, "buffers", "top level");
    this.views = tableOf(json, "bufferViews", "top level");
    this.accessors = tableOf(json, "accessors", "top level");
  }

  private fetch(index: number, place: string): Uint8Array {
    const uri = this.buffers[index].uri;
    if (uri === undefined) {
      if (index !== 0 || !this.binary) throw new ModelError(`${place}: no "uri" and no GLB binary chunk for it`);
      return this.binary;
    }
    if (typeof uri !== "string") throw new ModelError(`${place}: "uri" is not a string`);
    if (uri.startsWith("data:")) return decodeData(uri, place);
    const name = decodeName(uri).split("/").pop()!;
    const file = this.beside.get(name);
    if (!file) throw new ModelError(`${place}: its bytes are in ${name}: choose both files together, or a .glb`);
    return file;
  }

  buffer(index: number): Uint8Array {
    let bytes = this.loaded.get(index);
    if (bytes) return bytes;
    const place = `buffers[${index}]`, length = sizeOf(this.buffers[index], "byteLength", place);
    if (length === 0) throw new ModelError(`${place}: no "byteLength"`);
    bytes = this.fetch(index, place);
    if (length > bytes.length)
      throw new ModelError(`${place}: byteLength is ${length}, but there are ${bytes.length} bytes`);
    bytes = bytes.subarray(0, length);
    this.loaded.set(index, bytes);
    return bytes;
  }

  /** A range of a buffer that json names by buffer, byteOffset and byteLength. */
  range(json: Json, place: string): Uint8Array {
    const buffer = indexOf(json, "buffer", place, this.buffers.length);
    if (buffer < 0) throw new ModelError(`${place}: no "buffer"`);
    const offset = sizeOf(json, "byteOffset", place), length = sizeOf(json, "byteLength", place);
    if (length === 0) throw new ModelError(`${place}: no "byteLength"`);
    const bytes = this.buffer(buffer);
    if (offset + length > bytes.length)
      throw new ModelError(
        `${place}: byte range ${offset}..${offset + length} exceeds buffer ${buffer} of ${bytes.length} bytes`);
    return bytes.subarray(offset, offset + length);
  }

  view(index: number): View {
    const place = `bufferViews[${index}]`, json = this.views[index];
    const stride = sizeOf(json, "byteStride", place);
    if (stride > 252) throw new ModelError(`${place}: byteStride ${stride} is over 252`);
    return { data: this.decoded.get(index) ?? this.range(json, place), stride };
  }

  private part(sparse: Json, key: string, place: string, count: number, element: number): Uint8Array {
    const part = objectOf(sparse, key, place), view = indexOf(part, "bufferView", place, this.views.length);
    if (view < 0) throw new ModelError(`${place}.${key}: no "bufferView"`);
    const offset = sizeOf(part, "byteOffset", place), { data } = this.view(view);
    checkRange(place, view, data, offset, count, element, element);
    return data.subarray(offset);
  }

  private openSparse(json: Json, index: number, count: number, element: number): Sparse | null {
    if (json.sparse === undefined) return null;
    const place = `accessors[${index}].sparse`, sparse = objectOf(json, "sparse", place);
    const entries = sizeOf(sparse, "count", place);
    if (entries === 0 || entries > count) throw new ModelError(`${place}: count ${entries} is not in 1..${count}`);
    const type = sizeOf(objectOf(sparse, "indices", place), "componentType", place);
    if (![5121, 5123, 5125].includes(type))
      throw new ModelError(`${place}.indices: componentType ${type} is not an unsigned integer`);
    return { count: entries, indexType: type, indices: this.part(sparse, "indices", place, entries, SIZES[type]),
      values: this.part(sparse, "values", place, entries, element) };
  }

  open(index: number, type: string, user: string, filled = false): Accessor {
    const place = `accessors[${index}]`, json = this.accessors[index];
    if (json.type !== type) throw new ModelError(`${place}: type is not ${type}, as ${user} needs`);
    const component = sizeOf(json, "componentType", place), count = sizeOf(json, "count", place);
    if (!SIZES[component]) throw new ModelError(`${place}: unknown componentType ${component}`);
    if (count === 0 || count >= 4294967295) throw new ModelError(`${place}: count ${count} is not in 1..4294967294`);
    const components = COMPONENTS[type], element = SIZES[component] * components;
    const accessor: Accessor = { index, count, components, type: component, normalized: json.normalized === true,
      data: null, stride: element, sparse: null };
    const viewIndex = indexOf(json, "bufferView", place, this.views.length);
    if (viewIndex >= 0) {
      const view = this.view(viewIndex), offset = sizeOf(json, "byteOffset", place);
      if (view.stride && view.stride < element)
        throw new ModelError(`${place}: bufferView ${viewIndex} has byteStride ${view.stride} for elements of ${element}`);
      accessor.stride = view.stride || element;
      checkRange(place, viewIndex, view.data, offset, count, accessor.stride, element);
      accessor.data = view.data.subarray(offset);
    }
    accessor.sparse = this.openSparse(json, index, count, element);
    if (filled && !accessor.data && !accessor.sparse)
      throw new ModelError(`${place}: no "bufferView": there are no numbers for ${user}`);
    return accessor;
  }
}

function decodeName(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function decodeData(uri: string, place: string): Uint8Array {
  const comma = uri.indexOf(",");
  if (comma < 0 || !/;base64$/i.test(uri.slice(0, comma))) throw new ModelError(`${place}: a data URI that is not base64`);
  try {
    return Uint8Array.from(atob(uri.slice(comma + 1)), (letter) => letter.charCodeAt(0));
  } catch {
    throw new ModelError(`${place}: its base64 is damaged`);
  }
}

function checkRange(place: string, view: number, data: Uint8Array, offset: number, count: number, stride: number,
  size: number): void {
  const end = offset + (count - 1) * stride + size;
  if (end > data.length)
    throw new ModelError(`${place}: byte range ${offset}..${end} exceeds bufferView ${view} of ${data.length} bytes`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function loadWhole(view: DataView, at: number, type: number): number {
  switch (type) {
    case 5120: return view.getInt8(at);
    case 5121: return view.getUint8(at);
    case 5122: return view.getInt16(at, true);
    case 5123: return view.getUint16(at, true);
    default: return view.getUint32(at, true);
  }
}

function loadFloat(accessor: Accessor, view: DataView, at: number): number {
  if (accessor.type === FLOAT) return view.getFloat32(at, true);
  const value = loadWhole(view, at, accessor.type), largest = LARGEST[accessor.type];
  return !accessor.normalized ? value : value < -largest ? -1 : value / largest;
}

/** Number i of the sparse indices: below count, above the one before. */
function sparseTarget(accessor: Accessor, sparse: Sparse, view: DataView, i: number, previous: number): number {
  const target = loadWhole(view, i * SIZES[sparse.indexType], sparse.indexType);
  if (target >= accessor.count || (i > 0 && target <= previous))
    throw new ModelError(
      `accessors[${accessor.index}].sparse: index ${i} is ${target}: not ascending, or not below ${accessor.count}`);
  return target;
}

function readInto(accessor: Accessor, values: Float32Array | Uint32Array,
  load: (view: DataView, at: number) => number): void {
  const { components, count } = accessor, size = SIZES[accessor.type];
  if (accessor.data) {
    const view = viewOf(accessor.data);
    for (let i = 0, to = 0; i < count; i++)
      for (let c = 0, at = i * accessor.stride; c < components; c++, at += size) values[to++] = load(view, at);
  }
  const { sparse } = accessor;
  if (!sparse) return;
  const indices = viewOf(sparse.indices), replacements = viewOf(sparse.values);
  for (let i = 0, target = 0; i < sparse.count; i++) {
    target = sparseTarget(accessor, sparse, indices, i, target);
    for (let c = 0; c < components; c++)
      values[target * components + c] = load(replacements, (i * components + c) * size);
  }
}

/** count x components finite floats. */
export function readFloats(accessor: Accessor): Float32Array {
  const values = new Float32Array(accessor.count * accessor.components);
  readInto(accessor, values, (view, at) => loadFloat(accessor, view, at));
  const bad = values.findIndex((value) => !Number.isFinite(value)), element = Math.floor(bad / accessor.components);
  if (bad >= 0) throw new ModelError(`accessors[${accessor.index}]: element ${element} holds a number that is not finite`);
  return values;
}

export function readIntegers(accessor: Accessor): Uint32Array {
  if (![5121, 5123, 5125].includes(accessor.type) || accessor.normalized)
    throw new ModelError(`accessors[${accessor.index}]: indices must be unsigned integers, not normalized`);
  const values = new Uint32Array(accessor.count * accessor.components);
  readInto(accessor, values, (view, at) => loadWhole(view, at, accessor.type));
  return values;
}
