// three.js's own Raycaster, answered by Graze: the same fields, without skinning every vertex.
//
//   import { accelerate } from "graze/three";
//   const fast = accelerate(graze, skinnedMesh);   // raycaster.intersectObject(skinnedMesh) as ever
//   fast.dispose();                                // three.js's own way again
import { BackSide, FrontSide, Matrix4, Mesh, Vector2, Vector3 } from "three";

import { GrazeError } from "./memory.js";
import { Edition, MeshPose, cornerCount, exactDef, rangeDef } from "./three_mesh.js";

export { MeshBody, meshDef } from "./three_mesh.js";

const FAR_AWAY = 10; // radii of a mesh: beyond, the origin of a ray is moved nearer
const SLACK = 1 + 1e-5; // of a sphere, for rounding

/** A sphere about rest positions. */
function sphereOf(positions) {
  const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
  positions.forEach((x, i) => {
    least[i % 3] = Math.min(least[i % 3], x);
    most[i % 3] = Math.max(most[i % 3], x);
  });
  return { centre: least.map((x, k) => (x + most[k]) / 2), radius: Math.hypot(...least.map((x, k) => (most[k] - x) / 2)) };
}

/** The model and body of a mesh's corners from `first` on, up to `end`. */
class Shape {
  #posed = 0;

  constructor(graze, def, first, end) {
    this.first = first;
    this.end = end;
    this.sphere = sphereOf(def.positions);
    this.model = graze.model(def);
    this.body = this.model.body();
  }

  follow(pose) {
    if (this.#posed === pose.version) return;
    this.#posed = 0; // until the body has it
    pose.giveTo(this.body, null);
    this.#posed = pose.version;
  }

  dispose() {
    this.body.dispose();
    this.model.dispose();
  }
}

/** Ranges of corners that are drawn, with their material, as three.js draws them. */
function drawnRanges(mesh, count) {
  const { groups, drawRange } = mesh.geometry;
  const clip = (start, size) => [Math.max(start, drawRange.start, 0),
    Math.min(count, start + size, drawRange.start + drawRange.count)];
  if (!Array.isArray(mesh.material)) return [[...clip(0, Infinity), mesh.material, 0]];
  return groups.map((group) =>
    [...clip(group.start, group.count), mesh.material[group.materialIndex], group.materialIndex]);
}

/** The ray in the space of a matrix, its direction so long that t is the distance in the world from
 * `start` on, which is not 0 where the ray comes from far away; null if there is no such ray. */
function rayWithin({ origin: o, direction: d }, matrix, inverse, { centre, radius }) {
  const { elements: e } = inverse.copy(matrix).invert(), length = d.length();
  const origin = new Float64Array(3), direction = new Float64Array(3);
  let square = 0, away = 0, along = 0; // of the direction; to the centre, and along the direction
  for (let row = 0; row < 3; row++) {
    origin[row] = e[row] * o.x + e[4 + row] * o.y + e[8 + row] * o.z + e[12 + row];
    direction[row] = (e[row] * d.x + e[4 + row] * d.y + e[8 + row] * d.z) / length;
    const x = centre[row] - origin[row];
    square += direction[row] * direction[row];
    away += x * x;
    along += x * direction[row];
  }
  if (!(square > 0 && square < Infinity)) return null;
  const start = away > (FAR_AWAY * radius) ** 2 ? Math.max(0, along / square) : 0;
  if (start) for (let row = 0; row < 3; row++) origin[row] += start * direction[row];
  return { origin, direction, start };
}

/** Whether a ray of a unit direction passes a sphere that lies in the space of a matrix. */
function passes({ origin: o, direction: d }, { elements: e }, { centre: [x, y, z], radius }) {
  const column = (c) => e[c] * e[c] + e[c + 1] * e[c + 1] + e[c + 2] * e[c + 2];
  const away = [0, 1, 2].map((row) => e[row] * x + e[4 + row] * y + e[8 + row] * z + e[12 + row]);
  const [ax, ay, az] = [away[0] - o.x, away[1] - o.y, away[2] - o.z];
  const square = ax * ax + ay * ay + az * az, along = Math.max(0, ax * d.x + ay * d.y + az * d.z);
  const reach = radius * radius * (column(0) + column(4) + column(8)); // at least the longest column's
  return square - along * along <= reach * SLACK + 1e-9 * square;
}

/** A front face is one whose normal the ray meets head on; edges count as neither. */
function isSeen(material, normal, direction) {
  const along = normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2];
  if (along === 0) return false;
  return material.side === FrontSide ? along < 0 : material.side === BackSide ? along > 0 : true;
}

/** Hits of a shape that are drawn and seen, with their range, in the order of three.js. */
function seenHits(shape, ranges, hits, direction) {
  const found = [];
  for (const range of ranges)
    for (const hit of hits) {
      const at = shape.first + 3 * hit.triangle;
      if (at >= range[0] && at < range[1] && isSeen(range[2], hit.normal, direction)) found.push({ hit, at, materialIndex: range[3] });
    }
  return found;
}

