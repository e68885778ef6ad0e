/* The page: what is looked at, from the hash of its address to every part that shows it. */

function byId(id) {
  return document.getElementById(id);
}

function bodyWords(report, i) {
  const model = report.bodies[i].info, body = report.info.bodies[i];
  const words = [`${formatCount(model.triangles)} triangles`];
  if (body.clip)
    words.push(`clip ${body.clip}`);
  if (body.phase)
    words.push(`phase ${body.phase} s`);
  if (model.skinning !== "linear")
    words.push(`${model.skinning} skinning`);
  if (body.only)
    words.push(`only ${body.only}`);
  return words.join(", ");
}

function writeHeader(report, summary) {
  const info = report.info, names = report.bodies.map((model) => model.info.name);
  const title = info.title ? info.title : info.self ? `${names[0]} against itself` :
    names[0] === names[1] ? `${names[0]}, twice` : `${names[0]} and ${names[1]}`;
  const same = info.self || (names[0] === names[1] && bodyWords(report, 0) === bodyWords(report, 1));
  const facts = same ? [`${info.self ? "" : "each of "}${bodyWords(report, 0)}`] : [`A: ${bodyWords(report, 0)}`, `B: ${bodyWords(report, 1)}`];
  if (info.first)
    facts.push("the first pair of a frame only");
  if (info.new)
    facts.push(isSweep(report) ? "without what meets at an interval's start" : "without what meets in the rest pose");
  if (info.between)
    facts.push(`between ${info.between}`);
  facts.push("lengths in metres, as the file counts", `graze ${info.version}`);
  byId("title").textContent = document.title = title;
  byId("facts").textContent = facts.join(" · ");
  const frames = report.frames.length - (isSweep(report) ? 1 : 0), hit = summary.records.length;
  const worst = summary.records.reduce((x, y) => worse(y, x) ? y : x, {count: 0, fresh: 0});
  const rows = isSweep(report) ? [["intervals with an impact", `${hit} of ${frames}`]] :
    [["frames with hits", `${hit} of ${frames}`], [hasRest(report) ? "most new pairs" : "most pairs", formatCount(worst.fresh)]];
  rows.push(["part pairs", formatCount(summary.partPairs.length)]);
  for (const [term, value] of rows)
    byId("summary").append(element("div", {}, element("dt", {}, term), element("dd", {}, value)));
}

function writeLegend(report, scene) {
  const swatches = report.info.self ? [["--hit-a", "triangles that meet"]] :
    [["--body-a", "A"], ["--body-b", "B"], ["--hit-a", "hits of A"], ["--hit-b", "hits of B"]];
  if (hasRest(report))
    swatches.push(["--hit-rest", "meet at rest, too"]);
  swatches.push(["--lit-a", "parts that meet"]);
  for (const [name, words] of swatches) {
    const swatch = element("i", {});
    swatch.style.background = `var(${name})`;
    byId("legend").append(element("li", {}, swatch, words));
  }
  if (scene)
    byId("legend").append(element("li", {}, `grid ${Number(scene.cell.toPrecision(1))} m`));
}

class Page {
  constructor(report) {
    this.report = report;
    this.summary = summarise(report);
    this.last = report.frames.length - 1;
    [this.place, this.selected, this.playing] = [0, null, false];
    writeHeader(report, this.summary);
    this.makeScene();
    writeLegend(report, this.scene);
    this.timeline = new Timeline(byId("timeline"), byId("tip"), report, this.summary, (place) => {
      this.stop();
      this.go(place);
    });
    this.partTable = fillPartTable(byId("parts"), report, this.summary);
    this.frameTable = fillFrameTable(byId("frames"), report, this.summary);
    this.attach();
    if (this.readHash())
      return;
    this.go(this.worstPlace());
    if (this.scene)
      this.scene.fitNow();
  }

  makeScene() {
    this.scene = null;
    try {
      this.scene = new Scene(byId("view"), this.report);
    } catch (error) {
      byId("notice").textContent = `${error.message} The timeline and the tables work all the same.`;
      byId("notice").hidden = false;
      byId("view").hidden = byId("tools").hidden = true;
      return;
    }
    this.attachNames();
    byId("view").addEventListener("webglcontextlost", () => {
      byId("notice").textContent = "The graphics card has let go of the picture. Load the page again to see it.";
      byId("notice").hidden = false;
    });
  }

