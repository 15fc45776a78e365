// The treemap for pointer, touch and keyboard; its breadcrumbs and its legend.

import {
  announce,
  at,
  button,
  bytes,
  counted,
  grouped,
  node,
} from '../../../Base/TerminalText/Web/base.js';
import {
  chain,
  firstFile,
  given,
  isFile,
  isKnown,
  isSharing,
  kindOf,
  kinds,
  nodes,
  notCompressed,
  parent,
  percent,
  sizes,
  stepOf,
  steps,
  stored,
} from './data.js';
import { colourOf, draw, drawMark, grainOf, map } from './drawing.js';
import { showFile } from './search.js';
import {
  fileCounts,
  groupOf,
  nameOf,
  nearestPart,
  partAt,
  placedKids,
  titleOf,
  view,
  weight,
} from './tree.js';

// MARK: Facts about a part

function factsOfFile(id) {
  const file = id - firstFile;
  const share = percent(stored[file], sizes[file]);
  const compression = stepOf(id) === notCompressed ? 'not compressed' : `compressed to ${share}`;
  const copies = given.copies[file];
  return [
    isKnown ? `${bytes(stored[file])} in the pack` : null,
    bytes(sizes[file]) + (isKnown ? ' unpacked' : ''),
    isSharing[file] ? 'in shared blocks' : isKnown && sizes[file] > 0 ? compression : null,
    kinds[kindOf[id]],
    copies ? `${grouped(copies)} other ${copies === 1 ? 'copy' : 'copies'}` : null,
  ];
}

function factsOfFolder(id) {
  const place =
    view.measure !== 'stored' || !isKnown ? '' : id === 0 ? ' in packs' : ' in the pack';
  return [bytes(weight[id]) + place, id < firstFile ? counted(fileCounts[id], 'file') : null];
}

function factsOf(id) {
  const facts = isFile(id) ? factsOfFile(id) : factsOfFolder(id);
  if (id !== 0) facts.push(`${percent(weight[id], weight[0])} of the total`);
  return facts.filter(fact => fact !== null).join(' · ');
}

const announcePart = (words, id) => announce(`${words}: ${factsOf(id)}`);

function point(id) {
  if (id === view.pointed) return;
  view.pointed = id;
  drawMark();
  showPointed();
}

export function showPointed() {
  const { pointed } = view;
  at('where').replaceChildren(
    node('span', 'path', titleOf(pointed)),
    node('br'),
    node('span', 'quiet', factsOf(pointed)),
  );
}

// MARK: Navigation

export function enter(id, from = id) {
  view.root = id;
  view.pointed = from;
  at('crumbs').replaceChildren(...[0, ...chain(id)].map(step => crumb(step, id)));
  at('out').disabled = id === 0;
  draw();
  showPointed();
}

function crumb(step, current) {
  const name = step === 0 ? 'All packs' : nameOf(step);
  if (step !== current) {
    return node(
      'li',
      '',
      button(
        '',
        () => {
          enter(step, current);
          announceRoot();
          map.focus();
        },
        name,
      ),
    );
  }
  const last = button('', () => {}, name);
  last.setAttribute('aria-current', 'location');
  return node('li', '', last);
}

function announceRoot() {
  announcePart(`In ${titleOf(view.root)}`, view.root);
}

function goOut() {
  if (view.root === 0) return;
  enter(parent[view.root], view.root);
  announceRoot();
}

// Enters a folder, or shows a file in the table.
function goInto(id) {
  if (isFile(id)) {
    showFile(id - firstFile);
  } else if (id < firstFile && id !== view.root && weight[id] > 0) {
    enter(id);
    announceRoot();
  }
}

// The child of the current folder that is a part or contains it.
const stepTo = id => chain(id).find(step => parent[step] === view.root);

// MARK: Pointer and keyboard

function partUnder(event) {
  const box = map.getBoundingClientRect();
  return partAt(event.clientX - box.left, event.clientY - box.top);
}

map.addEventListener('pointermove', event => point(partUnder(event)));
map.addEventListener('pointerleave', () => {
  if (document.activeElement !== map) point(view.root);
});
map.addEventListener('click', event => {
  const part = partUnder(event);
  point(part);
  // One level at a time keeps the user oriented.
  const next = stepTo(part) ?? view.root;
  if (next < firstFile) goInto(next);
  else if (isFile(next)) announcePart(titleOf(next), next);
});

const directions = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// The part that a key selects; undefined if the key selects none.
function selected(key, current) {
  const parts = placedKids(view.root);
  if (key === 'Home') return parts[0];
  if (key === 'End') return parts.at(-1);
  if (!directions[key]) return undefined;
  return current === undefined ? parts[0] : nearestPart(current, ...directions[key]);
}

map.addEventListener('keydown', event => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const current = stepTo(view.pointed);
  if (event.key === 'Enter') {
    event.preventDefault();
    if (current !== undefined) goInto(current);
  } else if (event.key === 'Escape' || event.key === 'Backspace') {
    event.preventDefault();
    goOut();
  } else {
    const next = selected(event.key, current);
    if (next === undefined) return;
    event.preventDefault();
    point(next);
    announce(`${nameOf(next)}, ${factsOf(next)}`);
  }
});
at('out').addEventListener('click', goOut);

// MARK: The legend

function swatch(group) {
  const made = node('canvas');
  made.width = 36;
  made.height = 36;
  const pen = made.getContext('2d');
  pen.scale(2, 2);
  for (const style of [colourOf(group), grainOf(group)]) {
    if (!style) continue;
    pen.fillStyle = style;
    pen.fillRect(0, 0, 18, 18);
  }
  return made;
}

export function showLegend() {
  const isByKind = view.colouring === 'kind';
  const groups = isByKind ? kinds : steps;
  const sums = new Float64Array(groups.length);
  for (let id = firstFile; id < nodes; id++) sums[groupOf(id)] += weight[id];
  const order = [...sums.keys()].filter(group => sums[group] > 0);
  if (isByKind) order.sort((a, b) => sums[b] - sums[a]);
  at('legend').replaceChildren(
    ...order.map((group, index) => {
      const choose = () => {
        view.group = view.group === group ? -1 : group;
        showLegend();
        at('legend').children[index].firstChild.focus();
        draw();
      };
      const share = `${bytes(sums[group])} · ${percent(sums[group], weight[0])}`;
      const made = button(
        '',
        choose,
        swatch(group),
        node('span', '', groups[group]),
        node('span', 'quiet', share),
      );
      made.setAttribute('aria-pressed', view.group === group);
      return node('li', '', made);
    }),
  );
}
