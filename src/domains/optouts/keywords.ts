import type { Deps } from '../../deps.ts';
import { allowAnswers, heedOptIns, heedOptOuts, type Said } from './change.ts';
import { erasedKey } from './erased.ts';
import type { OptOutChannel } from './find.ts';
import { listChannelsOut } from './queries.ts';
import type { Keyword } from './words.ts';

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
