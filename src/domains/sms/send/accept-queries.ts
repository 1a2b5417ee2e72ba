import type { Content } from '../../../platform/content/content.ts';
import { jsonArray, uuidArray } from '../../../platform/db/arrays.ts';
import { contentOf, type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { isReadyText, readyText } from '../../outbox/index.ts';
import { queueText, takeInHandText } from '../deliver/states.ts';

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
  sensitive: 0 | 1;
}

/**
 * The types of the columns, in the order of the parameters, and the functions that make these; a function for each column is
 * faster.
 */
const columns: Record<keyof QueuedSms, [type: string, parameterOf: (batch: QueuedSms[], content: Content) => unknown]> =
  {
    account_id: ['uuid', (batch) => uuidArray(batch.map((sms) => sms.account_id))],
    uuid: ['uuid', (batch) => uuidArray(batch.map((sms) => sms.uuid))],
    from_number: ['text', (batch) => batch.map((sms) => sms.from_number)],
    to_number: ['text', (batch) => batch.map((sms) => sms.to_number)],
    from_digits: ['text', (batch) => batch.map((sms) => sms.from_digits)],
    to_digits: ['text', (batch) => batch.map((sms) => sms.to_digits)],
    text: ['text', (batch, content) => batch.map((sms) => content.text(sms.account_id, sms.text))],
    encoding: ['text', (batch) => batch.map((sms) => sms.encoding)],
    segments: ['smallint', (batch) => batch.map((sms) => sms.segments)],
    meta_data: ['json', (batch) => jsonArray(batch.map((sms) => sms.meta_data))],
    campaign_log: ['uuid', (batch) => batch.map((sms) => sms.campaign_log)],
    callback_url: ['text', (batch) => batch.map((sms) => sms.callback_url)],
    priority: ['smallint', (batch) => batch.map((sms) => sms.priority)],
    status_description: ['text', (batch) => batch.map((sms) => sms.status_description)],
    due_at: ['timestamptz', (batch) => batch.map((sms) => sms.due_at)],
    expires_at: ['timestamptz', (batch) => batch.map((sms) => sms.expires_at)],
    sensitive: ['smallint', (batch) => batch.map((sms) => sms.sensitive)],
  };
type Name = keyof QueuedSms;
const names = Object.keys(columns) as Name[];

/** SQL text that stores a batch, whose `given` columns are parameters from `first` on; the others are `known`. */
const storeText = (first: number, given: Name[], known: string[]): string => `accepted as materialized (
    select ${[...given, ...known].join(', ')}
    from unnest(${given.map((name, at) => `$${first + at}::${columns[name][0]}[]`).join(', ')}) as a (${given.join(', ')})
  ), stored as (
    insert into sms (account_id, uuid, direction, from_number, to_number, from_digits, to_digits, text, encoding, segments,
      meta_data, campaign_log, sensitive)
    select account_id, uuid, 'OUTBOUND', from_number, to_number, from_digits, to_digits, text, encoding, segments,
      meta_data, campaign_log, sensitive from accepted
  )`;

const acceptText = (ready?: string): string => `
  with ${storeText(1, names, [])}, queued as (${queueText({ ready })})
  select now() as moment`;
const accept = prepared<{ moment: string }>('sms.accept', acceptText());
const acceptScheduled = prepared<{ moment: string }>('sms.accept-scheduled', acceptText(isReadyText('$1')));

/** Accepts a batch by one statement; answers the moment of acceptance, which all of them share. */
export async function insertQueued(db: Db, batch: QueuedSms[]): Promise<string> {
  const isScheduled = batch.some(({ due_at }) => due_at !== '-infinity');
  const [row] = await (isScheduled ? acceptScheduled : accept)(db, parametersOf(db, batch, names));
  return row!.moment;
}

/** Columns whose values are the same for all SMS of the fast path. */
const known: Partial<Record<Name, string>> = {
  account_id: '$1::uuid',
  campaign_log: 'null::uuid',
  priority: '0::smallint',
  status_description: "''",
  due_at: "'-infinity'::timestamptz",
};
const knownColumns = Object.entries(known).map(([name, value]) => `${value} as ${name}`);
const unknown = names.filter((name) => !(name in known));
const firstUnknown = 6;
const unknownText = (name: Name): string => `$${firstUnknown + unknown.indexOf(name)}`;

const hand = { account: '$1', uuid: '$2::uuid', link: '$3::uuid', worker: '$4::integer' };
const inHand = {
  uuids: unknownText('uuid'),
  callbackUrls: unknownText('callback_url'),
  expireAt: unknownText('expires_at'),
};
const acceptInHand = prepared<{ moment: string; is_in_hand: boolean }>(
  'sms.accept-fast-path',
  `with free as materialized (
    -- Unless others wait that were there before.
    select true as yes where not exists (
      select 1 from sms_states where account_id = $1 and priority = 0 and ${readyText} and due_at <= $5)
  ), ${storeText(firstUnknown, unknown, knownColumns)}, kept as (
    ${takeInHandText(hand, inHand, 'free')}
  ), queued as (${queueText({ condition: 'where not exists (select 1 from free)' })})
  select now() as moment, exists (select 1 from free) as is_in_hand`,
);

/** The worker that gets a batch in hand, and the id of the batch. */
export interface Taker {
  uuid: string;
  link: { account_id: string; uuid: string };
  workerNumber: number;
  now: Date;
}

/**
 * The same for SMS of one account that may leave at once and belong to no campaign: the statement that accepts them also puts them
 * into the hand of a worker, unless others wait before them.
 */
export async function insertInHand(
  db: Db,
  batch: QueuedSms[],
  { uuid, link, workerNumber, now }: Taker,
): Promise<{ moment: string; isInHand: boolean }> {
  const given = [link.account_id, uuid, link.uuid, workerNumber, now.toISOString()];
  const [row] = await acceptInHand(db, [...given, ...parametersOf(db, batch, unknown)]);
  return { moment: row!.moment, isInHand: row!.is_in_hand };
}

function parametersOf(db: Db, batch: QueuedSms[], given: Name[]): unknown[] {
  const content = contentOf(db);
  return given.map((name) => columns[name][1](batch, content));
}
