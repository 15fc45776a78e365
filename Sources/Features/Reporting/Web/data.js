// The data of the page: nodes of a tree are numbers. Node 0 is the whole report, then come folders
// (packs first), files, and for each pack the headers and manifest of its archive.

import { at } from '../../../Base/TerminalText/Web/base.js';

export const given = JSON.parse(at('data').textContent);
export const packs = given.packs.length;
export const folders = given.folderName.length;
export const files = given.name.length;
export const firstFile = 1 + folders;
export const firstRest = firstFile + files;
export const nodes = firstRest + packs;

// Whether the sizes of files in archives are known.
export const isKnown = given.stored.length > 0;
export const sizes = given.size;
// The bytes of the archive that a file uses, or its size if there is no archive.
export const stored = isKnown ? given.stored : given.size;

// Files in blocks that contain other files too: their own compression is unknown.
export const isSharing = new Uint8Array(files);
for (const file of given.sharing) isSharing[file] = 1;

export const kinds = given.kinds;
const restKind = kinds.length - 1;
export const parent = new Int32Array(nodes);
export const kindOf = new Uint8Array(nodes);
const packOf = new Int32Array(folders);

// A folder has a higher number than the folder that contains it, and packs are the first folders.
for (let folder = 0; folder < folders; folder++) {
  parent[folder + 1] = folder < packs ? 0 : given.folderParent[folder] + 1;
  packOf[folder] = folder < packs ? folder : packOf[given.folderParent[folder]];
}
const suffixKinds = new Map(Object.entries(given.suffixes));
for (let file = 0; file < files; file++) {
  parent[firstFile + file] = given.folder[file] + 1;
  const name = given.name[file];
  const dot = name.lastIndexOf('.');
  const kind = dot > 0 ? suffixKinds.get(name.slice(dot + 1).toLowerCase()) : undefined;
  kindOf[firstFile + file] = kind ?? restKind - 1;
}
for (let pack = 0; pack < packs; pack++) {
  parent[firstRest + pack] = pack + 1;
  kindOf[firstRest + pack] = restKind;
}

export const isFile = id => id >= firstFile && id < firstRest;
export const packOfFile = file => packOf[given.folder[file]];
export const packName = file => given.folderName[packOfFile(file)];

// The nodes from a pack down to a node.
export function chain(id) {
  const path = [];
  for (let step = id; step > 0; step = parent[step]) path.push(step);
  return path.reverse();
}

const prefixes = new Array(folders);

// The path of a folder in its pack, with a slash at the end.
export function prefix(folder) {
  prefixes[folder] ??=
    folder < packs ? '' : `${prefix(given.folderParent[folder])}${given.folderName[folder]}/`;
  return prefixes[folder];
}

export const pathOf = file => prefix(given.folder[file]) + given.name[file];

let paths = null;

export function allPaths() {
  paths ??= Array.from({ length: files }, (_, file) => pathOf(file));
  return paths;
}

// The steps of the scale of compression.
export const steps = [
  'to less than 25 %',
  'to 25 to 50 %',
  'to 50 to 75 %',
  'to 75 to 98 %',
  'not compressed',
  'in shared blocks, or unknown',
];
export const notCompressed = 4;
const unknownStep = 5;

export function stepOf(id) {
  const file = id - firstFile;
  if (!isKnown || id >= firstRest || !(sizes[file] > 0) || isSharing[file]) return unknownStep;
  const share = stored[file] / sizes[file];
  return share < 0.25 ? 0 : share < 0.5 ? 1 : share < 0.75 ? 2 : share < 0.98 ? 3 : notCompressed;
}

export function percent(part, whole) {
  if (!(whole > 0)) return '';
  const share = (100 * part) / whole;
  return `${share > 0 && share < 0.1 ? '< 0.1' : share.toFixed(share < 9.95 ? 1 : 0)} %`;
}
