import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import type { CarrierChat } from '../../ports/chat.ts';

const idsLiveMs = 30 * 86_400_000;

/**
 * Templates, flows and files on the sandbox's side: it agrees to everything, and keeps what phones need to show it. Nothing of that
 * is news to us, so there is nothing to list.
 */
export const management = (db: Db, clock: Clock): Pick<CarrierChat, 'templates' | 'flows' | 'media'> => ({
  templates: {
    list: async () => null,
    async create({ accountId, number }, { name, languageCode, components, category }) {
      const template = { id: newId(), numberDigits: phoneDigits(number), name, languageCode, components };
      return { id: await keepTemplate(db, accountId, template), status: 'APPROVED', category };
    },
    async update({ accountId }, id, { components }) {
      if (components) await changeTemplate(db, accountId, id, components);
      return { status: 'APPROVED' };
    },
    delete: ({ accountId }, { id }) => forgetTemplate(db, accountId, id),
  },
  flows: {
    list: async () => null,
    async create({ accountId, number }, { name, categories, definition }) {
      const id = newId();
      await keepFlow(db, accountId, { id, numberDigits: phoneDigits(number), name, definition });
      return { id, name, categories, status: 'DRAFT', validationErrors: [] };
    },
    async update({ accountId }, id, { name }) {
      if (name !== undefined) await renameFlow(db, accountId, id, name);
    },
    async draw({ accountId }, id, definition) {
      await redrawFlow(db, accountId, id, definition);
      return [];
    },
    remove: ({ accountId }, id) => forgetFlow(db, accountId, id),
    publish: async () => {},
    deprecate: async () => {},
    // Its phones are on this very server.
    preview: async (_sender, id) => ({
      previewUrl: `/console/phone/flow/${id}`,
      expiresAt: new Date(clock.now().getTime() + idsLiveMs),
    }),
  },
  media: {
    upload: async () => ({ id: newId(), expiresAt: new Date(clock.now().getTime() + idsLiveMs) }),
    uploadSample: async () => newId(),
    download: async () => {
      throw new CarrierRefusal('no_media', 'Nobody sends files in the sandbox.');
    },
  },
});

/** Templates and flows as the sandbox was given them. */

export interface NewTemplate {
  id: string;
  numberDigits: string;
  name: string;
  languageCode: string;
  components: object[];
}

/** Keeps a template; one that is there already under its name and language stays the same one. Answers its id. */
async function keepTemplate(db: Db, accountId: string, template: NewTemplate): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into sandbox_templates (account_id, id, number_digits, name, language_code, components)
    values (${accountId}, ${template.id}, ${template.numberDigits}, ${template.name}, ${template.languageCode},
      ${JSON.stringify(template.components)})
    on conflict (account_id, number_digits, name, language_code) do update set components = excluded.components
    returning id`.execute(db);
  return rows[0]!.id;
}

async function changeTemplate(db: Db, accountId: string, id: string, components: object[]): Promise<void> {
  await db
    .updateTable('sandbox_templates')
    .set({ components: JSON.stringify(components) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

async function forgetTemplate(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('sandbox_templates').where('account_id', '=', accountId).where('id', '=', id).execute();
}

async function keepFlow(
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

async function renameFlow(db: Db, accountId: string, id: string, name: string): Promise<void> {
  await db
    .updateTable('sandbox_flows')
    .set({ name })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

async function redrawFlow(db: Db, accountId: string, id: string, definition: object): Promise<void> {
  await db
    .updateTable('sandbox_flows')
    .set({ definition: JSON.stringify(definition) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

async function forgetFlow(db: Db, accountId: string, id: string): Promise<void> {
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
