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
  /** The account and the last minute of each link that was used lately. */
  const used = new Map<string, { accountId: string; number: number }>();
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
    add(accountId: string, link: string, outcomes: readonly SmsOutcome[]): void {
      const known = links.get(link) ?? { minutes: [], lastError: null };
      links.set(link, known);
      const minute = minuteOf(known.minutes);
      used.set(link, { accountId, number: minute.number });
      for (const outcome of outcomes) {
        if (outcome.kind === 'accepted') minute.sent++;
        else {
          minute.failed++;
          known.lastError = outcome.description;
        }
      }
    },
    /** A minute longer than what was sent counts: it has to be told that it does not any more. */
    lately(): { accountId: string; uuid: string }[] {
      const oldest = thisMinute() - minutesKept - 1;
      for (const [uuid, { number }] of used) if (number < oldest) used.delete(uuid);
      return [...used].map(([uuid, { accountId }]) => ({ accountId, uuid }));
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
