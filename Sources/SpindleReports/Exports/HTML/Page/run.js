// One run, as its columns tell it.

const STATE = { running: 0, cost: 1, ready: 2, device: 3, lock: 4, other: 5, idle: 6 };
const CLASSES = 7;
const CLASS_NAMES = ['runs', 'costs', 'ready, no core', 'io or sleep', 'waits for a lock',
  'waits for another', 'idle'];

/** For what a thread waits, by number: words, and as what it counts. */
const REASONS = [['io', 3], ['sleep', 3], ['lock', 4], ['condition', 5], ['semaphore', 5],
  ['group', 5], ['join', 5], ['runLoop', 6], ['idleWorker', 6], ['sync', 5], ['workItem', 5],
  ['apply', 5], ['once', 5], ['perform', 5], ['operation', 5], ['operations', 5],
  ['job', 6], ['accelerator', 3]];
const SPANS = ['item', 'sync', 'apply', 'iteration', 'dispatchSource', 'timer', 'source', 'observer',
  'block', 'perform', 'message', 'answer'];
const CHANGE = { started: 0, woken: 1, timedOut: 2, gotCore: 3, quantumEnded: 4, preempted: 5,
  yielded: 6, blocked: 7, ended: 8, killed: 9, runEnded: 10 };
const FAMILIES = ['lock', 'semaphore', 'group', 'pool', 'queue', 'operation queue', 'operation',
  'source', '', 'actor', 'accelerator'];
/** Why a task left its thread, by number. */
const SUSPENSIONS = ['', 'for its turn', 'for a task', 'for its group', 'for its group', 'in sleep', 'in io',
  'for others', 'for its continuation', 'for an element'];

class Run {
  constructor(index, head, columns) {
    this.index = index;
    this.head = head;
    this.columns = columns;
    this.texts = head.texts;
    this.end = Math.max(1, head.end);
    this.makeStates(columns);
    this.makeSpans(columns);
    this.makeMarks(columns);
    this.makeItems(columns);
    this.makeCores();
    this.makeLanes(columns);
    this.rowCache = new Map();
  }

  makeStates(c) {
    const first = offsets(c['states.count']);
    const count = first[first.length - 1];
    const s = { first, count, kind: c['states.kind'], began: c['states.began'],
      ended: c['states.ended'], place: c['states.place'], length: c['states.length'],
      start: new Float64Array(count), end: new Float64Array(count), thread: new Int32Array(count),
      core: new Int16Array(count).fill(-1), cost: new Float64Array(count),
      agent: new Int32Array(count).fill(-1), lane: new Int32Array(count).fill(-1),
      name: new Int32Array(count).fill(-1) };
    let time = 0, run = 0, other = 0, wait = 0, thread = 0;
    for (let i = 0; i < count; i++) {
      while (i >= first[thread + 1]) thread++;
      time += c['states.gap'][i];
      s.thread[i] = thread;
      s.start[i] = time;
      time += s.length[i];
      s.end[i] = time;
      if (s.kind[i] === 0) {
        s.core[i] = c['runs.core'][run];
        s.cost[i] = c['runs.cost'][run++];
      } else {
        s.agent[i] = c['others.agent'][other++];
        if (s.kind[i] > 1) {
          s.lane[i] = c['waits.lane'][wait];
          s.name[i] = c['waits.name'][wait++];
        }
      }
    }
    this.states = s;
    this.threadCount = first.length - 1;
  }

  makeSpans(c) {
    const first = offsets(c['spans.count']);
    const count = first[first.length - 1];
    const s = { first, count, kind: new Uint8Array(count), isComplete: new Uint8Array(count),
      start: c['spans.start'], end: new Float64Array(count), depth: c['spans.depth'],
      item: c['spans.item'], lane: c['spans.lane'], name: c['spans.name'],
      value: c['spans.value'], left: c['spans.left'], place: c['spans.place'], thread: new Int32Array(count) };
    let thread = 0;
    for (let i = 0; i < count; i++) {
      while (i >= first[thread + 1]) thread++;
      s.thread[i] = thread;
      s.kind[i] = c['spans.kind'][i] >> 1;
      s.isComplete[i] = c['spans.kind'][i] & 1;
      s.end[i] = s.start[i] + c['spans.length'][i];
    }
    this.spans = s;
    this.spanLists = new Map();
  }

