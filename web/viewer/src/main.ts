// The page: starts the engine, opens models, and ties stage, controls, keys and hands together.
import wasm from "graze.wasm";
import { App } from "./app";
import { Controls } from "./controls";
import { BUILT_IN, openBuiltIn, Opened, openFiles } from "./files";
import { startEngine } from "./graze";
import { Hands } from "./hands";
import { listenToKeys } from "./keys";
import { Stage } from "./stage";
import { onTheme, setTheme, startTheme, theme } from "./theme";
import { Timeline } from "./timeline";
import { commandText, element, writeAnswer, writeClock, writeCost, writeLabels, writeLegend, writeRay } from "./words";

function say(text: string): void {
  element("notice").querySelector("span")!.textContent = text;
  element("notice").hidden = false;
}

function busy(text: string | null): void {
  element("busy").hidden = text === null;
  if (text !== null) element("busy").querySelector("span")!.textContent = text;
}

function explain(error: unknown): string {
  if (error instanceof RangeError || (error instanceof WebAssembly.RuntimeError)) return "there is not enough memory for this model";
  return error instanceof Error ? error.message : String(error);
}

/** A picture with what was just written, before a long task. */
function nextPicture(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

class Page {
  private opening = 0;

  constructor(readonly app: App, private readonly controls: Controls) {}

  /** Opens what `read` brings; a later one goes before an earlier. */
  async open(name: string, read: () => Promise<Opened>, second = false): Promise<boolean> {
    const turn = ++this.opening;
    element("notice").hidden = true;
    busy(`Opening ${name}…`);
    try {
      const opened = await read();
      if (turn !== this.opening) return false;
      busy(`Building the tree of ${opened.name}…`);
      await nextPicture();
      this.app.load(opened, second);
      return true;
    } catch (error) {
      if (turn === this.opening) say(explain(error));
      return false;
    } finally {
      if (turn === this.opening) busy(null);
      this.controls.write();
    }
  }

  async openBuiltIn(name: string): Promise<void> {
    if (await this.open(name, () => openBuiltIn(name))) element<HTMLSelectElement>("builtin").value = name;
  }

  async openFiles(files: File[], second: boolean): Promise<void> {
    const opened = await this.open(files[0].name, () => openFiles(files), second);
    if (opened && !second) element<HTMLSelectElement>("builtin").value = "";
  }
}

function listenToFiles(page: Page): (second: boolean) => void {
  const input = element<HTMLInputElement>("file"), drop = element("drop"), select = element<HTMLSelectElement>("builtin");
  let second = false;
  const choose = (asSecond: boolean) => {
    second = asSecond;
    input.value = "";
    input.click();
  };
  input.addEventListener("change", () => {
    if (input.files?.length) void page.openFiles([...input.files], second);
  });
  element("open").addEventListener("click", () => choose(false));
  element("open-second").addEventListener("click", () => choose(true));
  select.replaceChildren(new Option("built in…", ""), ...BUILT_IN.map(({ name, words }) => new Option(words, name)));
  select.addEventListener("change", () => {
    if (select.value) void page.openBuiltIn(select.value);
  });
  const over = (event: DragEvent) => {
    event.preventDefault();
    drop.hidden = false;
    const target = (event.target as HTMLElement).closest<HTMLElement>("#drop div");
    for (const zone of drop.children) zone.classList.toggle("over", zone === (target ?? drop.children[0]));
  };
  document.addEventListener("dragenter", over);
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.hidden = true;
    const files = [...(event.dataTransfer?.files ?? [])];
    const asSecond = (event.target as HTMLElement).closest<HTMLElement>("[data-second]")?.dataset.second === "yes";
    if (files.length) void page.openFiles(files, asSecond);
  });
  return choose;
}

async function start(): Promise<void> {
  startTheme();
  let stage: Stage;
  try {
    stage = new Stage(element<HTMLCanvasElement>("view"));
  } catch {
    busy(null);
    return say("This browser gives no WebGL, so there is no picture.");
  }
  busy("Starting…");
  const app = new App(await startEngine(wasm), stage), controls = new Controls(app), hands = new Hands(app);
  const page = new Page(app, controls);
  const timeline = new Timeline(element<HTMLCanvasElement>("timeline"), element("tip"), (frame) => {
    app.play(false);
    app.go(frame);
  });
  const choose = listenToFiles(page);
  const toggleTheme = () => setTheme(theme() === "dark" ? "light" : "dark");
  listenToKeys(app, controls, { open: () => choose(false), toggleTheme, escape: () => {
    element("notice").hidden = true;
    controls.toggleHelp(false);
    if (app.ray) app.dropRay();
  } });
  element("theme").addEventListener("click", toggleTheme);
  element("unnotice").addEventListener("click", () => (element("notice").hidden = true));
  onTheme(() => {
    stage.paint();
    hands.paint();
    timeline.draw();
  });
  app.onChange = () => {
    controls.write();
    hands.place();
  };
  app.onAnswer = () => {
    writeAnswer(app);
    writeLegend(app);
    writeCost(app);
    writeRay(app);
    controls.writeFrame();
  };
  const writeTime = () => {
    if (!app.ready) return;
    writeClock(app);
    timeline.set(app.survey.track, app.place);
  };
  stage.onDraw = () => {
    writeLabels(app);
    writeTime();
  };
  app.onProgress = () => requestAnimationFrame(writeTime);
  app.onMeasure = () => {
    writeCost(app);
    writeRay(app);
  };
  app.onError = (error) => say(explain(error));
  // For scripts and tests.
  Object.assign(window, { grazeViewer: { app, page, stage, command: () => commandText(app) } });
  const wanted = new URLSearchParams(location.hash.slice(1)).get("model");
  await page.openBuiltIn(BUILT_IN.some((one) => one.name === wanted) ? wanted! : BUILT_IN[0].name);
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  busy(null);
  say(`The page could not start: ${explain(error)}`);
});
