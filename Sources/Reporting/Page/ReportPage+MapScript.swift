extension ReportPage {
  /// The treemap: how much of it each part gets.
  static let scriptOfMap = #"""

    // MARK: The tree, by the size of what is in it

    const weight = new Float64Array(nodes), first = new Int32Array(nodes + 1), kids = new Int32Array(nodes - 1);
    const left = new Float32Array(nodes), top_ = new Float32Array(nodes);
    const wide = new Float32Array(nodes), high = new Float32Array(nodes);
    // The round in which a node was last given a place, and its parts were.
    const placed = new Int32Array(nodes), divided = new Int32Array(nodes), fileCounts = new Int32Array(firstFile);
    let round = 0, measure = 'stored', colouring = 'kind', root = 0, pointed = 0, chosen = -1;
    // For each file whether it is searched for; null while nobody searches.
    let found = null;

    function weigh() {
      weight.fill(0); fileCounts.fill(0);
      for (let file = 0; file < files; file++) {
        const id = firstFile + file;
        weight[id] = measure === 'stored' ? stored[file] : sizes[file];
        weight[parent[id]] += weight[id];
        fileCounts[parent[id]] += 1;
      }
      for (let folder = firstFile - 1; folder > packs; folder--) {
        weight[parent[folder]] += weight[folder];
        fileCounts[parent[folder]] += fileCounts[folder];
      }
      for (let pack = 0; pack < packs; pack++) {
        const archive = given.packs[pack].download;
        weight[firstRest + pack] = measure === 'stored' && archive !== null ? Math.max(0, archive - weight[pack + 1]) : 0;
        weight[pack + 1] += weight[firstRest + pack];
        weight[0] += weight[pack + 1];
        fileCounts[0] += fileCounts[pack + 1];
      }
      first.fill(0);
      for (let id = 1; id < nodes; id++) first[parent[id] + 1] += 1;
      for (let id = 0; id < nodes; id++) first[id + 1] += first[id];
      const next = first.slice();
      for (let id = 1; id < nodes; id++) kids[next[parent[id]]++] = id;
      for (let id = 0; id < firstFile; id++)
        if (first[id + 1] - first[id] > 1) kids.subarray(first[id], first[id + 1]).sort((a, b) => weight[b] - weight[a] || a - b);
    }

    // Divides a rectangle among the parts of a node, so that they come close to squares (Bruls, Huizing, van Wijk).
    function divide(id, x, y, w, h) {
      let index = first[id], rest = weight[id];
      const end = first[id + 1];
      while (index < end && rest > 0 && w > 0 && h > 0 && weight[kids[index]] > 0) {
        const side = Math.min(w, h), scale = w * h / rest, largest = weight[kids[index]] * scale;
        let sum = 0, worst = Infinity, last = index;
        for (; last < end; last++) {
          const area = weight[kids[last]] * scale;
          if (area <= 0) break;
          const row = sum + area;
          const ratio = Math.max(side * side * largest / (row * row), row * row / (side * side * area));
          if (ratio > worst) break;
          worst = ratio; sum = row;
        }
        const depth = sum / side;
        let along = 0;
        for (; index < last; index++) {
          const part = kids[index], length = weight[part] * scale / depth;
          rest -= weight[part];
          if (w >= h) { left[part] = x; top_[part] = y + along; wide[part] = depth; high[part] = length; }
          else { left[part] = x + along; top_[part] = y; wide[part] = length; high[part] = depth; }
          placed[part] = round;
          along += length;
        }
        if (w >= h) { x += depth; w -= depth; } else { y += depth; h -= depth; }
      }
      divided[id] = round;
    }

    // MARK: What is drawn

    const map = at('map'), canvas = at('picture'), mark = at('mark');
    const pen = canvas.getContext('2d', { alpha: false }), markPen = mark.getContext('2d');
    let width = 0, height = 0, colours = null;

    function readColours() {
      const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue(name).trim();
      colours = { text: get('--on-cell'), seam: get('--seam'), strip: get('--strip'), name: get('--text'), mark: get('--accent'), kind: [], step: [] };
      for (let index = 0; index < 10; index++) colours.kind.push(get('--k' + index));
      for (let index = 0; index < 6; index++) colours.step.push(get('--c' + index));
      colours.grain = colours.kind.map((_, index) => grain(index, colours.text));
    }
    // Kinds differ by their grain as well: who cannot tell two colours apart can tell lines from dots.
    function grain(index, ink) {
      if (index === 0 || index === 9) return null;
      const tile = document.createElement('canvas');
      tile.width = tile.height = 8;
      const tilePen = tile.getContext('2d');
      tilePen.strokeStyle = tilePen.fillStyle = ink;
      tilePen.globalAlpha = 0.2;
      const line = (...points) => { tilePen.beginPath(); for (let at = 0; at < points.length; at += 4) { tilePen.moveTo(points[at], points[at + 1]); tilePen.lineTo(points[at + 2], points[at + 3]); } tilePen.stroke(); };
      switch (index) {
      case 1: line(-2, 10, 10, -2, -2, 2, 2, -2, 6, 10, 10, 6); break;
      case 2: line(-2, -2, 10, 10, -2, 6, 2, 10, 6, -2, 10, 2); break;
      case 3: tilePen.fillRect(1, 1, 2, 2); tilePen.fillRect(5, 5, 2, 2); break;
      case 4: line(0, 4, 8, 4); break;
      case 5: line(4, 0, 4, 8); break;
      case 6: line(0, 4, 8, 4, 4, 0, 4, 8); break;
      case 7: line(-2, -2, 10, 10, -2, 10, 10, -2); break;
      case 8: tilePen.fillRect(3, 3, 2, 2); break;
      }
      return pen.createPattern(tile, 'repeat');
    }
    // The steps of the scale have more grain the less was gained.
    const stepGrain = [0, 8, 3, 1, 7, 9];
    const groupOf = id => colouring === 'kind' ? kindOf[id] : stepOf(id);
    const colourOf = group => (colouring === 'kind' ? colours.kind : colours.step)[group];
    const grainOf = group => colours.grain[colouring === 'kind' ? group : stepGrain[group]];
    """# + "\n"

  /// How the treemap is drawn.
  static let scriptOfDrawing = #"""

    const stripHeight = 17;
    // Leaves as they are found, by the way they are filled: changing colours is what takes time.
    let leaves = [], names = [];

    function draw() {
      if (!(width > 0)) return;
      const ratio = Math.min(devicePixelRatio || 1, 3);
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio))
        for (const each of [canvas, mark]) { each.width = Math.round(width * ratio); each.height = Math.round(height * ratio); }
      round += 1;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.globalAlpha = 1;
      pen.fillStyle = colours.seam;
      pen.fillRect(0, 0, width, height);
      left[root] = top_[root] = 0; wide[root] = width; high[root] = height; placed[root] = round;
      leaves = []; names = [];
      spread(root, 0, 0, width, height, 0);
      for (const [key, group] of leaves.entries()) if (group) fill(group, key >> 1, (key & 1) === 1);
      label();
      drawMark();
    }
    function isWanted(id) {
      if (chosen >= 0 && groupOf(id) !== chosen) return false;
      return found === null || (isFile(id) && found[id - firstFile] === 1);
    }
    function addLeaf(id, group, wanted) {
      const key = group * 2 + (wanted ? 0 : 1);
      (leaves[key] ??= []).push(id);
    }
    function spread(id, x, y, w, h, depth) {
      divide(id, x, y, w, h);
      for (let index = first[id]; index < first[id + 1]; index++) {
        const part = kids[index];
        if (placed[part] !== round) break;
        if (part >= firstFile) { addLeaf(part, groupOf(part), isWanted(part)); continue; }
        const partWide = wide[part], partHigh = high[part];
        // What is smaller than a few points is drawn as its largest part is.
        if (partWide * partHigh < 6 || partWide < 1.5 || partHigh < 1.5) { clump(part); continue; }
        const edge = depth === 0 ? 1.5 : partWide > 14 && partHigh > 14 ? 1 : 0;
        const hasStrip = partWide > 46 && partHigh > 2.4 * stripHeight && depth < 5;
        if (hasStrip) names.push(part);
        const strip = hasStrip ? stripHeight : 0;
        spread(part, left[part] + edge, top_[part] + edge + strip, partWide - 2 * edge, partHigh - 2 * edge - strip, depth + 1);
      }
    }
    function clump(id) {
      let leaf = id;
      while (leaf < firstFile) leaf = kids[first[leaf]];
      for (const side of [left, top_, wide, high]) side[leaf] = side[id];
      addLeaf(leaf, groupOf(leaf), isWanted(leaf));
    }
    function fill(group, number, isDim) {
      pen.globalAlpha = isDim ? 0.16 : 1;
      pen.fillStyle = colourOf(number);
      const pattern = isDim ? null : grainOf(number);
      const grained = [];
      for (const id of group) {
        const w = wide[id], h = high[id], gap = w > 3 && h > 3 ? 0.75 : w > 1.5 && h > 1.5 ? 0.25 : 0;
        pen.fillRect(left[id], top_[id], Math.max(w - gap, 0.5), Math.max(h - gap, 0.5));
        if (pattern && w > 9 && h > 9) grained.push(id);
      }
      if (pattern) {
        pen.fillStyle = pattern;
        for (const id of grained) pen.fillRect(left[id], top_[id], wide[id] - 0.75, high[id] - 0.75);
      }
      pen.globalAlpha = 1;
    }
    // As much of a text as fits; a character is about half as wide as high.
    function fitted(text, room) {
      if (pen.measureText(text).width <= room) return text;
      let length = Math.min(text.length, Math.floor(room / 4));
      while (length > 1 && pen.measureText(text.slice(0, length) + '…').width > room) length -= 1;
      return length > 1 ? text.slice(0, length) + '…' : '';
    }
    function label() {
      pen.textBaseline = 'middle';
      for (const id of names) {
        const isPack = id <= packs;
        pen.fillStyle = colours.strip;
        pen.fillRect(left[id] + 1, top_[id] + 1, wide[id] - 2.5, stripHeight - 0.5);
        pen.fillStyle = colours.name;
        pen.font = (isPack ? '600 ' : '') + '11.5px system-ui, sans-serif';
        const room = wide[id] - 12, size = bytes(weight[id]), sizeWide = pen.measureText(size).width;
        const showsSize = room > sizeWide + 70;
        pen.fillText(fitted(nameOf(id), showsSize ? room - sizeWide - 10 : room), left[id] + 6, top_[id] + 1 + stripHeight / 2);
        if (showsSize) { pen.font = '11.5px system-ui, sans-serif'; pen.globalAlpha = 0.75; pen.fillText(size, left[id] + wide[id] - 6 - sizeWide, top_[id] + 1 + stripHeight / 2); pen.globalAlpha = 1; }
      }
      for (const [key, group] of leaves.entries()) {
        if (!group || (key & 1) === 1) continue;
        for (const id of group) {
          if (wide[id] < 44 || high[id] < 17) continue;
          pen.font = '11.5px system-ui, sans-serif';
          const text = fitted(nameOf(id), wide[id] - 10);
          if (text.length < 3) continue;
          const lines = high[id] > 34 ? [text, fitted(bytes(weight[id]), wide[id] - 10)] : [text];
          // The grain would run through the letters.
          const room = Math.max(...lines.map(line => pen.measureText(line).width));
          pen.fillStyle = colourOf(key >> 1);
          pen.fillRect(left[id] + 2, top_[id] + 2, Math.min(room + 6, wide[id] - 3.5), lines.length * 14 + 1);
          pen.fillStyle = colours.text;
          pen.fillText(lines[0], left[id] + 5, top_[id] + 10);
          if (lines[1]) { pen.globalAlpha = 0.8; pen.fillText(lines[1], left[id] + 5, top_[id] + 24); pen.globalAlpha = 1; }
        }
      }
    }
    function drawMark() {
      const ratio = mark.width / width;
      markPen.setTransform(ratio, 0, 0, ratio, 0, 0);
      markPen.clearRect(0, 0, width, height);
      if (pointed === root || placed[pointed] !== round) return;
      markPen.lineWidth = 2.5;
      markPen.strokeStyle = colours.mark;
      markPen.strokeRect(left[pointed] + 1.25, top_[pointed] + 1.25, Math.max(wide[pointed] - 2.5, 2), Math.max(high[pointed] - 2.5, 2));
    }
    """# + "\n"

  /// What pointer, fingers and keys do in the treemap, and what is said of its parts.
  static let scriptOfMapInput = #"""

    // MARK: Words about a part

    function factsOf(id) {
      const facts = [];
      if (isFile(id)) {
        const file = id - firstFile;
        if (isKnown) facts.push(bytes(stored[file]) + ' in the pack');
        facts.push(bytes(sizes[file]) + (isKnown ? ' unpacked' : ''));
        if (isSharing[file]) facts.push('in shared blocks');
        else if (isKnown && sizes[file] > 0) facts.push('compressed ' + (stepOf(id) === 4 ? 'not at all' : 'to ' + percent(stored[file], sizes[file])));
        facts.push(kinds[kindOf[id]]);
        if (given.copies[file]) facts.push(given.copies[file] === 1 ? '1 other copy' : grouped.format(given.copies[file]) + ' other copies');
      } else {
        facts.push(bytes(weight[id]) + (measure !== 'stored' || !isKnown ? '' : id === 0 ? ' in packs' : ' in the pack'));
        if (id < firstFile) facts.push(countOf(fileCounts[id], 'file'));
      }
      if (id !== 0) facts.push(percent(weight[id], weight[0]) + ' of everything');
      return facts.join(' · ');
    }
    const wordsOf = id => id === 0 ? given.title : chain(id).map(nameOf).join(' / ');
    const announce = text => { at('announcement').textContent = text; };
    function point(id) {
      if (id === pointed) return;
      pointed = id;
      drawMark();
      showWhere();
    }
    function showWhere() {
      at('where').replaceChildren(node('span', 'path', wordsOf(pointed)), node('br'), node('span', 'quiet', factsOf(pointed)));
    }

    // MARK: Going in and out

    function enter(id, from) {
      root = id;
      pointed = from ?? id;
      at('crumbs').replaceChildren(...[0, ...chain(id)].map(step => {
        const button = node('button', '', step === 0 ? 'All packs' : nameOf(step));
        button.type = 'button';
        if (step === id) button.setAttribute('aria-current', 'location');
        else button.addEventListener('click', () => { enter(step, id); announceRoot(); map.focus(); });
        return node('li', '', button);
      }));
      at('out').disabled = id === 0;
      draw();
      showWhere();
    }
    function announceRoot() { announce('In ' + wordsOf(root) + ': ' + factsOf(root)); }
    function goOut() {
      if (root === 0) return;
      enter(parent[root], root);
      announceRoot();
    }
    // A file cannot be entered: the table shows it.
    function goInto(id) {
      if (id < firstFile && id !== root && weight[id] > 0) { enter(id); announceRoot(); }
      else if (isFile(id)) showInTable(id - firstFile);
    }
    function partAt(x, y) {
      let id = root;
      descending: while (id < firstFile && divided[id] === round) {
        for (let index = first[id]; index < first[id + 1]; index++) {
          const part = kids[index];
          if (placed[part] !== round) break;
          if (x >= left[part] && x < left[part] + wide[part] && y >= top_[part] && y < top_[part] + high[part]) { id = part; continue descending; }
        }
        break;
      }
      return id;
    }
    function partUnder(event) {
      const box = map.getBoundingClientRect();
      return partAt(event.clientX - box.left, event.clientY - box.top);
    }
    map.addEventListener('pointermove', event => point(partUnder(event)));
    map.addEventListener('pointerleave', () => { if (document.activeElement !== map) point(root); });
    map.addEventListener('click', event => {
      const part = partUnder(event);
      point(part);
      // One step at a time, so that nobody is lost.
      const next = chain(part).find(step => parent[step] === root) ?? root;
      if (next < firstFile) goInto(next);
      else if (isFile(next)) announce(wordsOf(next) + ': ' + factsOf(next));
    });
    // The next part in a direction: the nearest of those beside it in the same folder.
    function neighbour(id, dx, dy) {
      const x = left[id] + wide[id] / 2, y = top_[id] + high[id] / 2;
      let best = id, least = Infinity;
      for (let index = first[parent[id]]; index < first[parent[id] + 1]; index++) {
        const other = kids[index];
        if (other === id || placed[other] !== round) continue;
        const alongX = left[other] + wide[other] / 2 - x, alongY = top_[other] + high[other] / 2 - y;
        const ahead = alongX * dx + alongY * dy, aside = Math.abs(alongX * dy) + Math.abs(alongY * dx);
        if (ahead <= 0.01) continue;
        const distance = ahead + 2 * aside;
        if (distance < least) { least = distance; best = other; }
      }
      return best;
    }
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    map.addEventListener('keydown', event => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const parts = kids.subarray(first[root], first[root + 1]).filter(part => placed[part] === round);
      let current = chain(pointed).find(step => parent[step] === root && step !== 0) ?? -1;
      if (directions[event.key]) {
        if (parts.length === 0) return;
        current = current < 0 ? parts[0] : neighbour(current, ...directions[event.key]);
      } else if (event.key === 'Home' || event.key === 'End') {
        current = parts[event.key === 'Home' ? 0 : parts.length - 1] ?? -1;
      } else if (event.key === 'Enter') {
        event.preventDefault();
        if (current >= 0) goInto(current);
        return;
      } else if (event.key === 'Escape' || event.key === 'Backspace') {
        event.preventDefault();
        goOut();
        return;
      } else { return; }
      event.preventDefault();
      if (current < 0) return;
      point(current);
      announce(nameOf(current) + ', ' + factsOf(current));
    });
    at('out').addEventListener('click', goOut);

    // MARK: The legend

    function showLegend() {
      const groups = colouring === 'kind' ? kinds : steps, sums = new Float64Array(groups.length);
      for (let id = firstFile; id < nodes; id++) sums[groupOf(id)] += weight[id];
      const order = [...sums.keys()].filter(group => sums[group] > 0);
      if (colouring === 'kind') order.sort((a, b) => sums[b] - sums[a]);
      at('legend').replaceChildren(...order.map(group => {
        const swatch = node('canvas');
        swatch.width = swatch.height = 36;
        const swatchPen = swatch.getContext('2d');
        swatchPen.scale(2, 2);
        swatchPen.fillStyle = colourOf(group); swatchPen.fillRect(0, 0, 18, 18);
        if (grainOf(group)) { swatchPen.fillStyle = grainOf(group); swatchPen.fillRect(0, 0, 18, 18); }
        const button = node('button', '', swatch, node('span', '', groups[group]), node('span', 'quiet', bytes(sums[group]) + ' · ' + percent(sums[group], weight[0])));
        button.type = 'button';
        button.setAttribute('aria-pressed', chosen === group);
        button.addEventListener('click', () => {
          chosen = chosen === group ? -1 : group;
          showLegend();
          at('legend').children[order.indexOf(group)].firstChild.focus();
          draw();
        });
        return node('li', '', button);
      }));
    }
    function choose(group, value, change) {
      for (const button of group.querySelectorAll('button')) {
        button.setAttribute('aria-pressed', button.value === value);
        button.addEventListener('click', () => {
          for (const other of group.querySelectorAll('button')) other.setAttribute('aria-pressed', other === button);
          change(button.value);
        });
      }
    }
    """# + "\n"
}
