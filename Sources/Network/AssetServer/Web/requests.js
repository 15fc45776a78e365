// The list of requests, newest first.

import {
  announce,
  at,
  bytes,
  counted,
  node,
  plain,
  setText,
  threeDigits,
} from '../../../Base/TerminalText/Web/base.js';
import { known } from './state.js';

const rows = new Map();
const cleared = new Set();
const waiting = new Set();
let isPaused = false;
// Whether a row is added after the first state, and is highlighted.
let areRowsFresh = false;

// MARK: Times

export function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds < 1 ? '< 1' : milliseconds} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${threeDigits(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

export function timeOfDay(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? '' : clock.format(date);
}

// MARK: Rows

const joined = (parts, separator) => parts.filter(Boolean).join(separator);

function makeRow(number) {
  const row = {
    item: node('li', areRowsFresh ? 'fresh' : ''),
    badge: node('span', 'badge'),
    method: node('span', 'method'),
    path: node('span', 'path'),
    query: node('span', 'query'),
    amount: node('span', 'amount'),
    progress: node('progress'),
    about: node('span', 'about'),
    pace: node('span', 'pace'),
  };
  const what = node('span', 'what', row.method, ' ', row.path, row.query);
  row.item.dataset.number = number;
  row.item.append(row.badge, what, row.amount, row.progress, row.about, row.pace);
  rows.set(number, row);
  return row;
}

const failures = { distrust: 'not trusted', handshake: 'TLS failed' };

// The text of the badge, and its class.
function outcome({ isOver, isWhole, problem, status, fault }) {
  if (!isOver) return ['in progress', 'busy'];
  if (failures[problem]) return [failures[problem], 'bad'];
  if (status === null) return ['no response', 'bad'];
  if (!isWhole) return ['incomplete', 'bad'];
  if (status >= 400) return [String(status), 'bad'];
  return [String(status), fault ? 'warn' : status === 304 ? '' : 'good'];
}

function paceOf({ isOver, sent, size, milliseconds }) {
  const left = Math.round(((size - sent) * milliseconds) / sent);
  return joined(
    [
      !isOver && sent > 0 && size > sent ? `${duration(left)} left` : null,
      isOver ? duration(milliseconds) : null,
      milliseconds > 20 && sent > 0 ? `${bytes((sent * 1000) / milliseconds)}/s` : null,
    ],
    ' · ',
  );
}

function showProgress(progress, { isOver, size, sent, pack, path }) {
  progress.hidden = isOver || size === null;
  if (progress.hidden) return;
  progress.max = Math.max(1, size);
  progress.value = sent;
  progress.setAttribute('aria-label', `Download progress of ${pack ?? path}`);
}

function showAbout(about, { time, device, version, range, fault, remark }) {
  const facts = [timeOfDay(time), device, version === null ? null : `version ${version}`, range];
  const parts = [plain(joined(facts, ' · '))];
  if (fault) parts.push(' · ', node('span', 'fault', `fault: ${fault}`));
  if (remark) parts.push(' · ', node('span', 'remark', remark));
  const text = parts.map(part => part.textContent ?? part).join('');
  if (about.textContent !== text) about.replaceChildren(...parts);
}

function showRequest(row, request) {
  const { method, path, query, device, pack, sent, size, fault, userAgent } = request;
  const [text, mood] = outcome(request);
  setText(row.badge, text);
  row.badge.className = `badge ${mood}`;
  setText(row.method, method ?? '');
  setText(row.path, path ?? 'no request');
  setText(row.query, query === null ? '' : `?${query}`);
  row.amount.hidden = request.problem !== null;
  row.pace.hidden = row.amount.hidden;
  const isPart = size !== null && (!request.isOver || sent < size);
  setText(row.amount, isPart ? `${bytes(sent)} of ${bytes(size)}` : bytes(sent));
  setText(row.pace, paceOf(request));
  showProgress(row.progress, request);
  showAbout(row.about, request);
  row.item.title = plain(userAgent ?? '');
  row.text = joined([method, path, query, device, pack, text, fault, userAgent], ' ').toLowerCase();
  filterRow(row);
}

function filterRow(row) {
  row.item.hidden = !row.text.includes(at('filter').value.trim().toLowerCase());
}

// Inserts a row by its number, because simultaneous requests can arrive in any order.
function insert(row, number) {
  let next = at('log').firstElementChild;
  while (next && Number(next.dataset.number) > number) next = next.nextElementSibling;
  at('log').insertBefore(row.item, next);
}

function showRequests(numbers) {
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const request = known.requests.get(number);
    if (!request || cleared.has(number)) continue;
    const isNew = !rows.has(number);
    const row = rows.get(number) ?? makeRow(number);
    showRequest(row, request);
    if (isNew) insert(row, number);
  }
  for (const [number, row] of rows) {
    if (known.requests.has(number) && !cleared.has(number)) continue;
    row.item.remove();
    rows.delete(number);
  }
  showCounts();
}

function showCounts() {
  const shown = [...rows.values()].filter(row => !row.item.hidden).length;
  at('quiet').hidden = shown > 0;
  at('log').hidden = shown === 0;
  if (rows.size > 0) setText(at('quiet'), 'No request matches the filter.');
  else if (cleared.size > 0) setText(at('quiet'), 'No requests since the list was cleared.');
  const busy = [...known.requests.values()].filter(request => !request.isOver).length;
  document.title = `${busy > 0 ? `(${busy}) ` : ''}Asset packs`;
}

// Shows changed requests. A paused list shows them later, unless the whole state is new.
export function showChangedRequests(numbers, isWhole) {
  for (const number of cleared) if (!known.requests.has(number)) cleared.delete(number);
  if (isPaused && !isWhole) {
    for (const number of numbers) waiting.add(number);
  } else {
    showRequests(numbers);
  }
  areRowsFresh = true;
  showPause();
}

// MARK: Tools

function showPause() {
  const others = [...waiting].filter(number => !rows.has(number)).length;
  const paused = others > 0 ? `Paused, ${others} new` : 'Paused';
  setText(at('pause'), isPaused ? paused : 'Pause');
}

at('filter').addEventListener('input', () => {
  rows.forEach(filterRow);
  showCounts();
});
at('clear').addEventListener('click', () => {
  // Requests in progress remain visible.
  for (const [number, request] of known.requests) if (request.isOver) cleared.add(number);
  showRequests([]);
});
at('pause').addEventListener('click', () => {
  isPaused = !isPaused;
  at('pause').setAttribute('aria-pressed', String(isPaused));
  if (!isPaused) {
    showRequests(waiting);
    waiting.clear();
  }
  showPause();
});

// MARK: Announcements

let ended = [];
let timer = null;

function announcementOf(request) {
  const name = request.pack ?? request.path ?? 'no request';
  const fault = request.fault ? `, fault ${request.fault}` : '';
  return `${name} for ${request.device}: ${outcome(request)[0]}, ${bytes(request.sent)}${fault}`;
}

// Announces ended requests. Requests that end within 1.5 s share one announcement.
export function announceEnd(request) {
  ended.push(request);
  if (timer !== null) return;
  timer = setTimeout(() => {
    timer = null;
    const isMany = ended.length > 3;
    const start = isMany ? `${counted(ended.length, 'request')} ended, last: ` : '';
    announce(start + (isMany ? ended.slice(-1) : ended).map(announcementOf).join('; '));
    ended = [];
  }, 1500);
}
