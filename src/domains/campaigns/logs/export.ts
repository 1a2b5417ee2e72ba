import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { notFound } from '../../../platform/errors.ts';
import { findLog, type LogRow } from './queries.ts';

export const exportColumns = ['phone_number', 'name', 'state', 'reason', 'message', 'status', 'time'] as const;

type ExportRow = Record<(typeof exportColumns)[number], string | null>;

const chunkRows = 1000;

/** Everybody the launch has come to, in the order of their numbers, a thousand at a time. */
export async function* exportRows(db: Db, log: LogRow): AsyncGenerator<ExportRow[]> {
  const states = sql.table(log.snapshot.channel === 'SMS' ? 'sms_states' : 'message_states');
  // People who were held when a launch was cancelled get nothing, although their rows were left as they were.
  const isCancelled = log.status === 'CANCELLED';
  let after = '';
  for (;;) {
    const { rows } = await sql<ExportRow & { key: string }>`
      select recipient.digits as key,
        coalesce(contact.phone_number, case when recipient.digits !~ '-' then '+' || recipient.digits end) as phone_number,
        contact.name,
        case when ${isCancelled} and recipient.state = 'HELD' then 'SKIPPED' else recipient.state end as state,
        case when ${isCancelled} and recipient.state = 'HELD' then 'cancelled'
          when recipient.description <> '' then recipient.reason || ': ' || recipient.description
          else recipient.reason end as reason,
        recipient.message, state.status, coalesce(state.modified, recipient.created) as time
      from (
        select * from campaign_recipients
        where account_id = ${log.account_id} and campaign_log = ${log.uuid} and digits > ${after}
        order by digits limit ${chunkRows}) as recipient
      left join contacts as contact on contact.account_id = ${log.account_id} and contact.uuid = recipient.contact
      left join ${states} as state on state.account_id = ${log.account_id} and state.uuid = recipient.message
      order by recipient.digits`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < chunkRows) return;
    after = rows.at(-1)!.key;
  }
}

/** The same of a launch by its id. */
export async function* campaignLogRows(db: Db, accountId: string, campaignLog: string): AsyncGenerator<ExportRow[]> {
  const log = await findLog(db, accountId, campaignLog);
  if (!log) throw notFound();
  yield* exportRows(db, log);
}
