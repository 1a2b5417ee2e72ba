import type { Deps } from '../../../deps.ts';
import type { Doubts } from '../../../platform/work/hands.ts';
import { interrupted, type Move, type Postponement } from '../../outbox/index.ts';
import { type AbandonedMessage, moveMessages, outbox, postpone } from './move.ts';

/**
 * Recovers hand-overs that were interrupted. A message that is known not to have left goes out again. For any other, the carrier is
 * asked: if it took the message, that is SENT; if it never saw it, the message goes out again; if it cannot say, the message waits
 * for its receipt. Nothing is sent again on a guess. Answers how many were found.
 */
export const recoverAbandoned = (deps: Deps, doubts: Doubts | undefined): Promise<number> =>
  outbox.recoverAbandoned(deps, doubts, (messages) => recoverSender(deps, messages));

async function recoverSender(deps: Deps, messages: AbandonedMessage[]): Promise<void> {
  const { carriers, log } = deps;
  const { account_id: accountId, chatapp_account, carrier: name } = messages[0]!;
  const carrier = carriers.get(name, 'chat');
  const asked = messages.filter((message) => !message.is_unsent).map(({ uuid }) => uuid);
  const found = asked.length === 0 ? new Map<string, string>() : await carrier.chat.find(accountId, asked);
  const moves: Move[] = [];
  const postponements: Postponement[] = [];
  for (const message of messages) {
    const { uuid, is_unsent } = message;
    const fate = is_unsent ? 'absent' : (found.get(uuid) ?? 'unknown');
    if (fate === 'absent') {
      postponements.push(interrupted(message, carrier.clock(accountId).now(), { isAttempt: !is_unsent }));
    } else if (fate === 'unknown') {
      postponements.push(interrupted(message, null));
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
