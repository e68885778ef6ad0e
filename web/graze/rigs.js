// Skeletons and clips over a module's memory: what rig.js hands out.
import { GrazeError, Memory, numbers } from "./memory.js";

const NONE = 0xffffffff;
const PATHS = { translation: 0, rotation: 1, scale: 2, weights: 3 };
const WIDTHS = { translation: 3, rotation: 4, scale: 3 };
const INTERPOLATIONS = { LINEAR: 0, STEP: 1, CUBICSPLINE: 2 };

/** A whole number below count, or an error that says which. */
function indexBelow(value, count, name, what) {
  if (!Number.isInteger(value) || value < 0 || value >= count)
    throw new GrazeError(`${name} is ${value}, but there are ${count} ${what}`);
  return value;
}

function finite(value, name, count) {
  const values = numbers(Float32Array, value, name, count);
  const wrong = values.findIndex((number) => !Number.isFinite(number));
  if (wrong >= 0) throw new GrazeError(`${name}[${wrong}] is ${values[wrong]}, not a finite number`);
  return values;
}

function list(value, name) {
  if (!Array.isArray(value)) throw new GrazeError(`${name} is not an array`);
  return value;
}

function object(value, name) {
  if (!value || typeof value !== "object") throw new GrazeError(`${name} is not an object`);
  return value;
}

/** The caller's array for an answer, if it has room for no more and no less. */
function place(array, count, name) {
  if (!(array instanceof Float32Array)) throw new GrazeError(`${name} is not a Float32Array`);
  return numbers(Float32Array, array, name, count);
}

/** Three rows of four from four columns of four. */
function putRows(rows, at, columns) {
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 4; column++) rows[at + 4 * row + column] = columns[4 * column + row];
}

function refuseCycles(parents) {
  const seen = new Uint32Array(parents.length); // by the climb that came by
  for (let start = 0; start < parents.length; start++)
    for (let node = start; node !== NONE && (!seen[node] || seen[node] === start + 1); node = parents[node]) {
      if (seen[node]) throw new GrazeError(`nodes[${node}] is above itself`);
      seen[node] = start + 1;
    }
}

/** Nodes as the module takes them: parent and whether there is a matrix; T, R, S, matrix. */
function packNodes(nodes) {
  const places = new Uint32Array(2 * nodes.length), floats = new Float32Array(22 * nodes.length);
  nodes.forEach((value, i) => {
    const name = `nodes[${i}]`, node = object(value, name), at = 22 * i;
    places[2 * i] = (node.parent ?? -1) === -1 ? NONE : indexBelow(node.parent, nodes.length, `${name}.parent`, "nodes");
    places[2 * i + 1] = node.matrix ? 1 : 0;
    floats.set(finite(node.translation ?? [0, 0, 0], `${name}.translation`, 3), at);
    floats.set(finite(node.rotation ?? [0, 0, 0, 1], `${name}.rotation`, 4), at + 3);
    floats.set(finite(node.scale ?? [1, 1, 1], `${name}.scale`, 3), at + 7);
    if (node.matrix) putRows(floats, at + 10, finite(node.matrix, `${name}.matrix`, 16));
  });
  refuseCycles(Uint32Array.from({ length: nodes.length }, (_, i) => places[2 * i]));
  return [places, floats];
}

function packJoints(joints, nodeCount) {
  const nodes = new Uint32Array(joints.length), binds = new Float32Array(12 * joints.length);
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  joints.forEach((value, j) => {
    const name = `joints[${j}]`, joint = object(value, name);
    nodes[j] = indexBelow(joint.node, nodeCount, `${name}.node`, "nodes");
    putRows(binds, 12 * j, finite(joint.inverseBind ?? identity, `${name}.inverseBind`, 16));
  });
  return [nodes, binds];
}

