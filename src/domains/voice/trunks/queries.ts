import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import { newId } from '../../../platform/ids.ts';

/** SQL of the trunks that calls come and go by. The carrier reads them, and keeps what it knows of them in a table of its own. */

/** What a trunk is told to be. */
export interface TrunkFields {
  name: string;
  host: string;
  port: number;
  transport: string;
  tls_verify: boolean;
  tls_ca: string | null;
  tls_client_name: string | null;
  srtp: string;
  username: string;
  password: string | null;
  register: boolean;
  allowed_addresses: string[];
  codecs: string[];
  from_domain: string;
  weight: number;
  enabled: boolean;
}

export interface TrunkRow extends TrunkFields {
  account_id: string;
  uuid: string;
  created: string;
  modified: string;
}

/** The driver knows no arrays of networks. One that is a single address is shown as that. */
const allowedAddresses = sql<string[]>`array(
  select case when masklen(one) = case when family(one) = 4 then 32 else 128 end then host(one) else one::text end
  from unnest(allowed_addresses) as one)`;
const columns = sql<TrunkRow>`account_id, uuid, name, host, port, transport, tls_verify, tls_ca, tls_client_name, srtp, username, password, register,
  ${allowedAddresses} as allowed_addresses, codecs, from_domain, weight, enabled, created, modified`;

export const listTrunks = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(
    db,
    db
      .selectFrom('sip_trunks')
      .selectAll()
      .select(allowedAddresses.as('allowed_addresses'))
      .where('account_id', '=', accountId),
    query,
  );

export async function findTrunk(
  db: Db,
  accountId: string,
  uuid: string,
  { lock = false } = {},
): Promise<TrunkRow | undefined> {
  const { rows } = await sql<TrunkRow>`
    select ${columns} from sip_trunks where account_id = ${accountId} and uuid = ${uuid}
    ${lock ? sql`for no key update` : sql``}`.execute(db);
  return rows[0];
}

const valuesOf = (trunk: TrunkFields) => [
  ...[trunk.name, trunk.host, trunk.port, trunk.transport, trunk.username, trunk.password, trunk.register],
  ...[
    trunk.from_domain,
    trunk.weight,
    trunk.enabled,
    trunk.tls_verify,
    trunk.tls_ca,
    trunk.tls_client_name,
    trunk.srtp,
  ],
];

/** undefined: another trunk has this name. */
export async function insertTrunk(db: Db, accountId: string, trunk: TrunkFields): Promise<TrunkRow | undefined> {
  const uuid = newId();
  const { rows } = await sql`
    insert into sip_trunks (account_id, uuid, name, host, port, transport, username, password, register, from_domain, weight,
      enabled, tls_verify, tls_ca, tls_client_name, srtp, allowed_addresses, codecs)
    values (${accountId}, ${uuid}, ${sql.join(valuesOf(trunk))}, ${trunk.allowed_addresses}::text[]::cidr[],
      ${trunk.codecs}::text[])
    on conflict (account_id, name) do nothing
    returning uuid`.execute(db);
  return rows.length === 0 ? undefined : findTrunk(db, accountId, uuid);
}

/** undefined: another trunk has this name. */
export async function updateTrunk(
  db: Db,
  accountId: string,
  uuid: string,
  trunk: TrunkFields,
): Promise<TrunkRow | undefined> {
  const { rows } = await sql`
    update sip_trunks set name = ${trunk.name}, host = ${trunk.host}, port = ${trunk.port}, transport = ${trunk.transport},
      username = ${trunk.username}, password = ${trunk.password}, register = ${trunk.register},
      from_domain = ${trunk.from_domain}, weight = ${trunk.weight}, enabled = ${trunk.enabled},
      tls_verify = ${trunk.tls_verify}, tls_ca = ${trunk.tls_ca}, tls_client_name = ${trunk.tls_client_name}, srtp = ${trunk.srtp},
      allowed_addresses = ${trunk.allowed_addresses}::text[]::cidr[], codecs = ${trunk.codecs}::text[], modified = now()
    where account_id = ${accountId} and uuid = ${uuid} and not exists (
      select 1 from sip_trunks as other
      where other.account_id = ${accountId} and other.name = ${trunk.name} and other.uuid <> ${uuid})
    returning uuid`.execute(db);
  return rows.length === 0 ? undefined : findTrunk(db, accountId, uuid);
}

export async function deleteTrunkRow(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sip_trunks')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
