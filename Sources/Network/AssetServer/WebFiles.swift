// Long because it contains the files of the folder Web: .ci/embed generates this file.
// swift-format-ignore-file

import TerminalText

enum WebFiles {
  static let enrolmentCSS: HTML = #"""
body { font-size: 1.0625rem; background: var(--card); } main { max-width: 38rem; margin: 0 auto;
padding: 1.5rem 1rem 4rem; } h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.1rem;
margin: 2rem 0 0.25rem; } p { margin: 1rem 0; } ol { padding-left: 1.4rem; list-style: decimal; }
li { margin: 0.35rem 0; } .get { display: block; margin: 1.5rem 0; padding: 0.9rem; border-radius:
0.75rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-align: center;
text-decoration: none; } .digest { padding: 0.75rem 1rem; border: 1px solid var(--line);
border-radius: 0.75rem; background: var(--well); font: 0.9375rem / 1.6 var(--mono); overflow-wrap:
anywhere; }

"""#

  static let enrolmentStyle: HTML = """
    \(TerminalText.WebFiles.baseCSS)\
    \(enrolmentCSS)\

    """

  static func enrolment(
    name: HTML,
    digest: HTML,
    profile: HTML,
    override: HTML,
    command: HTML
  ) -> HTML {
#"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>\#(name)</title>
<style>\#(enrolmentStyle)</style>
</head>
<body>
<main>
<h1>Trust this test server</h1>
<p>Do this once per device. The device can then download asset packs from this server. No other
setting changes.</p>
<p>First compare this SHA-256 digest with the one that the server prints in its terminal. If they
differ, stop here.</p>
<p class="digest">\#(digest)</p>
<a class="get" href="/\#(profile)">Download the profile</a>
<section>
<h2>iPhone, iPad and Apple Vision Pro</h2>
<ol>
<li>Open this page in Safari, tap <b>Download the profile</b>, and allow the download.</li>
<li>Settings &gt; General &gt; VPN &amp; Device Management: install the profile.</li>
<li>Settings &gt; General &gt; About &gt; Certificate Trust Settings: turn on full trust for this
certificate. Without this step, the device does not trust the server.</li>
<li>Settings &gt; Developer &gt; Development Overrides &gt; URL Override: enter
<code>\#(override)</code></li>
</ol>
</section>
<section>
<h2>Apple TV</h2>
<ol>
<li>Settings &gt; General &gt; Privacy &amp; Security: highlight <b>Share Apple TV Analytics</b>,
press Play/Pause on the remote, choose <b>Add Profile</b>, and enter the address of this page
followed by <code>\#(profile)</code>.</li>
<li>Settings &gt; General &gt; About &gt; Certificate Trust Settings: turn on full trust for this
certificate.</li>
<li>Settings &gt; Developer &gt; Development Overrides &gt; URL Override: enter
<code>\#(override)</code></li>
</ol>
</section>
<section>
<h2>Mac</h2>
<ol>
<li>Download the profile, open it, and install it: System Settings &gt; General &gt; Device
Management.</li>
<li>In Terminal: <code>xcrun ba-serve url-override \#(override)</code></li>
</ol>
</section>
<section>
<h2>Simulator</h2>
<ol>
<li>On the Mac, write the root certificate to a file with <code>\#(command)</code>, then run
<code>xcrun simctl keychain booted add-root-cert root.pem</code></li>
<li>Settings &gt; Developer &gt; Development Overrides &gt; URL Override: enter
<code>\#(override)</code></li>
</ol>
</section>
</main>
</body>
</html>

"""#
  }

  static let eventsJS: HTML = #"""
