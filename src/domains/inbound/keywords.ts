import type { InboundEvent } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { addressOf, type Received, sendMessages, windowMs } from '../messages/index.ts';
import { allowAnswers, heedOptIns, heedOptOuts, helpText, keywordOf, type Said } from '../optouts/index.ts';

/**
 * Does what people say about hearing from the account: STOP and its like, START, HELP. Anybody else who opted out and writes
 * all the same may be answered for a day. Answers the messages that said something else.
 */
export async function heedWishes(deps: Deps, accountId: string, said: Said, received: Received[]): Promise<Received[]> {
  const wished = Map.groupBy(received, wishOf);
  const of = (wish: ReturnType<typeof wishOf>) => wished.get(wish) ?? [];
  await allowAnswers(
    deps,
    accountId,
    [...of('NOTHING'), ...of('HELP')].map(({ row, message }) => ({
      digits: phoneDigits(row.from_chatapp_number),
      until: new Date(message.at.getTime() + windowMs),
    })),
    said,
  );
  await heedStops(deps, accountId, said, received);
  await answerHelp(deps, accountId, of('HELP'));
  return of('NOTHING');
}

async function heedStops(deps: Deps, accountId: string, said: Said, received: Received[]): Promise<void> {
  const wishes = received.flatMap((one) => {
    const wish = wishOf(one);
    if (wish === 'NOTHING' || wish === 'HELP') return [];
    return [{ wish, phone_number: one.row.from_chatapp_number, text: textOf(one.row) }];
  });
  // In the order in which they came: the last word counts.
  const last = [...new Map(wishes.map((one) => [phoneDigits(one.phone_number), one])).values()];
  await heedOptOuts(
    deps,
    accountId,
    last.flatMap(({ wish, ...person }) =>
      wish === 'START' ? [] : [{ ...person, channel: wish === 'STOPALL' ? 'ALL' : 'CHATAPP', source: 'KEYWORD' }],
    ),
    said,
  );
  await heedOptIns(
    deps,
    accountId,
    last.filter(({ wish }) => wish === 'START'),
    { channels: ['CHATAPP', 'ALL'], source: 'KEYWORD', ...said },
  );
}

const wishOf = ({ row }: Received) => (row.type === 'TEXT' ? keywordOf(textOf(row)) : undefined) ?? 'NOTHING';

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

/** What a person told the platform itself about marketing. */
export async function heedPreferences(
  deps: Deps,
  accountId: string,
  said: Said,
  preferences: Extract<InboundEvent, { kind: 'preference' }>[],
): Promise<void> {
  // In the order in which they came: the last word counts.
  const last = new Map(preferences.map((preference) => [addressOf(preference.from), preference]));
  const people = [...last].map(([phone_number, { wantsMarketing, text }]) => ({ phone_number, wantsMarketing, text }));
  await heedOptOuts(
    deps,
    accountId,
    people
      .filter(({ wantsMarketing }) => !wantsMarketing)
      .map(({ phone_number, text }) => ({ phone_number, text, channel: 'CHATAPP', source: 'PLATFORM' })),
    said,
  );
  await heedOptIns(
    deps,
    accountId,
    people.filter(({ wantsMarketing }) => wantsMarketing),
    { channels: ['CHATAPP'], source: 'PLATFORM', ...said },
  );
}
