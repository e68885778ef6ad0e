/* What of a body is on the graphics card. */

/* Triangles sorted by part, so that a part is one run: {indices, starts}. */
function sortByPart(model) {
  const parts = model.info.parts.length, counts = new Uint32Array(parts);
  for (const part of model.parts)
    counts[part]++;
  const starts = startsOf(counts), next = starts.slice();
  const indices = new Uint32Array(model.triangles.length);
  model.parts.forEach((part, t) => {
    indices.set(model.triangles.subarray(3 * t, 3 * t + 3), 3 * next[part]++);
  });
  return {indices, starts};
}

function edgesOf(triangles) {
  const edges = new Uint32Array(2 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3)
    edges.set([triangles[t], triangles[t + 1], triangles[t + 1], triangles[t + 2], triangles[t + 2],
               triangles[t]], 2 * t);
  return edges;
}

/* The displacements of each vertex by all morph targets, one after the other. */
function morphRuns(model) {
  const counts = new Uint32Array(model.info.vertices);
  for (const morph of model.morphs)
    for (const v of morph.vertices)
      counts[v]++;
  const starts = startsOf(counts), next = starts.slice(), texels = new Float32Array(4 * starts.at(-1));
  model.morphs.forEach((morph, target) => {
    morph.vertices.forEach((v, i) => {
      const at = 4 * next[v]++;
      texels.set(morph.deltas.subarray(3 * i, 3 * i + 3), at);
      texels[at + 3] = target;
    });
  });
  return {starts, texels};
}

class Body {
  constructor(gl, model) {
    this.gl = gl;
    this.model = model;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    const sorted = sortByPart(model);
    this.partStarts = sorted.starts;
    this.indices = this.fill(gl.createBuffer(), gl.ELEMENT_ARRAY_BUFFER, sorted.indices);
    this.edges = null;
    this.hits = gl.createBuffer();
    this.makeSkin();
    if (!model.linear)
      this.makeOffsets();
    gl.bindVertexArray(null);
  }

  fill(buffer, target, values) {
    this.gl.bindBuffer(target, buffer);
    this.gl.bufferData(target, values, this.gl.STATIC_DRAW);
    return buffer;
  }

  attribute(location, size, type, normalised) {
    this.gl.enableVertexAttribArray(location);
    this.gl.vertexAttribPointer(location, size, type, normalised, 0, 0);
  }

  makeSkin() {
    const gl = this.gl, model = this.model, morph = morphRuns(model);
    const runs = new Uint32Array(4 * model.info.vertices);
    for (let v = 0; v < model.info.vertices; v++)
      runs.set([model.influenceStarts[v], model.influenceStarts[v + 1], morph.starts[v],
                morph.starts[v + 1]], 4 * v);
    this.fill(gl.createBuffer(), gl.ARRAY_BUFFER, model.positions);
    this.attribute(0, 3, gl.FLOAT, false);
    if (model.morphs.length === 0) { /* else every facet has its own, which a morph may turn */
      this.fill(gl.createBuffer(), gl.ARRAY_BUFFER, smoothNormals(model));
      this.attribute(1, 3, gl.FLOAT, false);
    }
    this.fill(gl.createBuffer(), gl.ARRAY_BUFFER, runs);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribIPointer(2, 4, gl.UNSIGNED_INT, 0, 0);
    this.influences = new Table(gl, model.weights.length);
    model.weights.forEach((weight, i) => {
      this.influences.values[4 * i] = model.joints[i];
      this.influences.values[4 * i + 1] = weight;
    });
    this.influences.upload();
    this.morphs = new Table(gl, morph.texels.length / 4);
    this.morphs.values.set(morph.texels);
    this.morphs.upload();
    this.poseSize = 3 * model.info.joints + model.morphs.length;
    this.poses = new Table(gl, 2 * this.poseSize);
  }

