import type { KeywordSettings } from '../accounts/index.ts';
import type { OptOutChannel } from './find.ts';

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
