// Long because it is one script, which a browser gets as it stands here.

extension LivePage {
  /// What moves on the page: it listens to the stream of events and shows what has changed.
  ///
  /// Whatever comes from outside becomes text of a node, and never markup: the page's policy lets the
  /// browser refuse everything else.
  static func script(withSwitches: Bool) -> String {
    showing + (withSwitches ? switching : "") + starting
  }

  private static let showing = #"""
    const at = id => document.getElementById(id);
    const mostRows = 200;

    // MARK: What is known

    let server = null, packs = [], devices = [], switches = { offline: false, latency: null, throttle: null, faults: [] };
    let requests = new Map();
    // Whether nothing was shown yet.
    let isFirst = true;
    // What a page with switches adds to what every page does.
    let raiseButton = null, showMore = () => {};
    let isPaused = false, waiting = new Set(), cleared = new Set();

    // MARK: Nodes and words

    // What would turn the text around it, or be seen nowhere, is shown by its number.
    function plain(text) {
      return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, sign => sign === '\u200d' ? sign : '\\u{' + sign.codePointAt(0).toString(16).toUpperCase() + '}');
    }
    function node(tag, className, ...content) {
      const made = document.createElement(tag);
      if (className) made.className = className;
      made.append(...content.filter(part => part !== null && part !== '').map(part => typeof part === 'string' ? plain(part) : part));
      return made;
    }
    function button(label, title, action) {
      const made = node('button', 'small', label);
      made.type = 'button';
      made.setAttribute('aria-label', title);
      made.title = title;
      made.addEventListener('click', action);
      return made;
    }
    // Sets a text only where it is another one: what a person has selected stays selected.
    function say(place, text) {
      const shown = plain(text);
      if (place.textContent !== shown) place.textContent = shown;
    }

    const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];
    function threeDigits(value) { return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }
    function bytes(count) {
      if (count < 1000) return count + (count === 1 ? ' byte' : ' bytes');
      let unit = 0;
      while (count >= 999.5 && unit < units.length - 1) { count /= 1000; unit += 1; }
      return threeDigits(count) + ' ' + units[unit];
    }
    function time(milliseconds) {
      if (milliseconds < 1000) return (milliseconds < 1 ? '< 1' : milliseconds) + ' ms';
      const seconds = milliseconds / 1000;
      if (seconds < 60) return threeDigits(seconds) + ' s';
      const whole = Math.round(seconds);
      return Math.floor(whole / 60) + ':' + String(whole % 60).padStart(2, '0') + ' min';
    }
    const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
    function hour(text) { const date = new Date(text); return isNaN(date) ? '' : clock.format(date); }
    function count(number, noun) { return number + ' ' + noun + (number === 1 ? '' : 's'); }

    // MARK: Requests

    const rows = new Map();

    function makeRow(number) {
      const row = { item: node('li', isFirst ? '' : 'fresh') };
      row.badge = node('span', 'badge');
      row.method = node('span', 'method');
      row.path = node('span', 'path');
      row.query = node('span', 'query');
      row.what = node('span', 'what', row.method, ' ', row.path, row.query);
      row.amount = node('span', 'amount');
      row.progress = node('progress');
      row.about = node('span', 'about');
      row.pace = node('span', 'pace');
      row.item.append(row.badge, row.what, row.amount, row.progress, row.about, row.pace);
      rows.set(number, row);
      return row;
    }
    function outcome(request) {
      if (!request.isOver) return ['under way', 'busy'];
      if (request.problem === 'distrust') return ['not trusted', 'bad'];
      if (request.problem === 'handshake') return ['no TLS', 'bad'];
      if (request.status === null) return ['no answer', 'bad'];
      if (!request.isWhole) return ['broken off', 'bad'];
      if (request.status >= 400) return [String(request.status), 'bad'];
      return [String(request.status), request.fault ? 'warn' : request.status === 304 ? '' : 'good'];
    }
    function showRequest(request) {
      const row = rows.get(request.number) ?? makeRow(request.number);
      const [text, mood] = outcome(request);
      say(row.badge, text);
      row.badge.className = 'badge ' + mood;
      say(row.method, request.method ?? '');
      say(row.path, request.path ?? 'no request');
      say(row.query, request.query === null ? '' : '?' + request.query);
      row.amount.hidden = row.pace.hidden = request.problem !== null;
      const isPart = request.size !== null && (!request.isOver || request.sent < request.size);
      say(row.amount, isPart ? bytes(request.sent) + ' of ' + bytes(request.size) : bytes(request.sent));
      row.progress.hidden = request.isOver || request.size === null;
      if (!row.progress.hidden) {
        row.progress.max = Math.max(1, request.size);
        row.progress.value = request.sent;
        row.progress.setAttribute('aria-label', 'Sent of ' + (request.pack ?? request.path));
      }
      const rate = request.milliseconds > 20 && request.sent > 0 ? bytes(request.sent * 1000 / request.milliseconds) + '/s' : null;
      const left = !request.isOver && request.sent > 0 && request.size > request.sent
        ? time(Math.round((request.size - request.sent) * request.milliseconds / request.sent)) + ' left' : null;
      say(row.pace, [left, request.isOver ? time(request.milliseconds) : null, rate].filter(Boolean).join(' · '));
      const about = [hour(request.time), request.device, request.version === null ? null : 'version ' + request.version, request.range]
        .filter(Boolean).join(' · ');
      const parts = [plain(about)];
      if (request.fault) parts.push(' · ', node('span', 'fault', 'fault: ' + request.fault));
      if (request.remark) parts.push(' · ', node('span', 'remark', request.remark));
      const before = parts.map(part => part.textContent ?? part).join('');
      if (row.about.textContent !== before) row.about.replaceChildren(...parts);
      row.item.title = plain(request.userAgent ?? '');
      row.text = [request.method, request.path, request.query, request.device, request.pack, text, request.fault, request.userAgent]
        .filter(Boolean).join(' ').toLowerCase();
      filterRow(row);
      return row;
    }
    function filterRow(row) { row.item.hidden = !row.text.includes(at('filter').value.trim().toLowerCase()); }
    function showRequests(numbers) {
      const log = at('log');
      for (const number of [...numbers].sort((a, b) => a - b)) {
        const request = requests.get(number);
        if (!request || cleared.has(number)) continue;
        const isNew = !rows.has(number);
        const row = showRequest(request);
        if (isNew) {
          // The newest stands first; requests that began at once may come in any order.
          let next = log.firstElementChild;
          while (next && Number(next.dataset.number) > number) next = next.nextElementSibling;
          row.item.dataset.number = number;
          log.insertBefore(row.item, next);
        }
      }
      for (const [number, row] of rows) {
        if (requests.has(number) && !cleared.has(number)) continue;
        row.item.remove();
        rows.delete(number);
      }
      showQuiet();
    }
    function showQuiet() {
      const shown = [...rows.values()].filter(row => !row.item.hidden).length;
      at('quiet').hidden = shown > 0;
      at('log').hidden = shown === 0;
      if (rows.size > 0) say(at('quiet'), 'No request contains that.');
      else if (cleared.size > 0) say(at('quiet'), 'Nothing was asked since.');
      const busy = [...requests.values()].filter(request => !request.isOver).length;
      document.title = (busy > 0 ? '(' + busy + ') ' : '') + 'Asset packs';
    }
    at('filter').addEventListener('input', () => { rows.forEach(filterRow); showQuiet(); });
    at('clear').addEventListener('click', () => {
      // What is under way stays to be seen.
      for (const [number, request] of requests) if (request.isOver) cleared.add(number);
      showRequests([]);
    });
    at('pause').addEventListener('click', () => {
      isPaused = !isPaused;
      at('pause').setAttribute('aria-pressed', String(isPaused));
      if (!isPaused) { showRequests(waiting); waiting.clear(); }
      showPause();
    });
    function showPause() {
      const others = [...waiting].filter(number => !rows.has(number)).length;
      say(at('pause'), !isPaused ? 'Pause' : others > 0 ? 'Paused, ' + others + ' waiting' : 'Paused');
    }

    // What ends is told to who cannot see it, a few at once and not too often.
    let ended = [], tellLater = null;
    function announce(request) {
      ended.push(request);
      tellLater ??= setTimeout(() => {
        tellLater = null;
        const last = ended.at(-1);
        const words = ended.length > 3 ? count(ended.length, 'request') + ' ended, the last: ' : '';
        const told = ended.length > 3 ? [last] : ended;
        say(at('announcement'), words + told.map(request =>
          (request.pack ?? request.path ?? 'no request') + ' for ' + request.device + ': ' + outcome(request)[0] + ', ' + bytes(request.sent)
          + (request.fault ? ', fault ' + request.fault : '')).join('; '));
        ended = [];
      }, 1500);
    }

    // MARK: Packs and devices

    function showPacks() {
      const sum = packs.reduce((sum, pack) => sum + pack.size, 0);
      say(at('packs-sum'), packs.length === 0 ? 'none' : count(packs.length, 'pack') + ', ' + bytes(sum));
      const focused = document.activeElement?.dataset?.raises;
      at('packs').replaceChildren(...packs.map(pack => {
        const platforms = pack.platforms.length > 0 ? pack.platforms.join(', ') : 'all platforms';
        const events = pack.events.join(', '), language = pack.language ?? '';
        const name = node('th', '', node('span', 'name', pack.id),
          node('span', 'facts narrow', [pack.policy, events, platforms, language].filter(Boolean).join(' · ')));
        name.scope = 'row';
        if (pack.outage) name.append(node('span', 'facts', 'cannot be delivered: ' + pack.outage));
        const version = node('td', 'number', String(pack.version));
        if (raiseButton) version.append(raiseButton(pack));
        const size = node('td', 'number', bytes(pack.size));
        size.title = pack.size + ' bytes, unpacked ' + bytes(pack.installedSize);
        return node('tr', '', name, node('td', 'broad', pack.policy, node('span', 'facts', events)),
          node('td', 'broad', platforms), node('td', 'broad', language), version, size);
      }));
      if (focused !== undefined) {
        for (const raise of document.querySelectorAll('[data-raises]')) if (raise.dataset.raises === focused) raise.focus();
      }
    }
    function showDevices() {
      at('alone').hidden = devices.length > 0;
      at('device-table').hidden = devices.length === 0;
      at('devices').replaceChildren(...devices.map(device => {
        const name = node('th', '', node('span', 'name', device.address), node('span', 'facts', device.userAgent ?? ''));
        name.scope = 'row';
        return node('tr', '', name, node('td', 'number broad', String(device.requests)),
          node('td', 'number', bytes(device.bytes)), node('td', 'number', hour(device.last)));
      }));
    }

    // MARK: What is switched on

    function showAlerts() {
      const alerts = [];
      if (switches.offline) alerts.push(['offline on purpose', 'bad']);
      if (switches.latency) alerts.push(['latency ' + switches.latency, 'warn']);
      if (switches.throttle) alerts.push(['throttle ' + switches.throttle, 'warn']);
      const faults = switches.faults;
      if (faults.length > 0 && faults.length <= 2) faults.forEach(entry => alerts.push([entry.fault, 'warn']));
      if (faults.length > 2) alerts.push([count(faults.length, 'fault'), 'warn']);
      at('alerts').replaceChildren(...alerts.map(([text, mood]) => node('li', 'pill ' + mood, text)));
    }

    // Lists the devices whose last connection failed because they do not trust the server.
    function showDistrust() {
      const last = new Map();
      for (const number of [...requests.keys()].sort((a, b) => a - b)) {
        const request = requests.get(number);
        last.set(request.device, request.problem);
      }
      const names = [...last].filter(([, problem]) => problem === 'distrust').map(([device]) => device);
      at('distrust').hidden = names.length === 0;
      say(at('distrusting'), names.join(', ') + (names.length === 1 ? ' does' : ' do') + ' not trust this server.');
    }

    // MARK: Addresses

    for (const copy of document.querySelectorAll('[data-copies]')) {
      if (!navigator.clipboard) continue;
      copy.hidden = false;
      copy.addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(at(copy.dataset.copies).textContent);
          copy.textContent = 'Copied';
        } catch {
          copy.textContent = 'Not allowed';
        }
        setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
      });
    }

    // MARK: Events

    function take(state, isWhole) {
      // Another run of the server has other addresses and another token.
      if (isWhole && server !== null && state.server.started !== server.started) return location.reload();
      server = state.server ?? server;
      const touched = new Set();
      if (isWhole) requests = new Map();
      for (const request of state.requests ?? []) {
        const known = requests.get(request.number);
        if (request.isOver && !isWhole && (!known || !known.isOver)) announce(request);
        requests.set(request.number, request);
        touched.add(request.number);
      }
      for (const number of [...requests.keys()].sort((a, b) => a - b)) {
        if (requests.size <= mostRows) break;
        requests.delete(number);
      }
      for (const number of cleared) if (!requests.has(number)) cleared.delete(number);
      if (isPaused && !isWhole) touched.forEach(number => waiting.add(number));
      else showRequests(touched);
      isFirst = false;
      showPause();
      showDistrust();
      if (state.packs) { packs = state.packs; showPacks(); }
      if (state.devices) { devices = state.devices; showDevices(); }
      if (state.switches) { switches = state.switches; showAlerts(); }
      showMore(state);
    }
    function showConnection(text, mood) {
      const pill = at('connection');
      pill.hidden = false;
      pill.className = 'pill ' + mood;
      say(pill, text);
    }
    // A browser opens at most six connections to one server. So only one of the visible pages opens
    // the event stream, and forwards the events to the others. When that page is closed or hidden,
    // another page opens the stream.
    let stream = null, retry = null, turn = null;
    const own = String(Math.random());
    const others = window.BroadcastChannel && navigator.locks ? new BroadcastChannel('events') : null;
    function hear(name, state) {
      if (name === 'error') return showConnection('no connection, trying again', 'bad');
      if (name === 'state') showConnection('live', 'good');
      take(state, name === 'state');
    }
    function passOn(name, state) {
      others?.postMessage({ name, state });
      hear(name, state);
    }
    others?.addEventListener('message', ({ data }) => {
      if (data.name === 'hello') {
        if (stream === null || stream.readyState !== EventSource.OPEN || server === null) return;
        const state = { server, packs, devices, switches, requests: [...requests.values()] };
        others.postMessage({ name: 'state', state, to: data.from });
      } else if (!document.hidden && stream === null && (data.to ?? own) === own) {
        hear(data.name, data.state);
      }
    });
    function open() {
      stream?.close();
      stream = new EventSource(document.body.dataset.events);
      for (const name of ['state', 'change']) stream.addEventListener(name, event => passOn(name, JSON.parse(event.data)));
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
    function follow() {
      leave();
      if (!others) return open();
      others.postMessage({ name: 'hello', from: own });
      const mine = turn = new AbortController();
      navigator.locks.request('events', { signal: mine.signal }, () => new Promise(end => {
        if (mine.signal.aborted) return end();
        mine.signal.addEventListener('abort', end);
        open();
      })).catch(() => {});
    }
    document.addEventListener('visibilitychange', () => { if (document.hidden) leave(); else follow(); });

    """#

  private static let switching = #"""
    // MARK: Switches

    const token = document.querySelector('meta[name="control-token"]').content;
    raiseButton = pack => {
      const raise = button('Raise', 'Raise the version of ' + pack.id, () =>
        use('POST', 'packs/' + pack.id.split('/').map(encodeURIComponent).join('/') + '/raise'));
      raise.dataset.raises = pack.id;
      return raise;
    };
    showMore = state => {
      if (state.switches) showSwitches();
      if (state.packs) showSubjects();
    };
    function showSubjects() {
      at('subjects').replaceChildren(...['*', 'manifest', ...packs.map(pack => pack.id)].map(word => {
        const option = node('option');
        option.value = word;
        return option;
      }));
    }
    function showSwitches() {
      at('offline').checked = switches.offline;
      for (const name of ['latency', 'throttle']) {
        if (!at(name + '-form').contains(document.activeElement)) at(name).value = switches[name] ?? '';
      }
      at('faultless').hidden = switches.faults.length > 0;
      const focused = document.activeElement?.dataset?.fault;
      const place = [...document.querySelectorAll('[data-fault]')].indexOf(document.activeElement);
      at('faults').replaceChildren(...switches.faults.map(entry => {
        const off = button('Off', 'Switch off ' + entry.fault, () => use('DELETE', 'faults', { fault: entry.fault }));
        off.dataset.fault = entry.fault;
        return node('li', '', node('span', '', node('code', '', entry.fault),
          node('small', '', entry.matches === 0 ? 'no pack matches' : entry.count === 0 ? 'has not happened yet'
            : 'happened ' + (entry.count === 1 ? 'once' : entry.count + ' times'))), off);
      }));
      if (focused !== undefined) {
        // Where a switch has gone, the next one is at hand.
        const all = [...document.querySelectorAll('[data-fault]')];
        (all.find(off => off.dataset.fault === focused) ?? all[place] ?? all.at(-1) ?? at('subject')).focus();
      }
    }
    async function use(method, path, body, place) {
      // What is refused is told beside what was asked for.
      (place ?? at('fault-form')).after(at('refusal'));
      say(at('refusal'), '');
      try {
        const answer = await fetch('api/' + path, {
          method, headers: { Authorization: 'Bearer ' + token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
          body: body ? JSON.stringify(body) : undefined,
        });
        // The server was started anew, and has another token.
        if (answer.status === 401) return location.reload();
        const said = await answer.json();
        if (said.switches) { switches = said.switches; showAlerts(); showSwitches(); }
        if (!answer.ok) say(at('refusal'), said.error);
        return answer.ok;
      } catch {
        say(at('refusal'), 'The server does not answer. Is it still running?');
      }
    }
    function chosenKind() { return at('kind').selectedOptions[0]; }
    let subjectBefore = null;
    function showKind(isNew) {
      const kind = chosenKind();
      const isManifest = 'manifest' in kind.dataset;
      if (isManifest && subjectBefore === null) { subjectBefore = at('subject').value; at('subject').value = 'manifest'; }
      if (!isManifest && subjectBefore !== null) { at('subject').value = subjectBefore; subjectBefore = null; }
      at('subject').readOnly = isManifest;
      at('value-field').hidden = !kind.dataset.asks;
      if (kind.dataset.asks) {
        say(at('value-label'), kind.dataset.asks);
        if (isNew) at('value').value = kind.dataset.example;
      }
      showPreview();
    }
    function written() {
      const kind = chosenKind();
      const words = [kind.value, kind.dataset.asks ? at('value').value.trim() : '', at('times').value];
      return at('subject').value.trim() + ': ' + words.filter(Boolean).join(' ');
    }
    function showPreview() { say(at('preview'), written()); }
    at('offline').addEventListener('change', async () => {
      const wanted = at('offline').checked;
      if (!await use('PUT', 'offline', { offline: wanted })) at('offline').checked = switches.offline;
    });
    for (const name of ['latency', 'throttle']) {
      at(name + '-form').addEventListener('submit', event => {
        event.preventDefault();
        const text = at(name).value.trim();
        use('PUT', name, { [name]: text === '' || text === 'off' || text === '0' ? null : text }, event.target)
          .then(isDone => { if (isDone) at(name).value = switches[name] ?? ''; });
      });
    }
    at('kind').addEventListener('change', () => showKind(true));
    at('fault-form').addEventListener('input', showPreview);
    at('fault-form').addEventListener('submit', event => {
      event.preventDefault();
      use('POST', 'faults', { fault: written() });
    });
    showKind(true);

    """#

  private static let starting = #"""
    for (const part of document.querySelectorAll('.scripted')) part.hidden = false;
    showConnection('connecting', 'quiet');
    if (!document.hidden) follow();
    """#
}
