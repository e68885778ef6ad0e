import type { Mesh, SkinnedMesh } from "three";

import type { Body, Graze, Model, ModelDef, Skinning } from "./index.js";

export function meshDef(mesh: Mesh | SkinnedMesh): ModelDef;

export class MeshBody {
  constructor(graze: Graze, mesh: Mesh | SkinnedMesh, options?: { skinning?: Skinning; placed?: boolean });
  readonly mesh: Mesh | SkinnedMesh;
  readonly model: Model;
  readonly body: Body;
  pose(): void;
  dispose(): void;
}

export interface Acceleration {
  readonly mesh: Mesh | SkinnedMesh;
  readonly body: Body;
  dispose(): void;
}

export function accelerate(graze: Graze, mesh: Mesh | SkinnedMesh): Acceleration;
