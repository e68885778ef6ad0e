// One ray against a skinned character whose pose has just changed, in Node: three.js's own raycast,
// three-mesh-bvh's SkinnedMeshBVH and MeshBVH (both refitted), and Graze, interleaved, each in its
// usual form. `node rays.mjs MODEL.glb [ROUNDS]`; see run.sh.
import { AnimationMixer, BufferAttribute, Mesh, Raycaster, Vector3 } from "three";
import { MeshBVH, SkinnedMeshBVH, acceleratedRaycast } from "three-mesh-bvh";

import { createGraze } from "graze";
import { accelerate } from "graze/three";

import { loadScene, meshesOf } from "./glb.mjs";

const [path, rounds = 11] = process.argv.slice(2);
const graze = await createGraze();

/** A scene of its own for each way, so that no one's changes are another's. */
async function stage() {
  const gltf = await loadScene(path), mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  const mesh = meshesOf(gltf)[0];
  const pose = (time) => {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    mesh.skeleton.update();
  };
  pose(0);
  return { mesh, pose, seconds: gltf.animations[0].duration };
}

function bake(mesh, geometry) {
  const { position } = geometry.attributes, vertex = new Vector3();
  for (let i = 0; i < position.count; i++) {
    mesh.getVertexPosition(i, vertex);
    position.setXYZ(i, vertex.x, vertex.y, vertex.z);
  }
}

/** Each: { prepare, a pose that was set made ready for rays; cast, one ray }. */
const ways = {
  "three.js": async () => {
    const { mesh, ...rest } = await stage();
    const prepare = () => mesh.computeBoundingSphere(); // else it is that of the first pose
    return { ...rest, mesh, prepare, cast: (raycaster) => raycaster.intersectObject(mesh, false)[0] };
  },
  "SkinnedMeshBVH, refit": async () => {
    const { mesh, ...rest } = await stage();
    const bvh = new SkinnedMeshBVH(mesh, { indirect: true });
    const cast = (raycaster) => {
      const hits = [];
      raycaster.firstHitOnly = true;
      bvh.raycastObject3D(mesh, raycaster, hits);
      return hits.sort((a, b) => a.distance - b.distance)[0];
    };
    return { ...rest, mesh, prepare: () => bvh.refit(), cast };
  },
  "baked, MeshBVH refit": async () => {
    const { mesh, ...rest } = await stage();
    const geometry = mesh.geometry.clone();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * geometry.attributes.position.count), 3));
    for (const name of ["skinIndex", "skinWeight"]) geometry.deleteAttribute(name);
    bake(mesh, geometry);
    geometry.boundsTree = new MeshBVH(geometry, { indirect: true });
    const baked = new Mesh(geometry, mesh.material);
    baked.matrixWorld.copy(mesh.matrixWorld);
    baked.raycast = acceleratedRaycast;
    const prepare = () => {
      bake(mesh, geometry);
      geometry.boundsTree.refit();
    };
    const cast = (raycaster) => {
      raycaster.firstHitOnly = true;
      return raycaster.intersectObject(baked, false)[0];
    };
    return { ...rest, mesh, prepare, cast };
  },
  "graze, accelerate()": async () => {
    const { mesh, ...rest } = await stage();
    accelerate(graze, mesh);
    const cast = (raycaster) => {
      raycaster.firstHitOnly = true;
      return raycaster.intersectObject(mesh, false)[0];
    };
    return { ...rest, mesh, prepare: () => {}, cast };
  },
};

const stages = {};
for (const name in ways) stages[name] = { ...(await ways[name]()), first: [], more: [] };
const { mesh, seconds } = stages["three.js"];
mesh.computeBoundingSphere();
const { center, radius } = mesh.boundingSphere.clone().applyMatrix4(mesh.matrixWorld);

function makeRay(round, k) {
  const angle = 2.4 * (7 * round + k), raycaster = new Raycaster();
  const origin = new Vector3(Math.cos(angle), 0.3, Math.sin(angle)).multiplyScalar(3 * radius).add(center);
  const aim = new Vector3(0.1 * Math.sin(k), 0.2 * Math.cos(3 * k), 0).multiplyScalar(radius).add(center);
  raycaster.set(origin, aim.sub(origin).normalize());
  return raycaster;
}

const MORE = 8;
let differ = 0, hits = 0;
for (let round = 0; round < rounds; round++) {
  const found = {};
  for (const name in stages) {
    const one = stages[name];
    one.pose((seconds * (round + 0.5)) / rounds);
    const start = performance.now();
    one.prepare();
    const answers = [one.cast(makeRay(round, 0))];
    const middle = performance.now();
    for (let k = 1; k <= MORE; k++) answers.push(one.cast(makeRay(round, k)));
    one.first.push(middle - start);
    one.more.push((performance.now() - middle) / MORE);
    found[name] = answers.map((hit) => (hit ? hit.distance.toFixed(3 - Math.floor(Math.log10(radius))) : "none"));
  }
  for (const name in stages)
    found[name].forEach((answer, k) => (differ += Number(answer !== found["three.js"][k])));
  hits += found["three.js"].filter((answer) => answer !== "none").length;
}

const least = (times) => Math.min(...times);
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
const own = stages["graze, accelerate()"];
console.log(`${mesh.geometry.index.count / 3} triangles, ${rounds} poses, ${1 + MORE} rays each: ${hits} hit, ${differ} answers differ`);
console.log(`${"".padEnd(24)}${"pose and ray, ms".padStart(24)}${"ratio".padStart(8)}${"one more ray, ms".padStart(24)}${"ratio".padStart(8)}`);
for (const name in stages) {
  const row = ["first", "more"].map((key) => {
    const times = stages[name][key];
    const text = `${least(times).toFixed(4)} (${median(times).toFixed(4)})`;
    return text.padStart(24) + (median(times) / median(own[key])).toFixed(1).padStart(8);
  });
  console.log(name.padEnd(24) + row.join(""));
}
