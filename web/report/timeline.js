/* Hits over time: a bar for each frame, or for each interval of a sweep at its moment of impact. */

/* Words above a point of the window, and inside it. */
function showTip(tip, words, x, bottom) {
  tip.textContent = words;
  tip.hidden = false;
  const half = tip.offsetWidth / 2, middle = Math.min(Math.max(x, half + 4), innerWidth - half - 4);
  tip.style.left = `${middle - half}px`;
  tip.style.top = `${bottom - tip.offsetHeight}px`;
}

class Timeline {
  constructor(canvas, tip, report, summary, go) {
    Object.assign(this, {canvas, tip, report, summary, go, place: 0, selected: null});
    this.margin = {left: 12, right: 12, top: 20, bottom: 20};
    let held = false;
    canvas.addEventListener("pointerdown", (event) => {
      held = true;
      canvas.setPointerCapture(event.pointerId);
      go(this.placeUnder(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (held)
        go(this.placeUnder(event));
      this.showTip(event);
    });
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, () => held = false);
    canvas.addEventListener("pointerleave", () => tip.hidden = true);
    new ResizeObserver(() => this.draw()).observe(canvas);
    canvas.setAttribute("aria-valuemin", "0");
    canvas.setAttribute("aria-valuemax", String(report.frames.length - 1));
  }

  set(place, selected) {
    Object.assign(this, {place, selected});
    this.canvas.setAttribute("aria-valuenow", String(Math.round(place)));
    this.canvas.setAttribute("aria-valuetext", this.wordsAt(place));
    this.draw();
  }

  /* A frame stands in the middle of its column, so that the first and the last have whole ones. */
  columns() {
    return Math.max(this.report.frames.length, 1);
  }

  xOf(place) {
    const width = this.canvas.clientWidth - this.margin.left - this.margin.right;
    return this.margin.left + (place + 0.5) / this.columns() * width;
  }

  placeUnder(event) {
    const box = this.canvas.getBoundingClientRect();
    const width = box.width - this.margin.left - this.margin.right;
    const place = (event.clientX - box.left - this.margin.left) / width * this.columns() - 0.5;
    const clamped = Math.min(Math.max(place, 0), this.report.frames.length - 1);
    return isSweep(this.report) ? clamped : Math.round(clamped);
  }

  wordsAt(place) {
    const report = this.report, k = recordAt(report, place), frame = report.frames[k];
    const count = frame.pairs.length / 2, time = `${formatTime(timeAt(report, place))} s`;
    if (!isSweep(report))
      return `frame ${k} · ${time} · ${formatCount(count)} ${count === 1 ? "pair" : "pairs"}`;
    const interval = `frame ${place.toFixed(2)} · ${time}`;
    return count ? `${interval} · impact at ${formatTime(timeAt(report, momentOf(report, k)))} s`
                 : `${interval} · no impact`;
  }

  showTip(event) {
    const place = this.placeUnder(event), bar = this.canvas.getBoundingClientRect();
    showTip(this.tip, this.wordsAt(place), event.clientX, bar.top - 6);
  }

  draw() {
    const canvas = this.canvas, scale = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width)
      return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    this.colour = (name) => style.getPropertyValue(name).trim();
    pen.scale(scale, scale);
    const floor = height - this.margin.bottom;
    this.drawAxis(pen, width, height, floor);
    this.drawBars(pen, width, floor);
    this.drawCursor(pen, floor);
  }

  /* Ticks at round seconds, with the number of the frame there. */
  drawAxis(pen, width, height, floor) {
    const report = this.report, last = report.frames.length - 1;
    pen.strokeStyle = this.colour("--line");
    pen.beginPath();
    pen.moveTo(this.margin.left, floor + 0.5);
    pen.lineTo(width - this.margin.right, floor + 0.5);
    pen.stroke();
    pen.fillStyle = this.colour("--soft");
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "alphabetic";
    const every = Math.max(1, Math.ceil(last / Math.max(1, Math.floor(width / 110))));
    const step = [1, 2, 5, 10, 15, 20, 30, 50, 60, 100, 120, 150, 200, 300, 500, 600, 1000].find((n) => n >= every) ||
      Math.ceil(every / 1000) * 1000;
    let end = -Infinity;
    for (let k = 0; k <= last; k += step) {
      const text = `${k} · ${Number(report.frames[k].time.toFixed(2))} s`, size = pen.measureText(text).width;
      const x = Math.min(Math.max(this.xOf(k) - size / 2, 2), width - size - 2);
      if (x < end)
        continue;
      pen.fillText(text, x, height - 5);
      pen.fillRect(Math.round(this.xOf(k)), floor, 1, 4);
      end = x + size + 12;
    }
  }

  drawBars(pen, width, floor) {
    const report = this.report, most = Math.max(this.summary.most, 1), room = floor - this.margin.top;
    const column = (width - this.margin.left - this.margin.right) / this.columns();
    const bar = Math.max(1, Math.min(column - (column > 4 ? 1 : 0), isSweep(report) ? 5 : 56));
    const chosen = this.selected && this.summary.partPairs.find((pair) => pair.key === this.selected);
    const rise = (count) => count ? Math.max(2, room * count / most) : 0;
    const paint = (k, count, name) => {
      pen.fillStyle = this.colour(name);
      pen.fillRect(this.xOf(momentOf(report, k)) - bar / 2, floor - rise(count), bar, rise(count));
    };
    for (const {k, count, fresh} of this.summary.records) {
      if (chosen) {
        paint(k, count, "--bar-dim");
        paint(k, chosen.counts.get(k) || 0, "--hit-a");
      } else {
        paint(k, count, fresh < count ? "--bar-rest" : "--hit-a");
        paint(k, fresh, "--hit-a");
      }
    }
    if (this.summary.records.length && !isSweep(report)) {
      pen.fillStyle = this.colour("--soft");
      const words = `${formatCount(most)} ${most === 1 ? "pair" : "pairs"}`;
      const size = pen.measureText(words).width, right = width - this.margin.right - size;
      pen.fillText(words, this.xOf(this.place) > right - 10 ? this.margin.left : right, this.margin.top - 7);
    }
  }

  drawCursor(pen, floor) {
    const x = Math.round(this.xOf(this.place)) + 0.5;
    pen.strokeStyle = pen.fillStyle = this.colour("--text");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, 4);
    pen.lineTo(x, floor + 4);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x - 5, 4);
    pen.lineTo(x + 5, 4);
    pen.lineTo(x, 11);
    pen.fill();
  }
}
