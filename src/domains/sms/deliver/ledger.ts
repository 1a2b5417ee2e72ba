import { Type } from 'typebox';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { outbox } from './states.ts';

const count = Type.Integer({ minimum: 0 });

export const SmsLedger = Type.Object(
  {
    accepted: count,
    final: Type.Object({ delivered: count, failed: count, cancelled: count }),
    pending: Type.Object({ queued: count, sent: count }),
    unaccounted: Type.Integer({ description: 'accepted − final − pending. Anything but 0 is a fault of ours.' }),
  },
  { title: 'SmsLedger' },
);

/** Proof that no SMS is lost: see `outbox/ledger.ts`. */
export const readSmsLedger = (db: Db, accountId: string) =>
  outbox.readLedger(db, accountId, ['delivered', 'failed', 'cancelled']);
