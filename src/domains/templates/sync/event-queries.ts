import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Standing, TemplateEvent } from './events.ts';

/** SQL of what carriers report. */

/** Holds the templates that events may speak of, always in the same order. */
export async function lockMatching(db: Db, accountId: string, events: TemplateEvent[]): Promise<Standing[]> {
  const named = events.flatMap((event) =>
    event.chatappAccounts.map((chatappAccount) => ({ ...event, chatappAccount })),
  );
  const { rows } = await sql<Standing>`
    select uuid, chatapp_account, name, language_code, carrier_template_id, status, quality, category, rejected_reason, todo,
      edited
    from message_templates as template
    where account_id = ${accountId} and uuid in (
      select known.uuid
      from unnest(
        ${named.map((event) => event.chatappAccount)}::uuid[],
        ${named.map((event) => event.id)}::text[],
        ${named.map((event) => event.name)}::text[],
        ${named.map((event) => event.languageCode)}::text[]) as told (chatapp_account, id, name, language_code)
      join message_templates as known on known.account_id = ${accountId}
        and known.chatapp_account = told.chatapp_account
        and (known.carrier_template_id = told.id
          or (known.name = told.name and known.language_code = told.language_code and known.status <> 'DELETED')))
    order by uuid
    for update`.execute(db);
  return rows;
}

export async function updateFromEvents(db: Db, accountId: string, rows: Standing[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update message_templates as template
    set status = told.status, quality = told.quality, category = told.category, todo = told.todo,
      rejected_reason = told.rejected_reason, carrier_template_id = told.carrier_template_id, modified = now()
    from json_to_recordset(${JSON.stringify(rows)}::json) as told (uuid uuid, status text, quality text, category text,
      todo text, rejected_reason text, carrier_template_id text)
    where template.account_id = ${accountId} and template.uuid = told.uuid`.execute(db);
}
