// One body as it is drawn: its surface, its edges, and the triangles that meet something.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, GreaterDepth, Group, LessEqualDepth, Mesh, MeshBasicMaterial,
  MeshLambertMaterial,
} from "three";
import { PosedSurface, Surface } from "./surface";

export interface FigureLooks {
  body: Color;
  hit: Color;
  rest: Color;
  edge: Color;
  ray: Color;
}

/** Triangles of a figure in one flat colour; they may shine through what stands before them. */
class Lit {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly front = new MeshBasicMaterial({ side: DoubleSide, toneMapped: false, depthFunc: LessEqualDepth,
    polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 });
  private readonly behind = new MeshBasicMaterial({ side: DoubleSide, toneMapped: false, depthFunc: GreaterDepth,
    depthWrite: false, transparent: true, opacity: 0.35 });

  constructor(private readonly posed: PosedSurface, order: number) {
    this.geometry.setAttribute("position", posed.positions);
    for (const [material, at] of [[this.front, order], [this.behind, order + 20]] as const) {
      const mesh = new Mesh(this.geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = at;
      this.group.add(mesh);
    }
    this.set(new Uint32Array());
  }

  set(triangles: Iterable<number>): void {
    const { corners } = this.posed.surface, index: number[] = [];
    for (const t of triangles) index.push(corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]);
    this.geometry.setIndex(new BufferAttribute(Uint32Array.from(index), 1));
    this.group.visible = index.length > 0;
  }

  paint(colour: Color): void {
    this.front.color.copy(colour);
    this.behind.color.copy(colour);
  }

  set xray(on: boolean) {
    this.group.children[1].visible = on;
  }

  dispose(): void {
    this.geometry.dispose();
    this.front.dispose();
    this.behind.dispose();
  }
}

export class Figure {
  readonly group = new Group();
  readonly posed: PosedSurface;
  private readonly material = new MeshLambertMaterial({ side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1,
    polygonOffsetUnits: 1 });
  private readonly edges = new MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.28, toneMapped: false });
  private readonly wire: Mesh;
  private readonly lit: { [kind in "rest" | "hit" | "ray"]: Lit };

  constructor(surface: Surface) {
    this.posed = new PosedSurface(surface);
    const mesh = new Mesh(this.posed.geometry, this.material);
    this.wire = new Mesh(this.posed.geometry, this.edges);
    for (const each of [mesh, this.wire]) each.frustumCulled = false;
    this.wire.renderOrder = 1;
    this.wire.visible = false;
    this.lit = { rest: new Lit(this.posed, 2), hit: new Lit(this.posed, 3), ray: new Lit(this.posed, 4) };
    this.group.add(mesh, this.wire, this.lit.rest.group, this.lit.hit.group, this.lit.ray.group);
  }

  paint(looks: FigureLooks): void {
    this.material.color.copy(looks.body);
    this.edges.color.copy(looks.edge);
    this.lit.hit.paint(looks.hit);
    this.lit.rest.paint(looks.rest);
    this.lit.ray.paint(looks.ray);
  }

  light(kind: "rest" | "hit" | "ray", triangles: Iterable<number>): void {
    this.lit[kind].set(triangles);
  }

  show(options: { xray: boolean; edges: boolean; faint: boolean }): void {
    for (const kind of ["rest", "hit", "ray"] as const) this.lit[kind].xray = options.xray;
    this.wire.visible = options.edges;
    this.material.transparent = options.faint;
    this.material.opacity = options.faint ? 0.45 : 1;
    this.material.depthWrite = !options.faint;
    this.material.needsUpdate = true;
  }

  dispose(): void {
    this.posed.dispose();
    this.material.dispose();
    this.edges.dispose();
    for (const lit of Object.values(this.lit)) lit.dispose();
  }
}
