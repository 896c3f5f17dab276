// The page: reads what it carries, and answers mouse, keys and links.

let head = null, view = null;
const element = id => document.getElementById(id);

/** Puts texts and links into an element. */
function fill(box, parts) {
  box.replaceChildren(...parts.map(part => {
    if (typeof part === 'string') return document.createTextNode(part);
    const anchor = document.createElement('a');
    anchor.textContent = part.text;
    anchor.href = fragmentOf(view, part.target);
    anchor.onclick = event => { event.preventDefault(); go(part.target); };
    return anchor;
  }));
}

/** Selects something, says what it was and why, and shows its line of the trace. */
function select(target, options = {}) {
  if (target && target.type === 'line') return showLine(target.run, target.i, true);
  if (!options.keepsTrail) view.trail = [];
  view.selection = target;
  view.twin = twinOf(view, target);
  view.range = null;
  const box = element('cause');
  if (!target) {
    box.replaceChildren(...element('hint').content.cloneNode(true).childNodes);
    element('cause-extra').textContent = '';
  } else {
    const run = view.all[target.run];
    fill(box, sentence(run, target));
    fill(element('cause-extra'), extra(run, target));
    const line = lineOf(run, target);
    if (line > 0) showLine(target.run, line, false);
  }
  view.redraw();
  keepFragment(view);
}

/** When it was, the same in the other run, and how far the walk back has come. */
function extra(run, target) {
  const [from, to] = timesOf(run, target);
  const parts = [target.type === 'lane' || target.type === 'chart' ? '' : 'From ' + exact(from) + ' to ' + exact(to)
    + ', ' + exact(to - from) + '. '];
  if (view.twin) {
    const other = view.all[view.twin.run], t = other.items, i = view.twin.i;
    const difference = t.ended[i] - t.submitted[i] - (to - from);
    parts.push('In ' + other.head.label + ': ', link(short(t.ended[i] - t.submitted[i]), view.twin),
      ' from submission to its end' + (itemOf(run, target) >= 0 && target.type === 'item'
        ? ' (' + (difference >= 0 ? '+' : '') + short(difference) + ')' : '') + '. ');
  }
  const cause = causeOf(run, target);
  if (cause) parts.push(link('Cause (c)', { ...cause, isStep: true }));
  if (view.trail.length) parts.push(' ' + view.trail.length + ' back (Backspace returns)');
  return parts;
}

/** Selects something and brings it into sight. */
function go(target) {
  if (target.type === 'line') return showLine(target.run, target.i, true);
  if (target.isStep) return followCause();
  select(target);
  reveal(target);
}

/** Moves time and rows so that a target is in sight. */
function reveal(target) {
  const run = view.all[target.run];
  if (!view.runs.includes(run)) return;
  const [from, to] = timesOf(run, target);
  const span = view.to - view.from;
  if (to < view.from + span * 0.02 || from > view.to - span * 0.02 || to - from < span / 400) {
    const length = Math.max((to - from) * 3, Math.min(span, (to - from + 1) * 200));
    const middle = (from + to) / 2;
    view.show(middle - length / 2, middle + length / 2);
  }
  for (const pane of view.panes) {
    const row = pane.rows.find(each => each.run === run && boxOf(each, target));
    if (row) pane.reveal(row);
  }
  view.redraw();
}

/** One step back on the chain of causes. */
function followCause() {
  const target = view.selection;
  if (!target || target.type === 'chart') return;
  let cause = causeOf(view.all[target.run], target);
  // Steps without any time tell nothing.
  for (let steps = 0; cause && steps < 50; steps++) {
    const [from, to] = timesOf(view.all[cause.run], cause);
    if (to > from) break;
    cause = causeOf(view.all[cause.run], cause);
  }
  if (!cause) { element('cause-extra').textContent = 'This is the first cause: nobody in the run did it.'; return; }
  view.trail = [target, ...view.trail].slice(0, 40);
  select(cause, { keepsTrail: true });
  reveal(cause);
}

function returnFromCause() {
  if (!view.trail.length) return;
  const [target, ...rest] = view.trail;
  view.trail = rest;
  select(target, { keepsTrail: true });
  reveal(target);
}

