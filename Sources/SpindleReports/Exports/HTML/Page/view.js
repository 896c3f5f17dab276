// The view of one run or of two: which time is in sight, what is selected, what is drawn over it.

/** The time in sight ends a little behind the run, so that its last states are seen. */
const VIEW_END = 1.015;

class View {
  constructor(runs) {
    this.all = runs;
    this.pins = new Set();
    this.unfolded = new Set();
    this.marks = [];
    this.trail = [];
    this.found = [];
    this.showsPath = false;
    this.selection = null;
    this.range = null;
    this.axis = new Strip('axis', AXIS);
    this.strip = new Strip('strip', 34);
    const part = share => () => Math.max(90, Math.round(window.innerHeight * share));
    const threads = () => part(this.runs.length > 1 ? 0.28 : 0.42)();
    this.panes = [new Pane(this, 'cores', 'Cores', part(0.22)),
      new Pane(this, 'threads', 'Threads', threads),
      new Pane(this, 'threads-beside', 'Threads', threads),
      new Pane(this, 'queues', 'Queues and locks', part(0.26)),
      new Pane(this, 'charts', 'Numbers', part(0.22))];
    document.getElementById('panes').append(...this.panes.map(pane => pane.box));
    this.listenToStrip();
    this.choose(runs.slice(0, 2));
  }

  /** Shows one run, or two on one axis. */
  choose(runs) {
    this.runs = runs;
    this.end = Math.max(...runs.map(run => run.end));
    this.from = 0;
    this.to = this.end * VIEW_END;
    this.makeRows();
  }

  makeRows() {
    const build = make => {
      const rows = [];
      for (const run of this.runs) {
        const own = make(run);
        if (!own.length) continue;
        if (this.runs.length > 1) rows.push(new HeadRow(run, run.head.label));
        rows.push(...this.pinned(own));
      }
      return rows;
    };
    const rows = [build(run => this.cached(run, 'cores', () => run.cores.map((_, core) => new CoreRow(run, core)))),
      ...[0, 1].map(k => (this.runs[k] ? this.pinned(this.threadRows(this.runs[k])) : [])),
      build(run => this.laneRows(run)),
      build(run => this.cached(run, 'charts', () => chartRows(run)))];
    for (const k of [0, 1]) {
      if (this.runs[k]) this.panes[k + 1].title = 'Threads' + (this.runs.length > 1 ? ', ' + this.runs[k].head.label : '');
    }
    this.panes.forEach((pane, i) => pane.setRows(rows[i]));
  }

  cached(run, key, make) {
    if (!run.rowCache.has(key)) run.rowCache.set(key, make());
    return run.rowCache.get(key);
  }

  pinned(rows) {
    return [...rows.filter(row => this.pins.has(this.key(row))), ...rows.filter(row => !this.pins.has(this.key(row)))];
  }

  key(row) {
    const sort = row.thread !== undefined ? 't' + row.thread : row.lane !== undefined ? 'l' + row.lane
      : row.number !== undefined ? 'c' + row.number : row.isWorld ? 'w' : '';
    return sort && row.run.index + '.' + sort;
  }

  /** The marks of the world outside, then the threads with main first; those that never did anything are folded. */
  threadRows(run) {
    const { rows, idle } = this.cached(run, 'threads', () => {
      const all = Array.from({ length: run.threadCount }, (_, thread) => new ThreadRow(run, thread));
      const isMain = row => run.columns['threads.origin'][row.thread] === 0;
      const works = row => row.depth > 0 || isMain(row) || run.isAtWork(row.thread);
      const world = run.worldMarks.length ? [new WorldRow(run)] : [];
      return { rows: [...world, ...all.filter(isMain), ...all.filter(row => !isMain(row) && works(row))],
        idle: all.filter(row => !works(row)) };
    });
    return this.folded(run, 'threads', rows, idle, 'threads that did nothing');
  }

