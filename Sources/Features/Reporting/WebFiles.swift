// Long because it contains the files of the folder Web: .ci/embed generates this file.
// swift-format-ignore-file

import TerminalText

enum WebFiles {
  static let dataJS: HTML = #"""
const given = JSON.parse(at('data').textContent);
const packs = given.packs.length;
const folders = given.folderName.length;
const files = given.name.length;
const firstFile = 1 + folders;
const firstRest = firstFile + files;
const nodes = firstRest + packs;
const isKnown = given.stored.length > 0;
const sizes = given.size;
const stored = isKnown ? given.stored : given.size;
const isSharing = new Uint8Array(files);
for (const file of given.sharing) isSharing[file] = 1;
const kinds = given.kinds;
const restKind = kinds.length - 1;
const parent = new Int32Array(nodes);
const kindOf = new Uint8Array(nodes);
const packOf = new Int32Array(folders);
for (let folder = 0; folder < folders; folder++) {
parent[folder + 1] = folder < packs ? 0 : given.folderParent[folder] + 1;
packOf[folder] = folder < packs ? folder : packOf[given.folderParent[folder]];
}
const suffixKinds = new Map(Object.entries(given.suffixes));
for (let file = 0; file < files; file++) {
parent[firstFile + file] = given.folder[file] + 1;
const name = given.name[file];
const dot = name.lastIndexOf('.');
const kind = dot > 0 ? suffixKinds.get(name.slice(dot + 1).toLowerCase()) : undefined;
kindOf[firstFile + file] = kind ?? restKind - 1;
}
for (let pack = 0; pack < packs; pack++) {
parent[firstRest + pack] = pack + 1;
kindOf[firstRest + pack] = restKind;
}
const isFile = id => id >= firstFile && id < firstRest;
const packOfFile = file => packOf[given.folder[file]];
const packName = file => given.folderName[packOfFile(file)];
function chain(id) {
const path = [];
for (let step = id; step > 0; step = parent[step]) path.push(step);
return path.reverse();
}
const prefixes = new Array(folders);
function prefix(folder) {
prefixes[folder] ??=
folder < packs ? '' : `${prefix(given.folderParent[folder])}${given.folderName[folder]}/`;
return prefixes[folder];
}
const pathOf = file => prefix(given.folder[file]) + given.name[file];
let paths = null;
function allPaths() {
paths ??= Array.from({ length: files }, (_, file) => pathOf(file));
return paths;
}
const steps = [
'to less than 25 %',
'to 25 to 50 %',
'to 50 to 75 %',
'to 75 to 98 %',
'not compressed',
'in shared blocks, or unknown',
];
const notCompressed = 4;
const unknownStep = 5;
function stepOf(id) {
const file = id - firstFile;
if (!isKnown || id >= firstRest || !(sizes[file] > 0) || isSharing[file]) return unknownStep;
const share = stored[file] / sizes[file];
return share < 0.25 ? 0 : share < 0.5 ? 1 : share < 0.75 ? 2 : share < 0.98 ? 3 : notCompressed;
}
function percent(part, whole) {
if (!(whole > 0)) return '';
const share = (100 * part) / whole;
return `${share > 0 && share < 0.1 ? '< 0.1' : share.toFixed(share < 9.95 ? 1 : 0)} %`;
}

"""#

  static let drawingJS: HTML = #"""
const map = at('map');
const canvas = at('picture');
const mark = at('mark');
const pen = canvas.getContext('2d', { alpha: false });
const markPen = mark.getContext('2d');
const stripHeight = 17;
const font = '11.5px system-ui, sans-serif';
let width = 0;
let height = 0;
let colours = null;
function readColours() {
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
const stepGrain = [0, 8, 3, 1, 7, 9];
const isByKind = () => view.colouring === 'kind';
const colourOf = group => (isByKind() ? colours.kind : colours.step)[group];
const grainOf = group => colours.grain[isByKind() ? group : stepGrain[group]];
let leaves = new Map();
let folderStrips = [];
function measureMap() {
if (map.clientWidth === width && map.clientHeight === height) return false;
width = map.clientWidth;
height = map.clientHeight;
return true;
}
function draw() {
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
pen.fillStyle = colourOf(group);
pen.fillRect(left[id] + 2, top_[id] + 2, Math.min(room + 6, wide[id] - 3.5), lines * 14 + 1);
pen.fillStyle = colours.text;
pen.fillText(name, left[id] + 5, top_[id] + 10);
if (size) faintText(size, left[id] + 5, top_[id] + 24, 0.8);
}
}
}
function drawMark() {
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

"""#

  static func files() -> HTML {
#"""
<div class="tools">
<span><label class="label" for="of-pack">Pack</label><select id="of-pack">
<option value="">all</option></select></span>
<span><label class="label" for="of-kind">Type</label><select id="of-kind">
<option value="">all</option></select></span>
<p id="row-sum" class="hint" role="status"></p>
</div>
<div id="scroller" tabindex="0" role="group" aria-label="All files, scrollable">
<table id="files" aria-rowcount="1" aria-labelledby="files-section-title">
<colgroup><col class="col-name"><col class="col-pack"><col class="col-extra"><col class="col-extra">
<col class="col-number"><col class="col-extra"></colgroup>
<thead><tr aria-rowindex="1">
<th scope="col" aria-sort="none"><button type="button" value="path">Path</button></th>
<th scope="col" aria-sort="none" class="extra"><button type="button" value="pack">Pack</button></th>
<th scope="col" aria-sort="none" class="extra"><button type="button" value="kind">Type</button></th>
<th scope="col" aria-sort="none" class="extra number">
<button type="button" value="size">Unpacked</button></th>
<th scope="col" aria-sort="descending" class="number">
<button type="button" value="stored">In the pack</button></th>
<th scope="col" aria-sort="none" class="extra number">
<button type="button" value="ratio">Compressed to</button></th>
</tr></thead>
<tbody id="before" aria-hidden="true" class="gap"><tr><td colspan="6"></td></tr></tbody>
<tbody id="rows"></tbody>
<tbody id="after" aria-hidden="true" class="gap"><tr><td colspan="6"></td></tr></tbody>
</table>
</div>

"""#
  }

  static let frameCSS: HTML = #"""
:root { --bar: light-dark(#2f62d9, #7fa3f7); --bar-2: light-dark(#8fb0f2, #42609f); --bar-3:
light-dark(#d5dff5, #2c3a5a); } html { scroll-padding-top: 3.5rem; } h1 { font-size: 1.5rem;
line-height: 1.25; letter-spacing: -0.01em; overflow-wrap: anywhere; } h2 { font-size: 1.125rem;
letter-spacing: -0.005em; } h3 { font-size: 0.9375rem; margin: 1.25rem 0 0.375rem; } .path {
font-family: var(--mono); font-size: 0.8125rem; } .hint { max-width: 46rem; } header, nav.contents,
main, footer { max-width: 78rem; margin: 0 auto; padding-left: 1.25rem; padding-right: 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; align-items: end; justify-content:
space-between; padding-top: 1.75rem; } header .kind { font-size: 0.8125rem; color: var(--quiet); }
.bar { position: sticky; top: 0; z-index: 3; background: var(--ground); border-bottom: 1px solid
var(--line); margin-top: 1rem; } nav.contents ul { display: flex; flex-wrap: wrap; gap: 0 1.125rem;
padding: 0.25rem 0; } nav.contents a { display: block; padding: 0.3125rem 0; font-size: 0.875rem;
color: var(--quiet); text-decoration: none; } nav.contents a:hover { color: var(--text);
text-decoration: underline; } main { padding-bottom: 2rem; } section { padding: 1.75rem 0 0.25rem;
min-width: 0; } section > h2 { margin-bottom: 0.5rem; } section > .hint { margin-bottom: 0.75rem; }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--quiet); font-size: 0.8125rem;
border-top: 1px solid var(--line); } .totals { display: flex; flex-wrap: wrap; gap: 1px;
background: var(--line); border: 1px solid var(--line); border-radius: 0.625rem; overflow: hidden;
margin-top: 1.25rem; } .totals div { flex: 1 1 9.25rem; background: var(--card); padding: 0.75rem
0.875rem 0.8125rem; display: flex; flex-direction: column; min-width: 0; } .totals dt { font-size:
0.8125rem; color: var(--quiet); } .totals dd { font-size: 1.375rem; line-height: 1.3; font-weight:
600; letter-spacing: -0.015em; } .totals .note { font-size: 0.8125rem; font-weight: 400;
line-height: 1.35; letter-spacing: 0; color: var(--quiet); } .s0 { fill: var(--bar); } .s1 { fill:
var(--bar-2); } .s2 { fill: var(--bar-3); stroke: var(--edge); stroke-width: 1; vector-effect:
non-scaling-stroke; } .key { display: flex; flex-wrap: wrap; gap: 0.25rem 1.125rem; font-size:
0.8125rem; color: var(--quiet); margin: 0.5rem 0; } .key svg { width: 0.875rem; height: 0.875rem;
vertical-align: -0.125rem; margin-right: 0.375rem; } details { margin-top: 0.125rem; } summary {
cursor: pointer; border-radius: 0.25rem; font-size: 0.8125rem; color: var(--accent); } details ul {
padding: 0.25rem 0 0.375rem; } .copies li { display: flex; gap: 0.75rem; justify-content:
space-between; } .findings li { padding: 0.625rem 0.875rem; border-top: 1px solid var(--line); }
.findings li:first-child { border-top: 0; } .findings p { overflow-wrap: anywhere; } .nothing {
padding: 0.75rem 0.875rem; color: var(--quiet); } .history { padding: 0.75rem; } .history svg {
display: block; width: 100%; height: auto; min-width: 36rem; max-height: 20rem; } .history text {
font-size: 11px; fill: var(--quiet); } .grid { stroke: var(--line); stroke-width: 1; fill: none; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; } .l0 { stroke: var(--bar); } .l1 {
stroke: var(--warn); stroke-dasharray: 7 4; } .l2 { stroke: var(--good); stroke-dasharray: 2 4;
stroke-linecap: round; } .p0 { fill: var(--bar); } .p1 { fill: var(--warn); } .p2 { fill:
var(--good); } .u0 { fill: var(--k0); } .u1 { fill: var(--k1); } .u2 { fill: var(--k2); } .u3 {
fill: var(--k3); } .u4 { fill: var(--k4); } .u5 { fill: var(--k5); } .u6 { fill: var(--k6); } .u7 {
fill: var(--k7); } .u8 { fill: var(--k8); } .u9 { fill: var(--k9); } button, input, select {
font-size: 0.875rem; } .choice { display: inline-flex; } .choice button { border-radius: 0;
margin-left: -1px; } .choice button:first-of-type { border-radius: 0.4375rem 0 0 0.4375rem;
margin-left: 0; } .choice button:last-of-type { border-radius: 0 0.4375rem 0.4375rem 0; } .choice
button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color:
var(--on-accent); } .choice button:focus-visible { position: relative; z-index: 1; } .tools {
display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; margin-bottom: 0.625rem;
} .tools .label { font-size: 0.8125rem; color: var(--quiet); margin-right: 0.375rem; } .tools input
{ flex: 1 1 14rem; }

