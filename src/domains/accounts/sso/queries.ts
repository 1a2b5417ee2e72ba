import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { IdentityProviderDomains, IdentityProviders, UserIdentities } from '../../../platform/db/types.ts';

export type ProviderRow = Selectable<IdentityProviders>;
export type DomainRow = Selectable<IdentityProviderDomains>;
export type IdentityRow = Selectable<UserIdentities>;
export type ProviderFields = Pick<
  ProviderRow,
  | 'name'
  | 'issuer'
  | 'client_id'
  | 'client_secret'
  | 'token_auth_method'
  | 'scopes'
  | 'groups_claim'
  | 'default_role'
  | 'create_users'
  | 'trust_email'
  | 'trust_second_factor'
  | 'enabled'
> & { group_roles: string };

export const listProviders = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('identity_providers').selectAll().where('account_id', '=', accountId), query);

const providerOf = (db: Db, accountId: string, uuid: string) =>
  db.selectFrom('identity_providers').selectAll().where('account_id', '=', accountId).where('uuid', '=', uuid);

export const findProvider = (db: Db, accountId: string, uuid: string): Promise<ProviderRow | undefined> =>
  providerOf(db, accountId, uuid).executeTakeFirst();

/** The same; nobody changes it, and nobody else comes by it for the first time, until the transaction is over. */
export const lockProvider = (db: Db, accountId: string, uuid: string): Promise<ProviderRow | undefined> =>
  providerOf(db, accountId, uuid).forUpdate().executeTakeFirst();

/** Whoever signs in does not say of which account they are. */
export const findProviderAnyAccount = (db: Db, uuid: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('identity_providers').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** Those that whoever has an address of this domain is offered. */
export const listOfferedAnyAccount = (db: Db, domain: string) =>
  db
    .selectFrom('identity_provider_domains as domains')
    .innerJoin('identity_providers as providers', (join) =>
      join
        .onRef('providers.account_id', '=', 'domains.account_id')
        .onRef('providers.uuid', '=', 'domains.provider_uuid'),
    )
    .select(['providers.uuid', 'providers.name'])
    .where('domains.domain', '=', domain)
    .where('domains.verified', 'is not', null)
    .where('providers.enabled', '=', true)
    .execute();

export const insertProvider = (
  db: Db,
  accountId: string,
  provider: ProviderFields & { uuid: string },
): Promise<ProviderRow> =>
  db
    .insertInto('identity_providers')
    .values({ account_id: accountId, ...provider })
    .returningAll()
    .executeTakeFirstOrThrow();

export const updateProvider = (
  db: Db,
  accountId: string,
  uuid: string,
  change: Partial<ProviderFields> & { modified: string; metadata?: null; discovered?: null },
): Promise<ProviderRow> =>
  db
    .updateTable('identity_providers')
    .set(change)
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Whether a provider gives a role, to a group or to everybody else. */
const isGiving = (role: string) =>
  sql<boolean>`(lower(default_role) = lower(${role}) or exists (
    select 1 from jsonb_array_elements(group_roles) as mapped where lower(mapped ->> 'role') = lower(${role})))`;

/** The names of the providers that give a role; those that are disabled, too: they can be enabled again. */
export async function listProvidersGiving(db: Db, accountId: string, role: string): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_providers')
    .select('name')
    .where('account_id', '=', accountId)
    .where(isGiving(role))
    .orderBy('uuid')
    .execute();
  return rows.map(({ name }) => name);
}

/** Gives a role its new name, wherever a provider gives it. */
export const renameRoleOfProviders = (db: Db, accountId: string, role: string, name: string) =>
  sql`
  update identity_providers set
    default_role = case when lower(default_role) = lower(${role}) then ${name} else default_role end,
    group_roles = (
      select coalesce(jsonb_agg(case when lower(mapped ->> 'role') = lower(${role})
        then mapped || jsonb_build_object('role', ${name}::text) else mapped end order by place), '[]')
      from jsonb_array_elements(group_roles) with ordinality as one (mapped, place))
  where account_id = ${accountId} and ${isGiving(role)}`.execute(db);

export const deleteProviderRow = (db: Db, accountId: string, uuid: string) =>
  db.deleteFrom('identity_providers').where('account_id', '=', accountId).where('uuid', '=', uuid).execute();

