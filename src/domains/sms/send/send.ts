import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, type FieldErrors, notFound, ValidationError } from '../../../platform/errors.ts';
import { bodyValidator, withOffset } from '../../../platform/http/validation/index.ts';
import { newId } from '../../../platform/ids.ts';
import { withTracedId } from '../../../platform/observe/traces.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { countryOf } from '../../accounts/index.ts';
import { priorities } from '../../outbox/index.ts';
import { giveFeedback, heedSafeguards, type Sending } from '../../safeguards/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { outbox } from '../deliver/states.ts';
import { adoptFor } from '../links/links.ts';
import { findAddressed, type SmsRow } from '../queries.ts';
import { presentSms, SmsCreate, type SmsCreateMultiple } from '../schemas.ts';
import { insertQueued, type QueuedSms } from './accept-queries.ts';
import { type Checked, checkAll } from './check.ts';
import { findFastPath } from './fast-path.ts';
import { findHeld, type Hold, type Leaving } from './quiet.ts';

export interface NewSms {
  accountId: string;
  request: SmsCreate;
  /** The launch of a campaign on whose behalf it is sent; it leaves after what is sent for itself. */
  campaignLog?: string;
  /** Its id, where something that refers to it was stored first. */
  uuid?: string;
}

/** Sends one SMS, batched with others that are being sent at this moment. */
export const sendSms = (deps: Deps, accountId: string, request: SmsCreate): Promise<SmsRow> =>
  deps.batches.run('sms.send', withTracedId({ accountId, request }), (batch) => sendSmsAll(deps, batch));

/**
 * The one way any SMS is sent. Each gets its own result: what is wrong with one does not stop the others, and what is refused
 * leaves no trace. Rows, events and places in the queue are written by one statement.
 */
export async function sendSmsAll(deps: Deps, batch: NewSms[]): Promise<PromiseSettledResult<SmsRow>[]> {
  const sinceMs = exactMs();
  const { results, held } = await acceptable(deps, batch);
  const accepted = results.filter((result): result is QueuedSms => !(result instanceof Error));
  if (accepted.length === 0) return results.map((reason) => ({ status: 'rejected', reason }));
  const accountIds = [...new Set(accepted.map(({ account_id }) => account_id))];
  await adoptFor(deps, accountIds);
  const moment = await store(deps, accepted, held);
  outbox.wake(deps, accountIds);
  deps.observer.steps(
    'sms',
    accepted.map(({ uuid }) => ({ uuid, status: 'QUEUED' })),
    sinceMs,
  );
  return results.map((result) =>
    result instanceof Error
      ? { status: 'rejected', reason: result }
      : { status: 'fulfilled', value: rowOf(result, moment) },
  );
}

/** The error of each SMS, or the row that is to be stored; and the rows that quiet hours hold. */
async function acceptable(deps: Deps, batch: NewSms[]): Promise<{ results: (QueuedSms | Error)[]; held: QueuedSms[] }> {
  const checked = (await checkAll(deps, batch)).map((one) => (one instanceof Error ? one : leavingOf(one)));
  // A campaign has quiet hours of its own, and heeds them before it sends.
  const mayBeHeld = checked.filter(
    (one): one is LeavingSms =>
      !(one instanceof Error) && one.sms.campaignLog === undefined && !one.sms.request.ignore_quiet_hours,
  );
  const holds = await findHeld(deps, mayBeHeld);
  const refused = await heedSafeguards(
    deps,
    checked.filter((one): one is LeavingSms => !(one instanceof Error)),
  );
  const held: QueuedSms[] = [];
  const results = checked.map((one) => {
    if (one instanceof Error) return one;
    const refusal = refused.get(one);
    if (refusal) return refusal;
    const hold = holds.get(one);
    const queued = queuedSms(one, hold);
    if (hold) held.push(queued);
    return queued;
  });
  return { results, held };
}

interface LeavingSms extends Checked, Leaving, Sending {}

function leavingOf(checked: Checked): LeavingSms {
  const { sms, now, toKey } = checked;
  const { send_at } = sms.request;
  const wanted = send_at ? new Date(withOffset(send_at)) : now;
  return {
    ...checked,
    accountId: sms.accountId,
    digits: toKey,
    leavesAt: wanted > now ? wanted : now,
    channel: 'SMS',
    senderKey: checked.fromKey,
    units: checked.segmented.segments.length,
    expectsFeedback: sms.request.expect_feedback ?? sms.request.sensitive ?? false,
  };
}

