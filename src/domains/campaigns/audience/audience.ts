import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { type FieldErrors, ValidationError } from '../../../platform/errors.ts';
import { bodyValidator, unstorable } from '../../../platform/http/validation/index.ts';
import { isMeeting, Segment, segmentErrors } from '../../contacts/index.ts';
import { checkLists } from '../change.ts';
import { CampaignChannel, excludedLists, lists } from '../schemas.ts';

export const CampaignAudienceQuery = Type.Object({
  channel: Type.Optional(CampaignChannel),
  lists: Type.Optional(lists),
  excluded_lists: Type.Optional(excludedLists),
  segment: Type.Optional(Type.String({ maxLength: 20_000, description: 'The conditions of the campaign, as JSON.' })),
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

/** Who a campaign with these lists would go to, as things are now; nobody if there is no list. */
export async function readAudience(
  db: Db,
  accountId: string,
  query: Static<typeof CampaignAudienceQuery>,
): Promise<Static<typeof CampaignAudience>> {
  const { channel = 'CHATAPP', lists = [], excluded_lists = [] } = query;
  await checkLists(db, accountId, { lists, excluded_lists });
  const segment = readSegment(query.segment ?? '[]');
  const { audience, opted_out } = await countNow(db, accountId, { channel, lists, excluded: excluded_lists, segment });
  return { audience, opted_out, people: audience - opted_out };
}

const wrongSegment = bodyValidator(Type.Object({ segment: Segment }));

function readSegment(text: string): Segment {
  let segment: unknown;
  try {
    segment = JSON.parse(text);
  } catch {
    throw new ValidationError({ segment: ['Enter valid JSON.'] });
  }
  const wrong = wrongSegment({ segment }) ?? unstorable({ segment }) ?? segmentErrors(segment as Segment);
  const errors = wrong as FieldErrors;
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  return segment as Segment;
}

/**
 * Counts the present audience from the index of present members alone. The index has each list in the order of contacts, so lists
 * are merged as they are read; asked for all of them at once, the planner would sort, or read the table row by row. Opt-outs are
 * counted among the audience only.
 */
async function countNow(
  db: Db,
  accountId: string,
  { channel, lists, excluded, segment }: { channel: string; lists: string[]; excluded: string[]; segment: Segment },
) {
  if (lists.length === 0) return { audience: 0, opted_out: 0 };
  const membersOf = (list: string) =>
    sql`select contact from list_members where account_id = ${accountId} and list = ${list} and removed_at is null`;
  const onLists = sql.join(lists.map(membersOf), sql` union `);
  const leftOut = excluded.map((list) => sql`except ${membersOf(list)}`);
  // Looked up person by person: a join would read all members for a few opt-outs.
  const isOn = (which: string[]) => sql`(
    select true from list_members as member where member.account_id = ${accountId} and member.list = any(${which}::uuid[])
      and member.removed_at is null and member.contact = gone.contact limit 1)`;
  const { rows } = await sql<{ audience: number; opted_out: number }>`
    with gone as materialized (
      select distinct contact.uuid as contact from opt_outs
      join contacts as contact on contact.account_id = opt_outs.account_id and contact.digits = opt_outs.digits
      where opt_outs.account_id = ${accountId} and channel in ('ALL', ${channel}))
    select
      (select count(*) from ((${onLists}) ${sql.join(leftOut, sql` `)}) as person
        where ${isMeeting(accountId, sql.ref('person.contact'), segment)}) as audience,
      (select count(*) from gone where ${isOn(lists)} and ${isOn(excluded)} is null
        and ${isMeeting(accountId, sql.ref('gone.contact'), segment)}) as opted_out`.execute(db);
  return rows[0]!;
}
