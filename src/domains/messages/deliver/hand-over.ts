import type { CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { OutboundMessage, Outcome } from '../../../carriers/ports/chat.ts';
import type { Deps } from '../../../deps.ts';
import { isUnreadable, unreadableRetry } from '../../../platform/content/content.ts';
import { international } from '../../../platform/phone.ts';
import { findSender } from '../../chatapp-accounts/index.ts';
import { findOptedOutNow } from '../../optouts/index.ts';
import { answersOf, handOver, optedOutCode, optedOutDescription } from '../../outbox/index.ts';
import { findCarrierFiles } from '../content/files.ts';
import { findCarrierIds } from '../receive/inbound-queries.ts';
import { findExempt } from '../send/refusals.ts';
import { applyPairRate } from './pair-rate.ts';
import type { Claimed, Sender } from './queue.ts';

/** Gives claimed messages to the carrier, except those that must not leave, or not yet; see `handOver` for what it throws. */
export const handOverMessages = (
  deps: Deps,
  carrier: CarrierWith<'chat'>,
  sender: Sender,
  claimed: Claimed[],
): Promise<Outcome[]> =>
  handOver<Claimed, Outcome>(deps, claimed, {
    name: 'Messages',
    findBlocked: () => findBlocked(deps, carrier, sender, claimed),
    send: (leaving) => send(deps, carrier, sender, leaving),
    unready: (retry) => ({ ...retry, isOurs: true }),
  });

/**
 * The messages whose recipients opted out after they were accepted, and those whose recipients may not be written to again just
 * yet.
 */
async function findBlocked(deps: Deps, carrier: CarrierWith<'chat'>, sender: Sender, claimed: Claimed[]) {
  const recipients = claimed.map((message) => ({
    accountId: sender.account_id,
    digits: message.to_digits,
    sender,
    chatIntro: message.chat_intro,
    campaignLog: message.campaign_log,
    ...templateOf(message),
    message,
  }));
  const outcomes = new Map<Claimed, Outcome>();
  const unwanted = await findOptedOutNow(deps, recipients, 'CHATAPP');
  const exempt = await findExempt(deps, [...unwanted]);
  for (const one of unwanted) if (!exempt.has(one)) outcomes.set(one.message, optedOut);
  for (const message of claimed) if (isUnreadable(message.message_data)) outcomes.set(message, unreadableRetry);
  if (!carrier.chat.pairRate) return outcomes;
  const wanted = claimed.filter((message) => !outcomes.has(message));
  for (const [message, afterMs] of await applyPairRate(deps.db, sender, wanted, carrier.chat.pairRate)) {
    outcomes.set(message, {
      kind: 'retry',
      description: 'The person has got enough messages for the moment.',
      afterMs,
    });
  }
  return outcomes;
}

function templateOf({ type, message_data }: Claimed) {
  const { template_name: name, language_code: languageCode } = message_data as Record<string, string>;
  return type === 'TEMPLATE' ? { template: { name: name!, languageCode: languageCode! } } : {};
}

const optedOut: Outcome = { kind: 'rejected', code: optedOutCode, description: optedOutDescription };

async function send(deps: Deps, carrier: CarrierWith<'chat'>, sender: Sender, leaving: Claimed[]): Promise<Outcome[]> {
  const from = await findSender(deps, sender.account_id, sender.uuid);
  if (!from) throw new Error('The sender is gone.');
  const [named, files] = await Promise.all([
    findCarrierIds(deps.db, sender.account_id, leaving.flatMap(namedMessages)),
    findCarrierFiles(deps, carrier, from, leaving),
  ]);
  const carrierIds = new Map([...named, ...files.ids]);
  const ready = leaving.filter((message) => !files.outcomes.has(message));
  const messages = ready.map((message) => outbound(sender, message, carrierIds));
  const answers = await answersOf(deps, carrier.name, carrier.chat.send(from, messages), (unknown) =>
    messages.map((): Outcome => unknown),
  );
  const answered = new Map(ready.map((message, index) => [message, answers[index]!]));
  return leaving.map((message) => files.outcomes.get(message) ?? answered.get(message)!);
}

/** The messages that one names: which it quotes, or reacts to. */
function namedMessages({ context_data, message_data }: Claimed): string[] {
  const { reaction } = message_data as { reaction?: { message_uuid: string } };
  return [context_data.message_uuid, reaction?.message_uuid].filter((uuid) => uuid !== undefined);
}

const outbound = (sender: Sender, message: Claimed, carrierIds: ReadonlyMap<string, string>): OutboundMessage => ({
  accountId: sender.account_id,
  uuid: message.uuid,
  senderNumber: international(message.from_digits),
  toNumber: international(message.to_digits),
  type: message.type,
  content: message.message_data,
  quotes: message.context_data.message_uuid,
  carrierIds,
  attempt: message.attempts,
});
