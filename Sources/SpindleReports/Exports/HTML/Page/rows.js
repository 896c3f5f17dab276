// Rows of the panes: each draws its part of a canvas from time to time, and says what lies at a point.

/** How many slices a pixel may have on average before each of them is looked at no more. */
const CROWD = 2;

/** What a row draws on: a pen, the time and place of its left and right edge. */
class Stage {
  constructor(pen, left, width, from, to) {
    Object.assign(this, { pen, left, width, from, to });
    this.scale = width / (to - from);
  }
  x(time) { return this.left + (time - this.from) * this.scale; }
  time(x) { return this.from + (x - this.left) / this.scale; }
}

/** Writes a text into a box, as far as there is room. */
function label(pen, text, x, y, room, colour) {
  const letters = Math.floor((room - 4) / 6.1);
  if (letters < 2) return;
  pen.fillStyle = colour;
  pen.fillText(text.length > letters ? text.slice(0, letters - 1) + '\u2026' : text, x + 3, y);
}

/** Which pixels of a stage a stretch of time fills, from the first up to the last, and which it only touches. */
function pixels(stage, start, end) {
  const left = Math.max(0, stage.x(start) - stage.left), right = Math.min(stage.width, stage.x(end) - stage.left);
  const [low, high] = [Math.floor(left), Math.max(Math.ceil(right), Math.floor(left) + 1)];
  const [first, last] = [Math.ceil(left), Math.floor(right)];
  return first < last ? { first, last, low, high } : { first: high, last: high, low, high };
}

/** Pieces in the order of their beginnings, each with a colour and a name. */
class Pieces {
  constructor(start, end) {
    const count = start.length;
    Object.assign(this, { start, end, count, busy: new Float64Array(count + 1), latest: new Float64Array(count + 1) });
    let latest = -Infinity;
    for (let k = 0; k < count; k++) {
      this.busy[k + 1] = this.busy[k] + Math.max(0, end[k] - Math.max(start[k], latest));
      this.latest[k + 1] = latest = Math.max(latest, end[k]);
    }
  }

  /** For how long there was one before a moment. */
  busyBy(time) {
    const place = below(this.start, 0, this.count, time, false);
    return place === 0 ? 0 : this.busy[place] - Math.max(0, this.latest[place] - time);
  }

  /** Draws them: what fills pixels as a box with its name, elsewhere as high as the share of each pixel. */
  draw(stage, y, height, colour, name) {
    const { start, end } = this, pen = stage.pen;
    const first = below(this.latest, 1, this.count + 1, stage.from, false) - 1;
    const last = below(start, 0, this.count, stage.to, false);
    const owners = new Int32Array(Math.ceil(stage.width)).fill(-1);
    if (last - first > CROWD * stage.width) {
      for (let column = 0; column < owners.length; column++) {
        const from = stage.from + column / stage.scale;
        const k = below(start, 0, this.count, from + 1 / stage.scale, false) - 1;
        if (k >= 0 && this.latest[k + 1] >= from) owners[column] = k;
      }
    } else {
      for (let k = first; k < last; k++) {
        const place = pixels(stage, start[k], end[k]);
        for (let column = place.low; column < place.high && column < owners.length; column++) {
          const isLonger = owners[column] < 0 || end[k] - start[k] > end[owners[column]] - start[owners[column]];
          if ((column < place.first || column >= place.last) && isLonger) owners[column] = k;
        }
      }
    }
    owners.forEach((k, column) => {
      if (k < 0) return;
      const from = stage.from + column / stage.scale;
      const share = (this.busyBy(from + 1 / stage.scale) - this.busyBy(from)) * stage.scale;
      const part = Math.max(1, Math.min(1, share) * height);
      pen.fillStyle = colour(k);
      pen.fillRect(stage.left + column, y + height - part, 1, part);
    });
    if (last - first > CROWD * stage.width) return;
    for (let k = first; k < last; k++) {
      const place = pixels(stage, start[k], end[k]), width = place.last - place.first;
      if (width < 1) continue;
      pen.fillStyle = colour(k);
      pen.fillRect(stage.left + place.first, y, width > 3 ? width - 0.5 : width, height);
      label(pen, name(k), stage.left + place.first, y + height - (height > 12 ? 4 : 2), width, palette.text);
    }
  }
}

/** One row; the kinds below know what they show. */
class Row {
  constructor(run, title, height) { Object.assign(this, { run, title, height }); }
  /** What lies at a time and a height within the row; null for nothing. */
  hit() { return null; }

