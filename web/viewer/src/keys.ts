// The keyboard.
import type { App } from "./app";
import type { Controls } from "./controls";

export interface PageActions {
  open(): void;
  toggleTheme(): void;
  escape(): void;
}

export function listenToKeys(app: App, controls: Controls, page: PageActions): void {
  const turn = (step: number) => {
    if (!app.alone) app.change({ placing: { ...app.placing, turn: app.placing.turn + step } });
  };
  const keys: { [key: string]: (event: KeyboardEvent) => void } = {
    " ": () => app.play(),
    ArrowLeft: (event) => app.go(app.frame - (event.shiftKey ? 10 : 1)),
    ArrowRight: (event) => app.go(app.frame + (event.shiftKey ? 10 : 1)),
    ArrowUp: () => app.goToHit(-1),
    ArrowDown: () => app.goToHit(1),
    Home: () => app.go(0),
    End: () => app.go(app.frames - 1),
    1: () => app.change({ skin: "linear", compare: false }),
    2: () => app.change({ skin: "spherical", compare: false }),
    3: () => app.change({ skin: "dual", compare: false }),
    4: () => app.change({ compare: !app.compare }),
    s: () => app.change({ alone: !app.alone }),
    c: () => app.setShow({ contacts: !app.show.contacts }),
    t: () => app.setShow({ tree: !app.show.tree }),
    x: () => app.setShow({ xray: !app.show.xray }),
    e: () => app.setShow({ edges: !app.show.edges }),
    "[": () => app.setLevel(app.level - 1),
    "]": () => app.setLevel(app.level + 1),
    ",": () => turn(-5),
    ".": () => turn(5),
    f: () => app.lookAtAll(),
    h: () => app.goToHits(),
    o: () => page.open(),
    l: () => page.toggleTheme(),
    "?": () => controls.toggleHelp(),
    Escape: () => page.escape(),
  };
  // A button that was clicked would take the next Space.
  document.addEventListener("click", (event) => {
    if (event.detail > 0) (event.target as HTMLElement).closest("button")?.blur();
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement, writes = target.matches("input:not([type=range]), select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || (writes && event.key !== "Escape")) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === " " && target.matches("button")) || (target.matches("input") && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    act(event);
  });
}
