import { GraphError } from './graph/errors.ts';
import type { Settings } from './settings.ts';
import type { Time } from './time.ts';
import type { Person, PhoneNumber } from './world.ts';

/** The platform's rates. Each call counts one, or throws the error of the rate it exceeds. */
export interface Limits {
  throughput(number: PhoneNumber): void;
  pair(number: PhoneNumber, person: Person): void;
  /** Answers the value of `X-Business-Use-Case-Usage`. */
  management(accountId: string): string;
}

const hourMs = 3_600_000;

export function makeLimits(time: Time, settings: Settings): Limits {
  // Virtual scheduling (GCRA): the moment up to which a sender has used its share; bursts borrow from the future.
  const usedUntil = new Map<string, number>();
  const calls = new Map<string, { hour: number; count: number }>();

  function take(key: string, everyMs: number, burst: number): boolean {
    const now = time.elapsedMs();
    const next = Math.max(now, usedUntil.get(key) ?? now) + everyMs;
    if (next - now > everyMs * burst + 1e-6) return false;
    usedUntil.set(key, next);
    return true;
  }

  return {
    throughput(number) {
      const rate = number.throughputPerSecond;
      if (rate !== null && !take(number.id, 1000 / rate, rate)) {
        throw new GraphError(130429, 'Cloud API message throughput has been reached.', {
          status: settings.throttleStatus,
        });
      }
    },
    pair(number, person) {
      const { pairEveryMs, pairBurst, throttleStatus: status } = settings;
      if (pairEveryMs === null || take(`${number.id} ${person.userId}`, pairEveryMs, pairBurst)) return;
      const details =
        'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.';
      throw new GraphError(131056, details, { status });
    },
    management(accountId) {
      const hour = Math.floor(time.elapsedMs() / hourMs);
      const before = calls.get(accountId);
      const count = before?.hour === hour ? before.count + 1 : 1;
      calls.set(accountId, { hour, count });
      const most = settings.managementPerHour ?? Number.POSITIVE_INFINITY;
      if (count > most) {
        const details = 'Too many calls have been made from this WhatsApp Business Account.';
        throw new GraphError(80007, details, { status: settings.throttleStatus });
      }
      const share = Math.ceil((count / most) * 100);
      const usage = {
        type: 'whatsapp',
        call_count: share,
        total_cputime: 1,
        total_time: 1,
        estimated_time_to_regain_access: 0,
      };
      return JSON.stringify({ [accountId]: [usage] });
    },
  };
}
