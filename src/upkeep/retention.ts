import { sql } from 'kysely';
import { purgeLegsAnyAccount, sandboxRetention } from '../carriers/sandbox/index.ts';
import type { Deps, Task } from '../deps.ts';
import {
  daysOf,
  findRetentionsAnyAccount,
  oldBefore,
  purgeAuditLogAnyAccount,
  purgeChallengesAnyAccount,
  purgeInvitationsAnyAccount,
  purgeSessionsAnyAccount,
  purgeSignInsAnyAccount,
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
      const { rule, account } = (payloads[0] ?? {}) as Partial<Rest>;
      const rest = await purgeOldAnyAccount(deps, { ...(rule && { from: { rule, account: account ?? '' } }), mostMs });
      if (rest !== undefined) await deps.queue.enqueue(deps.db, name, [rest]);
    },
  },
];

/** What is left for the next time: the rule by the name of its first table, and the account, or '' for the first. */
interface Rest {
  rule: string;
  account: string;
}

/** Goes through the rules, and the accounts that have something old. Answers where to go on, if time is over before. */
export async function purgeOldAnyAccount(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { from, mostMs, most = mostAtOnce }: { from?: Rest; mostMs: number; most?: number },
): Promise<Rest | undefined> {
  const end = performance.now() + mostMs;
  const retentions = await findRetentionsAnyAccount(db);
  const ways: { rule: RetentionRule; isByRow: boolean }[] = [];
  for (const rule of retentionRules) {
    const { month } = retentions.get(rule.kind)!;
    const dropped = rule.isWhole ? 'waiting' : await dropOldPartitionsAnyAccount(db, rule, month);
    if (dropped === 'busy') log.warn({ tables: rule.tables }, 'Old partitions were in use; they go another night');
    ways.push({ rule, isByRow: dropped === 'waiting' });
  }
  const first = from ? ways.findIndex(({ rule }) => nameOf(rule) === from.rule) : 0;
  for (const { rule, isByRow } of ways.slice(Math.max(0, first))) {
    let rest: Rest = { rule: nameOf(rule), account: from?.rule === nameOf(rule) ? from.account : '' };
    if (performance.now() > end) return rest;
    const { month, youngest, shortest, longest } = retentions.get(rule.kind)!;
    if (!isByRow && shortest === longest) continue;
    const beginning = await findBeginningAnyAccount(db, rule);
    // Those that keep things the longest let go of whole months.
    const ofLongest = isByRow ? sql`${month}::uuid` : sql`null::uuid`;
    const accounts = await findWithOldAnyAccount(
      db,
      { ...rule.tables[0], isWhole: rule.isWhole === true },
      {
        before: sql`case when ${daysOf(rule.kind)} >= ${longest} then ${ofLongest} else ${oldBefore(rule.kind)} end`,
        youngest: sql`${shortest === longest ? month : youngest}::uuid`,
        beginning: beginning.id,
        ...(rest.account !== '' && { from: rest.account }),
      },
    );
    for (const { uuid, before } of accounts) {
      rest = { ...rest, account: uuid };
      let after: Place | undefined = beginning;
      while (after !== undefined) {
        if (performance.now() > end) return rest;
        after = await deleteOld(db, uuid, rule, { after, before, most });
      }
    }
  }
  return undefined;
}

const nameOf = ({ tables: [{ name }] }: RetentionRule): string => name;

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
