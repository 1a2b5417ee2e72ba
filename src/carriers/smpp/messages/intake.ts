import type { Log } from '../../../platform/log.ts';
import { makeBatches } from '../../../platform/work/batches.ts';
import type { SmsEvent } from '../../ports/sms.ts';

/** PDUs that are stored together. */
export const mostTogether = 200;

/**
 * Brings in what a link hears. What comes while a batch is being stored waits and goes with the next; each is
 * acknowledged when its own is stored. When a batch cannot be stored its events go one by one, so that one that can never
 * be stored is the only one that comes again.
 */
export function makeIntake(receive: (events: SmsEvent[]) => Promise<unknown>, log: Log) {
  const batches = makeBatches({ largest: mostTogether, inFlight: 1 });

  async function store(events: SmsEvent[]): Promise<PromiseSettledResult<void>[]> {
    try {
      await receive(events);
      return events.map(() => ({ status: 'fulfilled', value: undefined }));
    } catch (error) {
      if (events.length === 1) throw error;
      log.warn({ error: (error as Error).message }, 'What came over a link could not be stored together');
    }
    const results: PromiseSettledResult<void>[] = [];
    for (const event of events) results.push(...(await Promise.allSettled([receive([event]).then(() => {})])));
    return results;
  }

  return (event: SmsEvent): Promise<void> => batches.run('intake', event, store);
}
