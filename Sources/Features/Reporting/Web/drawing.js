// Draws the treemap, and a frame around the part under the pointer.

import { at, bytes } from '../../../Base/TerminalText/Web/base.js';
import { firstFile, isFile, packs } from './data.js';
import {
  divide,
  first,
  groupOf,
  high,
  isPlaced,
  kids,
  left,
  nameOf,
  placedKids,
  startPicture,
  top_,
  view,
  weight,
  wide,
} from './tree.js';

export const map = at('map');
const canvas = at('picture');
const mark = at('mark');
const pen = canvas.getContext('2d', { alpha: false });
const markPen = mark.getContext('2d');
const stripHeight = 17;
const font = '11.5px system-ui, sans-serif';
let width = 0;
let height = 0;
let colours = null;

// MARK: Colours

export function readColours() {
  // Only a property of an element has its colour for the current scheme.
  const probe = document.createElement('span');
  probe.style.forcedColorAdjust = 'none';
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const get = name => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const all = (letter, count) => Array.from({ length: count }, (_, index) => get(letter + index));
  colours = {
    text: get('on-cell'),
    seam: get('seam'),
    strip: get('strip'),
    name: get('text'),
    mark: get('accent'),
    kind: all('k', 10),
    step: all('c', 6),
  };
  colours.grain = colours.kind.map((_, index) => grain(index, colours.text));
  probe.remove();
}

// The lines of each pattern in a tile of 8 by 8 points, and its dots.
const grainLines = {
  1: [
    [-2, 10, 10, -2],
    [-2, 2, 2, -2],
    [6, 10, 10, 6],
  ],
  2: [
    [-2, -2, 10, 10],
    [-2, 6, 2, 10],
    [6, -2, 10, 2],
  ],
  4: [[0, 4, 8, 4]],
  5: [[4, 0, 4, 8]],
  6: [
    [0, 4, 8, 4],
    [4, 0, 4, 8],
  ],
  7: [
    [-2, -2, 10, 10],
    [-2, 10, 10, -2],
  ],
};
const grainDots = {
  3: [
    [1, 1],
    [5, 5],
  ],
  8: [[3, 3]],
};

// Kinds also differ by a pattern, for readers with impaired colour vision.
function grain(index, ink) {
  if (!grainLines[index] && !grainDots[index]) return null;
  const tile = document.createElement('canvas');
  tile.width = 8;
  tile.height = 8;
  const tilePen = tile.getContext('2d');
  tilePen.strokeStyle = ink;
  tilePen.fillStyle = ink;
  tilePen.globalAlpha = 0.2;
  tilePen.beginPath();
  for (const [fromX, fromY, toX, toY] of grainLines[index] ?? []) {
    tilePen.moveTo(fromX, fromY);
    tilePen.lineTo(toX, toY);
  }
  tilePen.stroke();
  for (const [x, y] of grainDots[index] ?? []) tilePen.fillRect(x, y, 2, 2);
  return pen.createPattern(tile, 'repeat');
}

// The pattern is denser the less the file is compressed.
const stepGrain = [0, 8, 3, 1, 7, 9];
const isByKind = () => view.colouring === 'kind';

export const colourOf = group => (isByKind() ? colours.kind : colours.step)[group];
export const grainOf = group => colours.grain[isByKind() ? group : stepGrain[group]];

// MARK: The picture

// The leaves of the picture by group and dimming, because a change of the colour is slow.
let leaves = new Map();
let folderStrips = [];

// Reads the size of the map; returns false if it is unchanged.
export function measureMap() {
  if (map.clientWidth === width && map.clientHeight === height) return false;
  width = map.clientWidth;
  height = map.clientHeight;
  return true;
}