  /** A line at each mark, with its text as far as there is room before the next one. */
  drawMarks(stage, y, { start, text, texts }) {
    const pen = stage.pen;
    const edge = stage.left + stage.width;
    let drawn = -1;
    for (let k = below(start, 0, start.length, stage.from, false); k < start.length && start[k] <= stage.to; k++) {
      const x = Math.round(stage.x(start[k]));
      // Several at one place are one line.
      if (k + 1 < start.length && Math.round(stage.x(start[k + 1])) === x) continue;
      if (x === drawn) continue;
      drawn = x;
      pen.fillStyle = palette.text;
      pen.fillRect(x, y, 1, 10);
      const next = k + 1 < start.length ? Math.min(edge, stage.x(start[k + 1])) : edge;
      label(pen, texts ? texts[k] : text, x, y + 9, next - x, palette.text);
    }
  }
}

/** What the world outside marked. */
class WorldRow extends Row {
  constructor(run) {
    super(run, 'world outside', 5 + 12 * run.worldMarks.length);
    this.isWorld = true;
  }

  draw(stage, y) { this.run.worldMarks.forEach((marks, k) => this.drawMarks(stage, y + 3 + 12 * k, marks)); }
}

class HeadRow extends Row {
  constructor(run, title) { super(run, title, 20); this.isHead = true; }
  draw() {}
}

class FoldRow extends Row {
  constructor(run, title, toggle) { super(run, title, 16); Object.assign(this, { toggle, isFold: true }); }
  draw() {}
}

/** The states of a thread, and below what it was about. */
class ThreadRow extends Row {
  constructor(run, thread) {
    super(run, run.threadName(thread), 0);
    this.thread = thread;
    this.depth = run.depth(thread);
    this.marks = run.marks[thread];
    this.height = 17 + 13 * this.depth + 12 * this.marks.length;
  }

  draw(stage, y) {
    this.drawStates(stage, y + 2, 12);
    for (let depth = 0; depth < this.depth; depth++) this.drawSpans(stage, y + 15 + 13 * depth, depth);
    this.marks.forEach((marks, k) => this.drawMarks(stage, y + 16 + 13 * this.depth + 12 * k, marks));
  }

  drawStates(stage, y, height) {
    const s = this.run.states;
    const low = s.first[this.thread], high = s.first[this.thread + 1];
    const first = below(s.end, low, high, stage.from, false);
    const last = below(s.start, low, high, stage.to, false);
    this.run.drawCoarse(stage, y, height, this.thread);
    if (last - first > CROWD * stage.width) return this.drawShares(stage, y, height, low, high);
    const mixed = new Uint8Array(Math.ceil(stage.width));
    for (let i = first; i < last; i++) {
      const place = pixels(stage, s.start[i], s.end[i]);
      for (let column = place.low; column < place.high; column++) {
        if (column < place.first || column >= place.last) mixed[column] = 1;
      }
    }
    this.drawShares(stage, y, height, low, high, mixed);
    for (let i = first; i < last; i++) {
      const place = pixels(stage, s.start[i], s.end[i]);
      // What begins as the run ends has no length, and is still there.
      const isLast = s.ended[i] === CHANGE.runEnded && s.kind[i] !== 0;
      const width = Math.max(isLast ? 7 : 0, place.last - place.first);
      if (width >= 1) this.drawState(stage, y, height, i, isLast ? Math.min(place.first, place.low) : place.first, width);
    }
  }

  /** A state that fills pixels. */
  drawState(stage, y, height, i, column, width) {
    const s = this.run.states, pen = stage.pen, left = stage.left + column;
    const state = this.run.stateClass(i);
    const part = STATE_HEIGHTS[state] * height;
    pen.fillStyle = width > 5 ? palette.textures[state] : palette.states[state];
    pen.fillRect(left, y + height - part, width, part);
    if (s.kind[i] === 0 && s.cost[i] > 0) {
      // Where in it the costs arose is not known: they are a band along it.
      pen.fillStyle = palette.states[STATE.cost];
      pen.fillRect(left, y, width, Math.max(1, height * Math.min(1, s.cost[i] / s.length[i])));
    }
    if (width > 40 && state !== STATE.idle && part >= height - 1) {
      label(pen, this.stateLabel(i), left, y + height - 2.5, width, palette.text);
    }
  }

  stateLabel(i) {
    const s = this.run.states;
    if (s.kind[i] === 0) return this.run.head.coreLabels[s.core[i]];
    if (s.kind[i] === 1) return 'no core';
    return s.lane[i] >= 0 ? this.run.laneName(s.lane[i]) : '';
  }