// Ranges of time

/** Says what was done between two moments. */
function sum(from, to) {
  view.selection = view.twin = null;
  view.range = [from, to];
  const parts = [];
  for (const run of view.runs) {
    const sums = new Float64Array(CLASSES);
    for (let thread = 0; thread < run.threadCount; thread++) {
      run.shares(thread, from, to).forEach((value, k) => { sums[k] += value; });
    }
    const rows = view.cached(run, 'cores', () => []);
    let busy = 0;
    for (const row of rows) busy += row.busyBy(to) - row.busyBy(from);
    const t = run.items;
    let begun = 0, ended = 0;
    for (let i = 0; i < t.count; i++) {
      if ((t.flags[i] & 8) && t.started[i] >= from && t.started[i] < to) begun++;
      if ((t.flags[i] & 7) === 1 && t.ended[i] >= from && t.ended[i] < to) ended++;
    }
    const said = Array.from(sums, (value, k) => value > 0 && k !== STATE.idle
      ? short(value) + ' ' + SHARE_WORDS[k] : '').filter(Boolean);
    parts.push((view.runs.length > 1 ? run.head.label + ': ' : '') + exact(from) + ' to ' + exact(to) + ', '
      + short(to - from) + ': the cores were used to '
      + (100 * busy / Math.max(1, (to - from) * rows.length)).toFixed(1) + '%; all threads together: '
      + (said.join(', ') || 'nothing') + '; ' + begun + ' items began, ' + ended + ' ended. ');
  }
  fill(element('cause'), parts);
  element('cause-extra').textContent = 'z shows this time only, Escape forgets it.';
  view.redraw();
}

// The trace's text

let shownSource = -1;

/** Shows a line of a run's trace; with `finds` what it is behind as well. */
function showLine(index, number, finds) {
  showSource(index);
  for (const line of document.querySelectorAll('#source .is-shown')) line.classList.remove('is-shown');
  const line = element('line-' + number);
  if (line) {
    line.classList.add('is-shown');
    const box = element('source');
    const top = line.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 3;
  }
  if (!finds) return;
  const run = view.all[index], found = [];
  const isHere = place => place >= 0 && run.line(place) === number;
  for (let i = 0; i < run.items.count && found.length < 10000; i++) {
    if (isHere(run.items.place[i])) found.push({ run: index, type: 'item', i });
  }
  if (!found.length) {
    for (let i = 0; i < run.spans.count; i++) if (isHere(run.spans.place[i])) found.push({ run: index, type: 'span', i });
    for (let i = 0; i < run.holds.count; i++) if (isHere(run.holds.place[i])) found.push({ run: index, type: 'hold', i });
    for (let i = 0; i < run.states.count; i++) if (isHere(run.states.place[i])) found.push({ run: index, type: 'state', i });
  }
  showFound(found, 'line ' + number);
}

function showSource(index) {
  if (shownSource === index) return;
  shownSource = index;
  const run = view.all[index];
  const used = new Set(run.columns['places.line']);
  const text = run.head.source;
  if (text === null) return;
  const rows = text.split('\n').map((line, k) => {
    const row = document.createElement('div');
    row.id = 'line-' + (k + 1);
    row.className = used.has(k + 1) ? 'is-used' : '';
    const number = document.createElement('span');
    number.textContent = k + 1;
    const code = document.createElement('code');
    code.textContent = line || ' ';
    row.append(number, code);
    if (used.has(k + 1)) row.onclick = () => showLine(index, k + 1, true);
    return row;
  });
  element('source').replaceChildren(...rows);
  element('source-name').textContent = run.head.file;
}

// Search

function showFound(found, what) {
  const start = target => timesOf(view.all[target.run], target)[0];
  found.sort((a, b) => start(a) - start(b));
  view.found = found;
  view.foundAt = -1;
  element('found').textContent = found.length ? found.length + ' found (n, N)' : what ? 'nothing on ' + what : '';
  if (found.length) nextFound(1); else view.redraw();
}

function nextFound(step) {
  if (!view.found.length) return;
  view.foundAt = (view.foundAt + step + view.found.length) % view.found.length;
  element('found').textContent = (view.foundAt + 1) + ' of ' + view.found.length;
  go(view.found[view.foundAt]);
}

