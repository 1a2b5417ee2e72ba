import { sql } from 'kysely';
import type { CarrierTemplate } from '../../../carriers/ports/chat.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import type { TemplateRow } from '../queries.ts';
import type { Standing, TemplateEvent } from './events.ts';

/** SQL of what carriers say about templates, and of what they have yet to be told. */

/** A template that the carrier has yet to be told of; undefined when there is nothing to do. */
export async function findTodo(
  db: Db,
  accountId: string,
  uuid: string,
  todo: 'SUBMIT' | 'DELETE',
): Promise<TemplateRow | undefined> {
  const { rows } = await sql<TemplateRow>`
    select template.*, sender.chatapp_number, sender.carrier
    from message_templates as template
    join chatapp_accounts as sender
      on sender.account_id = template.account_id and sender.uuid = template.chatapp_account
    where template.account_id = ${accountId} and template.uuid = ${uuid} and template.todo = ${todo}`.execute(db);
  return rows[0];
}

type Key = Pick<TemplateRow, 'account_id' | 'uuid' | 'chatapp_account' | 'name' | 'language_code'>;

/** Whether another template with this name and language is still to be deleted, or, with `live`, is in use. */
export async function hasNamesake(db: Db, template: Key, { live }: { live: boolean }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from message_templates
    where account_id = ${template.account_id} and chatapp_account = ${template.chatapp_account}
      and name = ${template.name} and language_code = ${template.language_code} and uuid <> ${template.uuid}
      and case when ${live} then status <> 'DELETED' else todo = 'DELETE' end
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Removes a template that was deleted; false if the carrier's id of it is another by now. */
export async function removeDeleted(db: Db, { account_id, uuid, carrier_template_id }: TemplateRow): Promise<boolean> {
  const { rows } = await sql`
    delete from message_templates
    where account_id = ${account_id} and uuid = ${uuid} and todo = 'DELETE'
      and carrier_template_id is not distinct from ${carrier_template_id}
    returning uuid`.execute(db);
  return rows.length > 0;
}

/** Work that was given up, after many tries, more than an hour ago. */
export const findLeftAnyAccount = (db: Db) =>
  db
    .selectFrom('message_templates')
    .select(['account_id', 'uuid', 'todo'])
    .where('todo', 'is not', null)
    .where('modified', '<', sql<string>`now() - interval '1 hour'`)
    .execute();

/** All senders whose templates are kept by a platform. */
export const findSyncedAnyAccount = (db: Db) =>
  db
    .selectFrom('chatapp_accounts')
    .select(['account_id', 'uuid'])
    .where('business_account_id', 'is not', null)
    .execute();

export interface SyncedTemplate {
  uuid: string;
  status: string;
  quality: string;
  /** As they were; null for a template that is new here. */
  old_status: string | null;
  old_quality: string | null;
}

export interface Snapshot {
  accountId: string;
  chatappAccount: string;
  /** The database's time before the carrier was asked: whatever changed since is newer than its answer. */
  since: string;
  templates: CarrierTemplate[];
}

/** The database's time, as exact as it keeps it. */
export async function databaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  return rows[0]!.now;
}

/** Takes over what the carrier has. What waits to be submitted or deleted is left alone. Answers what changed. */
export async function upsertListed(db: Db, { accountId, chatappAccount, since, templates }: Snapshot) {
  const listed = JSON.stringify(templates.map((template) => ({ ...columnsOf(template), uuid: newId() })));
  const { rows } = await sql<SyncedTemplate>`
    with listed as (
      select distinct on (name, language_code) *
      from json_to_recordset(${listed}::json) as template (uuid uuid, name text, language_code text, category text,
        parameter_format text, components json, carrier_template_id text, status text, quality text, rejected_reason text)
    ), before as (
      select uuid, status, quality from message_templates
      where account_id = ${accountId} and chatapp_account = ${chatappAccount} and status <> 'DELETED'
    ), changed as (
      insert into message_templates as known (account_id, uuid, chatapp_account, name, language_code, category,
        parameter_format, components, carrier_template_id, status, quality, rejected_reason)
      select ${accountId}, uuid, ${chatappAccount}, name, language_code, category,
        parameter_format, components, carrier_template_id, status, quality, rejected_reason
      from listed
      where not exists (
        select 1 from message_templates as doomed
        where doomed.account_id = ${accountId} and doomed.chatapp_account = ${chatappAccount}
          and doomed.name = listed.name and doomed.language_code = listed.language_code and doomed.todo = 'DELETE')
      order by name, language_code
      on conflict (account_id, chatapp_account, name, language_code) where status <> 'DELETED' do update set
        category = excluded.category, parameter_format = excluded.parameter_format, components = excluded.components,
        carrier_template_id = excluded.carrier_template_id, status = excluded.status, quality = excluded.quality,
        rejected_reason = excluded.rejected_reason, modified = excluded.modified
      where known.todo is null and known.modified < ${since}::timestamptz
        and (known.category, known.parameter_format, known.components::text, known.carrier_template_id, known.status,
            known.quality, known.rejected_reason)
          is distinct from (excluded.category, excluded.parameter_format, excluded.components::text,
            excluded.carrier_template_id, excluded.status, excluded.quality, excluded.rejected_reason)
      returning uuid, status, quality
    )
    select changed.*, before.status as old_status, before.quality as old_quality
    from changed left join before using (uuid)`.execute(db);
  return rows;
}

/** Templates that the carrier had once and does not list any more are deleted. */
export async function deleteUnlisted(db: Db, { accountId, chatappAccount, since, templates }: Snapshot) {
  const { rows } = await sql<{ uuid: string }>`
    update message_templates as template set status = 'DELETED', modified = now()
    where account_id = ${accountId} and chatapp_account = ${chatappAccount} and status <> 'DELETED'
      and todo is null and carrier_template_id is not null and modified < ${since}::timestamptz
      and not exists (
        select 1 from unnest(${templates.map(({ name }) => name)}::text[],
          ${templates.map(({ languageCode }) => languageCode)}::text[]) as listed (name, language_code)
        where listed.name = template.name and listed.language_code = template.language_code)
    returning uuid`.execute(db);
  return rows;
}

/** A template of the carrier's as it is kept here. */
export const columnsOf = (template: CarrierTemplate) => ({
  name: template.name,
  language_code: template.languageCode,
  category: template.category || null,
  parameter_format: template.parameterFormat,
  components: template.components,
  carrier_template_id: template.id,
  status: template.status,
  quality: template.quality || 'UNKNOWN',
  rejected_reason: reasonOf(template.rejectedReason),
});

/** The platform writes NONE where it has nothing to say. */
export const reasonOf = (reason: string): string => (reason === 'NONE' ? '' : reason);

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
