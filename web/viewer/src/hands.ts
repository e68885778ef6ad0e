// The pointer on the stage: a click casts a ray, a drag on the second body moves it over the ground, on
// its ring turns it; everything else is the camera's.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineLoop, Plane, Ray, Vector3 } from "three";
import type { App } from "./app";
import { styleColour } from "./theme";

const STILL = 5; // pixels that a click may move

type Grip =
  | { kind: "view" }
  | { kind: "move"; plane: Plane; from: Vector3; at: [number, number, number] }
  | { kind: "turn"; angle: number; turn: number };

export class Hands {
  private readonly ring: LineLoop;
  private down: { x: number; y: number; id: number; grip: Grip; moved: boolean } | null = null;
  private fingers = 0;

  constructor(private readonly app: App) {
    const { canvas } = app.stage, circle = new Float32Array(3 * 96);
    for (let i = 0; i < 96; i++) circle.set([Math.cos((i / 48) * Math.PI), 0, Math.sin((i / 48) * Math.PI)], 3 * i);
    this.ring = new LineLoop(new BufferGeometry(), new LineBasicMaterial({ toneMapped: false, transparent: true }));
    this.ring.geometry.setAttribute("position", new BufferAttribute(circle, 3));
    this.ring.frustumCulled = false;
    app.stage.scene.add(this.ring);
    // Before the camera's own listener, which is told to keep still where a body is held.
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event, true));
    canvas.addEventListener("pointercancel", (event) => this.release(event, false));
    this.paint();
  }

  paint(): void {
    (this.ring.material as LineBasicMaterial).color.copy(styleColour("--body-b"));
  }

  /** Under the second body, around where it stands. */
  place(): void {
    const { app } = this;
    this.ring.visible = app.ready && !app.alone;
    this.ring.position.set(app.placing.at[0], app.stage.floorHeight, app.placing.at[2]);
    this.ring.scale.setScalar(this.radius);
  }

  private get radius(): number {
    return 0.42 * this.app.stage.size;
  }

  private groundUnder(ray: Ray): Vector3 | null {
    return ray.intersectPlane(new Plane(new Vector3(0, 1, 0), -this.app.stage.floorHeight), new Vector3());
  }

  private angleUnder(ray: Ray): { angle: number; distance: number } | null {
    const ground = this.groundUnder(ray);
    if (!ground) return null;
    const x = ground.x - this.app.placing.at[0], z = ground.z - this.app.placing.at[2];
    return { angle: (Math.atan2(x, z) * 180) / Math.PI, distance: Math.hypot(x, z) };
  }

  private gripAt(x: number, y: number): Grip {
    const { app } = this, under = app.ready ? app.stage.rayAt(x, y) : null;
    if (!under || app.alone) return { kind: "view" };
    const ray = new Ray(under.origin, under.direction), picked = app.pick(under.origin, under.direction, under.pane);
    if (picked?.body === 1) {
      const from = new Vector3(...picked.hit.point);
      return { kind: "move", plane: new Plane(new Vector3(0, 1, 0), -from.y), from, at: [...app.placing.at] };
    }
    const round = this.angleUnder(ray), width = 0.05 * this.radius + 0.012 * app.stage.camera.position.distanceTo(this.ring.position);
    if (!picked && round && Math.abs(round.distance - this.radius) < width)
      return { kind: "turn", angle: round.angle, turn: app.placing.turn };
    return { kind: "view" };
  }

  private press(event: PointerEvent): void {
    this.fingers++;
    if (this.fingers > 1) {
      this.down = null; // two fingers are the camera's
      this.app.stage.controls.enabled = true;
      return;
    }
    if (event.button !== 0 || event.shiftKey || event.ctrlKey) return;
    const grip = this.gripAt(event.clientX, event.clientY);
    this.down = { x: event.clientX, y: event.clientY, id: event.pointerId, grip, moved: false };
    this.app.stage.controls.enabled = grip.kind === "view";
    if (grip.kind !== "view") this.app.stage.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const { down, app } = this;
    if (!down) {
      if (event.pointerType === "mouse" && !event.buttons) this.hover(event);
      return;
    }
    if (event.pointerId !== down.id) return;
    down.moved ||= Math.hypot(event.clientX - down.x, event.clientY - down.y) > STILL;
    const under = down.moved ? app.stage.rayAt(event.clientX, event.clientY) : null;
    if (!under) return;
    const ray = new Ray(under.origin, under.direction), { grip } = down;
    if (grip.kind === "move") {
      const to = ray.intersectPlane(grip.plane, new Vector3());
      if (!to || to.distanceTo(grip.from) > 20 * app.stage.size) return;
      const at: [number, number, number] = [app.rounded(grip.at[0] + to.x - grip.from.x), grip.at[1],
        app.rounded(grip.at[2] + to.z - grip.from.z)];
      app.change({ placing: { ...app.placing, at } });
    } else if (grip.kind === "turn") {
      const round = this.angleUnder(ray);
      if (round) app.change({ placing: { ...app.placing, turn: wrapped(Math.round(grip.turn + round.angle - grip.angle)) } });
    }
  }

  private hover(event: PointerEvent): void {
    const { kind } = this.gripAt(event.clientX, event.clientY);
    this.app.stage.canvas.style.cursor = kind === "move" ? "move" : kind === "turn" ? "ew-resize" : "grab";
  }

  private release(event: PointerEvent, clicks: boolean): void {
    this.fingers = Math.max(this.fingers - 1, 0);
    const { down, app } = this;
    app.stage.controls.enabled = true;
    if (!down || event.pointerId !== down.id) return;
    this.down = null;
    if (!clicks || down.moved || !app.ready) return;
    const under = app.stage.rayAt(down.x, down.y);
    if (under) app.castRay(under.origin, under.direction, under.pane);
  }
}

/** Degrees from -180 to 180. */
function wrapped(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360) || 0;
}