const own = String(Math.random());
const others = window.BroadcastChannel && navigator.locks ? new BroadcastChannel('events') : null;
let handle = () => {};
let stream = null;
let retry = null;
let turn = null;
function passOn(name, state) {
others?.postMessage({ name, state });
handle(name, state);
}
others?.addEventListener('message', ({ data }) => {
if (data.name === 'hello') {
if (stream?.readyState !== EventSource.OPEN || known.server === null) return;
const state = { ...known, requests: [...known.requests.values()] };
others.postMessage({ name: 'state', state, to: data.from });
} else if (!document.hidden && stream === null && (data.to ?? own) === own) {
handle(data.name, data.state);
}
});
function open() {
stream?.close();
stream = new EventSource(document.body.dataset.events);
for (const name of ['state', 'change'])
stream.addEventListener(name, event => passOn(name, JSON.parse(event.data)));
stream.addEventListener('error', () => {
passOn('error');
if (stream.readyState === EventSource.CLOSED) retry = setTimeout(open, 2000);
});
}
function leave() {
turn?.abort();
clearTimeout(retry);
stream?.close();
stream = null;
}
function join() {
leave();
if (!others) {
open();
return;
}
others.postMessage({ name: 'hello', from: own });
const mine = new AbortController();
turn = mine;
const hold = () =>
new Promise(release => {
if (mine.signal.aborted) {
release();
return;
}
mine.signal.addEventListener('abort', release);
open();
});
navigator.locks.request('events', { signal: mine.signal }, hold).catch(() => {});
}
function followEvents(handler) {
handle = handler;
document.addEventListener('visibilitychange', () => {
if (document.hidden) leave();
else join();
});
if (!document.hidden) join();
}

"""#

  static let liveCSS: HTML = #"""
h1 { font-size: 1.0625rem; } h2 { font-size: 1rem; } h3, h4 { font-size: 0.8125rem; color:
var(--quiet); margin-top: 1.125rem; } header { display: flex; flex-wrap: wrap; align-items: center;
gap: 0.5rem 0.75rem; max-width: 84rem; margin: 0 auto; padding: 1rem 1.25rem 0.25rem; min-height:
3.5rem; } .mark { width: 1.5rem; height: 1.5rem; vertical-align: -0.375rem; margin-right: 0.5rem; }
.mark rect { fill: var(--accent); } .mark path { fill: none; stroke: var(--on-accent);
stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; } #alerts { display: flex;
flex-wrap: wrap; gap: 0.375rem; margin-left: auto; } .pill { font-size: 0.8125rem; padding:
0.125rem 0.625rem; border-radius: 1rem; white-space: nowrap; } .notice, .caution { width: calc(100%
- 2.5rem); max-width: 81.5rem; margin: 0.5rem auto; padding: 0.75rem 1.25rem; } .notice { color:
var(--quiet); } .caution { background: var(--bad-ground); border-radius: 0.5rem; } .caution a {
color: inherit; } .caution pre { overflow-x: auto; margin: 0.5rem 0 0; } main, .side, .wide {
display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; } main { max-width: 84rem; margin:
0 auto; padding: 0.75rem 1.25rem 2.5rem; } .side, .wide { align-content: start; } section {
background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem
1.125rem 1.125rem; min-width: 0; } @media (min-width: 40rem) { .side { grid-template-columns:
repeat(auto-fit, minmax(17rem, 1fr)); } } @media (min-width: 60rem) { .side {
grid-template-columns: minmax(0, 1fr); } main { grid-template-columns: 21rem minmax(0, 1fr); } }
.hint { margin-top: 0.25rem; } .empty, .sum { color: var(--quiet); font-size: 0.8125rem; } .empty {
padding: 0.5rem 0; } .head { display: flex; flex-wrap: wrap; align-items: center; justify-content:
space-between; gap: 0.5rem 1rem; margin-bottom: 0.5rem; min-height: 1.75rem; } .address { display:
flex; align-items: center; gap: 0.5rem; margin-top: 0.25rem; } .address code { font-size:
0.9375rem; } .address button { margin-left: auto; flex: none; } .code { display: block; width:
11rem; max-width: 100%; border-radius: 0.5rem; margin: 0.5rem 0 0.25rem; border: 1px solid
var(--line); } .digest { margin-top: 0.25rem; font-size: 0.8125rem; line-height: 1.6; } .digest
code { display: block; } th, td { padding: 0.5rem 0 0.5rem 0.75rem; } th:first-child {
padding-left: 0; } thead th { padding-top: 0; padding-bottom: 0.25rem; } .name { display: block;
font-weight: 550; } .facts { overflow-wrap: anywhere; unicode-bidi: isolate; } #packs th {
min-width: 8rem; } td .small { margin: -0.125rem 0 -0.125rem 0.5rem; } button { font-weight: 500; }
button.small { min-height: 1.75rem; padding: 0 0.625rem; font-size: 0.8125rem; }
button[aria-pressed="true"] { background: var(--warn-ground); color: var(--warn); border-color:
currentColor; } @media (max-width: 40rem) { header { padding: 0.75rem 0.75rem 0; } #alerts {
margin-left: 0; } main { padding: 0.5rem 0.75rem 2rem; gap: 0.75rem; } .side, .wide { gap: 0.75rem;
} section { padding: 0.875rem; } .code { width: 14rem; } button, button.small, input, select {
min-height: 2.5rem; } input, select { font-size: 1rem; } td .small { display: block; margin:
0.25rem 0 0 auto; } } @media print { .side section:nth-child(2), .tools { display: none; } }

