import type { Db } from '../../../platform/db/connect/pool.ts';
import { isUuid } from '../../../platform/ids.ts';
import { longestKey, normalise, normalisedHash } from './keys.ts';
import { type Clues, type FoundRow, findMeant } from './queries.ts';

/** What a message that came in says about what it is meant for. */
export interface Inbound {
  chatappAccount: string;
  text: string;
  /** '': nobody knows who wrote it. */
  fromDigits: string;
  flowToken?: string | undefined;
  /** Our uuid of the message it answers. */
  quoted?: string | undefined;
}

export type Match =
  /** The message names an intro. `tied`: it fits others just as well; the one whose link was opened last won. */
  | { kind: 'intro'; chatIntro: string; how: 'EXPECTED_TEXT' | 'REFERENCE' | 'SHORTCODE'; tied: boolean }
  /** It names none, but its writer has an open session. */
  | { kind: 'session'; session: string; chatIntro: string; how: 'FLOW_TOKEN' | 'QUOTE' | 'OPEN_SESSION' }
  /** Its writer was notified of a session: it quotes the notification, or that was the last one. */
  | { kind: 'notified'; session: string; chatIntro: string; how: 'NOTICE' | 'LAST_NOTICE' };

/**
 * Finds the intro or session each message is meant for, one statement for all of them. In this order: the flow it answers or
 * the notification it quotes, the text an intro expects, a short code among its words, a reference, the message it quotes, the
 * writer's latest session, the session that the writer was last notified of.
 */
export async function matchInbound(db: Db, accountId: string, wanted: Inbound[]): Promise<(Match | undefined)[]> {
  if (wanted.length === 0) return [];
  const found = Map.groupBy(await findMeant(db, accountId, wanted.map(cluesOf)), ({ place }) => place);
  return wanted.map((_, index) => chooseFrom(found.get(index + 1) ?? []));
}

export function cluesOf({ chatappAccount, text, fromDigits, flowToken, quoted }: Inbound): Clues {
  const plain = normalise(text);
  return {
    chatappAccount,
    digits: fromDigits || null,
    flowToken: flowToken || null,
    textHash: normalisedHash(plain),
    references: referencesIn(plain),
    codes: codesIn(plain),
    quoted: quoted !== undefined && isUuid(quoted) ? quoted : null,
  };
}

function chooseFrom([first, ...others]: FoundRow[]): Match | undefined {
  if (!first) return undefined;
  const { how, chat_intro: chatIntro, session } = first;
  if (how === 'NOTICE' || how === 'LAST_NOTICE') return { kind: 'notified', session: session!, chatIntro, how };
  if (session !== null) return { kind: 'session', session, chatIntro, how };
  const isRival = (other: FoundRow): boolean => other.chat_intro !== chatIntro && other.how === how;
  return { kind: 'intro', chatIntro, how, tied: others.some(isRival) };
}

/** How many references are looked for in a text: of a long one, those at its beginning. A text of 250 words stays below it. */
const most = 1_000;
const longestRun = 4;
const mostCodes = 100;

/**
 * Where words end: at white space, and on a second reading also at what people put around a reference: `(A-1)`, `Ref:A-1`,
 * `?ref=A-1&x=2`.
 */
const readings = [/[^ ]+/g, /[^ :;=|?&()[\]{}<>"“”„«»]+/g];

/** From the first letter or digit to the last one with its marks. Greedy, so it is found in one pass whatever the text. */
const core = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?\p{M}*/su;

/** A code of ours (see `newCode`) wherever it stands by itself, also at the end of a link. */
const code = /(?<![\p{L}\p{N}])[2-9bcdfghjkmnp-tv-z]{10}(?![\p{L}\p{N}])/gu;

/** Where a word may be taken to begin and to end: with what surrounds its letters and digits, and without. */
interface Token {
  starts: Set<number>;
  ends: Set<number>;
}

/**
 * What in a normalised text, which has no white space but single spaces, may be a reference: its words, and, since references may have spaces in them, up to four words in a row, and
 * the whole of it. Short runs come first. In the form of `referenceKey`, all different, and never more than a thousand.
 */
export function referencesIn(plain: string): string[] {
  const found = new Set([plain.slice(0, longestKey).toWellFormed()]);
  const tokens = readings.map((reading) => plain.matchAll(reading).take(most).map(tokenOf).toArray());
  for (let length = 1; length <= longestRun; length++) {
    for (const reading of tokens) addRuns(found, plain, reading, length);
  }
  found.delete('');
  return [...found];
}

/** The short codes that a normalised text names. */
export const codesIn = (plain: string): string[] => [
  ...new Set(
    plain
      .matchAll(code)
      .take(mostCodes)
      .map(([found]) => found),
  ),
];

function tokenOf({ 0: token, index }: RegExpExecArray): Token {
  const inner = core.exec(token);
  const start = index + (inner?.index ?? 0);
  const end = inner ? start + inner[0].length : index + token.length;
  return { starts: new Set([start, index]), ends: new Set([end, index + token.length]) };
}

function addRuns(found: Set<string>, text: string, tokens: Token[], length: number): void {
  for (let at = 0; at + length <= tokens.length; at++) {
    for (const start of tokens[at]!.starts) {
      for (const end of tokens[at + length - 1]!.ends) {
        if (found.size === most) return;
        found.add(text.slice(start, Math.min(end, start + longestKey)).toWellFormed());
      }
    }
  }
}
