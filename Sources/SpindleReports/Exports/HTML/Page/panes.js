// The panes: a canvas each, which draws the rows that are in sight.

/** How wide the names at the left are. */
const NAMES = 168;
const AXIS = 22;

class Pane {
  constructor(view, id, title, most) {
    this.view = view;
    this.most = most;
    this.rows = [];
    this.box = document.createElement('section');
    this.box.className = 'pane';
    this.box.id = 'pane-' + id;
    this.head = document.createElement('button');
    this.head.className = 'pane-head';
    this.title = title;
    this.scroll = document.createElement('div');
    this.scroll.className = 'pane-scroll';
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', title + ' over time');
    this.spacer = document.createElement('div');
    this.scroll.append(this.canvas, this.spacer);
    this.box.append(this.head, this.scroll);
    this.head.onclick = () => { this.box.classList.toggle('is-closed'); view.layout(); };
    this.scroll.onscroll = () => view.redraw();
    view.listen(this);
  }

  setRows(rows) {
    this.rows = rows;
    this.tops = [];
    let top = 0;
    for (const row of rows) { this.tops.push(top); top += row.height; }
    this.total = top;
    const count = rows.filter(row => !row.isHead && !row.isFold && !row.isWorld).length;
    this.head.textContent = this.title + ' (' + count + ')';
    this.box.hidden = rows.length === 0;
  }

  layout() {
    const height = Math.max(1, Math.min(this.total, this.most()));
    this.width = Math.max(200, this.scroll.clientWidth);
    this.height = height;
    this.scroll.style.height = height + 'px';
    this.spacer.style.height = Math.max(0, this.total - height) + 'px';
    this.ratio = Math.max(1, Math.min(3, window.devicePixelRatio || 1));
    this.canvas.style.width = this.width + 'px';
    this.canvas.style.height = height + 'px';
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.pen = this.canvas.getContext('2d');
  }

  stage() {
    const view = this.view;
    return new Stage(this.pen, NAMES, Math.max(10, this.width - NAMES), view.from, view.to);
  }

  draw() {
    if (this.box.hidden || this.box.classList.contains('is-closed')) return;
    const pen = this.pen, view = this.view, top = this.scroll.scrollTop;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = '11px system-ui, sans-serif';
    const stage = this.stage();
    view.drawGrid(stage, this.height);
    const first = Math.max(0, below(this.tops, 0, this.tops.length, top, true) - 1);
    pen.save();
    pen.beginPath();
    pen.rect(NAMES, 0, stage.width, this.height);
    pen.clip();
    let last = first;
    for (; last < this.rows.length && this.tops[last] - top < this.height; last++) {
      this.rows[last].draw(stage, this.tops[last] - top);
      this.drawMarks(stage, this.rows[last], this.tops[last] - top);
    }
    view.drawOver(this, stage);
    pen.restore();
    for (let k = first; k < last; k++) this.drawName(this.rows[k], this.tops[k] - top);
  }

  drawName(row, y) {
    const pen = this.pen;
    pen.fillStyle = palette.line;
    pen.fillRect(0, y + row.height - 1, this.width, row.isHead ? 1 : 0.5);
    const isPinned = this.view.pins.has(this.view.key(row));
    pen.font = (row.isHead || isPinned ? 'bold ' : '') + '11px system-ui, sans-serif';
    const room = NAMES - 8;
    label(pen, (isPinned ? '\u25B8 ' : '') + row.title, 1, y + 12, room, row.isFold ? palette.dim : palette.text);
    pen.font = '10px system-ui, sans-serif';
    if (row.subtitle && row.height > 24) label(pen, row.subtitle, 1, y + 24, room, palette.dim);
    pen.font = '11px system-ui, sans-serif';
  }

  /** Marks what is selected, what the search found, and the critical path. */
  drawMarks(stage, row, y) {
    const view = this.view, pen = stage.pen;
    if (row instanceof ThreadRow && view.showsPath) {
      const c = row.run.columns;
      pen.fillStyle = palette.path;
      for (let k = 0; k < c['path.thread'].length; k++) {
        if (c['path.thread'][k] !== row.thread) continue;
        const left = stage.x(c['path.start'][k]), right = left + c['path.length'][k] * stage.scale;
        if (right < stage.left || left > stage.left + stage.width) continue;
        pen.fillRect(left, y, Math.max(1, right - left), 2);
      }
    }
    for (const range of view.ranges(row)) {
      const left = stage.x(range.from), width = Math.max(2, (range.to - range.from) * stage.scale);
      pen.strokeStyle = range.isMain ? palette.select : palette.mark;
      pen.lineWidth = range.isMain ? 2 : 1.5;
      pen.strokeRect(Math.max(left, stage.left - 5) - 1, y + range.top,
        Math.min(width + Math.min(0, left - stage.left + 5), stage.width + 10) + 2, range.height);
    }
  }

  /** The row at a height of the canvas, and how far below its top that is. */
  rowAt(y) {
    const place = below(this.tops, 0, this.tops.length, y + this.scroll.scrollTop, true) - 1;
    const row = this.rows[place];
    if (!row) return null;
    const inside = y + this.scroll.scrollTop - this.tops[place];
    return inside < row.height ? { row, inside } : null;
  }

  /** Where a thread's row stands on the canvas; null when it has none here. */
  placeOf(run, thread) {
    const place = this.rows.findIndex(row => row.run === run && row.thread === thread);
    return place < 0 ? null : this.tops[place] - this.scroll.scrollTop + 8;
  }

  /** Scrolls so that a row is in sight. */
  reveal(row) {
    const place = this.rows.indexOf(row);
    if (place < 0) return;
    const [top, bottom] = [this.tops[place], this.tops[place] + row.height];
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (bottom > this.scroll.scrollTop + this.height) this.scroll.scrollTop = bottom - this.height;
  }
}

/** Moments at which the axis has a line, and what they are called. */
function ticks(from, to, width) {
  const wanted = (to - from) / Math.max(2, width / 110);
  let step = 1;
  while (step < wanted) {
    for (const factor of [2, 2.5, 2]) { step *= factor; if (step >= wanted) break; }
  }
  step = Math.max(1, Math.round(step));
  const result = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) result.push(time);
  return result;
}

/** A canvas of its own for the axis or the strip on top. */
class Strip {
  constructor(id, height) {
    this.canvas = document.getElementById(id);
    this.height = height;
  }

  /** As wide as the panes, so that times stand under each other. */
  layout(width) {
    this.width = width;
    this.ratio = Math.max(1, Math.min(3, window.devicePixelRatio || 1));
    this.canvas.style.width = this.width + 'px';
    this.canvas.style.height = this.height + 'px';
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.pen = this.canvas.getContext('2d');
  }

  clear() {
    this.pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.font = '11px system-ui, sans-serif';
  }

  stage(from, to) { return new Stage(this.pen, NAMES, Math.max(10, this.width - NAMES), from, to); }
}
