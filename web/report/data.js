"use strict";
/* Reads what the command wrote into the page. docs/report.md has the layout, cli/report*.c write it. */

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    this.at = 0;
  }

  u8() {
    return this.bytes[this.at++];
  }

  /* Seven bits a byte, the lowest first. */
  count() {
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }

  signed() {
    const value = this.count();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  float() {
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }

  double() {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  array(Type, count) {
    const from = this.at;
    this.at += count * Type.BYTES_PER_ELEMENT;
    return new Type(this.bytes.buffer.slice(from, this.at));
  }

  floats(count) {
    return this.array(Float32Array, count);
  }

  /* Indices below a limit, and what fills up their last four bytes. */
  indices(count, limit) {
    const found = this.array(limit <= 65536 ? Uint16Array : Uint32Array, count);
    this.align();
    return found;
  }

  align() {
    this.at = Math.ceil(this.at / 4) * 4;
  }
}

/* The bytes of an element; its text is let go. */
function takeBytes(id) {
  const element = document.getElementById(id);
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++)
    bytes[i] = text.charCodeAt(i);
  element.remove();
  return bytes;
}

/* An array of where each run begins, and one more for the end. */
function startsOf(counts) {
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++)
    starts[i + 1] = starts[i] + counts[i];
  return starts;
}

function readModel(info, bytes) {
  const reader = new Reader(bytes);
  const model = {info, linear: info.skinning === "linear"};
  model.triangles = reader.indices(3 * info.triangles, info.vertices);
  model.parts = reader.indices(info.triangles, info.parts.length);
  model.positions = reader.floats(3 * info.vertices);
  const counts = reader.indices(info.vertices, 65536);
  model.influenceStarts = startsOf(counts);
  model.blended = counts.reduce((sum, count) => sum + (count > 1), 0);
  model.joints = reader.indices(info.influences, 65536);
  model.weights = reader.floats(info.influences);
  model.morphs = info.morphs.map((count) => {
    const vertices = reader.indices(count, info.vertices);
    return {vertices, deltas: reader.floats(3 * count)};
  });
  return model;
}

/* What vertices with several joints lie off linear skinning. */
function readOffsets(reader, model) {
  const low = reader.floats(3), high = reader.floats(3);
  return {low, high, parts: reader.array(reader.u8() === 1 ? Uint8Array : Uint16Array, 3 * model.blended)};
}

function readPose(reader, model) {
  const placement = reader.floats(12), joints = reader.floats(12 * model.info.joints);
  return {placement, joints, morphWeights: reader.floats(model.info.morphs.length),
          offsets: model.linear ? null : readOffsets(reader, model)};
}

function readPairs(reader) {
  const count = reader.count(), pairs = new Uint32Array(2 * count);
  let a = 0, b = 0;
  for (let i = 0; i < count; i++) {
    pairs[2 * i] = a += reader.count();
    pairs[2 * i + 1] = b += reader.signed();
  }
  return pairs;
}

function readContact(reader) {
  return {parts: [reader.count(), reader.count()], count: reader.count(), whole: reader.u8() === 1,
          depth: reader.float(), point: reader.floats(3), normal: reader.floats(3)};
}

function readImpact(reader) {
  return {initial: reader.u8() === 1, toi: reader.float(), point: reader.floats(3),
          normal: reader.floats(3)};
}

function readFrame(reader, info, models) {
  const frame = {time: reader.double(), contacts: [], impact: null, rest: null};
  frame.poses = info.bodies.map((body) => readPose(reader, models[body.model]));
  frame.pairs = readPairs(reader);
  const count = frame.pairs.length / 2;
  if (info.command === "self")
    frame.rest = reader.array(Uint8Array, Math.ceil(count / 8));
  if (info.command === "sweep" && count)
    frame.impact = readImpact(reader);
  for (let left = info.depth ? reader.count() : 0; left > 0; left--)
    frame.contacts.push(readContact(reader));
  return frame;
}

/* Whether pair i of a frame meets in the rest pose, too. */
function isAtRest(frame, i) {
  return frame.rest !== null && (frame.rest[i >> 3] >> (i & 7) & 1) === 1;
}

function readReport() {
  const info = JSON.parse(document.getElementById("graze-info").textContent);
  if (info.format !== 1)
    throw new Error(`this page reads format 1, not ${info.format}`);
  const models = info.models.map((model, i) => readModel(model, takeBytes(`graze-model-${i}`)));
  const reader = new Reader(takeBytes("graze-frames")), frames = [];
  for (let i = 0; i < info.frames; i++)
    frames.push(readFrame(reader, info, models));
  if (reader.at !== reader.bytes.length)
    throw new Error("the frames of this report are not whole");
  return {info, models, frames, bodies: info.bodies.map((body) => models[body.model])};
}
