// What the page says: the answer, its cost, the ray, and the command that gives the same.
import type { App } from "./app";
import { formatCount, formatTime, countPairs } from "./timeline";

export function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function made(tag: string, text: string, name = ""): HTMLElement {
  const node = document.createElement(tag);
  node.textContent = text;
  if (name) node.className = name;
  return node;
}

/** Three digits that matter. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return digits > 6 ? value.toExponential(1) : value.toFixed(Math.min(digits, 6));
}

function formatMicros(micros: number): string {
  return micros >= 1000 ? `${shortNumber(micros / 1000)} ms` : `${shortNumber(micros)} µs`;
}

function partName(app: App, body: number, part: number): string {
  return app.characters[body].rig.jointNames[part] ?? String(part);
}

const MOST_MEETINGS = 4;

function partsText(app: App, [a, b]: [number, number], second: number): string {
  return a === b && !second ? partName(app, 0, a) : `${partName(app, 0, a)} – ${partName(app, second, b)}`;
}

export function writeAnswer(app: App): void {
  const answer = app.answers.find((one) => one.skinning === app.skin) ?? app.answers[0];
  if (!answer) return;
  const count = answer.found.pairs.length / 2, words = element("pairs");
  const atRest = answer.rest?.reduce((sum, bit) => sum + bit, 0) ?? 0, fresh = count - atRest;
  words.classList.toggle("hit", fresh > 0);
  const nodes: (Node | string)[] = [made("strong", fresh ? formatCount(fresh) : "Free")];
  if (fresh) nodes.push(` ${fresh === 1 ? "pair" : "pairs"} of triangles meet`);
  else nodes.push(app.alone ? " of itself in this frame" : " of each other in this frame");
  if (atRest) nodes.push(`, and ${formatCount(atRest)} as at rest`);
  words.replaceChildren(...nodes);
  const rows: [string, string][] = app.alone
    ? app.meetings(answer).map(({ parts, count: pairs }) => [partsText(app, parts, 0), countPairs(pairs)])
    : [...(answer.contacts?.contacts ?? [])].sort((x, y) => y.depth - x.depth)
      .map(({ parts, depth }) => [partsText(app, parts, 1), `${shortNumber(depth)} deep`]);
  const shown = rows.slice(0, MOST_MEETINGS).map(([names, note]) => {
    const item = made("li", "");
    item.append(made("span", names, "names"), made("span", note, "depth"));
    return item;
  });
  if (rows.length > MOST_MEETINGS) shown.push(made("li", `and ${rows.length - MOST_MEETINGS} more`, "depth"));
  element("meetings").replaceChildren(...shown);
}

/** One label a pane where there are several. */
export function writeLabels(app: App): void {
  const boxes = app.stage.boxes(), labels: HTMLElement[] = [];
  if (app.answers.length > 1)
    app.answers.forEach((answer, i) => {
      const label = made("span", "");
      label.append(made("b", { linear: "Linear", spherical: "Spherical", dual: "Dual" }[answer.skinning]),
        ` · ${countPairs(answer.found.pairs.length / 2)}`);
      label.style.left = `${boxes[i].left}px`;
      label.style.top = `${boxes[i].top}px`;
      labels.push(label);
      if (!i) return;
      const line = made("i", ""), across = boxes[i].top === 0;
      Object.assign(line.style, { left: `${boxes[i].left}px`, top: `${boxes[i].top}px`,
        width: across ? "1px" : "100%", height: across ? "100%" : "1px" });
      labels.push(line);
    });
  element("labels").replaceChildren(...labels);
}

export function writeLegend(app: App): void {
  const rows: [string, string][] = [];
  const rest = app.answers.some((answer) => answer.rest?.some((bit) => bit));
  if (app.show.tree) rows.push(["--refitted", "refitted"], ["--untouched", "never touched"]);
  if (app.show.hits && rest) rows.push(["--hit-rest", "meets at rest, too"]);
  element("legend").replaceChildren(...rows.map(([colour, words]) => {
    const item = made("li", ""), box = made("i", "");
    box.style.background = `var(${colour})`;
    item.append(box, words);
    return item;
  }));
}

