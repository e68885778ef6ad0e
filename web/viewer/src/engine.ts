// What the page asks of Graze, in its own words. Everything that is lit up comes from here.
import type { Rig } from "./gltf/rig";

export type Skinning = "linear" | "spherical" | "dual";
export const SKINNINGS: Skinning[] = ["linear", "spherical", "dual"];

export interface Stats {
  nodesRefit: number;
  boundTests: number;
  patchesPosed: number;
  verticesPosed: number;
  triangleTests: number;
}

export interface Found {
  pairs: Uint32Array; // a0, b0, a1, b1, ..., sorted
  stats: Stats;
}

export interface Contact {
  point: number[];
  normal: number[];
  depth: number;
  parts: [number, number];
  count: number;
}

export interface Contacts {
  contacts: Contact[];
  segments: Float32Array; // 6 floats each: two ends
}

export interface RayHit {
  triangle: number;
  t: number;
  point: number[];
  normal: number[];
  joint: number;
  group: number;
}

/** What bounds a model's nodes: boxes over patches, or the spheres of the paper of 2005. */
export type TreeKind = "boxes" | "paper";

/** All nodes of a body's tree, level by level from the root. */
export interface Tree {
  count: number;
  spheres: boolean;
  levels: Uint32Array;
  childCounts: Uint32Array;
  refitted: Uint8Array; // 1: for this pose, by what was asked so far
  centres: Float32Array; // 3 a node
  halves: Float32Array; // 3 a node: half the sides of a box
  radii: Float32Array;
}

/** Where an instance stands and when: what --at, --turn and --phase say. */
export interface Placing {
  at: [number, number, number];
  turn: number;
  phase: number;
}

export const UNPLACED: Placing = { at: [0, 0, 0], turn: 0, phase: 0 };

export interface Body {
  /** Samples a clip (-1: as the file stands), and takes the pose over: everything kept is old. */
  pose(clip: number, time: number, placing: Placing): void;
  /** The same pose handed over again, so that nothing of it is kept. */
  forget(): void;
  positions(): Float32Array;
  raycast(origin: Float32Array, direction: Float32Array): { hit: RayHit | null; stats: Stats };
  tree(): Tree;
  dispose(): void;
}

export interface Model {
  readonly nodeCount: number;
  readonly levels: number;
  readonly groups: Uint32Array; // the body part of each triangle
  body(): Body;
  dispose(): void;
}

export interface Engine {
  model(rig: Rig, skinning: Skinning, tree: TreeKind): Model;
  collide(a: Body, b: Body): Found;
  self(body: Body): Found;
  /** 1 for each of those pairs that meets in the rest pose, too. */
  rest(body: Body, pairs: Uint32Array): Uint8Array;
  contacts(a: Body, b: Body): Contacts;
  /** The same question the eager way: every vertex posed, every bound refitted. */
  eager(a: Body, b: Body | null): Stats;
  distance(a: Body, b: Body): number;
}
