// Packs, devices, alerts about switches, and the hint about trust.

import { at, bytes, counted, node, plain, setText } from '../../../Base/TerminalText/Web/base.js';
import { timeOfDay } from './requests.js';
import { hooks, known, requestNumbers } from './state.js';

function rowHeader(...content) {
  const made = node('th', '', ...content);
  made.scope = 'row';
  return made;
}

function packRow(pack) {
  const { policy, outage } = pack;
  const platforms = pack.platforms.length > 0 ? pack.platforms.join(', ') : 'all platforms';
  const events = pack.events.join(', ');
  const language = pack.language ?? '';
  const facts = [policy, events, platforms, language].filter(Boolean).join(' · ');
  const size = node('td', 'number', bytes(pack.size));
  size.title = `${pack.size} bytes, unpacked ${bytes(pack.installedSize)}`;
  return node(
    'tr',
    '',
    rowHeader(
      node('span', 'name', pack.id),
      node('span', 'facts narrow', facts),
      outage ? node('span', 'facts', `cannot be delivered: ${outage}`) : null,
    ),
    node('td', 'broad', policy, node('span', 'facts', events)),
    node('td', 'broad', platforms),
    node('td', 'broad', language),
    node('td', 'number', String(pack.version), hooks.afterVersion(pack)),
    size,
  );
}

export function showPacks() {
  const { packs } = known;
  const sum = packs.reduce((total, pack) => total + pack.size, 0);
  const text = packs.length === 0 ? 'none' : `${counted(packs.length, 'pack')}, ${bytes(sum)}`;
  setText(at('packs-sum'), text);
  const focused = document.activeElement?.dataset?.raises;
  at('packs').replaceChildren(...packs.map(packRow));
  if (focused === undefined) return;
  const raises = [...document.querySelectorAll('[data-raises]')];
  raises.find(raise => raise.dataset.raises === focused)?.focus();
}

// Shows the findings of a build with errors.
export function showBuild() {
  const { findings } = known.build;
  at('build').hidden = findings === null;
  at('findings').textContent = (findings ?? '').split('\n').map(plain).join('\n');
}

export function showDevices() {
  const { devices } = known;
  at('alone').hidden = devices.length > 0;
  at('device-table').hidden = devices.length === 0;
  at('devices').replaceChildren(
    ...devices.map(device =>
      node(
        'tr',
        '',
        rowHeader(
          node('span', 'name', device.address),
          node('span', 'facts', device.userAgent ?? ''),
        ),
        node('td', 'number broad', String(device.requests)),
        node('td', 'number', bytes(device.bytes)),
        node('td', 'number', timeOfDay(device.last)),
      ),
    ),
  );
}

export function showAlerts() {
  const { offline, latency, throttle, faults } = known.switches;
  const alerts = [];
  if (offline) alerts.push(['offline mode', 'bad']);
  if (latency) alerts.push([`latency ${latency}`, 'warn']);
  if (throttle) alerts.push([`throttle ${throttle}`, 'warn']);
  if (faults.length > 2) alerts.push([counted(faults.length, 'fault'), 'warn']);
  else alerts.push(...faults.map(entry => [entry.fault, 'warn']));
  at('alerts').replaceChildren(...alerts.map(([text, mood]) => node('li', `pill ${mood}`, text)));
}

// Lists the devices whose last connection failed because they do not trust the server.
export function showDistrust() {
  const last = new Map();
  for (const number of requestNumbers()) {
    const { device, problem } = known.requests.get(number);
    last.set(device, problem);
  }
  const names = [...last.keys()].filter(device => last.get(device) === 'distrust');
  at('distrust').hidden = names.length === 0;
  const verb = names.length === 1 ? 'does' : 'do';
  setText(at('distrusting'), `${names.join(', ')} ${verb} not trust this server.`);
}
