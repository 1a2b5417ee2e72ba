import { type Selectable, sql } from 'kysely';
import { jsonTextArray, uuidArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db, prepared } from '../../platform/db/connect/pool.ts';
import { keysetPage } from '../../platform/db/page.ts';
import type { Events } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import type { EventFilter } from './routes.ts';

/** One step in the story of a thing. */
export interface NewEvent {
  accountId: string;
  subjectType:
    | 'account'
    | 'message'
    | 'audio_file'
    | 'call'
    | 'campaign'
    | 'campaign_log'
    | 'contact'
    | 'chatapp_account'
    | 'chat_intro'
    | 'flow'
    | 'job'
    | 'lead'
    | 'list'
    | 'media'
    | 'number'
    | 'opt_out'
    | 'safeguard'
    | 'sms'
    | 'sms_link'
    | 'sip_trunk'
    | 'template'
    | 'webhook';
  subject: string;
  /** `subject.step`, such as `message.delivered` */
  kind: string;
  cause?: string;
  data?: Record<string, unknown>;
}

/**
 * SQL text that appends the first event of things which the same statement inserts, read from its `source`, which has their
 * account_id and uuid. The event has the thing's own id: nothing more has to be made up or sent. (Messages and SMS need none:
 * see the view `timeline`.)
 */
export const firstEventsText = (
  source: string,
  { subjectType, kind, data }: Pick<NewEvent, 'subjectType' | 'kind' | 'data'>,
): string => `
  insert into events (account_id, uuid, subject_type, subject, kind, data)
  select account_id, uuid, '${subjectType}', uuid, '${kind}', '${JSON.stringify(data)}'::json from ${source}`;

/** SQL text that appends events of one kind, read from `source`, which has their account_id, uuid, subject, data and at. */
export const eventsText = (source: string, { subjectType, kind }: Pick<NewEvent, 'subjectType' | 'kind'>): string => `
  insert into events (account_id, uuid, subject_type, subject, kind, data, at)
  select account_id, uuid, '${subjectType}', subject, '${kind}', data, at from ${source}`;

/** SQL text that appends events in a statement that does more, given by `appendParameters` from the parameter `first` on. */
export const appendText = (first: number): string => `
  insert into events (account_id, uuid, subject_type, subject, kind, cause, data)
  select * from unnest(${['uuid', 'uuid', 'text', 'uuid', 'text', 'uuid', 'json']
    .map((type, index) => `$${first + index}::${type}[]`)
    .join(', ')}) as event (account_id, uuid, subject_type, subject, kind, cause, data)`;

/** What of an event people said, or was said to them. */
export const saidInEvents: ReadonlySet<string> = new Set(['answers', 'message_data', 'notes', 'text', 'transcript']);

export const appendParameters = (db: Db, events: NewEvent[]): unknown[] => [
  uuidArray(events.map((event) => event.accountId)),
  uuidArray(events.map(() => newId())),
  events.map((event) => event.subjectType),
  uuidArray(events.map((event) => event.subject)),
  events.map((event) => event.kind),
  events.map((event) => event.cause ?? null),
  jsonTextArray(events.map(({ accountId, data }) => contentOf(db).fields(accountId, data ?? {}, saidInEvents))),
];

const append = prepared('timeline.append', appendText(1));

export async function appendEvents(db: Db, events: NewEvent[]): Promise<void> {
  if (events.length > 0) await append(db, appendParameters(db, events));
}

/** The whole timeline of an account. What PostgreSQL cannot tell of a view: each row has all that an event has. */
const timelineOf = (db: Db, accountId: string) =>
  db.selectFrom('timeline').selectAll().$castTo<Selectable<Events>>().where('account_id', '=', accountId);

/** The whole story of one thing. */
export const eventsOf = (db: Db, accountId: string, subject: string) =>
  timelineOf(db, accountId).where('subject', '=', subject);

/** Everything that happened to things of a type for which there is an index of its own. */
export const eventsOfType = (db: Db, accountId: string, subjectType: 'opt_out' | 'chat_intro' | 'number' | 'call') =>
  // Written out, so that PostgreSQL sees that the partial index fits.
  db
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('subject_type', '=', sql.lit(subjectType));

/** Kinds that are told by the rows of messages and SMS themselves; the others are written. */
const told: Record<string, [subjectType: string, direction: string]> = {
  'message.queued': ['message', 'OUTBOUND'],
  'message.received': ['message', 'INBOUND'],
  'sms.queued': ['sms', 'OUTBOUND'],
  'sms.received': ['sms', 'INBOUND'],
};

/** The timeline of an account, or what is wanted of it. */
export function events(db: Db, accountId: string, { kind, subject }: Pick<EventFilter, 'kind' | 'subject'>) {
  let rows = timelineOf(db, accountId);
  if (subject) rows = rows.where('subject', '=', subject);
  if (!kind) return rows;
  const [subjectType, direction] = told[kind] ?? [];
  return direction
    ? rows.where('subject_type', '=', subjectType!).where('direction', '=', direction)
    : rows.where('kind', '=', kind).where('direction', '=', '');
}

export const listEvents = (db: Db, accountId: string, filter: EventFilter) =>
  keysetPage(db, events(db, accountId, filter), filter, { uuid: 'uuid', created: 'at' });
