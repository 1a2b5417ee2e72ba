import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { phoneReader } from '../../accounts/index.ts';

/** How many messages a second may leave from a number; 0 for one that nobody registered yet. */
export async function readChatRate(deps: Deps, accountId: string, sender: string): Promise<number> {
  const read = await phoneReader(deps, accountId);
  const row = await deps.db
    .selectFrom('chatapp_accounts')
    .select('messages_per_second')
    .where('account_id', '=', accountId)
    .where('digits', '=', read(sender))
    .executeTakeFirst();
  return row?.messages_per_second ?? 0;
}

/** All links of an account together. */
export async function readSmsRate({ db }: Deps, accountId: string): Promise<number> {
  const { rows } = await sql<{ rate: number }>`
    select coalesce(sum(messages_per_second), 0)::float8 as rate from sms_links
    where account_id = ${accountId} and enabled`.execute(db);
  return rows[0]!.rate;
}
