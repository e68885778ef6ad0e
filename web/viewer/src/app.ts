// What is shown and asked now. Controls, keys and hands change it through the methods here; the page is
// told by `onChange` (settings), `onAnswer` (what was found), `onMeasure` (what it cost) and `onProgress`.
import { Box3, Vector3 } from "three";
import { Contacts, Engine, Found, Placing, RayHit, Skinning, SKINNINGS, Stats, Tree, TreeKind } from "./engine";
import type { Opened } from "./files";
import { Pane, ShowOptions } from "./pane";
import { Cast, Character, FPS, frameTimes, leastTime, Question } from "./session";
import type { Stage } from "./stage";
import { Survey } from "./survey";

export interface Answer {
  skinning: Skinning;
  trees: Tree[]; // where they are shown
  found: Found;
  rest: Uint8Array | null; // of self-collision: 1 for a pair that meets in the rest pose, too
  contacts: Contacts | null;
}

export interface Cost {
  rounds: number; // that it was measured in so far
  lazy: number; // microseconds
  eager: number;
  eagerStats: Stats;
}

export interface Ray {
  origin: Float32Array;
  direction: Float32Array;
  pane: number;
  body: number; // that was hit last, or aimed at
  hit: RayHit | null;
  micros: number;
}

export class App {
  characters: Character[] = []; // the first, and the second: the same where no other was opened
  alone = false;
  clips: [number, number] = [-1, -1];
  placing: Placing = { at: [0, 0, 0], turn: 0, phase: 0 };
  skin: Skinning = "linear";
  compare = false;
  treeKind: TreeKind = "boxes";
  level = 0;
  levels = 1;
  show: ShowOptions = { hits: true, contacts: true, tree: false, xray: true, edges: false };
  place = 0; // in frames; between two while it plays
  playing = false;
  speed = 1;
  measures = true; // what answers cost
  answers: Answer[] = [];
  cost: Cost | null = null;
  ray: Ray | null = null;
  readonly survey: Survey;
  onChange: () => void = () => {};
  onAnswer: () => void = () => {};
  onMeasure: () => void = () => {};
  onProgress: () => void = () => {}; // of the survey
  onError: (error: unknown) => void = () => {};
  private casts: Cast[] = [];
  private stale = false; // answers are not those of the present settings
  private unseen = false; // the picture is not that of the answers
  private measuring = 0;
  private bounds = new Box3();

  constructor(private readonly engine: Engine, readonly stage: Stage) {
    this.survey = new Survey(engine, () => this.onProgress(), (error) => this.onError(error));
    stage.onBefore = () => this.present();
  }

  get ready(): boolean {
    return this.casts.length > 0;
  }

  get question(): Question {
    return { alone: this.alone, clips: this.clips, placing: this.placing };
  }

  /** All that answers depend on, but the time. */
  private get asked(): string {
    return JSON.stringify([this.question, this.skin, this.treeKind]);
  }

  get frames(): number {
    return this.survey.track.times.length;
  }

  get frame(): number {
    return Math.round(this.place);
  }

  get time(): number {
    const { times } = this.survey.track, before = Math.min(Math.floor(this.place), times.length - 1);
    const after = Math.min(before + 1, times.length - 1);
    return times[before] + (this.place - before) * (times[after] - times[before]);
  }

  get canSkin(): boolean {
    return this.characters.some((character) => character.rig.skinned);
  }

  // ---- models ----

  /** Shows a model that was read. What was shown stays if it cannot be. */
  load(opened: Opened, second: boolean): void {
    const character = new Character(this.engine, opened.name, opened.rig), before = [...this.characters];
    const asSecond = second && before.length > 0;
    this.characters = asSecond ? [before[0], character] : [character, character];
    try {
      this.rebuild();
    } catch (error) {
      this.characters = before;
      character.dispose();
      if (before.length) this.rebuild();
      throw error;
    }
    for (const old of new Set(before)) if (!this.characters.includes(old)) old.dispose();
    if (asSecond) this.alone = false;
    this.clips = [asSecond ? this.clips[0] : firstClip(character), firstClip(character)];
    this.placing = this.firstPlacing();
    this.place = 0;
    this.playing = false;
    this.ray = null;
    this.level = Math.min(3, this.levels - 1);
    this.restart(0);
    this.lookAtAll(true);
    this.onChange();
  }

