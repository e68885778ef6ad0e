// three.js's own Raycaster on skinned meshes, answered by Graze: the same fields, without skinning
// every vertex.
//
//   import { accelerate } from "graze/three";
//   const fast = accelerate(graze, skinnedMesh);   // raycaster.intersectObject(skinnedMesh) as ever
//   fast.dispose();                                // three.js's own way again
import { BackSide, FrontSide, Matrix4, Vector2, Vector3 } from "three";

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

function copy16(array, at, values) {
  for (let i = 0; i < 16; i++) array[at + i] = values[i];
}

/** An attribute's numbers, items of the given size one behind the other, as Type. */
function gather(Type, attribute, size) {
  const plain = !attribute.isInterleavedBufferAttribute && !attribute.normalized;
  if (plain && attribute.itemSize === size && attribute.array instanceof Type) return attribute.array;
  const values = new Type(attribute.count * size);
  for (let i = 0; i < attribute.count; i++)
    for (let k = 0; k < size; k++) values[i * size + k] = attribute.getComponent(i, k);
  return values;
}

function gatherMorphs(geometry, base) {
  return (geometry.morphAttributes.position ?? []).map((attribute) => {
    const values = gather(Float32Array, attribute, 3);
    return geometry.morphTargetsRelative ? values : values.map((value, i) => value - base[i]);
  });
}

/** What graze.model() takes, from a SkinnedMesh or a plain Mesh. Rest positions are those of the
 * geometry; three.js does not scale weights to sum 1, Graze does: call normalizeSkinWeights() on
 * meshes whose weights do not. */
export function meshDef(mesh) {
  const { geometry } = mesh ?? {};
  if (!geometry?.attributes?.position) throw new GrazeError("the mesh has no positions");
  const positions = gather(Float32Array, geometry.attributes.position, 3);
  const triangles = geometry.index
    ? gather(Uint32Array, geometry.index, 1)
    : Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  const def = { positions, triangles: triangles.subarray(0, triangles.length - (triangles.length % 3)) };
  def.morphs = gatherMorphs(geometry, positions);
  if (!mesh.isSkinnedMesh) return { ...def, jointCount: 1 };
  const { skinIndex, skinWeight } = geometry.attributes;
  if (!skinIndex || !skinWeight) throw new GrazeError("the skinned mesh has no skinIndex or skinWeight");
  return {
    ...def,
    jointCount: mesh.skeleton.bones.length,
    joints: gather(Uint32Array, skinIndex, 4),
    weights: gather(Float32Array, skinWeight, 4),
    influences: 4,
  };
}

/** Whether the 16 numbers at a place of an array are others than these. */
function differ(array, at, values) {
  for (let i = 0; i < 16; i++) if (array[at + i] !== values[i]) return true;
  return false;
}

/** The pose of a mesh, 16 floats a joint, in the mesh's own space, as three.js has it. What it was
 * made from is kept: most rays ask a pose that is known, and comparing is all they pay for it. */
class MeshPose {
  #bind = new Float64Array(32); // bindMatrix and its inverse
  #inverses = []; // the skeleton's, which three.js makes anew where they change
  #rest; // each times bindMatrix
  #bones;
  #half = new Float64Array(16);
  #fresh = true;

  constructor(mesh) {
    const count = mesh.isSkinnedMesh ? mesh.skeleton.bones.length : 1;
    this.mesh = mesh;
    this.matrices = new Float32Array(16 * count);
    this.#rest = new Float64Array(16 * count);
    this.#bones = new Float64Array(16 * count);
    this.weights = new Float32Array(mesh.geometry.morphAttributes.position?.length ?? 0);
    if (!mesh.isSkinnedMesh) for (let i = 0; i < 16; i += 5) this.matrices[i] = 1;
  }

