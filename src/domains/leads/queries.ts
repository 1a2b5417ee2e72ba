import type { Selectable } from 'kysely';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Leads } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import type { LeadSubmit } from './schemas.ts';

export type LeadRow = Selectable<Leads>;

export const insertLead = (db: Db, accountId: string, chatappAccount: string, lead: LeadSubmit): Promise<LeadRow> =>
  db
    .insertInto('leads')
    .values({
      account_id: accountId,
      uuid: newId(),
      chatapp_account: chatappAccount,
      chatapp_number: lead.chatapp_number,
      phone_number: lead.phone_number,
      digits: phoneDigits(lead.phone_number),
      name: lead.name ?? '',
      source: lead.source ?? '',
      chat_intro: lead.chat_intro ?? null,
      data: JSON.stringify(lead.data ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

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
