// The last received state of the server, and hooks for the page with switches.

export const known = {
  server: null,
  packs: [],
  build: { findings: null },
  devices: [],
  switches: { offline: false, latency: null, throttle: null, faults: [] },
  // Requests by their numbers, the last ones only.
  requests: new Map(),
};

export const hooks = {
  // Creates the content after the version of a pack.
  afterVersion: () => null,
  // Called after each change of the state, with the changed members.
  afterChange: () => {},
};

const mostRequests = 200;

export const requestNumbers = () => [...known.requests.keys()].sort((a, b) => a - b);

export function forgetOldRequests() {
  for (const number of requestNumbers().slice(0, -mostRequests)) known.requests.delete(number);
}
