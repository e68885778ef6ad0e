// accelerate(): the hits of three.js's own raycast, to its tolerance, on every skinned model.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import {
  AnimationMixer, BackSide, Bone, BufferGeometry, DoubleSide, Float32BufferAttribute, FrontSide, Matrix4, Mesh,
  MeshBasicMaterial, Raycaster, Skeleton, SkinnedMesh, Uint16BufferAttribute, Vector3,
} from "three";

import { createGraze } from "graze";
import { MeshBody, accelerate } from "graze/three";

import { loadScene, meshesOf } from "./glb.mjs";

const graze = await createGraze();
const models = process.env.GRAZE_MODELS;
const skinned = ["CesiumMan.glb", "Fox.glb", "RiggedFigure.glb", "RobotExpressive.glb", "SimpleSkin.gltf"];

let seed = 1;
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}

/** Rays from all round the mesh, aimed near its middle. */
function makeRays(mesh, count) {
  mesh.computeBoundingSphere();
  const { center, radius } = mesh.boundingSphere.clone().applyMatrix4(mesh.matrixWorld);
  const place = (size) => new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(size).add(center);
  return Array.from({ length: count }, () => {
    const origin = place(6 * radius), raycaster = new Raycaster();
    raycaster.set(origin, place(0.5 * radius).sub(origin).normalize());
    return raycaster;
  });
}

const close = (x, y, scale) => Math.abs(x - y) <= 1e-4 * scale;

/** Whether a hit lies so near an edge that three.js's own arithmetic may miss it. */
function isNearEdge(hit) {
  const { x, y, z } = hit.barycoord;
  return Math.min(x, y, z) < 1e-3;
}

function compareHit(own, theirs, scale) {
  assert.deepEqual(Object.keys(own).sort(), Object.keys(theirs).sort());
  assert.equal(own.object, theirs.object);
  assert.deepEqual([own.face.a, own.face.b, own.face.c, own.face.materialIndex],
    [theirs.face.a, theirs.face.b, theirs.face.c, theirs.face.materialIndex]);
  assert.ok(close(own.distance, theirs.distance, scale), `${own.distance} ${theirs.distance}`);
  assert.ok(own.point.distanceTo(theirs.point) <= 1e-4 * scale);
  for (const key of ["normal", "uv", "uv1", "barycoord"])
    if (theirs[key]) assert.ok(own[key].distanceTo(theirs[key]) < 0.05, key);
  assert.ok(own.face.normal.distanceTo(theirs.face.normal) < 0.05);
}

/** Asks both ways; rays whose hits differ only near edges are counted, not compared. */
function compareRays(mesh, rays) {
  const theirs = rays.map((raycaster) => raycaster.intersectObject(mesh, false));
  const fast = accelerate(graze, mesh);
  let hits = 0, edges = 0;
  rays.forEach((raycaster, i) => {
    const own = raycaster.intersectObject(mesh, false), scale = raycaster.ray.origin.length() + 1;
    const ours = new Map(own.map((hit) => [hit.faceIndex, hit]));
    const known = new Map(theirs[i].map((hit) => [hit.faceIndex, hit]));
    for (const [face, hit] of known) {
      if (!ours.has(face) && isNearEdge(hit)) edges++;
      else compareHit(ours.get(face) ?? assert.fail(`ray ${i}: face ${face} is missing`), hit, scale);
      hits++;
    }
    for (const [face, hit] of ours)
      if (!known.has(face)) {
        assert.ok(isNearEdge(hit) || Math.abs(hit.face.normal.dot(raycaster.ray.direction)) < 1e-3,
          `ray ${i}: face ${face} is too many`);
        edges++;
      }
  });
  fast.dispose();
  assert.ok(!Object.hasOwn(mesh, "raycast"));
  return { hits, edges };
}