/** What happens by itself, which is nobody's edit. */
export const noteAtProvider = (
  db: Db,
  { account_id, uuid }: Pick<ProviderRow, 'account_id' | 'uuid'>,
  note:
    | { metadata: string; discovered: string }
    | { last_error: string; last_error_at: string }
    | { last_sign_in: string; last_error: '' },
) =>
  db
    .updateTable('identity_providers')
    .set(note)
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .execute();

export const hasEnabledProvider = async (db: Db, accountId: string, except?: string): Promise<boolean> => {
  let rows = db
    .selectFrom('identity_providers')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('enabled', '=', true);
  if (except) rows = rows.where('uuid', '!=', except);
  return (await rows.limit(1).executeTakeFirst()) !== undefined;
};

export const listDomains = (db: Db, accountId: string, providers: string[]): Promise<DomainRow[]> =>
  db
    .selectFrom('identity_provider_domains')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('provider_uuid', '=', sql<string>`any(${uuidArray(providers)}::uuid[])`)
    .orderBy('domain')
    .execute();

export const deleteDomains = (db: Db, accountId: string, provider: string, domains: string[]) =>
  db
    .deleteFrom('identity_provider_domains')
    .where('account_id', '=', accountId)
    .where('provider_uuid', '=', provider)
    .where('domain', '=', sql<string>`any(${domains}::text[])`)
    .execute();

export const insertDomains = (db: Db, rows: DomainRow[]) =>
  rows.length === 0 ? undefined : db.insertInto('identity_provider_domains').values(rows).execute();

export const verifyDomainRows = (
  db: Db,
  accountId: string,
  { provider, domains, at }: { provider: string; domains: string[]; at: string },
) =>
  db
    .updateTable('identity_provider_domains')
    .set({ verified: at })
    .where('account_id', '=', accountId)
    .where('provider_uuid', '=', provider)
    .where('domain', '=', sql<string>`any(${domains}::text[])`)
    .execute();

export const findIdentity = (
  db: Db,
  { account_id, uuid }: ProviderRow,
  subject: string,
): Promise<IdentityRow | undefined> =>
  db
    .selectFrom('user_identities')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('provider_uuid', '=', uuid)
    .where('subject', '=', subject)
    .executeTakeFirst();

export const insertIdentity = (db: Db, identity: Omit<IdentityRow, 'created' | 'last_sign_in'>): Promise<IdentityRow> =>
  db.insertInto('user_identities').values(identity).returningAll().executeTakeFirstOrThrow();

export const noteIdentity = (db: Db, identity: IdentityRow, note: { email: string; last_sign_in: string }) =>
  db
    .updateTable('user_identities')
    .set(note)
    .where('account_id', '=', identity.account_id)
    .where('provider_uuid', '=', identity.provider_uuid)
    .where('subject', '=', identity.subject)
    .execute();

/** Another issuer has other subjects. */
export const deleteIdentities = (db: Db, accountId: string, provider: string) =>
  db.deleteFrom('user_identities').where('account_id', '=', accountId).where('provider_uuid', '=', provider).execute();

export const insertSsoSession = (
  db: Db,
  session: { account_id: string; token_uuid: string; provider_uuid: string; id_token: string },
) => db.insertInto('sso_sessions').values(session).execute();

export const findSsoSession = (db: Db, accountId: string, tokenId: string) =>
  db
    .selectFrom('sso_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('token_uuid', '=', tokenId)
    .executeTakeFirst();

/** Ends every session that was opened by a provider. */
export const endSessionsOf = (db: Db, accountId: string, provider: string) =>
  sql`delete from tokens where account_id = ${accountId} and uuid in (
    select token_uuid from sso_sessions where account_id = ${accountId} and provider_uuid = ${provider})`.execute(db);

/** Whether somebody may still come in with a password when a provider does not work. */
export const hasOwnerWithPassword = async (db: Db, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('has_password', '=', true)
    .where('deactivated', 'is', null)
    .where(sql<boolean>`scopes @> '{read,write}'`)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Ends what users other than owners signed in for by other means than a provider. */
export const endSignInsWithoutSso = (db: Db, accountId: string) =>
  sql`delete from tokens where account_id = ${accountId} and user_uuid in (
      select uuid from users where account_id = ${accountId} and not scopes @> '{read,write}')
    and uuid not in (select token_uuid from sso_sessions where account_id = ${accountId})`.execute(db);