"""#

  static func map(measure: HTML) -> HTML {
#"""
<div class="tools">
<label for="search" class="unseen">Search paths of files</label>
<input id="search" type="search" placeholder="Search paths  ( / )" autocomplete="off"
spellcheck="false" autocapitalize="off" aria-describedby="found">
\#(measure)
<span><span class="label" id="colouring-label">Color</span><span id="colouring" class="choice"
role="group" aria-labelledby="colouring-label">
<button type="button" value="kind">Type</button>
<button type="button" value="step">Compression</button>
</span></span>
</div>
<p id="found" class="hint" role="status"></p>
<div class="tools"><nav aria-label="Place in the treemap"><ol id="crumbs"></ol></nav>
<button type="button" id="out">Up</button></div>
<div id="map" tabindex="0" role="application" aria-roledescription="treemap"
aria-label="Treemap of all files" aria-describedby="map-help">
<canvas id="picture" aria-hidden="true"></canvas><canvas id="mark" aria-hidden="true"></canvas>
</div>
<p id="where"></p>
<ul id="legend" aria-label="Legend: select an entry to show only its files"></ul>
<p id="map-help" class="unseen">Press an arrow key to select a part, Enter to open a
folder or to show a file in the table, and Escape to go to the parent folder.</p>

"""#
  }

  static func measure() -> HTML {
#"""
<span><span class="label" id="measure-label">Area</span><span id="measure" class="choice"
role="group" aria-labelledby="measure-label">
<button type="button" value="stored">In packs</button>
<button type="button" value="size">Unpacked</button>
</span></span>

