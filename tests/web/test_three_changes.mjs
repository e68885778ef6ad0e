// accelerate() and MeshBody on meshes that change between questions: whatever is changed, the hits
// are those of three.js's own raycast with its bounds made anew, or a GrazeError is thrown.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BackSide, BatchedMesh, Bone, BoxGeometry, CylinderGeometry, DoubleSide,
  Float16BufferAttribute, Float32BufferAttribute, FrontSide, InstancedMesh, InterleavedBuffer,
  InterleavedBufferAttribute, Matrix4, Mesh, MeshBasicMaterial, Quaternion, Raycaster, Skeleton, SkinnedMesh, Sphere,
  SphereGeometry, Uint16BufferAttribute, Vector3,
} from "three";

import { GrazeError, createGraze } from "graze";
import { MeshBody, accelerate, meshDef } from "graze/three";

const graze = await createGraze();
const SIDES = [FrontSide, BackSide, DoubleSide];

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const below = (count) => Math.floor(random() * count);
const between = (low, high) => low + random() * (high - low);
const point = (size) => new Vector3(between(-size, size), between(-size, size), between(-size, size));
const turn = () => new Quaternion(...point(1).toArray(), between(-1, 1)).normalize();
const place = () => new Matrix4().compose(point(2), turn(), new Vector3().setScalar(between(0.3, 1.2)));
const material = () => new MeshBasicMaterial({ side: SIDES[below(3)] });

/** What three.js itself says, its bounds such that they leave nothing out. */
function ownHits(mesh, raycaster) {
  const everywhere = () => new Sphere(new Vector3(), Infinity);
  Object.assign(mesh.geometry, { boundingBox: null, boundingSphere: everywhere() });
  if (mesh.isSkinnedMesh || mesh.isInstancedMesh || mesh.isBatchedMesh)
    Object.assign(mesh, { boundingBox: null, boundingSphere: everywhere() });
  mesh._geometryInfo?.forEach((info) => Object.assign(info, { boundingBox: null, boundingSphere: everywhere() }));
  const hits = [];
  Object.getPrototypeOf(mesh).raycast.call(mesh, raycaster, hits);
  return hits.sort((a, b) => a.distance - b.distance);
}

const nameOf = ({ instanceId, batchId, faceIndex, face }) =>
  `${instanceId ?? ""} ${batchId ?? ""} ${faceIndex} ${face.a} ${face.b} ${face.c} ${face.materialIndex}`;
const isClear = ({ barycoord: { x, y, z }, distance }, { near, far }) =>
  Math.min(x, y, z) > 1e-3 && Math.abs(distance - near) > 1e-3 && Math.abs(distance - far) > 1e-3;

/** Compares hits one by one; those at an edge, or seen edge on, may differ. Returns how many there are. */
function compare(mesh, raycaster, note) {
  const byName = (hits) => Map.groupBy ? Map.groupBy(hits, nameOf) : hits.reduce((map, hit) =>
    map.set(nameOf(hit), [...(map.get(nameOf(hit)) ?? []), hit]), new Map());
  const ours = raycaster.intersectObject(mesh, false), theirs = ownHits(mesh, raycaster);
  const own = byName(ours), known = byName(theirs);
  for (const hit of [...ours, ...theirs]) {
    const name = nameOf(hit), [a, b] = [own.get(name), known.get(name)];
    if (a?.length !== b?.length) {
      assert.ok(!isClear(hit, raycaster), `${note}: ${name} ${a ? "is too many" : "is missing"}`);
      continue;
    }
    assert.equal(a[0].object, mesh);
    assert.ok(Math.abs(a[0].distance - b[0].distance) < 1e-4 * (1 + b[0].distance), `${note}: ${name} ${a[0].distance} ${b[0].distance}`);
    assert.ok(a[0].point.distanceTo(b[0].point) < 1e-3, `${note}: ${name}`);
    for (const key of ["uv", "normal"]) assert.equal(key in a[0], key in b[0], `${note}: ${key}`);
    if (a[0].uv && isClear(hit, raycaster)) assert.ok(a[0].uv.distanceTo(b[0].uv) < 0.02, `${note}: uv`);
  }
  return theirs.length;
}

