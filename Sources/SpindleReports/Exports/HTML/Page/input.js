// Mouse and keys, and the start of it all.

View.prototype.listen = function (pane) {
  const canvas = pane.canvas;
  let press = null;
  const slack = () => 3 / pane.stage().scale;
  const at = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const hit = (x, y) => {
    const place = pane.rowAt(y);
    return place && x >= NAMES ? place.row.hit(pane.stage().time(x), place.inside, slack()) : null;
  };
  canvas.onpointerdown = event => {
    if (event.button !== 0) return;
    const [x, y] = at(event);
    press = { x, y, from: this.from, to: this.to, isPan: event.shiftKey };
    canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = event => {
    const [x, y] = at(event);
    if (press && Math.abs(x - press.x) > 4) press.isDrag = true;
    if (press && press.isDrag && press.x >= NAMES) {
      const stage = pane.stage();
      if (press.isPan) {
        const step = (press.x - x) / stage.scale;
        this.show(press.from + step, press.to + step);
      } else {
        const times = [stage.time(press.x), stage.time(Math.max(NAMES, x))].sort((a, b) => a - b);
        this.range = times.map(time => Math.round(Math.max(0, Math.min(this.end, time))));
        this.redraw();
      }
      return hideTip();
    }
    const target = hit(x, y);
    canvas.style.cursor = target ? 'pointer' : 'default';
    if (target) showTip(event, plain(sentence(this.all[target.run], target))); else hideTip();
  };
  canvas.onpointerleave = hideTip;
  canvas.onpointerup = event => {
    const [x, y] = at(event), was = press;
    press = null;
    if (!was) return;
    if (was.isDrag && was.x >= NAMES) {
      if (!was.isPan && this.range && this.range[1] > this.range[0]) sum(this.range[0], this.range[1]);
      return;
    }
    const place = pane.rowAt(y);
    if (place && place.row.isFold) return place.row.toggle();
    if (place && x < NAMES) return this.pin(place.row);
    const target = hit(x, y);
    select(target);
  };
  canvas.ondblclick = event => {
    const target = hit(...at(event));
    if (target) focus(target);
  };
  pane.scroll.addEventListener('wheel', event => {
    const [x] = at(event);
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.002), pane.stage().time(Math.max(NAMES, x)));
    } else if (isPan) {
      event.preventDefault();
      this.pan((event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) / 1000);
    }
  }, { passive: false });
};

/** Pins a row to the top of its pane, or lets it go. */
View.prototype.pin = function (row) {
  const key = this.key(row);
  if (!key) return;
  if (this.pins.has(key)) this.pins.delete(key); else this.pins.add(key);
  this.makeRows();
  this.layout();
  keepFragment(this);
};

View.prototype.listenToStrip = function () {
  const canvas = this.strip.canvas;
  let press = null;
  const time = event => {
    const box = canvas.getBoundingClientRect();
    return this.strip.stage(0, this.end).time(Math.max(NAMES, event.clientX - box.left));
  };
  canvas.onpointerdown = event => {
    const at = time(event);
    const isInside = at > this.from && at < this.to && this.to - this.from < this.end * 0.9;
    press = { at, offset: isInside ? at - this.from : null };
    canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = event => {
    if (!press) return;
    const at = time(event), length = this.to - this.from;
    if (press.offset !== null) return this.show(at - press.offset, at - press.offset + length);
    const [from, to] = [Math.min(at, press.at), Math.max(at, press.at)];
    if (to - from > this.end / 300) this.show(from, to);
  };
  canvas.onpointerup = () => { press = null; };
  canvas.ondblclick = () => this.show(0, this.end * VIEW_END);
};

function showTip(event, text) {
  const tip = element('tip');
  tip.textContent = text;
  tip.hidden = false;
  const width = Math.min(420, window.innerWidth - 20);
  tip.style.maxWidth = width + 'px';
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - box.width - 8)) + 'px';
  const isLow = event.clientY + box.height + 24 > window.innerHeight;
  tip.style.top = (isLow ? event.clientY - box.height - 12 : event.clientY + 16) + 'px';
}

function hideTip() { element('tip').hidden = true; }

/** Shows the time of a target, with a little before and after. */
function focus(target) {
  const [from, to] = timesOf(view.all[target.run], target);
  const margin = Math.max(20, (to - from) / 8);
  view.show(from - margin, to + margin);
}

/** The neighbour of what is selected on the same row. */
function step(by) {
  const target = view.selection;
  if (!target || !['state', 'span', 'item', 'hold'].includes(target.type)) return;
  const run = view.all[target.run];
  if (target.type === 'item') {
    const i = target.i + by;
    return i >= 0 && i < run.items.count ? go({ run: run.index, type: 'item', i }) : undefined;
  }
  const list = { state: run.states, span: run.spans, hold: run.holds }[target.type];
  const i = target.i + by;
  if (i < 0 || i >= list.count || list.thread[i] !== list.thread[target.i]) return;
  go({ run: run.index, type: target.type, i });
}

