// A glTF 2.0 file as a rig, as adapters/gltf reads it: what is compared with the command is the same
// model, vertex for vertex.
import { readAnimations } from "./animations";
import { Beside, Buffers } from "./buffers";
import { openContainer } from "./container";
import { decodePrimitives, DecoderSource, decodeViews } from "./decoders";
import { tableOf } from "./json";
import { readMeshes } from "./meshes";
import { readNodes } from "./nodes";
import { Rig, RigNode } from "./rig";

/** A node's name; without one the nearest above it that has one, of 60 bytes at most, and its number. */
function nodeName(nodes: RigNode[], node: number): string {
  let named = node;
  while (named >= 0 && !nodes[named].name) named = nodes[named].parent;
  if (named === node) return nodes[node].name!;
  const above = new TextEncoder().encode(named < 0 ? "node" : nodes[named].name!).slice(0, 60);
  return `${new TextDecoder().decode(above, { stream: true })}/${node}`;
}

/** Names as graze_parts has them: the nodes'; what occurs twice gets #2, #3. */
function partNames(names: string[]): string[] {
  const taken = new Set<string>(), ordinals = new Map<string, number>();
  return names.map((text) => {
    let unique = text, ordinal = ordinals.get(text) ?? 1;
    while (taken.has(unique)) unique = `${text}#${++ordinal}`;
    ordinals.set(text, ordinal);
    taken.add(unique);
    return unique;
  });
}

export async function readModel(bytes: Uint8Array, beside: Beside, decoders: DecoderSource): Promise<Rig> {
  const { json, binary } = openContainer(bytes);
  const buffers = new Buffers(json, binary, beside), nodeTable = tableOf(json, "nodes", "top level");
  const meshes = tableOf(json, "meshes", "top level"), skins = tableOf(json, "skins", "top level");
  const { nodes, scene } = readNodes(json, nodeTable);
  await decodeViews(buffers, decoders);
  const decoded = await decodePrimitives(buffers, meshes, decoders);
  const rig: Rig = { positions: new Float32Array(), triangles: new Uint32Array(), influences: 1,
    joints: new Uint32Array(), weights: new Float32Array(), skinned: false, nodes, jointNodes: new Uint32Array(),
    inverseBinds: new Float32Array(), rigidJoints: new Set(), jointNames: [], morphs: [], clips: [] };
  const instances = readMeshes(buffers, { nodes: nodeTable, meshes, skins, decoded }, scene, rig);
  rig.clips = readAnimations(buffers, json, nodeTable, nodes, instances);
  rig.jointNames = partNames([...rig.jointNodes].map((node) => nodeName(nodes, node)));
  return rig;
}
