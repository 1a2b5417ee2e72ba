import { sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { seeLiving } from '../../../platform/process/living.ts';

/** SQL of the trunks as the carrier needs them. They are changed elsewhere (`domains/voice`); their states are ours. */

export interface TrunkRow {
  account_id: string;
  uuid: string;
  name: string;
  host: string;
  port: number;
  transport: string;
  username: string;
  password: string | null;
  register: boolean;
  allowed_addresses: string[];
  codecs: string[];
  from_domain: string;
  weight: number;
  srtp: string;
  tls_verify: boolean;
  tls_ca: string | null;
  tls_client_name: string | null;
  modified: string;
}

/** Which accounts' trunks are meant: all, or those of these accounts. */
export type Whose = 'all' | ReadonlySet<string>;

const ofAccounts = (whose: Whose) =>
  whose === 'all' ? sql`true` : sql`trunk.account_id = any (${uuidArray([...whose])}::uuid[])`;

const columns = sql`account_id, uuid, name, host, port, transport, username, password, register,
  allowed_addresses::text[] as allowed_addresses, codecs, from_domain, weight, srtp, tls_verify, tls_ca, tls_client_name, modified`;

/** The enabled trunks. */
export async function findTrunksAnyAccount(db: Db, whose: Whose): Promise<TrunkRow[]> {
  const { rows } = await sql<TrunkRow>`
    select ${columns} from sip_trunks as trunk where enabled and ${ofAccounts(whose)} order by uuid`.execute(db);
  return rows;
}

/** The enabled trunks of the accounts that follow one in their order, as many as that; the last account's may be incomplete. */
export async function findNextTrunksAnyAccount(db: Db, after: string, most: number): Promise<TrunkRow[]> {
  const { rows } = await sql<TrunkRow>`
    select ${columns} from sip_trunks as trunk where enabled and account_id > ${after}
    order by account_id, uuid limit ${most}`.execute(db);
  return rows;
}

/** The trunks that a process looks after. */
export async function findOwnedAnyAccount(db: Db, owner: number): Promise<{ accountId: string; uuid: string }[]> {
  const { rows } = await sql<{ accountId: string; uuid: string }>`
    select account_id as "accountId", trunk as uuid from sip_trunk_states where owner = ${owner}`.execute(db);
  return rows;
}

/** How many that is. Fewer than before: another process took one, or its trunk is no more. */
export async function countOwnedAnyAccount(db: Db, owner: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from sip_trunk_states where owner = ${owner}`.execute(db);
  return rows[0]!.count;
}

/** Gives back trunks that a process does not look after any more. */
export async function disownAnyAccount(db: Db, owner: number, trunks: { accountId: string; uuid: string }[]) {
  await sql`
    update sip_trunk_states as state set owner = null
    from unnest(${trunks.map(({ accountId }) => accountId)}::uuid[], ${trunks.map(({ uuid }) => uuid)}::uuid[]) as left_alone (account_id, trunk)
    where state.account_id = left_alone.account_id and state.trunk = left_alone.trunk and state.owner = ${owner}`.execute(
    db,
  );
}

/** SQL: whether the trunk of a state is enabled, and so is to be held by a process. */
export const isWanted = sql`exists (
  select 1 from sip_trunks where enabled and account_id = sip_trunk_states.account_id and uuid = sip_trunk_states.trunk)`;

/** Makes the states of trunks that have none yet. */
export async function addStatesAnyAccount(db: Db, whose: Whose): Promise<void> {
  await sql`
    insert into sip_trunk_states (account_id, trunk)
    select account_id, uuid from sip_trunks as trunk
    where enabled and ${ofAccounts(whose)} and not exists (
      select 1 from sip_trunk_states as state where state.account_id = trunk.account_id and state.trunk = trunk.uuid)
    on conflict do nothing`.execute(db);
}

/** What the owner of a trunk tells. */
export interface TrunkReport {
  state: 'UP' | 'DOWN' | 'STARTING';
  since: string;
  calls: number;
  lastError: string;
  latencyMs: number | null;
}

export async function storeReportsAnyAccount(
  db: Db,
  reports: { accountId: string; uuid: string; report: string }[],
): Promise<void> {
  await sql`
    update sip_trunk_states as state set report = new.report, reported = now()
    from unnest(${reports.map(({ accountId }) => accountId)}::uuid[], ${reports.map(({ uuid }) => uuid)}::uuid[],
      ${reports.map(({ report }) => report)}::json[]) as new (account_id, trunk, report)
    where state.account_id = new.account_id and state.trunk = new.trunk`.execute(db);
}

/** The enabled trunks of an account with what was last told of them; null where nobody alive looks after one. */
export async function findReports(
  db: Db,
  accountId: string,
): Promise<{ name: string; modified: string; report: Partial<TrunkReport> | null }[]> {
  const living = await seeLiving(db);
  const { rows } = await sql<{ name: string; modified: string; report: Partial<TrunkReport> | null }>`
    select name, modified, case when state.owner = any (${living.workers}) then report end as report
    from sip_trunks as trunk left join sip_trunk_states as state
      on state.account_id = trunk.account_id and state.trunk = trunk.uuid
    where trunk.account_id = ${accountId} and enabled order by trunk.uuid`.execute(db);
  return rows;
}
