import type { Deps } from '../../deps.ts';
import { type Abandoned, claimAbandonedAnyAccount, type Settlement, settle } from './queue.ts';

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

async function recoverSender({ db, carriers, log }: Deps, messages: Abandoned[]): Promise<void> {
  const { account_id, chatapp_account, carrier: name } = messages[0]!;
  const carrier = carriers.get(name);
  const found = await carrier.find(
    account_id,
    messages.map((message) => message.uuid),
  );
  const now = carrier.clock(account_id).now().toISOString();
  const settlements = messages.map(({ uuid }): Settlement => {
    const fate = found.get(uuid) ?? 'unknown';
    if (fate === 'absent') return { uuid, dueAt: now, description: '' };
    if (fate === 'unknown') {
      return { uuid, dueAt: 'infinity', description: 'The hand-over was interrupted. It waits for its receipt.' };
    }
    return { uuid, status: 'SENT', description: '', carrierMessageId: fate };
  });
  await settle(db, { account_id, uuid: chatapp_account, carrier: name }, settlements);
  log.info({ messages: messages.length }, 'Took up hand-overs that were interrupted');
}
