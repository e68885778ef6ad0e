import type { Floats } from "./index.js";

export { GrazeError } from "./index.js";

export interface RigNode {
  /** Number of a node; left out, null or -1: none. Nodes may come in any order. */
  parent?: number | null;
  translation?: Floats;
  /** Quaternion x y z w. */
  rotation?: Floats;
  scale?: Floats;
  /** 16 floats, columns: instead of the three above, and not animated. */
  matrix?: Floats | null;
}

export interface RigJoint {
  node: number;
  /** 16 floats, columns; the identity if left out. */
  inverseBind?: Floats;
  /** It moves a mesh that has no skin: no other joint is taken for it. */
  rigid?: boolean;
}

export interface RigChannel {
  path: "translation" | "rotation" | "scale" | "weights";
  /** LINEAR if left out; rotations then turn along the shorter arc. */
  interpolation?: "LINEAR" | "STEP" | "CUBICSPLINE";
  /** Of translation, rotation and scale. */
  node?: number;
  /** Of weights: which morph targets; all if left out. */
  firstMorph?: number;
  morphCount?: number;
  /** Seconds, ascending. */
  times: Floats;
  /** 3 floats a key, of rotations 4, of weights morphCount; CUBICSPLINE: in-tangent, value and
   * out-tangent of each key. */
  values: Floats;
}

export interface RigClip {
  name?: string | null;
  channels: RigChannel[];
}

export interface RigDef {
  nodes: RigNode[];
  joints: RigJoint[];
  /** One a morph target, where no clip animates it. */
  morphWeights?: Floats;
  clips?: RigClip[];
}

export interface Sample {
  /** 16 floats a joint, columns: what body.setPose() takes. */
  matrices: Float32Array;
  morphWeights: Float32Array;
}

export interface Layer {
  clip: number | string | null;
  time: number;
  /** 1 if left out. */
  weight?: number;
}

export interface Rig {
  readonly jointCount: number;
  readonly morphCount: number;
  /** For graze.model(). */
  readonly sameJoints: Uint32Array;
  readonly bytes: number;
  readonly clips: readonly { name: string | null; seconds: number }[];
  sample(clip: number | string | null, time: number, into?: Sample): Sample;
  blend(layers: Layer[], into?: Sample): Sample;
  dispose(): void;
}

export function createRig(
  def: RigDef,
  options?: { wasm?: BufferSource | WebAssembly.Module | URL | string },
): Promise<Rig>;
