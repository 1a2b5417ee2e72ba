import type { Deps } from '../../deps.ts';
import type { KeywordSettings } from '../accounts/index.ts';
import { allowAnswers, heedOptIns, heedOptOuts, type Said } from './change.ts';
import { erasedKey } from './erase.ts';
import type { OptOutChannel } from './find.ts';
import { listChannelsOut } from './queries.ts';

/**
 * The opt-out keywords: what a person may say to hear no more, to hear again, or to ask. The whole message, in any case. In
 * texts it is what the operators ask for. In chats people talk, so only the words that cannot mean anything else count there.
 */
const words = {
  STOP: {
    SMS: ['STOP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT'],
    chat: ['STOP', 'UNSUBSCRIBE'],
  },
  STOPALL: { SMS: ['STOPALL', 'STOP ALL'], chat: ['STOPALL', 'STOP ALL'] },
  START: { SMS: ['START', 'UNSTOP', 'YES'], chat: ['START', 'UNSTOP', 'YES'] },
  HELP: { SMS: ['HELP', 'INFO'], chat: ['HELP', 'INFO'] },
} as const;

export type Keyword = keyof typeof words;

const meaningsIn = (where: 'SMS' | 'chat') =>
  new Map<string, Keyword>(
    Object.entries(words).flatMap(([keyword, spellings]) =>
      spellings[where].map((word) => [word, keyword as Keyword] as const),
    ),
  );
const meanings = { SMS: meaningsIn('SMS'), chat: meaningsIn('chat') };

/** The longest that a keyword can be, the account's own included. */
const longest = 40;

/**
 * The keyword that a text is on a channel; undefined for any other text. A full stop or an exclamation mark behind it is forgiven.
 * Words that the account adds mean STOP. In chats HELP is a keyword for accounts that have an answer to it.
 */
export function keywordOf(text: string, channel: OptOutChannel, settings: KeywordSettings): Keyword | undefined {
  const word = text.trim().replace(/[.!]$/, '').replace(/\s+/g, ' ').toUpperCase();
  if (word.length > longest) return undefined;
  const keyword = settings.optOutKeywords.has(word) ? 'STOP' : meanings[channel === 'SMS' ? 'SMS' : 'chat'].get(word);
  return keyword === 'HELP' && channel !== 'SMS' && settings.helpText === null ? undefined : keyword;
}

/** Whether an intro or a routing rule that waits for the word comes before it. STOP is never anything else. */
export const yields = (keyword: Keyword | undefined): boolean => keyword === 'START' || keyword === 'HELP';

/** The answer to HELP in texts of accounts that have none of their own. */
export const helpText = 'Reply STOP to get no more messages from us, START to get them again.';

/** For how long somebody who opted out and writes all the same may be answered. */
const answerMs = 24 * 3_600_000;

/** Something that a person wrote on a channel, or told the platform behind it. */
export interface Heard {
  phone_number: string;
  /** What the number is compared by. */
  digits: string;
  text: string;
  /** undefined: it is about something else. */
  keyword: Keyword | undefined;
  at: Date;
  /** PLATFORM: what the person set at the platform, where STOP and START are about this channel alone. */
  source: 'KEYWORD' | 'PLATFORM';
}

/**
 * Does what people say about hearing from the account on a channel. The order in which a person wrote decides; what was written
 * in the same moment counts in the order in which it is given. The result is the same whether their words come together or one
 * by one. START counts from somebody who is opted out; from others it is a word like any other. Anybody who opted out and then
 * writes something else may be answered for a day. Answers what was heard as a keyword; to answer HELP is left to the caller.
 */