for (const name of skinned)
  test(`${name}: 1,000 rays`, { skip: models && existsSync(`${models}/${name}`) ? false : "no shared models" }, async () => {
    const gltf = await loadScene(`${models}/${name}`);
    const mixer = new AnimationMixer(gltf.scene), clip = gltf.animations[0];
    mixer.clipAction(clip).play();
    gltf.scene.position.set(3, -1, 2);
    gltf.scene.rotation.set(0.1, 0.7, 0.2);
    let hits = 0, edges = 0;
    const meshes = meshesOf(gltf);
    assert.ok(meshes.length > 0);
    for (const time of [0.1, 0.4]) {
      mixer.setTime(time * clip.duration);
      gltf.scene.updateMatrixWorld(true);
      for (const mesh of meshes) {
        const found = compareRays(mesh, makeRays(mesh, Math.ceil(500 / meshes.length)));
        hits += found.hits;
        edges += found.edges;
      }
    }
    assert.ok(hits > 200, `${hits} hits`);
    assert.ok(edges < 0.02 * hits, `${edges} of ${hits} hits are at edges and not the same`);
    console.log(`${name}: ${meshes.length} meshes, ${hits} hits, ${edges} at edges differ`);
  });

/** A bent tube of two bones with two morph targets, materials by groups. */
function makeTube({ indexed = true, relative = true } = {}) {
  const rings = 24, around = 16, position = [], index = [], skinIndex = [], skinWeight = [], uv = [];
  for (let r = 0; r <= rings; r++)
    for (let k = 0; k < around; k++) {
      const angle = (2 * Math.PI * k) / around, along = r / rings;
      position.push(Math.cos(angle) * 0.2, 2 * along, Math.sin(angle) * 0.2);
      uv.push(k / around, along);
      skinIndex.push(0, 1, 0, 0);
      skinWeight.push(1 - along, along, 0, 0);
      if (r < rings) {
        const a = r * around + k, b = r * around + ((k + 1) % around);
        index.push(a, a + around, b, b, a + around, b + around);
      }
    }
  const geometry = new BufferGeometry();
  const bulge = position.map((value, i) => (i % 3 === 1 ? 0 : 0.5 * value) + (relative ? 0 : value));
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(uv, 2));
  geometry.setAttribute("skinIndex", new Uint16BufferAttribute(skinIndex, 4));
  geometry.setAttribute("skinWeight", new Float32BufferAttribute(skinWeight, 4));
  geometry.setIndex(index);
  geometry.morphAttributes.position = [new Float32BufferAttribute(bulge, 3)];
  geometry.morphTargetsRelative = relative;
  geometry.computeVertexNormals();
  const made = indexed ? geometry : geometry.toNonIndexed();
  const bones = [new Bone(), new Bone()];
  bones[0].add(bones[1]);
  bones[1].position.y = 1;
  const mesh = new SkinnedMesh(made, new MeshBasicMaterial());
  mesh.add(bones[0]);
  mesh.bind(new Skeleton(bones));
  bones[1].rotation.z = 0.9;
  mesh.morphTargetInfluences = [0.7];
  mesh.position.set(5, 1, -2);
  mesh.scale.set(1, 2, 0.5);
  mesh.updateMatrixWorld(true);
  return mesh;
}

test("sides, groups, draw ranges, morph targets, plain indices", () => {
  for (const options of [{}, { indexed: false }, { relative: false }])
    for (const side of [FrontSide, BackSide, DoubleSide]) {
      const mesh = makeTube(options), count = 3 * 2 * 24 * 16;
      mesh.material = new MeshBasicMaterial({ side });
      assert.ok(compareRays(mesh, makeRays(mesh, 100)).hits > 20);
      mesh.geometry.setDrawRange(600, 900);
      compareRays(mesh, makeRays(mesh, 60));
      mesh.geometry.setDrawRange(0, Infinity);
      mesh.geometry.addGroup(0, 900, 0);
      mesh.geometry.addGroup(900, count - 900, 1);
      mesh.material = [mesh.material, new MeshBasicMaterial({ side: FrontSide })];
      assert.ok(compareRays(mesh, makeRays(mesh, 100)).hits > 10);
    }
});

