// Mesh instances of the scene, in the numbering that the command has: nodes depth first, primitives and
// triangles in file order, nothing welded. Mirrors adapters/gltf/meshes.c, skins.c and morphs.c.
import { Accessor, Buffers, readFloats, readIntegers } from "./buffers";
import { DecodedPrimitive } from "./decoders";
import { arrayOf, floatsOf, indexOf, indexValue, isObject, Json, objectOf, sizeOf } from "./json";
import { toRows } from "./nodes";
import { ModelError, Rig, RigMorph } from "./rig";

export interface Instance {
  node: number;
  mesh: number;
  skin: number; // -1: it moves with the node
  firstJoint: number;
  jointCount: number;
  firstMorph: number;
  morphCount: number;
}

interface Primitive {
  place: string;
  mode: number;
  attributes: Json;
  decoded: DecodedPrimitive | null;
  positions: Accessor;
  indices: Accessor | null;
  triangles: number;
  targets: unknown[];
  sets: number; // of joints and weights
  firstVertex: number;
}

export interface Tables {
  nodes: Json[];
  meshes: Json[];
  skins: Json[];
  decoded: Map<Json, DecodedPrimitive>;
}

/** Places that vertex and index numbers may take in all; more does not fit a browser. */
const MOST_TRIANGLES = 1_000_000;

class MeshReader {
  readonly instances: Instance[] = [];
  private readonly primitives = new Map<Instance, Primitive[]>();
  private jointCount = 0;
  private vertexCount = 0;
  private triangleCount = 0;
  private morphCount = 0;
  private influences = 1;
  private readonly skinUsers = new Map<number, Instance>();

  constructor(private readonly buffers: Buffers, private readonly tables: Tables, scene: number[]) {
    for (const node of scene) this.plan(node);
    if (this.triangleCount === 0) throw new ModelError("there are no triangles in the scene");
    if (this.triangleCount > MOST_TRIANGLES)
      throw new ModelError(
        `${this.triangleCount.toLocaleString("en")} triangles are more than this page takes (1,000,000); the command graze takes them`);
  }

  private plan(node: number): void {
    const json = this.tables.nodes[node], place = `nodes[${node}]`;
    const mesh = indexOf(json, "mesh", place, this.tables.meshes.length);
    const skin = indexOf(json, "skin", place, this.tables.skins.length);
    if (mesh < 0) return;
    const instance: Instance = { node, mesh, skin, firstJoint: 0, jointCount: 1, firstMorph: this.morphCount, morphCount: 0 };
    this.instances.push(instance);
    this.planJoints(instance);
    const list = arrayOf(this.tables.meshes[mesh], "primitives", `meshes[${mesh}]`);
    if (!list.length) throw new ModelError(`meshes[${mesh}]: no primitives`);
    this.primitives.set(instance, list.flatMap((item, i) => this.planPrimitive(instance, item, i) ?? []));
    this.morphCount += instance.morphCount;
  }

  private planJoints(instance: Instance): void {
    const user = this.skinUsers.get(instance.skin);
    if (user) {
      instance.firstJoint = user.firstJoint;
      instance.jointCount = user.jointCount;
      return;
    }
    instance.firstJoint = this.jointCount;
    if (instance.skin >= 0) {
      this.skinUsers.set(instance.skin, instance);
      const joints = arrayOf(this.tables.skins[instance.skin], "joints", `skins[${instance.skin}]`);
      if (!joints.length) throw new ModelError(`skins[${instance.skin}]: no joints`);
      instance.jointCount = joints.length;
    }
    this.jointCount += instance.jointCount;
  }

