// What happened, in sentences: lists of texts and of links to what they speak of.

const UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']];

/** A length of time with three digits. */
function short(length) {
  if (length === 0) return '0s';
  const sign = length < 0 ? '-' : '';
  const size = Math.abs(length);
  for (let i = 0; i < UNITS.length; i++) {
    const [scale, unit] = UNITS[i];
    if (size < scale && scale > 1) continue;
    const value = size / scale;
    const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    const text = value.toFixed(digits);
    if (Number(text) >= 1000 && i > 0 && scale < 1e9) return sign + '1' + UNITS[i - 1][1];
    return sign + String(Number(text)) + unit;
  }
  return '0s';
}

/** A moment to the nanosecond. */
function exact(time) {
  if (time === 0) return '0s';
  const [scale, unit] = UNITS.find(([scale]) => Math.abs(time) >= scale) || UNITS[3];
  const whole = Math.trunc(time / scale);
  const rest = String(Math.abs(time) % scale).padStart(String(scale).length - 1, '0');
  const fraction = scale === 1 ? '' : rest.replace(/0+$/, '');
  return whole + (fraction ? '.' + fraction : '') + unit;
}

/** A link: a text, and what it selects. */
function link(text, target) { return { text, target }; }

function quoted(name) { return "'" + name + "'"; }

/** Some texts or links with commas between them; of many the first. */
function listed(parts, most = 4) {
  const shown = parts.length > most ? parts.slice(0, most - 1) : parts;
  const result = [];
  shown.forEach((part, i) => {
    if (i > 0) result.push(i === parts.length - 1 ? ' and ' : ', ');
    result.push(part);
  });
  if (shown.length < parts.length) result.push(' and ' + (parts.length - shown.length) + ' more');
  return result;
}

/** Says of one run what its states, items and holds were, and why. */
class Words {
  constructor(run) { this.run = run; }

  thread(thread, time) {
    const run = this.run;
    const state = run.stateAt(thread, time, true);
    const name = quoted(run.threadName(thread));
    return state < 0 ? name : link(name, { run: run.index, type: 'state', i: state });
  }

  place(place, before = ' at ') {
    if (place < 0) return [];
    return [before, link('line ' + this.run.position(place),
      { run: this.run.index, type: 'line', i: this.run.line(place) })];
  }

  item(number) {
    const place = this.run.itemPlaces.get(number);
    const name = quoted(this.run.itemName(number));
    return place === undefined ? name : link(name, { run: this.run.index, type: 'item', i: place });
  }

  /** What a thread was about at a moment; nothing for code of its own. */
  about(thread, time, before = ', in ') {
    const span = this.run.spanAt(thread, time);
    if (span < 0) return [];
    const name = this.run.spanName(span);
    return [before, link(quoted(name), { run: this.run.index, type: 'span', i: span }),
      ...this.place(this.run.spanPlace(span), ', ')];
  }

  // States

  /** What a state was, and why. */
  state(i) {
    const s = this.run.states;
    const thread = s.thread[i];
    const length = short(s.end[i] - s.start[i]);
    const who = quoted(this.run.threadName(thread));
    switch (s.kind[i]) {
      case 0: return this.running(i, who, length);
      case 1: return [who, ' could run and had no core for ' + length, ...this.readyWhy(i),
        ...this.competitors(i), '.'];
      default:
        return [who, ' ' + this.waitVerb(i) + ' for ' + length, ...this.waitFor(i),
          ...this.about(thread, s.start[i]), ...this.waitEnd(i), '.'];
    }
  }

  running(i, who, length) {
    const s = this.run.states;
    const thread = s.thread[i];
    const parts = [who, ' ran for ' + length + ' on ' + this.run.head.coreLabels[s.core[i]]];
    parts.push(...this.about(thread, s.start[i], ': '));
    const before = i > s.first[thread] && s.end[i - 1] === s.start[i] ? i - 1 : -1;
    if (before >= 0 && s.kind[before] === 1) {
      const wait = s.end[before] - s.start[before];
      parts.push(wait > 0 ? '; it had waited ' + short(wait) + ' for the core' : '; it got the core at once');
      parts.push(...this.readyWhy(before));
    }
    if (s.cost[i] > 0) parts.push('; ' + short(s.cost[i]) + ' of it were costs');
    parts.push(...this.runEnd(i), '.');
    return parts;
  }

