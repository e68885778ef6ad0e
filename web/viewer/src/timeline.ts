// Hits over time: a bar for each frame that was looked at, and where we are.
import { styleText } from "./theme";

export interface Track {
  times: number[]; // of each frame, seconds
  counts: Int32Array; // pairs in each; -1: not looked at yet
  fresh: Int32Array; // of them those that do not meet at rest, too: all of two bodies
}

const MARGIN = { left: 12, right: 12, top: 18, bottom: 20 };
const STEPS = [1, 2, 5, 10, 15, 20, 30, 50, 60, 100, 120, 150, 200, 300, 500, 600, 1000];

export function emptyTrack(times: number[]): Track {
  return { times, counts: new Int32Array(times.length).fill(-1), fresh: new Int32Array(times.length) };
}

export function formatTime(seconds: number): string {
  return seconds.toFixed(3);
}

export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

export function countPairs(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "pair" : "pairs"}`;
}

export class Timeline {
  private track: Track = emptyTrack([0]);
  private place = 0;
  private known = 0;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly tip: HTMLElement,
    go: (frame: number) => void) {
    let held = false;
    canvas.addEventListener("pointerdown", (event) => {
      held = true;
      canvas.setPointerCapture(event.pointerId);
      go(this.frameUnder(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (held) go(this.frameUnder(event));
      this.showTip(event);
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (held = false));
    canvas.addEventListener("pointerleave", () => (tip.hidden = true));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** place: between two frames while it plays. Draws only what has changed. */
  set(track: Track, place: number): void {
    const known = track.counts.reduce((sum, count) => sum + (count < 0 ? 0 : 1), 0);
    if (track === this.track && place === this.place && known === this.known) return;
    [this.track, this.place, this.known] = [track, place, known];
    const frame = Math.round(place);
    this.canvas.setAttribute("aria-valuemin", "0");
    this.canvas.setAttribute("aria-valuemax", String(track.times.length - 1));
    this.canvas.setAttribute("aria-valuenow", String(frame));
    this.canvas.setAttribute("aria-valuetext", this.wordsAt(frame));
    this.draw();
  }

  private xOf(place: number): number {
    const width = this.canvas.clientWidth - MARGIN.left - MARGIN.right;
    return MARGIN.left + ((place + 0.5) / this.track.times.length) * width;
  }

  private frameUnder(event: PointerEvent): number {
    const box = this.canvas.getBoundingClientRect(), width = box.width - MARGIN.left - MARGIN.right;
    const frame = Math.floor(((event.clientX - box.left - MARGIN.left) / width) * this.track.times.length);
    return Math.min(Math.max(frame, 0), this.track.times.length - 1);
  }

  private wordsAt(frame: number): string {
    const count = this.track.counts[frame] ?? -1;
    const fresh = this.track.fresh[frame] ?? 0, told = count === fresh ? "" : `, ${formatCount(fresh)} not at rest`;
    const words = count < 0 ? "not looked at yet" : count ? countPairs(count) + told : "free";
    return `frame ${frame} · ${formatTime(this.track.times[frame] ?? 0)} s · ${words}`;
  }

  private showTip(event: PointerEvent): void {
    const { tip } = this, top = this.canvas.getBoundingClientRect().top - 6;
    tip.textContent = this.wordsAt(this.frameUnder(event));
    tip.hidden = false;
    const half = tip.offsetWidth / 2, middle = Math.min(Math.max(event.clientX, half + 4), innerWidth - half - 4);
    tip.style.left = `${middle - half}px`;
    tip.style.top = `${top - tip.offsetHeight}px`;
  }

  draw(): void {
    const { canvas } = this, scale = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext("2d")!;
    pen.scale(scale, scale);
    pen.font = "11px system-ui, sans-serif";
    const floor = height - MARGIN.bottom;
    this.drawAxis(pen, width, height, floor);
    this.drawBars(pen, width, floor);
    this.drawCursor(pen, floor);
  }

  private drawAxis(pen: CanvasRenderingContext2D, width: number, height: number, floor: number): void {
    const { times } = this.track, last = times.length - 1;
    pen.strokeStyle = styleText("--line");
    pen.beginPath();
    pen.moveTo(MARGIN.left, floor + 0.5);
    pen.lineTo(width - MARGIN.right, floor + 0.5);
    pen.stroke();
    pen.fillStyle = styleText("--soft");
    const every = Math.max(1, Math.ceil(last / Math.max(1, Math.floor(width / 110))));
    const step = STEPS.find((n) => n >= every) ?? Math.ceil(every / 1000) * 1000;
    let end = -Infinity;
    for (let k = 0; k <= last; k += step) {
      const text = `${k} · ${Number(times[k].toFixed(2))} s`, size = pen.measureText(text).width;
      const x = Math.min(Math.max(this.xOf(k) - size / 2, 2), width - size - 2);
      if (x < end) continue;
      pen.fillText(text, x, height - 5);
      pen.fillRect(Math.round(this.xOf(k)), floor, 1, 4);
      end = x + size + 12;
    }
  }

  private drawBars(pen: CanvasRenderingContext2D, width: number, floor: number): void {
    const { counts, fresh, times } = this.track, room = floor - MARGIN.top;
    let most = 0;
    for (const count of counts) most = Math.max(most, count);
    const column = (width - MARGIN.left - MARGIN.right) / times.length;
    const bar = Math.max(1, Math.min(column - (column > 4 ? 1 : 0), 56));
    const hit = styleText("--hit-a"), rest = styleText("--bar-rest"), unknown = styleText("--line");
    const paint = (k: number, rise: number, colour: string) => {
      pen.fillStyle = colour;
      pen.fillRect(this.xOf(k) - bar / 2, floor - rise, bar, rise);
    };
    const riseOf = (count: number) => (count ? Math.max(2, (room * count) / most) : 0);
    for (let k = 0; k < counts.length; k++)
      if (counts[k] < 0) paint(k, 2, unknown);
      else {
        paint(k, riseOf(counts[k]), rest);
        paint(k, riseOf(fresh[k]), hit);
      }
    if (!most) return;
    pen.fillStyle = styleText("--soft");
    const words = countPairs(most), size = pen.measureText(words).width, right = width - MARGIN.right - size;
    pen.fillText(words, this.xOf(this.place) > right - 10 ? MARGIN.left : right, MARGIN.top - 6);
  }

  private drawCursor(pen: CanvasRenderingContext2D, floor: number): void {
    const x = Math.round(this.xOf(this.place)) + 0.5;
    pen.strokeStyle = pen.fillStyle = styleText("--text");
    pen.beginPath();
    pen.moveTo(x, 4);
    pen.lineTo(x, floor + 4);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x - 5, 4);
    pen.lineTo(x + 5, 4);
    pen.lineTo(x, 11);
    pen.fill();
  }
}
