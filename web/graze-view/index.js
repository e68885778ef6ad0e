// The package's questions and those of the viewer, over viewer.wasm: rigs in the same memory, what a
// query did, what the eager way costs, contacts, and the nodes of the tree. Not part of the package.
//
//   const view = await createView({ wasm });           // bytes, a module or an address
//   const rig = view.rig({ nodes, joints, morphWeights, clips });            // as graze/rig takes it
//   const model = view.model({ ...meshArrays, tree: "spheres", rig });       // as graze.model() does
//   const { answer, stats } = view.counted(() => view.collide(a, b));
import { Body, Graze } from "../graze/core.js";
import { load } from "../graze/load.js";
import { GrazeError, vector } from "../graze/memory.js";
import { RigMaker } from "../graze/rigs.js";

export { GrazeError };

const TREES = { boxes: 0, spheres: 1, paper: 2 };
const INFO = ["nodes", "leaves", "levels", "treeBytes", "bodyBytes", "jointSets", "mostInfluences"];
const STATS = ["nodesRefit", "nodesEnlarged", "boundTests", "patchesPosed", "verticesPosed", "triangleTests"];
const NODE_WORDS = 12, SEGMENT_WORDS = 9;

/** Loads the module: `wasm` is its bytes, a module or an address. */
export async function createView({ wasm }) {
  return new View(await load(wasm));
}

export class View extends Graze {
  #memory;
  #rigs;
  #finders;

  constructor(exports) {
    super(exports);
    this.#memory = Graze.memoryOf(this);
    this.#rigs = new RigMaker(this.#memory);
    this.#finders = new FinalizationRegistry((address) => exports.contacts_destroy(address));
  }

  rig(def) {
    return this.#rigs.make(def);
  }

  /** As graze.model(), and `tree`: "boxes" (default), "spheres" or "paper" (a triangle a leaf);
   * `rig`: bounds are chosen by its clips, as the command does, so that statistics are the same. */
  model(def) {
    const tree = def?.tree ?? "boxes";
    if (!Object.hasOwn(TREES, tree)) throw new GrazeError(`tree is ${tree}, not boxes, spheres or paper`);
    if (def?.rig && def.rig.jointCount !== (def.jointCount ?? 1))
      throw new GrazeError(`the rig has ${def.rig.jointCount} joints, not ${def.jointCount ?? 1}`);
    const rig = def?.rig ? def.rig.addressIn(this.#memory, "rig") : 0;
    this.#memory.check(this.#memory.exports.choose(TREES[tree], rig));
    return super.model({ sameJoints: def?.rig?.sameJoints, rest: def?.rig?.sample(null, 0), ...def });
  }

  #at(body, name = "the body") {
    if (!(body instanceof Body)) throw new GrazeError(`${name} is not a body`);
    return body.addressIn(this, name);
  }

