import { purgeLegsAnyAccount } from './carriers/sandbox/index.ts';
import type { Task } from './deps.ts';
import {
  purgeAuditLogAnyAccount,
  purgeChallengesAnyAccount,
  purgeInvitationsAnyAccount,
  purgeSessionsAnyAccount,
  purgeSignInsAnyAccount,
  recountStorageAnyAccount,
} from './domains/accounts/index.ts';
import { purgeMembershipsAnyAccount } from './domains/contacts/index.ts';
import { purgePayloadsAnyAccount } from './domains/inbound/index.ts';
import { purgeJobFilesAnyAccount } from './domains/jobs/index.ts';
import { purgeInboundIdsAnyAccount, purgePairRatesAnyAccount } from './domains/messages/index.ts';
import { purgeSafeguardCountsAnyAccount } from './domains/safeguards/index.ts';
import { ensurePartitionsAnyAccount } from './platform/db/partitions.ts';
import { purgeAllowancesAnyAccount } from './platform/http/allowance-queries.ts';
import { purgeIdempotencyKeysAnyAccount } from './platform/http/idempotency.ts';

/** Work that keeps the database in shape, whatever the product does with it. */
export const maintenanceTasks: Task[] = [
  {
    name: 'platform.maintain',
    batchSize: 1,
    cron: '17 * * * *',
    async handler(deps) {
      const { db } = deps;
      await ensurePartitionsAnyAccount(db);
      await purgeIdempotencyKeysAnyAccount(db);
      await purgeAllowancesAnyAccount(db);
      await purgeSessionsAnyAccount(db);
      await purgeInvitationsAnyAccount(db);
      await purgeAuditLogAnyAccount(deps, deps.config.AUDIT_RETENTION_DAYS);
      await purgePayloadsAnyAccount(db);
      await purgeInboundIdsAnyAccount(db);
      await purgePairRatesAnyAccount(db);
      await purgeMembershipsAnyAccount(db);
      await purgeJobFilesAnyAccount(deps);
      await recountStorageAnyAccount(deps);
      await purgeLegsAnyAccount(db);
      await purgeSignInsAnyAccount(db);
      await purgeSafeguardCountsAnyAccount(db);
      await purgeChallengesAnyAccount(db);
    },
  },
];
