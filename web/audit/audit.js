"use strict";
/* The table of graze audit's findings, and the picture of the row that is chosen. docs/report.md has
 * the layout of the data, cli/audit_report.c writes them.
 */

const info = JSON.parse(document.getElementById("audit-info").textContent);
const picture = new Picture(document.getElementById("view"));
const models = new Map(), scenes = new Map();
let chosen = -1;

/* ---- data ---------------------------------------------------------------------------------- */

function bytesOf(id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++)
    bytes[i] = text.charCodeAt(i);
  return bytes;
}

function modelOf(number) {
  if (!models.has(number)) {
    const buffer = bytesOf(`audit-model-${number}`).buffer, head = new Uint32Array(buffer, 0, 2);
    models.set(number, {vertices: head[0], count: head[1], triangles: new Uint32Array(buffer, 8)});
  }
  return models.get(number);
}

function sceneOf(number) {
  if (!scenes.has(number)) {
    const row = info.rows[number], model = modelOf(row.model), buffer = bytesOf(`audit-scene-${number}`).buffer;
    const box = new Float32Array(buffer, 0, 6), parts = new Uint16Array(buffer, 24, 3 * model.vertices);
    const positions = new Float32Array(parts.length);
    for (let i = 0; i < parts.length; i++)
      positions[i] = box[i % 3] + (box[3 + i % 3] - box[i % 3]) * parts[i] / 65535;
    scenes.set(number, {positions, triangles: model.triangles, point: row.point,
      marks: new Uint8Array(buffer, 24 + 2 * parts.length, model.count)});
  }
  return scenes.get(number);
}

/* ---- words --------------------------------------------------------------------------------- */

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined)
    made.textContent = text;
  if (className)
    made.className = className;
  return made;
}

function numberText(value) {
  return Number(value.toPrecision(3)).toString();
}

function partsText(row) {
  return row.names[0] === row.names[1] ? `${row.names[0]} with itself` : `${row.names[0]} × ${row.names[1]}`;
}

function depthText(row) {
  return (row.open ? "> " : "") + numberText(row.depth);
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/* ---- the strip of a clip ------------------------------------------------------------------- */

function strip(row) {
  const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg");
  const add = (name, values) => {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(values))
      made.setAttribute(key, value);
    svg.append(made);
  };
  svg.setAttribute("viewBox", `0 0 ${row.frames} 14`);
  svg.setAttribute("preserveAspectRatio", "none");
  add("rect", {x: 0, y: 4, width: row.frames, height: 6, fill: "var(--line)"});
  const least = row.frames / 110;
  for (const [from, to] of row.stretches)
    add("rect", {x: from, y: 4, width: Math.max(least, to - from + 1), height: 6, fill: "var(--b)"});
  for (const [from] of row.between || [])
    add("rect", {x: from + 0.5, y: 2, width: least, height: 10, fill: "var(--b)"});
  add("rect", {x: row.frame, y: 0, width: Math.max(2 * least, 1), height: 14, fill: "var(--meet)"});
  return svg;
}

/* ---- the table ----------------------------------------------------------------------------- */

const columns = [
  {name: "depth", number: true, text: depthText},
  {name: "of size", number: true, text: (row) => `${(100 * row.share).toFixed(1)} %`},
  {name: "parts", text: partsText},
  {name: "start to end", make: strip},
  {name: "at frame", number: true, text: (row) => row.frame},
  {name: "frames", number: true, text: (row) => row.met},
  {name: "state", when: (rows) => rows.some((row) => row.state), text: (row) => row.state},
  {name: "clip", when: () => info.clips > 1, text: (row) => row.clip},
  {name: "file", when: () => info.files > 1, text: (row) => baseName(row.file)},
];

