import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, isDistributed, prepared } from '../../../platform/db/connect/pool.ts';
import { readPhone } from '../../../platform/phone.ts';
import { addTallies } from '../../tallies/index.ts';
import { noteReplies } from '../audience/queries.ts';
import type { CampaignChannel } from '../schemas.ts';

/** Somebody who wrote, and to whom. */
export interface Writer {
  accountId: string;
  channel: CampaignChannel;
  /** The digits of the number that was written to. */
  sender: string;
  digits: string;
}

/** How many launches of one person are looked at: several senders may have written to the same person. */
const mostLaunches = 5;

interface Found {
  place: number;
  campaign_log: string;
  sender: string;
  country: string;
}

const findText = (writers: string, account: string): string => `
  select writer.place, written.campaign_log, log.snapshot ->> 'sender' as sender,
    account.default_country as country
  from ${writers}
  cross join lateral (
    select campaign_log from campaign_recipients
    where account_id = ${account} and digits = writer.digits and state = 'QUEUED'
      -- A launch may be held and go on for weeks; the message tells when it was written.
      and campaign_log >= uuid_floor(now() - interval '100 days') and message >= uuid_floor(now() - interval '3 days')
    order by campaign_log desc limit ${mostLaunches}) as written
  join campaign_logs as log on log.account_id = ${account} and log.uuid = written.campaign_log
  join accounts as account on account.uuid = ${account}
  where log.snapshot ->> 'channel' = writer.channel
  order by writer.place, written.campaign_log`;

const find = prepared<Found>(
  'campaigns.launches-of',
  findText(
    'unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as writer (account_id, channel, digits, place)',
    'writer.account_id',
  ),
);
const findOfAccount = prepared<Found>(
  'campaigns.launches-of-account',
  findText('unnest($2::text[], $3::text[]) with ordinality as writer (channel, digits, place)', '$1::uuid'),
);

/** The newest launch that wrote to each within three days, from the number that was answered. */
export async function findLaunchesOf<W extends Writer>(db: Db, writers: W[]): Promise<Map<W, string>> {
  const found = new Map<W, string>();
  if (writers.length === 0) return found;
  // On a distributed database, each statement looks into one shard.
  const groups = isDistributed(db) ? [...Map.groupBy(writers, ({ accountId }) => accountId).values()] : [writers];
  for (const some of groups) {
    const rows = await (isDistributed(db) ? findOfAccount : find)(db, [
      isDistributed(db) ? some[0]!.accountId : uuidArray(some.map(({ accountId }) => accountId)),
      some.map(({ channel }) => channel),
      some.map(({ digits }) => digits),
    ]);
    for (const { place, campaign_log, sender, country } of rows) {
      const writer = some[place - 1]!;
      if (readPhone(sender, country) === writer.sender) found.set(writer, campaign_log);
    }
  }
  return found;
}

/** Counts who answered a launch, everybody once. */
export async function countReplies(
  db: Db,
  replies: { accountId: string; campaignLog: string; digits: string }[],
): Promise<void> {
  if (replies.length === 0) return;
  const first = await noteReplies(db, replies);
  await addTallies(
    db,
    first.map(({ account_id: accountId, uuid: subject }) => ({ accountId, subject, name: 'replied', count: 1 })),
  );
}