  makeOffsets() {
    const gl = this.gl;
    this.spread = new Uint16Array(3 * this.model.info.vertices);
    this.offsets = [3, 4].map((location) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, 6 * this.model.info.vertices, gl.DYNAMIC_DRAW);
      this.attribute(location, 3, gl.UNSIGNED_SHORT, true);
      return buffer;
    });
  }

  /* Offsets of a pose to their vertices. */
  setOffsets(buffer, {parts}) {
    const gl = this.gl, starts = this.model.influenceStarts, scale = parts.BYTES_PER_ELEMENT === 1 ? 257 : 1;
    for (let v = 0, at = 0; v < this.model.info.vertices; v++)
      if (starts[v + 1] - starts[v] > 1)
        for (let k = 0; k < 3; k++)
          this.spread[3 * v + k] = scale * parts[at++];
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.spread);
  }

  /* Takes over the poses of a frame and of the one behind it. */
  setPoses(pair) {
    this.pair = pair;
    pair.forEach((pose, i) => {
      if (pose.offsets)
        this.setOffsets(this.offsets[i], pose.offsets);
      const base = 4 * i * this.poseSize, values = this.poses.values;
      values.set(pose.joints, base);
      pose.morphWeights.forEach((weight, m) => {
        values[base + 4 * (3 * this.model.info.joints + m)] = weight;
      });
    });
    this.poses.upload();
  }

  /* Gives the program all that poses the body, and binds its vertices. */
  use(uniforms, blend) {
    const gl = this.gl, [now, next] = this.pair;
    gl.bindVertexArray(this.array);
    gl.uniform1i(uniforms.has_offsets, now.offsets !== null);
    gl.uniform1f(uniforms.blend, blend);
    if (now.offsets) {
      gl.uniform3fv(uniforms.low, [...now.offsets.low, ...next.offsets.low]);
      gl.uniform3fv(uniforms.high, [...now.offsets.high, ...next.offsets.high]);
    }
    gl.uniform1i(uniforms.joint_count, this.model.info.joints);
    gl.uniform1i(uniforms.pose_size, this.poseSize);
    gl.uniform4fv(uniforms.placement, [...now.placement, ...next.placement]);
    [["poses", this.poses], ["influences", this.influences], ["morphs", this.morphs]].forEach(
      ([name, table], unit) => {
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, table.texture);
        gl.uniform1i(uniforms[name], unit);
      });
    gl.activeTexture(gl.TEXTURE0);
  }

  /* Draws runs of parts, each in the colour that tint(part) gives; runs of one colour are one call. */
  drawParts(tint, setColour) {
    const gl = this.gl, starts = this.partStarts;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
    for (let part = 0; part < starts.length - 1;) {
      const colour = tint(part), first = part;
      while (part < starts.length - 1 && tint(part) === colour)
        part++;
      setColour(colour);
      if (starts[part] > starts[first])
        gl.drawElements(gl.TRIANGLES, 3 * (starts[part] - starts[first]), gl.UNSIGNED_INT,
                        12 * starts[first]);
    }
  }

  drawEdges() {
    const gl = this.gl;
    if (!this.edges)
      this.edges = this.fill(gl.createBuffer(), gl.ELEMENT_ARRAY_BUFFER, edgesOf(this.model.triangles));
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.edges);
    gl.drawElements(gl.LINES, 2 * this.model.triangles.length, gl.UNSIGNED_INT, 0);
  }

  /* Corners of chosen triangles, for drawHits. */
  setHits(triangles) {
    const gl = this.gl, corners = new Uint32Array(3 * triangles.length);
    triangles.forEach((t, i) => corners.set(this.model.triangles.subarray(3 * t, 3 * t + 3), 3 * i));
    this.hitCorners = corners;
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.hits);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.DYNAMIC_DRAW);
  }

  drawHits(first, count) {
    const gl = this.gl;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.hits);
    if (count > 0)
      gl.drawElements(gl.TRIANGLES, 3 * count, gl.UNSIGNED_INT, 12 * first);
  }
}
