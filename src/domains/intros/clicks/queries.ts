import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import { eventsText } from '../../timeline/index.ts';
import type { ChatClick } from './click-log.ts';

const keep = prepared(
  'intros.keep_clicks',
  `insert into click_batches (uuid, events, account_ids, chat_intros, visitors, opened_ms)
  values ($1, $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::float8[])`,
);

/** Writes clicks on the links of intros down. */
export async function keepClicksAnyAccount(db: Db, clicks: ChatClick[]): Promise<void> {
  if (clicks.length > 0) await keep(db, [newId(), ...arraysOf(clicks)]);
}

/** Nothing of a click needs quotes: ids, hexadecimal digits, numbers. */
const arraysOf = (clicks: ChatClick[]): string[] => [
  uuidArray(clicks.map(newId)),
  uuidArray(clicks.map(({ accountId }) => accountId)),
  uuidArray(clicks.map(({ chatIntro }) => chatIntro)),
  `{${clicks.map(({ visitor }) => visitor).join()}}`,
  `{${clicks.map(({ openedMs }) => openedMs).join()}}`,
];

/**
 * Writes the events of a batch of clicks, and the time of the last click of each intro. Intros are updated in one order, so that
 * processes do not wait for each other in a circle.
 */
const tellText = (batch: string): string => `clicked as (
    select click.account_id, click.event as uuid, click.subject, click.opened_ms, batch.written as at,
      json_build_object('link', 'INTRO', 'session', null, 'visitor', click.visitor) as data
    from ${batch} as batch
    cross join unnest(batch.events, batch.account_ids, batch.chat_intros, batch.visitors, batch.opened_ms)
      as click (event, account_id, subject, visitor, opened_ms)
  ), told as (
    ${eventsText('clicked', { subjectType: 'chat_intro', kind: 'chat_intro.clicked' })}
  ), opened as (
    update intro_keys as intro set opened_at = opened.at, ranked_at = case when intro.shared then opened.at end
    from (
      select distinct on (subject, account_id) account_id, subject, to_timestamp(opened_ms / 1000) as at
      from clicked order by subject, account_id, opened_ms desc
    ) as opened
    where intro.account_id = opened.account_id and intro.chat_intro = opened.subject
      and (intro.opened_at is null or intro.opened_at < opened.at)
  )`;

const tellOldest = prepared<{ clicks: number }>(
  'intros.tell_clicks',
  `with batch as (
    delete from click_batches
    where uuid = (select uuid from click_batches order by uuid limit 1 for update skip locked)
    returning events, account_ids, chat_intros, visitors, opened_ms, written
  ), ${tellText('batch')}
  select coalesce(sum(cardinality(events)), 0) as clicks from batch`,
);

const tell = prepared(
  'intros.tell_clicks_now',
  `with batch as (
    select $1::uuid[] as events, $2::uuid[] as account_ids, $3::uuid[] as chat_intros, $4::text[] as visitors,
      $5::float8[] as opened_ms, now() as written
  ), ${tellText('batch')}
  select`,
);

/** Brings clicks on the links of intros onto the timeline. */
export async function tellClicksAnyAccount(db: Db, clicks: ChatClick[]): Promise<void> {
  if (clicks.length > 0) await tell(db, arraysOf(clicks));
}

/** Brings the oldest batch of clicks that were written down onto the timeline; answers how many they are. */
export async function tellOldestClicksAnyAccount(db: Db): Promise<number> {
  const [row] = await tellOldest(db, []);
  return row!.clicks;
}

const split = prepared<{ account_id: string; clicks: number }>(
  'intros.split_clicks',
  `with batch as (
    delete from click_batches
    where uuid = (select uuid from click_batches order by uuid limit 1 for update skip locked)
    returning events, account_ids, chat_intros, visitors, opened_ms, written
  ), click as (
    select click.*, batch.written,
      case when (select count(distinct account_id) from unnest(batch.account_ids) as account_id) = 1 then click.event end as part
    from batch cross join unnest(batch.events, batch.account_ids, batch.chat_intros, batch.visitors, batch.opened_ms)
      as click (event, account_id, chat_intro, visitor, opened_ms)
  ), parts as (
    insert into click_batches (uuid, events, account_ids, chat_intros, visitors, opened_ms, written)
    select gen_random_uuid(), array_agg(event), array_agg(account_id), array_agg(chat_intro), array_agg(visitor),
      array_agg(opened_ms), min(written)
    from click where (select count(*) from click) > 1 group by account_id, part
  )
  select account_id, count(*) as clicks from click group by account_id`,
);

/**
 * Splits the oldest batch after a failure: into one batch for each account or, if it is of one account, into one for each click. A
 * batch of a single click is deleted; its account is answered.
 */
export async function splitOldestClicksAnyAccount(db: Db): Promise<string | undefined> {
  const [first, ...others] = await split(db, []);
  return first?.clicks === 1 && others.length === 0 ? first.account_id : undefined;
}

interface Told {
  chatapp_number: string;
  reference_id: string | null;
  meta_data: unknown;
}

const findTold = prepared<Told & { uuid: string }>(
  'intros.told',
  `select intro.uuid, intro.chatapp_number, intro.reference_id, intro.meta_data
  from (select distinct * from unnest($1::uuid[], $2::uuid[])) as wanted (account_id, uuid)
  join chat_intros as intro using (account_id, uuid)`,
);

/** What webhooks are told of intros beside what happened, by their uuid. */
export async function findToldAnyAccount(
  db: Db,
  intros: { accountId: string; chatIntro: string }[],
): Promise<Map<string, Told>> {
  const rows = await findTold(db, [
    uuidArray(intros.map(({ accountId }) => accountId)),
    uuidArray(intros.map(({ chatIntro }) => chatIntro)),
  ]);
  return new Map(rows.map(({ uuid, ...told }) => [uuid, told]));
}