"""#

  static let liveStyle: HTML = """
    \(TerminalText.WebFiles.baseCSS)\
    \(switchesCSS)\
    \(requestsCSS)\
    \(liveCSS)\

    """

  static func live(
    nonce: HTML,
    events: HTML,
    andSwitches: HTML? = nil,
    trustAdvice: HTML,
    override: HTML,
    trust: HTML? = nil,
    digest: HTML? = nil,
    switches: HTML? = nil,
    packs: HTML,
    script: HTML
  ) -> HTML {
#"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Asset packs</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'
  viewBox='0 0 16 16'%3E
  %3Crect x='1' y='1' width='14' height='14' rx='4' fill='%233056d3'/%3E
  %3Cpath d='M8 4v6M5 8l3 3 3-3' stroke='white' stroke-width='1.8' fill='none'
    stroke-linecap='round' stroke-linejoin='round'/%3E
%3C/svg%3E">
<style nonce="\#(nonce)">\#(liveStyle)</style>
</head>
<body data-events="\#(events)">
<a class="skip" href="#requests">Skip to the requests</a>
<header>
<h1><svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><rect x="1" y="1" width="14"
height="14" rx="4"/><path d="M8 4v6M5 8l3 3 3-3"/></svg>Asset packs</h1>
<p id="connection" class="pill" role="status" hidden></p>
<ul id="alerts" aria-label="Active switches"></ul>
</header>
<noscript><p class="notice">This page requires JavaScript to show requests\#(andSwitches). Without
JavaScript, it shows the packs and addresses that were current when the page was
loaded.</p></noscript>
<div id="distrust" class="caution" role="status" hidden><p><strong id="distrusting"></strong>
\#(trustAdvice)</p></div>
<div id="build" class="caution" role="status" hidden><p><strong>The last build has errors. The
old packs are served.</strong></p><pre id="findings"></pre></div>
<main>
<div class="side">
<section aria-labelledby="connect-title">
<h2 id="connect-title">Connect a device</h2>
<h3 id="override-title">URL override</h3>
<p class="address"><code id="override">\#(override)</code>
<button type="button" class="small" data-copies="override" aria-describedby="override-title"
hidden>Copy</button></p>
<p class="hint">On the device: Settings › Developer › Development Overrides › URL Override.</p>
\#(trust)
\#(digest)
</section>
\#(switches)
</div>
<div class="wide">
<section id="requests" aria-labelledby="requests-title" tabindex="-1" class="scripted" hidden>
<div class="head"><h2 id="requests-title">Requests</h2>
<div class="tools">
<label for="filter" class="unseen">Show only requests that contain this text</label>
<input id="filter" type="search" placeholder="Filter" autocomplete="off" spellcheck="false">
<button type="button" class="small" id="pause" aria-pressed="false">Pause</button>
<button type="button" class="small" id="clear">Clear</button>
</div></div>
<p id="quiet" class="empty">No requests yet. A device with this URL override requests
<code>/manifest</code> first.</p>
<ol id="log" tabindex="0" aria-label="Requests, newest first" hidden></ol>
</section>
<section aria-labelledby="packs-title">
<div class="head"><h2 id="packs-title">Packs</h2><p id="packs-sum" class="sum"></p></div>
<table>
<thead><tr>
<th scope="col">Pack</th>
<th scope="col" class="broad">Policy</th>
<th scope="col" class="broad">Platforms</th>
<th scope="col" class="broad">Language</th>
<th scope="col" class="number">Version</th>
<th scope="col" class="number">Size</th>
</tr></thead>
<tbody id="packs">\#(packs)</tbody>
</table>
</section>
<section aria-labelledby="devices-title" class="scripted" hidden>
<div class="head"><h2 id="devices-title">Devices</h2></div>
<p id="alone" class="empty">No device has sent a request yet.</p>
<table id="device-table" hidden>
<thead><tr>
<th scope="col">Device</th>
<th scope="col" class="number broad">Requests</th>
<th scope="col" class="number">Downloaded</th>
<th scope="col" class="number">Last request</th>
</tr></thead>
<tbody id="devices"></tbody>
</table>
</section>
</div>
</main>
<p id="announcement" class="unseen" aria-live="polite"></p>
<script type="module" nonce="\#(nonce)">\#(script)</script>
</body>
</html>

"""#
  }

  static let liveJS: HTML = #"""