  /* Names the part under a mouse that rests. */
  attachNames() {
    const tip = byId("tip"), view = byId("view");
    let timer = 0;
    view.addEventListener("pointermove", (event) => {
      clearTimeout(timer);
      tip.hidden = true;
      if (event.buttons || event.pointerType === "touch" || this.playing)
        return;
      timer = setTimeout(() => {
        const found = this.scene.partAt(event.offsetX, event.offsetY);
        if (!found || found.part >= this.report.bodies[found.body].info.parts.length)
          return;
        const name = this.report.bodies[found.body].info.parts[found.part];
        showTip(tip, this.report.info.self ? name : `${"AB"[found.body]}: ${name}`, event.clientX, event.clientY - 12);
      }, 120);
    });
    view.addEventListener("pointerleave", () => {
      clearTimeout(timer);
      tip.hidden = true;
    });
  }

  /* ---- where it is ---- */

  worstPlace() {
    const records = this.summary.records;
    return records.length ? momentOf(this.report, records.reduce((x, y) => worse(y, x) ? y : x).k) : 0;
  }

  go(place) {
    const whole = isSweep(this.report) ? place : Math.round(place);
    this.place = Math.min(Math.max(whole, 0), this.last);
    const report = this.report, k = recordAt(report, this.place), frame = report.frames[k];
    const count = frame.pairs.length / 2, number = isSweep(report) ? this.place.toFixed(2) : k;
    if (this.scene)
      this.scene.setPlace(this.place);
    this.timeline.set(this.place, this.selected);
    byId("clock").textContent = `${formatTime(timeAt(report, this.place))} s · frame ${number} of ${this.last}`;
    byId("count").textContent = isSweep(report) ?
      (!frame.impact ? "no impact" : frame.impact.initial ? "meets at the start" :
        `impact at ${formatTime(timeAt(report, momentOf(report, k)))} s`) :
      `${formatCount(count)} ${count === 1 ? "pair" : "pairs"}`;
    byId("count").classList.toggle("hit", count > 0);
    this.frameTable.mark(hashOf(isSweep(report) ? momentOf(report, k) : k, null));
    this.partTable.mark(location.hash);
  }

  select(key) {
    this.selected = this.summary.partPairs.some((pair) => pair.key === key) ? key : null;
    if (this.scene)
      this.scene.select(this.selected);
    const pair = this.summary.partPairs.find((one) => one.key === this.selected);
    byId("chosen").hidden = !pair;
    byId("chosen").firstElementChild.textContent = pair ? pair.names.join(" and ") : "";
    this.timeline.set(this.place, this.selected);
  }

  /* "#frame=12&parts=3,7"; false if it says nothing. */
  readHash() {
    const said = new URLSearchParams(location.hash.slice(1)), place = Number(said.get("frame") ?? NaN);
    if (!Number.isFinite(place))
      return false;
    this.stop();
    this.select(said.get("parts"));
    this.go(place);
    if (this.scene && this.selected)
      this.scene.goToHits();
    return true;
  }

  /* ---- moving on ---- */

