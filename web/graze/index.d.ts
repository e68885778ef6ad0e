/** Numbers in any array; typed arrays of the matching type are taken as they are. */
export type Floats = Float32Array | ArrayLike<number>;
export type Integers = Uint32Array | ArrayLike<number>;

export type Skinning = "linear" | "spherical" | "dual";

export interface ModelDef {
  /** 3 a vertex: what morphs and joints move. */
  positions: Floats;
  /** 3 vertex numbers a triangle. */
  triangles: Integers;
  /** 1 if left out: a rigid mesh. */
  jointCount?: number;
  /** `influences` entries a vertex, both or neither. Weights are scaled to sum 1. */
  joints?: Integers;
  weights?: Floats;
  /** 4 if left out. */
  influences?: number;
  /** Displacements before the skin, 3 a vertex in each. */
  morphs?: Floats[];
  skinning?: Skinning;
  /** For each joint the lowest that always has the same matrix, itself if there is no other: what
   * rig.sameJoints says. Left out: no two have. self() takes vertices of such joints as one. */
  sameJoints?: Integers;
  /** The pose of which `onlyNew` takes what meets at rest, and near which queries are fastest: what
   * rig.sample(null, 0) gives. Left out: positions as they are. */
  rest?: { matrices: Floats; morphWeights?: Floats };
  /** A number below groupCount for each triangle; left out: the joint that it follows most. */
  groups?: Integers;
  groupCount?: number;
}

export interface PoseOptions {
  /** Model space to world, 16 floats, columns. */
  placement?: Floats | null;
  /** One a morph target; left out: all 0. */
  morphWeights?: Floats | null;
}

export interface RayHit {
  triangle: number;
  /** In units of the direction. */
  t: number;
  point: [number, number, number];
  /** Unit, by the triangle's winding; 0 if it has no area. */
  normal: [number, number, number];
  /** Weights of the second and third corner. */
  uv: [number, number];
  /** The joint with most weight at the point. */
  joint: number;
  group: number;
}

export interface RayOptions {
  near?: number;
  far?: number;
}

export type Shape =
  | { sphere: Floats }
  | { capsule: Floats }
  | { box: { centre: Floats; half: Floats; rotation?: Floats } }
  | { plane: Floats }
  | { halfSpace: Floats };

export interface Nearest {
  distance: number;
  triangles: [number, number];
  points: [[number, number, number], [number, number, number]];
}

export interface Impact {
  /** From 0, at the start, to 1, at the end. */
  toi: number;
  /** They meet at the start already. */
  initial: boolean;
  triangles: [number, number];
  point: [number, number, number];
  normal: [number, number, number];
}

/** Two bodies of one model, in the pose before and after; may be the same. */
export interface Motion {
  start: Body;
  end: Body;
}

export interface Model {
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly jointCount: number;
  readonly morphCount: number;
  readonly groupCount: number;
  body(): Body;
  dispose(): void;
}

export interface Body {
  readonly model: Model;
  setPose(matrices: Floats, options?: PoseOptions): void;
  setPositions(positions: Floats): void;
  setGroups(groups: Iterable<number> | null): void;
  positions(): Float32Array;
  raycast(origin: Floats, direction: Floats, options?: RayOptions & { all?: false }): RayHit | null;
  raycast(origin: Floats, direction: Floats, options: RayOptions & { all: true }): RayHit[];
  touch(shape: Shape): Uint32Array;
  dispose(): void;
}

export interface Graze {
  readonly version: string;
  readonly bytes: number;
  model(def: ModelDef): Model;
  collide(a: Body, b: Body): Uint32Array;
  collideFirst(a: Body, b: Body): [number, number] | null;
  self(body: Body, options?: { onlyNew?: boolean }): Uint32Array;
  distance(a: Body, b: Body, options?: { limit?: number }): Nearest | null;
  sweep(a: Motion, b: Motion | null, options?: { onlyNew?: boolean }): Impact | null;
}

/** Bad input, in words. */
export class GrazeError extends Error {}

export function createGraze(options?: {
  wasm?: BufferSource | WebAssembly.Module | URL | string;
}): Promise<Graze>;
