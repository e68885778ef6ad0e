// What Graze needs of a mesh of three.js: its triangles as a model, its pose, and whether either has
// changed.
import { GrazeError } from "./memory.js";

/** out = a b at their places in arrays, of affine maps, 4 by 4 in columns; out is neither. */
function multiply(out, o, a, i, b, j) {
  for (let c = 0; c < 16; c += 4) {
    const x = b[j + c], y = b[j + c + 1], z = b[j + c + 2], w = c === 12 ? 1 : 0;
    for (let row = 0; row < 3; row++)
      out[o + c + row] = a[i + row] * x + a[i + 4 + row] * y + a[i + 8 + row] * z + a[i + 12 + row] * w;
    out[o + c + 3] = w;
  }
}

/** Takes 16 numbers over into a place of an array; true if any was another. */
function replace16(array, at, values) {
  for (let i = 0; i < 16; i++)
    if (array[at + i] !== values[i]) {
      for (; i < 16; i++) array[at + i] = values[i];
      return true;
    }
  return false;
}

const COMPONENTS = ["getX", "getY", "getZ", "getW"]; // getComponent() does not decode half floats

/** An attribute's numbers, items of the given size one behind the other, as Type. */
function gather(Type, attribute, size) {
  if (!attribute.getX || !attribute.count) throw new GrazeError("the mesh has an attribute without numbers");
  const plain = !attribute.isInterleavedBufferAttribute && !attribute.normalized;
  if (plain && attribute.itemSize === size && attribute.array instanceof Type && attribute.array.length === attribute.count * size)
    return attribute.array;
  const values = new Type(attribute.count * size);
  for (let k = 0; k < size; k++)
    for (let i = 0, get = COMPONENTS[k]; i < attribute.count; i++) values[i * size + k] = attribute[get](i);
  return values;
}

function gatherMorphs(geometry, base) {
  return (geometry.morphAttributes.position ?? []).map((attribute) => {
    const values = gather(Float32Array, attribute, 3);
    return geometry.morphTargetsRelative ? values : values.map((value, i) => value - base[i]);
  });
}

/** Joints and weights, 4 a vertex. Joints without weight may be any number in three.js. */
function gatherSkin(mesh) {
  const { skinIndex, skinWeight } = mesh.geometry.attributes, { bones, boneInverses } = mesh.skeleton ?? {};
  if (!bones) throw new GrazeError("the skinned mesh has no skeleton");
  if (!skinIndex || !skinWeight) throw new GrazeError("the skinned mesh has no skinIndex or skinWeight");
  if (bones.length !== boneInverses.length)
    throw new GrazeError(`the skeleton has ${bones.length} bones, but ${boneInverses.length} boneInverses`);
  const weights = gather(Float32Array, skinWeight, 4);
  const joints = gather(Uint32Array, skinIndex, 4).map((joint, i) => (weights[i] === 0 ? 0 : joint));
  return { jointCount: bones.length, joints, weights, influences: 4 };
}

/** The vertex numbers of the corners from `first` on, up to `end`; whole triangles alone. */
function gatherTriangles({ index, attributes }, first, end) {
  const count = Math.max(0, end - first), whole = count - (count % 3);
  if (!index) return Uint32Array.from({ length: whole }, (_, i) => first + i);
  return gather(Uint32Array, index, 1).subarray(first, first + whole);
}

/** How many corners a geometry has, drawn or not. */
export function cornerCount({ index, attributes }) {
  return index?.count ?? attributes.position?.count ?? 0;
}

function refuseMany(mesh, what) {
  if (mesh?.isInstancedMesh || mesh?.isBatchedMesh)
    throw new GrazeError(`${what} takes one mesh, not an ${mesh.isBatchedMesh ? "BatchedMesh" : "InstancedMesh"} of many`);
}

/** Of a part of a batch: the vertices that it has alone. */
function narrow({ positions, triangles }) {
  const least = triangles.reduce((x, y) => Math.min(x, y), Infinity), most = triangles.reduce((x, y) => Math.max(x, y), 0);
  if (!triangles.length) return { positions, triangles };
  return { positions: positions.subarray(3 * least, 3 * most + 3), triangles: triangles.map((vertex) => vertex - least) };
}

