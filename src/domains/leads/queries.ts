import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Leads } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import type { LeadPatch, LeadStatus } from './schemas.ts';

export type LeadRow = Omit<Selectable<Leads>, 'status'> & { status: LeadStatus };

/** A person to be kept as a lead. */
export interface NewLead {
  chatapp_account: string;
  chatapp_number: string;
  phone_number: string;
  digits: string;
  name: string;
  source: string;
  chat_intro: string | null;
  data: object;
  answers?: object;
}

/**
 * One lead for each person and intro: who is known already is brought up to date. Those without an intro are all new. `isNew`
 * tells.
 */
export async function upsertLeads(
  db: Db,
  accountId: string,
  leads: NewLead[],
): Promise<(LeadRow & { isNew: boolean })[]> {
  const column = <K extends keyof NewLead>(name: K) => leads.map((lead) => lead[name]);
  const json = (values: (object | undefined)[]) => values.map((value) => JSON.stringify(value ?? {}));
  const { rows } = await sql<LeadRow & { isNew: boolean }>`
    insert into leads (account_id, uuid, chatapp_account, chatapp_number, phone_number, digits, name, source, chat_intro,
      data, answers)
    select ${accountId}, * from unnest(
      ${leads.map(() => newId())}::uuid[], ${column('chatapp_account')}::uuid[], ${column('chatapp_number')}::text[],
      ${column('phone_number')}::text[], ${column('digits')}::text[], ${column('name')}::text[],
      ${column('source')}::text[], ${column('chat_intro')}::uuid[], ${json(column('data'))}::json[],
      ${json(column('answers'))}::json[])
    on conflict (account_id, chat_intro, digits) where chat_intro is not null do update set
      name = case when excluded.name = '' then leads.name else excluded.name end,
      data = leads.data::jsonb || excluded.data::jsonb, answers = leads.answers::jsonb || excluded.answers::jsonb,
      modified = excluded.modified
    returning *, xmax = 0 as "isNew"`.execute(db);
  return rows;
}

export const findLead = (db: Db, accountId: string, uuid: string): Promise<LeadRow | undefined> =>
  db
    .selectFrom('leads')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .$castTo<LeadRow>()
    .executeTakeFirst();

export const updateLeads = (
  db: Db,
  accountId: string,
  uuids: string[],
  { data, answers, ...changed }: LeadPatch,
): Promise<LeadRow[]> =>
  db
    .updateTable('leads')
    .set({
      ...changed,
      ...(data && { data: JSON.stringify(data) }),
      ...(answers && { answers: JSON.stringify(answers) }),
      modified: sql`now()`,
    })
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids)
    .returningAll()
    .$castTo<LeadRow>()
    .execute();

/** Which of them were there. */
export async function deleteLeads(db: Db, accountId: string, uuids: string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('leads')
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids)
    .returning('uuid')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export interface LeadFilters extends PageQuery {
  number?: string;
  chat_intro?: string;
  status?: LeadStatus;
  owner?: string;
  source?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = {
  ids: ['uuid', 'chat_intro'],
  numbers: ['digits'],
  indexed: { account: 'account_id', text: sql`digits || ' ' || name`, hasDigits: true },
};

const filtered = (db: Db, accountId: string, filters: LeadFilters) => {
  let rows = db.selectFrom('leads').selectAll().where('account_id', '=', accountId).$castTo<LeadRow>();
  if (filters.sought) rows = rows.where(isSought(filters.sought, soughtIn));
  if (filters.number) rows = rows.where('digits', '=', phoneDigits(filters.number));
  if (filters.chat_intro) rows = rows.where('chat_intro', '=', filters.chat_intro);
  if (filters.status) rows = rows.where('status', '=', filters.status);
  if (filters.owner) rows = rows.where('owner', '=', filters.owner);
  if (filters.source) rows = rows.where('source', '=', filters.source).where('source', '<>', '');
  return rows;
};

export const listLeads = (db: Db, accountId: string, filters: LeadFilters) =>
  keysetPage(db, filtered(db, accountId, filters), filters);

/** All of them, a chunk at a time. */
export const readLeads = (db: Db, accountId: string, filters: LeadFilters) =>
  keysetChunks(filtered(db, accountId, filters), filters);
