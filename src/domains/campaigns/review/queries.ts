import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { alphabet, escapeSeptet, extension } from '../../../platform/sms-text/index.ts';
import { render } from '../../../platform/text/fill.ts';
import { isMeeting } from '../../contacts/index.ts';
import type { ChannelPrices } from '../../safeguards/index.ts';
import type { CampaignFields } from '../schemas.ts';

type Whom = Pick<CampaignFields, 'channel' | 'lists' | 'excluded_lists' | 'segment'>;

/** The contacts a campaign would go to now, as rows of `contact`; each list is read along the index of the present. */
function audienceNow(accountId: string, { lists, excluded_lists, segment }: Whom): RawBuilder<unknown> {
  const membersOf = (list: string) =>
    sql`select contact from list_members where account_id = ${accountId} and list = ${list} and removed_at is null`;
  const onLists = sql.join(lists.map(membersOf), sql` union `);
  const leftOut = excluded_lists.map((list) => sql`except ${membersOf(list)}`);
  return sql`select contact from ((${onLists}) ${sql.join(leftOut, sql` `)}) as person
    where ${isMeeting(accountId, sql.ref('person.contact'), segment)}`;
}

const sampled = 1000;
const mostShapes = 1000;

/** Names of attributes: those of the first people or, with `known`, those of people who have others than these. */
export async function findAttributeNames(db: Db, accountId: string, whom: Whom, known?: string[]): Promise<string[]> {
  const { rows } = await sql<{ names: string[] }>`
    select distinct jsonb_path_query_array(attributes, '$.keyvalue().key') as names from (
      select contacts.attributes from (${audienceNow(accountId, whom)}) as person
      join contacts on contacts.account_id = ${accountId} and contacts.uuid = person.contact
      ${known ? sql`where contacts.attributes - ${known}::text[] <> '{}'` : sql`limit ${sampled}`}) as looked
    limit ${mostShapes}`.execute(db);
  const names = new Set(rows.flatMap(({ names }) => names));
  // Lower case comes first: of several spellings, the plainest is shown.
  return [...names].sort((one, other) => (one < other ? 1 : -1));
}

/** What is asked of each person. */
export interface Asked {
  values: RawBuilder<string>[];
  /** The indexes in `values` of those that may be missing. */
  missable: number[];
  /** Over the columns `v0`, `v1` … */
  measure?: SmsMeasure | undefined;
  /** Only people who wrote to this chat-app account since then get it. */
  window?: { chatappAccount: string; since: Date } | undefined;
  prices: ChannelPrices;
}

/** The people whose numbers end with the same digit, counted: ten rows, whatever the audience. */
export interface Group {
  audience: number;
  opted_out: number;
  window_closed: number;
  parts: number | null;
  fewest: number | null;
  most: number | null;
  unicode: number;
  /** The cost of all recipients whose price is known. */
  cost: number | null;
  unpriced: number;
  missing: number[];
  examples: (string | null)[];
}

