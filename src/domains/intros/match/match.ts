import type { Db } from '../../../platform/db/connect/pool.ts';
import { isUuid } from '../../../platform/ids.ts';
import { normalisedHash } from './keys.ts';
import { normalise } from './normalise.ts';
import { type Clues, type FoundRow, findMeant } from './queries.ts';
import { codesIn, referencesIn } from './words.ts';

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
