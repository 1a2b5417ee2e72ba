import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Campaigns } from '../../platform/db/types.ts';
import { withOffset } from '../../platform/http/validation/index.ts';
import { newId } from '../../platform/ids.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import type { LogStatus } from './launches/states.ts';
import type { CampaignFields } from './schemas.ts';

/** A campaign, with the status of its newest launch. */
export type CampaignRow = Selectable<Campaigns> & { status: LogStatus | null };

const campaignsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('campaigns')
    .leftJoin('campaign_logs as newest', (join) =>
      join.onRef('newest.account_id', '=', 'campaigns.account_id').onRef('newest.uuid', '=', 'campaigns.campaign_log'),
    )
    .selectAll('campaigns')
    .select('newest.status')
    .$castTo<CampaignRow>()
    .where('campaigns.account_id', '=', accountId)
    .where('deleted_at', 'is', null);

export interface CampaignFilter extends Omit<PageQuery, 'ordering'> {
  ordering: string;
  channel?: string;
  status?: 'DRAFT' | LogStatus;
  name?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = {
  ids: ['campaigns.uuid', 'campaigns.campaign_log'],
  indexed: { account: 'campaigns.account_id', text: sql`campaigns.name` },
};

export function listCampaigns(db: Db, accountId: string, query: CampaignFilter) {
  const { channel, status, name } = query;
  let rows = campaignsOf(db, accountId);
  if (channel) rows = rows.where('channel', '=', channel);
  if (status === 'DRAFT') rows = rows.where('campaign_log', 'is', null);
  else if (status) rows = rows.where('newest.status', '=', status);
  if (query.sought) rows = rows.where(isSought(query.sought, soughtIn));
  if (name?.trim()) rows = rows.where(hasWords(accountId, name));
  return keysetPage(db, rows, query, {
    uuid: 'campaigns.uuid',
    created: 'campaigns.created',
    orderings: { name: sql`lower(campaigns.name)` },
  });
}

/** Names in which every one of these words begins a word. */
const hasWords = (accountId: string, words: string) =>
  sql<boolean>`contact_terms(campaigns.account_id, campaigns.name, '{}') @@ contact_words(${accountId}, ${words})`;

export const findCampaign = (db: Db, accountId: string, uuid: string): Promise<CampaignRow | undefined> =>
  campaignsOf(db, accountId).where('campaigns.uuid', '=', uuid).executeTakeFirst();

/** Locks a campaign: nobody else launches, changes or deletes it before the transaction ends. */
export async function lockCampaign(db: Db, accountId: string, uuid: string): Promise<CampaignRow | undefined> {
  const { rows } = await sql`
    select uuid from campaigns where account_id = ${accountId} and uuid = ${uuid} and deleted_at is null
    for no key update`.execute(db);
  // Read after the lock was waited for: its newest launch may be a moment old.
  return rows.length === 0 ? undefined : findCampaign(db, accountId, uuid);
}

const columnsOf = (fields: CampaignFields) => ({
  name: fields.name,
  channel: fields.channel,
  sender: fields.sender,
  template: fields.template && JSON.stringify(fields.template),
  text: fields.text,
  fallbacks: JSON.stringify(fields.fallbacks),
  lists: fields.lists,
  excluded_lists: fields.excluded_lists,
  segment: JSON.stringify(fields.segment),
  rate_per_second: fields.rate_per_second,
  quiet_hours: fields.quiet_hours === null ? null : JSON.stringify(fields.quiet_hours || {}),
  track_links: fields.track_links,
  send_at: fields.send_at && withOffset(fields.send_at),
  meta_data: JSON.stringify(fields.meta_data),
});

export async function insertCampaign(db: Db, accountId: string, fields: CampaignFields): Promise<string> {
  const uuid = newId();
  await db
    .insertInto('campaigns')
    .values({ account_id: accountId, uuid, ...columnsOf(fields) })
    .execute();
  return uuid;
}

export async function updateCampaign(db: Db, accountId: string, uuid: string, fields: CampaignFields): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ ...columnsOf(fields), modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Stores which launch is the newest: the campaign is shown with its status. */
export async function setNewestLog(db: Db, accountId: string, uuid: string, campaignLog: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ campaign_log: campaignLog })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
}

export async function deleteCampaign(db: Db, accountId: string, uuid: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ deleted_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
}