  private planPrimitive(instance: Instance, json: unknown, ordinal: number): Primitive | null {
    const place = `meshes[${instance.mesh}].primitives[${ordinal}]`;
    if (!isObject(json)) throw new ModelError(`${place}: not an object`);
    const mode = sizeOf(json, "mode", place, 4), targets = arrayOf(json, "targets", place);
    if (mode > 6) throw new ModelError(`${place}: unknown mode ${mode}`);
    if (ordinal === 0) instance.morphCount = targets.length;
    if (targets.length !== instance.morphCount)
      throw new ModelError(`${place}: has ${targets.length} morph targets, primitive 0 has ${instance.morphCount}`);
    if (mode < 4) return null;
    const attributes = objectOf(json, "attributes", place), decoded = this.tables.decoded.get(json) ?? null;
    const primitive: Primitive = { place, mode, attributes, decoded, targets, sets: 0, indices: null, triangles: 0,
      positions: this.attribute(attributes, decoded, "POSITION", "VEC3", place, true), firstVertex: this.vertexCount };
    const index = indexOf(json, "indices", place, this.buffers.accessors.length);
    if (decoded) primitive.indices = decoded.indices;
    else if (index >= 0) primitive.indices = this.buffers.open(index, "SCALAR", place, true);
    const corners = primitive.indices ? primitive.indices.count : primitive.positions.count;
    if (mode === 4 ? corners % 3 !== 0 : corners < 3)
      throw new ModelError(`${place}: ${corners} corners do not make triangles`);
    primitive.triangles = mode === 4 ? corners / 3 : corners - 2;
    if (instance.skin >= 0) primitive.sets = countSets(attributes, place);
    this.influences = Math.max(this.influences, 4 * primitive.sets);
    this.vertexCount += primitive.positions.count;
    this.triangleCount += primitive.triangles;
    return primitive;
  }

  private attribute(attributes: Json, decoded: DecodedPrimitive | null, name: string, type: string, place: string,
    filled: boolean): Accessor {
    const index = indexOf(attributes, name, place, this.buffers.accessors.length);
    if (index < 0) throw new ModelError(`${place}: no ${name}`);
    return decoded?.attributes[name] ?? this.buffers.open(index, type, place, filled);
  }

  fill(rig: Rig): void {
    rig.positions = new Float32Array(3 * this.vertexCount);
    rig.triangles = new Uint32Array(3 * this.triangleCount);
    rig.influences = this.influences;
    rig.joints = new Uint32Array(this.influences * this.vertexCount);
    rig.weights = new Float32Array(this.influences * this.vertexCount);
    rig.skinned = this.instances.some((instance) => instance.skin >= 0);
    this.readJoints(rig);
    let triangle = 0;
    for (const instance of this.instances) {
      for (const primitive of this.primitives.get(instance)!) {
        rig.positions.set(readFloats(primitive.positions), 3 * primitive.firstVertex);
        this.readTriangles(rig, primitive, triangle);
        this.readInfluences(rig, instance, primitive);
        triangle += primitive.triangles;
      }
      this.readMorphs(rig, instance);
    }
  }

  private readTriangles(rig: Rig, primitive: Primitive, first: number): void {
    const indices = primitive.indices ? readIntegers(primitive.indices) : null, count = primitive.positions.count;
    for (let t = 0, to = 3 * first; t < primitive.triangles; t++)
      for (let i = 0; i < 3; i++) {
        const corner = cornerOf(primitive.mode, t, i), vertex = indices ? indices[corner] : corner;
        if (vertex >= count)
          throw new ModelError(`accessors[${primitive.indices!.index}]: index ${corner} refers to vertex ${vertex} of ${count}`);
        rig.triangles[to++] = primitive.firstVertex + vertex;
      }
  }

