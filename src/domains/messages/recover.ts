import type { Deps } from '../../deps.ts';
import { allDone } from '../../platform/all-done.ts';
import type { Doubts } from '../../platform/hands.ts';
import { type Move, moveMessages } from './move.ts';
import { postpone } from './postpone.ts';
import { type Abandoned, claimAbandonedAnyAccount, findForgottenAnyAccount, type Postponement } from './queue.ts';

const mostAtOnce = 1000;

/**
 * Takes up hand-overs that a dead worker left half done, and those that this one knows nothing of although their rows say that
 * they are its own. What is known not to have left goes out again. Of all else only the carrier can tell what became of them: what it took is SENT,
 * what it never saw goes out again, and where it cannot say the message waits for its receipt. Nothing is resent blindly.
 * Returns how many were found.
 */
export async function recoverAbandoned(deps: Deps, doubts: Doubts | undefined): Promise<number> {
  const { workerNumber } = deps.listener;
  const abandoned = [
    ...(doubts ? await findForgottenAnyAccount(deps.db, workerNumber, doubts, mostAtOnce) : []),
    ...(await claimAbandonedAnyAccount(deps.db, workerNumber, mostAtOnce)),
  ];
  const bySender = Map.groupBy(abandoned, (message) => `${message.account_id} ${message.chatapp_account}`);
  await allDone([...bySender.values()].map((messages) => recoverSender(deps, messages)));
  return abandoned.length;
}

async function recoverSender(deps: Deps, messages: Abandoned[]): Promise<void> {
  const { carriers, log } = deps;
  const { account_id: accountId, chatapp_account, carrier: name } = messages[0]!;
  const carrier = carriers.get(name, 'chat');
  const asked = messages.filter((message) => !message.is_unsent).map(({ uuid }) => uuid);
  const found = asked.length === 0 ? new Map<string, string>() : await carrier.chat.find(accountId, asked);
  const moves: Move[] = [];
  const postponements: Postponement[] = [];
  for (const { uuid, give_up_at, is_unsent } of messages) {
    const fate = is_unsent ? 'absent' : (found.get(uuid) ?? 'unknown');
    const giveUpAt = give_up_at === null ? null : new Date(give_up_at);
    if (fate === 'absent') {
      postponements.push({
        uuid,
        dueAt: carrier.clock(accountId).now(),
        giveUpAt,
        description: '',
        isAttempt: !is_unsent,
      });
    } else if (fate === 'unknown') {
      const description = 'The hand-over was interrupted. It waits for its receipt.';
      postponements.push({ uuid, dueAt: null, giveUpAt, description });
    } else {
      moves.push({ accountId, uuid, status: 'SENT', description: '', carrierMessageId: fate });
    }
  }
  if (moves.length > 0) await moveMessages(deps, moves);
  const sender = { account_id: accountId, uuid: chatapp_account, carrier: name };
  const claims = [...new Set(messages.map(({ claim }) => claim))];
  if (postponements.length > 0) await postpone(deps, sender, postponements, claims);
  log.info({ taken: moves.length, again: postponements.length }, 'Took up hand-overs that were interrupted');
}
