import type { Deps } from '../deps.ts';
import { maskMessagesAnyAccount } from '../domains/messages/index.ts';
import { maskSmsAnyAccount } from '../domains/sms/index.ts';
import { type Loop, startLoop } from '../platform/work/loop.ts';

const pauseMs = 3_000;
const mostAtOnce = 200;
/** A one-time password of which no receipt came is of no use any more. */
const longestMs = 24 * 3_600_000;

const somethingText = `exists (select 1 from messages where sensitive = 1) or exists (select 1 from sms where sensitive = 1)`;

/** Takes what sensitive messages said out of their rows, once they were delivered or have failed. */
export function startMasking({ db, clock, log, listener }: Deps): Loop {
  const mask = async (): Promise<number> => {
    const limits = { most: mostAtOnce, before: new Date(clock.now().getTime() - longestMs) };
    const counts = [await maskMessagesAnyAccount(db, limits), await maskSmsAnyAccount(db, limits)];
    return counts.includes(mostAtOnce) ? 0 : pauseMs;
  };
  return startLoop(log, 'masking', mask, { watch: listener.poll.watch(somethingText) });
}
