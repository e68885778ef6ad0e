"use strict";
/* A posed model with two parts coloured, turned by hand: WebGL 2, no library. */

const vertexShader = `#version 300 es
in vec3 position;
in float mark;
uniform mat4 view;
uniform float wanted;
out vec3 at;
flat out float own;
void main() {
  at = position;
  own = mark;
  gl_Position = mark == wanted || wanted < 0.0 ? view * vec4(position, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = `#version 300 es
precision highp float;
in vec3 at;
flat in float own;
uniform vec4 color;
uniform vec3 light;
out vec4 result;
void main() {
  float shine = 0.45 + 0.55 * abs(dot(normalize(cross(dFdx(at), dFdy(at))), light));
  result = vec4(color.rgb * shine * color.a, color.a);
}`;

/* What a triangle is: 1, 2 of a part, 0 of no part; 3 if it meets the other part. */
function kindOf(mark) {
  return mark & 4 ? 3 : mark;
}

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2", {alpha: true, antialias: true});
    this.turn = 0.5;
    this.tilt = 0.15;
    this.scene = null;
    if (this.gl)
      this.prepare();
    this.listen();
  }

  prepare() {
    const gl = this.gl, program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "position");
    gl.bindAttribLocation(program, 1, "mark");
    gl.linkProgram(program);
    gl.useProgram(program);
    this.places = Object.fromEntries(["view", "wanted", "color", "light"].map(
      (name) => [name, gl.getUniformLocation(program, name)]));
    this.buffers = [gl.createBuffer(), gl.createBuffer()];
    this.buffers.forEach((buffer, k) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, k ? 1 : 3, gl.FLOAT, false, 0, 0);
    });
  }

  /* scene: positions (3 a vertex), triangles, marks (one a triangle), point. */
  show(scene) {
    const count = scene.marks.length;
    const corners = new Float32Array(9 * count), marks = new Float32Array(3 * count);
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const middle = [0, 0, 0];
    for (let i = 0; i < 3 * count; i++) {
      const mark = scene.marks[Math.floor(i / 3)];
      marks[i] = kindOf(mark);
      for (let axis = 0; axis < 3; axis++) {
        const value = scene.positions[3 * scene.triangles[i] + axis];
        corners[3 * i + axis] = value;
        middle[axis] += value / (3 * count);
        if (mark) {
          low[axis] = Math.min(low[axis], value);
          high[axis] = Math.max(high[axis], value);
        }
      }
    }
    this.scene = {count, corners, marks};
    this.center = scene.point.slice();
    this.size = Math.max(1e-6, 0.55 * Math.hypot(...low.map((value, axis) => high[axis] - value)));
    const out = scene.point.map((value, axis) => value - middle[axis]);
    this.turn = Math.atan2(out[0], out[2]) + 0.35;
    this.tilt = 0.2;
    this.zoom = 1;
    if (!this.gl)
      return;
    const gl = this.gl;
    [corners, marks].forEach((values, k) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    });
    this.draw();
  }

  /* Columns of a projection without perspective, which keeps depths comparable. */
  matrix() {
    const [s, c] = [Math.sin(this.turn), Math.cos(this.turn)];
    const [t, d] = [Math.sin(this.tilt), Math.cos(this.tilt)];
    const right = [c, 0, -s], up = [-s * t, d, -c * t], back = [s * d, t, c * d];
    const wide = this.canvas.width / this.canvas.height;
    const scale = this.zoom / this.size * Math.min(1, wide);
    const rows = [[right, scale / wide], [up, scale], [back, -0.02 / this.size * this.zoom]];
    const result = new Float32Array(16);
    rows.forEach(([axis, by], row) => {
      for (let k = 0; k < 3; k++)
        result[4 * k + row] = axis[k] * by;
      result[12 + row] = -by * (axis[0] * this.center[0] + axis[1] * this.center[1] + axis[2] * this.center[2]);
    });
    result[15] = 1;
    return {view: result, light: back};
  }

  draw() {
    const gl = this.gl, canvas = this.canvas;
    if (!gl || !this.scene)
      return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const {view, light} = this.matrix();
    gl.uniformMatrix4fv(this.places.view, false, view);
    gl.uniform3fv(this.places.light, light);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const pass = (kind, color, alpha, depth) => {
      (depth ? gl.enable : gl.disable).call(gl, gl.DEPTH_TEST);
      gl.depthMask(depth && alpha === 1);
      gl.uniform1f(this.places.wanted, kind);
      gl.uniform4f(this.places.color, ...color, alpha);
      gl.drawArrays(gl.TRIANGLES, 0, 3 * this.scene.count);
    };
    pass(1, colorOf("--a"), 1, true);
    pass(2, colorOf("--b"), 1, true);
    pass(3, colorOf("--meet"), 1, true);
    pass(0, colorOf("--soft"), 0.13, true);
    pass(3, colorOf("--meet"), 0.45, false);
  }

  listen() {
    let held = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      held = event;
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!held)
        return;
      this.turn -= 0.01 * (event.clientX - held.clientX);
      this.tilt = Math.max(-1.5, Math.min(1.5, this.tilt + 0.01 * (event.clientY - held.clientY)));
      held = event;
      this.draw();
    });
    for (const name of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(name, () => { held = null; });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom = Math.max(0.1, Math.min(50, this.zoom * Math.exp(-0.0015 * event.deltaY)));
      this.draw();
    }, {passive: false});
    window.addEventListener("resize", () => this.draw());
  }
}

/* A colour of the style as three numbers from 0 to 1. */
function colorOf(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
}
