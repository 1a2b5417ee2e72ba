import type { InboundEvent } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { type KeywordSettings, keywordSettings } from '../accounts/index.ts';
import type { Meant } from '../intros/index.ts';
import { addressOf, type Received, sendMessages } from '../messages/index.ts';
import { type Heard, heedKeywords, keywordOf, type Said, yields } from '../optouts/index.ts';
import { expectsWords } from '../routing/index.ts';
import { mayAnswerHelp } from '../safeguards/index.ts';

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
  meant: Meant,
): Promise<Received[]> {
  const settings = await keywordSettings(deps, accountId);
  const expected = await findExpected(
    deps,
    accountId,
    received.filter((one) => yields(keywordIn(one, settings))),
    meant,
  );
  const written = new Map<InboundEvent, Received>(received.map((one) => [one.message, one]));
  const heard = new Map<Heard, Received | undefined>(
    events.flatMap((event): [Heard, Received | undefined][] => {
      if (event.kind === 'preference') return [[heardByPlatform(event), undefined]];
      const one = written.get(event);
      return one ? [[heardIn(one, expected.has(one) ? undefined : keywordIn(one, settings)), one]] : [];
    }),
  );
  const heeded = await heedKeywords(deps, accountId, 'CHATAPP', said, [...heard.keys()]);
  const helpless = [...heeded].filter((one) => one.keyword === 'HELP' && heard.get(one) !== undefined);
  const asking = (await mayAnswerHelp(deps, accountId, 'CHATAPP', helpless)).map((one) => heard.get(one)!);
  await answerHelp(deps, accountId, asking, settings.helpText ?? '');
  const dealtWith = new Set([...heeded].map((one) => heard.get(one)));
  return received.filter((one) => !dealtWith.has(one));
}

/** Messages that an intro or a routing rule waits for, whatever else they may mean. */
async function findExpected(deps: Deps, accountId: string, received: Received[], meant: Meant): Promise<Set<Received>> {
  const expected = new Set(received.filter(({ row }) => meant.get(row.uuid)?.kind === 'intro'));
  for (const one of received) {
    const words = { number: one.row.chatapp_number, text: textOf(one.row) };
    if (await expectsWords(deps, accountId, 'CHATAPP', words)) expected.add(one);
  }
  return expected;
}

const heardByPlatform = ({ from, wantsMarketing, text, at }: Preference): Heard => ({
  phone_number: addressOf(from),
  digits: phoneDigits(addressOf(from)),
  text,
  keyword: wantsMarketing ? 'START' : 'STOP',
  at,
  source: 'PLATFORM',
});

const heardIn = ({ row, message }: Received, keyword: Heard['keyword']): Heard => ({
  phone_number: row.from_chatapp_number,
  digits: phoneDigits(row.from_chatapp_number),
  text: textOf(row),
  keyword,
  at: message.at,
  source: 'KEYWORD',
});

const keywordIn = ({ row }: Received, settings: KeywordSettings) =>
  row.type === 'TEXT' ? keywordOf(textOf(row), 'CHATAPP', settings) : undefined;

const textOf = ({ message_data }: { message_data: unknown }): string =>
  (message_data as { text?: { body?: string } }).text?.body ?? '';

async function answerHelp(deps: Deps, accountId: string, asking: Received[], body: string): Promise<void> {
  if (asking.length === 0) return;
  await sendMessages(
    deps,
    asking.map(({ row }) => ({
      accountId,
      request: {
        chatapp_number: row.chatapp_number,
        to_chatapp_number: row.from_chatapp_number,
        type: 'TEXT' as const,
        text: { body },
        context: { message_uuid: row.uuid },
      },
    })),
  );
}
