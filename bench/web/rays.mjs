// One ray against a skinned character whose pose has just changed: three.js's own raycast,
// three-mesh-bvh's SkinnedMeshBVH and MeshBVH (both refitted), and Graze, interleaved, each in its
// usual form. Runs in Node (rays_node.mjs) and in a page (rays_chromium.mjs); see run.sh.
import { AnimationMixer, BufferAttribute, Mesh, Raycaster, Vector3 } from "three";
import { MeshBVH, SkinnedMeshBVH, acceleratedRaycast } from "three-mesh-bvh";

import { createGraze } from "graze";
import { accelerate } from "graze/three";

/** A scene of its own for each way, so that no one's changes are another's. */
async function stage(loadScene) {
  const gltf = await loadScene(), mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  const mesh = gltf.scene.getObjectByProperty("isSkinnedMesh", true);
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
  "three.js": async (load) => {
    const { mesh, ...rest } = await stage(load);
    const prepare = () => mesh.computeBoundingSphere(); // else it is that of the first pose
    return { ...rest, mesh, slow: true, prepare, cast: (raycaster) => raycaster.intersectObject(mesh, false)[0] };
  },
  "SkinnedMeshBVH, refit": async (load) => {
    const { mesh, ...rest } = await stage(load);
    const bvh = new SkinnedMeshBVH(mesh, { indirect: true });
    const cast = (raycaster) => {
      const hits = [];
      raycaster.firstHitOnly = true;
      bvh.raycastObject3D(mesh, raycaster, hits);
      return hits.sort((a, b) => a.distance - b.distance)[0];
    };
    return { ...rest, mesh, prepare: () => bvh.refit(), cast };
  },
  "baked, MeshBVH refit": async (load) => {
    const { mesh, ...rest } = await stage(load);
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
  "graze, accelerate()": async (load) => {
    const { mesh, ...rest } = await stage(load);
    accelerate(await createGraze(), mesh);
    const cast = (raycaster) => {
      raycaster.firstHitOnly = true;
      return raycaster.intersectObject(mesh, false)[0];
    };
    return { ...rest, mesh, prepare: () => {}, cast };
  },
};

function makeRay({ center, radius }, round, k) {
  const angle = 2.4 * (7 * round + k), raycaster = new Raycaster();
  const origin = new Vector3(Math.cos(angle), 0.3, Math.sin(angle)).multiplyScalar(3 * radius).add(center);
  const aim = new Vector3(0.1 * Math.sin(k), 0.2 * Math.cos(3 * k), 0).multiplyScalar(radius).add(center);
  raycaster.set(origin, aim.sub(origin).normalize());
  return raycaster;
}

const MORE = 32;

function askAll(one, sphere, round, time) {
  const rays = Array.from({ length: 1 + MORE }, (_, k) => makeRay(sphere, round, k));
  one.pose(time);
  const start = performance.now();
  one.prepare();
  const answers = [one.cast(rays[0])];
  const middle = performance.now();
  const more = one.slow ? 8 : MORE; // of all of which three.js itself would take a second
  for (let k = 1; k <= more; k++) answers.push(one.cast(rays[k]));
  return { first: middle - start, more: (performance.now() - middle) / more, answers };
}

const least = (times) => Math.min(...times);
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];

/** Lines of a table. */
export async function measureRays(loadScene, rounds) {
  const stages = {};
  for (const name in ways) stages[name] = { ...(await ways[name](loadScene)), first: [], more: [] };
  const { mesh, seconds } = stages["three.js"];
  mesh.computeBoundingSphere();
  const sphere = mesh.boundingSphere.clone().applyMatrix4(mesh.matrixWorld);
  const digits = 3 - Math.floor(Math.log10(sphere.radius));
  const words = (hit) => (hit ? hit.distance.toFixed(digits) : "none");
  let differ = 0, hits = 0, asked = 0;
  for (let round = -2; round < rounds; round++) { // two for the compilers
    const found = {}, time = (seconds * (round + 2.5)) / (rounds + 2);
    for (const name in stages) {
      const { first, more, answers } = askAll(stages[name], sphere, round, time);
      found[name] = answers.map(words);
      if (round < 0) continue;
      stages[name].first.push(first);
      stages[name].more.push(more);
    }
    const wanted = found["baked, MeshBVH refit"];
    for (const name in stages) found[name].forEach((answer, k) => (differ += Number(answer !== wanted[k])));
    hits += wanted.filter((answer) => answer !== "none").length;
    asked += wanted.length;
  }
  const own = stages["graze, accelerate()"];
  const lines = [`${mesh.geometry.index.count / 3} triangles, ${rounds} poses: ${hits} of ${asked} rays hit, ${differ} answers differ`,
    `${"".padEnd(24)}${"pose and ray, ms".padStart(24)}${"ratio".padStart(8)}${"one more ray, ms".padStart(24)}${"ratio".padStart(8)}`];
  for (const name in stages) {
    const row = ["first", "more"].map((key) => {
      const times = stages[name][key];
      const text = `${least(times).toFixed(4)} (${median(times).toFixed(4)})`;
      return text.padStart(24) + (median(times) / median(own[key])).toFixed(1).padStart(8);
    });
    lines.push(name.padEnd(24) + row.join(""));
  }
  return lines;
}
