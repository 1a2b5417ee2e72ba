import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import { newId } from '../../platform/ids.ts';
import { eventsText } from '../timeline/index.ts';
import type { Click } from './click-log.ts';

/**
 * The events of clicks on the links of intros, and of each intro the last time. In the order of intros, so that processes do
 * not wait for each other in a circle. "(select $1)" hides the length of the arrays from the planner, which would otherwise
 * read all of a small table rather than look its rows up.
 */
const write = prepared(
  'intros.clicked',
  `with clicked as (
    select account_id, uuid, subject, opened_ms, json_build_object('link', 'INTRO', 'session', null, 'visitor', visitor) as data
    from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::text[]), (select $5::float8[]))
      as click (account_id, uuid, subject, visitor, opened_ms)
  ), told as (
    ${eventsText('clicked', { subjectType: 'chat_intro', kind: 'chat_intro.clicked' })}
  )
  update intro_keys as intro set opened_at = opened.at, ranked_at = case when intro.shared then opened.at end
  from (
    select distinct on (subject, account_id) account_id, subject, to_timestamp(opened_ms / 1000) as at
    from clicked order by subject, account_id, opened_ms desc
  ) as opened
  where intro.account_id = opened.account_id and intro.chat_intro = opened.subject
    and (intro.opened_at is null or intro.opened_at < opened.at)`,
);

/** Nothing of a click needs quotes: ids, hexadecimal digits, numbers. */
export async function writeOpeningsAnyAccount(db: Db, clicks: Click[]): Promise<void> {
  if (clicks.length === 0) return;
  await write(db, [
    uuidArray(clicks.map(({ accountId }) => accountId)),
    uuidArray(clicks.map(newId)),
    uuidArray(clicks.map(({ chatIntro }) => chatIntro)),
    `{${clicks.map(({ visitor }) => visitor).join()}}`,
    `{${clicks.map(({ openedMs }) => openedMs).join()}}`,
  ]);
}

interface Told {
  reference_id: string | null;
  meta_data: unknown;
}

const tell = prepared<Told & { uuid: string }>(
  'intros.told',
  `select intro.uuid, intro.reference_id, intro.meta_data
  from (select distinct * from unnest($1::uuid[], $2::uuid[])) as wanted (account_id, uuid)
  join chat_intros as intro using (account_id, uuid)`,
);

/** What webhooks are told of intros beside what happened, by their uuid. */
export async function findToldAnyAccount(
  db: Db,
  intros: { accountId: string; chatIntro: string }[],
): Promise<Map<string, Told>> {
  const rows = await tell(db, [
    uuidArray(intros.map(({ accountId }) => accountId)),
    uuidArray(intros.map(({ chatIntro }) => chatIntro)),
  ]);
  return new Map(rows.map(({ uuid, ...told }) => [uuid, told]));
}
