import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Db } from '../../platform/db/pool.ts';
import { checkLists } from './check.ts';
import { CampaignChannel, excludedLists, lists } from './schemas.ts';

export const CampaignAudienceQuery = Type.Object({
  channel: Type.Optional(CampaignChannel),
  lists: Type.Optional(lists),
  excluded_lists: Type.Optional(excludedLists),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const CampaignAudience = Type.Object(
  {
    audience: count('Who is on the lists, everybody once, without those on excluded ones.'),
    opted_out: count('Those of them who have opted out of the channel: they get nothing.'),
    people: count('The others.'),
  },
  { title: 'CampaignAudience' },
);

/** Whom a campaign with these lists would go to, as things are now. Without a list that is nobody. */
export async function readAudience(
  db: Db,
  accountId: string,
  { channel = 'CHATAPP', lists = [], excluded_lists = [] }: Static<typeof CampaignAudienceQuery>,
): Promise<Static<typeof CampaignAudience>> {
  await checkLists(db, accountId, { lists, excluded_lists });
  const { audience, opted_out } = await countNow(db, accountId, { channel, lists, excluded: excluded_lists });
  return { audience, opted_out, people: audience - opted_out };
}

/** Those who are there now, from the index of the present alone. Of those who opted out, the ones in the audience are counted. */
async function countNow(
  db: Db,
  accountId: string,
  { channel, lists, excluded }: { channel: string; lists: string[]; excluded: string[] },
) {
  const isOn = (which: string[]) =>
    sql`member.account_id = ${accountId} and member.list = any(${which}::uuid[]) and member.removed_at is null`;
  const hasRow = (which: string[], contact: string) =>
    sql`exists (select from list_members as member where ${isOn(which)} and member.contact = ${sql.ref(contact)})`;
  const isLeftOut = (contact: string) => (excluded.length > 0 ? hasRow(excluded, contact) : sql`false`);
  // On one list everybody is once.
  const each = lists.length > 1 ? sql`distinct on_list.contact` : sql`*`;
  const { rows } = await sql<{ audience: number; opted_out: number }>`
    select (
      select count(${each}) from (select contact from list_members as member where ${isOn(lists)}) as on_list
      where not ${isLeftOut('on_list.contact')}) as audience, (
      select count(distinct contact.uuid) from opt_outs
      join contacts as contact on contact.account_id = opt_outs.account_id and contact.digits = opt_outs.digits
      where opt_outs.account_id = ${accountId} and channel in ('ALL', ${channel})
        and ${hasRow(lists, 'contact.uuid')} and not ${isLeftOut('contact.uuid')}) as opted_out`.execute(db);
  return rows[0]!;
}