  makeItems(c) {
    const number = c['items.number'];
    const count = number.length;
    const s = { count, number, name: c['items.name'], kind: c['items.kind'],
      submitted: c['items.submitted'], started: new Float64Array(count),
      ended: new Float64Array(count), flags: c['items.flags'], submitter: c['items.submitter'],
      parent: c['items.parent'], thread: c['items.thread'], lane: c['items.lane'],
      place: c['items.place'] };
    this.itemPlaces = new Map();
    for (let i = 0; i < count; i++) {
      s.started[i] = s.submitted[i] + c['items.wait'][i];
      s.ended[i] = s.started[i] + c['items.service'][i];
      if (number[i] > 0) this.itemPlaces.set(number[i], i);
    }
    this.items = s;
  }

  /** By core: the places of its running states, in the order of time. */
  makeCores() {
    const s = this.states;
    const lists = Array.from({ length: this.head.cores }, () => []);
    for (let i = 0; i < s.count; i++) if (s.core[i] >= 0 && lists[s.core[i]]) lists[s.core[i]].push(i);
    this.cores = lists.map(list => {
      list.sort((a, b) => s.start[a] - s.start[b] || s.end[a] - s.end[b]);
      const core = { list: Int32Array.from(list), start: new Float64Array(list.length),
        end: new Float64Array(list.length) };
      list.forEach((i, place) => {
        core.start[place] = s.start[i];
        core.end[place] = s.end[i];
      });
      return core;
    });
  }

  /** By thread, and of the world outside: marks by what they say, each with its moments; more than four texts stand together. */
  makeMarks(c) {
    this.marks = Array.from({ length: this.threadCount }, () => []);
    this.worldMarks = [];
    for (let i = 0; i < c['notes.kind'].length; i++) {
      const lists = this.marks[c['notes.thread'][i]] || this.worldMarks;
      if (c['notes.kind'][i] !== 0) continue;
      const text = this.text(c['notes.name'][i]);
      let list = lists.find(list => list.text === text);
      if (!list) lists.push(list = { text, start: [] });
      list.start.push(c['notes.time'][i]);
    }
    const together = lists => {
      const all = lists.flatMap(list => list.start.map(time => ({ time, text: list.text })));
      all.sort((a, b) => a.time - b.time);
      return { start: all.map(mark => mark.time), texts: all.map(mark => mark.text) };
    };
    const few = lists => lists.length <= 4 ? lists : [together(lists)];
    this.marks = this.marks.map(few);
    this.worldMarks = few(this.worldMarks);
  }

  makeLanes(c) {
    const count = c['lanes.name'].length;
    this.laneItems = Array.from({ length: count }, () => []);
    this.laneHolds = Array.from({ length: count }, () => []);
    for (let i = 0; i < this.items.count; i++) {
      if (this.items.lane[i] >= 0) this.laneItems[this.items.lane[i]].push(i);
    }
    const starts = c['holds.start'], lengths = c['holds.length'];
    this.holds = { count: starts.length, kind: c['holds.kind'], lane: c['holds.lane'],
      waited: c['holds.waited'], thread: c['holds.thread'], item: c['holds.item'], start: starts,
      end: starts.map((start, i) => start + lengths[i]), place: c['holds.place'] };
    for (let i = 0; i < this.holds.count; i++) this.laneHolds[this.holds.lane[i]].push(i);
    this.laneWaits = Array.from({ length: count }, () => []);
    for (let i = 0; i < this.states.count; i++) {
      if (this.states.lane[i] >= 0) this.laneWaits[this.states.lane[i]].push(i);
    }
    for (const list of this.laneWaits) {
      list.sort((a, b) => this.states.start[a] - this.states.start[b] || a - b);
    }
  }

  /** The spans of a task, in order. */
  pieces(number) {
    if (!this.pieceLists) {
      const s = this.spans;
      this.pieceLists = new Map();
      for (let i = 0; i < s.item.length; i++) {
        if (s.item[i] <= 0) continue;
        if (!this.pieceLists.has(s.item[i])) this.pieceLists.set(s.item[i], []);
        this.pieceLists.get(s.item[i]).push(i);
      }
      for (const list of this.pieceLists.values()) list.sort((a, b) => s.start[a] - s.start[b] || s.end[a] - s.end[b]);
    }
    return this.pieceLists.get(number) || [];
  }

  // Names

  text(number) { return number >= 0 ? this.texts[number] : ''; }
  threadName(thread) {
    return thread >= 0 ? this.text(this.columns['threads.name'][thread]) : 'the world outside';
  }
  laneName(lane) { return lane >= 0 ? this.text(this.columns['lanes.name'][lane]) : ''; }
  family(lane) { return FAMILIES[this.columns['lanes.family'][lane]]; }
  itemName(number) {
    const place = this.itemPlaces.get(number);
    return place === undefined ? 'item ' + number : this.text(this.items.name[place]);
  }
  line(place) { return place >= 0 ? this.columns['places.line'][place] : 0; }
  position(place) {
    return place >= 0
      ? this.columns['places.line'][place] + ':' + this.columns['places.column'][place] : '';
  }
  reason(i) { return REASONS[this.states.kind[i] - 2]; }

