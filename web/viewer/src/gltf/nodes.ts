// Nodes with their local maps, and the order in which a scene is walked.
import { arrayOf, floatsOf, indexOf, indexValue, Json, nameOf, tableOf } from "./json";
import { ModelError, RigNode } from "./rig";

/** Scales q to length 1 unless it already is as nearly as floats can be; false if it is zero. */
export function normalise(q: Float32Array): boolean {
  let squared = 0;
  for (let i = 0; i < 4; i++) squared += q[i] * q[i];
  if (!(squared > 0)) return false;
  if (Math.abs(squared - 1) <= 4e-7) return true;
  const scale = 1 / Math.sqrt(squared);
  for (let i = 0; i < 4; i++) q[i] = q[i] * scale;
  return true;
}

/** glTF's 16 columns to 3 rows of 4; null if the last row is not 0 0 0 1. */
export function toRows(columns: Float32Array): Float32Array | null {
  const rows = new Float32Array(12);
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 4; column++) rows[row * 4 + column] = columns[column * 4 + row];
  const last = Math.fround(1e-3), is = [columns[3], columns[7], columns[11], Math.fround(columns[15] - 1)];
  return is.every((x) => Math.abs(x) <= last) ? rows : null;
}

function readNode(json: Json, index: number): RigNode {
  const place = `nodes[${index}]`, columns = floatsOf(json, "matrix", place, 16);
  const translation = floatsOf(json, "translation", place, 3), rotation = floatsOf(json, "rotation", place, 4);
  const scale = floatsOf(json, "scale", place, 3);
  const matrix = columns && toRows(columns);
  if (columns && !matrix) throw new ModelError(`${place}: the last row of "matrix" is not 0 0 0 1`);
  if (matrix && (translation || rotation || scale))
    throw new ModelError(`${place}: has a matrix and also translation, rotation or scale`);
  if (rotation && !normalise(rotation)) throw new ModelError(`${place}: "rotation" is zero`);
  return { name: nameOf(json), parent: -1, translation: translation ?? new Float32Array(3),
    rotation: rotation ?? new Float32Array([0, 0, 0, 1]), scale: scale ?? new Float32Array([1, 1, 1]), matrix };
}

function childrenOf(json: Json[], node: number): number[] {
  const place = `nodes[${node}].children`;
  return arrayOf(json[node], "children", place).map((child) => indexValue(child, place, json.length));
}

/** What hangs below these nodes, depth first, children in file order. */
function walk(json: Json[], roots: number[]): number[] {
  const stack = [...roots].reverse(), list = [];
  while (stack.length) {
    const node = stack.pop()!;
    list.push(node);
    stack.push(...childrenOf(json, node).reverse());
  }
  return list;
}

function sceneRoots(top: Json, nodes: RigNode[], roots: number[]): number[] {
  const scenes = tableOf(top, "scenes", "top level");
  const scene = Math.max(indexOf(top, "scene", "top level", scenes.length), 0);
  if (!scenes.length) return roots;
  const place = `scenes[${scene}].nodes`, seen = new Set<number>();
  for (const item of arrayOf(scenes[scene], "nodes", place)) {
    const node = indexValue(item, place, nodes.length);
    if (seen.has(node) || nodes[node].parent >= 0)
      throw new ModelError(`${place}: node ${node} ${seen.has(node) ? "is listed twice" : "is the child of another"}`);
    seen.add(node);
  }
  return [...seen];
}

/** All nodes, and those of the scene, depth first. */
export function readNodes(top: Json, json: Json[]): { nodes: RigNode[]; scene: number[] } {
  const nodes = json.map(readNode);
  for (let i = 0; i < nodes.length; i++)
    for (const child of childrenOf(json, i)) {
      if (nodes[child].parent >= 0)
        throw new ModelError(`nodes[${child}]: is a child of nodes ${nodes[child].parent} and ${i}`);
      nodes[child].parent = i;
    }
  const roots = nodes.flatMap((node, i) => (node.parent < 0 ? [i] : []));
  const reached = new Set(walk(json, roots)), lost = nodes.findIndex((_, i) => !reached.has(i));
  if (lost >= 0) throw new ModelError(`nodes[${lost}]: is its own ancestor, or below one that is`);
  return { nodes, scene: walk(json, sceneRoots(top, nodes, roots)) };
}
