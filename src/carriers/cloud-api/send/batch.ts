import { phoneDigits } from '../../../platform/phone.ts';
import type { OutboundMessage, Outcome } from '../../ports/chat.ts';

/** Messages under way at the same time. */
const mostAtOnce = 100;

/**
 * Hands over many messages at once, those to one person one after another in their order. Once one of them is put off, what
 * comes after it to the same person is put off with it; once the sender is told to slow down, so is everything that has not
 * left yet.
 */
export async function sendAll(
  messages: OutboundMessage[],
  send: (message: OutboundMessage) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes = new Map<OutboundMessage, Outcome>();
  const waiting = [...Map.groupBy(messages, ({ toNumber }) => phoneDigits(toNumber)).values()].values();
  let slowedDown: Outcome | undefined;

  const sendInOrder = async (toOne: OutboundMessage[]): Promise<void> => {
    let putOff: Outcome | undefined;
    for (const message of toOne) {
      const outcome: Outcome = slowedDown ?? putOff ?? (await send(message));
      outcomes.set(message, outcome);
      if (outcome.kind !== 'retry') continue;
      putOff = outcome;
      if (outcome.slowsSender) slowedDown ??= outcome;
    }
  };
  // All workers draw from the same iterator, so each person's messages are drawn once.
  const work = async (): Promise<void> => {
    for (const toOne of waiting) await sendInOrder(toOne);
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, messages.length) }, work));
  return messages.map((message) => outcomes.get(message)!);
}
