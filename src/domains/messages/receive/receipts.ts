import type { Receipt } from '../../../carriers/ports/inbox.ts';
import type { Deps } from '../../../deps.ts';
import { describe } from '../../outbox/index.ts';
import { moveMessages } from '../deliver/move.ts';

/** Stores what carriers report about messages. */
export const applyReceipts = (deps: Deps, receipts: Receipt[]): Promise<void> =>
  moveMessages(
    deps,
    receipts.map((receipt) => ({
      accountId: receipt.accountId,
      uuid: receipt.messageUuid,
      status: receipt.status,
      description: describe(receipt),
      failureCode: receipt.status === 'FAILED' ? receipt.code : undefined,
      carrierMessageId: receipt.carrierMessageId,
      data: { carrier_at: receipt.at.toISOString() },
      source: 'receipt',
    })),
  );
