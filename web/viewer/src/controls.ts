// The controls of the page: what they say follows the app, what is done to them changes it.
import type { App } from "./app";
import type { Skinning, TreeKind } from "./engine";
import { nodesOf } from "./marks";
import type { ShowOptions } from "./pane";
import type { Character } from "./session";
import { formatCount } from "./timeline";
import { commandText, element } from "./words";

function buttonsOf(id: string): HTMLButtonElement[] {
  return [...element(id).querySelectorAll("button")];
}

function press(id: string, isOn: (value: string) => boolean): void {
  for (const button of buttonsOf(id)) button.setAttribute("aria-pressed", String(isOn(button.dataset.value!)));
}

function onButtons(id: string, act: (value: string) => void): void {
  for (const button of buttonsOf(id)) button.addEventListener("click", () => act(button.dataset.value!));
}

function fillClips(id: string, character: Character, chosen: number): void {
  const select = element<HTMLSelectElement>(id), { clips } = character.rig;
  const options = clips.map(({ name, seconds }, i) =>
    new Option(`${name ?? `clip ${i}`} · ${Number(seconds.toFixed(2))} s`, String(i)));
  select.replaceChildren(...options, new Option(clips.length ? "none: as the file stands" : "no clips", "-1"));
  select.value = String(chosen);
  select.disabled = !clips.length;
}

const NUMBERS = ["at-x", "at-y", "at-z", "turn", "phase"];

export class Controls {
  constructor(private readonly app: App) {
    onButtons("mode", (value) => app.change({ alone: value === "alone" }));
    onButtons("skin", (value) =>
      app.change(value === "all" ? { compare: !app.compare } : { skin: value as Skinning, compare: false }));
    onButtons("show", (value) => app.setShow({ [value]: !app.show[value as keyof ShowOptions] }));
    element("clip").addEventListener("change", () => {
      const clip = Number(element<HTMLSelectElement>("clip").value);
      app.change({ clips: [clip, app.characters[0] === app.characters[1] ? clip : app.clips[1]] });
    });
    element("clip-b").addEventListener("change", () =>
      app.change({ clips: [app.clips[0], Number(element<HTMLSelectElement>("clip-b").value)] }));
    for (const id of NUMBERS) element(id).addEventListener("input", () => this.readNumbers());
    element("level").addEventListener("input", () => app.setLevel(Number(element<HTMLInputElement>("level").value)));
    element("tree-kind").addEventListener("change", () =>
      app.change({ treeKind: element<HTMLSelectElement>("tree-kind").value as TreeKind }));
    element("speed").addEventListener("change", () => (app.speed = Number(element<HTMLSelectElement>("speed").value)));
    const click = (id: string, act: () => void) => element(id).addEventListener("click", act);
    click("play", () => app.play());
    click("first", () => app.go(0));
    click("last", () => app.go(app.frames - 1));
    click("previous-hit", () => app.goToHit(-1));
    click("next-hit", () => app.goToHit(1));
    click("fit", () => app.lookAtAll());
    click("near", () => app.goToHits());
    click("unray", () => app.dropRay());
    click("keys", () => this.toggleHelp());
    click("command", () => navigator.clipboard?.writeText(commandText(app)).catch(() => {}));
  }

  toggleHelp(on = element("help").hidden): void {
    element("help").hidden = !on;
    element("keys").setAttribute("aria-expanded", String(on));
  }

  /** A number that is being written is not one yet. */
  private readNumbers(): void {
    const values = NUMBERS.map((id) => element<HTMLInputElement>(id).valueAsNumber);
    if (!values.every(Number.isFinite)) return;
    const [x, y, z, turn, phase] = values;
    this.app.change({ placing: { at: [x, y, z], turn, phase } });
  }

  write(): void {
    const { app } = this, [first, second] = app.characters;
    if (!first) return;
    element("title").textContent = first.name;
    const { jointNodes, morphs } = first.rig;
    element("facts").textContent = `${formatCount(first.triangleCount)} triangles · ${formatCount(jointNodes.length)} joints` +
      (morphs.length ? ` · ${formatCount(morphs.length)} morph targets` : "");
    document.title = `${first.name} · Graze`;
    element("second").hidden = app.alone;
    element("second-name").textContent = first === second ? "" : second.name;
    press("mode", (value) => (value === "alone") === app.alone);
    press("skin", (value) => (value === "all" ? app.compare : value === app.skin && !app.compare));
    for (const button of buttonsOf("skin")) button.disabled = !app.canSkin && button.dataset.value !== "linear";
    press("show", (value) => app.show[value as keyof ShowOptions]);
    for (const button of buttonsOf("show")) button.hidden = button.dataset.value === "contacts" && app.alone;
    fillClips("clip", first, app.clips[0]);
    fillClips("clip-b", second, app.clips[1]);
    const { at, turn, phase } = app.placing;
    [...at, turn, phase].forEach((value, i) => {
      const input = element<HTMLInputElement>(NUMBERS[i]);
      if (input.valueAsNumber !== value) input.value = String(value);
      input.step = i < 3 ? String(10 ** Math.floor(Math.log10(app.stage.size / 30))) : i === 3 ? "5" : "0.05";
    });
    for (const id of ["level-row", "level-words"]) element(id).hidden = !app.show.tree;
    element<HTMLSelectElement>("tree-kind").value = app.treeKind;
    const level = element<HTMLInputElement>("level");
    level.max = String(app.levels - 1);
    level.value = String(app.level);
    element("play-shape").setAttribute("d", app.playing ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2.5v11L13 8z");
    element("play").setAttribute("aria-label", app.playing ? "Stop" : "Play");
  }

  /** What depends on the present frame. */
  writeFrame(): void {
    const { app } = this;
    if (app.show.tree) {
      const { trees } = app.answers[0], nodes = trees.map((tree) => nodesOf(tree, app.level));
      const all = nodes.reduce((sum, list) => sum + list.length, 0);
      const refitted = trees.reduce((sum, tree, i) => sum + nodes[i].filter((node) => tree.refitted[node]).length, 0);
      element("level-words").textContent =
        `Level ${app.level} of ${app.levels - 1}: ${formatCount(refitted)} of ${formatCount(all)} refitted`;
    }
    element<HTMLButtonElement>("near").disabled = !app.answers[0]?.found.pairs.length;
    const text = app.ready ? commandText(app) : "";
    if (element("command").textContent !== text) element("command").textContent = text;
  }
}