function queuedSms({ sms, fromKey, toKey, segmented, now, leavesAt }: LeavingSms, hold: Hold | undefined): QueuedSms {
  const { accountId, request, campaignLog, uuid = newId() } = sms;
  const dueAt = hold?.until ?? leavesAt;
  const { validity_seconds: validity } = request;
  return {
    account_id: accountId,
    uuid,
    from_number: request.from,
    to_number: request.to,
    from_digits: fromKey,
    to_digits: toKey,
    text: segmented.segments.join(''),
    encoding: segmented.encoding,
    segments: segmented.segments.length,
    meta_data: request.meta_data ?? {},
    campaign_log: campaignLog ?? null,
    callback_url: request.callback_url ?? null,
    priority: campaignLog === undefined ? priorities.own : priorities.campaign,
    status_description: hold?.description ?? '',
    due_at: dueAt === now ? '-infinity' : dueAt.toISOString(),
    expires_at: validity === undefined ? null : new Date(dueAt.getTime() + validity * 1000).toISOString(),
    sensitive: request.sensitive ? 1 : 0,
  };
}

/**
 * Stores what is accepted, and chooses how it leaves: held until a moment, if quiet hours hold any of it; by the fast path, if this
 * process can hand it over at once; else by the queue. Answers the moment of acceptance.
 */
async function store(deps: Deps, accepted: QueuedSms[], held: QueuedSms[]): Promise<string> {
  if (held.length > 0) return storeHeld(deps, accepted, held);
  const moment = await findFastPath(deps)?.accept(deps, accepted);
  return moment ?? insertQueued(deps.db, accepted);
}

/** Stores SMS of which some are held, with an event on the timelines of those. */
const storeHeld = ({ db }: Deps, accepted: QueuedSms[], held: QueuedSms[]): Promise<string> =>
  inTransaction(db, async (db) => {
    const moment = await insertQueued(db, accepted);
    await appendEvents(
      db,
      held.map(({ account_id, uuid, due_at, status_description }) => ({
        accountId: account_id,
        subjectType: 'sms',
        subject: uuid,
        kind: 'sms.held',
        data: { status: 'QUEUED', status_description, until: due_at },
      })),
    );
    return moment;
  });

const rowOf = (sms: QueuedSms, moment: string): SmsRow => ({
  ...sms,
  direction: 'OUTBOUND',
  keyword: null,
  status: 'QUEUED',
  created: moment,
  modified: moment,
});

const problemsOf = bodyValidator(SmsCreate);

/** Sends what can be sent; for each SMS of the request, in its order, its record or what is wrong with it. */
export async function sendMultiple(deps: Deps, accountId: string, request: SmsCreateMultiple): Promise<object[]> {
  const country = await countryOf(deps, accountId);
  const wanted = itemsOf(request).map((item) => ({ item, errors: problemsOf(item, country) }));
  const good = wanted.filter(({ errors }) => errors === null);
  const results = await sendSmsAll(
    deps,
    good.map(({ item }) => ({ accountId, request: item as SmsCreate })),
  );
  const resultOf = new Map(good.map((one, index) => [one, results[index]!]));
  return wanted.map((one) => {
    const result = resultOf.get(one);
    if (!result) return { errors: one.errors };
    return result.status === 'fulfilled' ? presentSms(result.value) : { errors: answerTo(result.reason) };
  });
}

/** Whom the SMS of a request are from, for tokens that are bound to some numbers. */
export const sendersIn = ({ messages, from }: SmsCreateMultiple): unknown[] =>
  messages ? messages.map((one) => (one as { from?: unknown } | null)?.from) : [from];

function itemsOf({ messages, to, ...shared }: SmsCreateMultiple): unknown[] {
  if (messages !== undefined && to !== undefined) {
    throw new ValidationError({ non_field_errors: ['Give either messages or to.'] });
  }
  if (messages !== undefined) return messages;
  const missing = Object.entries({ from: shared.from, to, text: shared.text }).filter(
    ([, value]) => value === undefined,
  );
  if (missing.length > 0) {
    throw new ValidationError(Object.fromEntries(missing.map(([field]) => [field, ['This field is required.']])));
  }
  return to!.map((one) => ({ ...shared, to: one }));
}

/** The body with which the single request would have been refused. */
function answerTo(reason: unknown): FieldErrors | FieldErrors[] | { detail: string; code: string } {
  if (reason instanceof ValidationError) return reason.errors;
  if (reason instanceof ApiError) return { detail: reason.message, code: reason.code };
  throw reason;
}

/** Notes that the person used what they were sent, such as a one-time password. */
export async function confirmSms(deps: Deps, accountId: string, uuid: string) {
  const sent = await findAddressed(deps.db, accountId, uuid);
  if (!sent) throw notFound();
  if (sent.direction !== 'OUTBOUND')
    throw new ValidationError({ non_field_errors: ['Only messages that you sent can be confirmed.'] });
  const { to_digits: digits, created } = sent;
  return giveFeedback(deps, accountId, { channel: 'SMS', uuid, digits, sentAt: new Date(created) });
}
