import type { Deps } from '../../../deps.ts';
import { heedKeywords, helpText, keywordOf } from '../../optouts/index.ts';
import { isName } from '../addresses.ts';
import { sendSmsAll } from '../send/send.ts';
import type { Received, Source } from './receive.ts';

/** Does what people say in texts about hearing from the account: the opt-out keywords. */
export async function heedTexts(deps: Deps, { accountId, carrier }: Source, received: Received[]): Promise<void> {
  // A name cannot be written to.
  const people = received.filter(({ row }) => !isName(row.from_number));
  const heard = people.map(({ row: { from_number: phone_number, text }, at }) => {
    return { phone_number, text, keyword: keywordOf(text), at, source: 'KEYWORD' as const };
  });
  await heedKeywords(deps, accountId, 'SMS', { carrier }, heard);
  const asking = people.filter((_one, index) => heard[index]!.keyword === 'HELP');
  await answerHelp(deps, accountId, asking);
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
