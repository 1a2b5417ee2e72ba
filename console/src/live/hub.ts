import { serverUrl } from '../api/client.ts';
import { type LiveEvent, readStream } from './stream.ts';

type Word = { event: LiveEvent } | { connected: boolean } | { hello: true };

const listeners = new Set<(event: LiveEvent) => void>();
const watchers = new Set<() => void>();
const returns = new Set<() => void>();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`parley-live ${serverUrl}`) : null;

let connected = false;
/** Whether events arrived before, so that the next connection is one that came back. */
let wasConnected = false;
let lastSeen: string | undefined;
let running: AbortController | undefined;
/** Whether this tab holds the stream and tells the others. */
let leads = false;

export const isConnected = (): boolean => connected;

/** Calls back when the connection comes or goes. */
export const watchConnection = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};

/** Calls back when the connection is there again after it was lost: what was read before may be old, or an error. */
export const whenBack = (act: () => void): (() => void) => {
  returns.add(act);
  return () => void returns.delete(act);
};

/** Calls back for every event of the account. */
export const listen = (listener: (event: LiveEvent) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

function setConnected(now: boolean): void {
  if (leads) channel?.postMessage({ connected: now } satisfies Word);
  if (now === connected) return;
  connected = now;
  for (const watcher of watchers) watcher();
  if (now && wasConnected) for (const act of returns) act();
  wasConnected ||= now;
}

function happen(event: LiveEvent): void {
  lastSeen = event.uuid;
  for (const listener of listeners) listener(event);
}

channel?.addEventListener('message', ({ data }: MessageEvent<Word>) => {
  if ('event' in data) happen(data.event);
  else if ('connected' in data) setConnected(data.connected);
  else if (leads) channel.postMessage({ connected } satisfies Word);
});

/**
 * Begins to follow the account's events; stops when the returned function is called. A browser opens six connections to a
 * server and a stream keeps one of them, so of several tabs one reads and tells the others.
 */
export function startLive(): () => void {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  channel?.postMessage({ hello: true } satisfies Word);
  const lead = async () => {
    leads = true;
    await follow(mine.signal);
    leads = false;
  };
  // Locks exist on https and localhost only; elsewhere each tab reads for itself.
  if (channel && navigator.locks)
    void navigator.locks.request(`parley-live ${serverUrl}`, { signal: mine.signal }, lead).catch(() => {});
  else void lead();
  return () => {
    mine.abort();
    connected = false;
    wasConnected = false;
    lastSeen = undefined;
  };
}

/** Somebody may sit before the page and wait for the server to come back. */
const longestWaitMs = 5000;

async function follow(signal: AbortSignal): Promise<void> {
  for (let wait = 1000; !signal.aborted; wait = Math.min(wait * 2, longestWaitMs)) {
    const onOpen = () => {
      wait = 1000;
      setConnected(true);
    };
    const onEvent = (event: LiveEvent) => {
      happen(event);
      channel?.postMessage({ event } satisfies Word);
    };
    const status = await readStream({
      url: `${serverUrl}/v2/events/stream/`,
      after: lastSeen,
      signal,
      onOpen,
      onEvent,
    }).catch(() => 0);
    setConnected(false);
    // The place we remember may have been deleted; then begin with now.
    if (status === 400) lastSeen = undefined;
    // Nobody is signed in: the next request shows the sign-in page.
    if (status === 401 || signal.aborted) return;
    // Not all consoles at the same moment.
    await new Promise((resolve) => setTimeout(resolve, wait * (0.75 + Math.random() / 2)));
  }
}