/** A ray at one of the places that the mesh has vertices at. */
function rayAt(mesh) {
  const target = new Vector3(), { position } = mesh.geometry.attributes, vertex = below(position.count);
  const matrix = mesh.matrixWorld.clone();
  if (mesh.isInstancedMesh || mesh.isBatchedMesh) {
    const local = new Matrix4();
    try {
      mesh.getMatrixAt(below(mesh.isInstancedMesh ? mesh.count : mesh._instanceInfo.length), local);
    } catch { /* that one is gone */ }
    matrix.multiply(local);
    target.fromBufferAttribute(position, vertex);
  } else mesh.getVertexPosition(vertex, target);
  target.applyMatrix4(matrix).add(point(0.1));
  const origin = point(6).add(target), raycaster = new Raycaster(origin, target.sub(origin).normalize());
  if (!below(4)) raycaster.near = between(-1, 5);
  if (!below(4)) raycaster.far = between(3, 15);
  return raycaster;
}

const shifted = (attribute) => {
  for (let i = 0; i < attribute.count; i++) attribute.setX(i, attribute.getX(i) + between(-0.1, 0.1));
  attribute.needsUpdate = true;
};

function interleaved(attribute) {
  const buffer = new InterleavedBuffer(new Float32Array(5 * attribute.count), 5);
  const made = new InterleavedBufferAttribute(buffer, 3, 1);
  for (let i = 0; i < attribute.count; i++) made.setXYZ(i, attribute.getX(i), attribute.getY(i), attribute.getZ(i));
  return made;
}

function halves(attribute) {
  const made = new Float16BufferAttribute(new Uint16Array(3 * attribute.count), 3);
  for (let i = 0; i < attribute.count; i++) made.setXYZ(i, attribute.getX(i), attribute.getY(i), attribute.getZ(i));
  return made;
}

/** Where something is drawn: three.js cannot have a triangle that the corners' end cuts off. */
function span({ geometry }, step) {
  const count = geometry.index?.count ?? geometry.attributes.position.count, start = step * below(300 / step);
  return [start, step * below((count - start - 2) / step)];
}

function addGroups(mesh, step) {
  mesh.geometry.clearGroups();
  for (let i = below(4); i >= 0; i--) mesh.geometry.addGroup(...span(mesh, step), below(2));
  mesh.material = [material(), material()];
}

/** What may happen to any mesh that has one place and one geometry. */
const CHANGES = {
  "moves": (mesh) => { mesh.position.copy(point(3)); },
  "turns": (mesh) => { mesh.quaternion.copy(turn()); },
  "is scaled": (mesh) => { mesh.scale.set(between(-2, 2), between(0.2, 2), between(0.2, 2)); },
  "has another material": (mesh) => { mesh.material = material(); },
  "changes the side of its material": (mesh) => [mesh.material].flat().forEach((one) => { one.side = SIDES[below(3)]; }),
  "has groups": (mesh) => addGroups(mesh, 3),
  "has groups that begin anywhere": (mesh) => addGroups(mesh, 1),
  "draws a range": (mesh) => mesh.geometry.setDrawRange(...span(mesh, 3)),
  "draws a range that begins anywhere": (mesh) => mesh.geometry.setDrawRange(...span(mesh, 1)),
  "draws all": (mesh) => {
    mesh.geometry.setDrawRange(0, Infinity);
    mesh.material = material();
  },
  "has other positions": ({ geometry }) => shifted(geometry.attributes.position),
  "has new positions": ({ geometry }) => {
    if (!geometry.attributes.position.isInterleavedBufferAttribute)
      geometry.setAttribute("position", geometry.attributes.position.clone());
    shifted(geometry.attributes.position);
  },
  "has an array for its positions": ({ geometry: { attributes: { position } } }) => {
    if (position.isInterleavedBufferAttribute) return;
    position.array = position.array.slice().reverse();
  },
  "has interleaved positions": ({ geometry }) =>
    geometry.setAttribute("position", interleaved(geometry.attributes.position)),
  "has positions of half precision": ({ geometry }) => geometry.setAttribute("position", halves(geometry.attributes.position)),
  "has other triangles": ({ geometry: { index } }) => {
    if (!index) return;
    for (let i = 0; i < 30; i++) index.setX(below(index.count), index.getX(below(index.count)));
    index.needsUpdate = true;
  },
  "has no indices": (mesh) => { // of half floats three.js makes whole ones
    if (mesh.geometry.index && !(mesh.geometry.attributes.position instanceof Float16BufferAttribute))
      mesh.geometry = mesh.geometry.toNonIndexed();
  },
};

/** What is the case for skinned and morphed ones only. */
const MORPHED = {
  "is flat": (mesh) => { mesh.scale.z = below(2); },
  "changes its face": (mesh) => { mesh.morphTargetInfluences = [between(-1, 1), below(2) * random()]; },
  "has no influences": (mesh) => { mesh.morphTargetInfluences = undefined; },
  "has other morph targets": ({ geometry }) => shifted(geometry.morphAttributes.position[below(2)]),
  "has absolute morph targets": ({ geometry }) => { geometry.morphTargetsRelative = !geometry.morphTargetsRelative; },
};