test("the first hit alone, where it is asked for", () => {
  for (const kind of [DoubleSide, FrontSide, BackSide, "groups", "range"]) {
    const mesh = makeTube(), { geometry } = mesh, third = 96 * Math.round(geometry.index.count / 288);
    mesh.material.side = typeof kind === "number" ? kind : BackSide;
    if (kind === "groups") {
      mesh.material = [FrontSide, BackSide].map((side) => new MeshBasicMaterial({ side }));
      geometry.addGroup(0, third, 1);
      geometry.addGroup(third, 2 * third, 0);
    }
    if (kind === "range") geometry.setDrawRange(third, third);
    const whole = makeTube(); // all of it, from both sides
    whole.material.side = DoubleSide;
    const rays = makeRays(mesh, 200), fast = accelerate(graze, mesh), other = accelerate(graze, whole);
    let hits = 0, passed = 0;
    for (const raycaster of rays) {
      const all = raycaster.intersectObject(mesh, false);
      raycaster.firstHitOnly = true;
      const first = raycaster.intersectObject(mesh, false);
      assert.deepEqual(first.map((hit) => hit.faceIndex), all.slice(0, 1).map((hit) => hit.faceIndex));
      assert.deepEqual(first[0]?.face.materialIndex, all[0]?.face.materialIndex);
      hits += all.length;
      passed += Number(all.length > 0 && all[0].faceIndex !== raycaster.intersectObject(whole, false)[0].faceIndex);
    }
    assert.ok(hits > 20, `${hits} hits`);
    assert.equal(passed > 5, kind !== DoubleSide && kind !== FrontSide, `${kind}: passes through ${passed}`);
    fast.dispose();
    other.dispose();
  }
});

test("a mesh that is bound anew", () => {
  const mesh = makeTube(), fast = accelerate(graze, mesh), plain = makeTube();
  const compare = () => {
    let hits = 0;
    for (const one of [mesh, plain]) one.updateMatrixWorld(true);
    for (const raycaster of makeRays(plain, 60)) {
      const own = raycaster.intersectObject(mesh, false), theirs = raycaster.intersectObject(plain, false);
      if ([...own, ...theirs].some(isNearEdge)) continue;
      assert.deepEqual(own.map((hit) => hit.faceIndex), theirs.map((hit) => hit.faceIndex));
      hits += own.length;
    }
    assert.ok(hits > 10, `${hits} hits`);
  };
  compare();
  for (const one of [mesh, plain]) one.bind(one.skeleton, new Matrix4().makeTranslation(0.1, 0.4, 0));
  compare();
  for (const one of [mesh, plain]) {
    one.skeleton.bones[1].position.y = 0.5;
    one.updateMatrixWorld(true);
    one.skeleton.boneInverses = [];
    one.skeleton.calculateInverses();
  }
  compare();
  fast.dispose();
});

test("near and far, and the mesh as it moves", () => {
  const mesh = makeTube(), fast = accelerate(graze, mesh), plain = makeTube();
  for (let frame = 0; frame < 5; frame++) {
    for (const one of [mesh, plain]) {
      one.skeleton.bones[1].rotation.z = 0.3 * frame;
      one.morphTargetInfluences[0] = frame / 5;
      one.position.x = frame;
      one.updateMatrixWorld(true);
    }
    for (const raycaster of makeRays(plain, 40)) {
      raycaster.near = 0.3 * frame;
      raycaster.far = 3;
      const own = raycaster.intersectObject(mesh, false), theirs = raycaster.intersectObject(plain, false);
      if (![...own, ...theirs].some(isNearEdge))
        assert.deepEqual(own.map((hit) => hit.faceIndex), theirs.map((hit) => hit.faceIndex));
    }
  }
  fast.dispose();
});

test("a mesh as a body: positions are those that three.js shows", () => {
  const mesh = makeTube(), body = new MeshBody(graze, mesh), positions = body.body.positions();
  const vertex = new Vector3();
  for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
    mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld);
    assert.ok(vertex.distanceTo(new Vector3().fromArray(positions, 3 * i)) < 1e-5, `vertex ${i}`);
  }
  body.dispose();
  assert.throws(() => accelerate(graze, {}), /takes a mesh of three.js/);
  assert.throws(() => accelerate(graze, new Mesh(new BufferGeometry())), /no positions/);
});
