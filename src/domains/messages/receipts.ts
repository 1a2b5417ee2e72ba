import type { Receipt } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { moveMessages } from './move.ts';

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

/** Words a person can act on, with the carrier's code. */
export const describe = ({ code, description }: { code?: string; description?: string }): string =>
  code ? `${description ?? 'The carrier refused it.'} (code ${code})` : (description ?? '');