"""#
  }

  static let paperCSS: HTML = #"""
@media print { body { font-size: 9.5pt; background: #ffffff; } .bar, .tools, .choice, .skip,
#files-section, #crumbs button:not([aria-current]), #where, noscript { display: none !important; }
main, header, footer { max-width: none; padding-left: 0; padding-right: 0; } section {
break-inside: auto; padding-top: 1rem; } h2, h3, thead { break-after: avoid; } tr, li, .totals div,
#map { break-inside: avoid; } .sheet { overflow: visible; max-height: none; border-radius: 0; }
.sheet thead { position: static; } #map { height: 9cm; } #map, svg, #legend canvas, .badge {
-webkit-print-color-adjust: exact; print-color-adjust: exact; } #legend button { border: 0;
padding: 0 0.5rem 0 0; } }

"""#

  static let reportCSS: HTML = #"""


"""#

  static let reportStyle: HTML = """
    \(TerminalText.WebFiles.baseCSS)\
    \(frameCSS)\
    \(tablesCSS)\
    \(treemapCSS)\
    \(paperCSS)\
    \(reportCSS)\

    """

  static func report(
    policy: HTML,
    maker: HTML,
    name: HTML,
    links: HTML,
    totals: HTML,
    sections: HTML,
    footnote: HTML,
    data: HTML
  ) -> HTML {
#"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="\#(policy)">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="\#(maker)">
<meta name="referrer" content="no-referrer">
<title>\#(name): asset packs</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'
  viewBox='0 0 16 16'%3E
  %3Crect width='9' height='9' fill='%233056d3'/%3E
  %3Crect x='10' width='6' height='9' fill='%238db4ee'/%3E
  %3Crect y='10' width='6' height='6' fill='%23f0b077'/%3E
  %3Crect x='7' y='10' width='9' height='6' fill='%238ecfa3'/%3E
%3C/svg%3E">
<style>\#(reportStyle)</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<div><p class="kind">Asset packs</p><h1>\#(name)</h1></div>
<div id="theme" class="choice scripted" role="group" aria-label="Colors" hidden>
<button type="button" value="auto">Auto</button>
<button type="button" value="light">Light</button>
<button type="button" value="dark">Dark</button>
</div>
</header>
<div class="bar"><nav class="contents" aria-label="Sections"><ul>\#(links)</ul></nav></div>
<main id="main" tabindex="-1">
<dl class="totals" aria-label="Totals">\#(totals)</dl>
<noscript><p class="hint">The treemap and the table of all files require JavaScript. The other
sections do not.</p></noscript>
\#(sections)
</main>
<footer><p>Created by \#(maker). 1 KB is 1000 bytes. \#(footnote)</p></footer>
<p id="announcement" class="unseen" role="status"></p>
<script type="application/json" id="data">\#(data)</script>
<script type="module">\#(reportScript)</script>
</body>
</html>

"""#
  }

  static let reportJS: HTML = #"""
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
matchMedia('print').addEventListener('change', repaint);

