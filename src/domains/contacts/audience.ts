import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import type { AttributeValue } from './schemas.ts';
import { findMeeting, meets, type Segment } from './segment.ts';

/** Who was on any of the lists, and on none of the excluded ones, at a moment, and meets the conditions of the segment now. */
export interface Audience {
  lists: string[];
  excludedLists: string[];
  segment: Segment;
  /** As the database wrote it. */
  at: string;
}

/** Of somebody who was deleted since, nothing but the id is known. */
export type AudienceMember =
  | {
      uuid: string;
      deleted?: undefined;
      phone_number: string;
      digits: string;
      name: string;
      language_code: string;
      time_zone: string;
      attributes: Record<string, AttributeValue>;
    }
  | { uuid: string; deleted: true };

export interface AudienceBatch {
  /** In the order of ids. There may be fewer than asked for, even none, and still more to come: see `next`. */
  members: AudienceMember[];
  /** What to pass as `after` for the next batch; null: this was the last. */
  next: string | null;
}

const wasOn = (row: string): string =>
  `${row}.added_at <= $4::timestamptz and (${row}.removed_at is null or ${row}.removed_at > $4::timestamptz)`;

/**
 * Reads up to as many rows of each list as were asked for, along its key, whether or not they belong to the audience. The beginning
 * of the merged rows is therefore complete, and a call's work is bounded however many people have left or are excluded. `limit 1`
 * keeps the planner from reading whole tables for a join.
 */
const batch = prepared<Omit<AudienceMember, 'deleted'> & { chosen: boolean; digits: string | null }>(
  'contacts.audience',
  `with looked_at as (
    select member.contact, bool_or(${wasOn('member')}) as was_on
    from unnest($2::uuid[]) as list (uuid) cross join lateral (
      select contact, added_at, removed_at from list_members
      where account_id = $1 and list_members.list = list.uuid and contact > $5::uuid
      order by contact limit $6
    ) as member
    group by contact order by contact limit $6
  ), judged as (
    select contact, was_on and excluded.is_there is null as chosen
    from looked_at left join lateral (
      select true as is_there from list_members as other
      where other.account_id = $1 and other.list = any ($3::uuid[]) and other.contact = looked_at.contact and ${wasOn('other')}
      limit 1
    ) as excluded on true
  )
  select judged.contact as uuid, chosen, phone_number, digits, name, language_code, time_zone, attributes
  from judged left join lateral (
    select phone_number, digits, name, language_code, time_zone, attributes from contacts
    where contacts.account_id = $1 and contacts.uuid = judged.contact and chosen limit 1
  ) as person on true
  order by judged.contact`,
);

const beforeAll = '00000000-0000-0000-0000-000000000000';

export async function audienceBatch(
  db: Db,
  accountId: string,
  { lists, excludedLists, segment, at, after, limit }: Audience & { after: string | null; limit: number },
): Promise<AudienceBatch> {
  const rows = await batch(db, [accountId, lists, excludedLists, at, after ?? beforeAll, limit]);
  const members = rows.flatMap(({ chosen, ...person }): AudienceMember[] => {
    if (!chosen) return [];
    return [person.digits === null ? { uuid: person.uuid, deleted: true } : (person as AudienceMember)];
  });
  const next = rows.length < limit ? null : rows.at(-1)!.uuid;
  if (segment.length === 0) return { members, next };
  const uuids = members.map(({ uuid }) => uuid);
  const meeting = await findMeeting(db, accountId, uuids, segment);
  return { members: members.filter(({ uuid }) => meeting.has(uuid)), next };
}

/** How many they are. */
export async function countAudience(
  db: Db,
  accountId: string,
  { lists, excludedLists, segment, at }: Audience,
): Promise<number> {
  const wasOnAt = (row: string) =>
    sql`${sql.ref(`${row}.added_at`)} <= ${at}::timestamptz
      and (${sql.ref(`${row}.removed_at`)} is null or ${sql.ref(`${row}.removed_at`)} > ${at}::timestamptz)`;
  const { rows } = await sql<{ count: number }>`
    select count(distinct contact) from list_members as member
    where member.account_id = ${accountId} and member.list = any(${lists}::uuid[]) and ${wasOnAt('member')}
      and not exists (
        select 1 from list_members as other
        where other.account_id = ${accountId} and other.list = any(${excludedLists}::uuid[])
          and other.contact = member.contact and ${wasOnAt('other')})
      and ${isMeeting(accountId, sql.ref('member.contact'), segment)}`.execute(db);
  return rows[0]!.count;
}

/** Whether the contact of this id meets the conditions; somebody who is gone meets none. */
export const isMeeting = (accountId: string, contact: RawBuilder<unknown>, segment: Segment): RawBuilder<boolean> =>
  segment.length === 0
    ? sql`true`
    : sql`exists (
        select 1 from contacts where contacts.account_id = ${accountId} and contacts.uuid = ${contact} and ${meets(segment)})`;
