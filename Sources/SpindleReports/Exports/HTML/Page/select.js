// What is selected: its box in the rows, its sentence, its arrows, and its cause one step back.

/** Whether a thread ever ran or waited for anything but work. */
Run.prototype.isAtWork = function (thread) {
  const s = this.states;
  const all = this.columns['coarse.threads'];
  if (all) {
    const parts = this.columns['coarse.live'].length;
    for (let k = 0; k < parts; k++) {
      for (let state = 0; state < STATE.idle; state++) if (all[(thread * parts + k) * CLASSES + state]) return true;
    }
  }
  for (let i = s.first[thread]; i < s.first[thread + 1]; i++) {
    if (this.stateClass(i) !== STATE.idle && s.length[i] > 0) return true;
  }
  return false;
};

/** From when to when something that can be selected lasted. */
function timesOf(run, target) {
  const list = { state: run.states, span: run.spans, hold: run.holds }[target.type];
  if (list) return [list.start[target.i], list.end[target.i]];
  if (target.type === 'item') return [run.items.submitted[target.i], run.items.ended[target.i]];
  return [target.time || 0, target.time || 0];
}

/** On which thread something is; -1 for none. */
function threadOf(run, target) {
  const list = { state: run.states, span: run.spans, item: run.items, hold: run.holds }[target.type];
  return list ? list.thread[target.i] : -1;
}

/** The part of a row that a target is; null when it is none. */
function boxOf(row, target) {
  const run = row.run, i = target.i;
  if (row instanceof CoreRow) {
    if (target.type !== 'state' || run.states.core[i] !== row.number) return null;
    return { from: run.states.start[i], to: run.states.end[i], top: 2, height: 15 };
  }
  if (row instanceof LaneRow) {
    if (target.type === 'hold' && run.holds.lane[i] === row.lane) {
      return { from: run.holds.start[i], to: run.holds.end[i], top: 18, height: 11 };
    }
    if (target.type === 'item' && run.items.lane[i] === row.lane) {
      return { from: run.items.submitted[i], to: run.items.started[i], top: 1, height: 16 };
    }
    return target.type === 'lane' && i === row.lane
      ? { from: target.time, to: target.time, top: 1, height: 27 } : null;
  }
  if (!(row instanceof ThreadRow)) return null;
  if (target.type === 'state' && run.states.thread[i] === row.thread) {
    return { from: run.states.start[i], to: run.states.end[i], top: 2, height: 12 };
  }
  if (target.type === 'span' && run.spans.thread[i] === row.thread && run.spans.depth[i] < row.depth) {
    return { from: run.spans.start[i], to: run.spans.end[i], top: 15 + 13 * run.spans.depth[i], height: 11 };
  }
  if (target.type === 'item' && run.items.thread[i] === row.thread && (run.items.flags[i] & 8)) {
    const span = spanOfItem(run, i);
    const depth = span < 0 ? 0 : Math.min(row.depth - 1, run.spans.depth[span]);
    const end = run.items.flags[i] & 64 && span >= 0 ? run.spans.end[span] : run.items.ended[i];
    return { from: run.items.started[i], to: end, top: 15 + 13 * Math.max(0, depth), height: 11 };
  }
  return null;
}

/** The span in which an item ran; -1 for none. */
function spanOfItem(run, item) {
  const t = run.items, s = run.spans;
  if (t.thread[item] < 0) return -1;
  let i = below(s.start, s.first[t.thread[item]], s.first[t.thread[item] + 1], t.started[item], false);
  for (; i < s.first[t.thread[item] + 1] && s.start[i] <= t.started[item]; i++) {
    if (s.item[i] === t.number[item]) return i;
  }
  return -1;
}

/** The item that a target is about; -1 for none. */
function itemOf(run, target) {
  if (target.type === 'item') return target.i;
  if (target.type !== 'span') return -1;
  return run.itemPlaces.get(run.spans.item[target.i]) ?? -1;
}

/** A target in one sentence. */
function sentence(run, target) {
  const say = words(run);
  switch (target.type) {
    case 'state': return say.state(target.i);
    case 'span': return say.span(target.i);
    case 'item': return say.itemStory(target.i);
    case 'hold': return say.hold(target.i);
    case 'lane': return say.lane(target.i, target.time);
    case 'chart':
      return [target.row.title + ' at ' + exact(target.time) + ': '
        + target.row.unit(target.row.series.at(target.time))];
    default: return [];
  }
}

/** The line of the trace that a target is about; 0 for none. */
function lineOf(run, target) {
  const item = itemOf(run, target);
  if (item >= 0) return run.line(run.items.place[item]);
  switch (target.type) {
    case 'line': return target.i;
    case 'span': return run.line(run.spanPlace(target.i));
    case 'hold': return run.line(run.holds.place[target.i]);
    case 'lane': return run.line(run.columns['lanes.place'][target.i]);
    case 'state': {
      const s = run.states;
      if (s.place[target.i] >= 0) return run.line(s.place[target.i]);
      const span = run.spanAt(s.thread[target.i], s.start[target.i]);
      return span < 0 ? 0 : run.line(run.spanPlace(span));
    }
    default: return 0;
  }
}

