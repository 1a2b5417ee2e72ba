import { purgeLegsAnyAccount, sandboxRetention } from '../carriers/sandbox/index.ts';
import type { Deps, Task } from '../deps.ts';
import {
  findRetentionsAnyAccount,
  purgeAuditLogAnyAccount,
  purgeChallengesAnyAccount,
  purgeInvitationsAnyAccount,
  purgeSessionsAnyAccount,
  purgeSignInsAnyAccount,
  type Retentions,
  recountStorageAnyAccount,
} from '../domains/accounts/index.ts';
import { recipientRetention } from '../domains/campaigns/index.ts';
import { purgeMembershipsAnyAccount } from '../domains/contacts/index.ts';
import { purgePayloadsAnyAccount } from '../domains/inbound/index.ts';
import { sessionRetention } from '../domains/intros/index.ts';
import { purgeJobFilesAnyAccount, resultRetention } from '../domains/jobs/index.ts';
import { leadRetention } from '../domains/leads/index.ts';
import { inboundMediaRetention } from '../domains/media/index.ts';
import {
  conversationRetention,
  messageRetention,
  purgeInboundIdsAnyAccount,
  purgePairRatesAnyAccount,
} from '../domains/messages/index.ts';
import { purgeSafeguardCountsAnyAccount } from '../domains/safeguards/index.ts';
import { smsRetention } from '../domains/sms/index.ts';
import { eventRetention } from '../domains/timeline/index.ts';
import { callRetention } from '../domains/voice/index.ts';
import { attemptRetention, deliveryRetention } from '../domains/webhooks/index.ts';
import {
  deleteOld,
  dropOldPartitionsAnyAccount,
  ensurePartitionsAnyAccount,
  findBeginningAnyAccount,
  findWithOldAnyAccount,
  type Place,
  type RetentionRule,
} from '../platform/db/retention.ts';
import { purgeAllowancesAnyAccount } from '../platform/http/access/rate-limit.ts';
import { purgeIdempotencyKeysAnyAccount } from '../platform/http/idempotency.ts';

/** All that goes by its age, in the order in which it goes: what tells of others after them. */
export const retentionRules: readonly RetentionRule[] = [
  messageRetention,
  inboundMediaRetention,
  smsRetention,
  callRetention,
  sessionRetention,
  leadRetention,
  conversationRetention,
  recipientRetention,
  resultRetention,
  deliveryRetention,
  attemptRetention,
  eventRetention,
  sandboxRetention,
];

const mostAtOnce = 5_000;
/** So many are asked by one statement whether they have anything old. */
const accountsAtOnce = 1_000;
/** The queue takes a task for dead after five minutes. */
const mostMs = 240_000;

const name = 'retention.purge';

/**
 * Lets go of what is older than accounts keep things (`retention_days`, `retention`), as decision 16 tells. Months that are old for every
 * account go whole; accounts that keep things for a shorter time lose rows, a batch at a time.
 */
export const retentionTasks: Task[] = [
  {
    name,
    batchSize: 1,
    cron: '53 3 * * *',
    async handler(deps, payloads) {
      const { account } = (payloads[0] ?? {}) as { account?: string };
      const rest = await purgeOldAnyAccount(deps, { ...(account !== undefined && { from: account }), mostMs });
      if (rest !== undefined) await deps.queue.enqueue(deps.db, name, [{ account: rest }]);
    },
  },
];

/**
 * Goes through the accounts, in the order of their ids; of those that have nothing old none costs a statement. Answers the one to go on
 * with, if time is over before all were seen.
 */
export async function purgeOldAnyAccount(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { from = '', mostMs, most = mostAtOnce }: { from?: string; mostMs: number; most?: number },
): Promise<string | undefined> {
  const end = performance.now() + mostMs;
  const { accounts } = await findRetentionsAnyAccount(db);
  const kinds = new Map<string | undefined, Retentions>();
  const ways: { rule: RetentionRule; beginning: Place; isByRow: boolean; retentions: Retentions }[] = [];
  for (const rule of retentionRules) {
    const retentions = kinds.get(rule.kind) ?? (await findRetentionsAnyAccount(db, rule.kind));
    kinds.set(rule.kind, retentions);
    const dropped = rule.isWhole ? 'waiting' : await dropOldPartitionsAnyAccount(db, rule, retentions.month);
    if (dropped === 'busy') log.warn({ tables: rule.tables }, 'Old partitions were in use; they go another night');
    ways.push({ rule, beginning: await findBeginningAnyAccount(db, rule), isByRow: dropped === 'waiting', retentions });
  }
  const left = accounts.filter(({ uuid }) => uuid >= from);
  for (let start = 0; start < left.length; start += accountsAtOnce) {
    const first = left[start]!.uuid;
    const next = left[start + accountsAtOnce]?.uuid;
    for (const { rule, beginning, isByRow, retentions } of ways) {
      if (performance.now() > end) return first;
      const some = retentions.accounts.filter(({ uuid }) => uuid >= first && (next === undefined || uuid < next));
      const asked = some.filter(({ isLongest }) => isByRow || !isLongest);
      for (const { uuid, before } of await findWithOldAnyAccount(db, rule, beginning, asked)) {
        let after: Place | undefined = beginning;
        while (after !== undefined) {
          if (performance.now() > end) return first;
          after = await deleteOld(db, uuid, rule, { after, before, most });
        }
      }
    }
  }
  return undefined;
}

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
      await purgeLegsAnyAccount(db);
      await purgeSignInsAnyAccount(db);
      await purgeSafeguardCountsAnyAccount(db);
      await purgeChallengesAnyAccount(db);
    },
  },
  {
    // After what is old has gone. It lists whole folders of the store, so it costs as much as there are files.
    name: 'platform.maintain-files',
    batchSize: 1,
    cron: '43 4 * * *',
    async handler(deps) {
      await purgeJobFilesAnyAccount(deps);
      await recountStorageAnyAccount(deps);
    },
  },
];
