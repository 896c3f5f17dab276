// Opens reports in a headless Chromium, which it talks to by pipes, and does what a reader does.
// usage: node html-browser.js CHROMIUM ACTION... ; actions, in order:
//   open:FILE[#FRAGMENT]  click:X,Y  point:EXPRESSION (clicks there)  move:X,Y  drag:X,Y,X,Y
//   key:KEY  type:TEXT  wait:MS  media:FEATURE=VALUE
//   size:W,H  picture:FILE  print:FILE  full:FILE
//   eval:EXPRESSION (its value is printed as JSON)  expect:EXPRESSION (must become true)
// Fails when the console has an error, the page throws, or an expectation is not true; ends with 77 when
// the browser itself does not start, which says nothing of a report.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const [chromium, ...actions] = process.argv.slice(2);
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'spindle-browser-'));
const child = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
  '--no-first-run', '--disable-background-networking', '--user-data-dir=' + profile, '--window-size=1500,1100', 'about:blank'],
{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });
const problems = [], waiting = new Map();
let next = 1, session, pending = '', loaded = () => {}, isReady = false;

function send(method, params = {}) {
  const id = next++;
  const message = { id, method, params };
  if (session) message.sessionId = session;
  child.stdio[3].write(JSON.stringify(message) + '\0');
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

child.stdio[4].on('data', data => {
  pending += data;
  const parts = pending.split('\0');
  pending = parts.pop();
  for (const part of parts) {
    const message = JSON.parse(part);
    if (message.id) {
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message)); else resolve(message.result);
    } else if (message.method === 'Runtime.exceptionThrown') {
      problems.push('thrown: ' + (message.params.exceptionDetails.exception?.description || message.params.exceptionDetails.text));
    } else if (message.method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(message.params.type)) {
      problems.push('console: ' + message.params.args.map(each => each.value || each.description).join(' '));
    } else if (message.method === 'Log.entryAdded' && message.params.entry.level === 'error') {
      problems.push('log: ' + message.params.entry.text);
    } else if (message.method === 'Network.requestWillBeSent' && !/^(file|blob|data|about):/.test(message.params.request.url)) {
      problems.push('network: ' + message.params.request.url);
    } else if (message.method === 'Page.loadEventFired') loaded();
  }
});

const sleep = time => new Promise(resolve => setTimeout(resolve, time));
/** What an expression has to become true in, however busy the machine is. */
const PATIENCE = 120000;
const evaluated = async expression => {
  const result = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  if (result.exceptionDetails) problems.push(expression + ': ' + (result.exceptionDetails.exception?.description || 'failed'));
  return result.result.value;
};

/** Whether the expression became true. */
const becomes = async expression => {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(20)) {
    if (await evaluated(expression) === true) return true;
  }
  return false;
};
/** Until the page has taken in what was done to it and drawn it: the second frame from now has the first's work. */
const settled = () => evaluated('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))');

const KEYS = { Escape: 27, Enter: 13, Backspace: 8, ArrowLeft: 37, ArrowRight: 39 };
const ACTIONS = {
  async open(value) {
    const [file, fragment] = value.split('#');
    const isLoaded = new Promise(resolve => { loaded = resolve; });
    await send('Page.navigate', { url: 'file://' + path.resolve(file) + (fragment ? '#' + fragment : '') });
    await isLoaded;
    if (!await becomes('!!document.documentElement.dataset.drawn')) problems.push('the timeline of ' + file + ' was not drawn');
  },
  async click(value) {
    const [x, y] = value.split(',').map(Number);
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
      await send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 });
    }
    await settled();
  },
  /** Clicks at the point that an expression gives. */
  async point(value) { await ACTIONS.click((await evaluated(value)).join(',')); },
  async move(value) {
    const [x, y] = value.split(',').map(Number);
    await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    await settled();
  },
  async drag(value) {
    const [x1, y1, x2, y2] = value.split(',').map(Number);
    await send('Input.dispatchMouseEvent', { type: 'mousePressed', x: x1, y: y1, button: 'left', clickCount: 1 });
    for (let i = 1; i <= 5; i++) {
      await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x1 + (x2 - x1) * i / 5, y: y1 + (y2 - y1) * i / 5, button: 'left' });
    }
    await send('Input.dispatchMouseEvent', { type: 'mouseReleased', x: x2, y: y2, button: 'left', clickCount: 1 });
    await settled();
  },
  async key(value) {
    const text = value.length === 1 ? value : value === 'Enter' ? '\r' : undefined;
    await send('Input.dispatchKeyEvent', { type: 'keyDown', key: value, text, windowsVirtualKeyCode: KEYS[value] });
    await send('Input.dispatchKeyEvent', { type: 'keyUp', key: value, windowsVirtualKeyCode: KEYS[value] });
    await settled();
  },
  async type(value) { for (const letter of value) await ACTIONS.key(letter); },
  async wait(value) { await sleep(Number(value)); },
  async media(value) {
    const [name, setting] = value.split('=');
    await send('Emulation.setEmulatedMedia', { features: [{ name, value: setting }] });
    await settled();
  },
  async size(value) {
    const [width, height] = value.split(',').map(Number);
    await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await settled();
  },
  async picture(value) { fs.writeFileSync(value, Buffer.from((await send('Page.captureScreenshot')).data, 'base64')); },
  async full(value) {
    fs.writeFileSync(value, Buffer.from((await send('Page.captureScreenshot', { captureBeyondViewport: true })).data, 'base64'));
  },
  async print(value) { fs.writeFileSync(value, Buffer.from((await send('Page.printToPDF', { printBackground: true })).data, 'base64')); },
  async eval(value) { console.log(JSON.stringify(await evaluated(value))); },
  async expect(value) { if (!await becomes(value)) problems.push('not true: ' + value); },
};

async function main() {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  session = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(domain + '.enable');
  isReady = true;
  for (const action of actions) {
    const [, name, value] = /^(\w+):(.*)$/s.exec(action);
    await ACTIONS[name](value);
  }
}

const watch = setTimeout(() => { problems.push('not done in time'); end(); }, 3 * PATIENCE);
setTimeout(() => { if (!isReady) doesNotStart(); }, PATIENCE).unref();
child.on('exit', () => { if (!isReady) doesNotStart(); });
child.on('error', () => doesNotStart());
child.stdio[3].on('error', () => {});
function doesNotStart() {
  console.error(chromium + ' does not start here');
  leave(77);
}
/** Ends the browser's every process, for one that lives on would write to its profile while that is removed. */
function leave(status) {
  isReady = true;
  try { process.kill(-child.pid, 'SIGKILL'); } catch { /* it has ended, or never began */ }
  try { fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }); } catch { /* the system's folder keeps it */ }
  process.exit(status);
}
function end() {
  clearTimeout(watch);
  for (const problem of problems) console.error(problem);
  leave(problems.length ? 1 : 0);
}
main().catch(error => problems.push(String(error))).then(end);
