// The page of a report: its controls and its start. Tables and totals do not need scripts.

import { at, showScriptedParts } from '../../../Base/TerminalText/Web/base.js';
import { firstFile, firstRest, given, kindOf, kinds } from './data.js';
import { draw, map, measureMap, readColours } from './drawing.js';
import { prepareSearch, search } from './search.js';
import { filterRows, scroller, showRows } from './table.js';
import { view, weigh } from './tree.js';
import { enter, showLegend, showPointed } from './treemap.js';

// MARK: Light and dark

// A browser may deny storage to a page that was opened from a file.
function keptTheme() {
  try {
    const theme = localStorage.getItem('theme');
    return ['light', 'dark'].includes(theme) ? theme : 'auto';
  } catch {
    return 'auto';
  }
}

function keepTheme(theme) {
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // The choice is valid until the page is closed.
  }
}

function useTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function repaint() {
  readColours();
  showLegend();
  draw();
}

// MARK: Choices

// Lets exactly one button of a group be pressed.
function choose(group, value, change) {
  const buttons = [...group.querySelectorAll('button')];
  for (const button of buttons) {
    button.setAttribute('aria-pressed', button.value === value);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', other === button);
      change(button.value);
    });
  }
}

showScriptedParts();
given.packs.forEach((_, index) => {
  at('of-pack').append(new Option(given.folderName[index], index));
});
kinds.forEach((kind, index) => {
  if (kindOf.subarray(firstFile, firstRest).includes(index))
    at('of-kind').append(new Option(kind, index));
});
useTheme(keptTheme());
choose(at('theme'), keptTheme(), theme => {
  keepTheme(theme);
  useTheme(theme);
  repaint();
});
choose(at('measure'), view.measure, measure => {
  view.measure = measure;
  weigh();
  showLegend();
  search();
  showPointed();
});
choose(at('colouring'), view.colouring, colouring => {
  view.colouring = colouring;
  view.group = -1;
  showLegend();
  draw();
});

// MARK: The start

weigh();
readColours();
measureMap();
enter(0);
showLegend();
filterRows();
document.documentElement.dataset.ready = Math.round(performance.now());
(window.requestIdleCallback ?? setTimeout)(prepareSearch);
new ResizeObserver(() => {
  if (measureMap()) draw();
}).observe(map);
new ResizeObserver(() => showRows(false)).observe(scroller);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
// Printed pages use the light scheme, and a canvas is printed as drawn.
matchMedia('print').addEventListener('change', repaint);
