import type { Receipt } from '../../carriers/port.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { appendEvents, type NewEvent } from '../timeline/index.ts';
import { lockStatuses, type StatusChange, updateStatuses } from './queries.ts';
import { canMove, type OutboundStatus } from './states.ts';

/**
 * Stores what carriers report about messages, in any order and however often they say it. Every receipt becomes an event;
 * only those that move a message forward change it.
 */
export const applyReceipts = (db: Db, receipts: Receipt[]): Promise<void> =>
  inTransaction(db, async (db) => {
    const statuses = new Map<string, OutboundStatus>();
    for (const row of await lockStatuses(db, receipts)) statuses.set(keyOf(row.account_id, row.uuid), row.status);

    const changes = new Map<string, StatusChange>();
    const events: NewEvent[] = [];
    for (const receipt of receipts) {
      const key = keyOf(receipt.accountId, receipt.messageUuid);
      const status = statuses.get(key);
      if (status === undefined) continue;
      const applied = canMove(status, receipt.status);
      const description = describe(receipt);
      if (applied) {
        statuses.set(key, receipt.status);
        changes.set(key, {
          accountId: receipt.accountId,
          uuid: receipt.messageUuid,
          status: receipt.status,
          description,
        });
      }
      events.push({
        accountId: receipt.accountId,
        subjectType: 'message',
        subject: receipt.messageUuid,
        kind: `message.${receipt.status.toLowerCase()}`,
        data: {
          status: receipt.status,
          status_description: description,
          applied,
          carrier_at: receipt.at.toISOString(),
        },
      });
    }
    if (changes.size > 0) await updateStatuses(db, [...changes.values()]);
    await appendEvents(db, events);
  });

/** Words a person can act on, with the carrier's code. */
export const describe = ({ code, description }: { code?: string; description?: string }): string =>
  code ? `${description ?? 'The carrier refused it.'} (code ${code})` : (description ?? '');

const keyOf = (accountId: string, uuid: string): string => `${accountId} ${uuid}`;