function fillTable(words) {
  const shown = columns.filter((column) => !column.when || column.when(info.rows));
  const table = element("table"), head = element("tr"), body = element("tbody");
  for (const column of shown)
    head.append(element("th", column.name, column.number ? "number" : ""));
  info.rows.forEach((row, number) => {
    const all = [...row.parts, row.clip, row.file, row.state || ""].join(" ").toLowerCase();
    if (!words.every((word) => all.includes(word)))
      return;
    const line = element("tr", undefined, row.model < 0 ? "plain" : "");
    line.dataset.row = number;
    line.title = `${row.parts.join(" × ")}\n${row.file}, clip ${row.clip}`;
    for (const column of shown) {
      const cell = element("td", column.text && column.text(row), column.number ? "number" : "");
      if (column.make)
        cell.append(column.make(row));
      line.append(cell);
    }
    line.addEventListener("click", () => choose(number));
    body.append(line);
  });
  const top = element("thead");
  top.append(head);
  table.append(top, body);
  document.getElementById("table").replaceChildren(table);
  mark();
}

function mark() {
  for (const line of document.querySelectorAll("tbody tr"))
    line.classList.toggle("current", Number(line.dataset.row) === chosen);
}

function choose(number) {
  const row = info.rows[number];
  if (!row || row.model < 0)
    return;
  chosen = number;
  document.getElementById("what").textContent = `${partsText(row)}, ${depthText(row)} deep`;
  document.getElementById("where").textContent =
    `${baseName(row.file)}, clip ${row.clip}, frame ${row.frame} (${numberText(row.time)} s)`;
  const legend = row.names[0] === row.names[1] ? [["--a", row.names[0]]] : [["--a", row.names[0]], ["--b", row.names[1]]];
  const items = [...legend, ["--meet", "triangles that meet"]].map(([ink, text]) => {
    const item = element("li", text);
    item.style.setProperty("--ink", `var(${ink})`);
    return item;
  });
  document.getElementById("legend").replaceChildren(...items, element("li", "the deepest point", "point"));
  document.getElementById("point").hidden = !picture.gl;
  picture.show(sceneOf(number));
  mark();
  document.querySelector("tr.current")?.scrollIntoView({block: "nearest"});
}

/* The next row in the table that has a picture. */
function step(by) {
  const lines = [...document.querySelectorAll("tbody tr:not(.plain)")].map((line) => Number(line.dataset.row));
  const at = lines.indexOf(chosen);
  if (lines.length)
    choose(lines[Math.max(0, Math.min(lines.length - 1, at < 0 ? 0 : at + by))]);
}

/* ---- the page ------------------------------------------------------------------------------ */

function tellAll() {
  const files = new Set(info.rows.map((row) => row.file));
  const name = info.files === 1 && files.size === 1 ? baseName(info.rows[0].file) : plural(info.files, "file");
  const pairs = new Set(info.rows.map((row) => [row.file, ...row.parts].join("\n"))).size;
  document.title = `Graze audit: ${name}`;
  document.getElementById("title").textContent = pairs
    ? `${name}: ${plural(pairs, "pair")} of parts go${pairs === 1 ? "es" : ""} through each other`
    : `${name}: nothing goes through anything`;
  document.getElementById("facts").textContent =
    `${plural(info.clips, "clip")}, ${plural(info.frames, "frame")}, ${plural(info.findings, "stretch").replace("stretchs", "stretches")}` +
    " · depth in file units, > at least · size: the model's longest side · at frame: the deepest";
  const rest = document.getElementById("rest");
  const without = info.rows.filter((row) => row.model < 0).length;
  if (without)
    rest.append(element("p", `${without} without a picture: --rows N draws more.`));
  if (info.folds)
    rest.append(element("p", `Folds, in parts that are one or neighbours: ${info.folds}; --folds lists them.`));
  for (const one of info.failed)
    rest.append(element("p", `${one.file}: ${one.error}`, "failed"));
}

tellAll();
fillTable([]);
document.getElementById("words").addEventListener("input", (event) =>
  fillTable(event.target.value.toLowerCase().split(/\s+/).filter(Boolean)));
document.addEventListener("keydown", (event) => {
  const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (by && event.target.tagName !== "INPUT") {
    event.preventDefault();
    step(by);
  }
});
if (!picture.gl) {
  document.getElementById("notice").hidden = false;
  document.getElementById("notice").textContent = "This browser has no WebGL 2: the table is all there is.";
}
step(0);
window.grazeAudit = {info, choose, step, chosen: () => chosen, picture};
document.documentElement.dataset.ready = "yes";
