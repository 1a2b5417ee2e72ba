import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { newId } from '../../platform/ids.ts';

/** One step in the story of a thing. */
export interface NewEvent {
  accountId: string;
  subjectType: 'message' | 'chat_intro' | 'number' | 'chatapp_account' | 'message_template';
  subject: string;
  /** `subject.step`, such as `message.delivered` */
  kind: string;
  cause?: string;
  data?: Record<string, unknown>;
}

/**
 * The statement that appends events, for use alone or as one part (`with … as`) of a statement that also writes what the
 * events tell of: then both are there or neither is, at the cost of no round trip.
 */
export function insertEvents(events: NewEvent[]): RawBuilder<unknown> {
  const column = (pick: (event: NewEvent) => string | null) => sql.val(events.map(pick));
  return sql`
    insert into events (account_id, uuid, subject_type, subject, kind, cause, data)
    select * from unnest(
      ${column((event) => event.accountId)}::uuid[],
      ${sql.val(events.map(() => newId()))}::uuid[],
      ${column((event) => event.subjectType)}::text[],
      ${column((event) => event.subject)}::uuid[],
      ${column((event) => event.kind)}::text[],
      ${column((event) => event.cause ?? null)}::uuid[],
      ${column((event) => JSON.stringify(event.data ?? {}))}::json[])`;
}

/**
 * SQL text that appends the first event of things which the same statement inserts, read from its `source`, which has their
 * account_id and uuid. The event has the thing's own id: nothing more has to be made up or sent.
 */
export const firstEventsText = (
  source: string,
  { subjectType, kind, data }: Pick<NewEvent, 'subjectType' | 'kind' | 'data'>,
): string => `
  insert into events (account_id, uuid, subject_type, subject, kind, data)
  select account_id, uuid, '${subjectType}', uuid, '${kind}', '${JSON.stringify(data)}'::json from ${source}`;

export async function appendEvents(db: Db, events: NewEvent[]): Promise<void> {
  if (events.length > 0) await insertEvents(events).execute(db);
}

/** The whole story of one thing, oldest first. */
export const eventsOf = (db: Db, accountId: string, subject: string) =>
  db.selectFrom('events').selectAll().where('account_id', '=', accountId).where('subject', '=', subject);
