// The live page. It follows the event stream and shows the changes.

import { at, setText, showScriptedParts } from '../../../Base/TerminalText/Web/base.js';
import { followEvents } from './events.js';
import { showAlerts, showBuild, showDevices, showDistrust, showPacks } from './packs.js';
import { announceEnd, showChangedRequests } from './requests.js';
import { forgetOldRequests, hooks, known } from './state.js';

function showConnection(text, mood) {
  const pill = at('connection');
  pill.hidden = false;
  pill.className = `pill ${mood}`;
  setText(pill, text);
}

// Applies the changed members of the state, or a complete state.
function apply(state, isWhole) {
  // Another run of the server has other addresses and another token.
  if (isWhole && known.server !== null && state.server.started !== known.server.started) {
    location.reload();
    return;
  }
  if (isWhole) known.requests = new Map();
  for (const name of ['server', 'packs', 'build', 'devices', 'switches']) {
    if (state[name]) known[name] = state[name];
  }
  const changed = new Set();
  for (const request of state.requests ?? []) {
    const wasOver = known.requests.get(request.number)?.isOver ?? false;
    if (request.isOver && !wasOver && !isWhole) announceEnd(request);
    known.requests.set(request.number, request);
    changed.add(request.number);
  }
  forgetOldRequests();
  showChangedRequests(changed, isWhole);
  showDistrust();
  if (state.packs) showPacks();
  if (state.build) showBuild();
  if (state.devices) showDevices();
  if (state.switches) showAlerts();
  hooks.afterChange(state);
}

function showEvent(name, state) {
  if (name === 'error') {
    showConnection('disconnected, reconnecting', 'bad');
    return;
  }
  if (name === 'state') showConnection('connected', 'good');
  apply(state, name === 'state');
}

for (const copy of document.querySelectorAll('[data-copies]')) {
  if (!navigator.clipboard) continue;
  copy.hidden = false;
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(at(copy.dataset.copies).textContent);
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Cannot copy';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 1500);
  });
}

export function start() {
  showScriptedParts();
  showConnection('connecting', 'quiet');
  followEvents(showEvent);
}