  /** Beside the first, as far away as they still meet in some frames. */
  private firstPlacing(): Placing {
    const cast = this.casts[0], unplaced: Placing = { at: [0, 0, 0], turn: 0, phase: 0 };
    const question = { alone: false, clips: this.clips, placing: unplaced };
    const times = frameTimes(this.characters, question).filter((_, k, all) => k % Math.ceil(all.length / 8) === 0);
    cast.pose(question, 0);
    const [a, b] = cast.bodies.map((body) => boxAround([body.positions()]).getSize(new Vector3()));
    for (let part = 0.5; part > 0.1; part -= 0.02) {
      const placing: Placing = { ...unplaced, at: [this.rounded(part * (a.x + b.x)), 0, 0] };
      const hits = times.filter((time) => {
        cast.pose({ ...question, placing }, time);
        return cast.ask({ ...question, placing }).pairs.length > 0;
      }).length;
      if (4 * hits >= times.length) return placing;
    }
    return { ...unplaced, at: [this.rounded(0.3 * (a.x + b.x)), 0, 0] };
  }

  /** To a thousandth of the model's size, so that numbers stay short. */
  rounded(value: number): number {
    const size = Math.max(boxAround([this.characters[0].rig.positions]).getSize(new Vector3()).length(), 1e-9);
    const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(size))));
    return Number(value.toFixed(digits)) || 0;
  }

  private rebuild(): void {
    const kinds = this.compare ? SKINNINGS : [this.skin], before = this.casts;
    const made: Cast[] = [];
    try {
      for (const kind of kinds) made.push(new Cast(this.engine, this.characters, kind, this.treeKind));
    } catch (error) {
      for (const cast of made) cast.dispose();
      throw error;
    }
    this.casts = made;
    for (const cast of before) cast.dispose();
    this.levels = Math.max(...this.characters.map((character) => character.model(this.skin, this.treeKind).levels));
    this.level = Math.min(this.level, this.levels - 1);
    this.stage.setPanes(kinds.map(() => new Pane(this.characters.map((character) => character.surface))));
  }

  // ---- settings ----

  /** Anything that changes answers in every frame. */
  change(settings: Partial<Pick<App, "alone" | "clips" | "placing" | "skin" | "compare" | "treeKind">>): void {
    if (!this.ready) return;
    const before = { skin: this.skin, compare: this.compare, treeKind: this.treeKind, asked: this.asked };
    Object.assign(this, settings);
    if (!this.canSkin) [this.skin, this.compare] = ["linear", false];
    try {
      if (this.skin !== before.skin || this.compare !== before.compare || this.treeKind !== before.treeKind) this.rebuild();
    } catch (error) {
      [this.skin, this.compare, this.treeKind] = [before.skin, before.compare, before.treeKind];
      this.onError(error);
    }
    if (this.compare !== before.compare) this.stage.fit(this.bounds);
    if (this.treeKind !== before.treeKind) this.level = Math.min(this.treeKind === "paper" ? 5 : 3, this.levels - 1);
    if (this.ray) this.ray.pane = Math.min(this.ray.pane, this.casts.length - 1);
    if (this.asked !== before.asked) this.restart(120);
    else this.update();
    this.onChange();
  }

  setShow(settings: Partial<ShowOptions>): void {
    Object.assign(this.show, settings);
    this.update();
    this.onChange();
  }

  setLevel(level: number): void {
    this.level = Math.min(Math.max(level, 0), this.levels - 1);
    this.update();
    this.onChange();
  }

  private restart(wait: number): void {
    const time = this.survey.track.times.length > 1 ? this.time : 0, times = frameTimes(this.characters, this.question);
    this.survey.start(this.characters, this.skin, this.treeKind, this.question, times, wait);
    this.place = Math.min(Math.round(time * FPS), times.length - 1);
    this.update();
  }

  // ---- time ----

  go(place: number): void {
    this.place = Math.min(Math.max(place, 0), this.frames - 1);
    this.update();
  }

  /** To the nearest frame with hits after this one (or before it); false if there is none. */
  goToHit(step: 1 | -1): boolean {
    const { fresh } = this.survey.track;
    for (let frame = this.frame + step; frame >= 0 && frame < fresh.length; frame += step)
      if (fresh[frame] > 0) {
        this.go(frame);
        return true;
      }
    return false;
  }

  play(on = !this.playing): void {
    if (on === this.playing || this.frames < 2) return;
    this.playing = on;
    this.onChange();
    if (!on) return this.go(this.frame);
    let last = performance.now();
    const step = (now: number) => {
      if (!this.playing) return;
      const next = this.place + ((now - last) / 1000) * FPS * this.speed;
      last = now;
      this.go(next > this.frames - 1 ? 0 : next);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // ---- answers ----

  /** Asks and draws anew, once for all that has changed until the next picture. */
  update(): void {
    if (this.stale || !this.ready) return;
    this.stale = true;
    queueMicrotask(() => {
      this.stale = false;
      try {
        this.ask();
      } catch (error) {
        this.playing = false;
        this.onError(error);
      }
    });
  }

  private ask(): void {
    const { question } = this;
    this.answers = this.casts.map((cast) => {
      cast.pose(question, this.time);
      const found = cast.ask(question), trees = this.show.tree ? cast.trees(question) : [];
      const rest = cast.atRest(question, found), contacts = question.alone || !found.pairs.length ? null : cast.contacts();
      return { skinning: cast.skinning, trees, found, rest, contacts };
    });
    const { ray } = this, met = ray && this.pick(new Vector3(...ray.origin), new Vector3(...ray.direction), ray.pane);
    if (ray) ray.hit = met?.hit ?? null;
    if (ray && met) ray.body = met.body;
    if (ray) ray.micros = NaN;
    this.cost = null;
    this.unseen = true;
    this.stage.redraw();
    this.measureSoon();
  }

  /** Body parts of the first body that meet, other than at rest, most pairs first. */
  meetings(answer: Answer): { parts: [number, number]; count: number }[] {
    const { groups } = this.characters[0].model(answer.skinning, this.treeKind), found = new Map<string, number>();
    const { pairs } = answer.found;
    for (let i = 0; i < pairs.length; i += 2) {
      if (answer.rest?.[i / 2]) continue;
      const key = [groups[pairs[i]], groups[pairs[i + 1]]].sort((x, y) => x - y).join();
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    return [...found].sort((x, y) => y[1] - x[1])
      .map(([key, count]) => ({ parts: key.split(",").map(Number) as [number, number], count }));
  }

  /** Brings the picture up to the answers: before it is drawn, however many were asked for since. */
  present(): void {
    if (!this.unseen || !this.ready) return;
    this.unseen = false;
    this.answers.forEach(({ found, rest, contacts, trees }, i) => {
      const pane = this.stage.panes[i];
      pane.figures[1].group.visible = !this.alone;
      pane.figures.forEach((figure, j) => {
        if (!j || !this.alone) figure.posed.set(this.casts[i].bodies[j].positions());
      });
      pane.show(this.show);
      pane.light(...this.litBy(found, rest));
      pane.setContacts(this.show.contacts ? contacts : null, this.stage.size);
      pane.setTree(trees, this.level);
    });
    this.drawRay();
    this.onAnswer();
  }

  /** Of each figure the triangles that meet something, and those that do so at rest, too. */
  private litBy(found: Found, atRest: Uint8Array | null): [Set<number>[], Set<number>[]] {
    const hits = [new Set<number>(), new Set<number>()], rest = [new Set<number>(), new Set<number>()];
    if (!this.show.hits) return [hits, rest];
    const { pairs } = found;
    for (let i = 0; i < pairs.length; i += 2) {
      const to = atRest?.[i / 2] ? rest : hits;
      to[0].add(pairs[i]);
      to[this.alone ? 0 : 1].add(pairs[i + 1]);
    }
    for (const t of hits[0]) rest[0].delete(t);
    return [hits, rest];
  }

  /** Where the second body must not be in the way: asked when a hand is put down. */
  pick(origin: Vector3, direction: Vector3, pane: number): { body: number; hit: RayHit } | null {
    const from = Float32Array.from(origin.toArray()), to = Float32Array.from(direction.toArray());
    const hits = this.casts[pane].bodies.flatMap((body, i) => {
      const hit = i && this.alone ? null : body.raycast(from, to).hit;
      return hit ? [{ body: i, hit }] : [];
    });
    return hits.sort((x, y) => x.hit.t - y.hit.t)[0] ?? null;
  }

  castRay(origin: Vector3, direction: Vector3, pane: number): void {
    this.ray = { origin: Float32Array.from(origin.toArray()), direction: Float32Array.from(direction.toArray()), pane,
      body: this.pick(origin, direction, pane)?.body ?? 0, hit: null, micros: NaN };
    this.update();
  }

  dropRay(): void {
    this.ray = null;
    this.update();
  }

  /** The ray stays and meets whatever comes its way. */
  private drawRay(): void {
    const { ray } = this;
    this.stage.panes.forEach((pane) => {
      pane.ray.set([], null);
      for (const figure of pane.figures) figure.light("ray", []);
    });
    if (!ray) return;
    const pane = this.stage.panes[ray.pane], reach = 0.35 * this.stage.size;
    const end = ray.hit ? ray.hit.point : [...ray.origin].map((x, k) => x + 4 * this.stage.size * ray.direction[k]);
    const tail = ray.hit ? end.map((x, k) => x - reach * ray.direction[k]) : [...ray.origin];
    const normal = ray.hit ? [...end, ...end.map((x, k) => x + 0.12 * this.stage.size * unit(ray.hit!.normal)[k])] : [];
    pane.ray.set([...tail, ...end, ...normal], ray.hit ? end : null);
    if (ray.hit) pane.figures[ray.body].light("ray", [ray.hit.triangle]);
  }

  // ---- what it costs ----

  /** Some times over while nothing changes: the least counts, as the machine does other things too. */
  private measureSoon(): void {
    clearTimeout(this.measuring);
    let rounds = 0;
    const round = () => {
      try {
        this.measure(rounds === 0);
      } catch (error) {
        this.onError(error);
        return;
      }
      if (++rounds < 8) this.measuring = window.setTimeout(round, 40 * rounds);
    };
    this.measuring = window.setTimeout(round, 60);
  }

  /** The present question of the chosen skinning, again and again from its pose. */
  private measure(anew: boolean): void {
    if (!this.ready || this.playing || !this.measures) return;
    const { question, ray } = this, before = anew ? null : this.cost;
    const cast = this.casts.find((one) => one.skinning === this.skin) ?? this.casts[0];
    const time = (ask: () => unknown) => leastTime(() => {
      cast.forget(question);
      ask();
    }, 6);
    let eagerStats: Stats | null = null;
    const lazy = time(() => cast.ask(question)), eager = time(() => (eagerStats = cast.askEagerly(question)));
    this.cost = { rounds: (before?.rounds ?? 0) + 1, lazy: Math.min(lazy, before?.lazy ?? Infinity),
      eager: Math.min(eager, before?.eager ?? Infinity), eagerStats: eagerStats! };
    if (ray) {
      const body = this.casts[ray.pane].bodies[ray.body], spent = leastTime(() => {
        body.forget();
        body.raycast(ray.origin, ray.direction);
      }, 4);
      ray.micros = anew ? spent : Math.min(spent, ray.micros || Infinity);
    }
    this.onMeasure();
  }

  // ---- the view ----

  /** A box around all bodies in some frames of the clip. */
  private surround(): Box3 {
    const { question } = this, { times } = this.survey.track, cast = this.casts[0], all: Float32Array[] = [];
    for (const part of [0, 0.25, 0.5, 0.75]) {
      cast.pose(question, times[Math.floor(part * times.length)]);
      cast.bodies.forEach((body, i) => (question.alone && i ? 0 : all.push(body.positions())));
    }
    return boxAround(all);
  }

  lookAtAll(anew = false): void {
    if (!this.ready) return;
    this.bounds = this.surround();
    this.stage.size = Math.max(this.bounds.getSize(new Vector3()).length() / 2, 1e-9);
    const sides = this.bounds.getSize(new Vector3());
    this.stage.shape = Math.max(sides.x, sides.z) / Math.max(sides.y, 1e-9);
    this.stage.makeFloor(this.bounds);
    this.stage.fit(this.bounds, anew ? 0.45 : null);
    this.update();
  }

  /** Goes to where bodies meet now; false if they do not. */
  goToHits(): boolean {
    const answer = this.answers[0];
    if (!answer?.found.pairs.length) return false;
    this.present();
    const box = new Box3(), { pairs } = answer.found, pane = this.stage.panes[0];
    pairs.forEach((t, i) => {
      const { posed } = pane.figures[this.alone ? 0 : i % 2], points = posed.positions.array;
      for (let k = 0; k < 3; k++) {
        const at = 3 * posed.surface.corners[3 * t + k];
        box.expandByPoint(new Vector3(points[at], points[at + 1], points[at + 2]));
      }
    });
    const least = 0.2 * this.stage.size, size = box.getSize(new Vector3()).length() / 2;
    if (size < least) box.expandByScalar((least - size) / Math.sqrt(3));
    this.stage.fit(box);
    return true;
  }
}

function firstClip(character: Character): number {
  return character.rig.clips.length ? 0 : -1;
}

function unit(vector: number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((x) => x / length);
}

function boxAround(clouds: Float32Array[]): Box3 {
  const box = new Box3();
  for (const points of clouds)
    for (let i = 0; i < points.length; i += 3) {
      box.min.set(Math.min(box.min.x, points[i]), Math.min(box.min.y, points[i + 1]), Math.min(box.min.z, points[i + 2]));
      box.max.set(Math.max(box.max.x, points[i]), Math.max(box.max.y, points[i + 1]), Math.max(box.max.z, points[i + 2]));
    }
  return box;
}
