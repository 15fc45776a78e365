extension ReportPage {
  /// What moves on the page: the treemap, and the table of all files.
  ///
  /// Everything else is there without it. Names become text of nodes and never markup.
  static let script =
    #""use strict";"# + "\n" + scriptOfData + scriptOfMap + scriptOfDrawing + scriptOfMapInput
    + scriptOfTable + scriptOfSearch

  private static let scriptOfData = #"""
    const at = id => document.getElementById(id);
    function node(tag, className, ...content) {
      const made = document.createElement(tag);
      if (className) made.className = className;
      made.append(...content);
      return made;
    }

    // MARK: Words for numbers

    const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];
    function bytes(count) {
      if (count < 1000) return count + (count === 1 ? ' byte' : ' bytes');
      let unit = 0;
      while (count >= 999.5 && unit < units.length - 1) { count /= 1000; unit += 1; }
      return count.toFixed(count < 9.995 ? 2 : count < 99.95 ? 1 : 0) + ' ' + units[unit];
    }
    const grouped = new Intl.NumberFormat('en-US');
    function countOf(number, noun) { return grouped.format(number) + ' ' + noun + (number === 1 ? '' : 's'); }
    function percent(part, whole) {
      if (!(whole > 0)) return '';
      const share = 100 * part / whole;
      return (share > 0 && share < 0.1 ? '< 0.1' : share.toFixed(share < 9.95 ? 1 : 0)) + ' %';
    }

    // MARK: What the page was given

    // Folders come before what is in them, and packs before folders: a pack is the folder of its number.
    const given = JSON.parse(at('data').textContent);
    const packs = given.packs.length, folders = given.folderName.length, files = given.name.length;
    const firstFile = 1 + folders, firstRest = firstFile + files, nodes = firstRest + packs;
    const isKnown = given.stored.length > 0;
    // How many bytes of the archive a file takes, or of the disk where there is no archive.
    const sizes = given.size, stored = isKnown ? given.stored : given.size, raw = given.raw;
    // Files whose blocks have other files as well: their own compression is not known.
    const isSharing = new Uint8Array(files);
    for (const file of given.sharing) isSharing[file] = 1;
    const kinds = given.kinds, restKind = kinds.length - 1;
    const parent = new Int32Array(nodes), kindOf = new Uint8Array(nodes), packOf = new Int32Array(folders);
    for (let folder = 0; folder < folders; folder++) {
      parent[folder + 1] = folder < packs ? 0 : given.folderParent[folder] + 1;
      packOf[folder] = folder < packs ? folder : packOf[given.folderParent[folder]];
    }
    const suffixKinds = new Map(Object.entries(given.suffixes));
    for (let file = 0; file < files; file++) {
      parent[firstFile + file] = given.folder[file] + 1;
      const name = given.name[file], dot = name.lastIndexOf('.');
      const kind = dot > 0 ? suffixKinds.get(name.slice(dot + 1).toLowerCase()) : undefined;
      kindOf[firstFile + file] = kind === undefined ? restKind - 1 : kind;
    }
    // What an archive has beside its files: headers, the manifest.
    for (let pack = 0; pack < packs; pack++) {
      parent[firstRest + pack] = pack + 1;
      kindOf[firstRest + pack] = restKind;
    }
    const isFile = id => id >= firstFile && id < firstRest;
    const packOfFile = file => packOf[given.folder[file]];
    function nameOf(id) {
      if (id === 0) return given.title;
      if (id < firstFile) return given.folderName[id - 1];
      if (isFile(id)) return given.name[id - firstFile];
      return fileCounts[id - firstRest + 1] > 0 ? 'headers and manifest' : 'files that nobody listed';
    }
    function chain(id) {
      const path = [];
      for (; id > 0; id = parent[id]) path.push(id);
      return path.reverse();
    }
    const prefixes = new Array(folders);
    function prefix(folder) {
      if (prefixes[folder] === undefined)
        prefixes[folder] = folder < packs ? '' : prefix(given.folderParent[folder]) + given.folderName[folder] + '/';
      return prefixes[folder];
    }
    const pathOf = file => prefix(given.folder[file]) + given.name[file];
    // How much of a file's size its archive takes, and the step of the scale that this is on.
    const steps = ['to less than 25 %', 'to 25 to 50 %', 'to 50 to 75 %', 'to 75 to 98 %', 'not at all', 'in shared blocks, or not known'];
    function stepOf(id) {
      const file = id - firstFile;
      if (!isKnown || id >= firstRest || !(sizes[file] > 0) || isSharing[file]) return 5;
      const share = stored[file] / sizes[file];
      return share < 0.25 ? 0 : share < 0.5 ? 1 : share < 0.75 ? 2 : share < 0.98 ? 3 : 4;
    }
    """# + "\n"

  /// The search, which treemap and table share, and what begins when the page is there.
  private static let scriptOfSearch = #"""

    // MARK: The search

    let drawing = 0;
    function lowerPaths() {
      loweredPaths ??= allPaths().map((path, file) => (given.folderName[packOfFile(file)] + '/' + path).toLowerCase());
    }
    function search() {
      const words = at('search').value.trim().toLowerCase().split(/\s+/).filter(word => word !== '');
      if (words.length === 0) {
        found = null;
        at('found').textContent = '';
      } else {
        lowerPaths();
        found = new Uint8Array(files);
        let count = 0, sum = 0;
        for (let file = 0; file < files; file++) {
          if (!words.every(word => loweredPaths[file].includes(word))) continue;
          found[file] = 1; count += 1; sum += measure === 'stored' ? stored[file] : sizes[file];
        }
        at('found').textContent = count === 0 ? 'No file has that in its path.' : countOf(count, 'file') + ', ' + bytes(sum) + ', ' + percent(sum, weight[0]) + ' of everything';
      }
      filterRows();
      // The answer is seen first; the picture of a large game takes a little longer.
      clearTimeout(drawing);
      drawing = setTimeout(draw, 30);
    }
    at('search').addEventListener('input', search);
    for (const id of ['of-pack', 'of-kind']) at(id).addEventListener('change', filterRows);
    document.addEventListener('keydown', event => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      event.preventDefault();
      at('search').focus();
    });

    // MARK: Light and dark

    // A page that was opened from a file may not be allowed to keep anything.
    function kept(value) {
      try {
        if (value === undefined) return localStorage.getItem('theme') ?? 'auto';
        localStorage.setItem('theme', value);
      } catch { }
      return 'auto';
    }
    function useTheme(value) {
      if (value === 'auto') delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = value;
    }
    function repaint() { readColours(); showLegend(); draw(); }

    // MARK: The start

    for (const part of document.querySelectorAll('.scripted')) part.hidden = false;
    given.packs.forEach((pack, index) => at('of-pack').append(new Option(given.folderName[index], index)));
    kinds.forEach((kind, index) => { if (kindOf.subarray(firstFile, firstRest).includes(index)) at('of-kind').append(new Option(kind, index)); });
    const theme = ['light', 'dark'].includes(kept()) ? kept() : 'auto';
    useTheme(theme);
    choose(at('theme'), theme, value => { kept(value); useTheme(value); repaint(); });
    choose(at('measure'), measure, value => { measure = value; weigh(); showLegend(); search(); showWhere(); });
    choose(at('colouring'), colouring, value => { colouring = value; chosen = -1; showLegend(); draw(); });
    weigh();
    readColours();
    width = map.clientWidth; height = map.clientHeight;
    enter(0);
    showLegend();
    filterRows();
    document.documentElement.dataset.ready = Math.round(performance.now());
    (window.requestIdleCallback ?? setTimeout)(lowerPaths);
    new ResizeObserver(() => {
      if (map.clientWidth === width && map.clientHeight === height) return;
      width = map.clientWidth; height = map.clientHeight;
      draw();
    }).observe(map);
    new ResizeObserver(() => showRows(false)).observe(scroller);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
    // Paper is light, whatever the screen is; a canvas is printed as the picture that it is.
    matchMedia('print').addEventListener('change', repaint);
    """# + "\n"
}