function row(cells: string[], name = ""): HTMLElement {
  const line = made("tr", "", name);
  line.append(...cells.map((text) => made("td", text)));
  return line;
}

const SURE = 3; // rounds after which times are compared

/** Counts of the present frame, times of the last that was measured. */
export function writeCost(app: App): void {
  const answer = app.answers.find((one) => one.skinning === app.skin) ?? app.answers[0];
  if (!answer) return;
  const { cost } = app, eager = cost?.eagerStats, { stats } = answer.found;
  const number = (value: number | undefined) => (value === undefined ? "–" : formatCount(value));
  element("cost").querySelector("tbody")!.replaceChildren(
    row(["from pose to answer", cost ? formatMicros(cost.lazy) : "–", cost ? formatMicros(cost.eager) : "–"], "main"),
    row(["bounds refitted", number(stats.nodesRefit), number(eager?.nodesRefit)]),
    row(["vertices posed", number(stats.verticesPosed), number(eager?.verticesPosed)]),
    row(["triangles tested", number(stats.triangleTests), number(eager?.triangleTests)]));
  const ratio = cost && cost.rounds >= SURE ? cost.eager / cost.lazy : NaN;
  element("cost-words").textContent = Number.isNaN(ratio) ? (app.playing ? "" : "Measuring…") : ratio >= 1 ? `The same answer, ${shortNumber(ratio)} times faster than skinning and refitting all.`
    : ratio > 0 ? `The same answer; here skinning and refitting all is ${shortNumber(1 / ratio)} times faster.` : "";
}

export function writeRay(app: App): void {
  const { ray } = app;
  element("ray").hidden = !ray;
  if (!ray) return;
  const facts: [string, string][] = [];
  if (ray.hit) {
    facts.push(["Body", ray.body ? "second" : "first"], ["Joint", partName(app, ray.body, ray.hit.joint)],
      ["Triangle", formatCount(ray.hit.triangle)], ["Point", ray.hit.point.map(shortNumber).join(", ")],
      ["Distance", shortNumber(ray.hit.t)]);
  } else facts.push(["Hit", "nothing"]);
  facts.push(["Time", Number.isNaN(ray.micros) ? "–" : `${formatMicros(ray.micros)} from the pose`]);
  element("ray-facts").replaceChildren(...facts.flatMap(([name, value]) => [made("dt", name), made("dd", value)]));
}

function quoted(name: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/** The command that answers the present question. */
export function commandText(app: App): string {
  const [a, b] = app.characters, words = ["graze", app.alone ? "self" : "collide", quoted(a.name)];
  const clip = (i: number) => (app.clips[i] < 0 ? "none" : String(app.clips[i]));
  if (!app.alone && b !== a) words.push(quoted(b.name));
  if (app.clips[0] > 0 || (app.clips[0] < 0 && a.rig.clips.length)) words.push("--clip", clip(0));
  words.push("--time", String(app.time));
  if (!app.alone) {
    const { at, turn, phase } = app.placing;
    if (clip(1) !== clip(0)) words.push("--clip-b", clip(1));
    if (at.some((x) => x)) words.push("--at", at.join(","));
    if (turn) words.push("--turn", String(turn));
    if (phase) words.push("--phase", String(phase));
  }
  if (app.skin !== "linear") words.push("--skin", app.skin);
  if (app.treeKind === "paper") words.push("--tree", "paper");
  return [...words, "--json"].join(" ");
}

export function writeClock(app: App): void {
  element("clock").textContent = `${formatTime(app.time)} s · frame ${app.frame} of ${app.frames - 1}`;
  const { survey } = app, hits = survey.track.fresh.filter((count) => count > 0).length;
  element("survey").textContent = survey.finished
    ? `${formatCount(hits)} of ${formatCount(app.frames)} frames with hits`
    : `looking at frame ${formatCount(survey.done)} of ${formatCount(app.frames)}…`;
}