"""#

  static let reportScript: HTML = """
    \(TerminalText.WebFiles.baseJS)\
    \(dataJS)\
    \(treeJS)\
    \(drawingJS)\
    \(tableJS)\
    \(searchJS)\
    \(treemapJS)\
    \(reportJS)\

    """

  static let searchJS: HTML = #"""
let lowerPaths = null;
let drawing = 0;
function prepareSearch() {
lowerPaths ??= allPaths().map((path, file) => `${packName(file)}/${path}`.toLowerCase());
return lowerPaths;
}
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
function search() {
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
clearTimeout(drawing);
drawing = setTimeout(draw, 30);
}
function showFile(file) {
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

"""#

  static func section(id: HTML, attributes: HTML? = nil, title: HTML, content: HTML) -> HTML {
#"""
<section id="\#(id)" aria-labelledby="\#(id)-title"\#(attributes)>
<h2 id="\#(id)-title">\#(title)</h2>
\#(content)
</section>

"""#
  }

  static func sheet(
    name: HTML,
    attributes: HTML? = nil,
    caption: HTML? = nil,
    head: HTML,
    rows: HTML,
    foot: HTML? = nil,
    more: HTML? = nil
  ) -> HTML {
#"""
<div class="sheet" role="group" aria-label="\#(name)" tabindex="0"><table\#(attributes)>
\#(caption)
<thead>\#(head)</thead>
<tbody>\#(rows)</tbody>
\#(foot)
</table>\#(more)</div>

"""#
  }

  static let tableJS: HTML = #"""
const scroller = at('scroller');
const body = at('rows');
const table = at('files');
const before = at('before').firstElementChild;
const after = at('after').firstElementChild;
const rowHeight = 32;
const spareRows = 12;
const allFiles = Int32Array.from({ length: files }, (_, file) => file);
let rows = allFiles;
let sortedBy = 'stored';
let isRising = false;
let marked = -1;
function ratioOf(_, file) {
if (isSharing[file]) return -1;
return sizes[file] > 0 ? stored[file] / sizes[file] : 1;
}
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
function filterRows() {
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
function showRows(areNew) {
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
function markRow(file) {
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

"""#

  static let tablesCSS: HTML = #"""
.sheet { overflow: auto; max-height: 34rem; background: var(--card); border: 1px solid var(--line);
border-radius: 0.625rem; } .sheet thead { position: sticky; top: 0; z-index: 1; background:
var(--card); box-shadow: 0 1px 0 var(--line); } table { font-size: 0.875rem; } caption {
text-align: left; } th, td { padding: 0.375rem 0.75rem; } thead th { white-space: nowrap;
vertical-align: bottom; } tbody th { font-weight: 500; } tfoot :is(th, td) { font-weight: 600;
border-top: 1px solid var(--edge); } .group th { padding-top: 0.875rem; color: var(--quiet);
font-weight: 600; font-size: 0.8125rem; } .more { padding: 0.5rem 0.75rem; font-size: 0.8125rem;
color: var(--quiet); border-top: 1px solid var(--line); } .matrix :is(th, td):not(:first-child) {
text-align: center; } .lacks { color: var(--bad); font-weight: 600; } .has { color: var(--good); }
.costs .bars { width: 50%; min-width: 6rem; vertical-align: middle; } .costs svg { display: block;
width: 100%; height: 0.875rem; } @media not all and (min-width: 44rem) { th, td { padding-left:
0.5rem; padding-right: 0.5rem; } thead .number { white-space: normal; } .costs .middle { display:
none; } .costs .bars { width: 30%; min-width: 3.5rem; } } #scroller { height: min(36rem, 75vh);
overflow-y: auto; overflow-x: hidden; background: var(--card); border: 1px solid var(--line);
border-radius: 0.625rem; overflow-anchor: none; } #files { table-layout: fixed; border-collapse:
separate; border-spacing: 0; } #files thead th { position: sticky; top: 0; z-index: 1; background:
var(--card); border-bottom: 1px solid var(--edge); padding: 0.1875rem 0.25rem; vertical-align:
middle; } #files thead button { border: 0; background: none; font-size: 0.8125rem; padding: 0
0.375rem; font-weight: 600; width: 100%; text-align: inherit; overflow: hidden; text-overflow:
clip; } #files [aria-sort="ascending"] button::after { content: " ↑" / ""; } #files
[aria-sort="descending"] button::after { content: " ↓" / ""; } #files tbody :is(th, td) { height:
2rem; padding: 0 0.625rem; border-top: 0; border-bottom: 1px solid var(--line); overflow: hidden;
text-overflow: ellipsis; white-space: nowrap; vertical-align: middle; font-weight: 400; } #files
.gap td { padding: 0; border: 0; height: 0; } #files bdi { unicode-bidi: isolate; } #files .ratio {
color: var(--quiet); } #files .marked > * { background: var(--warn-ground); } .col-name { width:
66%; } .col-number { width: 34%; } .col-extra, .col-pack, .extra { display: none; } @media
(min-width: 44rem) { .extra { display: table-cell; } .col-extra, .col-pack { display: table-column;
} .col-name { width: auto; } .col-pack { width: 16%; } .col-extra, .col-number { width: 11%; } }

