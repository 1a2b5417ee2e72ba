import { useEffect } from 'react';
import { api, call } from '../../../api/index.ts';

const path = '/v2/sandbox/phones/{number}/hold/';
/** Longer than a browser lets a hidden tab sleep. */
const holdSeconds = 90;
const renewMs = 25_000;

/** Keeps a phone in the person's hand while the page is open: calls to it ring here and wait to be answered. */
export function useHold(number: string): void {
  useEffect(() => {
    const hold = () => call('post', path, { params: { number }, body: { seconds: holdSeconds } }).catch(() => {});
    // It is let go even though the page is closing.
    const letGo = () => void api.DELETE(path, { params: { path: { number } }, keepalive: true }).catch(() => {});
    void hold();
    const timer = setInterval(() => void hold(), renewMs);
    window.addEventListener('pagehide', letGo);
    return () => {
      clearInterval(timer);
      window.removeEventListener('pagehide', letGo);
      letGo();
    };
  }, [number]);
}
