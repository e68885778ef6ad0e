// A whole character as a file holds it, as plain arrays: what include/graze/rig.h describes.

/** What is wrong with a file, in words. */
export class ModelError extends Error {}

export interface RigNode {
  name: string | null;
  parent: number; // -1: none
  translation: Float32Array;
  rotation: Float32Array; // x y z w, unit
  scale: Float32Array;
  matrix: Float32Array | null; // 3 rows of 4, instead of the three above
}

export interface RigMorph {
  vertices: Uint32Array; // ascending
  deltas: Float32Array; // 3 for each
  weight: number; // where no clip animates it
}

export const PATHS = ["translation", "rotation", "scale", "weights"];
export const INTERPOLATIONS = ["LINEAR", "STEP", "CUBICSPLINE"];

export interface RigChannel {
  path: number; // of PATHS
  interpolation: number; // of INTERPOLATIONS
  node: number;
  firstMorph: number;
  morphCount: number;
  times: Float32Array;
  values: Float32Array;
}

export interface RigClip {
  name: string | null;
  seconds: number;
  channels: RigChannel[];
}

export interface Rig {
  positions: Float32Array;
  triangles: Uint32Array;
  influences: number; // places a vertex
  joints: Uint32Array;
  weights: Float32Array; // as in the file, 0 in places without a joint
  skinned: boolean;
  nodes: RigNode[];
  jointNodes: Uint32Array;
  inverseBinds: Float32Array; // 3 rows of 4 a joint
  rigidJoints: Set<number>; // those that move a mesh without a skin
  jointNames: string[];
  morphs: RigMorph[];
  clips: RigClip[];
}
