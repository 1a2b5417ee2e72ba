import type { Deps } from '../../deps.ts';
import { type Move, moveMessages } from './move.ts';
import { postpone } from './postpone.ts';
import { type Abandoned, claimAbandonedAnyAccount, type Postponement } from './queue.ts';

const mostAtOnce = 1000;

/**
 * Takes up hand-overs that a dead worker left half done. Only the carrier can tell what became of them: what it took is SENT,
 * what it never saw goes out again, and where it cannot say the message waits for its receipt. Nothing is resent blindly.
 * Returns how many were found.
 */
export async function recoverAbandoned(deps: Deps): Promise<number> {
  const abandoned = await claimAbandonedAnyAccount(deps.db, deps.listener.workerNumber, mostAtOnce);
  const bySender = Map.groupBy(abandoned, (message) => `${message.account_id} ${message.chatapp_account}`);
  await Promise.all([...bySender.values()].map((messages) => recoverSender(deps, messages)));
  return abandoned.length;
}

async function recoverSender(deps: Deps, messages: Abandoned[]): Promise<void> {
  const { carriers, log } = deps;
  const { account_id: accountId, chatapp_account, carrier: name } = messages[0]!;
  const carrier = carriers.get(name);
  const found = await carrier.find(
    accountId,
    messages.map((message) => message.uuid),
  );
  const moves: Move[] = [];
  const postponements: Postponement[] = [];
  for (const { uuid, give_up_at } of messages) {
    const fate = found.get(uuid) ?? 'unknown';
    const giveUpAt = give_up_at === null ? null : new Date(give_up_at);
    if (fate === 'absent') {
      postponements.push({ uuid, dueAt: carrier.clock(accountId).now(), giveUpAt, description: '' });
    } else if (fate === 'unknown') {
      const description = 'The hand-over was interrupted. It waits for its receipt.';
      postponements.push({ uuid, dueAt: null, giveUpAt, description });
    } else {
      moves.push({ accountId, uuid, status: 'SENT', description: '', carrierMessageId: fate });
    }
  }
  if (moves.length > 0) await moveMessages(deps, moves);
  if (postponements.length > 0)
    await postpone(deps, { account_id: accountId, uuid: chatapp_account, carrier: name }, postponements);
  log.info({ taken: moves.length, again: postponements.length }, 'Took up hand-overs that were interrupted');
}
