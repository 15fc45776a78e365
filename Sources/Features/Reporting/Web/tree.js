// The treemap as rectangles: the weight of each node, and its place in the picture.

import {
  chain,
  files,
  firstFile,
  firstRest,
  given,
  isFile,
  kindOf,
  nodes,
  packs,
  parent,
  sizes,
  stepOf,
  stored,
} from './data.js';

// The choices of the user.
export const view = {
  // 'stored' or 'size'.
  measure: 'stored',
  // 'kind' or 'step'.
  colouring: 'kind',
  // The node that fills the picture, and the node under the pointer.
  root: 0,
  pointed: 0,
  // The only group that is not dimmed; -1 for all.
  group: -1,
  // For each file whether it matches the search; null without a search.
  found: null,
};

export const weight = new Float64Array(nodes);
export const fileCounts = new Int32Array(firstFile);
// The children of a node are kids[first[id]] to kids[first[id + 1] - 1], the heaviest first.
export const first = new Int32Array(nodes + 1);
export const kids = new Int32Array(nodes - 1);
export const left = new Float32Array(nodes);
export const top_ = new Float32Array(nodes);
export const wide = new Float32Array(nodes);
export const high = new Float32Array(nodes);

// The number of the current picture, and of the last picture in which a node was placed or divided.
let round = 0;
const placed = new Int32Array(nodes);
const divided = new Int32Array(nodes);

export const isPlaced = id => placed[id] === round;
export const isDivided = id => divided[id] === round;
export const sizeOf = file => (view.measure === 'stored' ? stored[file] : sizes[file]);
export const groupOf = id => (view.colouring === 'kind' ? kindOf[id] : stepOf(id));

export function nameOf(id) {
  if (id === 0) return given.title;
  if (id < firstFile) return given.folderName[id - 1];
  if (isFile(id)) return given.name[id - firstFile];
  return fileCounts[id - firstRest + 1] > 0 ? 'headers and manifest' : 'unlisted files';
}

export const titleOf = id => (id === 0 ? given.title : chain(id).map(nameOf).join(' / '));

export function weigh() {
  weight.fill(0);
  fileCounts.fill(0);
  for (let file = 0; file < files; file++) {
    const id = firstFile + file;
    weight[id] = sizeOf(file);
    weight[parent[id]] += weight[id];
    fileCounts[parent[id]] += 1;
  }
  for (let folder = firstFile - 1; folder > packs; folder--) {
    weight[parent[folder]] += weight[folder];
    fileCounts[parent[folder]] += fileCounts[folder];
  }
  for (let pack = 0; pack < packs; pack++) {
    const archive = given.packs[pack].download;
    weight[firstRest + pack] =
      view.measure === 'stored' && archive !== null ? Math.max(0, archive - weight[pack + 1]) : 0;
    weight[pack + 1] += weight[firstRest + pack];
    weight[0] += weight[pack + 1];
    fileCounts[0] += fileCounts[pack + 1];
  }
  first.fill(0);
  for (let id = 1; id < nodes; id++) first[parent[id] + 1] += 1;
  for (let id = 0; id < nodes; id++) first[id + 1] += first[id];
  const next = first.slice();
  for (let id = 1; id < nodes; id++) kids[next[parent[id]]++] = id;
  for (let id = 0; id < firstFile; id++) {
    if (first[id + 1] - first[id] > 1)
      kids.subarray(first[id], first[id + 1]).sort((a, b) => weight[b] - weight[a] || a - b);
  }
}

// Starts a new picture, which a node fills.
export function startPicture(root, width, height) {
  round += 1;
  placed[root] = round;
  left[root] = 0;
  top_[root] = 0;
  wide[root] = width;
  high[root] = height;
}

// Divides a rectangle among the children of a node, in shapes close to squares (Bruls, Huizing,
// van Wijk: Squarified Treemaps).
export function divide(id, fromX, fromY, fromWidth, fromHeight) {
  let [x, y, w, h] = [fromX, fromY, fromWidth, fromHeight];
  let index = first[id];
  let rest = weight[id];
  const end = first[id + 1];
  while (index < end && rest > 0 && w > 0 && h > 0 && weight[kids[index]] > 0) {
    const side = Math.min(w, h);
    const scale = (w * h) / rest;
    const largest = weight[kids[index]] * scale;
    let sum = 0;
    let worst = Infinity;
    let last = index;
    for (; last < end; last++) {
      const area = weight[kids[last]] * scale;
      if (area <= 0) break;
      const row = sum + area;
      const ratio = Math.max(
        (side * side * largest) / (row * row),
        (row * row) / (side * side * area),
      );
      if (ratio > worst) break;
      worst = ratio;
      sum = row;
    }
    const depth = sum / side;
    let along = 0;
    for (; index < last; index++) {
      const part = kids[index];
      const length = (weight[part] * scale) / depth;
      rest -= weight[part];
      if (w >= h) place(part, x, y + along, depth, length);
      else place(part, x + along, y, length, depth);
      along += length;
    }
    if (w >= h) {
      x += depth;
      w -= depth;
    } else {
      y += depth;
      h -= depth;
    }
  }
  divided[id] = round;
}

function place(id, x, y, w, h) {
  left[id] = x;
  top_[id] = y;
  wide[id] = w;
  high[id] = h;
  placed[id] = round;
}

// The children of a node that have a place in the current picture.
export function placedKids(id) {
  let end = first[id];
  while (end < first[id + 1] && isPlaced(kids[end])) end += 1;
  return kids.subarray(first[id], end);
}

export function partAt(x, y) {
  let id = view.root;
  while (id < firstFile && isDivided(id)) {
    const inside = placedKids(id).find(
      part =>
        x >= left[part] &&
        x < left[part] + wide[part] &&
        y >= top_[part] &&
        y < top_[part] + high[part],
    );
    if (inside === undefined) break;
    id = inside;
  }
  return id;
}

// The next part in a direction: the nearest one in the same folder.
export function nearestPart(id, dx, dy) {
  const x = left[id] + wide[id] / 2;
  const y = top_[id] + high[id] / 2;
  let best = id;
  let least = Infinity;
  for (const other of placedKids(parent[id])) {
    if (other === id) continue;
    const alongX = left[other] + wide[other] / 2 - x;
    const alongY = top_[other] + high[other] / 2 - y;
    const ahead = alongX * dx + alongY * dy;
    const aside = Math.abs(alongX * dy) + Math.abs(alongY * dx);
    if (ahead <= 0.01) continue;
    const distance = ahead + 2 * aside;
    if (distance < least) {
      least = distance;
      best = other;
    }
  }
  return best;
}
