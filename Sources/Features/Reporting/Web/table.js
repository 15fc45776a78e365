// The table of all files. It contains only the rows in view.

import {
  announce,
  at,
  bytes,
  counted,
  grouped,
  node,
} from '../../../Base/TerminalText/Web/base.js';
import {
  allPaths,
  files,
  firstFile,
  given,
  isKnown,
  isSharing,
  kindOf,
  kinds,
  packName,
  packOfFile,
  percent,
  prefix,
  sizes,
  stored,
} from './data.js';
import { view } from './tree.js';

export const scroller = at('scroller');
const body = at('rows');
const table = at('files');
const before = at('before').firstElementChild;
const after = at('after').firstElementChild;
const rowHeight = 32;
// Rows above and below the visible ones, for fast scrolling.
const spareRows = 12;
const allFiles = Int32Array.from({ length: files }, (_, file) => file);

let rows = allFiles;
let sortedBy = 'stored';
let isRising = false;
let marked = -1;

// MARK: Order

function ratioOf(_, file) {
  if (isSharing[file]) return -1;
  return sizes[file] > 0 ? stored[file] / sizes[file] : 1;
}

// For each column the values that its order compares. The ranks of texts are computed once.
const values = { size: sizes, stored, ratio: new Float64Array(files).map(ratioOf) };
const texts = {
  path: file => allPaths()[file],
  pack: packName,
  kind: file => kinds[kindOf[firstFile + file]],
};

function valuesOf(column) {
  values[column] ??= ranks(Array.from(allFiles, texts[column]));
  return values[column];
}

function ranks(names) {
  const places = new Map([...new Set(names)].sort().map((name, place) => [name, place]));
  return Int32Array.from(names, name => places.get(name));
}

function sortRows() {
  const order = valuesOf(sortedBy);
  const sign = isRising ? 1 : -1;
  rows.sort((a, b) => sign * (order[a] - order[b]) || a - b);
}

const heads = [...table.tHead.querySelectorAll('button')];

function sortBy(head) {
  const column = head.value;
  isRising = sortedBy === column ? !isRising : column in texts;
  sortedBy = column;
  const order = isRising ? 'ascending' : 'descending';
  for (const other of heads)
    other.parentElement.setAttribute('aria-sort', other === head ? order : 'none');
  sortRows();
  scroller.scrollTop = 0;
  showRows(true);
  announce(`Sorted by ${head.textContent.trim()}, ${isRising ? 'ascending' : 'descending'}`);
}

for (const head of heads) head.addEventListener('click', () => sortBy(head));

// MARK: Rows

export function filterRows() {
  const pack = at('of-pack').value;
  const kind = at('of-kind').value;
  rows = allFiles.filter(
    file =>
      view.found?.[file] !== 0 &&
      (pack === '' || packOfFile(file) === Number(pack)) &&
      (kind === '' || kindOf[firstFile + file] === Number(kind)),
  );
  sortRows();
  table.setAttribute('aria-rowcount', rows.length + 1);
  const count =
    counted(rows.length, 'file') + (rows.length === files ? '' : ` of ${grouped(files)}`);
  const sum = rows.reduce((total, file) => total + stored[file], 0);
  at('row-sum').textContent = `${count}, ${bytes(sum)}${isKnown ? ' in packs' : ''}`;
  scroller.scrollTop = 0;
  showRows(true);
}

let shownFrom = -1;
let shownTo = -1;

export function showRows(areNew) {
  const top = scroller.scrollTop - table.tHead.offsetHeight;
  const firstSeen = Math.max(0, Math.floor(top / rowHeight));
  const seen = Math.ceil((scroller.clientHeight || 600) / rowHeight);
  const from = Math.max(0, firstSeen - spareRows);
  const to = Math.min(rows.length, firstSeen + seen + spareRows);
  if (!areNew && from === shownFrom && to === shownTo) return;
  shownFrom = from;
  shownTo = to;
  before.style.height = `${from * rowHeight}px`;
  after.style.height = `${(rows.length - to) * rowHeight}px`;
  body.replaceChildren(
    ...Array.from(rows.subarray(from, to), (file, index) => row(file, from + index)),
  );
}

function row(file, index) {
  const folder = prefix(given.folder[file]);
  const pack = packName(file);
  const name = node('th', '', node('bdi', 'quiet', folder), node('bdi', '', given.name[file]));
  name.scope = 'row';
  name.title = `${pack}: ${folder}${given.name[file]}`;
  const share = isKnown ? percent(stored[file], sizes[file]) : '';
  const made = node(
    'tr',
    file === marked ? 'marked' : '',
    name,
    node('td', 'extra', pack),
    node('td', 'extra', texts.kind(file)),
    node('td', 'number extra', bytes(sizes[file])),
    node('td', 'number', bytes(stored[file])),
    node('td', 'number extra ratio', isSharing[file] ? 'in shared blocks' : share),
  );
  made.setAttribute('aria-rowindex', index + 2);
  return made;
}

// Scrolls to the row of a file and marks it; returns its index, or -1 if the filter hides it.
export function markRow(file) {
  const index = rows.indexOf(file);
  if (index < 0) return index;
  marked = file;
  at('files-section').scrollIntoView({ block: 'start' });
  scroller.scrollTop = Math.max(0, index * rowHeight - 3 * rowHeight);
  showRows(true);
  scroller.focus({ preventScroll: true });
  return index;
}

scroller.addEventListener('scroll', () => showRows(false), { passive: true });
