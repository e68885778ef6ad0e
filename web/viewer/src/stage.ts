// The picture: camera, light, floor, and the panes side by side, drawn when something has changed.
import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, DirectionalLight, HemisphereLight, LineBasicMaterial, LineSegments,
  PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Pane } from "./pane";
import { styleColour } from "./theme";

export interface PaneBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  panes: Pane[] = [];
  size = 1; // of what is shown: the radius around it
  shape = 1; // of what is shown: its width by its height
  drawn = 0;
  floorHeight = 0;
  onBefore: () => void = () => {};
  onDraw: () => void = () => {};
  private readonly renderer: WebGLRenderer;
  private readonly sun = new DirectionalLight(0xffffff, 1.7);
  private floor: LineSegments | null = null;
  private waiting = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "low-power" });
    this.renderer.setScissorTest(true);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.redraw());
    this.scene.add(new HemisphereLight(0xffffff, 0x70757c, 1.25), new AmbientLight(0xffffff, 0.35), this.sun);
    new ResizeObserver(() => this.redraw()).observe(canvas);
    this.paint();
  }

  setPanes(panes: Pane[]): void {
    for (const pane of this.panes) pane.dispose();
    this.panes = panes;
    for (const pane of panes) this.scene.add(pane.group);
    this.redraw();
  }

  paint(): void {
    this.renderer.setClearColor(styleColour("--stage"));
    if (this.floor) (this.floor.material as LineBasicMaterial).color.copy(styleColour("--grid"));
    for (const pane of this.panes) pane.paint();
    this.redraw();
  }

  /** Where each pane is on the canvas: side by side or one above the other, whichever shows more. */
  boxes(): PaneBox[] {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, count = Math.max(this.panes.length, 1);
    const scale = (wide: number, high: number) => Math.min(wide / this.shape, high);
    const across = scale(width / count, height) >= scale(width, height / count);
    return Array.from({ length: count }, (_, i) => ({
      left: across ? Math.round((i * width) / count) : 0,
      top: across ? 0 : Math.round((i * height) / count),
      width: across ? Math.round(((i + 1) * width) / count) - Math.round((i * width) / count) : width,
      height: across ? height : Math.round(((i + 1) * height) / count) - Math.round((i * height) / count),
    }));
  }

  redraw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  private draw(): void {
    this.onBefore();
    const { canvas, renderer, camera } = this, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    if (canvas.width !== Math.floor(width * scale) || canvas.height !== Math.floor(height * scale)) {
      renderer.setPixelRatio(scale);
      renderer.setSize(width, height, false);
    }
    this.sun.position.copy(camera.position).sub(this.controls.target).normalize();
    this.sun.position.add(new Vector3(-0.35, 0.8, 0.25));
    const boxes = this.boxes();
    boxes.forEach((box, i) => {
      this.panes.forEach((pane, j) => (pane.group.visible = i === j));
      this.aim(box);
      const bottom = height - box.top - box.height;
      renderer.setViewport(box.left, bottom, box.width, box.height);
      renderer.setScissor(box.left, bottom, box.width, box.height);
      renderer.render(this.scene, camera);
    });
    this.drawn++;
    this.onDraw();
  }

  private aim(box: PaneBox): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.aspect = box.width / Math.max(box.height, 1);
    this.camera.near = Math.max(distance - 6 * this.size, distance / 400);
    this.camera.far = distance + 12 * this.size;
    this.camera.updateProjectionMatrix();
  }

  /** The ray under a place of the window: which pane it is in, where it starts and goes. */
  rayAt(clientX: number, clientY: number): { pane: number; origin: Vector3; direction: Vector3 } | null {
    const frame = this.canvas.getBoundingClientRect(), x = clientX - frame.left, y = clientY - frame.top;
    const boxes = this.boxes();
    const pane = boxes.findIndex((box) => x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height);
    if (pane < 0) return null;
    const box = boxes[pane], caster = new Raycaster();
    this.aim(box);
    this.camera.updateMatrixWorld();
    const place = new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    caster.setFromCamera(place, this.camera);
    return { pane, origin: caster.ray.origin, direction: caster.ray.direction };
  }

  /** Where a point is in the window, in the first pane. */
  screenOf(point: Vector3, pane = 0): { x: number; y: number } {
    const box = this.boxes()[pane], frame = this.canvas.getBoundingClientRect();
    this.aim(box);
    this.camera.updateMatrixWorld();
    const seen = point.clone().project(this.camera);
    return { x: frame.left + box.left + ((seen.x + 1) / 2) * box.width, y: frame.top + box.top + ((1 - seen.y) / 2) * box.height };
  }

  /** Looks at a box from where it looks now, or from the side given (radians about y), as near as all
   * of its corners are seen. */
  fit(box: Box3, side: number | null = null): void {
    const centre = box.getCenter(new Vector3()), half = box.getSize(new Vector3()).multiplyScalar(0.5);
    const away = this.camera.position.clone().sub(this.controls.target);
    if (side !== null || away.lengthSq() === 0) away.set(Math.sin(side ?? 0.5), 0.26, Math.cos(side ?? 0.5));
    away.normalize();
    const right = new Vector3(0, 1, 0).cross(away).normalize(), up = away.clone().cross(right);
    const pane = this.boxes()[0], high = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = (high * pane.width) / Math.max(pane.height, 1);
    let distance = 1e-6;
    for (let corner = 0; corner < 8; corner++) {
      const point = half.clone().multiply(new Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
      const reach = Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / high);
      distance = Math.max(distance, point.dot(away) + 1.09 * reach);
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(away, distance);
    this.controls.update();
    this.redraw();
  }

  /** Lines one, two, five, ten, … units apart, under everything. */
  makeFloor(box: Box3): void {
    const size = this.size, wanted = size / 3, power = 10 ** Math.floor(Math.log10(wanted));
    const cell = [1, 2, 5, 10].find((step) => step * power >= wanted)! * power, ends: number[] = [];
    const centre = box.getCenter(new Vector3()), y = (this.floorHeight = box.min.y);
    const x = Math.round(centre.x / cell) * cell, z = Math.round(centre.z / cell) * cell;
    const reach = Math.ceil((2.2 * size) / cell), end = reach * cell;
    for (let i = -reach; i <= reach; i++) {
      const step = i * cell;
      ends.push(x + step, y, z - end, x + step, y, z + end, x - end, y, z + step, x + end, y, z + step);
    }
    this.floor?.removeFromParent();
    this.floor = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: styleColour("--grid"), toneMapped: false }));
    this.floor.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(ends), 3));
    this.floor.renderOrder = -1;
    this.floor.frustumCulled = false;
    this.scene.add(this.floor);
  }
}
