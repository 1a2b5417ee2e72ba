/** What a person may say to hear no more, to hear again, or to ask: the whole message, in any case. */
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
