import { setTimeout as sleep } from 'node:timers/promises';
import { connections } from './load.ts';
import { message, messagesPath, recipientDigits } from './message.ts';
import { call, type Server } from './server.ts';

/** The account's own count of its messages. */
export interface Ledger {
  accepted: number;
  final: { delivered: number; read: number; failed: number };
  pending: { queued: number; sent: number };
  unaccounted: number;
}

const limitMs = 180_000;
const pollMs = 50;

/** Has exactly so many messages accepted, to as many people. For what happens to them afterwards; `load.ts` times this part. */
export async function acceptMessages(
  parley: Server,
  count: number,
  recipient: string = message.to_chatapp_number,
): Promise<void> {
  await forEachOf(count, async (index) => {
    const to_chatapp_number = recipient.replace(recipientDigits, String(index).padStart(recipientDigits.length, '0'));
    await call(parley, 'POST', messagesPath, { ...message, to_chatapp_number });
  });
}

/** Does something so many times, 64 at once. */
export async function forEachOf(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const hand = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, hand));
}

export const readLedger = (parley: Server): Promise<Ledger> => call<Ledger>(parley, 'GET', '/v2/account/ledger/');

/** Until the ledger is as it should be. A message that failed never gets there, and ends the wait. */
export async function waitForLedger(parley: Server, isReached: (ledger: Ledger) => boolean): Promise<Ledger> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const ledger = await readLedger(parley);
    if (ledger.final.failed > 0 || ledger.unaccounted !== 0 || performance.now() > deadline) {
      throw new Error(`Messages failed, got lost or took too long: ${JSON.stringify(ledger)}`);
    }
    if (isReached(ledger)) return ledger;
    await sleep(pollMs);
  }
}
