import type { FastifyRequest } from 'fastify';
import { uuidArray } from '../db/arrays.ts';
import { type Db, prepared } from '../db/connect/pool.ts';
import { newId } from '../ids.ts';
import type { Actor, Call, HttpDeps, Route } from './route.ts';

/** What was asked of the server and by whom. Neither bodies nor query strings are kept: they may hold secrets. */
export interface AuditEntry {
  accountId: string;
  /** Left out: a new one. */
  uuid?: string;
  actor: Actor;
  operation: Pick<Route<unknown>, 'operationId' | 'summary' | 'method' | 'auditPath'>;
  request: Pick<FastifyRequest, 'url' | 'ip' | 'id'>;
  status: number;
}

/**
 * What gets into the audit log: whatever changes something on behalf of somebody, unless the route says otherwise. A POST for
 * which reading is enough, such as a preview, changes nothing. The one place where this is decided.
 */
export const isAudited = ({ method, scope, audit }: Pick<Route<unknown>, 'method' | 'scope' | 'audit'>): boolean =>
  method !== 'GET' && !harmless.test(scope) && audit === undefined;
const harmless = /^public$|:read$/;

/**
 * The handler of a route, followed by its entry in the log if it belongs there. The entry is awaited, so that no change is
 * acknowledged without one; with an Idempotency-Key both are in one transaction.
 */
export function audited<D extends HttpDeps>(route: Route<D>): Route<D>['handler'] {
  if (!isAudited(route)) return route.handler;
  return async (call) => {
    const answer = await route.handler(call);
    const { deps, principal, accountId, request } = call;
    if (answer.status < 300 && principal.actor) {
      const uuid = newId();
      await recordAudit(deps, {
        accountId,
        uuid,
        actor: principal.actor,
        operation: route,
        request,
        status: answer.status,
      });
      return { ...answer, auditEntry: uuid };
    }
    return answer;
  };
}

/** Writes down that somebody read content, where the account wants that. Not on a copy of the database: there it could not be written. */
export async function recordRead<D extends HttpDeps>(
  deps: D,
  operation: Route<D>,
  { principal, request }: Pick<Call<D, unknown, unknown, unknown>, 'principal' | 'request'>,
): Promise<void> {
  if (!principal?.auditReads || !principal.actor) return;
  const { accountId, actor } = principal;
  await recordAudit(deps, { accountId, actor, operation, request, status: 200 });
}

/** Writes an entry, together with those that others have at the same moment. */
function recordAudit({ db, batches }: HttpDeps, entry: AuditEntry): Promise<void> {
  if (!batches) return insertAuditEntries(db, [entry]);
  return batches.run('audit', entry, async (entries: AuditEntry[]) => {
    await insertAuditEntries(db, entries);
    return entries.map(() => ({ status: 'fulfilled', value: undefined }));
  });
}

const insert = prepared(
  'http.audit',
  `insert into audit_log (account_id, uuid, actor_type, actor_uuid, actor_name, operation, summary, method, path, status, address,
    request_id)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::integer[], $11::text[], $12::text[])`,
);

/** Writes entries, all or none. */
export async function insertAuditEntries(db: Db, entries: AuditEntry[]): Promise<void> {
  await insert(db, [
    uuidArray(entries.map(({ accountId }) => accountId)),
    uuidArray(entries.map(({ uuid }) => uuid ?? newId())),
    entries.map(({ actor }) => actor.type),
    uuidArray(entries.map(({ actor }) => actor.uuid)),
    entries.map(({ actor }) => actor.name),
    entries.map(({ operation }) => operation.operationId),
    entries.map(({ operation }) => operation.summary),
    entries.map(({ operation }) => operation.method),
    entries.map(({ operation, request }) => pathInAudit(operation, request.url)),
    entries.map(({ status }) => status),
    entries.map(({ request }) => request.ip.slice(0, longestAddress)),
    entries.map(({ request }) => request.id),
  ]);
}

/** The path as it may be kept: without the query, and without a person where the route says so. */
export const pathInAudit = ({ auditPath }: Pick<Route<unknown>, 'auditPath'>, url: string): string =>
  auditPath ?? url.split('?')[0]!.slice(0, longestPath);
const longestPath = 500;
/** The longest client address that is stored; behind a proxy it is whatever the proxy sends. */
const longestAddress = 100;
