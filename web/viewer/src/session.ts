// Models and bodies of what is shown, and the questions put to them: nothing here knows the page.
import { Body, Contacts, Engine, Found, Model, Placing, Skinning, Tree, TreeKind, UNPLACED } from "./engine";
import type { Rig } from "./gltf/rig";
import { Surface } from "./surface";

export const FPS = 30;

/** A file that was read. */
export class Character {
  readonly surface: Surface;
  private readonly models = new Map<string, Model>();

  constructor(private readonly engine: Engine, readonly name: string, readonly rig: Rig) {
    this.surface = new Surface(rig.positions, rig.triangles);
    this.model("linear", "boxes"); // says now what is wrong with it
  }

  /** The model under a kind of skinning, which one without a skin does not have. */
  model(skinning: Skinning, tree: TreeKind): Model {
    const kind = this.rig.skinned ? skinning : "linear", key = `${kind} ${tree}`;
    let model = this.models.get(key);
    if (!model) this.models.set(key, (model = this.engine.model(this.rig, kind, tree)));
    return model;
  }

  get vertexCount(): number {
    return this.rig.positions.length / 3;
  }

  get triangleCount(): number {
    return this.rig.triangles.length / 3;
  }

  dispose(): void {
    for (const model of this.models.values()) model.dispose();
    this.models.clear();
  }
}

/** What is asked. */
export interface Question {
  alone: boolean; // of the first body with itself
  clips: [number, number]; // -1: none
  placing: Placing; // of the second
}

/** The bodies of one kind of skinning. */
export class Cast {
  readonly bodies: Body[];

  constructor(private readonly engine: Engine, readonly characters: Character[], readonly skinning: Skinning,
    readonly tree: TreeKind) {
    this.bodies = characters.map((character) => character.model(skinning, tree).body());
  }

  pose(question: Question, time: number): void {
    this.bodies[0].pose(question.clips[0], time, UNPLACED);
    if (!question.alone) this.bodies[1].pose(question.clips[1], time, question.placing);
  }

  ask(question: Question): Found {
    return question.alone ? this.engine.self(this.bodies[0]) : this.engine.collide(this.bodies[0], this.bodies[1]);
  }

  askEagerly(question: Question) {
    return this.engine.eager(this.bodies[0], question.alone ? null : this.bodies[1]);
  }

  /** Which of the pairs found a body has at rest, too; null for two bodies. */
  atRest(question: Question, found: Found): Uint8Array | null {
    return question.alone && found.pairs.length ? this.engine.rest(this.bodies[0], found.pairs) : null;
  }

  contacts(): Contacts {
    return this.engine.contacts(this.bodies[0], this.bodies[1]);
  }

  trees(question: Question): Tree[] {
    return this.bodies.slice(0, question.alone ? 1 : 2).map((body) => body.tree());
  }

  /** Everything computed of the pose is given up. */
  forget(question: Question): void {
    for (const body of this.bodies.slice(0, question.alone ? 1 : 2)) body.forget();
  }

  dispose(): void {
    for (const body of this.bodies) body.dispose();
  }
}

/** Times of frames as the command has them with --times all. */
export function frameTimes(characters: Character[], question: Question): number[] {
  const lengths = characters.map((character, i) => (question.alone && i ? 0 : character.rig.clips[question.clips[i]]?.seconds ?? 0));
  const end = Math.max(...lengths), count = Math.ceil(end * FPS - 1e-3) + 1;
  return Array.from({ length: Math.max(count, 1) }, (_, k) => (k + 1 === count ? end : k / FPS));
}

const BATCHES = 3;

/** Microseconds that a task takes: the least mean over some batches long enough for a clock of 0.1 ms. */
export function leastTime(task: () => void, budget: number): number {
  const start = performance.now();
  let least = Infinity;
  for (let times = 1, batches = 0; ;) {
    const before = performance.now();
    for (let i = 0; i < times; i++) task();
    const after = performance.now(), spent = after - before, late = after - start >= 8 * budget;
    if (spent >= 1.5 || late) {
      least = Math.min(least, (1000 * spent) / times);
      batches++;
    } else times = Math.min(4 * times, 1 << 16);
    if (late || (batches >= BATCHES && after - start >= budget)) return least;
  }
}
