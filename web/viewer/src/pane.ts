// One picture of the scene: two bodies under one kind of skinning, with what was found between them.
import { Group } from "three";
import type { Contacts, Tree } from "./engine";
import { Figure } from "./figure";
import { ContactMarks, RayMarks, TreeMarks } from "./marks";
import type { Surface } from "./surface";
import { styleColour } from "./theme";

export interface ShowOptions {
  hits: boolean;
  contacts: boolean;
  tree: boolean;
  xray: boolean;
  edges: boolean;
}

export class Pane {
  readonly group = new Group();
  readonly figures: Figure[];
  readonly contacts = new ContactMarks();
  readonly tree = new TreeMarks();
  readonly ray = new RayMarks();

  constructor(surfaces: Surface[]) {
    this.figures = surfaces.map((surface) => new Figure(surface));
    this.group.add(...this.figures.map((figure) => figure.group), this.contacts.group, this.tree.group, this.ray.group);
    this.paint();
  }

  paint(): void {
    this.figures.forEach((figure, i) => {
      const letter = i ? "b" : "a";
      figure.paint({ body: styleColour(`--body-${letter}`), hit: styleColour(`--hit-${letter}`),
        rest: styleColour("--hit-rest"), edge: styleColour("--edge"), ray: styleColour("--ray") });
    });
    this.contacts.paint(styleColour("--curve"), styleColour("--normal"));
    this.tree.paint(styleColour("--refitted"), styleColour("--untouched"));
    this.ray.paint(styleColour("--ray"));
  }

  show(options: ShowOptions): void {
    for (const figure of this.figures) figure.show({ xray: options.xray, edges: options.edges, faint: options.tree });
  }

  /** hits: of each figure, the triangles that meet something; rest: also at rest. */
  light(hits: Set<number>[], rest: Set<number>[]): void {
    this.figures.forEach((figure, i) => {
      figure.light("hit", hits[i]);
      figure.light("rest", rest[i]);
    });
  }

  setContacts(found: Contacts | null, size: number): void {
    this.contacts.set(found, size);
  }

  setTree(trees: Tree[], level: number): void {
    this.tree.set(trees, level);
  }

  dispose(): void {
    for (const figure of this.figures) figure.dispose();
    this.group.removeFromParent();
  }
}
