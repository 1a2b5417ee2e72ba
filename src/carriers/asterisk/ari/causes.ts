import type { LegEnd } from '../../ports/voice.ts';
import type { Destroyed } from './events.ts';

/**
 * Asterisk speaks of ends in the causes of Q.850, the product in the codes of SIP. Both ways as `chan_pjsip` has them, except
 * that 21 is a person who declined (603), which it writes as 403.
 */
const sipByCause = new Map([
  [1, 404],
  [2, 404],
  [3, 404],
  [17, 486],
  [18, 408],
  [19, 480],
  [20, 480],
  [21, 603],
  [22, 410],
  [23, 302],
  [27, 502],
  [28, 484],
  [29, 501],
  [31, 480],
  [34, 503],
  [38, 500],
  [41, 503],
  [42, 503],
  [44, 503],
  [58, 488],
  [66, 503],
  [102, 504],
  [127, 500],
]);

const causeBySip = new Map([
  [401, 21],
  [403, 21],
  [404, 1],
  [407, 21],
  [408, 18],
  [410, 22],
  [480, 19],
  [484, 28],
  [485, 1],
  [486, 17],
  [488, 58],
  [500, 38],
  [501, 29],
  [502, 27],
  [503, 34],
  [504, 102],
  [600, 17],
  [603, 21],
  [604, 1],
  [606, 58],
]);

const callRejected = 21;
const congestion = 34;
export const normalClearing = 16;

/** For refusing a call with SIP's code. */
export const causeOf = (code: number): number =>
  causeBySip.get(code) ?? (code >= 500 && code < 600 ? congestion : callRejected);

/** Why a call did not come about. What SIP itself said is more exact, where Asterisk tells it. */
export const codeOf = ({ cause, techCause }: Destroyed): number =>
  techCause >= 300 && techCause < 700 ? techCause : (sipByCause.get(cause) ?? 480);

/** Causes of the network and not of a person: a call that had been answered broke. */
const broken = new Set([27, 34, 38, 41, 42, 44, 66, 102, 127]);
const isBroken = ({ cause }: Destroyed): boolean => broken.has(cause);

/** How a leg ended that had been answered, and that we did not hang up. */
export const answeredEnd = (how: Destroyed): LegEnd =>
  isBroken(how) ? brokenEnd(how) : { by: 'peer', code: 200, description: 'Hung up.' };

/** The same of a caller whom nobody had answered. */
export const unansweredEnd = (how: Destroyed): LegEnd =>
  isBroken(how) ? brokenEnd(how) : { by: 'peer', code: 487, description: 'The caller hung up before the answer.' };

const brokenEnd = (how: Destroyed): LegEnd => ({
  by: 'network',
  code: codeOf(how),
  description: how.text || 'The connection broke.',
});