  runEnd(i) {
    const s = this.run.states;
    const next = i + 1 < s.first[s.thread[i] + 1] ? i + 1 : -1;
    switch (s.ended[i]) {
      case CHANGE.quantumEnded: return [', until its quantum was over'];
      case CHANGE.preempted:
        return next >= 0 && s.agent[next] >= 0
          ? [', until ', this.thread(s.agent[next], s.start[next]), ' took the core']
          : [', until it was preempted'];
      case CHANGE.yielded: return [', until it yielded'];
      case CHANGE.blocked:
        return next >= 0 && s.kind[next] > 1
          ? [', until it ' + this.waitVerb(next).replace('waited', 'had to wait').replace('slept', 'slept')
              .replace('was idle', 'had nothing to do'), ...this.waitFor(next, true)]
          : [', until it waited'];
      case CHANGE.ended: return [', until it ended'];
      case CHANGE.killed: return [', until the process ended'];
      case CHANGE.runEnded: return [', until the run ended'];
      default: return [];
    }
  }

  /** Why a thread was ready. */
  readyWhy(i) {
    const s = this.run.states;
    const agent = s.agent[i] >= 0 ? [' by ', this.thread(s.agent[i], s.start[i])] : [];
    switch (s.began[i]) {
      case CHANGE.started: return [', started', ...agent];
      case CHANGE.woken:
        return agent.length ? [', woken', ...agent] : [', woken by a device, a timer or the system'];
      case CHANGE.timedOut: return [', since its wait timed out'];
      case CHANGE.quantumEnded:
        return s.agent[i] >= 0 ? [', since its quantum was over and ', this.thread(s.agent[i], s.start[i]),
          ' got the core'] : [', since its quantum was over'];
      case CHANGE.preempted: return [', preempted', ...agent];
      case CHANGE.yielded: return [', since it yielded'];
      default: return [];
    }
  }

  /** Who had the cores meanwhile. */
  competitors(i) {
    const s = this.run.states;
    const [from, to] = [s.start[i], s.end[i]];
    if (to <= from) return [];
    const found = new Map();
    for (const core of this.run.cores) {
      let place = below(core.end, 0, core.end.length, from, true);
      for (let steps = 0; place < core.list.length && core.start[place] < to && steps < 2000; steps++, place++) {
        const other = core.list[place];
        const length = Math.min(to, s.end[other]) - Math.max(from, s.start[other]);
        if (length <= 0) continue;
        const at = Math.max(from, s.start[other]);
        const span = this.run.spanAt(s.thread[other], at);
        const name = span >= 0 ? this.run.spanName(span) : this.run.threadName(s.thread[other]);
        const known = found.get(name);
        if (known) known.length += length;
        else found.set(name, { length, target: { run: this.run.index, type: 'state', i: other } });
      }
    }
    const order = [...found].sort((a, b) => b[1].length - a[1].length);
    if (!order.length) return [];
    return ['; meanwhile there ran ', ...listed(order.map(([name, of]) => link(quoted(name), of.target)))];
  }

  // Waits

  waitVerb(i) {
    const reason = this.run.reason(i)[0];
    return reason === 'sleep' ? 'slept' : reason === 'idleWorker' || reason === 'runLoop' ? 'was idle' : 'waited';
  }

  /** For what a thread waited, where, and who had it. */
  waitFor(i, brief) {
    const run = this.run, s = run.states;
    const object = s.lane[i] >= 0 ? quoted(run.laneName(s.lane[i]))
      : s.name[i] >= 0 ? quoted(run.text(s.name[i])) : '';
    const named = s.lane[i] >= 0
      ? link(object, { run: run.index, type: 'lane', i: s.lane[i], time: s.start[i] }) : object;
    const nouns = { io: [' for io'], sleep: [], lock: [' for lock ', named],
      condition: [' for condition ', named], semaphore: [' for semaphore ', named],
      group: [' for group ', named], join: [' for a thread to end'],
      runLoop: object ? [' in its run loop, in mode ' + object] : [' in its run loop'],
      idleWorker: [' without work'], sync: [' in sync for queue ', named],
      workItem: [' for work item ', named], apply: [' for the other iterations'],
      once: [' for a once'], perform: [' for a perform'], operation: [' for operation ', named],
      operations: [' for the operations of ', named], job: [' for its next job'],
      accelerator: [' for accelerator ', named] };
    const reason = run.reason(i)[0];
    const parts = [...nouns[reason]];
    if (run.stateClass(i) !== STATE.idle) parts.push(...this.place(s.place[i]));
    if (!brief) parts.push(...this.holders(i, reason));
    return parts;
  }