  private readJoints(rig: Rig): void {
    rig.jointNodes = new Uint32Array(this.jointCount);
    rig.inverseBinds = new Float32Array(12 * this.jointCount);
    for (let j = 0; j < this.jointCount; j++) rig.inverseBinds.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * j);
    for (const instance of this.instances)
      if (instance.skin < 0) {
        rig.jointNodes[instance.firstJoint] = instance.node;
        rig.rigidJoints.add(instance.firstJoint);
      }
    for (const [skin, instance] of this.skinUsers) this.readSkin(rig, skin, instance);
  }

  private readSkin(rig: Rig, skin: number, instance: Instance): void {
    const json = this.tables.skins[skin], place = `skins[${skin}].inverseBindMatrices`;
    arrayOf(json, "joints", `skins[${skin}]`).forEach((item, i) => {
      rig.jointNodes[instance.firstJoint + i] = indexValue(item, `skins[${skin}].joints`, this.tables.nodes.length);
    });
    const index = indexOf(json, "inverseBindMatrices", place, this.buffers.accessors.length);
    if (index < 0) return;
    const accessor = this.buffers.open(index, "MAT4", place, true), count = instance.jointCount;
    if (accessor.count < count)
      throw new ModelError(`accessors[${index}]: ${accessor.count} matrices for the ${count} joints of skins[${skin}]`);
    const matrices = readFloats(accessor);
    for (let i = 0; i < count; i++) {
      const rows = toRows(matrices.subarray(16 * i, 16 * i + 16));
      if (!rows) throw new ModelError(`accessors[${index}]: the last row of matrix ${i} is not 0 0 0 1`);
      rig.inverseBinds.set(rows, 12 * (instance.firstJoint + i));
    }
  }

  private readInfluences(rig: Rig, instance: Instance, primitive: Primitive): void {
    const { influences } = rig, count = primitive.positions.count, first = primitive.firstVertex;
    if (instance.skin < 0) {
      for (let v = first; v < first + count; v++) {
        rig.joints[v * influences] = instance.firstJoint;
        rig.weights[v * influences] = 1;
      }
      return;
    }
    const used = new Uint32Array(count);
    for (let set = 0; set < primitive.sets; set++) {
      const joints = readIntegers(this.set(primitive, `JOINTS_${set}`));
      const weights = readFloats(this.set(primitive, `WEIGHTS_${set}`));
      for (let i = 0; i < weights.length; i++) {
        if (weights[i] === 0) continue;
        if (joints[i] >= instance.jointCount)
          throw new ModelError(
            `meshes[${instance.mesh}]: a vertex refers to joint ${joints[i]} of the ${instance.jointCount} in skins[${instance.skin}]`);
        const at = (first + (i >> 2)) * influences + used[i >> 2]++;
        rig.joints[at] = instance.firstJoint + joints[i];
        rig.weights[at] = weights[i];
      }
    }
  }

  private set(primitive: Primitive, name: string): Accessor {
    const accessor = this.attribute(primitive.attributes, primitive.decoded, name, "VEC4", primitive.place, false);
    if (accessor.count !== primitive.positions.count)
      throw new ModelError(`${primitive.place}: ${accessor.count} ${name} for ${primitive.positions.count} vertices`);
    return accessor;
  }

  private readMorphs(rig: Rig, instance: Instance): void {
    if (!instance.morphCount) return;
    const node = this.tables.nodes[instance.node], mesh = this.tables.meshes[instance.mesh];
    const weights = floatsOf(node, "weights", `nodes[${instance.node}]`, instance.morphCount) ??
      floatsOf(mesh, "weights", `meshes[${instance.mesh}]`, instance.morphCount);
    for (let m = 0; m < instance.morphCount; m++) {
      const vertices: number[] = [], deltas: number[] = [];
      for (const primitive of this.primitives.get(instance)!) this.gather(primitive, m, vertices, deltas);
      const morph: RigMorph = { vertices: Uint32Array.from(vertices), deltas: Float32Array.from(deltas),
        weight: weights ? weights[m] : 0 };
      rig.morphs.push(morph);
    }
  }

  private gather(primitive: Primitive, m: number, vertices: number[], deltas: number[]): void {
    const target = primitive.targets[m], { place } = primitive;
    if (!isObject(target)) throw new ModelError(`${place}: a target is not an object`);
    const index = indexOf(target, "POSITION", place, this.buffers.accessors.length);
    if (index < 0) return;
    const accessor = this.buffers.open(index, "VEC3", place);
    if (accessor.count !== primitive.positions.count)
      throw new ModelError(
        `accessors[${index}]: ${accessor.count} displacements for the ${primitive.positions.count} vertices of ${place}`);
    const values = readFloats(accessor);
    for (let v = 0; v < accessor.count; v++) {
      const [x, y, z] = [values[3 * v], values[3 * v + 1], values[3 * v + 2]];
      if (x === 0 && y === 0 && z === 0) continue;
      vertices.push(primitive.firstVertex + v);
      deltas.push(x, y, z);
    }
  }
}

/** Corner i of a triangle of a list, strip or fan as a place among its indices. */
function cornerOf(mode: number, triangle: number, i: number): number {
  if (mode === 4) return triangle * 3 + i;
  if (mode === 5) return i === 0 ? triangle : triangle + (i === 1 ? 1 + (triangle % 2) : 2 - (triangle % 2));
  return i === 2 ? 0 : triangle + 1 + i;
}

function countSets(attributes: Json, place: string): number {
  const names = Object.keys(attributes), joints = names.filter((name) => name.startsWith("JOINTS_")).length;
  const weights = names.filter((name) => name.startsWith("WEIGHTS_")).length;
  if (joints === 0 || joints !== weights)
    throw new ModelError(`${place}: has ${joints} JOINTS and ${weights} WEIGHTS under a skin`);
  return joints;
}

/** Fills positions, triangles, influences, joints and morphs; the instances are for animations. */
export function readMeshes(buffers: Buffers, tables: Tables, scene: number[], rig: Rig): Instance[] {
  const reader = new MeshReader(buffers, tables, scene);
  reader.fill(rig);
  return reader.instances;
}
