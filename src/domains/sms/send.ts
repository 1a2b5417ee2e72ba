import type { Deps } from '../../deps.ts';
import { notify } from '../../platform/db/listener.ts';
import { withOffset } from '../../platform/http/validation/index.ts';
import { newId } from '../../platform/ids.ts';
import { addressKey } from './addresses.ts';
import { type Checked, checkAll } from './check.ts';
import { adoptFor } from './links.ts';
import { insertQueued, type QueuedSms, type SmsRow } from './queries.ts';
import type { SmsCreate } from './schemas.ts';

export interface NewSms {
  accountId: string;
  request: SmsCreate;
  /** The launch of a campaign on whose behalf it is sent; it leaves after what is sent for itself. */
  campaignLog?: string;
}

/** Tells delivery which account has something new to send. */
export const queueTopic = 'sms';

/** Sends one SMS, in the company of whatever else is being sent at this moment. */
export const sendSms = (deps: Deps, accountId: string, request: SmsCreate): Promise<SmsRow> =>
  deps.batches.run('sms.send', { accountId, request }, (batch) => sendSmsAll(deps, batch));

/**
 * The one way any SMS is sent. Each gets its own result: what is wrong with one does not stop the others, and what is refused
 * leaves no trace. Rows, events and places in the queue are written by one statement.
 */
export async function sendSmsAll(deps: Deps, batch: NewSms[]): Promise<PromiseSettledResult<SmsRow>[]> {
  const results = (await checkAll(deps, batch)).map((checked) =>
    checked instanceof Error ? checked : queuedSms(checked),
  );
  const accepted = results.filter((result): result is QueuedSms => !(result instanceof Error));
  if (accepted.length === 0) return results.map((reason) => ({ status: 'rejected', reason }));
  const accountIds = [...new Set(accepted.map(({ account_id }) => account_id))];
  await adoptFor(deps, accountIds);
  const moment = await insertQueued(deps.db, accepted);
  await wakeDelivery(deps, accountIds);
  return results.map((result) =>
    result instanceof Error
      ? { status: 'rejected', reason: result }
      : { status: 'fulfilled', value: rowOf(result, moment) },
  );
}

function queuedSms({ sms, segmented, now }: Checked): QueuedSms {
  const { accountId, request, campaignLog } = sms;
  const leavesAt = request.send_at ? withOffset(request.send_at) : undefined;
  return {
    account_id: accountId,
    uuid: newId(),
    from_number: request.from,
    to_number: request.to,
    from_digits: addressKey(request.from),
    to_digits: addressKey(request.to),
    text: segmented.segments.join(''),
    encoding: segmented.encoding,
    segments: segmented.segments.length,
    meta_data: request.meta_data ?? {},
    campaign_log: campaignLog ?? null,
    callback_url: request.callback_url ?? null,
    priority: campaignLog === undefined ? 0 : 1,
    due_at: leavesAt ?? '-infinity',
    expires_at: expiryOf(request, leavesAt === undefined ? now : new Date(leavesAt), now),
  };
}

function expiryOf({ validity_seconds }: SmsCreate, leavesAt: Date, now: Date): string | null {
  if (validity_seconds === undefined) return null;
  return new Date(Math.max(leavesAt.getTime(), now.getTime()) + validity_seconds * 1000).toISOString();
}

const rowOf = (sms: QueuedSms, moment: string): SmsRow => ({
  ...sms,
  direction: 'OUTBOUND',
  keyword: null,
  status: 'QUEUED',
  status_description: '',
  created: moment,
  modified: moment,
});

async function wakeDelivery({ db, listener }: Deps, accountIds: string[]): Promise<void> {
  // Inside a transaction the rows are not visible yet: let the notice leave with the commit.
  if (db.isTransaction) return notify(db, queueTopic);
  for (const accountId of accountIds) listener.signal(queueTopic, accountId);
}
