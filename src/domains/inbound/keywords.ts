import type { InboundEvent } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { addressOf, type Received, sendMessages } from '../messages/index.ts';
import { type Heard, heedKeywords, helpText, keywordOf, type Said } from '../optouts/index.ts';

type Preference = Extract<InboundEvent, { kind: 'preference' }>;

/**
 * Does what people say in chats about hearing from the account: the opt-out keywords, and what they set at the platform itself.
 * `events` has all of that in the order in which it came. Answers the messages that said something else.
 */
export async function heedChat(
  deps: Deps,
  accountId: string,
  said: Said,
  received: Received[],
  events: InboundEvent[],
): Promise<Received[]> {
  const written = new Map<InboundEvent, Received>(received.map((one) => [one.message, one]));
  const heard = events.flatMap((event): Heard[] => {
    if (event.kind === 'preference') return [heardByPlatform(event)];
    const one = written.get(event);
    return one ? [heardIn(one)] : [];
  });
  await heedKeywords(deps, accountId, 'CHATAPP', said, heard);
  const byKeyword = Map.groupBy(received, keywordIn);
  await answerHelp(deps, accountId, byKeyword.get('HELP') ?? []);
  return byKeyword.get(undefined) ?? [];
}

const heardByPlatform = ({ from, wantsMarketing, text, at }: Preference): Heard => ({
  phone_number: addressOf(from),
  text,
  keyword: wantsMarketing ? 'START' : 'STOP',
  at,
  source: 'PLATFORM',
});

const heardIn = (received: Received): Heard => ({
  phone_number: received.row.from_chatapp_number,
  text: textOf(received.row),
  keyword: keywordIn(received),
  at: received.message.at,
  source: 'KEYWORD',
});

const keywordIn = ({ row }: Received) => (row.type === 'TEXT' ? keywordOf(textOf(row)) : undefined);

const textOf = ({ message_data }: { message_data: unknown }): string =>
  (message_data as { text?: { body?: string } }).text?.body ?? '';

async function answerHelp(deps: Deps, accountId: string, asking: Received[]): Promise<void> {
  if (asking.length === 0) return;
  await sendMessages(
    deps,
    asking.map(({ row }) => ({
      accountId,
      request: {
        chatapp_number: row.chatapp_number,
        to_chatapp_number: row.from_chatapp_number,
        type: 'TEXT' as const,
        text: { body: helpText },
        context: { message_uuid: row.uuid },
      },
    })),
  );
}
