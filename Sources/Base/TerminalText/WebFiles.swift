// Long because it contains the files of the folder Web: .ci/embed generates this file.
// swift-format-ignore-file

package enum WebFiles {
  package static let baseCSS: HTML = #"""
:root { color-scheme: light dark; --ground: light-dark(#f6f6f4, #131416); --card:
light-dark(#ffffff, #1b1d20); --well: light-dark(#f0f0ed, #25282c); --line: light-dark(#e0e0da,
#31343a); --edge: light-dark(#85857b, #858b95); --text: light-dark(#1d1f22, #e8e9ea); --quiet:
light-dark(#5c5f63, #a5a9b0); --accent: light-dark(#2450c0, #9bb8ff); --accent-ground:
light-dark(#e6ecfb, #1d2a49); --on-accent: light-dark(#ffffff, #0d1630); --good:
light-dark(#17713e, #82d6a4); --good-ground: light-dark(#e4f3ea, #17311f); --warn:
light-dark(#7d5200, #efc777); --warn-ground: light-dark(#fbf0d9, #352b14); --bad:
light-dark(#a8231b, #ffa69d); --bad-ground: light-dark(#fbe9e7, #3c1d1b); --sans: system-ui,
-apple-system, "Segoe UI", sans-serif; --mono: ui-monospace, "SF Mono", "DejaVu Sans Mono",
monospace; } :root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] {
color-scheme: dark; } @media print { :root, :root[data-theme] { color-scheme: light; } } * {
box-sizing: border-box; } [hidden] { display: none !important; } body { margin: 0; background:
var(--ground); color: var(--text); font: 0.9375rem / 1.5 var(--sans); -webkit-text-size-adjust:
100%; font-variant-numeric: tabular-nums; } h1, h2, h3, h4, p, ul, ol, dl, dd { margin: 0; padding:
0; } h1, h2 { font-weight: 650; } h3, h4 { font-weight: 600; } ul, ol { list-style: none; } a {
color: var(--accent); } code, output { font-family: var(--mono); font-size: 0.9em; } code, output,
.path, .name { overflow-wrap: anywhere; unicode-bidi: isolate; } .quiet, .hint { color:
var(--quiet); } .hint { font-size: 0.8125rem; } .unseen { position: absolute; width: 1px; height:
1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } .skip { position: absolute;
left: 0.5rem; top: -4rem; padding: 0.5rem 0.75rem; background: var(--card); border-radius: 0.5rem;
z-index: 5; } .skip:focus { top: 0.5rem; } :focus-visible { outline: 2px solid var(--accent);
outline-offset: 2px; } table { border-collapse: collapse; width: 100%; } th, td { text-align: left;
vertical-align: baseline; border-top: 1px solid var(--line); font-weight: 400; } thead th {
font-size: 0.8125rem; color: var(--quiet); } thead :is(th, td) { border-top: 0; } .number {
text-align: right; white-space: nowrap; } .facts { display: block; font-size: 0.8125rem; color:
var(--quiet); } @media (min-width: 44rem) { .narrow { display: none; } } @media not all and
(min-width: 44rem) { .broad { display: none; } } button, input, select { font: inherit; color:
inherit; border: 1px solid var(--edge); border-radius: 0.4375rem; background: var(--card);
min-height: 2.125rem; padding: 0.1875rem 0.625rem; } button { cursor: pointer; white-space: nowrap;
} button:hover { background: var(--well); } button:disabled { opacity: 0.55; cursor: default; }
input, select { min-width: 0; max-width: 100%; } input::placeholder { color: var(--quiet); opacity:
1; } .badge { display: inline-block; padding: 0 0.4375rem; border-radius: 0.25rem; font-size:
0.75rem; font-weight: 600; line-height: 1.5; white-space: nowrap; } .badge, .pill { background:
var(--well); color: var(--quiet); } .good { background: var(--good-ground); color: var(--good); }
.warn { background: var(--warn-ground); color: var(--warn); } .bad { background: var(--bad-ground);
color: var(--bad); } .busy { background: var(--accent-ground); color: var(--accent); }

"""#

  package static let baseJS: HTML = #"""
const at = id => document.getElementById(id);
function plain(text) {
return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character =>
character === '\u200d'
? character
: `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`,
);
}
function node(tag, className, ...content) {
const made = document.createElement(tag);
if (className) made.className = className;
const parts = content.filter(part => part !== null && part !== '');
made.append(...parts.map(part => (typeof part === 'string' ? plain(part) : part)));
return made;
}
function button(className, action, ...content) {
const made = node('button', className, ...content);
made.type = 'button';
made.addEventListener('click', action);
return made;
}
function setText(place, text) {
const shown = plain(text);
if (place.textContent !== shown) place.textContent = shown;
}
function announce(text) {
at('announcement').textContent = plain(text);
}
function showScriptedParts() {
for (const part of document.querySelectorAll('.scripted')) part.hidden = false;
}
const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];
function threeDigits(value) {
return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}
function bytes(count) {
if (count < 1000) return `${count} ${count === 1 ? 'byte' : 'bytes'}`;
let value = count;
let unit = 0;
while (value >= 999.5 && unit < units.length - 1) {
value /= 1000;
unit += 1;
}
return `${threeDigits(value)} ${units[unit]}`;
}
const grouping = new Intl.NumberFormat('en-US');
const grouped = number => grouping.format(number);
function counted(number, noun) {
return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

"""#
}
