import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Leads } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import type { LeadSubmit } from './schemas.ts';

export type LeadRow = Selectable<Leads>;

export const insertLead = (
  db: Db,
  accountId: string,
  chatappAccount: string,
  lead: LeadSubmit & { digits: string },
): Promise<LeadRow> =>
  db
    .insertInto('leads')
    .values({
      account_id: accountId,
      uuid: newId(),
      chatapp_account: chatappAccount,
      chatapp_number: lead.chatapp_number,
      phone_number: lead.phone_number,
      digits: lead.digits,
      name: lead.name ?? '',
      source: lead.source ?? '',
      chat_intro: lead.chat_intro ?? null,
      data: JSON.stringify(lead.data ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** A person whom an intro brought. */
export interface IntroducedLead {
  chatapp_account: string;
  chatapp_number: string;
  phone_number: string;
  digits: string;
  name: string;
  source: string;
  chat_intro: string;
  data: object;
}

/** One lead for each person and intro: who is known already is brought up to date. `isNew` tells. */
export async function upsertLeads(db: Db, accountId: string, leads: IntroducedLead[]) {
  const { rows } = await sql<LeadRow & { isNew: boolean }>`
    with given as (
      select * from unnest(
        ${leads.map(() => newId())}::uuid[], ${leads.map((lead) => lead.chatapp_account)}::uuid[],
        ${leads.map((lead) => lead.chatapp_number)}::text[], ${leads.map((lead) => lead.phone_number)}::text[],
        ${leads.map((lead) => lead.digits)}::text[], ${leads.map((lead) => lead.name)}::text[],
        ${leads.map((lead) => lead.source)}::text[], ${leads.map((lead) => lead.chat_intro)}::uuid[],
        ${leads.map((lead) => JSON.stringify(lead.data))}::json[]
      ) as g (uuid, chatapp_account, chatapp_number, phone_number, digits, name, source, chat_intro, data)
    ), known as (
      update leads set name = case given.name when '' then leads.name else given.name end, data = given.data, modified = now()
      from given
      where leads.account_id = ${accountId} and leads.chat_intro = given.chat_intro and leads.digits = given.digits
      returning leads.*, false as "isNew"
    ), added as (
      insert into leads (account_id, uuid, chatapp_account, chatapp_number, phone_number, digits, name, source, chat_intro, data)
      select ${accountId}, given.* from given
      where not exists (select from known where known.chat_intro = given.chat_intro and known.digits = given.digits)
      returning *, true as "isNew"
    )
    select * from known union all select * from added`.execute(db);
  return rows;
}

export interface LeadFilters extends PageQuery {
  number?: string;
  chat_intro?: string;
}

export function listLeads(db: Db, accountId: string, filters: LeadFilters) {
  let rows = db.selectFrom('leads').selectAll().where('account_id', '=', accountId);
  if (filters.number) rows = rows.where('digits', '=', phoneDigits(filters.number));
  if (filters.chat_intro) rows = rows.where('chat_intro', '=', filters.chat_intro);
  return keysetPage(db, rows, filters);
}
