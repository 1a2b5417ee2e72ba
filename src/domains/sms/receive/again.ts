import type { SmsEvent } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { onTakeover } from '../../../platform/db/connect/takeover.ts';
import { keepNewest } from '../../../platform/work/newest.ts';
import { findFingerprints } from './inbound-queries.ts';
import { findByCarrierIds } from './part-queries.ts';
import type { Origin } from './receipts.ts';

/** An asynchronous standby is rarely further behind. */
const keptMs = 30_000;
/** Of each such span. */
const most = 50_000;
const mostAtOnce = 500;

interface Kept<L extends Origin> {
  link: L;
  event: SmsEvent;
}

/**
 * SMS centres do not repeat what was acknowledged. So where a standby has taken over, this process stores again what came over its links
 * lately and is not there. Parts of long texts have nothing that they are known by, and are left out.
 */
export function makeReceivingAgain<L extends Origin>(
  deps: Deps,
  receive: (link: L, events: SmsEvent[]) => Promise<object[]>,
) {
  const newest = keepNewest<Kept<L>>(most, keptMs, () => performance.now());
  const { stop } = onTakeover(deps, 'What links brought before a failover could not be stored again', async () => {
    const byLink = Map.groupBy(newest.kept(), ({ link }) => `${link.accountId} ${link.uuid}`);
    for (const kept of byLink.values()) {
      for (let from = 0; from < kept.length; from += mostAtOnce) {
        const { link } = kept[from]!;
        const events = kept.slice(from, from + mostAtOnce).map(({ event }) => event);
        const lost = await findLost(deps, link, events);
        if (lost.length > 0) await receive(link, lost);
      }
    }
  });
  return {
    note(link: L, events: readonly SmsEvent[]): void {
      for (const event of events) newest.add({ link, event });
    },
    stop,
  };
}

/** Those that are not stored, as far as can be told: of receipts, those that say how a part ended. */
async function findLost({ db }: Deps, { accountId, uuid }: Origin, events: SmsEvent[]): Promise<SmsEvent[]> {
  const ids = events.flatMap((event) => (event.kind === 'receipt' ? [event.id] : []));
  const parts = await findByCarrierIds(db, accountId, uuid, [...new Set(ids)]);
  const marks = events.flatMap((event) => (event.kind === 'message' && event.mark ? [event.mark.fingerprint] : []));
  const there = await findFingerprints(db, accountId, uuid, marks);
  return events.filter((event) => {
    if (event.kind === 'receipt') return event.status !== 'SENT' && (parts.get(event.id)?.status ?? 'SENT') === 'SENT';
    return event.id !== null || (event.mark !== undefined && !there.has(event.mark.fingerprint));
  });
}
