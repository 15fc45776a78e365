// The search, which treemap and table share.

import { announce, at, bytes, counted, grouped } from '../../../Base/TerminalText/Web/base.js';
import { allPaths, files, packName, pathOf, percent } from './data.js';
import { draw } from './drawing.js';
import { filterRows, markRow } from './table.js';
import { sizeOf, view, weight } from './tree.js';

let lowerPaths = null;
let drawing = 0;

export function prepareSearch() {
  lowerPaths ??= allPaths().map((path, file) => `${packName(file)}/${path}`.toLowerCase());
  return lowerPaths;
}

// Marks the files whose paths contain all words; returns their number and total size.
function find(words) {
  const paths = prepareSearch();
  view.found = new Uint8Array(files);
  let count = 0;
  let sum = 0;
  for (let file = 0; file < files; file++) {
    if (!words.every(word => paths[file].includes(word))) continue;
    view.found[file] = 1;
    count += 1;
    sum += sizeOf(file);
  }
  return { count, sum };
}

export function search() {
  const words = at('search')
    .value.trim()
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  let result = '';
  view.found = null;
  if (words.length > 0) {
    const { count, sum } = find(words);
    const share = percent(sum, weight[0]);
    result =
      count === 0
        ? 'No path matches.'
        : `${counted(count, 'file')}, ${bytes(sum)}, ${share} of the total`;
  }
  at('found').textContent = result;
  filterRows();
  // The result is shown first: drawing the treemap of a large game takes longer.
  clearTimeout(drawing);
  drawing = setTimeout(draw, 30);
}

// Shows a file in the table, and clears the search if it hides the file.
export function showFile(file) {
  let index = markRow(file);
  if (index < 0) {
    for (const id of ['search', 'of-pack', 'of-kind']) at(id).value = '';
    search();
    index = markRow(file);
  }
  announce(`Row ${grouped(index + 1)} of the table: ${pathOf(file)}`);
}

at('search').addEventListener('input', search);
for (const id of ['of-pack', 'of-kind']) at(id).addEventListener('change', filterRows);
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  at('search').focus();
});
