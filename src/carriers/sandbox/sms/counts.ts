import type { Clock } from '../../../platform/time/clock.ts';
import type { SmsLinkReport, SmsOutcome } from '../../ports/sms.ts';

const minutesKept = 5;
const minuteMs = 60_000;

interface Minute {
  number: number;
  sent: number;
  failed: number;
}

/** What left by each link in the last minutes, as far as this process sent it. */
export function makeSmsCounts(clock: Clock) {
  const links = new Map<string, { minutes: Minute[]; lastError: string | null }>();
  const since = clock.now();
  const thisMinute = (): number => Math.floor(clock.now().getTime() / minuteMs);

  function minuteOf(minutes: Minute[]): Minute {
    const number = thisMinute();
    const last = minutes.at(-1);
    if (last?.number === number) return last;
    const minute = { number, sent: 0, failed: 0 };
    minutes.push(minute);
    if (minutes.length > minutesKept) minutes.shift();
    return minute;
  }

  return {
    add(link: string, outcomes: readonly SmsOutcome[]): void {
      const known = links.get(link) ?? { minutes: [], lastError: null };
      links.set(link, known);
      const minute = minuteOf(known.minutes);
      for (const outcome of outcomes) {
        if (outcome.kind === 'accepted') minute.sent++;
        else {
          minute.failed++;
          known.lastError = outcome.description;
        }
      }
    },
    report(link: string): SmsLinkReport {
      const { minutes = [], lastError = null } = links.get(link) ?? {};
      const recent = minutes.filter(({ number }) => number > thisMinute() - minutesKept);
      return {
        state: 'UP',
        since,
        sent: recent.reduce((total, { sent }) => total + sent, 0),
        failed: recent.reduce((total, { failed }) => total + failed, 0),
        // Nothing travels anywhere.
        latencyMs: { p50: null, p99: null },
        lastError,
      };
    },
  };
}
