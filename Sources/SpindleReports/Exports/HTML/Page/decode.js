'use strict';
// Reads what the page carries: a gzip file in base64 that holds a head in JSON, and numbers by column.

/** The bytes of a script element with base64 in it, unpacked. */
async function unpacked(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  const text = atob(element.textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads columns from bytes, in the form that the head says of each. */
class ColumnReader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  /** An unsigned number of seven bits a byte; exact up to 2^53. */
  number() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127, scale = 128;
    do {
      byte = bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }

  /** A signed number: even ones are not negative. */
  signed() {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** All columns of a list of [name, form, count]. */
  columns(list) {
    const result = {};
    for (const [name, form, count] of list) result[name] = this.column(form, count);
    return result;
  }

  column(form, count) {
    if (form === 'b') {
      this.at += count;
      return this.bytes.subarray(this.at - count, this.at);
    }
    const isTime = form === 't' || form === 'd' || form === 's';
    const values = isTime ? new Float64Array(count) : new Int32Array(count);
    let last = 0;
    for (let i = 0; i < count; i++) {
      switch (form) {
        case 't': values[i] = this.number(); break;
        case 'i': case 's': values[i] = this.signed(); break;
        default: last += this.signed(); values[i] = last;
      }
    }
    return values;
  }
}

/** Where each group begins, of groups with these counts, and where the last ends. */
function offsets(counts) {
  const result = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) result[i + 1] = result[i] + counts[i];
  return result;
}

/** How many of the values from `low` up to `high` are below `limit` (at most, with `orEqual`). */
function below(values, low, high, limit, orEqual) {
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = values[middle];
    if (value < limit || orEqual && value === limit) low = middle + 1; else high = middle;
  }
  return low;
}

/** The most of any stretch of a series, by levels of which each keeps the most of sixteen. */
class MaxPyramid {
  constructor(values) {
    this.levels = [values];
    let level = values;
    while (level.length > 16) {
      const next = new Float64Array(Math.ceil(level.length / 16));
      for (let i = 0; i < level.length; i++) {
        const place = i >> 4;
        if (i % 16 === 0 || level[i] > next[place]) next[place] = level[i];
      }
      this.levels.push(next);
      level = next;
    }
  }

  /** The most from place `low` up to `high`; 0 for none. */
  most(low, high) {
    let most = 0, level = 0;
    while (low < high) {
      const values = this.levels[level];
      const isTop = level + 1 === this.levels.length;
      while (low < high && (isTop || low % 16 !== 0)) most = Math.max(most, values[low++]);
      while (low < high && (isTop || high % 16 !== 0)) most = Math.max(most, values[--high]);
      low /= 16;
      high /= 16;
      level++;
    }
    return most;
  }
}

/** The sums of several classes over a series, kept at every sixteenth place. */
class ShareSums {
  constructor(count, classes, add) {
    this.classes = classes;
    this.add = add;
    this.blocks = new Float64Array((Math.ceil(count / 16) + 1) * classes);
    const sum = new Float64Array(classes);
    for (let i = 0; i < count; i++) {
      if (i % 16 === 0) this.blocks.set(sum, (i >> 4) * classes);
      add(sum, i);
    }
    this.blocks.set(sum, Math.ceil(count / 16) * classes);
  }

  /** The sums of all before `place`, into `sum`. */
  before(place, sum) {
    const block = place >> 4;
    for (let c = 0; c < this.classes; c++) sum[c] = this.blocks[block * this.classes + c];
    for (let i = block << 4; i < place; i++) this.add(sum, i);
  }
}
