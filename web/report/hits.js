/* What was found, by frames and by pairs of parts. */

/* Of a sweep record k is the impact between frames k - 1 and k; else the pairs in frame k. */
function isSweep(report) {
  return report.info.command === "sweep";
}

/* Where in frames a record is looked at: a sweep's at the moment of impact. */
function momentOf(report, k) {
  const impact = report.frames[k].impact;
  return impact ? k - 1 + impact.toi : k;
}

/* The record that is looked at from a place in frames. */
function recordAt(report, place) {
  const last = report.frames.length - 1;
  return isSweep(report) ? Math.min(Math.floor(place) + 1, last) : Math.round(place);
}

function timeAt(report, place) {
  const frames = report.frames, before = Math.min(Math.floor(place), frames.length - 1);
  const after = Math.min(before + 1, frames.length - 1);
  return frames[before].time + (place - before) * (frames[after].time - frames[before].time);
}

/* The key of the parts of pair i; of one body the order of two parts does not matter. */
function partsOf(report, frame, i) {
  const [modelA, modelB] = [report.bodies[0], report.bodies[report.bodies.length - 1]];
  let a = modelA.parts[frame.pairs[2 * i]], b = modelB.parts[frame.pairs[2 * i + 1]];
  if (report.info.self && a > b)
    [a, b] = [b, a];
  return `${a},${b}`;
}

function newPartPair(report, key) {
  const [a, b] = key.split(",").map(Number);
  const names = [report.bodies[0].info.parts[a],
                 report.bodies[report.bodies.length - 1].info.parts[b]];
  return {key, parts: [a, b], names, counts: new Map(), freshCounts: new Map(), total: 0, fresh: 0,
          peak: 0, peakRecord: 0,
          worst: null, depth: NaN, whole: true, first: Infinity, last: -1};
}

function takeDepths(report, frame, pairs) {
  let deepest = NaN;
  for (const contact of frame.contacts) {
    const pair = pairs.get(contact.parts.join(","));
    if (pair && !(pair.depth >= contact.depth)) {
      pair.depth = contact.depth;
      pair.whole = contact.whole;
    }
    if (!(deepest >= contact.depth))
      deepest = contact.depth;
  }
  return deepest;
}

/* What meets in the rest pose, too, is no news: new pairs first, then all. */
function worse(x, y) {
  return x.fresh !== y.fresh ? x.fresh > y.fresh : x.count > y.count;
}

/* {records: one a frame with hits, partPairs, most: pairs in the worst frame} */
function summarise(report) {
  const pairs = new Map(), records = [];
  let most = 0;
  report.frames.forEach((frame, k) => {
    const count = frame.pairs.length / 2, inFrame = new Map(), triangles = [new Set(), new Set()];
    let fresh = 0;
    for (let i = 0; i < count; i++) {
      const key = partsOf(report, frame, i), isNew = !isAtRest(frame, i);
      const found = inFrame.get(key) || {count: 0, fresh: 0};
      found.count++;
      found.fresh += isNew;
      inFrame.set(key, found);
      fresh += isNew;
      triangles[0].add(frame.pairs[2 * i]);
      triangles[report.info.self ? 0 : 1].add(frame.pairs[2 * i + 1]);
    }
    for (const [key, found] of inFrame) {
      const pair = pairs.get(key) || newPartPair(report, key);
      pairs.set(key, pair);
      if (!pair.counts.size || worse(found, pair.worst))
        [pair.worst, pair.peakRecord] = [found, k];
      pair.counts.set(k, found.count);
      pair.freshCounts.set(k, found.fresh);
      pair.total += found.count;
      pair.fresh += found.fresh;
      pair.peak = Math.max(pair.peak, found.count);
      pair.first = Math.min(pair.first, k);
      pair.last = k;
    }
    const depth = takeDepths(report, frame, pairs);
    most = Math.max(most, count);
    if (count)
      records.push({k, count, fresh, depth, parts: inFrame.size,
                    triangles: triangles[0].size + triangles[1].size});
  });
  const partPairs = [...pairs.values()].sort((x, y) => y.peak - x.peak || y.total - x.total);
  return {records, partPairs, most};
}

/* "1.234": a time, or a length with as many digits as it deserves. */
function formatTime(seconds) {
  return seconds.toFixed(3);
}

function formatLength(length) {
  if (!Number.isFinite(length))
    return "–";
  return length === 0 ? "0" : length >= 1000 ? length.toFixed(0) : length.toPrecision(3);
}

function formatCount(count) {
  return count.toLocaleString("en-US");
}