/** The model of the corners from `first` on, up to `end`. */
export function rangeDef(mesh, first = 0, end = Infinity) {
  const { geometry } = mesh ?? {};
  if (!geometry?.attributes?.position) throw new GrazeError("the mesh has no positions");
  const positions = gather(Float32Array, geometry.attributes.position, 3);
  const triangles = gatherTriangles(geometry, first, Math.min(end, cornerCount(geometry)));
  const rigid = { morphs: [], jointCount: 1 };
  if (mesh.isBatchedMesh) return { ...narrow({ positions, triangles }), ...rigid };
  if (mesh.isInstancedMesh) return { positions, triangles, ...rigid };
  const morphs = gatherMorphs(geometry, positions);
  return { positions, triangles, ...rigid, morphs, ...(mesh.isSkinnedMesh ? gatherSkin(mesh) : {}) };
}

/** What graze.model() takes, from a SkinnedMesh or a plain Mesh. Rest positions are those of the
 * geometry. Graze scales weights to sum 1 and three.js does not, which accelerate() and MeshBody see
 * to; whoever uses this alone calls normalizeSkinWeights(). */
export function meshDef(mesh) {
  refuseMany(mesh, "meshDef()");
  return rangeDef(mesh);
}

const WEIGHT_ERROR = 1e-4; // of a sum, as numbers of 16 bits have it

/** The definition with weights that act unscaled, and what joints must be multiplied by for that:
 * what a vertex lacks of the greatest sum goes to one more joint, which maps everything to zero. */
function keepSums(def) {
  const { weights, joints, jointCount } = def, count = weights.length / 4;
  const sums = Float64Array.from({ length: count }, (_, v) =>
    weights[4 * v] + weights[4 * v + 1] + weights[4 * v + 2] + weights[4 * v + 3]);
  if (sums.every((sum) => Math.abs(sum - 1) <= WEIGHT_ERROR)) return { def, scale: 1 };
  const scale = sums.reduce((most, sum) => Math.max(most, sum), 0);
  const wide = { weights: new Float32Array(5 * count), joints: new Uint32Array(5 * count) };
  for (let v = 0; v < count; v++) {
    wide.weights.set(weights.subarray(4 * v, 4 * v + 4), 5 * v);
    wide.joints.set(joints.subarray(4 * v, 4 * v + 4), 5 * v);
    wide.weights[5 * v + 4] = scale - sums[v];
    wide.joints[5 * v + 4] = jointCount;
  }
  return { def: { ...def, ...wide, jointCount: jointCount + 1, influences: 5 }, scale };
}

/** A definition whose answers are those of three.js, and the scale that MeshPose takes with it. */
export function exactDef(def, skinning) {
  return def.weights && skinning === "linear" ? keepSums(def) : { def, scale: 1 };
}

/** Whether what models are made from is as it was. three.js is told of changed numbers by
 * needsUpdate, which raises an attribute's version. */
export class Edition {
  #known = [];
  #at = 0;
  #same = true;

  #note(value) {
    if (this.#known[this.#at] !== value) {
      this.#known[this.#at] = value;
      this.#same = false;
    }
    this.#at++;
  }

  #noteAttribute(attribute) {
    const data = attribute?.isInterleavedBufferAttribute ? attribute.data : attribute;
    this.#note(attribute);
    this.#note(data?.array);
    this.#note(data?.version);
    this.#note(attribute?.count);
    this.#note(attribute?.itemSize);
    this.#note(attribute?.normalized);
    this.#note(attribute?.offset);
    this.#note(data?.stride);
  }

  /** Whether anything is other than at the last call. */
  changes(mesh) {
    const { index, attributes, morphAttributes, morphTargetsRelative } = mesh.geometry;
    this.#at = 0;
    this.#same = true;
    this.#note(mesh.geometry);
    this.#note(morphTargetsRelative);
    this.#noteAttribute(index);
    this.#noteAttribute(attributes.position);
    const morphs = morphAttributes.position;
    this.#note(morphs?.length);
    for (let i = 0; i < (morphs?.length ?? 0); i++) this.#noteAttribute(morphs[i]);
    if (mesh.isSkinnedMesh) {
      this.#noteAttribute(attributes.skinIndex);
      this.#noteAttribute(attributes.skinWeight);
      this.#note(mesh.skeleton?.bones.length);
      this.#note(mesh.skeleton?.boneInverses.length);
    }
    return !this.#same;
  }
}

/** The pose of a mesh, 16 floats a joint, in the mesh's own space, as three.js has it. What it was
 * made from is kept: most rays ask a pose that is known, and comparing is all they pay for it. */
export class MeshPose {
  #mesh;
  #scale;
  #bind = new Float64Array(32); // bindMatrix and its inverse
  #inverses; // the skeleton's
  #rest; // each times bindMatrix
  #bones;
  #half = new Float64Array(16);

