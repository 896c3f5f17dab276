// Colours and textures, which follow the page's light or dark scheme.

const palette = { textures: [] };

/** The hues that neighbours on a core differ by; safe for readers who see fewer colours. */
const HUES = [210, 35, 165, 275, 190, 60, 320, 235, 95, 15];

/** Takes the colours from the style sheet, and draws the textures anew. */
function loadPalette() {
  const style = getComputedStyle(document.documentElement);
  const get = name => style.getPropertyValue('--' + name).trim();
  palette.states = ['running', 'cost', 'ready', 'device', 'lock', 'other', 'idle'].map(get);
  for (const name of ['text', 'dim', 'line', 'back', 'soft', 'mark', 'select', 'path', 'part', 'number']) {
    palette[name] = get(name);
  }
  palette.isDark = get('scheme') === 'dark';
  palette.textures = palette.states.map((colour, state) => texture(state, colour));
}

/** What tells a state apart without its colour: stripes, a grid, dots. */
function texture(state, colour) {
  if (state === STATE.running || state === STATE.idle || state === STATE.cost) return colour;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = tile.getContext('2d');
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = pen.fillStyle = palette.isDark ? 'rgba(0,0,0,.45)' : 'rgba(255,255,255,.6)';
  pen.lineWidth = 1;
  pen.beginPath();
  if (state === STATE.ready || state === STATE.lock) { pen.moveTo(-1, 7); pen.lineTo(7, -1); }
  if (state === STATE.lock) { pen.moveTo(-1, -1); pen.lineTo(7, 7); }
  if (state === STATE.other) { pen.moveTo(3, 0); pen.lineTo(3, 6); }
  pen.stroke();
  if (state === STATE.device) pen.fillRect(2, 2, 2, 2);
  return pen.createPattern(tile, 'repeat');
}

/** A colour that a name always has: all of one sort the same, or each its own. */
function colourOf(text, isOwn) {
  let hash = 7;
  const sort = isOwn ? text : text.replace(/[0-9]+/g, '*');
  for (let i = 0; i < sort.length; i++) hash = hash * 31 + sort.charCodeAt(i) >>> 0;
  const hue = HUES[hash % HUES.length];
  const light = (palette.isDark ? 38 : 76) + (hash >> 8) % 3 * 4;
  return 'hsl(' + hue + ' ' + (palette.isDark ? 42 : 62) + '% ' + light + '%)';
}

const colourCache = new Map();

/** The same, remembered for both schemes. */
function colourFor(text, isOwn) {
  const key = (palette.isDark ? 'd' : 'l') + (isOwn ? '=' : '~') + text;
  let colour = colourCache.get(key);
  if (!colour) colourCache.set(key, colour = colourOf(text, isOwn));
  return colour;
}
