// Rows that show numbers over time: queues with their items, locks with their holders, and counters.

/** A number that changes at moments: its value, and the mean and the most of any stretch. */
class Series {
  /** Creates one from changes: [time, difference], in any order. */
  static ofChanges(changes) {
    changes.sort((a, b) => a[0] - b[0]);
    const times = [], values = [];
    let value = 0;
    for (const [time, change] of changes) {
      value += change;
      if (times.length && times[times.length - 1] === time) values[values.length - 1] = value;
      else { times.push(time); values.push(value); }
    }
    return new Series(times, values);
  }

  constructor(times, values) {
    this.times = Float64Array.from(times);
    this.pyramid = new MaxPyramid(Float64Array.from(values));
    this.values = this.pyramid.levels[0];
    this.most = this.pyramid.most(0, this.values.length);
    // By place: the sum over the time up to there.
    this.sums = new Float64Array(this.times.length);
    for (let k = 1; k < this.times.length; k++) {
      this.sums[k] = this.sums[k - 1] + this.values[k - 1] * (this.times[k] - this.times[k - 1]);
    }
  }

  /** The value at a moment. */
  at(time) {
    const place = below(this.times, 0, this.times.length, time, true) - 1;
    return place < 0 ? 0 : this.values[place];
  }

  /** The most between two moments. */
  between(from, to) {
    const place = below(this.times, 0, this.times.length, from, true);
    return Math.max(place > 0 ? this.values[place - 1] : 0,
      this.pyramid.most(place, below(this.times, 0, this.times.length, to, false)));
  }

  /** The sum over the time up to a moment. */
  sumBy(time) {
    const place = below(this.times, 0, this.times.length, time, true) - 1;
    return place < 0 ? 0 : this.sums[place] + this.values[place] * (time - this.times[place]);
  }

  /** The mean between two moments. */
  mean(from, to) { return (this.sumBy(to) - this.sumBy(from)) / (to - from); }

  /** Draws the series in a box, of each pixel the mean, or the most. */
  draw(stage, y, height, most, colour, showsMost) {
    const pen = stage.pen;
    pen.fillStyle = colour;
    for (let column = 0; column < stage.width; column++) {
      const from = stage.from + column / stage.scale;
      const to = from + 1 / stage.scale;
      const value = showsMost ? this.between(from, to) : this.mean(from, to);
      // A mean of nothing may be a little more, as numbers are rounded.
      if (value <= 1e-9 * most) continue;
      const part = Math.max(1, value / most * height);
      pen.fillRect(stage.left + column, y + height - part, 1, part);
    }
  }
}

/** Whether a hold is a queue's that does not run what it has. */
function isSuspension(kind) { return kind === 2 || kind === 3; }

/** A queue or pool, a lock, an actor or what else threads wait for. */
class LaneRow extends Row {
  constructor(run, lane) {
    super(run, run.laneName(lane), 30);
    this.lane = lane;
    const t = run.items, waits = [], runs = [], s = run.states;
    // Of a run that is not kept in full the parts of the whole tell how much waited.
    for (const k of run.laneItems[lane]) {
      if (!run.head.windows) waits.push([t.submitted[k], 1], [(t.flags[k] & 8) ? t.started[k] : t.ended[k], -1]);
      if (t.flags[k] & 8) runs.push([t.started[k], 1], [t.ended[k], -1]);
    }
    for (const k of run.laneHolds[lane]) {
      const h = run.holds;
      if (h.waited[k] > 0) waits.push([h.start[k] - h.waited[k], 1], [h.start[k], -1]);
    }
    for (const k of run.laneWaits[lane]) waits.push([s.start[k], 1], [s.end[k], -1]);
    this.waiting = Series.ofChanges(waits);
    this.running = Series.ofChanges(runs);
    this.holds = { list: run.laneHolds[lane] };
    this.holds.start = Float64Array.from(this.holds.list, k => run.holds.start[k]);
    this.holds.end = Float64Array.from(this.holds.list, k => run.holds.end[k]);
    this.pieces = new Pieces(this.holds.start, this.holds.end);
    this.most = Math.max(1, this.waiting.most, run.coarseLaneMost(lane));
    const family = run.family(lane);
    const most = Math.max(this.waiting.most, run.coarseLaneMost(lane));
    this.subtitle = family + (most > 0 ? ', up to ' + most + ' waiting' : '');
  }

  draw(stage, y) {
    this.run.drawCoarseLane(stage, y + 1, 16, this.lane, this.most);
    this.waiting.draw(stage, y + 1, 16, this.most, palette.states[STATE.ready]);
    if (this.running.most > 0) {
      this.running.draw(stage, y + 19, 9, this.running.most, palette.states[STATE.running]);
    }
    const kind = k => this.run.holds.kind[this.holds.list[k]];
    const name = k => words(this.run).holderName(this.holds.list[k]);
    this.pieces.draw(stage, y + 18, 11,
      k => (isSuspension(kind(k)) ? palette.textures[STATE.lock] : colourFor(name(k))), name);
  }

  hit(time, y, slack) {
    if (y >= 17 && this.holds.list.length) {
      const place = nearest(this.holds, time, slack);
      if (place >= 0) return { run: this.run.index, type: 'hold', i: this.holds.list[place] };
    }
    return { run: this.run.index, type: 'lane', i: this.lane, time: Math.round(time) };
  }
}

/** A number of the whole run: of each pixel the mean, or of what is there the most. */
class ChartRow extends Row {
  constructor(run, title, series, unit, colour, showsMost) {
    super(run, title, 34);
    Object.assign(this, { series, unit, colour, showsMost });
    this.subtitle = 'up to ' + unit(series.most);
  }

