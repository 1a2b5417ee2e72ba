import type { Deps } from '../../deps.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { allowAnswers, heedOptIns, heedOptOuts, type Said } from './change.ts';
import type { OptOutChannel } from './find.ts';

/** The opt-out keywords: what a person may say to hear no more, to hear again, or to ask. The whole message, in any case. */
const words = {
  STOP: ['STOP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT'],
  STOPALL: ['STOPALL', 'STOP ALL'],
  START: ['START', 'UNSTOP', 'YES'],
  HELP: ['HELP', 'INFO'],
} as const;

export type Keyword = keyof typeof words;

const meanings = new Map<string, Keyword>(
  Object.entries(words).flatMap(([keyword, spellings]) => spellings.map((word) => [word, keyword as Keyword] as const)),
);
const longest = Math.max(...[...meanings.keys()].map((word) => word.length));

/** The keyword that a text is; undefined for any other text. A full stop or an exclamation mark behind it is forgiven. */
export function keywordOf(text: string): Keyword | undefined {
  const word = text.trim().replace(/[.!]$/, '').replace(/\s+/g, ' ');
  return word.length > longest ? undefined : meanings.get(word.toUpperCase());
}

/** The answer to HELP. */
export const helpText = 'Reply STOP to get no more messages from us, START to get them again.';

/** For how long somebody who opted out and writes all the same may be answered. */
const answerMs = 24 * 3_600_000;

/** Something that a person wrote on a channel, or told the platform behind it. */
export interface Heard {
  phone_number: string;
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
 * by one. Anybody who opted out and then writes something else may be answered for a day. To answer HELP is left to the caller.
 */
export async function heedKeywords(
  deps: Deps,
  accountId: string,
  channel: OptOutChannel,
  said: Said,
  heard: Heard[],
): Promise<void> {
  const inOrder = heard.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const people = [...Map.groupBy(inOrder, ({ phone_number }) => phoneDigits(phone_number)).values()].map((some) =>
    sumUp(some, channel),
  );
  await allowAnswers(
    deps,
    accountId,
    people.flatMap(({ wrote }) => answerable(wrote)),
    said,
  );
  const optIns = people.flatMap((person) => person.optIns);
  for (const [source, some] of Map.groupBy(optIns, (one) => one.source)) {
    const people = some.map(({ phone_number, text }) => ({ digits: phoneDigits(phone_number), text }));
    await heedOptIns(deps, accountId, people, { channels: liftedBy(source, channel), source, ...said });
  }
  const optOuts = people.flatMap((person) =>
    [...person.optOuts].map(([of, { phone_number, text, source }]) => ({
      phone_number,
      digits: phoneDigits(phone_number),
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
}

/** What one person's words come to: first what is lifted, then what they are opted out of. */
interface Sum {
  optIns: Heard[];
  /** By channel: opt-outs that no later START lifts. */
  optOuts: Map<string, Heard>;
  /** The last thing that was no keyword of these. */
  wrote: Heard | undefined;
  /** The same, if no opt-out follows it. */
  wroteSince: Heard | undefined;
}

function sumUp(inOrder: Heard[], channel: OptOutChannel): Sum {
  const sum: Sum = { optIns: [], optOuts: new Map(), wrote: undefined, wroteSince: undefined };
  for (const one of inOrder) {
    if (one.keyword === 'START') {
      sum.optIns.push(one);
      for (const lifted of liftedBy(one.source, channel)) sum.optOuts.delete(lifted);
    } else if (one.keyword === 'STOP' || one.keyword === 'STOPALL') {
      sum.optOuts.set(one.keyword === 'STOPALL' ? 'ALL' : channel, one);
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
  wrote ? [{ digits: phoneDigits(wrote.phone_number), until: new Date(wrote.at.getTime() + answerMs) }] : [];