/** For each joint the lowest of those that have its node and inverse bind; a rigid one is alone. */
function findSameJoints(joints, nodes, binds) {
  const known = new Map();
  return nodes.map((node, j) => {
    const name = joints[j].rigid ? `rigid ${j}` : `${node} ${binds.subarray(12 * j, 12 * j + 12).join()}`;
    if (!known.has(name)) known.set(name, j);
    return known.get(name);
  });
}

/** A channel, checked, with what was left out. */
function readChannel(value, name, nodeCount, morphCount) {
  const { path, interpolation = "LINEAR", node, firstMorph = 0, ...rest } = object(value, name);
  if (!Object.hasOwn(PATHS, path))
    throw new GrazeError(`${name}.path is ${path}, not translation, rotation, scale or weights`);
  if (!Object.hasOwn(INTERPOLATIONS, interpolation))
    throw new GrazeError(`${name}.interpolation is ${interpolation}, not LINEAR, STEP or CUBICSPLINE`);
  const times = finite(rest.times, `${name}.times`);
  if (!times.length) throw new GrazeError(`${name}.times is empty`);
  const late = times.findIndex((time, i) => i > 0 && time <= times[i - 1]);
  if (late > 0) throw new GrazeError(`${name}.times[${late}] is ${times[late]}, not after ${times[late - 1]}`);
  const channel = { path: PATHS[path], interpolation: INTERPOLATIONS[interpolation], times, node: 0, firstMorph: 0, morphCount: 0 };
  if (path === "weights") {
    channel.firstMorph = indexBelow(firstMorph, morphCount, `${name}.firstMorph`, "morph targets");
    const left = morphCount - firstMorph;
    channel.morphCount = rest.morphCount ?? left;
    if (!Number.isInteger(channel.morphCount) || channel.morphCount < 0 || channel.morphCount > left)
      throw new GrazeError(`${name}.morphCount is ${channel.morphCount}, but ${left} are left`);
  } else {
    channel.node = indexBelow(node, nodeCount, `${name}.node`, "nodes");
  }
  const width = (WIDTHS[path] ?? channel.morphCount) * (interpolation === "CUBICSPLINE" ? 3 : 1);
  channel.values = finite(rest.values, `${name}.values`, width * times.length);
  return channel;
}

/** Nodes with joints, and clips that move them. */
export class Rig {
  #memory;
  #rigs;
  #address;