  draw(stage, y) {
    if (this.series.most > 0) this.series.draw(stage, y + 2, 30, this.series.most, this.colour(), this.showsMost);
  }

  hit(time) { return { run: this.run.index, type: 'chart', row: this, time: Math.round(time) }; }
}

/** A size with three digits. */
function bytes(size) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let place = 0;
  while (size >= 1024 && place < 4) { size /= 1024; place++; }
  return Number(size.toPrecision(3)) + units[place];
}

/** The counters of a run: live threads, those without a core, used cores, memory. */
function chartRows(run) {
  const c = run.columns, s = run.states, rows = [];
  const steps = values => new Series(Array.from(values, (_, k) => k * run.end / values.length), values);
  const count = value => String(value);
  const live = c['coarse.live'] ? steps(c['coarse.live']) : Series.ofChanges(
    Array.from(c['threads.time'], time => [time, 1]).concat(
      Array.from(c['threads.end']).filter(time => time < run.end).map(time => [time, -1])));
  rows.push(new ChartRow(run, 'live threads', live, count, () => palette.number, true));
  if (!run.head.windows) {
    const ready = [], used = [];
    for (let i = 0; i < s.count; i++) {
      if (s.length[i] === 0) continue;
      if (s.kind[i] === 1) ready.push([s.start[i], 1], [s.end[i], -1]);
      if (s.kind[i] === 0) used.push([s.start[i], 1], [s.end[i], -1]);
    }
    const readySeries = Series.ofChanges(ready);
    if (readySeries.most > 0) {
      rows.push(new ChartRow(run, 'ready, no core', readySeries, count, () => palette.states[STATE.ready]));
    }
    rows.push(new ChartRow(run, 'cores in use', Series.ofChanges(used), count, () => palette.states[STATE.running]));
  }
  const memory = c['coarse.memory'] ? steps(c['coarse.memory']) : memorySeries(run);
  if (memory.most > 0) {
    rows.push(new ChartRow(run, 'memory in use', memory, bytes, () => palette.number, true));
  }
  return rows;
}

function memorySeries(run) {
  const c = run.columns, times = [], values = [];
  for (let i = 0; i < c['notes.kind'].length; i++) {
    if (c['notes.kind'][i] !== 2) continue;
    times.push(c['notes.time'][i]);
    values.push(c['notes.value'][i]);
  }
  return new Series(times, values);
}

// Where nothing finer is kept, the shares of each part of the run.

Run.prototype.coarseLaneMost = function (lane) {
  const all = this.columns['coarse.lanes'];
  if (!all) return 0;
  const parts = this.columns['coarse.live'].length;
  let most = 0;
  for (let k = lane * parts; k < (lane + 1) * parts; k++) most = Math.max(most, all[k]);
  return most;
};

/** Calls `draw` with each part that is not kept in full, or with each at all, and its left edge and width. */
Run.prototype.eachCoarsePart = function (stage, draw, takesAll) {
  const parts = this.columns['coarse.live'].length;
  const first = Math.max(0, Math.floor(stage.from / this.end * parts));
  const last = Math.min(parts - 1, Math.floor(stage.to / this.end * parts));
  for (let part = first; part <= last; part++) {
    let pieces = [[part * this.end / parts, (part + 1) * this.end / parts]];
    for (const [from, to] of takesAll ? [] : this.head.windows) {
      pieces = pieces.flatMap(([a, b]) => [[a, Math.min(b, from)], [Math.max(a, to), b]].filter(([x, y]) => x < y));
    }
    for (const [from, to] of pieces) {
      const left = Math.max(stage.left, stage.x(from));
      const right = Math.min(stage.left + stage.width, stage.x(to));
      if (right > left) draw(part, left, right - left);
    }
  }
};

Run.prototype.drawCoarse = function (stage, y, height, thread) {
  const all = this.columns['coarse.threads'];
  if (!all) return;
  const parts = this.columns['coarse.live'].length, pen = stage.pen;
  this.eachCoarsePart(stage, (part, left, width) => {
    let bottom = y + height;
    for (const state of STACK) {
      const share = all[(thread * parts + part) * CLASSES + state] / 255;
      if (share === 0) continue;
      const size = Math.max(1, share * height * STATE_HEIGHTS[state]);
      bottom -= size;
      pen.fillStyle = palette.states[state];
      pen.fillRect(left, Math.max(y, bottom), width, size);
    }
  });
};

Run.prototype.drawCoarseCore = function (stage, y, height, core) {
  const all = this.columns['coarse.cores'];
  if (!all) return;
  const parts = this.columns['coarse.live'].length;
  this.eachCoarsePart(stage, (part, left, width) => {
    const size = all[core * parts + part] / 255 * height;
    stage.pen.fillStyle = palette.states[STATE.running];
    stage.pen.fillRect(left, y + height - size, width, size);
  });
};

Run.prototype.drawCoarseLane = function (stage, y, height, lane, most) {
  const all = this.columns['coarse.laneMeans'];
  if (!all) return;
  const parts = this.columns['coarse.live'].length;
  this.eachCoarsePart(stage, (part, left, width) => {
    const size = all[lane * parts + part] / 100 / most * height;
    stage.pen.fillStyle = palette.states[STATE.ready];
    stage.pen.fillRect(left, y + height - size, width, size);
  }, true);
};

const allWords = new Map();

/** What says sentences of a run. */
function words(run) {
  let found = allWords.get(run);
  if (!found) allWords.set(run, found = new Words(run));
  return found;
}
