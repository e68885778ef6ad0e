// Whether a Graze answers what tests/web/native_answers.c and native_rigs.c have written; for Node,
// pages and workers alike. Differences come in words.

/** { info, array(name) } of NUMBER.json and the bytes of NUMBER.bin. */
export function subjectOf(info, bytes) {
  const array = (name) => {
    const [type, first, count] = info[name];
    return new (type === "f" ? Float32Array : Uint32Array)(bytes, 4 * first, count);
  };
  return { info, array };
}

export function makeModel(graze, { info, array }, more = {}) {
  const vertices = array("positions").length, morphs = [];
  for (let i = 0; i < info.morphCount; i++)
    morphs.push(array("morphs").subarray(i * vertices, (i + 1) * vertices));
  return graze.model({
    positions: array("positions"), triangles: array("triangles"), jointCount: info.jointCount,
    joints: array("joints"), weights: array("weights"), influences: info.influences, morphs,
    skinning: info.skinning, sameJoints: array("same"),
    rest: { matrices: array("rest"), morphWeights: array("restWeights") }, ...more,
  });
}

const bitsOf = (values) => new Uint32Array(values.buffer, values.byteOffset, values.length);

/** What differs between two arrays of 4-byte numbers, or null. */
export function bitDifference(got, wanted) {
  if (got.length !== wanted.length) return `${got.length} numbers, not ${wanted.length}`;
  const x = bitsOf(got), y = bitsOf(wanted), first = x.findIndex((value, i) => value !== y[i]);
  return first < 0 ? null : `number ${first} is ${got[first]}, not ${wanted[first]}`;
}

function compareRays(body, array, frame, note) {
  const rays = array(`rays${frame}`), hits = array(`hits${frame}`), times = array(`times${frame}`);
  for (let r = 0; r < hits.length; r++) {
    const at = 6 * r, origin = rays.subarray(at, at + 3), direction = rays.subarray(at + 3, at + 6);
    const hit = body.raycast(origin, direction), all = body.raycast(origin, direction, { all: true });
    note(`ray ${r}`, (hit ? hit.triangle : 0xffffffff) === hits[r] && (!hit || hit.t === times[r]));
    note(`ray ${r}, all`, hit ? JSON.stringify(all[0]) === JSON.stringify(hit) : all.length === 0);
  }
}

/** Differences of every frame of a subject; `checks` counts what was compared. */
export function compareSubject(graze, subject) {
  const { info, array } = subject, differences = [];
  let checks = 0, frame = 0;
  const note = (name, fine, text = "") => {
    checks++;
    if (!fine) differences.push(`${info.name}, ${info.skinning}, frame ${frame}: ${name} ${text}`);
  };
  const same = (name, got) => {
    const text = bitDifference(got, array(`${name}${frame}`));
    note(name, !text, text);
  };
  const model = makeModel(graze, subject);
  for (; frame < info.frames; frame++) {
    const a = model.body(), b = model.body();
    const morphWeights = info.morphCount ? array(`weights${frame}`) : null;
    a.setPose(array(`matrices${frame}`), { morphWeights });
    b.setPose(array(`matrices${frame}`), { morphWeights, placement: array(`placement${frame}`) });
    same("pairs", graze.collide(a, b));
    same("self", graze.self(a));
    same("new", graze.self(a, { onlyNew: true }));
    same("posed", a.positions());
    same("placed", b.positions());
    compareRays(a, array, frame, note);
    const { distance } = graze.distance(a, b);
    note("distance", distance === info[`distance${frame}`], distance);
    note("first pair", (graze.collideFirst(a, b) !== null) === (distance === 0));
    a.dispose();
    b.dispose();
  }
  model.dispose();
  return { differences, checks };
}

/** Three rows of four a joint from columns, as the native library writes them. */
function rowsOf(matrices) {
  const rows = new Float32Array((matrices.length / 16) * 12);
  for (let j = 0; j < matrices.length / 16; j++)
    for (let i = 0; i < 12; i++) rows[12 * j + i] = matrices[16 * j + 4 * (i % 4) + (i >> 2)];
  return rows;
}

/** Differences of a rig's samples. */
export function compareSamples(rig, { name, same, samples }) {
  const differences = bitDifference(rig.sameJoints, Uint32Array.from(same)) ? [`${name}: the same joints`] : [];
  for (const { clip, time, blend, joints, weights } of samples) {
    const half = [{ clip, time, weight: 0.5 }, { clip, time: 0, weight: 0.5 }];
    const { matrices, morphWeights } = blend ? rig.blend(half) : rig.sample(clip, time);
    const lastRow = matrices.every((value, i) => i % 4 !== 3 || value === (i % 16 === 15 ? 1 : 0));
    const text = bitDifference(bitsOf(rowsOf(matrices)), Uint32Array.from(joints)) ??
      bitDifference(bitsOf(morphWeights), Uint32Array.from(weights)) ?? (lastRow ? null : "the last row");
    if (text) differences.push(`${name}, clip ${clip} at ${time}${blend ? ", blended" : ""}: ${text}`);
  }
  return differences;
}