  constructor(memory, rigs, def) {
    const { nodes, joints, morphWeights = [], clips = [] } = object(def, "a rig's definition");
    const [places, floats] = packNodes(list(nodes, "nodes"));
    const [jointNodes, binds] = packJoints(list(joints, "joints"), nodes.length);
    const weights = finite(morphWeights, "morphWeights");
    const read = list(clips, "clips").map((clip, c) =>
      list(object(clip, `clips[${c}]`).channels, `clips[${c}].channels`).map((channel, k) =>
        readChannel(channel, `clips[${c}].channels[${k}]`, nodes.length, weights.length)));
    this.#memory = memory;
    this.#rigs = rigs;
    this.jointCount = joints.length;
    this.morphCount = weights.length;
    /** What graze.model() takes as sameJoints. */
    this.sameJoints = findSameJoints(joints, jointNodes, binds);
    /** Their names and the time of their last key. */
    this.clips = clips.map(({ name }, c) => ({
      name: name ?? null, seconds: read[c].reduce((most, { times }) => Math.max(most, times.at(-1)), 0) }));
    this.#address = memory.with([places, floats, jointNodes, binds, weights], (...at) =>
      memory.exports.rig_create(at[0], at[1], nodes.length, at[2], at[3], joints.length, at[4], weights.length, clips.length));
    memory.check(!this.#address);
    rigs.register(this, this.#address, this);
    read.forEach((channels, clip) => this.#addClip(channels, clip));
  }

  #addClip(channels, clip) {
    const memory = this.#memory, { exports } = memory;
    memory.check(exports.rig_clip(this.#address, clip, this.clips[clip].seconds, channels.length));
    channels.forEach((channel, k) => memory.with([channel.times, channel.values], (times, values) =>
      memory.check(exports.rig_channel(this.#address, clip, k, channel.path, channel.interpolation, channel.node,
        channel.firstMorph, channel.morphCount, times, channel.times.length, values, channel.values.length))));
  }

  get #own() {
    if (!this.#address) throw new GrazeError("the rig was disposed of");
    return this.#address;
  }

  /** Bytes that its module holds for all its rigs, free or not. */
  get bytes() {
    return this.#memory.exports.memory.buffer.byteLength;
  }

  /** For those who share its module: where the rig is. */
  addressIn(memory, name) {
    if (memory !== this.#memory) throw new GrazeError(`${name} is a rig of another module`);
    return this.#own;
  }

  #clip(clip) {
    if (clip === null) return NONE;
    if (typeof clip !== "string") return indexBelow(clip, this.clips.length, "the clip", "clips");
    const found = this.clips.findIndex(({ name }) => name === clip);
    if (found < 0) throw new GrazeError(`no clip is named ${clip}`);
    return found;
  }

  #answer(into) {
    const { f32 } = this.#memory.refresh(), first = this.#memory.exports.answer() / 4;
    const middle = first + 16 * this.jointCount, end = middle + this.morphCount;
    if (!into) return { matrices: f32.slice(first, middle), morphWeights: f32.slice(middle, end) };
    place(into.matrices, 16 * this.jointCount, "matrices").set(f32.subarray(first, middle));
    if (into.morphWeights) place(into.morphWeights, this.morphCount, "morphWeights").set(f32.subarray(middle, end));
    return into;
  }

  /** A clip (its number or name; null: none, the pose that the nodes stand in) at a time in seconds:
   * { matrices, morphWeights }, new arrays, or those of `into` filled. Before its first key and after
   * its last a channel holds its end values. */
  sample(clip, time, into) {
    const own = this.#own, memory = this.#memory;
    if (typeof time !== "number") throw new GrazeError(`the time is ${time}, not a number`);
    memory.check(memory.exports.rig_sample(own, this.#clip(clip), time));
    return this.#answer(into);
  }

  /** Several clips at once, [{ clip, time, weight }]; weights are scaled to sum 1. As sample(). */
  blend(layers, into) {
    const own = this.#own, memory = this.#memory;
    const clips = Uint32Array.from(list(layers, "layers"), (layer, i) => this.#clip(object(layer, `layers[${i}]`).clip));
    const times = Float64Array.from([...layers.map(({ time }) => time), ...layers.map(({ weight = 1 }) => weight)]);
    memory.with([clips, times], (...at) => memory.check(memory.exports.rig_blend(own, ...at, clips.length)));
    return this.#answer(into);
  }

  /** Gives the memory back. */
  dispose() {
    if (!this.#address) return;
    this.#rigs.unregister(this);
    this.#memory.exports.rig_destroy(this.#address);
    this.#address = 0;
  }
}

if (Symbol.dispose) Rig.prototype[Symbol.dispose] = Rig.prototype.dispose;

/** Makes rigs in a module's memory, which the garbage collector gives back, too. */
export class RigMaker {
  #memory;
  #rigs;

  constructor(memory) {
    this.#memory = memory;
    this.#rigs = new FinalizationRegistry((address) => memory.exports.rig_destroy(address));
  }

  make(def) {
    return new Rig(this.#memory, this.#rigs, def);
  }
}

/** createRig() of a module that `load` makes, of `standard` where the caller names none. All rigs
 * share it, and it is loaded with the first; `wasm` makes one of its own. */
export function rigCreator(load, standard) {
  let shared = null;
  const loadMaker = async (wasm) => new RigMaker(new Memory(await load(wasm)));
  return async (def, { wasm } = {}) => {
    if (wasm) return (await loadMaker(wasm)).make(def);
    shared ??= loadMaker(standard()).catch((error) => {
      shared = null; // the next call tries again
      throw error;
    });
    return (await shared).make(def);
  };
}