/** What of a shape a ray meets, where it is drawn. */
function castShape(shape, ranges, { origin, direction, start }, { near, far, firstHitOnly }) {
  const { body } = shape, limits = { near: Math.max(near, 0) - start, far: far - start };
  const nearest = firstHitOnly ? body.raycast(origin, direction, limits) : null;
  if (firstHitOnly && !nearest) return [];
  // Mostly the nearest is one that is seen; what lies behind it need not be looked at then.
  const found = nearest ? seenHits(shape, ranges, [nearest], direction) : [];
  return found.length ? found : seenHits(shape, ranges, body.raycast(origin, direction, { ...limits, all: true }), direction);
}

function interpolate(attribute, { a, b, c }, { x, y, z }, target) {
  const corner = target.clone();
  target.fromBufferAttribute(attribute, a).multiplyScalar(x);
  target.addScaledVector(corner.fromBufferAttribute(attribute, b), y);
  return target.addScaledVector(corner.fromBufferAttribute(attribute, c), z);
}

/** What three.js tells of a hit. */
function intersection(mesh, matrix, ray, direction, { hit, at, materialIndex }) {
  const { index, attributes } = mesh.geometry;
  const corner = (k) => (index ? index.getX(at + k) : at + k);
  const [u, v] = hit.uv;
  const face = { a: corner(0), b: corner(1), c: corner(2), normal: new Vector3(...hit.normal), materialIndex };
  const barycoord = new Vector3(1 - u - v, u, v);
  const point = new Vector3(...hit.point).applyMatrix4(matrix);
  const found = { distance: ray.origin.distanceTo(point), point, object: mesh };
  for (const name of ["uv", "uv1"])
    if (attributes[name]) found[name] = interpolate(attributes[name], face, barycoord, new Vector2());
  if (attributes.normal) {
    found.normal = interpolate(attributes.normal, face, barycoord, new Vector3());
    const along = found.normal.x * direction[0] + found.normal.y * direction[1] + found.normal.z * direction[2];
    if (along > 0) found.normal.multiplyScalar(-1);
  }
  return Object.assign(found, { face, barycoord, faceIndex: Math.floor(at / 3) });
}

const METHODS = ["raycast", "_computeIntersections", "getVertexPosition", "applyBoneTransform"];

/** Refuses a mesh that three.js's own Raycaster asks otherwise than three.js does. */
function refuseForeign(mesh) {
  if (!mesh?.isMesh) throw new GrazeError("accelerate() takes a mesh of three.js");
  if (mesh.isBatchedMesh && !(Array.isArray(mesh._instanceInfo) && Array.isArray(mesh._geometryInfo)))
    throw new GrazeError("accelerate() does not know the BatchedMesh of this version of three.js");
  const kind = mesh.isSkinnedMesh || mesh.isInstancedMesh || mesh.isBatchedMesh;
  for (const name of METHODS) {
    let owner = mesh;
    while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
    if (owner && owner !== Mesh.prototype && !(kind && Object.getPrototypeOf(owner) === Mesh.prototype))
      throw new GrazeError(`the mesh has a ${name}() that is not that of three.js, or of another copy of it`);
  }
}

const accelerations = new WeakMap(); // by mesh

class Acceleration {
  #graze;
  #edition = new Edition();
  #shapes = new Map(); // by their first corner
  #pose = null;
  #inverse = new Matrix4();
  #matrix = new Matrix4();
  #asking = false;
  #raycastOfMesh = (raycaster, intersects) => this.#raycast(raycaster, intersects);

  constructor(graze, mesh) {
    this.mesh = mesh;
    this.#graze = graze;
    this.#refresh();
    if (!mesh.isBatchedMesh) this.#shape(0);
    mesh.raycast = this.#raycastOfMesh;
  }

  /** Of all triangles, in the mesh's space; null of a BatchedMesh, which has many. */
  get body() {
    if (this.mesh.isBatchedMesh) return null;
    this.#refresh();
    return this.#shape(0).body;
  }

  /** Lets go of what was made from what the mesh had then. */
  #forget() {
    for (const shape of this.#shapes.values()) shape.dispose();
    this.#shapes.clear();
    this.#pose = null;
  }

  /** Sees to what has changed since the last call. */
  #refresh() {
    if (this.#edition.changes(this.mesh)) this.#forget();
    this.#pose?.update();
  }

