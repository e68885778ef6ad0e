/* Tables that sort by a click on a column's head; every row is a link into the timeline. */

const ROWS_AT_FIRST = 200;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key === "class")
      made.className = value;
    else
      made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/* columns: {head, unit, about, value(row), cell(row)?, text: true for words}. linkOf(row) is the
 * hash that the row leads to. */
class SortedTable {
  constructor(place, columns, rows, linkOf, none) {
    Object.assign(this, {columns, rows, linkOf, all: rows.length <= ROWS_AT_FIRST, current: ""});
    this.by = -1;
    this.body = element("tbody", {});
    this.heads = columns.map((column, i) => this.head(column, i));
    this.table = element("table", {}, element("thead", {}, element("tr", {}, ...this.heads)), this.body);
    this.more = element("button", {type: "button", class: "more"},
                        `Show all ${formatCount(rows.length)} rows`);
    this.more.addEventListener("click", () => {
      this.all = true;
      this.fill();
    });
    if (rows.length)
      place.replaceChildren(this.table, this.more);
    else
      place.replaceChildren(element("p", {class: "none"}, none));
  }

  head(column, i) {
    const button = element("button", {type: "button", title: column.about}, column.head);
    if (column.unit)
      button.append(element("span", {class: "unit"}, ` ${column.unit}`));
    button.addEventListener("click", () => this.sort(i));
    return element("th", {scope: "col", "aria-sort": "none", class: column.text ? "words" : "number"}, button);
  }

  /* Numbers from the largest, words from A; the same column again turns it round. */
  sort(i) {
    const column = this.columns[i];
    this.down = this.by === i ? !this.down : !column.text && !column.upward;
    this.by = i;
    const sign = this.down ? -1 : 1;
    const rank = (value) => Number.isNaN(value) ? -Infinity : value;
    this.rows.sort((x, y) => {
      const [p, q] = [rank(column.value(x)), rank(column.value(y))];
      return sign * (typeof p === "string" ? p.localeCompare(q, "en", {numeric: true}) : p === q ? 0 : p < q ? -1 : 1);
    });
    this.heads.forEach((head, k) => {
      head.setAttribute("aria-sort", k !== i ? "none" : this.down ? "descending" : "ascending");
    });
    this.fill();
  }

  fill() {
    const shown = this.all ? this.rows : this.rows.slice(0, ROWS_AT_FIRST);
    this.body.replaceChildren(...shown.map((row) => this.row(row)));
    this.more.hidden = this.all;
    this.mark(this.current);
  }

  row(row) {
    const link = this.linkOf(row);
    const cells = this.columns.map((column, i) => {
      const content = column.cell ? column.cell(row) : String(column.value(row));
      const inner = i === 0 ? element("a", {href: link}, content) : content;
      return element("td", {class: column.text ? "words" : "number"}, inner);
    });
    const made = element("tr", {"data-link": link}, ...cells);
    made.addEventListener("click", (event) => {
      if (!event.target.closest("a"))
        location.hash = link;
    });
    return made;
  }

  /* Marks the row that leads to where the page is. */
  mark(link) {
    this.current = link;
    for (const row of this.body.children)
      row.classList.toggle("current", row.dataset.link === link);
  }
}

