import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Inbox, Receipt } from '../port.ts';
import { behaviourOf } from './behaviours.ts';
import { type ClockSetting, virtualNow } from './clock.ts';
import { advanceSteps, type DueRow, hasPendingAnyAccount, lockDueAnyAccount } from './queries.ts';

const largestBatch = 1000;
const busyPauseMs = 50;
const idlePauseMs = 1000;

interface Reporting {
  db: Db;
  clock: Clock;
  log: Log;
  clocks(): Map<string, ClockSetting>;
  inbox: Inbox;
}

/**
 * Reports receipts when they are due. A receipt is handed over before it is crossed off, so a crash in between reports it
 * again; receipts may come twice on any carrier, and nobody is the worse for it.
 */
export function startReporting({ db, clock, log, clocks, inbox }: Reporting) {
  const reportDue = (): Promise<number> =>
    db.transaction().execute(async (db) => {
      const realNow = clock.now();
      const moved = new Map(
        [...clocks()].map(([account, setting]) => [account, virtualNow(setting, realNow.getTime())]),
      );
      const due = await lockDueAnyAccount(db, realNow, moved, largestBatch);
      if (due.length === 0) return 0;
      await inbox.receipts(due.map(receiptOf));
      await advanceSteps(db, due.map(nextOf));
      return due.length;
    });

  return startLoop(log, 'sandbox receipts', async () => {
    const reported = await reportDue();
    if (reported === largestBatch) return 0;
    return reported > 0 || (await hasPendingAnyAccount(db)) ? busyPauseMs : idlePauseMs;
  });
}

function receiptOf(row: DueRow): Receipt {
  const { status, code, description } = behaviourOf(row.phone_digits).steps[row.step]!;
  return {
    accountId: row.account_id,
    messageUuid: row.message,
    status,
    ...(code && { code }),
    ...(description && { description }),
    at: new Date(row.due_at),
  };
}

/** The next receipt counts from when this one was due, so that a late pass does not stretch the story. */
function nextOf(row: DueRow) {
  const next = behaviourOf(row.phone_digits).steps[row.step + 1];
  return { ...row, dueAt: next ? new Date(Date.parse(row.due_at) + next.afterMs) : null };
}