/** Counts the audience in one pass. Each group keeps one example, so that no list of people has to be kept. */
export async function countPeople(db: Db, accountId: string, whom: Whom, asked: Asked): Promise<Group[]> {
  const { values, missable, measure, window, prices } = asked;
  const columns = values.map((value, place) => sql`, ${value} as ${sql.ref(`v${place}`)}`);
  const isOpen = window
    ? sql`exists (
        select 1 from chat_people as writer
        where writer.account_id = ${accountId} and writer.chatapp_account = ${window.chatappAccount}
          and writer.digits = contacts.digits and not writer.window_closed and writer.last_inbound_at > ${window.since.toISOString()})`
    : sql`true`;
  const gets = sql`not is_out and is_open`;
  const lacks = (place: number) => sql`${gets} and ${sql.ref(`v${place}`)} = ''`;
  const arrayOf = (items: RawBuilder<unknown>[], type: RawBuilder<unknown>) =>
    sql`array[${sql.join(items)}]::${type}[]`;
  const parts = measure ? smsParts : sql`null::int`;
  const { rows } = await sql<Group>`
    with gone as materialized (
      select distinct digits from opt_outs where account_id = ${accountId} and channel in ('ALL', ${whom.channel}))
    select count(*) as audience, count(*) filter (where is_out) as opted_out,
      count(*) filter (where not is_out and not is_open) as window_closed,
      sum(${parts}) filter (where ${gets})::float8 as parts, min(${parts}) filter (where ${gets})::float8 as fewest,
      max(${parts}) filter (where ${gets})::float8 as most, count(*) filter (where ${gets} and unicode) as unicode,
      sum(price * coalesce(${parts}, 1)) filter (where ${gets})::float8 as cost, count(*) filter (where ${gets} and price is null) as unpriced,
      ${arrayOf(
        missable.map((place) => sql`count(*) filter (where ${lacks(place)})`),
        sql`float8`,
      )} as missing,
      ${arrayOf(
        missable.map((place) => sql`min(uuid::text) filter (where ${lacks(place)})`),
        sql`text`,
      )} as examples
    from ${measured(
      measure,
      sql`
      select contacts.uuid, right(contacts.digits, 1) as ending, gone.digits is not null as is_out, ${isOpen} as is_open,
        ${priceText(prices)} as price
        ${sql.join(columns, sql` `)}
      from (${audienceNow(accountId, whom)}) as person
      join contacts on contacts.account_id = ${accountId} and contacts.uuid = person.contact
      left join gone on gone.digits = contacts.digits`,
    )}
    group by ending`.execute(db);
  return rows;
}

/** The price of a contact, by the longest matching prefix. It is looked up by the digits instead of trying each prefix. */
function priceText({ byPrefix, lengths, otherwise }: ChannelPrices): RawBuilder<unknown> {
  const prices = JSON.stringify(Object.fromEntries(byPrefix));
  const byLength = lengths.map((length) => sql`(${prices}::jsonb ->> left(contacts.digits, ${length}::int))::float8`);
  return sql`coalesce(${sql.join([...byLength, sql`${otherwise ?? null}::float8`])})`;
}

/** `offset 0` makes PostgreSQL compute each step once for a row. */
const measured = (measure: SmsMeasure | undefined, people: RawBuilder<unknown>): RawBuilder<unknown> =>
  measure
    ? sql`(
      select *, ${measure.unicode} as unicode, ${measure.units} as units from (${people} offset 0) as person
      offset 0) as recipient`
    : sql`(select *, false as unicode, null::int as units from (${people} offset 0) as person) as recipient`;

/** How many people are in each time zone: that of the contact, else that of the first digits of their number. */
export async function countZones(db: Db, accountId: string, whom: Whom) {
  const { rows } = await sql<{ time_zone: string; digits: string; people: number }>`
    with gone as materialized (
      select distinct digits from opt_outs where account_id = ${accountId} and channel in ('ALL', ${whom.channel}))
    select contacts.time_zone, min(contacts.digits) as digits, count(*) as people
    from (${audienceNow(accountId, whom)}) as person
    join contacts on contacts.account_id = ${accountId} and contacts.uuid = person.contact
    left join gone on gone.digits = contacts.digits
    where gone.digits is null
    group by contacts.time_zone, case when contacts.time_zone = '' then left(contacts.digits, 4) end`.execute(db);
  return rows;
}

const mostLaunches = 10;