/** Finds items, handlers, locks and threads whose names hold a text. */
function search(text) {
  const wanted = text.trim().toLowerCase(), found = [];
  if (!wanted) return showFound([], '');
  for (const run of view.runs) {
    const hits = new Set();
    run.texts.forEach((each, k) => { if (each.toLowerCase().includes(wanted)) hits.add(k); });
    const add = (type, i) => { if (found.length < 10000) found.push({ run: run.index, type, i }); };
    for (let i = 0; i < run.items.count; i++) if (hits.has(run.items.name[i])) add('item', i);
    for (let i = 0; i < run.spans.count; i++) if (run.spans.kind[i] > 0 && hits.has(run.spans.name[i])) add('span', i);
    for (let i = 0; i < run.holds.count; i++) {
      if (hits.has(run.columns['lanes.name'][run.holds.lane[i]])) add('hold', i);
    }
    for (let thread = 0; thread < run.threadCount; thread++) {
      const first = run.states.first[thread];
      if (hits.has(run.columns['threads.name'][thread]) && first < run.states.first[thread + 1]) add('state', first);
    }
  }
  showFound(found, "'" + text + "'");
}

// The fragment of the address

/** The fragment that shows the time in sight with a target selected. */
function fragmentOf(view, target) {
  const parts = ['w=' + Math.round(view.from) + ',' + Math.round(view.to)];
  if (target && ['state', 'span', 'item', 'hold'].includes(target.type)) {
    const run = view.all[target.run];
    parts.push('s=' + [target.run, target.type, target.type === 'item' ? run.items.number[target.i]
      : threadOf(run, target) + '@' + timesOf(run, target)[0] + (target.type === 'span' ? '@' + run.spans.depth[target.i] : '')].join('.'));
  }
  if (view.pins.size) parts.push('p=' + [...view.pins].join(','));
  if (view.runs.length > 1) parts.push('r=' + view.runs.map(run => run.index).join(','));
  return '#' + parts.join('&');
}

let fragmentTimer = 0;
function keepFragment(view) {
  clearTimeout(fragmentTimer);
  fragmentTimer = setTimeout(() => {
    try { history.replaceState(null, '', fragmentOf(view, view.selection)); } catch (error) { /* some hosts forbid it */ }
  }, 150);
}

/** What a fragment selects; null for nothing. */
function targetOf(text) {
  const [index, type, where] = text.split('.');
  const run = view.all[Number(index)];
  if (!run || !where) return null;
  if (type === 'item') {
    const i = run.itemPlaces.get(Number(where));
    return i === undefined ? null : { run: run.index, type, i };
  }
  const [thread, time, depth] = where.split('@').map(Number);
  if (type === 'state') {
    const i = run.stateAt(thread, time, false);
    return i < 0 ? null : { run: run.index, type, i };
  }
  if (type === 'span') {
    const list = run.spansOf(thread, depth || 0);
    const place = below(list.start, 0, list.start.length, time, true) - 1;
    return place < 0 ? null : { run: run.index, type, i: list.list[place] };
  }
  for (let i = 0; i < run.holds.count; i++) {
    if (run.holds.thread[i] === thread && run.holds.start[i] === time) return { run: run.index, type, i };
  }
  return null;
}

function applyFragment() {
  const values = new Map(location.hash.slice(1).split('&').map(part => part.split('=')));
  if (values.has('r')) chooseRuns(values.get('r').split(',').map(Number));
  if (values.has('p')) { view.pins = new Set(values.get('p').split(',')); view.makeRows(); view.layout(); }
  if (values.has('w')) {
    const [from, to] = values.get('w').split(',').map(Number);
    if (to > from) view.show(from, to);
  }
  if (values.has('s')) {
    const target = targetOf(values.get('s'));
    if (target) { select(target); for (const pane of view.panes) {
      const row = pane.rows.find(each => each.run.index === target.run && boxOf(each, target));
      if (row) pane.reveal(row);
    } }
  }
  if (values.has('w')) element('timeline').scrollIntoView();
}