function showConnection(text, mood) {
const pill = at('connection');
pill.hidden = false;
pill.className = `pill ${mood}`;
setText(pill, text);
}
function apply(state, isWhole) {
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
function start() {
showScriptedParts();
showConnection('connecting', 'quiet');
followEvents(showEvent);
}

"""#

  static let packsJS: HTML = #"""
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
function showPacks() {
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
function showBuild() {
const { findings } = known.build;
at('build').hidden = findings === null;
at('findings').textContent = (findings ?? '').split('\n').map(plain).join('\n');
}
function showDevices() {
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
function showAlerts() {
const { offline, latency, throttle, faults } = known.switches;
const alerts = [];
if (offline) alerts.push(['offline mode', 'bad']);
if (latency) alerts.push([`latency ${latency}`, 'warn']);
if (throttle) alerts.push([`throttle ${throttle}`, 'warn']);
if (faults.length > 2) alerts.push([counted(faults.length, 'fault'), 'warn']);
else alerts.push(...faults.map(entry => [entry.fault, 'warn']));
at('alerts').replaceChildren(...alerts.map(([text, mood]) => node('li', `pill ${mood}`, text)));
}
function showDistrust() {
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

"""#

  static let pageToWatchJS: HTML = #"""
start();

"""#

  static let pageToWatchScript: HTML = """
    \(TerminalText.WebFiles.baseJS)\
    \(stateJS)\
    \(eventsJS)\
    \(requestsJS)\
    \(packsJS)\
    \(liveJS)\
    \(pageToWatchJS)\

    """

  static let pageWithSwitchesJS: HTML = #"""
start();

"""#

  static let pageWithSwitchesScript: HTML = """
    \(TerminalText.WebFiles.baseJS)\
    \(stateJS)\
    \(eventsJS)\
    \(requestsJS)\
    \(packsJS)\
    \(liveJS)\
    \(switchesJS)\
    \(pageWithSwitchesJS)\

    """

  static let requestsCSS: HTML = #"""
#requests { scroll-margin-top: 1rem; } #requests:focus { outline: none; } .tools { display: flex;
gap: 0.5rem; } .tools input { min-height: 1.75rem; padding-top: 0; padding-bottom: 0; width: 11rem;
font-size: 0.8125rem; } #log { max-height: min(38rem, 75vh); overflow-y: auto; margin: 0 -0.5rem;
padding: 0 0.5rem; } #log li { display: grid; grid-template-columns: 6rem minmax(0, 1fr) auto; gap:
0 0.75rem; padding: 0.5rem 0; border-top: 1px solid var(--line); align-items: baseline; } #log
li:first-child { border-top: 0; } #log .badge { justify-self: start; } .what, .query, .about {
overflow-wrap: anywhere; unicode-bidi: isolate; } .what { font-weight: 550; } .method, .query {
color: var(--quiet); font-weight: 400; } .amount, .pace { text-align: right; white-space: nowrap; }
.about, .pace { color: var(--quiet); font-size: 0.8125rem; } .about { grid-column: 2; } .fault {
color: var(--bad); } .remark { color: var(--warn); } progress { grid-column: 2 / -1; width: 100%;
height: 0.3125rem; margin: 0.3125rem 0 0.1875rem; border: 0; border-radius: 0.25rem; appearance:
none; background: var(--line); overflow: hidden; color: var(--accent); }
progress::-webkit-progress-bar { background: var(--line); } progress::-webkit-progress-value {
background: var(--accent); } progress::-moz-progress-bar { background: var(--accent); } @media
(max-width: 40rem) { .tools { width: 100%; } .tools input { flex: 1; min-height: 2.5rem; font-size:
1rem; } #log li { grid-template-columns: minmax(0, 1fr) auto; } #log .badge { grid-column: 1;
grid-row: 1; } .amount { grid-row: 1; } .what, .about, .pace, progress { grid-column: 1 / -1; }
.pace { text-align: left; } } @media (prefers-reduced-motion: no-preference) { .fresh { animation:
fresh 1.2s ease-out; } @keyframes fresh { from { background: var(--accent-ground); } } } @media
(forced-colors: active) { progress { appearance: auto; height: 0.75rem; } }

