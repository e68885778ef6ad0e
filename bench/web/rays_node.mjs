// `node rays_node.mjs MODEL.glb ROUNDS`: rays.mjs in Node.
import { loadScene } from "./glb.mjs";
import { measureRays } from "./rays.mjs";

const [path, rounds] = process.argv.slice(2);
console.log(`Node ${process.versions.node}`);
for (const line of await measureRays(() => loadScene(path), Number(rounds))) console.log(line);
