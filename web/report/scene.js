/* The bodies of a frame, their hits and the floor, drawn when something has changed. */

/* "#rrggbb" of the style sheet as four numbers. */
function styleColour(name, alpha) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const bits = parseInt(text.slice(1), 16);
  return [(bits >> 16 & 255) / 255, (bits >> 8 & 255) / 255, (bits & 255) / 255, alpha];
}

function boxAround(points, corners, box) {
  const add = (v) => {
    for (let k = 0; k < 3; k++) {
      box.low[k] = Math.min(box.low[k], points[3 * v + k]);
      box.high[k] = Math.max(box.high[k], points[3 * v + k]);
    }
  };
  if (corners)
    corners.forEach(add);
  else
    for (let v = 0; v < points.length / 3; v++)
      add(v);
}

function emptyBox() {
  return {low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity]};
}

function centreOf(box) {
  return box.low.map((x, k) => (x + box.high[k]) / 2);
}

function radiusOf(box) {
  return Math.hypot(...box.low.map((x, k) => box.high[k] - x)) / 2;
}

class Scene {
  constructor(canvas, report) {
    const gl = canvas.getContext("webgl2", {alpha: false, antialias: true, powerPreference: "low-power"});
    if (!gl)
      throw new Error("This browser has no WebGL 2, so there is no picture.");
    this.gl = gl;
    this.canvas = canvas;
    this.report = report;
    this.surface = makeProgram(gl, POSE_SHADER, SURFACE_SHADER, ["world"]);
    this.lines = makeProgram(gl, LINE_VERTICES, LINE_COLOUR, null);
    this.bodies = report.info.bodies.map((body) => new Body(gl, report.models[body.model]));
    this.groups = this.bodies.map(() => []);
    this.litParts = this.bodies.map(() => new Set());
    this.camera = new Camera();
    this.options = {xray: true, edges: false, follow: false};
    this.place = 0;
    this.selected = null;
    this.marks = gl.createBuffer();
    this.setPlace(0);
    this.bounds = this.boundsOfAll();
    this.camera.size = Math.max(radiusOf(this.bounds), 1e-9);
    this.makeFloor();
    this.readColours();
    this.faceAcross();
    this.fit();
    attachCamera(this.camera, canvas, () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  readColours() {
    this.colours = {back: styleColour("--stage", 1), grid: styleColour("--grid", 1),
                    edge: styleColour("--edge", 0.45), mark: styleColour("--mark", 0.85),
                    rest: styleColour("--hit-rest", 1),
                    hits: [styleColour("--hit-a", 1), styleColour("--hit-b", 1)],
                    bodies: [styleColour("--body-a", 1), styleColour("--body-b", 1)],
                    lit: [styleColour("--lit-a", 1), styleColour("--lit-b", 1)]};
    this.redraw();
  }

  /* ---- what is shown ---- */

  setPlace(place) {
    const frames = this.report.frames, last = frames.length - 1, before = Math.min(Math.floor(place), last);
    const moved = this.options.follow ? this.middle() : null;
    this.place = place;
    this.blend = place - before;
    this.bodies.forEach((body, i) => {
      body.setPoses([frames[before].poses[i], frames[Math.min(before + 1, last)].poses[i]]);
    });
    if (moved) {
      const now = this.middle();
      this.camera.target = this.camera.target.map((x, k) => x + now[k] - moved[k]);
    }
    this.chooseHits();
  }

  select(key) {
    this.selected = key;
    this.chooseHits();
  }

  /* Every hit triangle once, in the most telling of its groups: chosen before others, new before
   * those that meet at rest. */
  chooseHits() {
    const report = this.report, frame = report.frames[recordAt(report, this.place)];
    const levels = this.bodies.map(() => new Map());
    this.litParts = this.bodies.map(() => new Set());
    for (let i = 0; i < frame.pairs.length / 2; i++) {
      const chosen = !this.selected || partsOf(report, frame, i) === this.selected;
      const level = (chosen ? 0 : 2) + (isAtRest(frame, i) ? 1 : 0);
      for (let side = 0; side < 2; side++) {
        const body = report.info.self ? 0 : side, triangle = frame.pairs[2 * i + side];
        levels[body].set(triangle, Math.min(levels[body].get(triangle) ?? 3, level));
        if (chosen && !isAtRest(frame, i))
          this.litParts[body].add(report.bodies[body].parts[triangle]);
      }
    }
    this.bodies.forEach((body, i) => {
      const sorted = [0, 1, 2, 3].map(() => []);
      for (const [triangle, level] of levels[i])
        sorted[level].push(triangle);
      this.groups[i] = sorted.map((group) => group.length);
      body.setHits(sorted.flat());
    });
    this.redraw();
  }

  /* ---- where things are ---- */

  /* Posed positions, from the shader itself. */
  positions(number) {
    const gl = this.gl, body = this.bodies[number], count = body.model.info.vertices;
    const buffer = gl.createBuffer(), feedback = gl.createTransformFeedback();
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12 * count, gl.STREAM_READ);
    gl.useProgram(this.surface.program);
    body.use(this.surface.uniforms, this.blend);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, count);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    const found = new Float32Array(3 * count);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, found);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
    gl.deleteTransformFeedback(feedback);
    gl.deleteBuffer(buffer);
    return found;
  }

  /* Around everything in some frames of all. */
  boundsOfAll() {
    const box = emptyBox(), last = this.report.frames.length - 1, samples = Math.min(last, 8);
    for (let i = 0; i <= samples; i++) {
      this.setPlace(samples ? Math.round(i * last / samples) : 0);
      this.bodies.forEach((body, number) => boxAround(this.positions(number), null, box));
    }
    this.setPlace(0);
    return box;
  }

  /* About the middle of the bodies, from their placements and joints alone. */
  middle() {
    const sum = [0, 0, 0];
    for (const {model, pair: [pose]} of this.bodies)
      for (let k = 0; k < 3; k++)
        sum[k] += this.meanOf(model, pose, k) / this.bodies.length;
    return sum;
  }

  meanOf(model, pose, k) {
    const rows = pose.placement, mean = [0, 0, 0], joints = model.info.joints;
    model.middle ??= centreOf((() => {
      const box = emptyBox();
      boxAround(model.positions, null, box);
      return box;
    })());
    for (let j = 0; j < joints; j++)
      for (let i = 0; i < 3; i++) {
        const row = pose.joints.subarray(12 * j + 4 * i, 12 * j + 4 * i + 4);
        mean[i] += (row[0] * model.middle[0] + row[1] * model.middle[1] + row[2] * model.middle[2] +
          row[3]) / joints;
      }
    return rows[4 * k] * mean[0] + rows[4 * k + 1] * mean[1] + rows[4 * k + 2] * mean[2] + rows[4 * k + 3];
  }

  /* Looks at two bodies from the side, so that neither hides the other. */
  faceAcross() {
    if (this.bodies.length < 2)
      return;
    const [a, b] = this.bodies.map((body, i) => {
      const box = emptyBox();
      boxAround(this.positions(i), null, box);
      return centreOf(box);
    });
    if (Math.hypot(b[0] - a[0], b[2] - a[2]) < 0.05 * this.camera.size)
      return;
    const side = Math.atan2(a[2] - b[2], b[0] - a[0]), turn = (this.camera.yaw - side) / Math.PI;
    this.camera.yaw = side + Math.round(turn) * Math.PI + 0.3;
  }

  fit() {
    this.camera.lookAtBox(this.bounds, this.resize());
    this.redraw();
  }

  /* As near as shows the bodies where they are now. */
  fitNow() {
    const box = emptyBox();
    this.bodies.forEach((_, i) => boxAround(this.positions(i), null, box));
    this.camera.lookAtBox(box, this.resize());
    this.redraw();
  }

  /* Goes to the chosen hits of this frame, or to all; false if there are none. */
  goToHits() {
    const box = emptyBox();
    this.bodies.forEach((body, i) => {
      const chosen = this.groups[i][0] + this.groups[i][1];
      if (chosen)
        boxAround(this.positions(i), body.hitCorners.subarray(0, 3 * chosen), box);
    });
    if (!(box.low[0] <= box.high[0]))
      return false;
    this.camera.look(centreOf(box), Math.max(1.8 * radiusOf(box), 0.12 * this.camera.size));
    this.redraw();
    return true;
  }

  /* Lines one, two, five, ten, … units apart, under everything. */
  makeFloor() {
    const size = this.camera.size, wanted = size / 3, power = 10 ** Math.floor(Math.log10(wanted));
    this.cell = [1, 2, 5, 10].find((step) => step * power >= wanted) * power;
    const [x, , z] = centreOf(this.bounds).map((c) => Math.round(c / this.cell) * this.cell);
    const reach = Math.ceil(1.6 * size / this.cell), y = this.bounds.low[1], points = [];
    for (let i = -reach; i <= reach; i++) {
      const [step, end] = [i * this.cell, reach * this.cell];
      points.push(x + step, y, z - end, x + step, y, z + end, x - end, y, z + step, x + end, y, z + step);
    }
    this.floor = this.gl.createBuffer();
    this.floorCount = points.length / 3;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.floor);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, new Float32Array(points), this.gl.STATIC_DRAW);
  }

  /* ---- drawing ---- */

  redraw() {
    if (this.waiting)
      return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  resize() {
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(Math.round(this.canvas.clientWidth * scale), 1);
    const height = Math.max(Math.round(this.canvas.clientHeight * scale), 1);
    if (this.canvas.width !== width || this.canvas.height !== height)
      [this.canvas.width, this.canvas.height] = [width, height];
    this.gl.viewport(0, 0, width, height);
    return width / height;
  }

  drawLines(buffer, mode, first, count, colour, matrix, size) {
    const gl = this.gl, {program, uniforms} = this.lines;
    gl.useProgram(program);
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.uniformMatrix4fv(uniforms.projection, false, matrix);
    gl.uniform4fv(uniforms.colour, colour);
    gl.uniform1f(uniforms.point_size, size);
    gl.drawArrays(mode, first, count);
  }

  draw() {
    const gl = this.gl, matrix = this.camera.matrix(this.resize()), colours = this.colours;
    gl.clearColor(...colours.back);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.drawLines(this.floor, gl.LINES, 0, this.floorCount, colours.grid, matrix, 1);
    gl.useProgram(this.surface.program);
    gl.uniformMatrix4fv(this.surface.uniforms.projection, false, matrix);
    gl.uniform3fv(this.surface.uniforms.eye, this.camera.eye());
    this.bodies.forEach((body, i) => this.drawBody(body, i));
    this.bodies.forEach((body, i) => this.drawHits(body, i));
    this.drawMarks(matrix);
    this.drawn = (this.drawn || 0) + 1;
  }

  /* Which part is under a point of the canvas, in its pixels on screen: {body, part}, or null. Draws
   * parts in their numbers, where nobody sees it. */
  partAt(x, y) {
    const gl = this.gl, scale = this.canvas.width / Math.max(this.canvas.clientWidth, 1), found = new Uint8Array(4);
    this.hidden ??= this.makeHidden();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.hidden);
    const matrix = this.camera.matrix(this.resize());
    const wide = [this.canvas.width, this.canvas.height], [px, py] = [x * scale, wide[1] - 1 - y * scale];
    gl.viewport(-Math.floor(px), -Math.floor(py), ...wide); /* that pixel alone */
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.surface.program);
    gl.uniformMatrix4fv(this.surface.uniforms.projection, false, matrix);
    this.bodies.forEach((body, i) => {
      body.use(this.surface.uniforms, this.blend);
      body.drawParts((part) => part, (part) => this.paint([(part & 255) / 255, (part >> 8) / 255, (i + 1) / 255], 1, 0));
    });
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return found[2] ? {body: found[2] - 1, part: found[0] + 256 * found[1]} : null;
  }

  makeHidden() {
    const gl = this.gl, frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    for (const [format, place] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
    return frame;
  }

  paint(colour, alpha, shade) {
    const {uniforms} = this.surface;
    this.gl.uniform4fv(uniforms.colour, [colour[0], colour[1], colour[2], alpha]);
    this.gl.uniform1f(uniforms.shade, shade);
  }

  drawBody(body, i) {
    const gl = this.gl, lit = this.litParts[i];
    body.use(this.surface.uniforms, this.blend);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 2);
    body.drawParts((part) => lit.has(part) ? this.colours.lit[i] : this.colours.bodies[i],
                   (colour) => this.paint(colour, 1, 1));
    gl.polygonOffset(0, 0);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    if (!this.options.edges)
      return;
    this.paint(this.colours.edge, this.colours.edge[3], 0);
    body.drawEdges();
  }

  drawHits(body, i) {
    const gl = this.gl, sizes = this.groups[i];
    const looks = [[this.colours.hits[i], 1], [this.colours.rest, 0.6], [this.colours.hits[i], 0.25],
                   [this.colours.rest, 0.15]];
    const draw = (strength) => {
      for (let level = 3, end = sizes[0] + sizes[1] + sizes[2] + sizes[3]; level >= 0; level--) {
        end -= sizes[level];
        this.paint(looks[level][0], looks[level][1] * strength, 0);
        body.drawHits(end, sizes[level]);
      }
    };
    body.use(this.surface.uniforms, this.blend);
    gl.depthFunc(gl.LEQUAL);
    draw(1);
    if (this.options.xray) {
      gl.depthMask(false);
      gl.depthFunc(gl.GREATER);
      draw(0.35);
      gl.depthMask(true);
    }
    gl.depthFunc(gl.LESS);
  }

  /* The points of the frame's contacts, or of its impact; of several close together one. */
  markedPoints() {
    const frame = this.report.frames[recordAt(this.report, this.place)], found = [];
    const contacts = frame.contacts.filter((contact) => !this.selected || contact.parts.join() === this.selected);
    for (const {point} of [...contacts].sort((x, y) => y.count - x.count))
      if (!found.some((other) => Math.hypot(...other.map((x, k) => x - point[k])) < 0.15 * this.camera.size))
        found.push([...point]);
    return frame.impact && !frame.impact.initial ? [[...frame.impact.point]] : found;
  }

  /* A ring around each: easy to find from afar. */
  drawMarks(matrix) {
    const gl = this.gl, places = this.markedPoints();
    if (!places.length)
      return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.marks);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(places.flat()), gl.DYNAMIC_DRAW);
    gl.disable(gl.DEPTH_TEST);
    const scale = this.canvas.width / Math.max(this.canvas.clientWidth, 1);
    this.drawLines(this.marks, gl.POINTS, 0, places.length, this.colours.mark, matrix, 17 * scale);
  }
}