"""#

  static let requestsJS: HTML = #"""
const rows = new Map();
const cleared = new Set();
const waiting = new Set();
let isPaused = false;
let areRowsFresh = false;
function duration(milliseconds) {
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
function timeOfDay(text) {
const date = new Date(text);
return Number.isNaN(date.getTime()) ? '' : clock.format(date);
}
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
function showChangedRequests(numbers, isWhole) {
for (const number of cleared) if (!known.requests.has(number)) cleared.delete(number);
if (isPaused && !isWhole) {
for (const number of numbers) waiting.add(number);
} else {
showRequests(numbers);
}
areRowsFresh = true;
showPause();
}
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
let ended = [];
let timer = null;
function announcementOf(request) {
const name = request.pack ?? request.path ?? 'no request';
const fault = request.fault ? `, fault ${request.fault}` : '';
return `${name} for ${request.device}: ${outcome(request)[0]}, ${bytes(request.sent)}${fault}`;
}
function announceEnd(request) {
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

"""#

  static let stateJS: HTML = #"""
const known = {
server: null,
packs: [],
build: { findings: null },
devices: [],
switches: { offline: false, latency: null, throttle: null, faults: [] },
requests: new Map(),
};
const hooks = {
afterVersion: () => null,
afterChange: () => {},
};
const mostRequests = 200;
const requestNumbers = () => [...known.requests.keys()].sort((a, b) => a - b);
function forgetOldRequests() {
for (const number of requestNumbers().slice(0, -mostRequests)) known.requests.delete(number);
}

"""#

  static let switchesCSS: HTML = #"""
.field { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr) auto; align-items: center;
gap: 0.5rem; margin-top: 0.5rem; } .field label { color: var(--quiet); font-size: 0.875rem; }
.field :is(input, select) { width: 100%; } .field + .hint { margin-left: 5rem; } .switch { display:
flex; align-items: center; justify-content: space-between; gap: 1rem; margin-top: 0.75rem; cursor:
pointer; font-weight: 550; } .switch small, #faults small { display: block; font-weight: 400;
color: var(--quiet); font-size: 0.8125rem; } .switch input { appearance: none; flex: none; margin:
0; width: 2.875rem; height: 1.625rem; min-height: 0; border: 0; border-radius: 1rem; background:
var(--edge); position: relative; cursor: pointer; } .switch input::after { content: ""; position:
absolute; top: 0.1875rem; left: 0.1875rem; width: 1.25rem; height: 1.25rem; border-radius: 50%;
background: #ffffff; } .switch input:checked { background: var(--bad); } .switch
input:checked::after { left: auto; right: 0.1875rem; background: var(--card); } #faults li {
display: flex; align-items: center; gap: 0.5rem; padding: 0.5rem 0; border-bottom: 1px solid
var(--line); } #faults li > span { flex: 1; min-width: 0; } #fault-form { margin-top: 0.75rem;
padding: 0.125rem 0.875rem 0.875rem; background: var(--well); border-radius: 0.625rem; }
#fault-form h4 { margin-top: 0.625rem; } #fault-form .field { grid-template-columns: 4.5rem
minmax(0, 1fr); } .preview { display: flex; align-items: center; gap: 0.75rem; margin-top: 0.75rem;
} .preview output { flex: 1; min-width: 0; } .strong, .strong:hover { background: var(--accent);
border-color: var(--accent); color: var(--on-accent); font-weight: 600; } .strong:hover { filter:
brightness(1.08); } .refusal:not(:empty) { margin-top: 0.75rem; padding: 0.5rem 0.75rem;
border-radius: 0.5rem; color: var(--bad); background: var(--bad-ground); font-size: 0.875rem;
overflow-wrap: anywhere; } @media (prefers-reduced-motion: no-preference) { .switch input::after {
transition: background 0.15s; } } @media (forced-colors: active) { .switch input { border: 1px
solid; forced-color-adjust: none; background: GrayText; } .switch input:checked { background:
Highlight; } }