export function draw() {
  if (!(width > 0)) return;
  const ratio = Math.min(devicePixelRatio || 1, 3);
  for (const each of [canvas, mark]) {
    if (each.width === Math.round(width * ratio) && each.height === Math.round(height * ratio))
      continue;
    each.width = Math.round(width * ratio);
    each.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.globalAlpha = 1;
  pen.fillStyle = colours.seam;
  pen.fillRect(0, 0, width, height);
  leaves = new Map();
  folderStrips = [];
  startPicture(view.root, width, height);
  spread(view.root, 0, 0, width, height, 0);
  for (const { group, isDim, ids } of leaves.values()) fill(ids, group, isDim);
  labelFolders();
  labelFiles();
  drawMark();
}

function isWanted(id) {
  if (view.group >= 0 && groupOf(id) !== view.group) return false;
  return view.found === null || (isFile(id) && view.found[id - firstFile] === 1);
}

function addLeaf(id) {
  const group = groupOf(id);
  const isDim = !isWanted(id);
  const key = group * 2 + Number(isDim);
  const leaf = leaves.get(key);
  if (leaf) leaf.ids.push(id);
  else leaves.set(key, { group, isDim, ids: [id] });
}

function spread(id, x, y, w, h, depth) {
  divide(id, x, y, w, h);
  for (const part of placedKids(id)) {
    if (part >= firstFile) {
      addLeaf(part);
      continue;
    }
    const [partWide, partHigh] = [wide[part], high[part]];
    // A folder that is smaller than a few points is drawn like its largest file.
    if (partWide * partHigh < 6 || partWide < 1.5 || partHigh < 1.5) {
      clump(part);
      continue;
    }
    const edge = depth === 0 ? 1.5 : partWide > 14 && partHigh > 14 ? 1 : 0;
    const hasStrip = partWide > 46 && partHigh > 2.4 * stripHeight && depth < 5;
    if (hasStrip) folderStrips.push(part);
    const strip = hasStrip ? stripHeight : 0;
    spread(
      part,
      left[part] + edge,
      top_[part] + edge + strip,
      partWide - 2 * edge,
      partHigh - 2 * edge - strip,
      depth + 1,
    );
  }
}

function clump(id) {
  let leaf = id;
  while (leaf < firstFile) leaf = kids[first[leaf]];
  for (const side of [left, top_, wide, high]) side[leaf] = side[id];
  addLeaf(leaf);
}

function fill(ids, group, isDim) {
  pen.globalAlpha = isDim ? 0.16 : 1;
  pen.fillStyle = colourOf(group);
  const pattern = isDim ? null : grainOf(group);
  const grained = [];
  for (const id of ids) {
    const [w, h] = [wide[id], high[id]];
    const gap = w > 3 && h > 3 ? 0.75 : w > 1.5 && h > 1.5 ? 0.25 : 0;
    pen.fillRect(left[id], top_[id], Math.max(w - gap, 0.5), Math.max(h - gap, 0.5));
    if (pattern && w > 9 && h > 9) grained.push(id);
  }
  if (pattern) {
    pen.fillStyle = pattern;
    for (const id of grained) pen.fillRect(left[id], top_[id], wide[id] - 0.75, high[id] - 0.75);
  }
  pen.globalAlpha = 1;
}

// MARK: Labels

// The start of a text that fits into a width. A character is about half as wide as high.
function fitted(text, room) {
  if (pen.measureText(text).width <= room) return text;
  let length = Math.min(text.length, Math.floor(room / 4));
  while (length > 1 && pen.measureText(`${text.slice(0, length)}…`).width > room) length -= 1;
  return length > 1 ? `${text.slice(0, length)}…` : '';
}

function faintText(text, x, y, alpha) {
  pen.globalAlpha = alpha;
  pen.fillText(text, x, y);
  pen.globalAlpha = 1;
}

function labelFolders() {
  pen.textBaseline = 'middle';
  for (const id of folderStrips) {
    pen.fillStyle = colours.strip;
    pen.fillRect(left[id] + 1, top_[id] + 1, wide[id] - 2.5, stripHeight - 0.5);
    pen.fillStyle = colours.name;
    pen.font = (id <= packs ? '600 ' : '') + font;
    const room = wide[id] - 12;
    const size = bytes(weight[id]);
    const sizeWide = pen.measureText(size).width;
    const showsSize = room > sizeWide + 70;
    const middle = top_[id] + 1 + stripHeight / 2;
    const name = fitted(nameOf(id), showsSize ? room - sizeWide - 10 : room);
    pen.fillText(name, left[id] + 6, middle);
    if (!showsSize) continue;
    pen.font = font;
    faintText(size, left[id] + wide[id] - 6 - sizeWide, middle, 0.75);
  }
}

function labelFiles() {
  pen.font = font;
  for (const { group, isDim, ids } of leaves.values()) {
    if (isDim) continue;
    for (const id of ids) {
      if (wide[id] < 44 || high[id] < 17) continue;
      const name = fitted(nameOf(id), wide[id] - 10);
      if (name.length < 3) continue;
      const size = high[id] > 34 ? fitted(bytes(weight[id]), wide[id] - 10) : '';
      const lines = high[id] > 34 ? 2 : 1;
      const room = Math.max(pen.measureText(name).width, pen.measureText(size).width);
      // A background keeps the pattern from crossing the letters.
      pen.fillStyle = colourOf(group);
      pen.fillRect(left[id] + 2, top_[id] + 2, Math.min(room + 6, wide[id] - 3.5), lines * 14 + 1);
      pen.fillStyle = colours.text;
      pen.fillText(name, left[id] + 5, top_[id] + 10);
      if (size) faintText(size, left[id] + 5, top_[id] + 24, 0.8);
    }
  }
}

export function drawMark() {
  const id = view.pointed;
  const ratio = mark.width / width;
  markPen.setTransform(ratio, 0, 0, ratio, 0, 0);
  markPen.clearRect(0, 0, width, height);
  if (id === view.root || !isPlaced(id)) return;
  markPen.lineWidth = 2.5;
  markPen.strokeStyle = colours.mark;
  markPen.strokeRect(
    left[id] + 1.25,
    top_[id] + 1.25,
    Math.max(wide[id] - 2.5, 2),
    Math.max(high[id] - 2.5, 2),
  );
}
