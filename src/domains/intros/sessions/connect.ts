import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { within } from '../../../platform/within.ts';
import { spendLink } from '../../links/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce } from '../../webhooks/index.ts';
import type { ChatLink, ChatTarget } from '../open/queries.ts';
import type { SessionRow } from './queries.ts';

/**
 * A person opened the link of one side of a session. The first opening makes contact: by B it connects the session, by A it is
 * noted. Answers false if the link was for one use and somebody else was faster.
 */
export async function connect(
  deps: Deps,
  link: ChatTarget & { carrier: string },
  session: SessionRow,
): Promise<boolean> {
  const column = link.kind === 'BPARTY' ? 'connected_at' : 'aparty_connected_at';
  if (session[column] !== null && !link.single_use) return true;
  const { account_id: accountId } = session;
  const at = deps.carriers.get(link.carrier).clock(accountId).now();
  return within(deps, async (deps) => {
    const { db } = deps;
    if (link.single_use && !(await spendLink(db, accountId, link.shortcode))) return false;
    if (await markConnected(db, session, column, at)) await tell(deps, db, session, link.kind);
    return true;
  });
}

/** Marks it once; false if it was marked before, or the session has closed meanwhile. */
async function markConnected(
  db: Db,
  { account_id: accountId, uuid }: SessionRow,
  column: 'connected_at' | 'aparty_connected_at',
  at: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('intro_sessions')
    .set({
      [column]: at.toISOString(),
      modified: sql`now()`,
      // Then nobody else needs to be notified.
      ...(column === 'connected_at' && {
        status: 'CONNECTED',
        notify_due_at: sql<string | null>`case when chain_step = 0 then notify_due_at end`,
      }),
    })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('open', '=', true)
    .where(column, 'is', null)
    .returning('uuid')
    .executeTakeFirst();
  return row !== undefined;
}

async function tell(deps: Deps, db: Db, session: SessionRow, by: ChatLink): Promise<void> {
  const { account_id: accountId, chat_intro: subject, intro } = session;
  const data = {
    session: session.uuid,
    aparty_number: session.aparty_number,
    digits: session.aparty_digits,
    by,
    // What A does takes the session no further.
    ...(by === 'BPARTY' && { status: 'CONNECTED' }),
  };
  await appendEvents(db, [{ accountId, subjectType: 'chat_intro', subject, kind: 'chat_intro.connected', data }]);
  const about = {
    chat_intro: subject,
    chatapp_number: intro.chatapp_number,
    reference_id: intro.reference_id,
    meta_data: intro.meta_data,
  };
  await announce(db, deps, [{ accountId, type: 'chat_intro.connected', data: { ...data, ...about } }]);
}
