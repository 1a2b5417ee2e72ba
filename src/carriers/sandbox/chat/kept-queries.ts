import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';

/** Templates and flows as the sandbox was given them. */

export interface NewTemplate {
  id: string;
  numberDigits: string;
  name: string;
  languageCode: string;
  components: object[];
}

/** Keeps a template; one that is there already under its name and language stays the same one. Answers its id. */
export async function keepTemplate(db: Db, accountId: string, template: NewTemplate): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into sandbox_templates (account_id, id, number_digits, name, language_code, components)
    values (${accountId}, ${template.id}, ${template.numberDigits}, ${template.name}, ${template.languageCode},
      ${JSON.stringify(template.components)})
    on conflict (account_id, number_digits, name, language_code) do update set components = excluded.components
    returning id`.execute(db);
  return rows[0]!.id;
}

export async function changeTemplate(db: Db, accountId: string, id: string, components: object[]): Promise<void> {
  await db
    .updateTable('sandbox_templates')
    .set({ components: JSON.stringify(components) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function forgetTemplate(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('sandbox_templates').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export async function keepFlow(
  db: Db,
  accountId: string,
  flow: { id: string; numberDigits: string; name: string; definition: object | null },
): Promise<void> {
  await db
    .insertInto('sandbox_flows')
    .values({
      account_id: accountId,
      id: flow.id,
      number_digits: flow.numberDigits,
      name: flow.name,
      definition: flow.definition && JSON.stringify(flow.definition),
    })
    .execute();
}

export async function renameFlow(db: Db, accountId: string, id: string, name: string): Promise<void> {
  await db
    .updateTable('sandbox_flows')
    .set({ name })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function redrawFlow(db: Db, accountId: string, id: string, definition: object): Promise<void> {
  await db
    .updateTable('sandbox_flows')
    .set({ definition: JSON.stringify(definition) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function forgetFlow(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('sandbox_flows').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export const findKeptFlow = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('sandbox_flows')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The ids of flows that are known by their names; the latest where a deprecated one left its name to another. */
export async function findFlowIds(
  db: Db,
  accountId: string,
  flows: { numberDigits: string; name: string }[],
): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string | null }>`
    select (
      select max(flow.id) from sandbox_flows as flow
      where flow.account_id = ${accountId} and flow.number_digits = wanted.digits and flow.name = wanted.name
    ) as id
    from unnest(${flows.map((flow) => flow.numberDigits)}::text[], ${flows.map(({ name }) => name)}::text[])
      with ordinality as wanted (digits, name, place) order by place`.execute(db);
  return rows.map(({ id }) => id);
}
