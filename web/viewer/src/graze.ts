// The engine: Graze as WebAssembly, its queries and its rig.
import {
  createView, type Body as ViewBody, type Contacts as Finder, type Model as ViewModel, type Rig as ViewRig,
  type Stats as ViewStats, type View,
} from "../../graze-view/index.js";
import { Body, Contacts, Engine, Found, Model, Placing, RayHit, Skinning, Stats, Tree, TreeKind } from "./engine";
import { INTERPOLATIONS, PATHS, Rig, RigMorph } from "./gltf/rig";

function toColumns(rows: Float32Array): Float32Array {
  const columns = new Float32Array(16);
  for (let i = 0; i < 16; i++) columns[i] = i % 4 < 3 ? rows[(i % 4) * 4 + (i >> 2)] : i === 15 ? 1 : 0;
  return columns;
}

function makeRig(view: View, rig: Rig): ViewRig {
  return view.rig({
    nodes: rig.nodes.map(({ parent, translation, rotation, scale, matrix }) =>
      matrix ? { parent, matrix: toColumns(matrix) } : { parent, translation, rotation, scale }),
    joints: [...rig.jointNodes].map((node, i) => ({ node,
      inverseBind: toColumns(rig.inverseBinds.subarray(12 * i, 12 * i + 12)), rigid: rig.rigidJoints.has(i) })),
    morphWeights: rig.morphs.map((morph) => morph.weight),
    clips: rig.clips.map(({ name, channels }) => ({ name, channels: channels.map((channel) => ({
      path: PATHS[channel.path] as "translation", interpolation: INTERPOLATIONS[channel.interpolation] as "LINEAR",
      node: channel.node, firstMorph: channel.firstMorph, morphCount: channel.morphCount, times: channel.times,
      values: channel.values })) })),
  });
}

function dense(morph: RigMorph, vertexCount: number): Float32Array {
  const field = new Float32Array(3 * vertexCount);
  morph.vertices.forEach((vertex, i) => field.set(morph.deltas.subarray(3 * i, 3 * i + 3), 3 * vertex));
  return field;
}

/** The sine and cosine that the command turns by: whole quarters exactly. */
function turnAboutY(degrees: number): [number, number] {
  const quarters = degrees / 90, sines = [0, 1, 0, -1];
  if (quarters === Math.floor(quarters)) {
    const quarter = ((quarters % 4) + 4) % 4;
    return [sines[quarter], sines[(quarter + 1) % 4]];
  }
  const angle = degrees * (3.14159265358979323846 / 180);
  return [Math.sin(angle), Math.cos(angle)];
}

/** Four columns, or null for one that stands where its file has it. */
function placementOf({ at, turn }: Placing): Float32Array | null {
  if (!turn && at.every((x) => x === 0)) return null;
  const [s, c] = turnAboutY(turn);
  return Float32Array.of(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, at[0], at[1], at[2], 1);
}

function statsOf(stats: ViewStats): Stats {
  const { nodesRefit, boundTests, patchesPosed, verticesPosed, triangleTests } = stats;
  return { nodesRefit, boundTests, patchesPosed, verticesPosed, triangleTests };
}

class GrazeBody implements Body {
  private readonly sample;
  private placement: Float32Array | null = null;

  constructor(readonly view: View, readonly model: GrazeModel, readonly inner: ViewBody) {
    this.sample = model.rig.sample(null, 0);
  }

  pose(clip: number, time: number, placing: Placing): void {
    this.model.rig.sample(clip < 0 ? null : clip, time + placing.phase, this.sample);
    this.placement = placementOf(placing);
    this.forget();
  }

  forget(): void {
    this.inner.setPose(this.sample.matrices, { placement: this.placement, morphWeights: this.sample.morphWeights });
  }

  positions(): Float32Array {
    return this.inner.positions();
  }

