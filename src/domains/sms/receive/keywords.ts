import type { Deps } from '../../../deps.ts';
import { keywordSettings, phoneReader } from '../../accounts/index.ts';
import { type Heard, heedKeywords, helpText, keywordOf, yields } from '../../optouts/index.ts';
import { expectsWords } from '../../routing/index.ts';
import { mayAnswerHelp } from '../../safeguards/index.ts';
import { isName } from '../addresses.ts';
import { sendSmsAll } from '../send/send.ts';
import type { Received, Source } from './receive.ts';

type Stored = Omit<Received, 'isKeyword'>;

/** Carries out the opt-out keywords that people write. Answers which texts were keywords. */
export async function heedTexts<S extends Stored>(
  deps: Deps,
  { accountId, carrier }: Source,
  received: S[],
): Promise<Set<S>> {
  const settings = await keywordSettings(deps, accountId);
  const read = await phoneReader(deps, accountId);
  const heard = new Map<Heard, S>();
  // A name cannot be written to.
  for (const one of received.filter(({ row }) => !isName(row.from_number))) {
    const { from_number: phone_number, text } = one.row;
    const said = keywordOf(text, 'SMS', settings);
    const keyword = yields(said) && (await isExpected(deps, accountId, one)) ? undefined : said;
    heard.set({ phone_number, digits: read(phone_number), text, keyword, at: one.at, source: 'KEYWORD' }, one);
  }
  const heeded = await heedKeywords(deps, accountId, 'SMS', { carrier }, [...heard.keys()]);
  const asking = await mayAnswerHelp(
    deps,
    accountId,
    'SMS',
    [...heeded].filter(({ keyword }) => keyword === 'HELP'),
  );
  const texts = asking.map((one) => heard.get(one)!);
  await answerHelp(deps, accountId, texts, settings.helpText ?? helpText);
  return new Set([...heeded].map((one) => heard.get(one)!));
}

/** The number has a keyword of that name, or routing waits for it. */
const isExpected = async (deps: Deps, accountId: string, { row }: Stored): Promise<boolean> =>
  row.keyword !== null || expectsWords(deps, accountId, 'SMS', { number: row.to_number, text: row.text });

/** Answers HELP, unless the number that was written to cannot send. */
async function answerHelp(deps: Deps, accountId: string, asking: Stored[], text: string): Promise<void> {
  if (asking.length === 0) return;
  await sendSmsAll(
    deps,
    asking.map(({ row }) => ({
      accountId,
      request: { from: row.to_number, to: row.from_number, text },
    })),
  );
}
