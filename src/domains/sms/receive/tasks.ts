import type { Deps, Task } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import { type IncompletePart, purgeInboundAnyAccount, takeIncompleteAnyAccount } from './inbound-queries.ts';
import { incompleteOf } from './join.ts';
import { purgeEarlyAnyAccount } from './part-queries.ts';
import { storeWritten } from './receive.ts';

const mostAtOnce = 500;

export const tasks: Task[] = [
  {
    name: 'sms.tidy',
    batchSize: 1,
    cron: '27 * * * *',
    async handler(deps) {
      await storeIncomplete(deps);
      await purgeInboundAnyAccount(deps.db);
      await purgeEarlyAnyAccount(deps.db);
    },
  },
];

/** Long messages whose last parts did not come within a day are stored as what there is. */
const storeIncomplete = (deps: Deps): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const incomplete = Map.groupBy(await takeIncompleteAnyAccount(db, mostAtOnce), keyOf);
    for (const parts of incomplete.values()) {
      const { account_id: accountId, link: uuid } = parts[0]!;
      await storeWritten(deps, { accountId, uuid, carrier: null }, [incompleteOf(parts)]);
    }
  });

const keyOf = ({ account_id, link, fromDigits, toDigits, reference, total }: IncompletePart): string =>
  JSON.stringify([account_id, link, fromDigits, toDigits, reference, total]);
