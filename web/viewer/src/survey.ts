// Hits in every frame, found in slices so that the page stays at hand.
import type { Engine, Skinning, TreeKind } from "./engine";
import { Cast, Character, Question } from "./session";
import { emptyTrack, Track } from "./timeline";

const SLICE = 9; // milliseconds

export class Survey {
  track: Track = emptyTrack([0]);
  done = 0;
  private run = 0;
  private cast: Cast | null = null;

  constructor(private readonly engine: Engine, private readonly onProgress: () => void,
    private readonly onError: (error: unknown) => void) {}

  get finished(): boolean {
    return this.done === this.track.times.length;
  }

  /** Begins anew, after a while in which nothing else may be asked. */
  start(characters: Character[], skinning: Skinning, tree: TreeKind, question: Question, times: number[],
    wait: number): void {
    const run = ++this.run;
    this.track = emptyTrack(times);
    this.done = 0;
    this.onProgress();
    setTimeout(() => {
      if (run === this.run) this.begin(run, characters, skinning, tree, question);
    }, wait);
  }

  private begin(run: number, characters: Character[], skinning: Skinning, tree: TreeKind, question: Question): void {
    const { cast } = this;
    try {
      if (!cast || cast.skinning !== skinning || cast.tree !== tree || cast.characters.some((one, i) => one !== characters[i])) {
        cast?.dispose();
        this.cast = null;
        this.cast = new Cast(this.engine, characters, skinning, tree);
      }
    } catch (error) {
      this.onError(error);
      return;
    }
    this.slice(run, this.cast!, question);
  }

  private slice(run: number, cast: Cast, question: Question): void {
    if (run !== this.run) return;
    const end = performance.now() + SLICE, count = this.track.times.length;
    try {
      do {
        cast.pose(question, this.track.times[this.done]);
        const found = cast.ask(question), rest = cast.atRest(question, found), count = found.pairs.length / 2;
        this.track.counts[this.done] = count;
        this.track.fresh[this.done] = rest ? count - rest.reduce((sum, bit) => sum + bit, 0) : count;
        this.done++;
      } while (this.done < count && performance.now() < end);
    } catch (error) {
      this.onError(error);
      return;
    }
    this.onProgress();
    if (this.done < count) setTimeout(() => this.slice(run, cast, question), 0);
  }
}
