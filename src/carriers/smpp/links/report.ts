import type { SmsLinkReport } from '../../ports/sms.ts';
import type { LinkSnapshot } from './link.ts';

/** What network status shows of a link. A link that this process does not hold is reported as down. */
export function reportOf(snapshot: LinkSnapshot | undefined, now: Date): SmsLinkReport {
  if (!snapshot) {
    return { state: 'DOWN', since: now, sent: 0, failed: 0, latencyMs: { p50: null, p99: null }, lastError: null };
  }
  const { sent, failed } = snapshot.lastFiveMinutes;
  return {
    state: stateOf(snapshot),
    since: snapshot.since,
    sent,
    failed,
    latencyMs: snapshot.latencyMs ?? { p50: null, p99: null },
    lastError: snapshot.lastError?.message ?? null,
  };
}

/** Down: an attempt has failed since it was last up, and the next one is waited for. */
function stateOf({ state, binds }: LinkSnapshot): SmsLinkReport['state'] {
  if (state === 'stopped') return 'DOWN';
  if (binds.some(({ mode, state }) => mode !== 'receiver' && state === 'bound')) return 'UP';
  return binds.some(({ state }) => state === 'waiting') ? 'DOWN' : 'CONNECTING';
}
