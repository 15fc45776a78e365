// The event stream, which all open pages of a browser share.
//
// A browser opens at most six connections to one server. So only one of the visible pages opens the
// event stream, and forwards the events to the other pages. When that page is closed or hidden,
// another page opens the stream.

import { known } from './state.js';

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
  // This page holds the lock until it is hidden or closed.
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

// Calls a function with the name and the state of each event while the page is visible.
export function followEvents(handler) {
  handle = handler;
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leave();
    else join();
  });
  if (!document.hidden) join();
}