const SKINNED = {
  "bends": (mesh) => mesh.skeleton.bones.forEach((bone) => bone.quaternion.slerp(turn(), 0.3)),
  "stretches": (mesh) => mesh.skeleton.bones[below(3)].scale.set(between(0, 2), between(0.5, 2), below(4) ? 1 : 0),
  "is bound anew": (mesh) => mesh.bind(mesh.skeleton, place()),
  "has its bindMatrix changed in place": (mesh) => {
    mesh.bindMatrix.elements[12] += 0.3;
    mesh.bindMatrixInverse.copy(mesh.bindMatrix).invert();
  },
  "has a bone's inverse changed in place": (mesh) => { mesh.skeleton.boneInverses[below(3)].elements[13] += between(-0.3, 0.3); },
  "has another skeleton": (mesh) => {
    const bones = [0, 1, 2, 3].slice(0, 3 + below(2)).map(() => new Bone());
    bones.forEach((bone) => { bone.position.copy(point(0.5)); mesh.add(bone); });
    mesh.updateMatrixWorld(true);
    mesh.bind(new Skeleton(bones), mesh.bindMatrix);
    bones.forEach((bone) => bone.position.copy(point(0.5)));
  },
  "follows other bones": ({ geometry: { attributes: { skinIndex } } }) => {
    for (let i = 0; i < 20; i++) skinIndex.setY(below(skinIndex.count), below(3));
    skinIndex.needsUpdate = true;
  },
  "has other weights": ({ geometry: { attributes: { skinWeight } } }) => {
    for (let i = 0; i < skinWeight.count; i++) skinWeight.setXY(i, random(), random());
    skinWeight.needsUpdate = true;
  },
  "has weights that sum to 1": (mesh) => { mesh.normalizeSkinWeights(); mesh.geometry.attributes.skinWeight.needsUpdate = true; },
};

const INSTANCED = {
  "moves some": (mesh) => { for (let i = 0; i < 5; i++) mesh.setMatrixAt(below(mesh.instanceMatrix.count), place()); },
  "shows another number": (mesh) => { mesh.count = below(mesh.instanceMatrix.count + 1); },
  "has one without extent": (mesh) => mesh.setMatrixAt(below(mesh.instanceMatrix.count), new Matrix4().makeScale(0, 1, 1)),
  "has other instances": (mesh) => {
    mesh.instanceMatrix = mesh.instanceMatrix.clone();
    mesh.count = mesh.instanceMatrix.count;
  },
};

const each = (mesh, call) => {
  const ids = mesh._instanceInfo.map((_, i) => i).filter((i) => mesh._instanceInfo[i].active);
  if (ids.length) call(ids[below(ids.length)]);
};
const BATCHED = {
  "moves some": (mesh) => { for (let i = 0; i < 5; i++) each(mesh, (id) => mesh.setMatrixAt(id, place())); },
  "hides one": (mesh) => each(mesh, (id) => mesh.setVisibleAt(id, false)),
  "shows one": (mesh) => each(mesh, (id) => mesh.setVisibleAt(id, true)),
  "has one of another geometry": (mesh) => each(mesh, (id) => mesh.setGeometryIdAt(id, below(3))),
  "loses one": (mesh) => each(mesh, (id) => { if (mesh.instanceCount > 4) mesh.deleteInstance(id); }),
  "gains one": (mesh) => { if (mesh.instanceCount < 20) mesh.setMatrixAt(mesh.addInstance(below(3)), place()); },
  "has a geometry replaced": (mesh) => mesh.setGeometryAt(below(3), mesh.geometry.index ? new BoxGeometry(1, between(0.2, 2), 1)
    : new BoxGeometry(1, 2, between(0.2, 2)).toNonIndexed()),
  "is packed": (mesh) => mesh.optimize(),
  "has other positions": CHANGES["has other positions"],
  "moves": CHANGES.moves, "turns": CHANGES.turns, "is scaled": CHANGES["is scaled"],
  "has another material": CHANGES["has another material"],
  "has two materials": (mesh) => { mesh.material = [material(), material()]; },
};

