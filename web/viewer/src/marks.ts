// What is drawn over bodies: the curves along which they meet, which way apart, the tree, a ray.
import {
  BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Contacts, Tree } from "./engine";

/** Segments some pixels wide. */
class WideLines {
  readonly material: LineMaterial;
  readonly object: LineSegments2;

  constructor(width: number, order: number) {
    this.material = new LineMaterial({ linewidth: width, depthTest: false, transparent: true, toneMapped: false });
    this.object = new LineSegments2(new LineSegmentsGeometry(), this.material);
    this.object.renderOrder = order;
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  set(ends: Float32Array | number[]): void {
    this.object.visible = ends.length > 0;
    if (!ends.length) return;
    this.object.geometry.dispose();
    this.object.geometry = new LineSegmentsGeometry();
    this.object.geometry.setPositions(ends as Float32Array);
  }
}

/** A disc, for points are squares else. */
function disc(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#ffffff";
  pen.arc(16, 16, 15, 0, 2 * Math.PI);
  pen.fill();
  return new CanvasTexture(canvas);
}

/** Points that keep their size on the screen. */
class Dots {
  readonly material: PointsMaterial;
  readonly object: Points;

  constructor(size: number, order: number) {
    this.material = new PointsMaterial({ size, map: disc(), sizeAttenuation: false, depthTest: false, transparent: true,
      toneMapped: false });
    this.object = new Points(new BufferGeometry(), this.material);
    this.object.renderOrder = order;
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  set(points: number[]): void {
    this.object.visible = points.length > 0;
    this.object.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
  }
}

export class ContactMarks {
  readonly group = new Group();
  private readonly curves = new WideLines(2, 40);
  private readonly normals = new WideLines(1.8, 41);
  private readonly heads = new Dots(6, 42);

  constructor() {
    this.group.add(this.curves.object, this.normals.object, this.heads.object);
  }

  paint(curve: Color, normal: Color): void {
    this.curves.material.color.copy(curve);
    this.normals.material.color.copy(normal);
    this.heads.material.color.copy(normal);
  }

  /** Normals are as long as bodies are deep in each other, and never too short to be seen. */
  set(found: Contacts | null, size: number): void {
    this.curves.set(found ? found.segments : []);
    const ends: number[] = [], heads: number[] = [];
    for (const { point, normal, depth } of found?.contacts ?? []) {
      const length = Math.max(depth, 0.07 * size);
      ends.push(...point, ...point.map((x, k) => x + length * normal[k]));
      heads.push(...point);
    }
    this.normals.set(ends);
    this.heads.set(heads);
  }
}

const BOX_EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

function addBox(tree: Tree, node: number, ends: number[]): void {
  for (const corner of BOX_EDGES)
    for (let k = 0; k < 3; k++) ends.push(tree.centres[3 * node + k] + (corner >> k & 1 ? 1 : -1) * tree.halves[3 * node + k]);
}

/** Three circles; coarser ones where there are many. */
function addSphere(tree: Tree, node: number, ends: number[], steps: number): void {
  for (let axis = 0; axis < 3; axis++)
    for (let i = 0; i < 2 * steps; i++) {
      const angle = (2 * Math.PI * ((i + 1) >> 1)) / steps, point = [...tree.centres.subarray(3 * node, 3 * node + 3)];
      point[(axis + 1) % 3] += tree.radii[node] * Math.cos(angle);
      point[(axis + 2) % 3] += tree.radii[node] * Math.sin(angle);
      ends.push(...point);
    }
}

/** Nodes of a level, and leaves above it: together they hold everything. */
export function nodesOf(tree: Tree, level: number): number[] {
  const nodes: number[] = [];
  for (let i = 0; i < tree.count; i++)
    if (tree.levels[i] === level || (tree.levels[i] < level && tree.childCounts[i] === 0)) nodes.push(i);
  return nodes;
}

/** Bounds of one level, as the papers draw them: refitted blue, never touched red. */
export class TreeMarks {
  readonly group = new Group();
  private readonly sets = [false, true].map((refitted) => {
    const material = new LineBasicMaterial({ transparent: true, opacity: refitted ? 0.9 : 0.55, toneMapped: false });
    const object = new LineSegments(new BufferGeometry(), material);
    object.frustumCulled = false;
    object.renderOrder = refitted ? 31 : 30;
    this.group.add(object);
    return { refitted, material, object };
  });

  paint(refitted: Color, untouched: Color): void {
    for (const set of this.sets) set.material.color.copy(set.refitted ? refitted : untouched);
  }

  set(trees: Tree[], level: number): void {
    const ends: [number[], number[]] = [[], []];
    for (const tree of trees) {
      const nodes = nodesOf(tree, level), steps = nodes.length > 400 ? 12 : 32;
      for (const node of nodes)
        if (tree.spheres) addSphere(tree, node, ends[tree.refitted[node]], steps);
        else addBox(tree, node, ends[tree.refitted[node]]);
    }
    const [untouched] = this.sets;
    untouched.material.opacity = trees.some((tree) => tree.spheres) ? 0.3 : 0.55;
    this.sets.forEach(({ object }, i) => {
      object.geometry.dispose();
      object.geometry = new BufferGeometry();
      object.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(ends[i]), 3));
      object.visible = ends[i].length > 0;
    });
  }
}

export class RayMarks {
  readonly group = new Group();
  private readonly line = new WideLines(1.8, 45);
  private readonly dot = new Dots(8, 46);

  constructor() {
    this.group.add(this.line.object, this.dot.object);
  }

  paint(colour: Color): void {
    this.line.material.color.copy(colour);
    this.dot.material.color.copy(colour);
  }

  set(ends: number[], hit: number[] | null): void {
    this.line.set(ends);
    this.dot.set(hit ?? []);
  }
}
