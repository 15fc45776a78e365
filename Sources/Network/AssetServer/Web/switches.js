// The switches for faults. Requests contain the token of this run of the server.
//
// The token is in the fragment of the address that the server prints, and not in the page: every
// user of the machine can request the page. A reload keeps the token of its tab.

import { at, button, node, setText } from '../../../Base/TerminalText/Web/base.js';
import { showAlerts, showPacks } from './packs.js';
import { hooks, known } from './state.js';

const tokenKey = 'control-token';
let token = null;

function showAccess() {
  at('locked').hidden = token !== null;
  at('unlocked').hidden = token === null;
  if (known.server !== null) showPacks();
}

const withToken = () => ({ Authorization: `Bearer ${token}` });

// The server was restarted and has another token.
function forgetToken() {
  sessionStorage.removeItem(tokenKey);
  token = null;
  showAccess();
}

async function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    sessionStorage.setItem(tokenKey, given);
    history.replaceState(null, '', location.pathname);
  }
  token = sessionStorage.getItem(tokenKey);
  showAccess();
  if (token === null) return;
  const response = await fetch('api/state', { method: 'HEAD', headers: withToken() }).catch(
    () => null,
  );
  if (response?.status === 401) forgetToken();
}

function titled(title, made) {
  made.setAttribute('aria-label', title);
  made.title = title;
  return made;
}

// MARK: Requests to the server

// Sends a request and shows its result. Returns whether the server accepted it. The text of an
// error appears after `place`.
async function send(method, path, body, place = at('fault-form')) {
  place.after(at('refusal'));
  setText(at('refusal'), '');
  const headers = withToken();
  if (body) headers['Content-Type'] = 'application/json';
  try {
    const response = await fetch(`api/${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : undefined,
    });
    if (response.status === 401) {
      forgetToken();
      return false;
    }
    const result = await response.json();
    if (result.switches) {
      known.switches = result.switches;
      showAlerts();
      showSwitches();
    }
    if (!response.ok) setText(at('refusal'), result.error);
    return response.ok;
  } catch {
    setText(at('refusal'), 'The server does not respond. Check that it is still running.');
    return false;
  }
}

hooks.afterVersion = ({ id }) => {
  if (token === null) return null;
  const path = `packs/${id.split('/').map(encodeURIComponent).join('/')}/raise`;
  const raise = button('small', () => send('POST', path), 'Raise');
  raise.dataset.raises = id;
  return titled(`Raise the version of ${id}`, raise);
};

hooks.afterChange = state => {
  if (state.switches) showSwitches();
  if (state.packs) showSubjects();
};

function showSubjects() {
  const subjects = ['*', 'manifest', ...known.packs.map(pack => pack.id)];
  at('subjects').replaceChildren(
    ...subjects.map(subject => {
      const option = node('option');
      option.value = subject;
      return option;
    }),
  );
}

// MARK: Current switches

function useOf({ matches, count }) {
  if (matches === 0) return 'no pack matches';
  if (count === 0) return 'not applied yet';
  return count === 1 ? 'applied once' : `applied ${count} times`;
}

function faultItem(entry) {
  const { fault } = entry;
  const off = button('small', () => send('DELETE', 'faults', { fault }), 'Off');
  off.dataset.fault = fault;
  titled(`Switch off ${fault}`, off);
  return node(
    'li',
    '',
    node('span', '', node('code', '', fault), node('small', '', useOf(entry))),
    off,
  );
}

const offButtons = () => [...document.querySelectorAll('[data-fault]')];

function showSwitches() {
  const { switches } = known;
  at('offline').checked = switches.offline;
  for (const name of ['latency', 'throttle']) {
    if (!at(`${name}-form`).contains(document.activeElement)) at(name).value = switches[name] ?? '';
  }
  at('faultless').hidden = switches.faults.length > 0;
  const place = offButtons().indexOf(document.activeElement);
  const focused = document.activeElement?.dataset?.fault;
  at('faults').replaceChildren(...switches.faults.map(faultItem));
  if (focused === undefined) return;
  // When a fault is removed, the focus moves to the next one.
  const all = offButtons();
  const same = all.find(off => off.dataset.fault === focused);
  (same ?? all[place] ?? all.at(-1) ?? at('subject')).focus();
}

// MARK: The form for a fault

let earlierSubject = null;
const chosenKind = () => at('kind').selectedOptions[0];

function faultText() {
  const kind = chosenKind();
  const value = kind.dataset.label ? at('value').value.trim() : '';
  const effect = [kind.value, value, at('times').value].filter(Boolean).join(' ');
  return `${at('subject').value.trim()}: ${effect}`;
}

const showPreview = () => setText(at('preview'), faultText());

function showKind() {
  const { label, example, manifest } = chosenKind().dataset;
  const isForManifest = manifest !== undefined;
  const subject = at('subject');
  if (isForManifest && earlierSubject === null) {
    earlierSubject = subject.value;
    subject.value = 'manifest';
  } else if (!isForManifest && earlierSubject !== null) {
    subject.value = earlierSubject;
    earlierSubject = null;
  }
  subject.readOnly = isForManifest;
  at('value-field').hidden = !label;
  if (label) {
    setText(at('value-label'), label);
    at('value').value = example;
  }
  showPreview();
}

at('kind').addEventListener('change', showKind);
at('fault-form').addEventListener('input', showPreview);
at('fault-form').addEventListener('submit', event => {
  event.preventDefault();
  send('POST', 'faults', { fault: faultText() });
});
showKind();

// MARK: Offline, latency and throttle

at('offline').addEventListener('change', async () => {
  const offline = at('offline').checked;
  if (!(await send('PUT', 'offline', { offline }))) at('offline').checked = known.switches.offline;
});

for (const name of ['latency', 'throttle']) {
  at(`${name}-form`).addEventListener('submit', async event => {
    event.preventDefault();
    const text = at(name).value.trim();
    const value = ['', 'off', '0'].includes(text) ? null : text;
    const isDone = await send('PUT', name, { [name]: value }, event.target);
    if (isDone) at(name).value = known.switches[name] ?? '';
  });
}

// MARK: Access

window.addEventListener('hashchange', takeToken);
takeToken();
