import { clientKey } from '../../../../platform/http/wire/client-address.ts';
import { makeLimiter } from '../transport/limiter.ts';

/**
 * How often passwords may be tried. It is counted before a proof is looked at, by where it comes from and whose name it bears.
 * A proof answers a challenge that was sent to where it comes from (`digest.ts`), so nobody can use up another's tries.
 */
export interface Guesses {
  /** Whether one more may be looked at; it counts as wrong until `forgive`. */
  begin(address: string, user: string): Outcome;
  /** It was right after all: those before it were mistakes. */
  forgive(address: string, user: string): void;
  /** Kept entries, for tests. */
  count(): number;
}

/** `refused`: too many from there. `later`: too many for this user from everywhere; who is right gets through by asking again. */
export type Outcome = 'allowed' | 'refused' | 'later';

const windowMs = 5 * 60_000;
const mostPerUser = 5;
const mostPerSource = 20;
/** Whole networks of machines may guess for one user: so many at once, and then one a second for all of them. */
const perUser = { burst: 50, perSecond: 1 };
const mostKept = 20_000;
const mostProved = 2_000;
/** Names of trunks are not longer. */
const longestUser = 100;

/** `onTooMany` is told once in a while, not for every guess. */
export function makeGuesses(nowMs: () => number, onTooMany: (address: string, user: string) => void): Guesses {
  const tried = new Map<string, { count: number; untilMs: number; isTold: boolean }>();
  /** Who was right lately does not wait in line with those who guess. */
  const proved = new Map<string, true>();
  const users = makeLimiter({ ...perUser, nowMs });

  const keysOf = (address: string, user: string): [string, string] => {
    const source = clientKey(address);
    return [source, `${source} ${user.slice(0, longestUser)}`];
  };

  function countOf(key: string): number {
    const found = tried.get(key);
    return found && found.untilMs > nowMs() ? found.count : 0;
  }

  function add(key: string): void {
    const found = tried.get(key);
    if (found && found.untilMs > nowMs()) {
      found.count++;
      return;
    }
    // The oldest are first, and windows are all of one length: what is over stands in front.
    tried.delete(key);
    for (const [oldest, { untilMs }] of tried) {
      if (untilMs > nowMs() && tried.size < mostKept) break;
      tried.delete(oldest);
    }
    tried.set(key, { count: 1, untilMs: nowMs() + windowMs, isTold: false });
  }

  return {
    begin(address, user) {
      const [source, pair] = keysOf(address, user);
      // One who was right before is not held up by others behind the same address.
      const isKnown = proved.has(pair);
      const isTooMany = countOf(pair) >= mostPerUser || (!isKnown && countOf(source) >= mostPerSource);
      if (isTooMany) {
        const entry = tried.get(pair) ?? tried.get(source)!;
        if (!entry.isTold) onTooMany(address, user.slice(0, longestUser));
        entry.isTold = true;
        return 'refused';
      }
      if (!isKnown && !users.allows(user.slice(0, longestUser))) return 'later';
      add(pair);
      add(source);
      return 'allowed';
    },
    forgive(address, user) {
      const [source, pair] = keysOf(address, user);
      const all = tried.get(source);
      if (all) all.count -= tried.get(pair)?.count ?? 0;
      tried.delete(pair);
      proved.delete(pair);
      if (proved.size >= mostProved) proved.delete(proved.keys().next().value!);
      proved.set(pair, true);
    },
    count: () => tried.size + proved.size,
  };
}
