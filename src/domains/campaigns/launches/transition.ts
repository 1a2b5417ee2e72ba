import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Actor } from '../../../platform/http/route.ts';
import { optedOutCode } from '../../outbox/index.ts';
import { addTallies, readTallies } from '../../tallies/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, type EventData } from '../../webhooks/index.ts';
import { channels } from '../feed/channels.ts';
import { type LogRow, readLogs, setStatus } from '../logs/queries.ts';
import { CampaignLog, presentLog } from '../logs/schemas.ts';
import { cancelledTally, countOf, countReached } from './states.ts';

/** The steps of a launch from one state to another, in the caller's transaction, which has it locked. */

async function tell(
  deps: Deps,
  { account_id, uuid, reason, paused_by, campaign }: LogRow,
  step: string,
): Promise<void> {
  await appendEvents(deps.db, [
    {
      accountId: account_id,
      subjectType: 'campaign_log',
      subject: uuid,
      kind: `campaign.${step}`,
      data: { campaign, ...(reason !== '' && { reason }), ...(paused_by && { by: paused_by.name }) },
    },
  ]);
  deps.observer.campaign(step);
}

async function tellWebhooks(deps: Deps, log: LogRow, type: 'campaign.started' | 'campaign.completed'): Promise<void> {
  const [shown] = await readLogs(deps.db, log.account_id, [log]);
  await announce(deps.db, deps, [{ accountId: log.account_id, type, data: presentLog(shown!) }]);
}

export const tellScheduled = (deps: Deps, log: LogRow): Promise<void> => tell(deps, log, 'scheduled');

export async function tellStarted(deps: Deps, log: LogRow): Promise<void> {
  await tell(deps, log, 'started');
  await tellWebhooks(deps, log, 'campaign.started');
}

/** Without `by` the launch pauses itself. */
export async function pause(deps: Deps, log: LogRow, reason: string, by?: Actor): Promise<LogRow> {
  const paused = await setStatus(deps.db, log, 'PAUSED', { reason, paused_by: by ? JSON.stringify(by) : null });
  await tell(deps, paused, 'paused');
  await channels[log.snapshot.channel].pause(deps.db, log.account_id, log.uuid);
  return paused;
}

export async function complete(deps: Deps, log: LogRow): Promise<void> {
  await noteLateOptOuts(deps.db, log);
  const completed = await setStatus(deps.db, log, 'COMPLETED');
  await tell(deps, completed, 'completed');
  await tellWebhooks(deps, completed, 'campaign.completed');
}

/** Cancels a launch and takes back what waits. People who are held, or were not reached yet, count as skipped. */
export async function cancel(deps: Deps, log: LogRow): Promise<LogRow> {
  const { account_id: accountId, uuid: subject } = log;
  await noteLateOptOuts(deps.db, log);
  const cancelled = await setStatus(deps.db, log, 'CANCELLED');
  await tell(deps, cancelled, 'cancelled');
  await channels[log.snapshot.channel].cancel(deps, accountId, subject);
  const counts = (await readTallies(deps.db, accountId, [subject])).get(subject)!;
  const held = countOf(counts, 'held');
  const unreached = Math.max(0, (log.audience ?? 0) - countReached(counts));
  // Rows of people who are held, maybe a million, stay as they are: nobody looks at a cancelled launch again.
  await addTallies(deps.db, [
    { accountId, subject, name: 'held', count: -held },
    { accountId, subject, name: cancelledTally, count: held + unreached },
  ]);
  return cancelled;
}

export async function resume(deps: Deps, log: LogRow, resumedAfter: string): Promise<LogRow> {
  const status = log.started_at === null ? 'SCHEDULED' : 'RUNNING';
  const resumed = await setStatus(deps.db, log, status, { resumed_after: resumedAfter });
  await tell(deps, resumed, 'resumed');
  await channels[log.snapshot.channel].resume(deps.db, log.account_id, log.uuid);
  return resumed;
}

/**
 * People who opted out while their message waited are counted at once, and are added to the list of those left out when the launch
 * ends. Only a launch that has such people is looked through.
 */
async function noteLateOptOuts(db: Db, log: LogRow): Promise<void> {
  const { account_id, uuid, snapshot } = log;
  const counted = countOf((await readTallies(db, account_id, [uuid])).get(uuid)!, 'opted_out');
  if (counted === 0) return;
  const ofLaunch = sql`account_id = ${account_id} and campaign_log = ${uuid}`;
  const { rows } = await sql<{ noted: number }>`
    select count(*) as noted from campaign_recipients
    where ${ofLaunch} and state = 'SKIPPED' and reason = 'opted_out'`.execute(db);
  if (rows[0]!.noted >= counted) return;
  const [messages, states] = snapshot.channel === 'SMS' ? ['sms', 'sms_states'] : ['messages', 'message_states'];
  const { rows: late } = await sql<{ to_digits: string }>`
    select message.to_digits from (
      select uuid from ${sql.table(states!)}
      where ${ofLaunch} and status = 'FAILED' and failure_code = ${optedOutCode}) as failed
    join ${sql.table(messages!)} as message on message.account_id = ${account_id} and message.uuid = failed.uuid`.execute(
    db,
  );
  // A statement of its own, which joins nothing: see decision 65.
  await sql`
    update campaign_recipients set state = 'SKIPPED', reason = 'opted_out'
    where ${ofLaunch} and digits = any (${late.map((message) => message.to_digits)}) and state = 'QUEUED'`.execute(db);
}

export const campaignEvents = {
  'campaign.started': CampaignLog,
  'campaign.completed': CampaignLog,
} satisfies EventData;