"""#

  static func switches() -> HTML {
#"""
<section aria-labelledby="switches-title" class="scripted" hidden>
<h2 id="switches-title">Switches</h2>
<p id="locked" class="hint" hidden>To use the switches, open the address that
<code>ba-package serve</code> printed. It ends in <code>#token=</code> and the token of this run of
the server.</p>
<div id="unlocked" hidden>
<label class="switch" for="offline"><span>Go offline<small>closes every connection</small></span>
<input id="offline" type="checkbox" role="switch"></label>
<form id="latency-form" class="field"><label for="latency">Latency</label>
<input id="latency" list="latencies" placeholder="off, or 200ms" autocomplete="off"
spellcheck="false" autocapitalize="off"><button>Set</button></form>
<datalist id="latencies">
<option value="100ms"></option>
<option value="500ms"></option>
<option value="2s"></option>
</datalist>
<form id="throttle-form" class="field"><label for="throttle">Throttle</label>
<input id="throttle" list="rates" placeholder="off, or 3mbit" autocomplete="off"
spellcheck="false" autocapitalize="off"><button>Set</button></form>
<datalist id="rates">
<option value="500kbit"></option>
<option value="3mbit"></option>
<option value="20mbit"></option>
</datalist>
<h3 id="faults-title">Faults</h3>
<ul id="faults" aria-labelledby="faults-title"></ul>
<p id="faultless" class="empty">No faults are on.</p>
<form id="fault-form" aria-labelledby="new-fault">
<h4 id="new-fault">Add a fault</h4>
<div class="field"><label for="subject">Applies to</label>
<input id="subject" list="subjects" value="*" aria-describedby="subject-hint" autocomplete="off"
spellcheck="false" autocapitalize="off"></div>
<p id="subject-hint" class="hint">a pack, <code>level-*</code>, <code>*</code> for all packs, or
<code>manifest</code></p>
<datalist id="subjects"></datalist>
<div class="field"><label for="kind">Fault</label>
<select id="kind">
<option value="cut" data-label="after" data-example="60%">cut (close connection)</option>
<option value="reset" data-label="after" data-example="1M">reset (reset connection)</option>
<option value="status" data-label="status" data-example="503">status (error response)</option>
<option value="stall" data-label="for" data-example="10s">stall (pause transfer)</option>
<option value="truncate">truncate (send half)</option>
<option value="corrupt">corrupt (change one bit)</option>
<option value="tls-close">tls-close (no response)</option>
<option value="stale" data-manifest>stale (older manifest)</option>
<option value="not-json" data-manifest>not-json (invalid manifest)</option>
</select></div>
<div class="field" id="value-field"><label for="value" id="value-label">after</label>
<input id="value" autocomplete="off" spellcheck="false" autocapitalize="off"></div>
<div class="field"><label for="times">How often</label>
<select id="times">
<option value="">always</option>
<option value="once">once per device and path</option>
<option value="twice">twice per device and path</option>
</select></div>
<p class="preview"><output id="preview" for="subject kind value times"></output>
<button class="strong">Switch on</button></p>
</form>
<p id="refusal" role="alert" class="refusal"></p>
</div>
</section>

"""#
  }

  static let switchesJS: HTML = #"""
const tokenKey = 'control-token';
let token = null;
function showAccess() {
at('locked').hidden = token !== null;
at('unlocked').hidden = token === null;
if (known.server !== null) showPacks();
}
const withToken = () => ({ Authorization: `Bearer ${token}` });
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
const all = offButtons();
const same = all.find(off => off.dataset.fault === focused);
(same ?? all[place] ?? all.at(-1) ?? at('subject')).focus();
}
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
window.addEventListener('hashchange', takeToken);
takeToken();

"""#

  static func trust(code: HTML? = nil, address: LinkTarget, text: HTML) -> HTML {
#"""
<h3>Trust this server (once per device)</h3>
\#(code)
<p class="address"><a href="\#(address)"><code id="enrolment">\#(text)</code></a>
<button type="button" class="small" data-copies="enrolment"
aria-label="Copy the enrolment address" hidden>Copy</button></p>

"""#
  }
}
