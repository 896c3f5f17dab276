// Rows of the panes: each draws its part of a canvas from time to time, and says what lies at a point.

/** How many slices a pixel may have before their shares are drawn instead of them. */
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

/** One row; the kinds below know what they show. */
class Row {
  constructor(run, title, height) { Object.assign(this, { run, title, height }); }
  /** What lies at a time and a height within the row; null for nothing. */
  hit() { return null; }
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

  /** A line at each mark, with its text as far as there is room before the next one. */
  drawMarks(stage, y, { start, text }) {
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
      label(pen, text, x, y + 9, next - x, palette.text);
    }
  }

  drawStates(stage, y, height) {
    const s = this.run.states;
    const low = s.first[this.thread], high = s.first[this.thread + 1];
    const first = below(s.end, low, high, stage.from, false);
    const last = below(s.start, low, high, stage.to, false);
    this.run.drawCoarse(stage, y, height, this.thread);
    if (last - first > CROWD * stage.width) return this.drawShares(stage, y, height, low, high);
    const pen = stage.pen;
    // What is smaller than a pixel comes last, so that nothing lies over it.
    for (let pass = 0; pass < 2; pass++) {
      for (let i = first; i < last; i++) {
        const left = Math.max(stage.left, stage.x(s.start[i]));
        const width = Math.min(stage.left + stage.width, stage.x(s.end[i])) - left;
        if ((width < 1) !== (pass === 1)) continue;
        const state = this.run.stateClass(i);
        const colour = width > 5 ? palette.textures[state] : palette.states[state];
        const part = STATE_HEIGHTS[state] * height;
        pen.fillStyle = colour;
        // What the end of the run cut off at once is still there.
        const least = s.ended[i] === CHANGE.runEnded ? 7 : 0.6;
        pen.fillRect(left, y + height - part, Math.max(least, width), part);
        if (s.kind[i] === 0 && s.cost[i] > 0) {
          // Where in it the costs arose is not known: they are a band along it.
          pen.fillStyle = palette.states[STATE.cost];
          pen.fillRect(left, y, Math.max(0.6, width), Math.max(1, height * Math.min(1, s.cost[i] / s.length[i])));
        }
        if (width > 40 && state !== STATE.idle && part >= height - 1) {
          label(pen, this.stateLabel(i), left, y + height - 2.5, width, palette.text);
        }
      }
    }
  }

  stateLabel(i) {
    const s = this.run.states;
    if (s.kind[i] === 0) return 'core ' + s.core[i];
    if (s.kind[i] === 1) return 'no core';
    return s.lane[i] >= 0 ? this.run.laneName(s.lane[i]) : '';
  }

  /** Of every pixel the shares of the states in it, each at least a little. */
  drawShares(stage, y, height, low, high) {
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
    at(stage.from, edges[0], numbers[0]);
    for (let column = 0; column < stage.width; column++) {
      const [before, after] = column % 2 ? [1, 0] : [0, 1];
      at(stage.from + (column + 1) / stage.scale, edges[after], numbers[after]);
      let bottom = y + height;
      const whole = 1 / stage.scale;
      for (const state of STACK) {
        const share = (edges[after][state] - edges[before][state]) / whole;
        const isThere = numbers[after][state] > numbers[before][state];
        if (share <= 0 && !isThere) continue;
        const part = Math.max(state === STATE.idle ? 0 : 1, share * height);
        pen.fillStyle = palette.states[state];
        bottom -= part;
        pen.fillRect(stage.left + column, Math.max(y, bottom), 1, part);
      }
    }
  }

  drawSpans(stage, y, depth) {
    const list = this.run.spansOf(this.thread, depth), pen = stage.pen;
    const first = below(list.end, 0, list.end.length, stage.from, false);
    const last = below(list.start, 0, list.start.length, stage.to, false);
    if (last - first > CROWD * stage.width) {
      for (let column = 0; column < stage.width; column++) {
        const from = stage.from + column / stage.scale, to = from + 1 / stage.scale;
        const place = below(list.end, 0, list.end.length, from, true);
        if (place >= list.list.length || list.start[place] >= to) continue;
        pen.fillStyle = colourFor(this.run.spanName(list.list[place]));
        pen.fillRect(stage.left + column, y, 1, 11);
      }
      return;
    }
    for (let k = first; k < last; k++) {
      const i = list.list[k];
      const left = Math.max(stage.left, stage.x(list.start[k]));
      const width = Math.max(0.6, Math.min(stage.left + stage.width, stage.x(list.end[k])) - left);
      const name = this.run.spanName(i);
      pen.fillStyle = colourFor(name);
      pen.fillRect(left, y, width > 3 ? width - 0.5 : width, 11);
      label(pen, name, left, y + 9, width, palette.text);
    }
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
    super(run, 'core ' + core, 19);
    this.core = run.cores[core];
    this.number = core;
  }

  draw(stage, y) {
    const core = this.core, s = this.run.states, pen = stage.pen;
    const first = below(core.end, 0, core.end.length, stage.from, false);
    const last = below(core.start, 0, core.start.length, stage.to, false);
    pen.fillStyle = palette.soft;
    pen.fillRect(stage.left, y + 2, stage.width, 15);
    this.run.drawCoarseCore(stage, y + 2, 15, this.number);
    if (last - first > CROWD * stage.width) {
      pen.fillStyle = palette.states[STATE.running];
      for (let column = 0; column < stage.width; column++) {
        const from = stage.from + column / stage.scale;
        const share = (this.busyBy(from + 1 / stage.scale) - this.busyBy(from)) * stage.scale;
        if (share > 0) pen.fillRect(stage.left + column, y + 17 - Math.max(0.5, share * 15), 1, Math.max(0.5, share * 15));
      }
      return;
    }
    for (let k = first; k < last; k++) {
      const i = core.list[k];
      const left = Math.max(stage.left, stage.x(core.start[k]));
      const width = Math.max(0.6, Math.min(stage.left + stage.width, stage.x(core.end[k])) - left);
      const name = this.run.threadName(s.thread[i]);
      pen.fillStyle = colourFor(name, true);
      pen.fillRect(left, y + 2, width > 3 ? width - 0.5 : width, 15);
      label(pen, name, left, y + 13, width, palette.text);
    }
  }

  /** How long the core ran something before a moment. */
  busyBy(time) {
    const core = this.core;
    const place = below(core.start, 0, core.start.length, time, false);
    if (place === 0) return 0;
    return core.busy[place] - Math.max(0, core.end[place - 1] - time);
  }

  hit(time, y, slack) {
    const place = nearest(this.core, time, slack);
    return place < 0 ? null : { run: this.run.index, type: 'state', i: this.core.list[place] };
  }
}