const KEYS = {
  w: () => view.zoom(0.7), s: () => view.zoom(1 / 0.7), a: () => view.pan(-0.2), d: () => view.pan(0.2),
  ArrowUp: () => view.zoom(0.7), ArrowDown: () => view.zoom(1 / 0.7),
  ArrowLeft: () => view.pan(-0.1), ArrowRight: () => view.pan(0.1),
  0: () => view.show(0, view.end * VIEW_END), Home: () => view.show(0, view.end * VIEW_END),
  f: () => view.selection && focus(view.selection),
  z: () => view.range && view.show(view.range[0], view.range[1]),
  c: followCause, Backspace: returnFromCause,
  ',': () => step(-1), '.': () => step(1),
  p: () => { view.showsPath = !view.showsPath; element('path').setAttribute('aria-pressed', view.showsPath); view.redraw(); },
  m: () => { toggleMark(); }, n: () => nextFound(1), N: () => nextFound(-1),
  '/': () => element('search').focus(), '?': () => toggleHelp(),
  Escape: () => { element('help').hidden = true; view.found = []; element('found').textContent = ''; select(null); },
};

/** Marks the beginning of what is selected, or the middle of what is in sight. */
function toggleMark() {
  const time = view.selection ? timesOf(view.all[view.selection.run], view.selection)[0]
    : view.range ? view.range[0] : Math.round((view.from + view.to) / 2);
  const known = view.marks.indexOf(time);
  if (known >= 0) view.marks.splice(known, 1); else view.marks.push(time);
  view.marks.sort((a, b) => a - b);
  const gaps = view.marks.slice(1).map((mark, k) => short(mark - view.marks[k]));
  element('cause-extra').textContent = view.marks.length
    ? 'Marks at ' + view.marks.map(exact).join(', ') + (gaps.length ? '; between them ' + gaps.join(', ') : '') : '';
  view.redraw();
}

function toggleHelp() { element('help').hidden = !element('help').hidden; }

function listenToKeys() {
  document.addEventListener('keydown', event => {
    const isTyping = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
    if (isTyping) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = event.target.tagName === 'BUTTON' || event.target.tagName === 'A';
    if (isButton && (event.key === 'Enter' || event.key === ' ')) return;
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  element('search').onkeydown = event => {
    if (event.key !== 'Enter') return;
    if (view.found.length && element('search').dataset.last === element('search').value) nextFound(event.shiftKey ? -1 : 1);
    else { element('search').dataset.last = element('search').value; search(element('search').value); }
  };
  for (const [id, key] of [['zoom-in', 'w'], ['zoom-out', 's'], ['whole', '0'], ['path', 'p'], ['back', 'c'], ['keys', '?']]) {
    element(id).onclick = () => { KEYS[key](); element(id).blur(); };
  }
}

function chooseRuns(indices) {
  const runs = indices.map(index => view.all[index]).filter(Boolean);
  if (!runs.length) return;
  view.choose(runs);
  if (element('other')) element('other').value = String((runs[1] || runs[0]).index);
  view.layout();
}

function offerRuns() {
  const box = element('other');
  if (!box || view.all.length < 2) return;
  box.parentElement.hidden = false;
  element('parting-legend').hidden = false;
  for (const run of view.all) box.append(new Option(run.index === 0 ? 'alone' : run.head.label, String(run.index)));
  box.value = '1';
  box.onchange = () => {
    const index = Number(box.value);
    chooseRuns(index === 0 ? [0] : [0, index]);
    select(null);
  };
}

function offerDownload() {
  const button = element('download');
  if (!button || !element('perfetto')) return;
  button.hidden = false;
  button.onclick = async () => {
    const bytes = await unpacked('perfetto');
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    anchor.download = button.dataset.name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
  };
}

async function start() {
  const bytes = await unpacked('data');
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const reader = new ColumnReader(bytes, 4 + size);
  const runs = head.runs.map((each, index) => new Run(index, each, reader.columns(each.columns)));
  loadPalette();
  document.documentElement.classList.add('is-alive');
  view = new View(runs);
  view.layout();
  view.draw();
  showSource(0);
  offerRuns();
  offerDownload();
  listenToKeys();
  select(null);
  applyFragment();
  window.addEventListener('hashchange', applyFragment);
  window.addEventListener('resize', () => view.layout());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { loadPalette(); view.redraw(); });
  document.documentElement.dataset.drawn = String(Math.round(performance.now()));
}

start().catch(error => {
  element('cause').textContent = 'This browser cannot show the timeline (' + error.message + '). '
    + 'It needs DecompressionStream: Chrome 80, Safari 16.4 or Firefox 113.';
  console.error(error);
});