  /** Of every pixel, or of those that are `wanted`, the shares of the states in it, each at least a little. */
  drawShares(stage, y, height, low, high, wanted) {
    const run = this.run, s = run.states, pen = stage.pen;
    if (!this.sums) {
      this.sums = new ShareSums(high - low, CLASSES, (sum, k) => {
        const i = low + k, cost = s.kind[i] === 0 ? Math.min(s.cost[i], s.length[i]) : 0;
        sum[STATE.cost] += cost;
        sum[run.stateClass(i)] += s.length[i] - cost;
      });
      this.counts = new ShareSums(high - low, CLASSES, (sum, k) => { sum[run.stateClass(low + k)] += 1; });
    }
    const edges = [new Float64Array(CLASSES), new Float64Array(CLASSES)];
    const numbers = [new Float64Array(CLASSES), new Float64Array(CLASSES)];
    const at = (time, sum, number) => {
      const place = below(s.start, low, high, time, false);
      this.sums.before(Math.max(0, place - low - 1), sum);
      this.counts.before(place - low, number);
      if (place === low) return;
      const i = place - 1;
      const part = Math.min(time, s.end[i]) - s.start[i];
      const cost = s.kind[i] === 0 && part > 0 ? part * Math.min(1, s.cost[i] / s.length[i]) : 0;
      sum[STATE.cost] += cost;
      sum[run.stateClass(i)] += part - cost;
    };
    let known = -1;
    for (let column = 0; column < stage.width; column++) {
      if (wanted && !wanted[column]) continue;
      const [before, after] = column % 2 ? [1, 0] : [0, 1];
      if (known !== column) at(stage.from + column / stage.scale, edges[before], numbers[before]);
      at(stage.from + (column + 1) / stage.scale, edges[after], numbers[after]);
      known = column + 1;
      let bottom = y + height;
      const whole = 1 / stage.scale;
      for (const state of STACK) {
        const share = (edges[after][state] - edges[before][state]) / whole;
        const isThere = numbers[after][state] > numbers[before][state];
        if (share <= 0 && !isThere) continue;
        const part = Math.max(state === STATE.idle ? 0 : 1, share * height * STATE_HEIGHTS[state]);
        pen.fillStyle = palette.states[state];
        bottom -= part;
        pen.fillRect(stage.left + column, Math.max(y, bottom), 1, part);
      }
    }
  }

  drawSpans(stage, y, depth) {
    const list = this.run.spansOf(this.thread, depth), name = k => this.run.spanName(list.list[k]);
    list.pieces ??= new Pieces(list.start, list.end);
    list.pieces.draw(stage, y, 11, k => colourFor(name(k)), name);
  }

  hit(time, y, slack) {
    if (y >= 15) {
      const depth = Math.floor((y - 15) / 13);
      if (depth >= this.depth) return null;
      const list = this.run.spansOf(this.thread, depth);
      const place = nearest(list, time, slack);
      return place < 0 ? null : { run: this.run.index, type: 'span', i: list.list[place] };
    }
    const s = this.run.states;
    const low = s.first[this.thread], high = s.first[this.thread + 1];
    const place = nearest({ start: s.start, end: s.end, low, high }, time, slack);
    return place < 0 ? null : { run: this.run.index, type: 'state', i: place };
  }
}

/** How high a state stands in its row: what waits is lower than what runs. */
const STATE_HEIGHTS = [1, 1, 1, 0.6, 1, 0.6, 0.14];
/** In which order shares stand on each other. */
const STACK = [STATE.running, STATE.cost, STATE.lock, STATE.ready, STATE.other, STATE.device, STATE.idle];

/** The place of the interval at a time, or of the nearest within `slack`; -1 for none. */
function nearest(list, time, slack) {
  const low = list.low ?? 0, high = list.high ?? list.start.length;
  let place = below(list.start, low, high, time, true) - 1;
  // Of what is thinner than the slack the nearest is meant.
  for (const k of [place, place + 1, place - 1]) {
    if (k < low || k >= high) continue;
    const width = list.end[k] - list.start[k];
    if (width <= slack && time >= list.start[k] - slack && time <= list.end[k] + slack) return k;
  }
  if (place >= low && list.end[place] >= time) return place;
  return -1;
}

/** Who runs on a core. */
class CoreRow extends Row {
  constructor(run, core) {
    super(run, run.head.coreLabels[core], 19);
    this.core = run.cores[core];
    this.pieces = new Pieces(this.core.start, this.core.end);
    this.number = core;
  }

  draw(stage, y) {
    const { core, run } = this, name = k => run.threadName(run.states.thread[core.list[k]]);
    stage.pen.fillStyle = palette.soft;
    stage.pen.fillRect(stage.left, y + 2, stage.width, 15);
    run.drawCoarseCore(stage, y + 2, 15, this.number);
    this.pieces.draw(stage, y + 2, 15, k => colourFor(name(k), true), name);
  }

  /** How long the core ran something before a moment. */
  busyBy(time) { return this.pieces.busyBy(time); }

  hit(time, y, slack) {
    const place = nearest(this.core, time, slack);
    return place < 0 ? null : { run: this.run.index, type: 'state', i: this.core.list[place] };
  }
}
