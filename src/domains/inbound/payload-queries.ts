import { sql } from 'kysely';
import { byteaArray, uuidArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db, isDistributed, prepared } from '../../platform/db/connect/pool.ts';
import { perAccount } from '../../platform/db/distribute/layout.ts';

/** SQL of payloads as they came from outside. */

export interface NewPayload {
  accountId: string;
  chatappAccount: string;
  digest: Buffer;
  uuid: string;
  carrier: string;
  body: Buffer;
}

const insert = prepared(
  'inbound.keep',
  `insert into inbound_payloads (account_id, chatapp_account, hash, uuid, carrier, body)
  select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::uuid[], $5::text[], $6::bytea[])
  on conflict (account_id, chatapp_account, hash) do nothing`,
);

export async function insertPayloads(db: Db, payloads: NewPayload[]): Promise<void> {
  const content = contentOf(db);
  await insert(db, [
    uuidArray(payloads.map((payload) => payload.accountId)),
    uuidArray(payloads.map((payload) => payload.chatappAccount)),
    byteaArray(payloads.map((payload) => payload.digest)),
    uuidArray(payloads.map((payload) => payload.uuid)),
    payloads.map((payload) => payload.carrier),
    byteaArray(payloads.map(({ accountId, body }) => content.bytes(accountId, body))),
  ]);
}

export interface WaitingPayload {
  account_id: string;
  uuid: string;
  carrier: string;
  body: Buffer;
  attempts: number;
  received: string;
}

const columns = sql.raw('account_id, uuid, carrier, body, attempts, received');
const waiting = sql.raw('done is null and problem is null and due_at <= now()');

/** Before the first account. */
export const firstAccount = '00000000-0000-0000-0000-000000000000';

/**
 * The next payloads to be read, locked, in the order in which they came; other processes take others. Accounts that have some
 * share the place there is, whatever each of them has waiting: the next `mostAccounts` accounts after a given one.
 */
export async function lockWaitingAnyAccount(
  db: Db,
  { after, mostAccounts, most }: { after: string; mostAccounts: number; most: number },
): Promise<WaitingPayload[]> {
  if (isDistributed(db)) return lockWaitingDistributed(db, { after, mostAccounts, most });
  const { rows } = await sql<WaitingPayload>`
    with recursive account (account_id, place) as (
      (select account_id, 1 from inbound_payloads where ${waiting} and account_id > ${after} order by account_id limit 1)
      union all
      select next.account_id, account.place + 1
      from account, lateral (
        select account_id from inbound_payloads where ${waiting} and account_id > account.account_id order by account_id limit 1
      ) as next
      where account.place < ${mostAccounts}
    )
    select payload.* from account, lateral (
      select ${columns} from inbound_payloads where ${waiting} and account_id = account.account_id order by uuid
      limit (select ${most} / greatest(count(*), 1) from account)
      for update skip locked
    ) as payload
    order by payload.uuid`.execute(db);
  return rows;
}

/** The same in steps, of which each is about all shards, or locks rows of one account alone. */
async function lockWaitingDistributed(
  db: Db,
  { after, mostAccounts, most }: { after: string; mostAccounts: number; most: number },
): Promise<WaitingPayload[]> {
  const { rows: accounts } = await sql<{ account_id: string }>`
    select distinct account_id from inbound_payloads where ${waiting} and account_id > ${after}
    order by account_id limit ${mostAccounts}`.execute(db);
  const payloads: WaitingPayload[] = [];
  for (const { account_id } of accounts) {
    const { rows } = await sql<WaitingPayload>`
      select ${columns} from inbound_payloads where ${waiting} and account_id = ${account_id}
      order by uuid limit ${Math.floor(most / accounts.length)} for update skip locked`.execute(db);
    payloads.push(...rows);
  }
  return payloads.toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1));
}

/** Of these payloads, those that still have to be read, locked. */
export async function lockPayloadsAnyAccount(db: Db, uuids: string[]): Promise<WaitingPayload[]> {
  const isWanted = sql`uuid = any (${uuids}::uuid[]) and done is null and problem is null`;
  const payloads = await perAccount(
    db,
    sql`select account_id from inbound_payloads where ${isWanted}`,
    async (ofAccount) => {
      const { rows } = await sql<WaitingPayload>`
      select ${columns} from inbound_payloads where ${isWanted} and ${ofAccount('account_id')}
      order by uuid for update skip locked`.execute(db);
      return rows;
    },
  );
  return payloads.toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1));
}

export async function finishAnyAccount(db: Db, uuids: string[]): Promise<void> {
  await sql`update inbound_payloads set done = now() where uuid = any (${uuids}::uuid[]) and done is null and problem is null`.execute(
    db,
  );
}

/** Notes a failure, after which the payload waits; with a pause of null it is put aside for good, with its reason. */
export async function noteFailureAnyAccount(
  db: Db,
  uuid: string,
  reason: string,
  { pauseMs }: { pauseMs: number | null },
) {
  await db
    .updateTable('inbound_payloads')
    .set({
      attempts: sql`attempts + 1`,
      ...(pauseMs === null ? { problem: reason } : { due_at: sql`now() + make_interval(secs => ${pauseMs / 1000})` }),
    })
    .where('uuid', '=', uuid)
    .where('done', 'is', null)
    .where('problem', 'is', null)
    .execute();
}

/** The platform repeats itself for seven days at most; what was read longer ago is not needed any more. */
export async function purgePayloadsAnyAccount(db: Db): Promise<void> {
  await sql`delete from inbound_payloads where done < now() - interval '8 days'`.execute(db);
}
