import { sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { aliveText, isSettledText } from '../../platform/db/listener.ts';
import { isOverText } from '../../platform/db/moments.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import type { Claimed } from './queue.ts';
import type { Hand } from './settle-queries.ts';

/**
 * SQL of what workers have in hand: accepted to leave at once, a row for a batch, and without states until it is known what
 * became of each. A row counts for those alone that have no state, so it may stay for a while when all have theirs.
 */

const forget = prepared('sms.forget-in-hand', 'delete from sms_in_hand where worker = $1 and uuid = any ($2::uuid[])');

/** Sweeps away batches of which all have their states. */
export async function forgetInHandAnyAccount(db: Db, workerNumber: number, uuids: string[]): Promise<void> {
  if (uuids.length > 0) await forget(db, [workerNumber, uuidArray(uuids)]);
}

/** SQL text that writes what rows of `gone` have in hand into the queue, claimed as `claim` says. */
const queueText = (claim: { by: string; at: string; link: string; attempts: number }): string => `
  insert into sms_states (account_id, uuid, status, callback_url, expires_at, claimed_by, claimed_at, link, attempts)
  select gone.account_id, sms.uuid, 'QUEUED', sms.callback_url, sms.expire_at, ${claim.by}, ${claim.at}, ${claim.link},
    ${claim.attempts}
  from gone cross join lateral unnest(gone.sms, gone.callback_urls, gone.expire_at) as sms (uuid, callback_url, expire_at)
  on conflict (account_id, uuid) do nothing`;

const release = prepared<{ uuid: string }>(
  'sms.release-in-hand',
  `with gone as (delete from sms_in_hand where worker = $1 and uuid = any ($2::uuid[]) returning *
  ), queued as (${queueText({ by: 'null', at: 'null', link: 'null', attempts: 0 })})
  select uuid from gone`,
);

/** Gives batches places in the queue: they were accepted although that seemed to fail. Answers which those are. */
export const releaseInHandAnyAccount = async (db: Db, workerNumber: number, uuids: string[]): Promise<string[]> =>
  uuids.length === 0 ? [] : (await release(db, [workerNumber, uuidArray(uuids)])).map(({ uuid }) => uuid);

const disown = prepared(
  'sms.disown-in-hand',
  `with gone as (
    delete from sms_in_hand
    where ${isOverText('created', '3 seconds')} and case when worker = $1 then uuid <> all ($2::uuid[])
      else worker not in (${aliveText}) and ${isSettledText} end
    returning *)
  ${queueText({ by: 'gone.worker', at: 'gone.created', link: 'gone.link', attempts: 1 })}`,
);

/**
 * What dead workers had in hand becomes what they have claimed, and so does what this one has in hand by the rows alone, and not
 * among what is `known`: whoever takes that over asks the carrier.
 */
export async function disownInHandAnyAccount(db: Db, workerNumber: number, known: string[]): Promise<void> {
  await disown(db, [workerNumber, uuidArray(known)]);
}

/** Writes the states of SMS that a worker has in hand, as claimed by it. Those that have one keep it. */
export async function insertClaimedStates(
  db: Db,
  { accountId, link, workerNumber }: Hand,
  some: Claimed[],
): Promise<void> {
  if (some.length === 0) return;
  await sql`
    insert into sms_states (account_id, uuid, status, callback_url, expires_at, claimed_by, claimed_at, link, attempts)
    select ${accountId}, uuid, 'QUEUED', callback_url, expires_at, ${workerNumber}, now(), ${link}, 1
    from unnest(
      ${uuidArray(some.map(({ uuid }) => uuid))}::uuid[], ${some.map(({ callback_url }) => callback_url)}::text[],
      ${some.map(({ expires_at }) => expires_at)}::timestamptz[]) as sms (uuid, callback_url, expires_at)
    on conflict (account_id, uuid) do nothing`.execute(db);
}