  /** Of a mesh whose model is made from `def`, with the scale of exactDef(). */
  constructor(mesh, def, scale) {
    const count = mesh.isSkinnedMesh ? mesh.skeleton.bones.length : 0;
    this.#mesh = mesh;
    this.#scale = scale;
    this.#inverses = new Float64Array(16 * count);
    this.#rest = new Float64Array(16 * count);
    this.#bones = new Float64Array(16 * count);
    this.matrices = new Float32Array(16 * def.jointCount);
    this.weights = new Float32Array(def.morphs.length);
    this.version = 0; // another one for another pose
    if (!count) for (let i = 0; i < 16; i += 5) this.matrices[i] = 1;
  }

  /** Takes over how the mesh was bound; true if it is otherwise than at the last call. */
  #bound() {
    const { bindMatrix, bindMatrixInverse, skeleton } = this.#mesh, { boneInverses } = skeleton;
    let differs = replace16(this.#bind, 0, bindMatrix.elements);
    differs = replace16(this.#bind, 16, bindMatrixInverse.elements) || differs;
    for (let j = 0; j < boneInverses.length; j++)
      differs = replace16(this.#inverses, 16 * j, boneInverses[j].elements) || differs;
    if (differs)
      for (let at = 0; at < this.#rest.length; at += 16) multiply(this.#rest, at, this.#inverses, at, this.#bind, 0);
    return differs;
  }

  /** Takes over where the bones are; true if any is elsewhere. */
  #moved() {
    const { bones } = this.#mesh.skeleton;
    let differs = false;
    for (let j = 0; j < bones.length; j++)
      differs = replace16(this.#bones, 16 * j, bones[j].matrixWorld.elements) || differs;
    return differs;
  }

  /** The matrices of all joints. Of the way back from the bind pose only turning and scaling are
   * multiplied by the scale: it is gone once for a vertex, whatever its weights. */
  #pose() {
    const { matrices } = this, back = this.#bind, scale = this.#scale, bones = this.#bones;
    for (let at = 0; at < matrices.length; at += 16) {
      if (at < bones.length) multiply(this.#half, 0, bones, at, this.#rest, at);
      else this.#half.fill(0);
      for (let c = 0; c < 16; c += 4)
        for (let row = 0; row < 3; row++) {
          const turned = back[16 + row] * this.#half[c] + back[20 + row] * this.#half[c + 1] + back[24 + row] * this.#half[c + 2];
          matrices[at + c + row] = scale * turned + (c === 12 ? back[28 + row] : 0);
        }
      matrices[at + 15] = 1;
    }
  }

  /** Reads the skeleton and the morph influences; true if anything is other than at the last call. */
  update() {
    const { weights } = this, influences = this.#mesh.morphTargetInfluences;
    let differs = this.version === 0;
    if (this.#mesh.isSkinnedMesh) {
      const bound = this.#bound(), moved = this.#moved();
      if (bound || moved) this.#pose();
      differs ||= bound || moved;
    }
    for (let i = 0; i < weights.length; i++) {
      const weight = Math.fround(influences?.[i] ?? 0);
      differs ||= weight !== weights[i];
      weights[i] = weight;
    }
    if (differs) this.version++;
    return differs;
  }

  /** Poses a body of the model. */
  giveTo(body, placement) {
    body.setPose(this.matrices, { placement, morphWeights: this.weights.length ? this.weights : null });
  }
}

/** A body that follows a mesh of three.js: before every question it takes over what the skeleton,
 * the morph influences and the mesh's place are now, as three.js has their world matrices. */
export class MeshBody {
  #pose;
  #edition = new Edition();
  #placement = new Float64Array(16);
  #outdated = false;
  #posed = false;

  constructor(graze, mesh, { skinning = "linear", placed = true } = {}) {
    refuseMany(mesh, "MeshBody");
    const { def, scale } = exactDef(rangeDef(mesh), skinning);
    this.mesh = mesh;
    this.placed = placed;
    this.#edition.changes(mesh);
    this.#pose = new MeshPose(mesh, def, scale);
    this.model = graze.model({ ...def, skinning });
    this.body = this.model.body();
    this.pose();
    this.body.follow(() => this.pose());
  }

  /** Poses the body as the mesh is now, as every question does by itself. */
  pose() {
    this.#outdated ||= this.#edition.changes(this.mesh);
    if (this.#outdated) throw new GrazeError("the mesh has another geometry or skeleton than its MeshBody was made from");
    const moved = this.placed && replace16(this.#placement, 0, this.mesh.matrixWorld.elements);
    if (!this.#pose.update() && !moved && this.#posed) return;
    this.#posed = false; // until the body has it
    this.#pose.giveTo(this.body, this.placed ? this.#placement : null);
    this.#posed = true;
  }

  dispose() {
    this.body.dispose();
    this.model.dispose();
  }
}