  /** As what a state counts. */
  stateClass(i) {
    const kind = this.states.kind[i];
    return kind === 0 ? STATE.running : kind === 1 ? STATE.ready : REASONS[kind - 2][1];
  }

  spanName(i) {
    const s = this.spans;
    const own = s.name[i] >= 0 ? " '" + this.text(s.name[i]) + "'" : '';
    switch (SPANS[s.kind[i]]) {
      case 'item': return this.itemName(s.item[i]);
      case 'sync': return "sync of '" + this.laneName(s.lane[i]) + "'";
      case 'apply': return 'concurrentPerform';
      case 'iteration': return 'iteration ' + s.value[i];
      case 'dispatchSource': return 'source' + own;
      case 'timer': return s.name[i] >= 0 ? 'timer' + own : 'delayed perform';
      case 'message': return 'message to port' + own;
      case 'source': return 'source' + own;
      case 'observer': return 'observer';
      case 'block': return 'block of the run loop';
      case 'perform': return 'perform';
      default: return 'answer';
    }
  }

  /** Where the trace asked for what a span is about; -1 for nowhere. */
  spanPlace(i) {
    const item = this.itemPlaces.get(this.spans.item[i]);
    return item === undefined ? this.spans.place[i] : this.items.place[item];
  }

  // Looking up

  /** The state that a thread has at a moment; of two the one that runs, or that begins. -1 for none. */
  stateAt(thread, time, prefersEarlier) {
    const s = this.states;
    if (thread < 0 || thread >= this.threadCount) return -1;
    const low = s.first[thread], high = s.first[thread + 1];
    let i = below(s.start, low, high, time, true) - 1;
    if (i < low) return -1;
    if (prefersEarlier) {
      let j = i;
      while (j >= low && s.end[j] >= time) {
        if (s.kind[j] === 0 && (s.end[j] > s.start[j] || j === i)) return j;
        j--;
      }
    }
    return s.end[i] >= time ? i : -1;
  }

  /** The innermost span of a thread at a moment; -1 for none. */
  spanAt(thread, time, outermost) {
    const s = this.spans;
    if (thread < 0) return -1;
    let best = -1;
    for (let depth = 0; depth < 6; depth++) {
      const list = this.spansOf(thread, depth);
      const place = below(list.start, 0, list.start.length, time, true) - 1;
      if (place < 0) continue;
      const i = list.list[place];
      if (s.end[i] > time || s.end[i] === time && s.start[i] === time) {
        best = i;
        if (outermost) return best;
      }
    }
    return best;
  }

  /** The spans of a thread at one depth, which never overlap. */
  spansOf(thread, depth) {
    const key = thread * 8 + depth;
    let found = this.spanLists.get(key);
    if (!found) {
      const s = this.spans, list = [];
      for (let i = s.first[thread]; i < s.first[thread + 1]; i++) if (s.depth[i] === depth) list.push(i);
      found = { list: Int32Array.from(list), start: Float64Array.from(list, i => s.start[i]),
        end: Float64Array.from(list, i => s.end[i]) };
      this.spanLists.set(key, found);
    }
    return found;
  }

  /** The deepest that spans of a thread are nested, up to three. */
  depth(thread) {
    const s = this.spans;
    let most = 0;
    for (let i = s.first[thread]; i < s.first[thread + 1] && most < 3; i++) {
      most = Math.max(most, Math.min(3, s.depth[i] + 1));
    }
    return most;
  }

  /** How a stretch of a thread's time was spent, by class. */
  shares(thread, from, to) {
    const s = this.states;
    const sums = new Float64Array(CLASSES);
    const low = s.first[thread], high = s.first[thread + 1];
    for (let i = below(s.end, low, high, from, true); i < high && s.start[i] < to; i++) {
      const start = Math.max(from, s.start[i]), length = Math.min(to, s.end[i]) - start;
      if (s.kind[i] === 0) {
        const cost = length > 0 ? Math.round(length * Math.min(1, s.cost[i] / s.length[i])) : 0;
        sums[STATE.cost] += cost;
        sums[STATE.running] += length - cost;
      } else {
        sums[this.stateClass(i)] += length;
      }
    }
    return sums;
  }
}
