// Hits in every frame, found in slices so that the page stays at hand.
import type { Engine, Skinning } from "./engine";
import { Cast, Character, Question } from "./session";
import type { Track } from "./timeline";

const SLICE = 9; // milliseconds

export class Survey {
  track: Track = { times: [0], counts: new Int32Array([-1]) };
  done = 0;
  private run = 0;
  private cast: Cast | null = null;

  constructor(private readonly engine: Engine, private readonly onProgress: () => void,
    private readonly onError: (error: unknown) => void) {}

  get finished(): boolean {
    return this.done === this.track.times.length;
  }

  /** Begins anew, after a while in which nothing else may be asked. */
  start(characters: Character[], skinning: Skinning, question: Question, times: number[], from: number, wait: number): void {
    const run = ++this.run;
    this.track = { times, counts: new Int32Array(times.length).fill(-1) };
    this.done = 0;
    this.onProgress();
    setTimeout(() => {
      if (run === this.run) this.begin(run, characters, skinning, question, from);
    }, wait);
  }

  stop(): void {
    this.run++;
    this.cast?.dispose();
    this.cast = null;
  }

  private begin(run: number, characters: Character[], skinning: Skinning, question: Question, from: number): void {
    try {
      if (!this.cast || this.cast.skinning !== skinning || this.cast.characters.some((one, i) => one !== characters[i])) {
        this.cast?.dispose();
        this.cast = new Cast(this.engine, characters, skinning);
      }
    } catch (error) {
      this.onError(error);
      return;
    }
    this.slice(run, this.cast, question, from);
  }

  /** Frames from where we are on, then those before. */
  private slice(run: number, cast: Cast, question: Question, from: number): void {
    if (run !== this.run) return;
    const end = performance.now() + SLICE, count = this.track.times.length;
    try {
      do {
        const frame = (from + this.done) % count;
        cast.pose(question, this.track.times[frame]);
        this.track.counts[frame] = cast.ask(question).pairs.length / 2;
        this.done++;
      } while (this.done < count && performance.now() < end);
    } catch (error) {
      this.onError(error);
      return;
    }
    this.onProgress();
    if (this.done < count) setTimeout(() => this.slice(run, cast, question, from), 0);
  }
}
