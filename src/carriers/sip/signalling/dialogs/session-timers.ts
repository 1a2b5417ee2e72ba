// Session timers (RFC 4028): both sides notice when the other is gone, though nobody hung up.
import { integerOf, parseParams, tokensOf } from '../message/fields.ts';
import { type Given, header, type SipMessage, type SipRequest } from '../message/message.ts';
import type { Timing } from '../transactions/timing.ts';

/** What we ask for where we ask, and the least that we agree to (4 and 5: not below 90). */
export const wishedSeconds = 1_800;
export const leastSeconds = 90;

export interface Terms {
  seconds: number;
  weRefresh: boolean;
}

const has = (message: SipMessage, name: string): boolean =>
  [...tokensOf(message, 'supported'), ...tokensOf(message, 'require')].some((token) => token.toLowerCase() === name);

const refresherOf = (message: SipMessage): string | null | undefined => {
  const value = header(message, 'session-expires') ?? '';
  const semicolon = value.indexOf(';');
  return semicolon < 0 ? undefined : parseParams(value.slice(semicolon)).get('refresher');
};

/** What a request with an offer (INVITE, UPDATE) leads to when we answer it. `tooSmall`: 422. */
export function termsOfRequest(request: SipRequest): { terms?: Terms; headers: Given; tooSmall?: true } {
  const seconds = integerOf(request, 'session-expires');
  if (seconds === undefined) return { headers: {} };
  const theyCan = has(request, 'timer');
  if (seconds < leastSeconds && theyCan) return { headers: { 'min-se': String(leastSeconds) }, tooSmall: true };
  const weRefresh = !theyCan || refresherOf(request) === 'uas';
  const agreed = Math.max(seconds, leastSeconds);
  return {
    terms: { seconds: agreed, weRefresh },
    headers: {
      'session-expires': `${agreed};refresher=${weRefresh ? 'uas' : 'uac'}`,
      ...(theyCan && { require: 'timer' }),
    },
  };
}

/** What the response to our request says. Without Session-Expires, nobody refreshes the session. */
export function termsOfAnswer(response: SipMessage): Terms | undefined {
  const seconds = integerOf(response, 'session-expires');
  if (seconds === undefined) return undefined;
  return { seconds: Math.max(seconds, leastSeconds), weRefresh: refresherOf(response) !== 'uas' };
}

export interface SessionTimer {
  /** The terms of the last refresh, from now on. */
  set(terms: Terms | undefined): void;
  stop(): void;
}

export function makeSessionTimer(timing: Timing, on: { refresh(): void; expire(): void }): SessionTimer {
  let cancel: (() => void) | undefined;
  return {
    set(terms) {
      cancel?.();
      cancel = undefined;
      if (!terms) return;
      const ms = terms.seconds * 1000;
      // 10: the one refreshes at half of it, the other gives up a little before its end.
      cancel = terms.weRefresh
        ? timing.after(ms / 2, on.refresh)
        : timing.after(ms - Math.min(32_000, ms / 3), on.expire);
    },
    stop: () => cancel?.(),
  };
}
