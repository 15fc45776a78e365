extension ReportPage {
  /// The table of all files, of which the browser has only the rows that are seen.
  static let scriptOfTable = #"""

    // MARK: The table of files

    const scroller = at('scroller'), body = at('rows'), table = at('files'), rowHeight = 32;
    let rows = new Int32Array(files), sortedBy = 'stored', isRising = false;
    const ratios = new Float64Array(files).map((_, file) => isSharing[file] ? -1 : sizes[file] > 0 ? stored[file] / sizes[file] : 1);
    const keys = {
      path: null, pack: null, kind: null, size: file => sizes[file], stored: file => stored[file], ratio: file => ratios[file],
    };
    let paths = null, loweredPaths = null;
    function allPaths() { return paths ??= Array.from({ length: files }, (_, file) => pathOf(file)); }
    // The place of each value among all, for what is slow to compare.
    const ranks = {};
    function rank(key) {
      if (ranks[key]) return ranks[key];
      const value = key === 'path' ? (all => file => all[file])(allPaths())
        : key === 'pack' ? file => given.folderName[packOfFile(file)] : file => kinds[kindOf[firstFile + file]];
      if (key !== 'path') {
        const names = [...new Set(Array.from({ length: files }, (_, file) => value(file)))].sort();
        const places = new Map(names.map((name, place) => [name, place]));
        return ranks[key] = Int32Array.from({ length: files }, (_, file) => places.get(value(file)));
      }
      const order = Array.from({ length: files }, (_, file) => file).sort((a, b) => value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a - b);
      const places = new Int32Array(files);
      let place = 0;
      order.forEach((file, index) => { if (index > 0 && value(file) !== value(order[index - 1])) place = index; places[file] = place; });
      return ranks[key] = places;
    }
    function sortRows() {
      const values = keys[sortedBy] ? (sortedBy === 'size' ? sizes : sortedBy === 'stored' ? stored : ratios) : rank(sortedBy);
      const way = isRising ? 1 : -1;
      rows.sort((a, b) => way * (values[a] - values[b]) || a - b);
    }
    function filterRows() {
      const pack = at('of-pack').value, kind = at('of-kind').value;
      const wanted = [];
      for (let file = 0; file < files; file++) {
        if (found !== null && found[file] === 0) continue;
        if (pack !== '' && packOfFile(file) !== +pack) continue;
        if (kind !== '' && kindOf[firstFile + file] !== +kind) continue;
        wanted.push(file);
      }
      rows = Int32Array.from(wanted);
      sortRows();
      table.setAttribute('aria-rowcount', rows.length + 1);
      let sum = 0;
      for (const file of rows) sum += stored[file];
      const text = rows.length === files ? countOf(files, 'file') : countOf(rows.length, 'file') + ' of ' + grouped.format(files);
      at('row-sum').textContent = text + ', ' + bytes(sum) + (isKnown ? ' in packs' : '');
      scroller.scrollTop = 0;
      showRows(true);
    }
    const before = at('before'), after = at('after');
    let shownFrom = -1, shownTo = -1;
    function showRows(isNew) {
      const head = table.tHead.offsetHeight;
      const seen = Math.max(0, Math.floor((scroller.scrollTop - head) / rowHeight));
      const from = Math.max(0, seen - 12), to = Math.min(rows.length, seen + Math.ceil((scroller.clientHeight || 600) / rowHeight) + 12);
      if (!isNew && from === shownFrom && to === shownTo) return;
      shownFrom = from; shownTo = to;
      const made = [];
      for (let index = from; index < to; index++) made.push(row(rows[index], index));
      before.firstChild.style.height = from * rowHeight + 'px';
      after.firstChild.style.height = (rows.length - to) * rowHeight + 'px';
      body.replaceChildren(...made);
    }
    function row(file, index) {
      const made = node('tr'), folder = prefix(given.folder[file]), name = node('th', '');
      name.scope = 'row';
      name.append(node('bdi', 'quiet', folder), node('bdi', '', given.name[file]));
      name.title = given.folderName[packOfFile(file)] + ': ' + folder + given.name[file];
      made.setAttribute('aria-rowindex', index + 2);
      if (file === marked) made.className = 'marked';
      made.append(name,
        node('td', 'extra', given.folderName[packOfFile(file)]),
        node('td', 'extra', kinds[kindOf[firstFile + file]]),
        node('td', 'number extra', bytes(sizes[file])),
        node('td', 'number', isKnown ? bytes(stored[file]) : bytes(sizes[file])),
        node('td', 'number extra ratio', isSharing[file] ? 'in shared blocks' : isKnown ? percent(stored[file], sizes[file]) : ''));
      return made;
    }
    let marked = -1;
    function showInTable(file) {
      let index = rows.indexOf(file);
      if (index < 0) { at('search').value = at('of-pack').value = at('of-kind').value = ''; search(); index = rows.indexOf(file); }
      marked = file;
      at('files-section').scrollIntoView({ block: 'start' });
      scroller.scrollTop = Math.max(0, index * rowHeight - 3 * rowHeight);
      showRows(true);
      scroller.focus({ preventScroll: true });
      announce('Row ' + grouped.format(index + 1) + ' of the table: ' + pathOf(file));
    }
    scroller.addEventListener('scroll', () => showRows(false), { passive: true });
    for (const head of table.tHead.querySelectorAll('button')) {
      head.addEventListener('click', () => {
        const key = head.value;
        isRising = sortedBy === key ? !isRising : key === 'path' || key === 'pack' || key === 'kind';
        sortedBy = key;
        for (const other of table.tHead.querySelectorAll('button'))
          other.parentElement.setAttribute('aria-sort', other !== head ? 'none' : isRising ? 'ascending' : 'descending');
        sortRows();
        scroller.scrollTop = 0;
        showRows(true);
        announce('Sorted by ' + head.textContent.trim() + (isRising ? ', rising' : ', falling'));
      });
    }
    """# + "\n"
}