export async function heedKeywords(
  deps: Deps,
  accountId: string,
  channel: OptOutChannel,
  said: Said,
  heard: Heard[],
): Promise<Set<Heard>> {
  const inOrder = heard.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const outOf = await findChannelsOut(deps, accountId, channel, heard);
  const people = [...Map.groupBy(inOrder, ({ digits }) => digits)].map(([digits, some]) =>
    sumUp(some, channel, new Set(outOf.get(digits))),
  );
  await allowAnswers(
    deps,
    accountId,
    people.flatMap(({ wrote }) => answerable(wrote)),
    said,
  );
  const optIns = people.flatMap((person) => person.optIns);
  for (const [source, some] of Map.groupBy(optIns, (one) => one.source)) {
    const people = some.map(({ digits, text }) => ({ digits, text }));
    await heedOptIns(deps, accountId, people, { channels: liftedBy(source, channel), source, ...said });
  }
  const optOuts = people.flatMap((person) =>
    [...person.optOuts].map(([of, { phone_number, digits, text, source }]) => ({
      phone_number,
      digits,
      text,
      source,
      channel: of,
    })),
  );
  await heedOptOuts(deps, accountId, optOuts, said);
  await allowAnswers(
    deps,
    accountId,
    people.flatMap(({ optOuts, wroteSince }) => (optOuts.size > 0 ? answerable(wroteSince) : [])),
    said,
  );
  return new Set(people.flatMap(({ keywords }) => keywords));
}

/** What those who say START are opted out of, by their digits. */
async function findChannelsOut({ db, vault }: Deps, accountId: string, channel: OptOutChannel, heard: Heard[]) {
  const starting = heard.filter(({ keyword, source }) => keyword === 'START' && source === 'KEYWORD');
  const digits = [...new Set(starting.map(({ digits }) => digits))];
  const byHash = new Map(digits.map((one) => [erasedKey(vault, accountId, one), one]));
  const written = [...digits, ...byHash.keys()];
  const rows = digits.length === 0 ? [] : await listChannelsOut(db, accountId, written, ['ALL', channel]);
  return new Map(
    [...Map.groupBy(rows, (row) => byHash.get(row.digits) ?? row.digits)].map(([who, some]) => [
      who,
      some.map((row) => row.channel),
    ]),
  );
}

/** What one person's words come to: first what is lifted, then what they are opted out of. */
interface Sum {
  /** What was heard as a keyword. */
  keywords: Heard[];
  optIns: Heard[];
  /** By channel: opt-outs that no later START lifts. */
  optOuts: Map<string, Heard>;
  /** The last thing that was no keyword of these. */
  wrote: Heard | undefined;
  /** The same, if no opt-out follows it. */
  wroteSince: Heard | undefined;
}

/** `outOf`: the channels that the person is opted out of at first. */
function sumUp(inOrder: Heard[], channel: OptOutChannel, outOf: Set<string>): Sum {
  const sum: Sum = { keywords: [], optIns: [], optOuts: new Map(), wrote: undefined, wroteSince: undefined };
  for (const one of inOrder) {
    const lifted = one.keyword === 'START' ? liftedBy(one.source, channel) : [];
    const isOptIn = one.keyword === 'START' && (one.source === 'PLATFORM' || lifted.some((of) => outOf.has(of)));
    const isOptOut = one.keyword === 'STOP' || one.keyword === 'STOPALL';
    if (isOptIn || isOptOut || one.keyword === 'HELP') sum.keywords.push(one);
    if (isOptIn) {
      sum.optIns.push(one);
      for (const of of lifted) for (const some of [outOf, sum.optOuts]) some.delete(of);
    } else if (isOptOut) {
      const of = one.keyword === 'STOPALL' ? 'ALL' : channel;
      outOf.add(of);
      sum.optOuts.set(of, one);
      sum.wroteSince = undefined;
    } else {
      sum.wrote = one;
      sum.wroteSince = one;
    }
  }
  return sum;
}

const liftedBy = (source: Heard['source'], channel: OptOutChannel): string[] =>
  source === 'PLATFORM' ? [channel] : [channel, 'ALL'];

const answerable = (wrote: Heard | undefined) =>
  wrote ? [{ digits: wrote.digits, until: new Date(wrote.at.getTime() + answerMs) }] : [];
