import type { Body, Graze, Model, ModelDef } from "../graze/index.js";
import type { Rig, RigDef } from "../graze/rig.js";

export { GrazeError } from "../graze/index.js";
export type { Body, Graze, Impact, Model, ModelDef, Nearest, RayHit, Skinning } from "../graze/index.js";
export type { Layer, Rig, RigChannel, RigClip, RigDef, RigJoint, RigNode, Sample } from "../graze/rig.js";

export interface ViewModelDef extends ModelDef {
  tree?: "boxes" | "spheres" | "paper";
  rig?: Rig;
}

/** What queries did. */
export interface Stats {
  nodesRefit: number;
  nodesEnlarged: number;
  boundTests: number;
  patchesPosed: number;
  verticesPosed: number;
  triangleTests: number;
}

export interface ModelInfo {
  nodes: number;
  leaves: number;
  levels: number;
  treeBytes: number;
  bodyBytes: number;
  jointSets: number;
  mostInfluences: number;
}

/** A tree, node by node: 0 is the root, then level by level, siblings side by side. */
export interface Nodes {
  count: number;
  /** 0 for the root. */
  levels: Uint32Array;
  firstChildren: Uint32Array;
  /** 0 for a leaf. */
  childCounts: Uint32Array;
  triangleCounts: Uint32Array;
  /** 1: a query has bounded it in this pose; siblings are bounded together. */
  refitted: Uint8Array;
  /** Three a node. */
  centres: Float32Array;
  /** Of a sphere; of a box half its diagonal. */
  radii: Float32Array;
  /** Three a node: half the sides of a box; of a sphere the radius. */
  halves: Float32Array;
}

/** One connected piece of the intersection: include/graze/contact.h. */
export interface Contact {
  point: [number, number, number];
  /** Unit: the way in which a leaves b. */
  normal: [number, number, number];
  depth: number;
  /** Of its curves. */
  length: number;
  groups: [number, number];
  /** Its segments. */
  first: number;
  count: number;
  closed: boolean;
  whole: boolean;
}

export interface Found {
  contacts: Contact[];
  /** Six floats a segment. */
  ends: Float32Array;
  /** The two triangles of each segment. */
  pairs: Uint32Array;
}

export interface Contacts {
  find(a: Body, b: Body): Found;
  dispose(): void;
}

export interface View extends Graze {
  rig(def: RigDef): Rig;
  model(def: ViewModelDef): Model;
  info(body: Body): ModelInfo;
  triangleGroups(body: Body): Uint32Array;
  dropCaches(body: Body): void;
  refitAll(body: Body): void;
  counted<Answer>(ask: () => Answer): { answer: Answer; stats: Stats };
  collideEager(a: Body, b: Body, options?: { first?: boolean }): Uint32Array;
  collideBrute(a: Body, b: Body): Uint32Array;
  selfEager(body: Body, options?: { onlyNew?: boolean }): Uint32Array;
  selfBrute(body: Body, options?: { onlyNew?: boolean }): Uint32Array;
  contacts(a: Body, b: Body, options?: { byGroup?: boolean }): Contacts;
  nodes(body: Body, options?: { best?: boolean }): Nodes;
}

export function createView(options: {
  wasm: BufferSource | WebAssembly.Module | URL | string;
}): Promise<View>;
