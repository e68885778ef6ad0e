import type { Mesh, SkinnedMesh } from "three";

import type { Body, Graze, Model, ModelDef, Skinning } from "./index.js";

/** What graze.model() takes, of one mesh: an InstancedMesh or BatchedMesh is refused. */
export function meshDef(mesh: Mesh | SkinnedMesh): ModelDef;

/** A body that is where the mesh is, at every question: three.js must have updated world matrices. */
export class MeshBody {
  constructor(graze: Graze, mesh: Mesh | SkinnedMesh, options?: { skinning?: Skinning; placed?: boolean });
  readonly mesh: Mesh | SkinnedMesh;
  readonly model: Model;
  readonly body: Body;
  /** Every question does so by itself. */
  pose(): void;
  dispose(): void;
}

export interface Acceleration {
  readonly mesh: Mesh;
  /** Of all triangles, in the mesh's space; null of a BatchedMesh. */
  readonly body: Body | null;
  dispose(): void;
}

/** A Mesh, SkinnedMesh, InstancedMesh or BatchedMesh; throws a GrazeError for what it cannot do. */
export function accelerate(graze: Graze, mesh: Mesh): Acceleration;
