import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { uuidArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db } from '../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';
import { masked } from '../../platform/text/redact.ts';
import { deleteEventsOf } from '../timeline/index.ts';
import { deleteDeliveriesOf } from '../webhooks/index.ts';
import { moveSms } from './deliver/move.ts';
import { removeStates } from './deliver/states.ts';

/**
 * What waits to leave stays; what was sent waits for its receipt for 30 days, as a message does. Networks try for some days, and
 * what got no answer fails after three (`recover.ts`).
 */
export const smsRetention: RetentionRule = {
  kind: 'sms',
  tables: [
    { name: 'sms_states', key: 'uuid' },
    { name: 'sms', key: 'uuid' },
    { name: 'sms_parts', key: 'sms' },
  ],
  waiting: {
    when: () => sql`status in ('QUEUED', 'SENT') and (status = 'QUEUED' or modified > now() - interval '30 days')`,
  },
};

/**
 * Removes SMS to and from a person, at most so many, in the transaction of `deps`. What waits to leave is cancelled first, so that launches
 * count it. What is in somebody's hand has no state yet, or is claimed: it stays until that is over.
 */
export async function eraseSms(deps: Deps, accountId: string, digits: string, most: number): Promise<number> {
  const { db } = deps;
  const { rows } = await sql<{ uuid: string; is_queued: boolean }>`
    select sms.uuid, state.status = 'QUEUED' as is_queued
    from sms join sms_states as state on state.account_id = sms.account_id and state.uuid = sms.uuid
    where sms.account_id = ${accountId} and ${isParty(digits)} and state.claimed_by is null
    limit ${most}`.execute(db);
  const cancelled = { accountId, status: 'CANCELLED', description: 'The recipient was erased.' } as const;
  await moveSms(
    deps,
    rows.filter(({ is_queued }) => is_queued).map(({ uuid }) => ({ ...cancelled, uuid })),
  );
  await sql`delete from sms_inbound_parts where account_id = ${accountId} and from_digits = ${digits}`.execute(db);
  await sql`
    delete from sms_early_receipts where account_id = ${accountId} and ${digits} in (from_digits, to_digits)`.execute(
    db,
  );
  if (rows.length === 0) return 0;
  const uuids = rows.map(({ uuid }) => uuid);
  await removeStates(db, accountId, uuids);
  await sql`delete from sms_parts where account_id = ${accountId} and sms = any (${uuids}::uuid[])`.execute(db);
  await sql`delete from sms where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
  await deleteDeliveriesOf(db, accountId, uuids);
  await deleteEventsOf(db, accountId, uuids);
  return uuids.length;
}

/** Whether some are left, because they are just being handed over. */
export async function hasSmsWith(db: Db, accountId: string, digits: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sms where account_id = ${accountId} and ${isParty(digits)} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

const isParty = (digits: string) => sql`
  (sms.direction = 'OUTBOUND' and sms.to_digits = ${digits} or sms.direction = 'INBOUND' and sms.from_digits = ${digits})`;

/** Masks sensitive SMS that are through, or of which nobody reported for so long; at most so many. Answers how many. */
export async function maskSmsAnyAccount(db: Db, { most, before }: { most: number; before: Date }): Promise<number> {
  const { rows } = await sql<{ account_id: string; uuid: string }>`
    select sms.account_id, sms.uuid
    from sms join sms_states as state on state.account_id = sms.account_id and state.uuid = sms.uuid
    where sms.sensitive = 1 and (state.status in ('DELIVERED', 'FAILED', 'CANCELLED')
      or state.status = 'SENT' and sms.created < ${before.toISOString()})
    limit ${most}`.execute(db);
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    await sql`
      update sms set text = ${contentOf(db).text(accountId, masked)}, sensitive = 2
      where account_id = ${accountId} and uuid = any (${uuidArray(own.map(({ uuid }) => uuid))}::uuid[])`.execute(db);
  }
  return rows.length;
}
