import { sql } from 'kysely';
import { type Db, runPrepared } from '../../platform/db/connect/pool.ts';

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
