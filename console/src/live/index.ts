import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { freshen } from '../api/refresh.ts';
import { isConnected, listen, watchConnection } from './hub.ts';
import type { LiveEvent } from './stream.ts';

export { startLive, whenBack } from './hub.ts';
export type { LiveEvent };

/** A kind is meant by its name, or by a beginning that ends with a dot: `message.` means all of messages. */
const isMeant = (kinds: readonly string[], kind: string): boolean =>
  kinds.some((name) => (name.endsWith('.') || name === '' ? kind.startsWith(name) : kind === name));

/**
 * Calls back for each event of these kinds, as it happens.
 * `useLive(['call.'], (event) => …)`; `useLive([''], …)` hears everything.
 */
export function useLive(kinds: readonly string[], callback: (event: LiveEvent) => void): void {
  const heard = useEffectEvent((event: LiveEvent) => {
    if (isMeant(kinds, event.kind)) callback(event);
  });
  useEffect(() => listen((event) => heard(event)), []);
}

/** Whether events arrive. */
export const useConnected = (): boolean => useSyncExternalStore(watchConnection, isConnected);

const pauseMs = 1000;

/**
 * Reads these paths again when such events happen, at most once a second each; all that begins with a path is meant.
 * `useLiveRefresh(['message.'], ['/v2/chatapp/messages/'])`
 */
export function useLiveRefresh(kinds: readonly string[], paths: string[]): void {
  const client = useQueryClient();
  const names = paths.join(' ');
  useLive(kinds, () => {
    for (const path of names.split(' ')) soon(path, () => freshen(client, [path]));
  });
}

const waiting = new Map<string, { again: boolean }>();

/** At once, and then not for a second; what is asked for meanwhile is done once when it is over. */
function soon(key: string, act: () => Promise<void>): void {
  const state = waiting.get(key);
  if (state) {
    state.again = true;
    return;
  }
  const mine = { again: false };
  waiting.set(key, mine);
  const pause = new Promise((resolve) => setTimeout(resolve, pauseMs));
  void Promise.allSettled([act(), pause]).then(() => {
    waiting.delete(key);
    if (mine.again) soon(key, act);
  });
}
