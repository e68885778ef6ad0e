// three.js's GLTFLoader in Node, which has no pictures: files are read without their materials.
import { readFileSync } from "node:fs";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};

/** A .glb or .gltf file as GLTFLoader gives it, with buffers beside it put in. */
export async function loadScene(path) {
  const file = readFileSync(path);
  const binary = file.toString("latin1", 0, 4) === "glTF";
  const length = binary ? file.readUInt32LE(12) : file.length;
  const json = JSON.parse(file.toString("utf8", binary ? 20 : 0, binary ? 20 + length : undefined));
  for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
  for (const mesh of json.meshes ?? [])
    for (const primitive of mesh.primitives) delete primitive.material;
  for (const buffer of json.buffers ?? [])
    if (buffer.uri && !buffer.uri.startsWith("data:")) {
      const bytes = readFileSync(new URL(buffer.uri, `file://${path}`));
      buffer.uri = `data:application/octet-stream;base64,${bytes.toString("base64")}`;
    } else if (!buffer.uri) {
      const start = 20 + length + 8;
      buffer.uri = `data:application/octet-stream;base64,${file.subarray(start).toString("base64")}`;
    }
  return new GLTFLoader().parseAsync(JSON.stringify(json), "");
}

/** The skinned meshes of a loaded scene, with the scene posed at a time of its first clip. */
export function meshesOf(gltf) {
  const meshes = [];
  gltf.scene.traverse((node) => node.isSkinnedMesh && meshes.push(node));
  return meshes;
}
