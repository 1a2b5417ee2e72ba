import { jsonArray, uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import { waitingText } from './queue.ts';

/** An SMS about to be accepted. */
export interface QueuedSms {
  account_id: string;
  uuid: string;
  from_number: string;
  to_number: string;
  from_digits: string;
  to_digits: string;
  text: string;
  encoding: string;
  segments: number;
  meta_data: object;
  campaign_log: string | null;
  callback_url: string | null;
  priority: number;
  /** Why it waits; '' where nothing keeps it. */
  status_description: string;
  /** When it may leave: a moment, or -infinity for at once. */
  due_at: string;
  expires_at: string | null;
}

/** Their types, in the order of the parameters, and how these are made: each by a function of its own, which is faster. */
const columns: Record<keyof QueuedSms, [type: string, parameterOf: (batch: QueuedSms[]) => unknown]> = {
  account_id: ['uuid', (batch) => uuidArray(batch.map((sms) => sms.account_id))],
  uuid: ['uuid', (batch) => uuidArray(batch.map((sms) => sms.uuid))],
  from_number: ['text', (batch) => batch.map((sms) => sms.from_number)],
  to_number: ['text', (batch) => batch.map((sms) => sms.to_number)],
  from_digits: ['text', (batch) => batch.map((sms) => sms.from_digits)],
  to_digits: ['text', (batch) => batch.map((sms) => sms.to_digits)],
  text: ['text', (batch) => batch.map((sms) => sms.text)],
  encoding: ['text', (batch) => batch.map((sms) => sms.encoding)],
  segments: ['smallint', (batch) => batch.map((sms) => sms.segments)],
  meta_data: ['json', (batch) => jsonArray(batch.map((sms) => sms.meta_data))],
  campaign_log: ['uuid', (batch) => batch.map((sms) => sms.campaign_log)],
  callback_url: ['text', (batch) => batch.map((sms) => sms.callback_url)],
  priority: ['smallint', (batch) => batch.map((sms) => sms.priority)],
  status_description: ['text', (batch) => batch.map((sms) => sms.status_description)],
  due_at: ['timestamptz', (batch) => batch.map((sms) => sms.due_at)],
  expires_at: ['timestamptz', (batch) => batch.map((sms) => sms.expires_at)],
};
type Name = keyof QueuedSms;
const names = Object.keys(columns) as Name[];

/**
 * SQL text that writes a batch, whose `given` columns are parameters from `first` on: the SMS, and their states
 * with the claim that `claim` has on all of them, if any. The other columns are `known`.
 */
const acceptText = (first: number, given: Name[], known: string[], claim: string, answer = ''): string => `with
  accepted as materialized (
    select ${[...given, ...known].join(', ')}
    from unnest(${given.map((name, at) => `$${first + at}::${columns[name][0]}[]`).join(', ')}) as a (${given.join(', ')})
  ), ${claim}, stored as (
    insert into sms (account_id, uuid, direction, from_number, to_number, from_digits, to_digits, text, encoding, segments,
      meta_data, campaign_log)
    select account_id, uuid, 'OUTBOUND', from_number, to_number, from_digits, to_digits, text, encoding, segments,
      meta_data, campaign_log from accepted
  ), queued as (
    insert into sms_states (account_id, uuid, status, status_description, callback_url, priority, due_at, expires_at,
      campaign_log, link, claimed_by, claimed_at, attempts)
    select account_id, uuid, 'QUEUED', status_description, callback_url, priority, due_at, expires_at,
      campaign_log, claim.link, claim.worker, claim.at, coalesce(claim.attempts, 0)
    from accepted left join claim on true
  )
  select now() as moment${answer}`;

const noClaim = `claim as (
    select null::uuid as link, null::integer as worker, null::timestamptz as at, 0 as attempts where false
  )`;
const accept = prepared<{ moment: string }>('sms.accept', acceptText(1, names, [], noClaim));

/** Accepts a batch by one statement; answers the moment of acceptance, which all of them share. */
export async function insertQueued(db: Db, batch: QueuedSms[]): Promise<string> {
  const [row] = await accept(db, parametersOf(batch, names));
  return row!.moment;
}

/** What is the same for all that are claimed at once. */
const known: Partial<Record<Name, string>> = {
  account_id: '$1::uuid',
  campaign_log: 'null::uuid',
  priority: '0::smallint',
  status_description: "''",
  due_at: "'-infinity'::timestamptz",
};
const knownColumns = Object.entries(known).map(([name, value]) => `${value} as ${name}`);
const unknown = names.filter((name) => !(name in known));

/** Unless others wait that were there before. */
const linkClaim = `claim as materialized (
    select $2::uuid as link, $3::integer as worker, now() as at, 1 as attempts where not exists (
      select from sms_states where account_id = $1 and priority = 0 and ${waitingText} and due_at <= $4)
  )`;
const acceptClaimed = prepared<{ moment: string; is_claimed: boolean }>(
  'sms.accept-claimed',
  acceptText(5, unknown, knownColumns, linkClaim, ', exists (select from claim) as is_claimed'),
);

export interface Claim {
  link: { account_id: string; uuid: string };
  workerNumber: number;
  now: Date;
}

/**
 * The same for SMS of one account that may leave at once and are of no campaign: they are claimed by the statement that accepts
 * them, unless they have to wait their turn.
 */
export async function insertClaimed(
  db: Db,
  batch: QueuedSms[],
  { link, workerNumber, now }: Claim,
): Promise<{ moment: string; isClaimed: boolean }> {
  const given = [link.account_id, link.uuid, workerNumber, now.toISOString()];
  const [row] = await acceptClaimed(db, [...given, ...parametersOf(batch, unknown)]);
  return { moment: row!.moment, isClaimed: row!.is_claimed };
}

/**
 * Gives SMS that a worker has claimed, and knows nothing of, places in the queue. They are claimed since they were accepted: those
 * that it has taken from the queue are in its hands. False: there are none.
 */
export async function releaseClaimed(
  db: Db,
  accountId: string,
  uuids: string[],
  workerNumber: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sms_states')
    .set({ claimed_by: null, claimed_at: null, link: null, attempts: 0 })
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids)
    .where('status', '=', 'QUEUED')
    .where('claimed_by', '=', workerNumber)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sms')
          .whereRef('sms.account_id', '=', 'sms_states.account_id')
          .whereRef('sms.uuid', '=', 'sms_states.uuid')
          .whereRef('sms.created', '=', 'sms_states.claimed_at'),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const parametersOf = (batch: QueuedSms[], given: Name[]): unknown[] => given.map((name) => columns[name][1](batch));