  raycast(origin: Float32Array, direction: Float32Array): { hit: RayHit | null; stats: Stats } {
    const { answer, stats } = this.view.counted(() => this.inner.raycast(origin, direction));
    return { hit: answer && { ...answer, point: [...answer.point], normal: [...answer.normal] }, stats: statsOf(stats) };
  }

  tree(): Tree {
    return { ...this.view.nodes(this.inner), spheres: this.model.spheres };
  }

  dispose(): void {
    this.inner.dispose();
  }
}

class GrazeModel implements Model {
  readonly nodeCount: number;
  readonly levels: number;
  readonly groups: Uint32Array;
  readonly rig: ViewRig;
  readonly spheres: boolean;
  private readonly inner: ViewModel;

  constructor(private readonly view: View, rig: Rig, skinning: Skinning, tree: TreeKind) {
    const vertexCount = rig.positions.length / 3;
    this.rig = makeRig(view, rig);
    this.spheres = tree === "paper";
    try {
      this.inner = view.model({ positions: rig.positions, triangles: rig.triangles, jointCount: rig.jointNodes.length,
        joints: rig.joints, weights: rig.weights, influences: rig.influences,
        morphs: rig.morphs.map((morph) => dense(morph, vertexCount)), skinning, tree, rig: this.rig });
    } catch (error) {
      this.rig.dispose();
      throw error;
    }
    const body = this.inner.body(), info = view.info(body);
    this.groups = view.triangleGroups(body);
    body.dispose();
    [this.nodeCount, this.levels] = [info.nodes, info.levels];
  }

  body(): Body {
    return new GrazeBody(this.view, this, this.inner.body());
  }

  dispose(): void {
    this.inner.dispose();
    this.rig.dispose();
  }
}

class GrazeEngine implements Engine {
  private finder: { a: GrazeModel; b: GrazeModel; finder: Finder } | null = null;

  constructor(private readonly view: View) {}

  model(rig: Rig, skinning: Skinning, tree: TreeKind): Model {
    return new GrazeModel(this.view, rig, skinning, tree);
  }

  collide(a: GrazeBody, b: GrazeBody): Found {
    const { answer, stats } = this.view.counted(() => this.view.collide(a.inner, b.inner));
    return { pairs: answer, stats: statsOf(stats) };
  }

  self(body: GrazeBody): Found {
    const { answer, stats } = this.view.counted(() => this.view.self(body.inner));
    return { pairs: answer, stats: statsOf(stats) };
  }

  /** Which of the pairs meet in the rest pose, too. */
  rest(body: GrazeBody, pairs: Uint32Array): Uint8Array {
    const fresh = this.view.self(body.inner, { onlyNew: true }), rest = new Uint8Array(pairs.length / 2);
    for (let i = 0, j = 0; i < pairs.length; i += 2) {
      const isFresh = fresh[j] === pairs[i] && fresh[j + 1] === pairs[i + 1];
      if (isFresh) j += 2;
      else rest[i / 2] = 1;
    }
    return rest;
  }

  contacts(a: GrazeBody, b: GrazeBody): Contacts {
    if (!this.finder || this.finder.a !== a.model || this.finder.b !== b.model) {
      this.finder?.finder.dispose();
      this.finder = { a: a.model, b: b.model, finder: this.view.contacts(a.inner, b.inner) };
    }
    const found = this.finder.finder.find(a.inner, b.inner);
    return { segments: found.ends, contacts: found.contacts.map(({ point, normal, depth, groups, count }) =>
      ({ point, normal, depth, parts: groups, count })) };
  }

  eager(a: GrazeBody, b: GrazeBody | null): Stats {
    return statsOf(this.view.counted(() => (b ? this.view.collideEager(a.inner, b.inner) : this.view.selfEager(a.inner))).stats);
  }

  distance(a: GrazeBody, b: GrazeBody): number {
    return this.view.distance(a.inner, b.inner)?.distance ?? Infinity;
  }
}

export async function startEngine(wasm: Uint8Array): Promise<Engine> {
  return new GrazeEngine(await createView({ wasm }));
}