  laneRows(run) {
    const { rows, idle } = this.cached(run, 'lanes', () => {
      const all = [];
      for (let lane = 0; lane < run.laneItems.length; lane++) {
        const isUsed = run.laneItems[lane].length || run.laneWaits[lane].length || run.laneHolds[lane].length
          || run.coarseLaneMost(lane) > 0;
        if (isUsed) all.push(new LaneRow(run, lane));
      }
      const isQuiet = row => !run.laneWaits[row.lane].length && !run.laneItems[row.lane].length
        && run.coarseLaneMost(row.lane) === 0 && !run.laneHolds[row.lane].some(k => run.holds.waited[k] > 0);
      return { rows: all.filter(row => !isQuiet(row)), idle: all.filter(isQuiet) };
    });
    return this.folded(run, 'lanes', rows, idle, 'that nobody waited for');
  }

  folded(run, key, rows, idle, what) {
    if (!idle.length) return rows;
    const own = run.index + key;
    const isOpen = this.unfolded.has(own);
    const toggle = () => {
      if (isOpen) this.unfolded.delete(own); else this.unfolded.add(own);
      this.makeRows();
      this.layout();
    };
    const fold = new FoldRow(run, (isOpen ? '\u25BE ' : '\u25B8 ') + idle.length + ' ' + what, toggle);
    return isOpen ? [...rows, fold, ...idle] : [...rows, fold];
  }

  // Drawing

  layout() {
    for (const pane of this.panes) pane.layout();
    for (const strip of [this.axis, this.strip]) strip.layout(Math.max(...this.panes.map(pane => pane.width)));
    this.redraw();
  }

