import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type Db, runPrepared } from '../../platform/db/connect/pool.ts';
import { keysetPage } from '../../platform/db/page.ts';
import type { MessageTemplates } from '../../platform/db/types.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import type { TemplateQuery } from './schemas.ts';

/** SQL of templates as the API shows and changes them. */

/** A template, and the sender it belongs to. */
export type TemplateRow = Selectable<MessageTemplates> & { chatapp_number: string; carrier: string };

const templates = (db: Db, accountId: string) =>
  db
    .selectFrom('message_templates as template')
    .innerJoin('chatapp_accounts as sender', (join) =>
      join.onRef('sender.account_id', '=', 'template.account_id').onRef('sender.uuid', '=', 'template.chatapp_account'),
    )
    .selectAll('template')
    .select(['sender.chatapp_number', 'sender.carrier'])
    .where('template.account_id', '=', accountId);

/** What is to be deleted is gone for the API. */
const isThere = sql<boolean>`template.todo is distinct from 'DELETE'`;

export const findTemplate = (db: Db, accountId: string, uuid: string): Promise<TemplateRow | undefined> =>
  templates(db, accountId).where('template.uuid', '=', uuid).where(isThere).executeTakeFirst();

/** These templates, whatever is to happen to them. */
export const findTemplates = (db: Db, accountId: string, uuids: string[]): Promise<TemplateRow[]> =>
  templates(db, accountId)
    .where('template.uuid', '=', sql<string>`any (${uuids}::uuid[])`)
    .orderBy('template.uuid')
    .execute();

const soughtIn: SoughtIn = {
  ids: ['template.uuid'],
  numbers: ['sender.digits'],
  indexed: { account: 'template.account_id', text: sql`template.name` },
};

export function listTemplates(db: Db, accountId: string, query: TemplateQuery & { sought?: Sought | undefined }) {
  let rows = templates(db, accountId).where(isThere);
  if (query.sought) rows = rows.where(isSought(query.sought, soughtIn));
  if (query.chatapp_number) rows = rows.where('sender.digits', '=', phoneDigits(query.chatapp_number));
  if (query.name) rows = rows.where('template.name', '=', query.name);
  if (query.status) rows = rows.where('template.status', '=', query.status);
  if (query.category) rows = rows.where('template.category', '=', query.category);
  if (query.language_code) rows = rows.where('template.language_code', '=', query.language_code);
  if (query.q) rows = rows.where('template.name', 'like', `${query.q.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return keysetPage(db, rows, query, {
    uuid: 'template.uuid',
    created: 'template.created',
    orderings: { name: sql`template.name` },
  });
}

/** undefined: the sender has a template of that name and language. */
export const insertTemplate = (
  db: Db,
  template: Insertable<MessageTemplates>,
): Promise<Selectable<MessageTemplates> | undefined> =>
  db
    .insertInto('message_templates')
    .values(template)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'chatapp_account', 'name', 'language_code'])
        .where('status', '<>', sql.lit('DELETED'))
        // One that was taken into use by its name alone is now described.
        .doUpdateSet({
          category: template.category ?? null,
          parameter_format: template.parameter_format ?? 'POSITIONAL',
          components: template.components ?? '[]',
          status: template.status,
          todo: template.todo ?? null,
          revision: sql`message_templates.revision + 1`,
          modified: sql`excluded.modified`,
        })
        .where('message_templates.category', 'is', null)
        .where('message_templates.carrier_template_id', 'is', null),
    )
    .returningAll()
    .executeTakeFirst();

/** Holds a template until the transaction ends, whatever is to happen to it. */
export const lockTemplate = (db: Db, accountId: string, uuid: string): Promise<TemplateRow | undefined> =>
  templates(db, accountId).where('template.uuid', '=', uuid).forUpdate('template').executeTakeFirst();

export async function updateTemplate(
  db: Db,
  { account_id, uuid }: Pick<TemplateRow, 'account_id' | 'uuid'>,
  change: Updateable<MessageTemplates>,
): Promise<void> {
  await db
    .updateTable('message_templates')
    .set({ ...change, modified: sql`now()` })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .execute();
}

/** The senders of an account whose templates are kept by a platform; undefined: no sender has that number. */
export async function findSynced(db: Db, accountId: string, number?: string): Promise<string[] | undefined> {
  const all = db
    .selectFrom('chatapp_accounts')
    .select(['uuid', 'business_account_id'])
    .where('account_id', '=', accountId);
  const senders = await (number === undefined ? all : all.where('digits', '=', phoneDigits(number))).execute();
  if (number !== undefined && senders.length === 0) return undefined;
  return senders.filter(({ business_account_id }) => business_account_id !== null).map(({ uuid }) => uuid);
}

/** SQL for the templates that messages name. */

interface TemplateKey {
  accountId: string;
  chatappAccount: string;
  name: string;
}

/** The approved variants of the named templates; the batch may hold uses of several accounts, each sees only its own. */
export const findApproved = (db: Db, wanted: TemplateKey[]): Promise<ApprovedTemplate[]> =>
  runPrepared(
    db,
    'templates.find-approved',
    sql<ApprovedTemplate>`
    select distinct on (template.account_id, template.chatapp_account, template.name, template.language_code)
      template.account_id, template.chatapp_account, template.name, template.language_code, template.category, template.components
    from unnest(
      ${wanted.map((use) => use.accountId)}::uuid[],
      ${wanted.map((use) => use.chatappAccount)}::uuid[],
      ${wanted.map((use) => use.name)}::text[]) as wanted (account_id, chatapp_account, name)
    join message_templates as template using (account_id, chatapp_account, name)
    where template.status = 'APPROVED'`,
  );

interface ApprovedTemplate {
  account_id: string;
  chatapp_account: string;
  name: string;
  language_code: string;
  category: string | null;
  components: object[];
}

/**
 * Registers templates known by name only. One that is there already, in whatever state, stays as it is. Always written in
 * the same order, so that two processes adopting the same ones cannot wait for each other in a circle.
 */
export async function adoptTemplates(
  db: Db,
  templates: (TemplateKey & { uuid: string; languageCode: string })[],
): Promise<void> {
  await db
    .insertInto('message_templates')
    .values(
      templates.toSorted(byKey).map((template) => ({
        account_id: template.accountId,
        uuid: template.uuid,
        chatapp_account: template.chatappAccount,
        name: template.name,
        language_code: template.languageCode,
        status: 'APPROVED',
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'chatapp_account', 'name', 'language_code'])
        .where('status', '<>', sql.lit('DELETED'))
        .doNothing(),
    )
    .execute();
}

const keyOf = (template: TemplateKey & { languageCode: string }): string =>
  `${template.accountId} ${template.chatappAccount} ${template.name} ${template.languageCode}`;
const byKey = (a: Parameters<typeof keyOf>[0], b: Parameters<typeof keyOf>[0]): number =>
  keyOf(a) < keyOf(b) ? -1 : 1;