/** The arrows of what is selected: from submission to the start, from the signal to the wake. */
function arrows(view) {
  const list = [];
  const add = target => {
    if (!target) return;
    const run = view.all[target.run], item = itemOf(run, target);
    if (item >= 0 && (run.items.flags[item] & 8)) {
      const t = run.items;
      if (t.submitter[item] >= 0 && t.thread[item] >= 0) {
        list.push({ run, fromThread: t.submitter[item], toThread: t.thread[item],
          from: t.submitted[item], to: t.started[item] });
      }
      if (t.flags[item] & 64) {
        const s = run.spans, pieces = run.pieces(t.number[item]);
        for (let k = 1; k < pieces.length; k++) {
          const [one, next] = [pieces[k - 1], pieces[k]];
          list.push({ run, fromThread: s.thread[one], toThread: s.thread[next], from: s.end[one], to: s.start[next] });
        }
      }
    }
    if (target.type !== 'state') return;
    const s = run.states;
    for (const i of [target.i, target.i - 1, target.i + 1]) {
      if (i < s.first[s.thread[target.i]] || i >= s.first[s.thread[target.i] + 1]) continue;
      const isWake = s.began[i] === CHANGE.woken || s.began[i] === CHANGE.started;
      if (s.kind[i] !== 1 || !isWake || s.agent[i] < 0) continue;
      list.push({ run, fromThread: s.agent[i], toThread: s.thread[i], from: s.start[i],
        to: i + 1 < s.first[s.thread[i] + 1] ? s.end[i] : s.start[i] });
    }
  };
  add(view.selection);
  for (const target of view.trail) add(target);
  return list;
}

/**
 * The cause of something one step back: of what runs why it could, of what waits who woke it, of an item
 * who handed it over. The chain is the critical path's. Null at the first cause.
 */
function causeOf(run, target) {
  const item = itemOf(run, target);
  if (item >= 0) {
    const t = run.items;
    if (target.type === 'span' && t.flags[item] & 64) {
      const pieces = run.pieces(t.number[item]), place = pieces.indexOf(target.i);
      if (place > 0) return { run: run.index, type: 'span', i: pieces[place - 1] };
    }
    if (t.submitter[item] < 0) return null;
    const state = run.stateAt(t.submitter[item], t.submitted[item], true);
    return state < 0 ? null : { run: run.index, type: 'state', i: state };
  }
  if (target.type !== 'state') {
    const thread = threadOf(run, target);
    const state = thread < 0 ? -1 : run.stateAt(thread, timesOf(run, target)[0], false);
    return state < 0 ? null : { run: run.index, type: 'state', i: state };
  }
  const s = run.states, i = target.i, first = s.first[s.thread[i]];
  const state = (thread, time) => {
    const found = run.stateAt(thread, time, true);
    return found < 0 ? null : { run: run.index, type: 'state', i: found };
  };
  if (s.kind[i] > 1) {
    const next = i + 1;
    if (next < s.first[s.thread[i] + 1] && s.agent[next] >= 0) return state(s.agent[next], s.start[next]);
  } else if (s.kind[i] === 1 && (s.began[i] === CHANGE.woken || s.began[i] === CHANGE.started)) {
    if (s.agent[i] >= 0) return state(s.agent[i], s.start[i]);
    if (s.began[i] === CHANGE.started) return null;
    const submitter = submitterOfWake(run, i);
    if (submitter) return submitter;
  }
  return i > first ? { run: run.index, type: 'state', i: i - 1 } : null;
}

/** Who handed over what a thread did first after the system woke it: a run loop is woken by a port. */
function submitterOfWake(run, i) {
  const s = run.states, p = run.spans, thread = s.thread[i];
  if (i - 1 < s.first[thread]) return null;
  let k = below(p.start, p.first[thread], p.first[thread + 1], s.start[i], false);
  while (k < p.first[thread + 1] && p.kind[k] !== 0) k++;
  if (k >= p.first[thread + 1]) return null;
  const item = run.itemPlaces.get(p.item[k]);
  if (item === undefined) return null;
  const t = run.items;
  if (t.submitter[item] < 0 || t.submitted[item] <= s.start[i - 1] || t.submitted[item] > s.start[i]) return null;
  const found = run.stateAt(t.submitter[item], t.submitted[item], true);
  return found < 0 ? null : { run: run.index, type: 'state', i: found };
}

/** What has the same name in the other run. */
function twinOf(view, target) {
  if (view.runs.length < 2 || !target) return null;
  const run = view.all[target.run], item = itemOf(run, target);
  const other = view.runs.find(each => each.index !== target.run);
  if (item < 0 || !other) return null;
  const name = run.text(run.items.name[item]);
  if (!other.itemsByName) {
    other.itemsByName = new Map();
    for (let i = 0; i < other.items.count; i++) {
      const own = other.text(other.items.name[i]);
      if (!other.itemsByName.has(own)) other.itemsByName.set(own, i);
    }
  }
  const found = other.itemsByName.get(name);
  return found === undefined ? null : { run: other.index, type: 'item', i: found };
}
