// Helpers that all pages share. Text from outside becomes the text of a node, never markup.

export const at = id => document.getElementById(id);

// Replaces each character that reverses text or is invisible with its code point.
export function plain(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character =>
    character === '\u200d'
      ? character
      : `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`,
  );
}

// Creates an element. Parts of the content that are null or empty are left out.
export function node(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  const parts = content.filter(part => part !== null && part !== '');
  made.append(...parts.map(part => (typeof part === 'string' ? plain(part) : part)));
  return made;
}

export function button(className, action, ...content) {
  const made = node('button', className, ...content);
  made.type = 'button';
  made.addEventListener('click', action);
  return made;
}

// Sets a text only if it differs, so that a selection of the user is kept.
export function setText(place, text) {
  const shown = plain(text);
  if (place.textContent !== shown) place.textContent = shown;
}

// Announces a text to users of screen readers.
export function announce(text) {
  at('announcement').textContent = plain(text);
}

// Shows the parts of the page that need scripts.
export function showScriptedParts() {
  for (const part of document.querySelectorAll('.scripted')) part.hidden = false;
}

// MARK: Numbers

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];

export function threeDigits(value) {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// '512 bytes', '12.3 KB', '4.56 GB': with powers of 1000 and three digits.
export function bytes(count) {
  if (count < 1000) return `${count} ${count === 1 ? 'byte' : 'bytes'}`;
  let value = count;
  let unit = 0;
  // A number that would be rounded to 1000 is shown in the next unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${threeDigits(value)} ${units[unit]}`;
}

const grouping = new Intl.NumberFormat('en-US');

export const grouped = number => grouping.format(number);

export function counted(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}
