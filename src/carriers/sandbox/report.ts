import type { Listener } from '../../platform/db/connect/listener.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Log } from '../../platform/log.ts';
import type { Observer } from '../../platform/observe/observer.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Foreground } from '../../platform/work/foreground.ts';
import { startLoop } from '../../platform/work/loop.ts';
import { noteSetAside } from '../../platform/work/set-aside.ts';
import { type Failure, isBadValue, splitOnFailure } from '../../platform/work/split-on-failure.ts';
import type { Inbox, Receipt } from '../ports/inbox.ts';
import { isReply, writeReplies } from './chat/write.ts';
import type { Clocks } from './clock.ts';
import {
  type DueRow,
  hasPendingAnyAccount,
  isPendingText,
  lockDueAnyAccount,
  moveSteps,
  type NextStep,
  smsType,
} from './queries.ts';
import { reportSms } from './sms/report.ts';
import { stepAfter, stepOf } from './steps.ts';

const largestBatch = 1000;
/** Where other accounts have requests at the same time as the one that most of a batch is of. */
const sharedBatch = 100;
const busyPauseMs = 50;
const idlePauseMs = 1000;
/** After which what could not be brought in is tried again. */
const replyPauseMs = 5_000;

interface Reporting {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
  observer: Pick<Observer, 'setAside'>;
  clocks: Pick<Clocks, 'aheadMs'>;
  foreground: Foreground;
  inbox: Inbox;
}

/**
 * Does what phones and their people do when it is due. A receipt or a reply is handed over before it is crossed off, so a
 * crash in between hands it over again; receipts may come twice on any carrier, a reply is known by its id.
 */
export function startReporting({ db, listener, clock, log, observer, clocks, foreground, inbox }: Reporting) {
  /** The account that most of the last batch was of, if that was full. */
  let bulk: string | undefined;

  const reportDue = (most: number): Promise<number> =>
    db.transaction().execute(async (locked) => {
      const due = await lockDueAnyAccount(locked, clock.now(), clocks.aheadMs(), most);
      bulk = due.length < most ? undefined : ownerOfMost(due);
      if (due.length === 0) return 0;
      const failed = new Map((await bringIn(due)).map(({ item, error }) => [item, error]));
      await moveSteps(
        locked,
        due.map((row) => (failed.has(row) ? afterFailure(row, failed.get(row)!) : nextOf(row))),
      );
      return due.length;
    });

  /**
   * An account whose receipts fail does not stop those of others. Runs outside the transaction that locks the rows, since a
   * failure would abort it.
   */
  const bringIn = async (due: DueRow[]): Promise<Failure<DueRow>[]> => {
    const split = (rows: DueRow[], work: (rows: DueRow[]) => Promise<unknown>) =>
      splitOnFailure(rows, (row) => row.account_id, work);
    return [
      ...(await split(due.filter(isReceipt), (rows) => inbox.receipts(rows.flatMap(receiptOf)))),
      ...(await split(due.filter(isReply), (rows) => writeReplies({ db, inbox }, rows))),
      ...(await split(due.filter(isSms), (rows) => reportSms({ db, inbox }, rows))),
    ];
  };

  /** What may well succeed later is tried again; anything else never would. */
  const afterFailure = (row: DueRow, error: Error): NextStep => {
    const fields = { accountId: row.account_id, message: row.message };
    if (!isBadValue(error)) {
      log.warn({ err: error, ...fields }, 'A receipt or reply of the sandbox could not be brought in yet');
      return putOff(row);
    }
    noteSetAside({ log, observer }, 'sandbox receipts and replies', error, fields);
    return { ...row, dueAt: null };
  };

  const reportSome = async (): Promise<number> => {
    if (bulk !== undefined) await foreground.giveWay(bulk);
    const most = bulk !== undefined && foreground.isShared(bulk) ? sharedBatch : largestBatch;
    const reported = await reportDue(most);
    if (reported === most) return 0;
    return reported > 0 || (await hasPendingAnyAccount(db)) ? busyPauseMs : idlePauseMs;
  };
  return startLoop(log, 'sandbox receipts', reportSome, { watch: listener.poll.watch(isPendingText) });
}

function ownerOfMost(rows: DueRow[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { account_id } of rows) counts.set(account_id, (counts.get(account_id) ?? 0) + 1);
  return [...counts].find(([, count]) => count > rows.length / 2)?.[0];
}

const isReceipt = (row: DueRow): boolean => receiptOf(row).length > 0;
const isSms = ({ type }: DueRow): boolean => type === smsType;

function receiptOf(row: DueRow): Receipt[] {
  const step = stepOf(row);
  if (isSms(row) || !step || !('status' in step)) return [];
  const { status, code, description } = step;
  return [
    {
      accountId: row.account_id,
      messageUuid: row.message,
      status,
      ...(code && { code }),
      ...(description && { description }),
      at: new Date(row.due_at),
    },
  ];
}

/** The next step counts from when this one was due, so that a late pass does not stretch the story. */
function nextOf(row: DueRow): NextStep {
  const next = stepAfter(row);
  return { ...row, step: row.step + 1, dueAt: next ? later(row, next.afterMs) : null };
}

const putOff = (row: DueRow): NextStep => ({ ...row, dueAt: later(row, replyPauseMs) });

const later = (row: DueRow, ms: number): Date => new Date(Math.min(Date.parse(row.due_at) + ms, latestMs));
/** After it, years have five digits. */
const latestMs = Date.UTC(9999, 11, 31);