/** To how many of the audience each of the newest launches of the campaign sent it, and to how many any of them did. */
export async function countReceived(db: Db, accountId: string, campaign: string, whom: Whom) {
  const launches = await db
    .selectFrom('campaign_logs')
    .select(['uuid as campaign_log', 'created'])
    .where('account_id', '=', accountId)
    .where('campaign', '=', campaign)
    .where('started_at', 'is not', null)
    .orderBy('uuid', 'desc')
    .limit(mostLaunches)
    .execute();
  if (launches.length === 0) return { people: 0, launches: [] };
  const logs = launches.map(({ campaign_log }) => campaign_log);
  const { rows } = await sql<{ campaign_log: string | null; people: number }>`
    select recipient.campaign_log, count(distinct recipient.contact) as people
    from (${audienceNow(accountId, whom)}) as person
    join campaign_recipients as recipient
      on recipient.account_id = ${accountId} and recipient.campaign_log = any (${logs}::uuid[])
      and recipient.contact = person.contact and recipient.state = 'QUEUED'
    group by grouping sets ((recipient.campaign_log), ())`.execute(db);
  const counts = new Map(rows.map(({ campaign_log, people }) => [campaign_log, Number(people)]));
  return {
    people: counts.get(null) ?? 0,
    launches: launches.map((launch) => ({ ...launch, people: counts.get(launch.campaign_log) ?? 0 })),
  };
}

/** How long the SMS of each person will be, as SQL. */
interface SmsMeasure {
  /** Whether it needs characters that GSM-7 does not have. */
  unicode: RawBuilder<boolean>;
  /** UTF-16 units or septets. */
  units: RawBuilder<number>;
}

const doubled = [...extension.values()].join('');
const gsm = [...alphabet].filter((_, septet) => septet !== escapeSeptet).join('') + doubled;
const without = (text: RawBuilder<string>, characters: string) =>
  sql<string>`translate(${text}, ${characters}::text, '')`;
const lengthOf = (text: RawBuilder<string>) => sql<number>`char_length(${text})`;
/** Characters of two UTF-16 units. */
const astral = sql.raw(String.raw`'[\U00010000-\U0010FFFF]'`);
/** Characters of ASCII that GSM-7 does not have. */
const foreignAscii = sql.raw(String.raw`'[${'`'}\x01-\x09\x0B\x0E-\x1F\x7F]'`);

/** Most values are ASCII, which is quickly seen; only others are compared with the whole alphabet. */
const isForeign = (value: RawBuilder<string>) => sql<boolean>`case when octet_length(${value}) = char_length(${value})
  then ${value} ~ ${foreignAscii} else ${without(value, gsm)} <> '' end`;

/**
 * Measures the text without its placeholders here, and lets the database measure the values. It ignores characters that must not be
 * cut in half at the end of a part (one of two septets, an emoji): in rare cases a long text has one part more.
 */
export function measureSms(text: string, values: ReadonlyMap<string, RawBuilder<string>>): SmsMeasure {
  const empty = Object.fromEntries([...values.keys()].map((name) => [name, '']));
  const rest = render(text, empty).text;
  const used = [...values]
    .map(([name, value]) => ({ value, times: render(text, { ...empty, [name]: '.' }).text.length - rest.length }))
    .filter(({ times }) => times > 0);
  const sum = (fixed: number, each: (value: RawBuilder<string>) => RawBuilder<unknown>) => {
    const terms = used.map(({ value, times }) => sql`${times}::int * ${each(value)}`);
    return sql<number>`(${sql.join([sql`${fixed}::int`, ...terms], sql` + `)})`;
  };
  const isUnicode = [...rest].some((character) => !gsm.includes(character));
  const pairs = [...rest].filter((character) => doubled.includes(character)).length;
  const foreign = used.map(({ value }) => isForeign(value));
  const unicode = isUnicode ? sql<boolean>`true` : sql<boolean>`(${sql.join([sql`false`, ...foreign], sql` or `)})`;
  const septets = sum(
    rest.length + pairs,
    (value) => sql`(2 * ${lengthOf(value)} - ${lengthOf(without(value, doubled))})`,
  );
  const units = sum(
    rest.length,
    (value) => sql`(2 * ${lengthOf(value)} - ${lengthOf(sql`regexp_replace(${value}, ${astral}, '', 'g')`)})`,
  );
  return { unicode, units: sql<number>`case when ${unicode} then ${units} else ${septets} end` };
}

/** Over the columns `unicode` and `units`. */
const smsParts = sql<number>`(case when unicode then case when units <= 70 then 1 else (units + 66) / 67 end
  when units <= 160 then 1 else (units + 152) / 153 end)`;