/* When a pair of parts meets: a strip as long as the timeline. */
function strip(report, pair) {
  const name = "http://www.w3.org/2000/svg", svg = document.createElementNS(name, "svg");
  const count = report.frames.length, wide = Math.max(100 / count, 0.8).toFixed(2);
  for (const [counts, look] of [[pair.counts, "all"], [pair.freshCounts, "new"]]) {
    const path = document.createElementNS(name, "path");
    let drawn = "";
    for (const [k, hits] of counts) {
      const height = Math.max(2, 12 * hits / pair.peak), x = 100 * momentOf(report, k) / count;
      if (hits)
        drawn += `M${x.toFixed(2)} 14v${(-height).toFixed(1)}h${wide}v${height.toFixed(1)}z`;
    }
    path.setAttribute("d", drawn);
    path.setAttribute("class", look);
    svg.append(path);
  }
  svg.setAttribute("viewBox", "0 0 100 14");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("class", "strip");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

function hashOf(place, key) {
  const frame = Number(place.toFixed(4));
  return `#frame=${frame}${key ? `&parts=${key}` : ""}`;
}

/* A time, and below it the frame. */
function whenCell(report, k) {
  const place = momentOf(report, k), time = formatTime(timeAt(report, place));
  return element("span", {}, time, element("span", {class: "below"}, isSweep(report) ? place.toFixed(2) : String(k)));
}

/* A long name may break behind what parts its words. */
function breakable(name) {
  return name.split(/(?<=[_.:-])(?=[^_.:-])/).flatMap((word, i) => i ? [element("wbr", {}), word] : [word]);
}

/* Two names, one below the other, in the colours of their hits. */
function namesCell(report, names) {
  return element("span", {class: report.info.self ? "names" : "names two"},
                 ...names.map((name) => element("span", {}, ...breakable(name))));
}

function depthColumn(report) {
  return {head: "deepest", unit: "m", value: (row) => row.depth,
          about: report.info.depth ? "Largest depth of a contact: how far the first must go to be free of the second" :
                                     "How deep is known of collide without --first",
          cell: (row) => formatLength(row.depth)};
}

/* Whether some pairs may be told apart as such that meet in the rest pose, too. */
function hasRest(report) {
  return report.info.command === "self" && !report.info.new;
}

function fillPartTable(place, report, summary) {
  const sweep = isSweep(report), self = report.info.self;
  const columns = [
    {head: self ? "parts" : "parts of A, B", text: true, about: "Body parts that meet",
     value: (row) => row.names.join(" "), cell: (row) => namesCell(report, row.names)},
    {head: "when", about: "From the first frame to the last; how high says how many", upward: true,
     value: (row) => row.first, cell: (row) => strip(report, row)},
    {head: sweep ? "impacts" : "most", about: sweep ? "Intervals with an impact of these parts first" :
      "Pairs of triangles in the frame that has most", value: (row) => sweep ? row.total : row.peak,
     cell: (row) => formatCount(sweep ? row.total : row.peak)}];
  if (report.info.depth)
    columns.push(depthColumn(report));
  columns.push(
    {head: "from", unit: "s", about: "When they first meet: seconds, and the frame", upward: true, value: (row) => row.first,
     cell: (row) => whenCell(report, row.first)},
    {head: "to", unit: "s", about: "When they last meet: seconds, and the frame", upward: true, value: (row) => row.last,
     cell: (row) => whenCell(report, row.last)},
    {head: "frames", about: "In how many frames they meet", value: (row) => row.counts.size,
     cell: (row) => formatCount(row.counts.size)});
  if (hasRest(report))
    columns.splice(2, 0, {head: "new", about: "Most pairs of a frame that do not meet in the rest pose",
                          value: (row) => row.worst.fresh, cell: (row) => formatCount(row.worst.fresh)});
  const table = new SortedTable(place, columns, summary.partPairs.slice(),
                                (row) => hashOf(momentOf(report, row.peakRecord), row.key),
                                "No parts meet.");
  table.sort(2);
  return table;
}

function fillFrameTable(place, report, summary) {
  const sweep = isSweep(report);
  const columns = [
    {head: sweep ? "interval" : "frame", about: sweep ? "Between this frame and the next" : "Number of the frame, from 0",
     upward: true, value: (row) => row.k, cell: (row) => String(sweep ? row.k - 1 : row.k)},
    {head: sweep ? "impact" : "time", unit: "s", about: "Time in seconds", upward: true,
     value: (row) => momentOf(report, row.k), cell: (row) => formatTime(timeAt(report, momentOf(report, row.k)))}];
  if (sweep) {
    const impact = (row) => report.frames[row.k].impact;
    const names = (row) => summary.partPairs.find((pair) => pair.counts.has(row.k)).names;
    columns.push({head: "way", about: "Part of the way to the next frame, 0 to 1", value: (row) => impact(row).toi,
                  cell: (row) => impact(row).toi.toFixed(4)},
                 {head: "parts", text: true, about: "Body parts that touch first", value: (row) => names(row).join(" "),
                  cell: (row) => namesCell(report, names(row))});
  } else {
    if (hasRest(report))
      columns.push({head: "new", about: "Of the pairs, those that do not meet in the rest pose", value: (row) => row.fresh,
                    cell: (row) => formatCount(row.fresh)});
    columns.push({head: "pairs", about: "Pairs of triangles that meet", value: (row) => row.count,
                  cell: (row) => formatCount(row.count)});
    columns.push({head: "triangles", about: "Triangles in these pairs", value: (row) => row.triangles,
                  cell: (row) => formatCount(row.triangles)},
                 {head: "part pairs", about: "Pairs of body parts that meet", value: (row) => row.parts});
    if (report.info.depth)
      columns.push(depthColumn(report));
  }
  const table = new SortedTable(place, columns, summary.records.slice(), (row) => hashOf(momentOf(report, row.k), null),
                                sweep ? "No interval has an impact." : "No frame has hits.");
  table.sort(sweep ? 0 : 2);
  return table;
}