function tube() {
  const geometry = new CylinderGeometry(0.4, 0.3, 2, 9, 8);
  const { position } = geometry.attributes, blend = [], bones = [];
  for (let i = 0; i < position.count; i++) {
    const share = (position.getY(i) + 1) / 2;
    blend.push(1 - share, share, 0, 0);
    bones.push(0, 1 + below(2), 77, 0); // no weight goes to 77
  }
  geometry.setAttribute("skinWeight", new Float32BufferAttribute(blend, 4));
  geometry.setAttribute("skinIndex", new Uint16BufferAttribute(bones, 4));
  geometry.morphAttributes.position = [0, 1].map(() => position.clone());
  geometry.morphAttributes.position.forEach(shifted);
  geometry.morphTargetsRelative = true;
  return geometry;
}

function skinned() {
  const mesh = new SkinnedMesh(tube(), material()), bones = [new Bone(), new Bone(), new Bone()];
  bones[0].add(bones[1]);
  bones[1].add(bones[2]);
  bones[1].position.y = 0.5;
  mesh.add(bones[0]);
  mesh.bind(new Skeleton(bones));
  return mesh;
}

function instanced() {
  const mesh = new InstancedMesh(new SphereGeometry(0.5, 8, 6), material(), 12);
  for (let i = 0; i < 12; i++) mesh.setMatrixAt(i, place());
  return mesh;
}

function batched(indexed) {
  const kinds = [new BoxGeometry(), new SphereGeometry(0.5, 7, 5), new CylinderGeometry(0.3, 0.5, 1, 7)];
  const mesh = new BatchedMesh(20, 2000, 4000, material());
  for (const kind of kinds) mesh.addGeometry(indexed ? kind : kind.toNonIndexed(), 301, 601);
  for (let i = 0; i < 12; i++) mesh.setMatrixAt(mesh.addInstance(i % 3), place());
  return mesh;
}

const SUBJECTS = {
  "a mesh": [() => new Mesh(tube(), material()), { ...CHANGES, ...MORPHED }],
  "a skinned mesh": [skinned, { ...CHANGES, ...MORPHED, ...SKINNED }],
  "an InstancedMesh": [instanced, { ...CHANGES, ...INSTANCED }],
  "a BatchedMesh": [() => batched(true), BATCHED],
  "a BatchedMesh without indices": [() => batched(false), BATCHED],
};

for (const [name, [make, changes]] of Object.entries(SUBJECTS))
  test(`${name} that changes at random`, () => {
    let hits = 0, rays = 0;
    const kinds = Object.keys(changes);
    for (let round = 0; round < 60; round++) {
      const mesh = make(), story = [`${name} ${round}`], fast = accelerate(graze, mesh);
      for (let step = 0; step < 8; step++) {
        const kind = kinds[(round + below(kinds.length)) % kinds.length];
        story.push(kind);
        changes[kind](mesh);
        if (below(5)) mesh.updateMatrixWorld(true);
        for (let ray = 0; ray < 6; ray++, rays++) hits += compare(mesh, rayAt(mesh), story.join(", "));
      }
      fast.dispose();
      assert.ok(!Object.hasOwn(mesh, "raycast"));
    }
    console.log(`${name}: ${hits} hits of ${rays} rays`);
    assert.ok(hits > rays / 4, `${hits} hits of ${rays} rays`);
  });

test("rays from afar, of any length, and the first hit alone", () => {
  for (const make of [skinned, instanced, () => batched(true), () => new Mesh(tube(), material())]) {
    const mesh = make(), fast = accelerate(graze, mesh);
    mesh.updateMatrixWorld(true);
    let hits = 0;
    for (let i = 0; i < 100; i++) {
      const raycaster = rayAt(mesh);
      Object.assign(raycaster, { near: 0, far: Infinity });
      raycaster.ray.origin.addScaledVector(raycaster.ray.direction, -5000);
      hits += compare(mesh, raycaster, `ray ${i}`);
      const all = raycaster.intersectObject(mesh, false);
      raycaster.firstHitOnly = true;
      assert.deepEqual(raycaster.intersectObject(mesh, false).slice(0, 1).map(nameOf), all.slice(0, 1).map(nameOf));
      raycaster.firstHitOnly = false;
      raycaster.ray.direction.multiplyScalar(7);
      assert.deepEqual(raycaster.intersectObject(mesh, false).map(nameOf), all.map(nameOf));
      raycaster.ray.direction.set(0, 0, 0);
      assert.deepEqual(raycaster.intersectObject(mesh, false), []);
    }
    assert.ok(hits > 50, `${hits} hits`);
    fast.dispose();
  }
});

