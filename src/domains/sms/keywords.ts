import type { Deps } from '../../deps.ts';
import { allowAnswers, heedOptIns, heedOptOuts, helpText, keywordOf } from '../optouts/index.ts';
import { addressKey, isName } from './addresses.ts';
import type { Received, Source } from './receive.ts';
import { sendSmsAll } from './send.ts';

/** For how long somebody who opted out and writes all the same may be answered. */
const answerMs = 24 * 3_600_000;

/** Does what people say about hearing from the account: STOP and its like, START, HELP. */
export async function heedWishes(deps: Deps, { accountId, carrier }: Source, received: Received[]): Promise<void> {
  // A name cannot be written to.
  const people = received.filter(({ row }) => !isName(row.from_number));
  const said = Map.groupBy(people, ({ row }) => keywordOf(row.text) ?? 'NOTHING');
  const asking = said.get('HELP') ?? [];
  await allowAnswers(
    deps,
    accountId,
    [...(said.get('NOTHING') ?? []), ...asking].map(({ row, at }) => ({
      digits: addressKey(row.from_number),
      until: new Date(at.getTime() + answerMs),
    })),
    { carrier },
  );
  await heedStops(deps, accountId, carrier, people);
  await answerHelp(deps, accountId, asking);
}

async function heedStops(deps: Deps, accountId: string, carrier: Source['carrier'], people: Received[]): Promise<void> {
  const wishes = people.flatMap(({ row }) => {
    const wish = keywordOf(row.text);
    return wish === undefined || wish === 'HELP' ? [] : [{ wish, phone_number: row.from_number, text: row.text }];
  });
  // In the order in which they came: the last word counts.
  const last = [...new Map(wishes.map((one) => [addressKey(one.phone_number), one])).values()];
  await heedOptOuts(
    deps,
    accountId,
    last.flatMap(({ wish, ...person }) =>
      wish === 'START' ? [] : [{ ...person, channel: wish === 'STOPALL' ? 'ALL' : 'SMS', source: 'KEYWORD' }],
    ),
    { carrier },
  );
  await heedOptIns(
    deps,
    accountId,
    last.filter(({ wish }) => wish === 'START'),
    { channels: ['SMS', 'ALL'], source: 'KEYWORD', carrier },
  );
}

/** Where the number that was written to cannot send, nobody is answered. */
async function answerHelp(deps: Deps, accountId: string, asking: Received[]): Promise<void> {
  if (asking.length === 0) return;
  await sendSmsAll(
    deps,
    asking.map(({ row }) => ({
      accountId,
      request: { from: row.to_number, to: row.from_number, text: helpText },
    })),
  );
}