  #pairs(count) {
    this.#memory.check(count < 0);
    return this.#memory.answer(2 * count);
  }

  /** { nodes, leaves, levels, treeBytes, bodyBytes, jointSets, mostInfluences } of a body's model. */
  info(body) {
    const memory = this.#memory, at = memory.floats(INFO.length);
    memory.exports.model_info(this.#at(body), at);
    const { u32 } = memory.refresh();
    return Object.fromEntries(INFO.map((name, i) => [name, u32[at / 4 + i]]));
  }

  /** The body part (by default: the joint) of each triangle. */
  triangleGroups(body) {
    const own = this.#at(body), memory = this.#memory;
    const count = body.model.triangleCount, at = memory.floats(count);
    memory.exports.triangle_parts(own, at);
    return memory.refresh().u32.slice(at / 4, at / 4 + count);
  }

  /** Forgets what was computed of the pose: the next query starts cold. */
  dropCaches(body) {
    this.#memory.exports.drop_caches(this.#at(body));
  }

  /** Poses every vertex and refits every bound bottom-up, as a library must that is not lazy. */
  refitAll(body) {
    this.#memory.exports.refit_all(this.#at(body));
  }

  /** What `ask` answers, and what its queries did: { answer, stats }. */
  counted(ask) {
    const memory = this.#memory, at = memory.exports.count();
    const answer = ask();
    const { view } = memory.refresh();
    const stats = Object.fromEntries(STATS.map((name, i) => [name, Number(view.getBigUint64(at + 8 * i, true))]));
    return { answer, stats };
  }

  /** collide() the slow ways: everything posed and refitted first (first: until a pair is found), or
   * all against all. */
  collideEager(a, b, { first = false } = {}) {
    return this.#pairs(this.#memory.exports.collide_slowly(this.#at(a, "a"), this.#at(b, "b"), 0, first ? 1 : 0));
  }

  collideBrute(a, b) {
    return this.#pairs(this.#memory.exports.collide_slowly(this.#at(a, "a"), this.#at(b, "b"), 1, 0));
  }

  /** self() the slow ways. */
  selfEager(body, { onlyNew = false } = {}) {
    return this.#pairs(this.#memory.exports.self_slowly(this.#at(body), 0, onlyNew ? 1 : 0));
  }

  selfBrute(body, { onlyNew = false } = {}) {
    return this.#pairs(this.#memory.exports.self_slowly(this.#at(body), 1, onlyNew ? 1 : 0));
  }

  /** A finder of contacts between bodies of a's model and of b's. */
  contacts(a, b, { byGroup = false } = {}) {
    const address = this.#memory.exports.contacts_create(this.#at(a, "a"), this.#at(b, "b"), byGroup ? 1 : 0);
    this.#memory.check(!address);
    return new Contacts(this, this.#memory, this.#finders, address, a.model, b.model);
  }

  /** The whole tree in this pose: see Nodes in index.d.ts. Statistics of the next query are as if
   * nobody had looked; `refitted` is what queries since setPose() or dropCaches() have bounded, so
   * ask once after them and keep the answer. */
  nodes(body, { best = false } = {}) {
    const memory = this.#memory, { exports } = memory;
    const count = exports.nodes(this.#at(body), best ? 1 : 0);
    memory.check(count < 0);
    const { f32, u32 } = memory.refresh(), first = exports.answer() / 4;
    const nodes = { count };
    for (const [name, Type, word, size] of [
      ["levels", Uint32Array, 0, 1], ["firstChildren", Uint32Array, 1, 1], ["childCounts", Uint32Array, 2, 1],
      ["triangleCounts", Uint32Array, 3, 1], ["refitted", Uint8Array, 4, 1], ["centres", Float32Array, 5, 3],
      ["radii", Float32Array, 8, 1], ["halves", Float32Array, 9, 3],
    ]) {
      const from = Type === Float32Array ? f32 : u32, values = new Type(size * count);
      for (let i = 0; i < count; i++)
        for (let k = 0; k < size; k++) values[size * i + k] = from[first + NODE_WORDS * i + word + k];
      nodes[name] = values;
    }
    return nodes;
  }
}

/** Finds where two bodies meet, which way apart and how deep. */
class Contacts {
  #view;
  #memory;
  #finders;
  #address;
  #models;

  constructor(view, memory, finders, address, ...models) {
    this.#view = view;
    this.#memory = memory;
    this.#finders = finders;
    this.#address = address;
    this.#models = models;
    finders.register(this, address, this);
  }

  #body(body, which) {
    const name = which ? "b" : "a";
    if (!(body instanceof Body)) throw new GrazeError(`${name} is not a body`);
    if (body.model !== this.#models[which]) throw new GrazeError(`${name} is not of the finder's model`);
    return body.addressIn(this.#view, name);
  }

  #contact(view, at) {
    const number = (offset) => view.getUint32(at + offset, true);
    return {
      point: vector(view, at, 3), normal: vector(view, at + 12, 3),
      depth: view.getFloat32(at + 24, true), length: view.getFloat32(at + 28, true),
      groups: [number(32), number(36)], first: number(40), count: number(44),
      closed: view.getUint8(at + 48) !== 0, whole: view.getUint8(at + 49) !== 0,
    };
  }

  /** { contacts, ends, pairs }: ends has 6 floats a segment of the curves, pairs its two triangles;
   * a contact's segments are [first, first + count). */
  find(a, b) {
    if (!this.#address) throw new GrazeError("the finder was disposed of");
    const memory = this.#memory, { exports } = memory;
    const count = exports.contacts_find(this.#address, this.#body(a, 0), this.#body(b, 1));
    memory.check(count < 0);
    const countAt = memory.floats(1), first = exports.contacts_segments(this.#address, countAt) / 4;
    const { view, f32, u32 } = memory.refresh(), segments = u32[countAt / 4];
    const found = { contacts: [], ends: new Float32Array(6 * segments), pairs: new Uint32Array(2 * segments) };
    for (let i = 0; i < count; i++)
      found.contacts.push(this.#contact(view, exports.contacts_get(i)));
    for (let i = 0; i < segments; i++) {
      const at = first + SEGMENT_WORDS * i;
      found.ends.set(f32.subarray(at, at + 6), 6 * i);
      found.pairs.set(u32.subarray(at + 6, at + 8), 2 * i);
    }
    return found;
  }

  dispose() {
    if (!this.#address) return;
    this.#finders.unregister(this);
    this.#memory.exports.contacts_destroy(this.#address);
    this.#address = 0;
  }
}
