/* An eye that goes around a target, and the hands that move it. Matrices are columns of four. */

class Camera {
  constructor() {
    this.yaw = 0.6;
    this.pitch = 0.22;
    this.distance = 3;
    this.target = [0, 0, 0];
    this.size = 1; /* radius of all there is to see */
    this.field = 0.6;
  }

  axes() {
    const [s, c] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    const [u, d] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    return {right: [c, 0, -s], up: [-s * u, d, -c * u], back: [s * d, u, c * d]};
  }

  eye() {
    const {back} = this.axes();
    return this.target.map((x, k) => x + this.distance * back[k]);
  }

  matrix(aspect) {
    const {right, up, back} = this.axes(), eye = this.eye();
    const near = Math.max(this.distance / 200, this.distance - 4 * this.size);
    const far = this.distance + 8 * this.size, f = 1 / Math.tan(this.field / 2);
    const across = aspect < 1 ? f : f / aspect, along = aspect < 1 ? f * aspect : f;
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const rows = [[...right, -dot(right, eye)], [...up, -dot(up, eye)], [...back, -dot(back, eye)]];
    const deep = (near + far) / (near - far), shift = 2 * near * far / (near - far);
    const matrix = new Float32Array(16);
    for (let column = 0; column < 4; column++)
      matrix.set([across * rows[0][column], along * rows[1][column],
                  deep * rows[2][column] + (column === 3 ? shift : 0), -rows[2][column]], 4 * column);
    return matrix;
  }

  look(centre, radius) {
    this.target = [...centre];
    this.distance = 1.08 * radius / Math.sin(this.field / 2);
  }

  /* As near as shows all of a box, with a margin for what stands over it. */
  lookAtBox(box, aspect) {
    const {right, up, back} = this.axes(), tangent = Math.tan(this.field / 2) / 1.22;
    const [across, along] = aspect < 1 ? [tangent, tangent / aspect] : [tangent * aspect, tangent];
    const centre = box.low.map((x, k) => (x + box.high[k]) / 2);
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const from = centre.map((x, k) => (corner >> k & 1 ? box.high : box.low)[k] - x);
      const [x, y, z] = [right, up, back].map((axis) => axis[0] * from[0] + axis[1] * from[1] + axis[2] * from[2]);
      distance = Math.max(distance, z + Math.abs(x) / across, z + Math.abs(y) / along);
    }
    this.target = centre;
    this.distance = Math.max(distance, this.size / 500);
  }

  turn(across, down) {
    this.yaw -= across * 0.008;
    this.pitch = Math.min(Math.max(this.pitch + down * 0.008, -1.55), 1.55);
  }

  /* So that what is under the hand stays there; height is that of the picture. */
  pan(across, down, height) {
    const {right, up} = this.axes();
    const scale = 2 * this.distance * Math.tan(this.field / 2) / height;
    this.target = this.target.map((x, k) => x + scale * (down * up[k] - across * right[k]));
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance * factor, this.size / 500), 40 * this.size);
  }
}

/* One finger or button turns; two fingers, Shift, the middle or the right button move. */
function attachCamera(camera, canvas, changed) {
  const fingers = new Map();
  const spread = () => {
    const [p, q] = [...fingers.values()];
    return {x: (p.x + q.x) / 2, y: (p.y + q.y) / 2, apart: Math.hypot(p.x - q.x, p.y - q.y)};
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  });
  canvas.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger)
      return;
    const before = fingers.size === 2 ? spread() : null;
    const across = event.clientX - finger.x, down = event.clientY - finger.y;
    [finger.x, finger.y] = [event.clientX, event.clientY];
    if (before) {
      const after = spread();
      camera.pan(after.x - before.x, after.y - before.y, canvas.clientHeight);
      camera.zoom(before.apart / Math.max(after.apart, 1));
    } else if (event.shiftKey || event.buttons > 1) {
      camera.pan(across, down, canvas.clientHeight);
    } else {
      camera.turn(across, down);
    }
    changed();
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.04 : 0.0012)));
    changed();
  }, {passive: false});
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
}