test("accelerate() twice, and what it refuses", () => {
  const mesh = skinned(), first = accelerate(graze, mesh), second = accelerate(graze, mesh);
  mesh.updateMatrixWorld(true);
  first.dispose();
  assert.ok(Object.hasOwn(mesh, "raycast"));
  compare(mesh, rayAt(mesh), "the second");
  second.dispose();
  assert.ok(!Object.hasOwn(mesh, "raycast"));
  mesh.raycast = () => {};
  assert.throws(() => accelerate(graze, mesh), GrazeError);
  class Other extends Mesh {
    getVertexPosition(index, target) {
      return super.getVertexPosition(index, target).multiplyScalar(2);
    }
  }
  assert.throws(() => accelerate(graze, new Other(tube(), material())), /a getVertexPosition\(\) that is not that of three.js/);
  assert.throws(() => accelerate(graze, new SkinnedMesh(tube(), material())), /no skeleton/);
  for (const many of [instanced(), batched(true)]) {
    assert.throws(() => new MeshBody(graze, many), /takes one mesh/);
    assert.throws(() => meshDef(many), /takes one mesh/);
  }
});

test("a mesh that Graze cannot have is refused at every ray until it is well again", () => {
  const mesh = skinned(), fast = accelerate(graze, mesh), { position } = mesh.geometry.attributes;
  mesh.updateMatrixWorld(true);
  const raycaster = rayAt(mesh), well = raycaster.intersectObject(mesh, false).map(nameOf), x = position.getX(0);
  const bad = () => { for (let i = 0; i < 2; i++) assert.throws(() => raycaster.intersectObject(mesh, false), GrazeError); };
  const good = () => assert.deepEqual(raycaster.intersectObject(mesh, false).map(nameOf), well);
  for (const value of [NaN, x]) {
    position.setX(0, value);
    position.needsUpdate = true;
    (value === x ? good : bad)();
  }
  const { elements } = mesh.skeleton.bones[1].matrixWorld, y = elements[13];
  for (const value of [NaN, y]) {
    elements[13] = value;
    (value === y ? good : bad)();
  }
  mesh.material = [material()];
  mesh.geometry.clearGroups();
  mesh.geometry.addGroup(0, 30, 1);
  bad();
  fast.dispose();
});

test("bodies of meshes that move answer for where they are, without pose()", () => {
  let pairs = 0;
  const changes = { ...MORPHED, ...SKINNED, moves: CHANGES.moves, turns: CHANGES.turns };
  const same = ["changes its face", "has no influences", "bends", "stretches", "is bound anew", "is flat",
    "has its bindMatrix changed in place", "has a bone's inverse changed in place", "moves", "turns"];
  for (let round = 0; round < 40; round++) {
    const meshes = [skinned(), skinned()], bodies = meshes.map((mesh) => new MeshBody(graze, mesh).body);
    for (let step = 0; step < 5; step++) {
      for (const mesh of meshes) changes[same[below(same.length)]](mesh);
      meshes[1].position.copy(meshes[0].position).add(point(0.3));
      for (const mesh of meshes) mesh.updateMatrixWorld(true);
      const now = meshes.map((mesh) => new MeshBody(graze, mesh));
      const wanted = graze.collide(now[0].body, now[1].body), got = graze.collide(...bodies);
      assert.deepEqual(got, wanted);
      assert.deepEqual(bodies[1].positions(), now[1].body.positions());
      assert.equal(graze.distance(...bodies).distance, graze.distance(now[0].body, now[1].body).distance);
      pairs += wanted.length / 2;
    }
  }
  assert.ok(pairs > 1000, `${pairs} pairs`);
});

test("positions of a MeshBody are those that three.js shows, whatever the weights", () => {
  for (const change of ["has other weights", "has weights that sum to 1"])
    for (let round = 0; round < 10; round++) {
      const mesh = skinned(), vertex = new Vector3();
      SKINNED["has other weights"](mesh);
      SKINNED[change](mesh);
      for (const kind of ["is bound anew", "bends", "stretches"]) SKINNED[kind](mesh);
      mesh.updateMatrixWorld(true);
      const positions = new MeshBody(graze, mesh).body.positions();
      for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
        mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld);
        assert.ok(vertex.distanceTo(new Vector3().fromArray(positions, 3 * i)) < 1e-4, `${change}: vertex ${i}`);
      }
    }
});

test("the body of another geometry is refused", () => {
  const mesh = skinned(), one = new MeshBody(graze, mesh), other = graze.model(meshDef(new Mesh(tube()))).body();
  graze.collide(one.body, other);
  CHANGES["has other positions"](mesh);
  for (let i = 0; i < 2; i++) {
    assert.throws(() => graze.collide(one.body, other), /another geometry/);
    assert.throws(() => one.body.raycast([0, 0, 9], [0, 0, -1]), /another geometry/);
    assert.throws(() => one.pose(), GrazeError);
  }
});