  /** Takes over how the mesh was bound; true if it is otherwise than at the last call. */
  #bound() {
    const { bindMatrix, bindMatrixInverse, skeleton } = this.mesh, { boneInverses } = skeleton;
    let differs = differ(this.#bind, 0, bindMatrix.elements) || differ(this.#bind, 16, bindMatrixInverse.elements);
    for (let j = 0; j < boneInverses.length && !differs; j++) differs = boneInverses[j] !== this.#inverses[j];
    if (!differs) return false;
    copy16(this.#bind, 0, bindMatrix.elements);
    copy16(this.#bind, 16, bindMatrixInverse.elements);
    this.#inverses = [...boneInverses];
    boneInverses.forEach(({ elements }, j) => multiply(this.#rest, 16 * j, Float64Array.from(elements), 0, this.#bind, 0));
    return true;
  }

  /** Takes over where the bones are; true if any is elsewhere. */
  #moved() {
    const { bones } = this.mesh.skeleton, known = this.#bones;
    let j = 0;
    while (j < bones.length && !differ(known, 16 * j, bones[j].matrixWorld.elements)) j++;
    if (j === bones.length) return false;
    for (; j < bones.length; j++) copy16(known, 16 * j, bones[j].matrixWorld.elements);
    return true;
  }

  #pose() {
    for (let at = 0; at < this.matrices.length; at += 16) {
      multiply(this.#half, 0, this.#bones, at, this.#rest, at);
      multiply(this.matrices, at, this.#bind, 16, this.#half, 0);
    }
  }

  /** Reads the skeleton and the morph influences; true if anything is other than at the last call. */
  update() {
    const { mesh, weights } = this;
    let differs = this.#fresh;
    this.#fresh = false;
    if (mesh.isSkinnedMesh) {
      const bound = this.#bound(), moved = this.#moved();
      if (bound || moved) this.#pose();
      differs ||= bound || moved;
    }
    for (let i = 0; i < weights.length; i++) {
      const weight = Math.fround(mesh.morphTargetInfluences?.[i] ?? 0);
      differs ||= weight !== weights[i];
      weights[i] = weight;
    }
    return differs;
  }
}

/** A body that follows a mesh of three.js: pose() takes over what its skeleton and morph influences
 * are now (three.js must have updated their world matrices), placed as the mesh is. */
export class MeshBody {
  #pose;

  constructor(graze, mesh, { skinning = "linear", placed = true } = {}) {
    this.mesh = mesh;
    this.model = graze.model({ ...meshDef(mesh), skinning });
    this.body = this.model.body();
    this.placed = placed;
    this.#pose = new MeshPose(mesh);
    this.pose();
  }

  pose() {
    const { matrices, weights } = this.#pose;
    if (!this.#pose.update() && !this.placed) return;
    this.body.setPose(matrices, {
      placement: this.placed ? this.mesh.matrixWorld.elements : null,
      morphWeights: weights.length ? weights : null,
    });
  }

  dispose() {
    this.body.dispose();
    this.model.dispose();
  }
}

/** Ranges of indices that are drawn, with their material, as three.js draws them. */
function drawnRanges(mesh, count) {
  const { groups, drawRange } = mesh.geometry;
  const clip = (start, size) => [Math.max(start, drawRange.start, 0),
    Math.min(count, start + size, drawRange.start + drawRange.count)];
  if (!Array.isArray(mesh.material)) return [[...clip(0, Infinity), mesh.material, 0]];
  return groups.map((group) =>
    [...clip(group.start, group.count), mesh.material[group.materialIndex], group.materialIndex]);
}

function interpolate(attribute, face, barycoord, target) {
  const weights = [barycoord.x, barycoord.y, barycoord.z], corners = [face.a, face.b, face.c];
  for (let k = 0; k < attribute.itemSize; k++) {
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += attribute.getComponent(corners[i], k) * weights[i];
    target.setComponent(k, sum);
  }
  return target;
}

class Acceleration {
  #body;
  #inverse = new Matrix4();
  #local = { origin: new Float32Array(3), direction: new Float32Array(3) };

  constructor(graze, mesh) {
    if (!mesh?.isMesh) throw new GrazeError("accelerate() takes a mesh of three.js");
    this.mesh = mesh;
    this.#body = new MeshBody(graze, mesh, { placed: false });
    mesh.raycast = (raycaster, intersects) => this.#raycast(raycaster, intersects);
  }

  get body() {
    return this.#body.body;
  }

  /** The ray in the mesh's space, its direction as long as makes t the distance in the world. */
  #rayInMesh(ray) {
    const inverse = this.#inverse.copy(this.mesh.matrixWorld).invert().elements;
    const { origin: o, direction: d } = ray;
    for (let row = 0; row < 3; row++) {
      const [x, y, z, w] = [inverse[row], inverse[4 + row], inverse[8 + row], inverse[12 + row]];
      this.#local.origin[row] = x * o.x + y * o.y + z * o.z + w;
      this.#local.direction[row] = x * d.x + y * d.y + z * d.z;
    }
    return this.#local;
  }

  #raycast(raycaster, intersects) {
    const { mesh } = this, { body } = this.#body;
    if (mesh.material === undefined) return;
    this.#body.pose();
    const { origin, direction } = this.#rayInMesh(raycaster.ray);
    const { near, far, firstHitOnly } = raycaster;
    const nearest = firstHitOnly ? body.raycast(origin, direction, { near, far }) : null;
    if (firstHitOnly && !nearest) return;
    const { index, attributes } = mesh.geometry;
    const ranges = drawnRanges(mesh, index ? index.count : attributes.position.count);
    // Mostly the nearest is one that is seen; what lies behind it need not be looked at then.
    let found = nearest ? seenHits(ranges, [nearest], direction) : [];
    if (!found.length)
      found = seenHits(ranges, body.raycast(origin, direction, { near, far, all: true }), direction);
    if (firstHitOnly && found.length > 1) found = [found.reduce((x, y) => (y.hit.t < x.hit.t ? y : x))];
    for (const { hit, materialIndex } of found)
      intersects.push(this.#intersection(raycaster.ray, hit, materialIndex, direction));
  }

  #intersection(ray, hit, materialIndex, direction) {
    const { index, attributes } = this.mesh.geometry;
    const corner = (k) => (index ? index.getX(3 * hit.triangle + k) : 3 * hit.triangle + k);
    const [u, v] = hit.uv;
    const face = { a: corner(0), b: corner(1), c: corner(2), normal: new Vector3(...hit.normal), materialIndex };
    const barycoord = new Vector3(1 - u - v, u, v);
    const point = new Vector3(...hit.point).applyMatrix4(this.mesh.matrixWorld);
    const found = { distance: ray.origin.distanceTo(point), point, object: this.mesh };
    for (const name of ["uv", "uv1"])
      if (attributes[name]) found[name] = interpolate(attributes[name], face, barycoord, new Vector2());
    if (attributes.normal) {
      found.normal = interpolate(attributes.normal, face, barycoord, new Vector3());
      const along = found.normal.x * direction[0] + found.normal.y * direction[1] + found.normal.z * direction[2];
      if (along > 0) found.normal.multiplyScalar(-1);
    }
    return Object.assign(found, { face, barycoord, faceIndex: hit.triangle });
  }

  /** Gives the mesh its own raycast back. */
  dispose() {
    delete this.mesh.raycast;
    this.#body.dispose();
  }
}

/** A front face is one whose normal the ray meets head on; edges count as neither. */
function isSeen(material, normal, direction) {
  const along = normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2];
  if (along === 0 || !material) return false;
  return material.side === FrontSide ? along < 0 : material.side === BackSide ? along > 0 : true;
}

/** Hits that are drawn and seen, with their material's number, in the order of three.js. */
function seenHits(ranges, hits, direction) {
  const found = [];
  for (const [start, end, material, materialIndex] of ranges)
    for (const hit of hits) {
      const at = 3 * hit.triangle;
      if (at >= start && at < end && isSeen(material, hit.normal, direction)) found.push({ hit, materialIndex });
    }
  return found;
}

/** Makes three.js's Raycaster use Graze on this mesh, skinned or not. Changes of geometry need a
 * new call; poses, morph influences, materials and groups may change freely. */
export function accelerate(graze, mesh) {
  return new Acceleration(graze, mesh);
}
