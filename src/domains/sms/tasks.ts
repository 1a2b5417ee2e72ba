import type { Deps, Task } from '../../deps.ts';
import { within } from '../../platform/within.ts';
import { purgeInboundAnyAccount, type Torso, takeTorsosAnyAccount } from './inbound-queries.ts';
import { torsoOf } from './join.ts';
import { purgeEarlyAnyAccount } from './part-queries.ts';
import { storeWritten } from './receive.ts';

const mostAtOnce = 500;

export const tasks: Task[] = [
  {
    name: 'sms.tidy',
    batchSize: 1,
    cron: '27 * * * *',
    async handler(deps) {
      await storeTorsos(deps);
      await purgeInboundAnyAccount(deps.db);
      await purgeEarlyAnyAccount(deps.db);
    },
  },
];

/** Long messages whose last parts did not come within a day are stored as what there is. */
const storeTorsos = (deps: Deps): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const torsos = Map.groupBy(await takeTorsosAnyAccount(db, mostAtOnce), keyOf);
    for (const parts of torsos.values()) {
      const { account_id: accountId, link: uuid } = parts[0]!;
      await storeWritten(deps, { accountId, uuid, carrier: null }, [torsoOf(parts)]);
    }
  });

const keyOf = ({ account_id, link, fromDigits, toDigits, reference, total }: Torso): string =>
  JSON.stringify([account_id, link, fromDigits, toDigits, reference, total]);
