import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';

interface Opened {
  accountId: string;
  chatIntro: string;
  openedAt: Date;
}

const open = prepared(
  'intros.opened',
  `update chat_intros as intro set opened_at = opened.at
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as opened (account_id, uuid, at)
  where intro.account_id = opened.account_id and intro.uuid = opened.uuid
    and (intro.opened_at is null or intro.opened_at < opened.at)`,
);

/** When links of intros were last opened; each intro once. In one order, so that processes do not wait for each other in a circle. */
export async function noteOpenedAnyAccount(db: Db, opened: Opened[]): Promise<void> {
  if (opened.length === 0) return;
  const ordered = opened.toSorted((a, b) => (a.chatIntro < b.chatIntro ? -1 : 1));
  await open(db, [
    uuidArray(ordered.map(({ accountId }) => accountId)),
    uuidArray(ordered.map(({ chatIntro }) => chatIntro)),
    ordered.map(({ openedAt }) => openedAt.toISOString()),
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