  play() {
    this.playing = true;
    byId("play-shape").setAttribute("d", "M4 3h3v10H4zM9 3h3v10H9z");
    byId("play").setAttribute("aria-label", "Stop");
    let clock = timeAt(this.report, this.place >= this.last ? 0 : this.place), before = null;
    const tick = (now) => {
      if (!this.playing)
        return;
      clock += (before === null ? 0 : (now - before) / 1000) * Number(byId("speed").value);
      before = now;
      const end = this.report.frames[this.last].time, start = this.report.frames[0].time;
      if (clock > end)
        clock = start;
      this.go(this.placeAt(clock));
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  stop() {
    this.playing = false;
    byId("play-shape").setAttribute("d", "M4 2.5v11L13 8z");
    byId("play").setAttribute("aria-label", "Play");
  }

  /* The place of a time: the frame that holds then, or between frames for a sweep. */
  placeAt(time) {
    const frames = this.report.frames;
    let low = 0, high = this.last;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (frames[middle].time <= time + 1e-9)
        low = middle;
      else
        high = middle - 1;
    }
    if (!isSweep(this.report) || low === this.last)
      return low;
    return low + (time - frames[low].time) / (frames[low + 1].time - frames[low].time);
  }

  step(count) {
    this.stop();
    const here = isSweep(this.report) && count < 0 ? Math.ceil(this.place) : Math.floor(this.place);
    this.go(here + count);
  }

  stepToHit(direction) {
    this.stop();
    const chosen = this.summary.partPairs.find((pair) => pair.key === this.selected);
    const records = chosen ? [...chosen.counts.keys()] : this.summary.records.map((record) => record.k);
    const places = records.map((k) => momentOf(this.report, k));
    const next = direction > 0 ? places.find((place) => place > this.place + 1e-6) :
      places.reverse().find((place) => place < this.place - 1e-6);
    if (next !== undefined)
      this.go(next);
  }

  toggle(name) {
    if (!this.scene)
      return;
    this.scene.options[name] = !this.scene.options[name];
    byId(name).setAttribute("aria-pressed", String(this.scene.options[name]));
    this.scene.redraw();
  }

  showTab(name) {
    for (const tab of ["parts", "frames"]) {
      byId(tab).hidden = tab !== name;
      byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    }
  }

  toggleHelp(shown) {
    byId("help").hidden = !(shown ?? byId("help").hidden);
    byId("keys").setAttribute("aria-expanded", String(!byId("help").hidden));
  }

  unchoose() {
    this.toggleHelp(false);
    this.select(null);
    history.replaceState(null, "", hashOf(this.place, null));
    this.go(this.place);
  }

  /* ---- hands ---- */

  attach() {
    const actions = {
      first: () => this.step(-Infinity), last: () => this.step(Infinity),
      "previous-hit": () => this.stepToHit(-1), "next-hit": () => this.stepToHit(1),
      play: () => this.playing ? this.stop() : this.play(),
      fit: () => this.scene && this.scene.fit(), near: () => this.scene && this.scene.goToHits(),
      follow: () => this.toggle("follow"), xray: () => this.toggle("xray"), edges: () => this.toggle("edges"),
      keys: () => this.toggleHelp(), unchoose: () => this.unchoose(),
      "tab-parts": () => this.showTab("parts"), "tab-frames": () => this.showTab("frames")};
    for (const [id, action] of Object.entries(actions))
      byId(id).addEventListener("click", action);
    const keys = {" ": actions.play, Home: actions.first, End: actions.last, ArrowUp: actions["previous-hit"],
                  ArrowDown: actions["next-hit"], f: actions.fit, h: actions.near, c: actions.follow,
                  x: actions.xray, e: actions.edges, "?": actions.keys, Escape: actions.unchoose};
    addEventListener("keydown", (event) => {
      const across = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      const action = across ? () => this.step(across * (event.shiftKey ? 10 : 1)) : keys[event.key];
      const busy = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select");
      const presses = event.key === " " && event.target.closest("button, a");
      if (!action || busy || presses)
        return;
      event.preventDefault();
      action();
    });
    addEventListener("hashchange", () => this.readHash());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.timeline.draw();
      if (this.scene)
        this.scene.readColours();
    });
  }
}

/* For scripts: docs/report.md. */
const page = new Page(readReport());
window.grazeReport = {
  info: page.report.info,
  hasPicture: page.scene !== null,
  frames: page.report.frames.length,
  time: (k) => page.report.frames[k].time,
  pairs: (k) => Array.from(page.report.frames[k].pairs),
  impact: (k) => page.report.frames[k].impact,
  atRest: (k) => Array.from({length: page.report.frames[k].pairs.length / 2}, (_, i) => isAtRest(page.report.frames[k], i)),
  partPairs: () => page.summary.partPairs.map(({names, peak, depth, first, last, counts}) =>
    ({names, peak, depth, first, last, frames: counts.size})),
  go: (place) => page.go(place),
  place: () => page.place,
  goToHits: () => page.scene.goToHits(),
  drawn: () => page.scene ? page.scene.drawn || 0 : 0,
  hitTriangles: (body) => page.scene.groups[body].reduce((x, y) => x + y),
  camera: () => ({yaw: page.scene.camera.yaw, distance: page.scene.camera.distance, target: page.scene.camera.target}),
  triangles: (body) => Array.from(page.report.bodies[body].triangles),
  positions: (body) => Array.from(page.scene.positions(body)),
};
document.documentElement.dataset.ready = "yes";
