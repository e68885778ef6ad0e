// Models, bodies and questions over a module's memory: what index.js hands out.
import { GrazeError, Memory, numbers, vector } from "./memory.js";

const SKINNING = { linear: 0, spherical: 1, dual: 2 };
const RAY_HIT_BYTES = 52;

/** The module with its memory. Bodies of two of them know nothing of each other. */
export class Graze {
  #memory;
  #models;
  #bodies;

  constructor(exports) {
    this.#memory = new Memory(exports);
    this.#models = new FinalizationRegistry((address) => exports.model_destroy(address));
    this.#bodies = new FinalizationRegistry((address) => exports.body_destroy(address));
  }

  /** For those who ask a module more than this class does. */
  static memoryOf(graze) {
    return graze.#memory;
  }

  get version() {
    return this.#memory.textAt(this.#memory.exports.version());
  }

  /** Bytes that the module holds, free or not. */
  get bytes() {
    return this.#memory.exports.memory.buffer.byteLength;
  }

  model(def) {
    return new Model(this, this.#memory, this.#models, this.#bodies, def);
  }

  #address(body, name) {
    if (!(body instanceof Body)) throw new GrazeError(`${name} is not a body`);
    return body.addressIn(this, name);
  }

  #count(count) {
    this.#memory.check(count < 0);
    return count;
  }

  /** All pairs of triangles that meet: a0, b0, a1, b1, ..., sorted. */
  collide(a, b) {
    const { exports } = this.#memory;
    const count = exports.collide(this.#address(a, "a"), this.#address(b, "b"));
    return this.#memory.answer(2 * this.#count(count));
  }

  /** One pair [a, b] of triangles that meet, or null. */
  collideFirst(a, b) {
    const { exports } = this.#memory;
    const count = exports.collide_first(this.#address(a, "a"), this.#address(b, "b"));
    return this.#count(count) ? [...this.#memory.answer(2)] : null;
  }

  /** Pairs of triangles of one body that meet, as collide. Neighbours are left out: they share a
   * vertex, or have two that cannot part (at one place, with one displacement in every morph, with
   * weights of the same joints that differ by 1/16 at most). onlyNew: pairs that do not meet at rest. */
  self(body, { onlyNew = false } = {}) {
    const count = this.#memory.exports.self(this.#address(body, "the body"), onlyNew ? 1 : 0);
    return this.#memory.answer(2 * this.#count(count));
  }

  /** { distance, triangles: [a, b], points: [on a, on b] }, or null beyond the limit. */
  distance(a, b, { limit = Infinity } = {}) {
    const { exports } = this.#memory;
    const found = exports.distance(this.#address(a, "a"), this.#address(b, "b"), limit);
    if (!this.#count(found)) return null;
    const { view } = this.#memory.refresh();
    const at = exports.answer();
    return {
      distance: view.getFloat64(at + 8, true),
      triangles: [view.getUint32(at + 16, true), view.getUint32(at + 20, true)],
      points: [vector(view, at + 36, 3), vector(view, at + 48, 3)],
    };
  }

  /** The first time at which vertices that move in straight lines from `start` to `end` make two
   * bodies meet: { toi, initial, triangles, point, normal } or null; toi from 0 to 1. b null: of
   * the body with itself. */
  sweep(a, b, { onlyNew = false } = {}) {
    const { exports } = this.#memory;
    const at = [a, b].flatMap((motion, i) => {
      if (i === 1 && !motion) return [0, 0];
      const name = i ? "b" : "a";
      return [this.#address(motion?.start, `${name}.start`), this.#address(motion?.end, `${name}.end`)];
    });
    if (!this.#count(exports.sweep(...at, onlyNew ? 1 : 0))) return null;
    const { view } = this.#memory.refresh();
    const answer = exports.answer();
    return {
      toi: view.getFloat32(answer + 4, true),
      initial: view.getUint8(answer + 1) !== 0,
      triangles: [view.getUint32(answer + 8, true), view.getUint32(answer + 12, true)],
      point: vector(view, answer + 24, 3),
      normal: vector(view, answer + 36, 3),
    };
  }
}

/** What is true of a mesh before any pose. */
export class Model {
  #graze;
  #memory;
  #models;
  #bodies;
  #address;

  constructor(graze, memory, models, bodies, def) {
    this.#graze = graze;
    this.#memory = memory;
    this.#models = models;
    this.#bodies = bodies;
    if (!def || typeof def !== "object") throw new GrazeError("a model is made from an object");
    const positions = numbers(Float32Array, def.positions, "positions");
    const triangles = numbers(Uint32Array, def.triangles, "triangles");
    if (positions.length % 3) throw new GrazeError(`positions has ${positions.length} numbers, not 3 a vertex`);
    if (triangles.length % 3) throw new GrazeError(`triangles has ${triangles.length} numbers, not 3 a triangle`);
    this.vertexCount = positions.length / 3;
    this.triangleCount = triangles.length / 3;
    const { influences = 4, morphs = [], skinning = "linear", groups, groupCount } = def;
    this.jointCount = def.jointCount ?? 1;
    if (!(this.jointCount >= 1)) throw new GrazeError(`jointCount is ${def.jointCount}: a model has one joint at least`);
    this.morphCount = morphs.length;
    this.groupCount = groups ? groupCount : this.jointCount;
    if (!Object.hasOwn(SKINNING, skinning))
      throw new GrazeError(`skinning is ${skinning}, not linear, spherical or dual`);
    if (Boolean(def.joints) !== Boolean(def.weights))
      throw new GrazeError("joints and weights come together");
    const entries = influences * this.vertexCount;
    const joints = def.joints ? numbers(Uint32Array, def.joints, "joints", entries) : null;
    const weights = def.weights ? numbers(Float32Array, def.weights, "weights", entries) : null;
    const fields = new Float32Array(morphs.length * positions.length);
    morphs.forEach((morph, i) =>
      fields.set(numbers(Float32Array, morph, `morphs[${i}]`, positions.length), i * positions.length));
    const same = def.sameJoints ? numbers(Uint32Array, def.sameJoints, "sameJoints", this.jointCount) : null;
    const rest = def.rest ? numbers(Float32Array, def.rest.matrices, "rest.matrices", 16 * this.jointCount) : null;
    const restWeights = def.rest?.morphWeights ? numbers(Float32Array, def.rest.morphWeights, "rest.morphWeights", this.morphCount) : null;
    const parts = groups ? numbers(Uint32Array, groups, "groups", this.triangleCount) : null;
    this.#address = memory.with([positions, triangles, joints, weights, fields, parts, same, rest, restWeights], (...at) =>
      memory.exports.model_create(at[0], this.vertexCount, at[1], this.triangleCount, this.jointCount,
        at[2], at[3], joints ? influences : 0, at[4], morphs.length, at[5], parts ? this.groupCount : 0,
        SKINNING[skinning], at[6], at[7], at[8]));
    memory.check(!this.#address);
    models.register(this, this.#address, this);
  }

  /** A body in the rest pose. */
  body() {
    if (!this.#address) throw new GrazeError("the model was disposed of");
    const address = this.#memory.exports.body_create(this.#address);
    this.#memory.check(!address);
    return new Body(this, this.#graze, this.#memory, this.#bodies, address);
  }

  /** Lets go of the model. Its bodies go on working. */
  dispose() {
    if (!this.#address) return;
    this.#models.unregister(this);
    this.#memory.exports.model_destroy(this.#address);
    this.#address = 0;
  }
}

/** A model in a pose. */
export class Body {
  #graze;
  #memory;
  #bodies;
  #address;
  #follow = null;

  constructor(model, graze, memory, bodies, address) {
    this.model = model;
    this.#graze = graze;
    this.#memory = memory;
    this.#bodies = bodies;
    this.#address = address;
    bodies.register(this, address, this);
  }

  get #own() {
    if (!this.#address) throw new GrazeError("the body was disposed of");
    return this.#address;
  }

  /** The address, of a body that stands where whatever it follows is now. */
  get #current() {
    this.#follow?.();
    return this.#own;
  }

  /** For graze/three: called before each question, to pose the body. */
  follow(pose) {
    this.#follow = pose;
  }

  /** For Graze alone: where the body is, if it is there and of that module. */
  addressIn(graze, name) {
    if (graze !== this.#graze) throw new GrazeError(`${name} is a body of another Graze`);
    return this.#current;
  }

  /** matrices: 16 floats a joint, columns, from rest positions to model space. */
  setPose(matrices, { placement = null, morphWeights = null } = {}) {
    const own = this.#own, memory = this.#memory;
    const joints = numbers(Float32Array, matrices, "matrices", 16 * this.model.jointCount);
    const place = placement && numbers(Float32Array, placement, "placement", 16);
    const weights = morphWeights && numbers(Float32Array, morphWeights, "morphWeights", this.model.morphCount);
    const weightCount = weights ? weights.length : 0;
    const at = memory.floats(joints.length + 16 + weightCount);
    const placeAt = at + 4 * joints.length, weightsAt = placeAt + 64;
    memory.putFloats(at, joints);
    if (place) memory.putFloats(placeAt, place);
    if (weights) memory.putFloats(weightsAt, weights);
    memory.check(memory.exports.set_pose(own, at, this.model.jointCount, place ? placeAt : 0,
      weights ? weightsAt : 0, weightCount));
  }

  /** Positions computed elsewhere, in world space, 3 floats a vertex. */
  setPositions(positions) {
    const own = this.#own, memory = this.#memory;
    const values = numbers(Float32Array, positions, "positions", 3 * this.model.vertexCount);
    const at = memory.floats(values.length);
    memory.put(at, values);
    memory.check(memory.exports.set_positions(own, at, this.model.vertexCount));
  }

  /** Only these groups of triangles (by default: joints) take part from now on; null: all. */
  setGroups(groups) {
    const own = this.#own, memory = this.#memory, count = this.model.groupCount;
    let bits = null;
    if (groups) {
      bits = new Uint32Array(Math.ceil(count / 32));
      for (const group of groups) {
        if (!Number.isInteger(group) || group < 0 || group >= count)
          throw new GrazeError(`group ${group} is not one of ${count}`);
        bits[group >> 5] |= 1 << (group & 31);
      }
    }
    memory.with([bits], (at) => memory.check(memory.exports.set_groups(own, at, count)));
  }

  /** The floats that queries decide on, as `graze pose` prints them. */
  positions() {
    const own = this.#current, memory = this.#memory, count = 3 * this.model.vertexCount;
    const at = memory.floats(count);
    memory.exports.get_positions(own, at);
    return memory.refresh().f32.slice(at / 4, at / 4 + count);
  }

  /** The nearest hit { triangle, t, point, normal, uv, joint, group } or null; with all: an array
   * of all of them, sorted by t. t is in units of the direction, from near to far. */
  raycast(origin, direction, { near = 0, far = Infinity, all = false } = {}) {
    const own = this.#current, memory = this.#memory;
    const { exports } = memory;
    const o = numbers(Float32Array, origin, "origin", 3), d = numbers(Float32Array, direction, "direction", 3);
    const cast = all ? exports.cast_all : exports.cast;
    const count = cast(own, o[0], o[1], o[2], d[0], d[1], d[2], near, far);
    memory.check(count < 0);
    if (!all) return count ? rayHit(memory.refresh().view, exports.answer()) : null;
    const { view } = memory.refresh(), hits = [];
    for (let i = 0, at = exports.answer(); i < count; i++, at += RAY_HIT_BYTES) hits.push(rayHit(view, at));
    return hits;
  }

  /** The triangles that a shape meets, sorted. One of { sphere: [x, y, z, r] }, { capsule: [p, q,
   * r: 7 numbers] }, { box: { centre, half, rotation: [x, y, z, w] } }, { plane: [nx, ny, nz, d] }
   * and { halfSpace: [nx, ny, nz, d] }, n.x <= d. */
  touch(shape) {
    const own = this.#current, memory = this.#memory;
    const [kind, values] = shapeNumbers(shape);
    const at = memory.floats(values.length);
    memory.put(at, values);
    const count = memory.exports.touch(own, kind, at);
    memory.check(count < 0);
    return memory.answer(count);
  }

  /** Gives the memory back. */
  dispose() {
    if (!this.#address) return;
    this.#bodies.unregister(this);
    this.#memory.exports.body_destroy(this.#address);
    this.#address = 0;
  }
}

/** A graze_hit. */
function rayHit(view, at) {
  return {
    triangle: view.getUint32(at + 4, true),
    t: view.getFloat32(at + 16, true),
    point: vector(view, at + 20, 3),
    normal: vector(view, at + 32, 3),
    uv: vector(view, at + 44, 2),
    joint: view.getUint32(at + 12, true),
    group: view.getUint32(at + 8, true),
  };
}

function shapeNumbers(shape) {
  if (shape?.sphere) return [0, numbers(Float32Array, shape.sphere, "sphere", 4)];
  if (shape?.capsule) return [1, numbers(Float32Array, shape.capsule, "capsule", 7)];
  if (shape?.box) {
    const { centre, half, rotation = [0, 0, 0, 1] } = shape.box;
    return [2, Float32Array.of(...numbers(Float32Array, centre, "box.centre", 3),
      ...numbers(Float32Array, half, "box.half", 3), ...numbers(Float32Array, rotation, "box.rotation", 4))];
  }
  if (shape?.plane) return [3, numbers(Float32Array, shape.plane, "plane", 4)];
  if (shape?.halfSpace) return [4, numbers(Float32Array, shape.halfSpace, "halfSpace", 4)];
  throw new GrazeError("a shape is a sphere, capsule, box, plane or halfSpace");
}

for (const Class of [Model, Body])
  if (Symbol.dispose) Class.prototype[Symbol.dispose] = Class.prototype.dispose;
