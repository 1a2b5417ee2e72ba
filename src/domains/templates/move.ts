import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { templateCache } from './fill/resolve.ts';
import { tellChanges } from './tell.ts';

/**
 * A sender leaves its carrier: none of its templates is known to the next one. Those that are described are submitted there (one
 * that is there already under the same name and language is recognised); those known by name alone wait until it lists them.
 */
export async function moveTemplates(deps: Deps, accountId: string, chatappAccount: string): Promise<void> {
  const { db, queue } = deps;
  await forgetDoomed(db, accountId, chatappAccount);
  const moved = await startAnew(db, accountId, chatappAccount);
  const described = moved.filter(({ is_described }) => is_described);
  await queue.enqueue(
    db,
    'templates.submit',
    described.map(({ uuid }) => ({ accountId, uuid })),
  );
  await queue.enqueue(db, 'templates.sync', [{ accountId, chatappAccount }]);
  const changes = moved.map(({ uuid }) => ({ uuid, kind: 'template.moved', announced: true }));
  await tellChanges(db, deps, accountId, changes);
  deps.caches.forget(templateCache);
}

/** The next carrier is not told to delete what it never had: it may have another of that name. */
async function forgetDoomed(db: Db, accountId: string, chatappAccount: string): Promise<void> {
  await db
    .deleteFrom('message_templates')
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .where('todo', '=', 'DELETE')
    .execute();
}

async function startAnew(db: Db, accountId: string, chatappAccount: string) {
  const { rows } = await sql<{ uuid: string; is_described: boolean }>`
    update message_templates set status = 'PENDING', quality = 'UNKNOWN', rejected_reason = '', carrier_template_id = null,
      edited = '{}', revision = revision + 1, modified = now(), todo = case when category is not null then 'SUBMIT' end
    where account_id = ${accountId} and chatapp_account = ${chatappAccount} and status <> 'DELETED'
    returning uuid, category is not null as is_described`.execute(db);
  return rows;
}