  /** Who had what a thread waited for. */
  holders(i, reason) {
    const run = this.run, s = run.states;
    if (reason === 'join' && s.agent[i] >= 0) return [': ', this.thread(s.agent[i], s.end[i])];
    if (reason === 'lock' && s.lane[i] >= 0) {
      const [h, from, to] = [run.holds, s.start[i], s.end[i]];
      const found = run.laneHolds[s.lane[i]].filter(
        k => h.start[k] < to && h.end[k] > from && h.thread[k] !== s.thread[i]);
      found.sort((a, b) => Math.min(h.end[b], to) - Math.max(h.start[b], from)
        - Math.min(h.end[a], to) + Math.max(h.start[a], from) || a - b);
      if (found.length) {
        return [', held by ', ...listed(found.map(k => link(quoted(this.holderName(k)),
          { run: run.index, type: 'hold', i: k })), 3), ...this.place(h.place[found[0]], ', taken at ')];
      }
    }
    if (reason === 'sync' && s.lane[i] >= 0) {
      const t = run.items, found = run.laneItems[s.lane[i]].filter(
        k => (t.flags[k] & 8) && t.started[k] < s.end[i] && t.ended[k] > s.start[i]);
      if (found.length) return [', which ran ', ...listed(found.map(k => this.item(t.number[k])), 3)];
    }
    return s.agent[i] >= 0 ? [', which ', this.thread(s.agent[i], s.start[i]), ' had'] : [];
  }

  holderName(hold) {
    const item = this.run.holds.item[hold];
    return item > 0 ? this.run.itemName(item) : this.run.threadName(this.run.holds.thread[hold]);
  }

  /** What ended a wait. */
  waitEnd(i) {
    const run = this.run, s = run.states;
    if (s.ended[i] === CHANGE.runEnded) return [', to the end of the run'];
    if (s.ended[i] === CHANGE.killed) return [', until the process ended'];
    if (s.ended[i] === CHANGE.timedOut) return [', until its limit was reached'];
    const next = i + 1 < s.first[s.thread[i] + 1] ? i + 1 : -1;
    if (next < 0 || s.agent[next] < 0 || s.kind[next] !== 1) return [];
    const agent = s.agent[next];
    return [', until ', this.thread(agent, s.start[next]), ' woke it', ...this.about(agent, s.start[next])];
  }

  // Items, spans, holds

  itemStory(i) {
    const run = this.run, t = run.items;
    const parts = [quoted(run.text(t.name[i]))];
    parts.push(' was submitted by ');
    parts.push(t.parent[i] > 0 ? this.item(t.number[i] - t.parent[i]) : this.thread(t.submitter[i], t.submitted[i]));
    parts.push(...this.place(t.place[i]), ' at ' + exact(t.submitted[i]));
    if (t.lane[i] >= 0) {
      parts.push(' to ' + run.family(t.lane[i]) + ' ', link(quoted(run.laneName(t.lane[i])),
        { run: run.index, type: 'lane', i: t.lane[i], time: t.submitted[i] }));
    }
    const outcome = t.flags[i] & 7;
    if (!(t.flags[i] & 8)) {
      const why = outcome === 2 ? 'was cancelled before its turn came'
        : outcome === 3 ? 'reported its end before its turn came' : 'had not begun when the run ended';
      return [...parts, ', and ' + why + ', ' + short(t.ended[i] - t.submitted[i]) + ' later.'];
    }
    const wait = t.started[i] - t.submitted[i];
    parts.push(wait > 0 ? '. It waited ' + short(wait) : '. It began at once');
    if (wait > 0) parts.push(...this.before(i));
    if (t.flags[i] & 32) {
      return [...parts, ', and needed no thread for ' + short(t.ended[i] - t.started[i]) + '.'];
    }
    if (t.flags[i] & 64) return [...parts, ...this.taskStory(i)];
    parts.push(' on ', this.thread(t.thread[i], t.started[i]));
    parts.push(', and took ' + short(t.ended[i] - t.started[i]) + ':');
    const sums = run.shares(t.thread[i], t.started[i], t.ended[i]);
    const said = [];
    sums.forEach((sum, c) => { if (sum > 0) said.push(short(sum) + ' ' + SHARE_WORDS[c]); });
    parts.push(' ' + (said.join(', ') || 'no time') + (outcome === 4 ? ', when the run ended.' : '.'));
    return parts;
  }

  /** How long a task was on threads, and for what it left them. */
  taskStory(i) {
    const run = this.run, t = run.items, s = run.spans, pieces = run.pieces(t.number[i]);
    const waits = new Map(), threads = [];
    let served = 0;
    pieces.forEach((k, place) => {
      served += s.end[k] - s.start[k];
      if (!threads.includes(s.thread[k])) threads.push(s.thread[k]);
      const end = place + 1 < pieces.length ? s.start[pieces[place + 1]] : t.ended[i];
      const why = SUSPENSIONS[s.left[k]] || 'for its turn';
      if (end > s.end[k]) waits.set(why, (waits.get(why) || 0) + end - s.end[k]);
    });
    const parts = ['. As a task it took ' + short(t.ended[i] - t.started[i]) + ': ' + short(served) + ' on ',
      ...listed(threads.map(thread => this.thread(thread, t.started[i])), 3),
      pieces.length > 1 ? ' in ' + pieces.length + ' pieces' : ''];
    for (const [why, length] of waits) parts.push(', ' + short(length) + ' suspended ' + why);
    return [...parts, (t.flags[i] & 7) === 4 ? ', when the run ended.' : '.'];
  }