  /** The shape of the corners from `first` on, up to `end`. */
  #shape(first, end = cornerCount(this.mesh.geometry)) {
    const known = this.#shapes.get(first);
    if (known?.end === end) return known;
    known?.dispose();
    this.#shapes.delete(first);
    const { mesh } = this, { def, scale } = exactDef(rangeDef(mesh, first, end), "linear");
    const shape = new Shape(this.#graze, def, first, end);
    this.#shapes.set(first, shape);
    if (!mesh.isInstancedMesh && !mesh.isBatchedMesh) this.#pose ??= new MeshPose(mesh, def, scale);
    this.#pose?.update();
    shape.body.follow(() => this.#follow(shape)); // for whoever asks the body itself
    return shape;
  }

  #follow(shape) {
    if (!this.#asking) this.#refresh();
    if (this.#pose) shape.follow(this.#pose);
  }

  /** Calls back for each time that the mesh is drawn: matrix, ranges by shape, what to add to hits. */
  #eachDraw(call) {
    const { mesh } = this, { matrixWorld } = mesh;
    if (mesh.isBatchedMesh) return this.#eachOfBatch(call);
    const byShape = this.#byShape(drawnRanges(mesh, cornerCount(mesh.geometry)));
    if (!mesh.isInstancedMesh) return call(matrixWorld, byShape, null);
    for (let instanceId = 0; instanceId < mesh.count; instanceId++) {
      mesh.getMatrixAt(instanceId, this.#matrix);
      call(this.#matrix.premultiply(matrixWorld), byShape, { instanceId });
    }
  }

  #eachOfBatch(call) {
    const { mesh } = this;
    if (Array.isArray(mesh.material)) return; // there are no groups
    mesh._instanceInfo.forEach(({ visible, active, geometryIndex }, batchId) => {
      if (!visible || !active) return;
      const { start, count } = mesh._geometryInfo[geometryIndex];
      mesh.getMatrixAt(batchId, this.#matrix).premultiply(mesh.matrixWorld);
      const range = [start, Math.min(start + count, cornerCount(mesh.geometry)), mesh.material, 0];
      call(this.#matrix, this.#byShape([range]), { batchId });
    });
  }

  /** The shape that a range is of: its own in a batch, else one of three, by the corner at which
   * triangles begin. */
  #shapeOf([start, end, material, materialIndex]) {
    if (!material) throw new GrazeError(`the mesh has no material ${materialIndex}, which its geometry names`);
    if (!Number.isInteger(start)) throw new GrazeError(`the mesh is drawn from corner ${start} on, not a whole number`);
    return this.mesh.isBatchedMesh ? this.#shape(start, end) : this.#shape(start % 3);
  }

  /** Ranges that draw something, by shape. */
  #byShape(ranges) {
    const last = cornerCount(this.mesh.geometry) - 3; // where a triangle can begin
    const drawn = ranges.filter(([start, end]) => start < end && start <= last);
    if (drawn.length === 1) return [[this.#shapeOf(drawn[0]), drawn]];
    const found = new Map();
    for (const range of drawn) {
      const shape = this.#shapeOf(range);
      found.set(shape, [...(found.get(shape) ?? []), range]);
    }
    return [...found];
  }

  #castDraw(raycaster, matrix, byShape, more, intersects) {
    let found = [];
    for (const [shape, ranges] of byShape) {
      if (more && !passes(raycaster.ray, matrix, shape.sphere)) continue;
      const ray = rayWithin(raycaster.ray, matrix, this.#inverse, shape.sphere);
      if (!ray) continue;
      for (const one of castShape(shape, ranges, ray, raycaster))
        found.push({ distance: one.hit.t + ray.start, hit: intersection(this.mesh, matrix, raycaster.ray, ray.direction, one) });
    }
    if (raycaster.firstHitOnly && found.length > 1) found = [found.reduce((x, y) => (y.distance < x.distance ? y : x))];
    for (const { hit } of found) intersects.push(Object.assign(hit, more));
  }

  #raycast(raycaster, intersects) {
    const { near, far } = raycaster;
    if (this.mesh.material === undefined || !(near <= far) || near === Infinity) return;
    this.#refresh();
    this.#asking = true;
    try {
      this.#eachDraw((matrix, byShape, more) => this.#castDraw(raycaster, matrix, byShape, more, intersects));
    } finally {
      this.#asking = false;
    }
  }

  /** Gives the mesh its own raycast back. */
  dispose() {
    if (this.mesh.raycast === this.#raycastOfMesh) delete this.mesh.raycast;
    if (accelerations.get(this.mesh) === this) accelerations.delete(this.mesh);
    this.#forget();
  }
}

/** Makes three.js's Raycaster use Graze on a Mesh, SkinnedMesh, InstancedMesh or BatchedMesh, or
 * throws a GrazeError. Whatever of the mesh changes later counts at the next ray, as it does in
 * three.js; numbers of an attribute from when its needsUpdate is set. A second call replaces the first. */
export function accelerate(graze, mesh) {
  accelerations.get(mesh)?.dispose();
  refuseForeign(mesh);
  const acceleration = new Acceleration(graze, mesh);
  accelerations.set(mesh, acceleration);
  return acceleration;
}