  redraw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => { this.isDue = false; this.draw(); });
  }

  draw() {
    this.axis.clear();
    const stage = this.axis.stage(this.from, this.to), pen = stage.pen;
    this.drawGrid(stage, AXIS);
    pen.fillStyle = palette.text;
    const span = short(this.to - this.from) + ' in sight';
    label(pen, span, 1, 15, NAMES, palette.dim);
    for (const time of ticks(this.from, this.to, stage.width)) {
      const x = stage.x(time);
      pen.fillStyle = palette.text;
      if (x >= NAMES && x < this.axis.width - 40) pen.fillText(exact(time), x + 3, 15);
    }
    this.drawStrip();
    for (const pane of this.panes) pane.draw();
  }

  drawGrid(stage, height) {
    const pen = stage.pen;
    pen.fillStyle = palette.line;
    for (const time of ticks(this.from, this.to, stage.width)) pen.fillRect(stage.x(time), 0, 0.5, height);
    const end = stage.x(this.end);
    if (end < stage.left + stage.width) {
      pen.fillStyle = palette.soft;
      pen.fillRect(end, 0, stage.left + stage.width - end, height);
    }
    for (const window of this.hidden()) {
      const left = Math.max(stage.left, stage.x(window[0])), right = Math.min(stage.left + stage.width, stage.x(window[1]));
      if (right > left) { pen.fillStyle = palette.soft; pen.fillRect(left, 0, right - left, height); }
    }
  }

  /** The stretches of time of which only shares are kept. */
  hidden() {
    const windows = this.runs[0].head.windows;
    if (!windows) return [];
    const result = [];
    let from = 0;
    for (const [start, end] of windows) { if (start > from) result.push([from, start]); from = Math.max(from, end); }
    if (from < this.end) result.push([from, this.end]);
    return result;
  }

  /** The whole run, and which part of it is in sight. */
  drawStrip() {
    this.strip.clear();
    const stage = this.strip.stage(0, this.end), pen = stage.pen;
    const high = 30 / this.runs.length;
    this.runs.forEach((run, k) => {
      const rows = this.cached(run, 'cores', () => []);
      for (let column = 0; column < stage.width; column++) {
        const from = column / stage.scale, to = from + 1 / stage.scale;
        let share = 0;
        if (run.head.windows) {
          const all = run.columns['coarse.cores'], parts = run.columns['coarse.live'].length;
          const part = Math.min(parts - 1, Math.floor(from / run.end * parts));
          for (let core = 0; core < run.head.cores; core++) share += all[core * parts + part] / 255;
        } else {
          for (const row of rows) share += (row.busyBy(to) - row.busyBy(from)) * stage.scale;
        }
        const size = Math.min(high, share / Math.max(1, run.head.cores) * high);
        pen.fillStyle = palette.states[STATE.running];
        if (size > 0) pen.fillRect(stage.left + column, 2 + high * (k + 1) - Math.max(0.5, size), 1, Math.max(0.5, size));
      }
    });
    label(pen, 'the whole run', 1, 20, NAMES, palette.dim);
    const [left, right] = [stage.x(this.from), stage.x(this.to)];
    pen.fillStyle = palette.isDark ? 'rgba(0,0,0,.55)' : 'rgba(255,255,255,.65)';
    pen.fillRect(NAMES, 0, Math.max(0, left - NAMES), 34);
    pen.fillRect(right, 0, Math.max(0, this.strip.width - right), 34);
    pen.strokeStyle = palette.select;
    pen.lineWidth = 1.5;
    pen.strokeRect(left, 1, Math.max(3, right - left) - 1, 32);
    for (const [time, colour] of this.lines()) { pen.fillStyle = colour; pen.fillRect(stage.x(time), 0, 1.5, 34); }
  }

  /** Moments with a line over everything: marks, findings, where two runs part. */
  lines() {
    const lines = this.marks.map(mark => [mark, palette.mark]);
    for (const run of this.runs) for (const finding of run.head.findings) lines.push([finding.time, palette.path]);
    const parting = this.parting();
    if (parting) lines.push([parting.time, palette.part]);
    return lines;
  }

  /** Where the second run parts from the first; nothing for one run. */
  parting() {
    if (this.runs.length < 2) return null;
    return head.partings.find(parting => parting.run === this.runs[1].index) || null;
  }

  drawOver(pane, stage) {
    const pen = stage.pen;
    if (this.range) {
      pen.fillStyle = palette.isDark ? 'rgba(120,170,255,.18)' : 'rgba(40,100,220,.12)';
      pen.fillRect(stage.x(this.range[0]), 0, (this.range[1] - this.range[0]) * stage.scale, pane.height);
    }
    for (const [time, colour] of this.lines()) {
      if (time < this.from || time > this.to) continue;
      pen.fillStyle = colour;
      pen.fillRect(stage.x(time), 0, 1.2, pane.height);
    }
    if (pane.title.startsWith('Threads')) for (const arrow of arrows(this)) this.drawArrow(pane, stage, arrow);
  }

  drawArrow(pane, stage, arrow) {
    const [y1, y2] = [pane.placeOf(arrow.run, arrow.fromThread), pane.placeOf(arrow.run, arrow.toThread)];
    if (y2 === null) return;
    const pen = stage.pen, start = y1 === null ? -6 : y1;
    const [x1, x2] = [stage.x(arrow.from), stage.x(arrow.to)];
    const bend = Math.max(14, Math.min(60, Math.abs(x2 - x1) / 2));
    pen.strokeStyle = pen.fillStyle = palette.select;
    pen.lineWidth = 1.6;
    pen.beginPath();
    pen.moveTo(x1, start);
    pen.bezierCurveTo(x1 + bend, start, x2 - bend, y2, x2, y2);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x2, y2);
    pen.lineTo(x2 - 7, y2 - 4);
    pen.lineTo(x2 - 7, y2 + 4);
    pen.fill();
  }

  // Time in sight

  /** Shows the time between two moments. */
  show(from, to) {
    const length = Math.max(Math.min(10, this.end), Math.min(to - from, this.end * VIEW_END));
    const start = Math.max(0, Math.min(from, this.end * VIEW_END - length));
    this.from = start;
    this.to = start + length;
    this.redraw();
    keepFragment(this);
  }

  zoom(factor, at) {
    const point = at === undefined ? (this.from + this.to) / 2 : at;
    this.show(point - (point - this.from) * factor, point + (this.to - point) * factor);
  }

  pan(share) {
    const step = (this.to - this.from) * share;
    this.show(this.from + step, this.to + step);
  }

  /** The boxes around what is selected or found in a row. */
  ranges(row) {
    const list = [];
    const add = (target, isMain) => {
      if (!target || target.run !== row.run.index) return;
      const box = boxOf(row, target);
      if (box) list.push({ ...box, isMain });
    };
    for (const target of this.found.slice(0, 400)) add(target, false);
    add(this.twin, false);
    add(this.selection, true);
    return list;
  }
}