  /** What of the same queue ran while an item waited. */
  before(i) {
    const t = this.run.items, [from, to] = [t.submitted[i], t.started[i]];
    if (t.lane[i] < 0) return [];
    const found = this.run.laneItems[t.lane[i]].filter(
      k => k !== i && (t.flags[k] & 8) && t.started[k] < to && t.ended[k] > from);
    if (!found.length) return [];
    found.sort((a, b) => t.ended[b] - t.started[b] - t.ended[a] + t.started[a] || a - b);
    return [', while the queue ran ', ...listed(found.map(k => this.item(t.number[k])), 3), ', and began'];
  }

  span(i) {
    const run = this.run, s = run.spans;
    const item = run.itemPlaces.get(s.item[i]);
    if (item !== undefined) return this.itemStory(item);
    const sums = run.shares(s.thread[i], s.start[i], s.end[i]);
    const said = [];
    sums.forEach((sum, c) => { if (sum > 0) said.push(short(sum) + ' ' + SHARE_WORDS[c]); });
    return [quoted(run.spanName(i)), ' on ', this.thread(s.thread[i], s.start[i]),
      ...this.place(s.place[i]), ' took ' + short(s.end[i] - s.start[i]) + ': ' + (said.join(', ') || 'no time'),
      s.isComplete[i] ? '.' : ', and was not over when it was cut off.'];
  }

  hold(i) {
    const run = this.run, h = run.holds;
    const name = quoted(run.laneName(h.lane[i]));
    const length = short(h.end[i] - h.start[i]);
    if (isSuspension(h.kind[i])) {
      return [name + ' was ' + (h.kind[i] === 2 ? 'suspended' : 'inactive') + ' for ' + length, ' by ',
        this.thread(h.thread[i], h.start[i]), ...this.place(h.place[i]), '.'];
    }
    const waits = run.laneWaits[h.lane[i]].filter(
      k => run.states.start[k] < h.end[i] && run.states.end[k] > h.start[i]);
    const who = h.item[i] > 0 ? [this.item(h.item[i]), ' on '] : [];
    if (h.kind[i] === 4) {
      return [...who, this.thread(h.thread[i], h.start[i]), ' was on actor ' + name + ' for ' + length,
        h.waited[i] > 0 ? ', after ' + short(h.waited[i]) + ' in line.' : '.'];
    }
    const parts = [...who, this.thread(h.thread[i], h.start[i]), ' had ' + name,
      h.kind[i] === 1 ? ' as a reader' : '', ' for ' + length, ...this.place(h.place[i], ', taken at ')];
    if (waits.length) {
      parts.push('; meanwhile there waited ', ...listed(waits.map(k => link(
        quoted(run.threadName(run.states.thread[k])), { run: run.index, type: 'state', i: k }))));
    }
    return [...parts, '.'];
  }

  /** What was in a queue, or who waited for something, at a moment. */
  lane(lane, time) {
    const run = this.run, t = run.items;
    const name = run.family(lane) + ' ' + quoted(run.laneName(lane));
    const parts = [name + ' at ' + exact(time) + ': '];
    const runs = [], waits = [];
    for (const k of run.laneItems[lane]) {
      if (t.submitted[k] > time) break;
      if (t.ended[k] <= time) continue;
      ((t.flags[k] & 8) && t.started[k] <= time ? runs : waits).push(this.item(t.number[k]));
    }
    const sleepers = run.laneWaits[lane].filter(
      k => run.states.start[k] <= time && run.states.end[k] > time).map(k => link(
      quoted(run.threadName(run.states.thread[k])), { run: run.index, type: 'state', i: k }));
    const has = run.laneHolds[lane].filter(
      k => run.holds.start[k] <= time && run.holds.end[k] > time).map(k => link(
      quoted(this.holderName(k)), { run: run.index, type: 'hold', i: k }));
    const say = (list, one, many) => {
      if (!list.length) return;
      if (parts.length > 1) parts.push('; ');
      parts.push(list.length === 1 ? one : list.length + ' ' + many, ' ', ...listed(list, 6));
    };
    say(has, 'held by', 'hold it:');
    say(runs, 'runs', 'run:');
    say(waits, 'waits in it:', 'wait in it:');
    say(sleepers, 'waits for it:', 'wait for it:');
    if (parts.length === 1) parts.push('nothing');
    if (run.head.windows) parts.push(', of what this file holds');
    return [...parts, '.'];
  }
}

const SHARE_WORDS = ['work', 'costs', 'without a core', 'io or sleep', 'waiting for a lock', 'waiting', 'idle'];

/** A sentence as plain text. */
function plain(parts) { return parts.map(part => typeof part === 'string' ? part : part.text).join(''); }