"""#

  static let treeJS: HTML = #"""
const view = {
measure: 'stored',
colouring: 'kind',
root: 0,
pointed: 0,
group: -1,
found: null,
};
const weight = new Float64Array(nodes);
const fileCounts = new Int32Array(firstFile);
const first = new Int32Array(nodes + 1);
const kids = new Int32Array(nodes - 1);
const left = new Float32Array(nodes);
const top_ = new Float32Array(nodes);
const wide = new Float32Array(nodes);
const high = new Float32Array(nodes);
let round = 0;
const placed = new Int32Array(nodes);
const divided = new Int32Array(nodes);
const isPlaced = id => placed[id] === round;
const isDivided = id => divided[id] === round;
const sizeOf = file => (view.measure === 'stored' ? stored[file] : sizes[file]);
const groupOf = id => (view.colouring === 'kind' ? kindOf[id] : stepOf(id));
function nameOf(id) {
if (id === 0) return given.title;
if (id < firstFile) return given.folderName[id - 1];
if (isFile(id)) return given.name[id - firstFile];
return fileCounts[id - firstRest + 1] > 0 ? 'headers and manifest' : 'unlisted files';
}
const titleOf = id => (id === 0 ? given.title : chain(id).map(nameOf).join(' / '));
function weigh() {
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
function startPicture(root, width, height) {
round += 1;
placed[root] = round;
left[root] = 0;
top_[root] = 0;
wide[root] = width;
high[root] = height;
}
function divide(id, fromX, fromY, fromWidth, fromHeight) {
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
function placedKids(id) {
let end = first[id];
while (end < first[id + 1] && isPlaced(kids[end])) end += 1;
return kids.subarray(first[id], end);
}
function partAt(x, y) {
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
function nearestPart(id, dx, dy) {
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

"""#

  static let treemapCSS: HTML = #"""
:root { --on-cell: light-dark(#16181b, #f3f4f5); --seam: light-dark(#ffffff, #131416); --strip:
light-dark(#e7e7e2, #2a2d32); --k0: light-dark(#8db4ee, #345f9e); --k1: light-dark(#f0b077,
#94571f); --k2: light-dark(#dba0dc, #834886); --k3: light-dark(#8ecfa3, #33714a); --k4:
light-dark(#e9d36c, #776611); --k5: light-dark(#b9b3ee, #5b539c); --k6: light-dark(#ec9a9a,
#963f42); --k7: light-dark(#86cdd3, #23707a); --k8: light-dark(#cbb79c, #6d5b41); --k9:
light-dark(#c3c6ca, #4c5158); --c0: light-dark(#2f8f5b, #1f7547); --c1: light-dark(#7fbf7b,
#3f7f45); --c2: light-dark(#d4e3a0, #66702c); --c3: light-dark(#f3c98b, #85602a); --c4:
light-dark(#e58a6a, #97452c); --c5: light-dark(#c3c6ca, #4c5158); } #crumbs { display: flex;
flex-wrap: wrap; align-items: center; min-height: 2rem; margin-bottom: 0.375rem; } #crumbs li {
display: flex; align-items: center; min-width: 0; } #crumbs li + li::before { content: "/" / "";
color: var(--quiet); padding: 0 0.1875rem; } #crumbs button { border: 0; background: none;
min-height: 1.75rem; padding: 0 0.25rem; color: var(--accent); max-width: 100%; overflow-wrap:
anywhere; white-space: normal; text-align: left; } #crumbs button[aria-current] { color:
var(--text); font-weight: 600; } #map { position: relative; height: min(34rem, 68vh); min-height:
20rem; border-radius: 0.5rem; overflow: hidden; background: var(--seam); border: 1px solid
var(--line); cursor: pointer; touch-action: manipulation; } #map canvas { position: absolute;
inset: 0; width: 100%; height: 100%; } #mark { pointer-events: none; } #where { min-height:
3.125rem; padding: 0.4375rem 0.125rem; font-size: 0.875rem; } #where .path { font-weight: 600; }
#legend { display: flex; flex-wrap: wrap; gap: 0.375rem; } #legend button { display: flex;
align-items: center; gap: 0.4375rem; font-size: 0.8125rem; min-height: 1.875rem; border-color:
var(--line); padding: 0 0.5625rem; white-space: normal; } #legend button[aria-pressed="true"] {
border-color: var(--text); box-shadow: inset 0 0 0 1px var(--text); } #legend canvas { width:
1.125rem; height: 1.125rem; border-radius: 0.1875rem; }

"""#

  static let treemapJS: HTML = #"""
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
function showPointed() {
const { pointed } = view;
at('where').replaceChildren(
node('span', 'path', titleOf(pointed)),
node('br'),
node('span', 'quiet', factsOf(pointed)),
);
}
function enter(id, from = id) {
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
function goInto(id) {
if (isFile(id)) {
showFile(id - firstFile);
} else if (id < firstFile && id !== view.root && weight[id] > 0) {
enter(id);
announceRoot();
}
}
const stepTo = id => chain(id).find(step => parent[step] === view.root);
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
function showLegend() {
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

"""#
}
