/** Languages that texts are spoken in, as BCP 47 writes them: a language, with or without a region. */

/** The one that needs no program. */
export const english = 'en';

export const languagePattern = '^[A-Za-z]{2,3}(-([A-Za-z]{2}|\\d{3}))?$';
const shape = new RegExp(languagePattern);

export interface SpokenLanguage {
  language: string;
  /** In English. */
  name: string;
  /** What the program calls its voice; empty: that of English, which needs no program. */
  voice: string;
}

export const englishSpoken: SpokenLanguage = { language: english, name: 'English', voice: '' };

/** `PT-br` is `pt-BR`, and `iw` is `he`. */
export const canonicalLanguage = (tag: string): string => Intl.getCanonicalLocales(tag)[0]!;

const primaryOf = (tag: string): string => canonicalLanguage(tag).split('-')[0]!;

/** With whatever region: the voice is the same. */
export const isEnglish = (tag: string): boolean => primaryOf(tag) === english;

/** Who speaks a language; where its region has no voice of its own, that of the language. */
export const findLanguage = (languages: SpokenLanguage[], tag: string): SpokenLanguage | undefined =>
  isEnglish(tag)
    ? englishSpoken
    : (languages.find(({ language }) => language === canonicalLanguage(tag)) ??
      languages.find(({ language }) => language === primaryOf(tag)));

const languageNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard', fallback: 'none' });
const scriptNames = new Intl.DisplayNames('en', { type: 'script' });

export const nameOf = (tag: string): string | undefined => languageNames.of(tag);

const line = /^\s*\d+\s+(\S+)\s+\S+\s+(\S+)\s+\S+\s*(.*)$/;

/**
 * What `espeak-ng --voices` prints, a voice in each line. The first voice of a language is taken, and for languages that have
 * none of their own the one that offers itself first: ` 5  fr-fr  --/M  French_(France)  roa/fr  (fr 5)`.
 */
export function readVoices(printed: string): SpokenLanguage[] {
  const voices = printed.split('\n').flatMap((text) => {
    const [, voice, title, others] = line.exec(text) ?? [];
    return voice === undefined ? [] : [{ voice, title: title!.replaceAll('_', ' ').trim(), others: others! }];
  });
  const offers = voices.flatMap(({ voice, title, others }) => [
    { tag: voice, voice, title, rank: 0 },
    ...[...others.matchAll(/\(([\w-]+) (\d+)\)/g)].map(([, tag, rank]) => ({
      tag: tag!,
      voice,
      title,
      rank: 1 + Number(rank),
    })),
  ]);
  const found = new Map<string, SpokenLanguage>([[english, englishSpoken]]);
  for (const { tag, voice, title } of offers.toSorted((a, b) => a.rank - b.rank)) {
    const language = shape.test(tag) ? canonicalLanguage(tag) : '';
    // Another name of a language can have a script in it.
    if (!shape.test(language) || isEnglish(language) || found.has(language)) continue;
    found.set(language, { language, name: nameOf(language) ?? title, voice });
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Ways to write that are several scripts of Unicode. */
const mixed: Record<string, { name: string; scripts: string[] }> = {
  Hans: { name: 'Chinese', scripts: ['Hani', 'Bopo'] },
  Hant: { name: 'Chinese', scripts: ['Hani', 'Bopo'] },
  Jpan: { name: 'Japanese', scripts: ['Hani', 'Hira', 'Kana'] },
  Kore: { name: 'Korean', scripts: ['Hang', 'Hani'] },
};

/** Languages that Unicode knows nothing of are written in Latin, as are those in Gaelic type and Fraktur. */
function scriptOf(tag: string): string {
  const { script = 'Latn' } = new Intl.Locale(tag).maximize();
  return script.startsWith('Lat') ? 'Latn' : script;
}

/** A letter that is neither of this way to write nor Latin nor common to all. */
function otherLetter(script: string): RegExp {
  const allowed = [...(mixed[script]?.scripts ?? [script]), 'Latn', 'Zyyy', 'Zinh'];
  return new RegExp(`(?![${allowed.map((name) => `\\p{scx=${name}}`).join('')}])\\p{L}`, 'u');
}

/** Whether a text is written as the language is, all of it, or in Latin letters; a blank one is a moment of silence. */
export const isWrittenIn = (text: string, tag: string): boolean =>
  text.trim() === '' || (/[\p{L}\p{N}$%&@#+=*€£]/u.test(text) && !otherLetter(scriptOf(tag)).test(text));

/** For a text that is not. */
export function scriptSentence(tag: string): string {
  const letters = [...new Set([scriptOf(tag), 'Latn'])]
    .map((script) => mixed[script]?.name ?? scriptNames.of(script))
    .join(' or ');
  const name = nameOf(canonicalLanguage(tag)) ?? tag;
  return `Enter a text in ${letters} letters: what is written in other scripts cannot be spoken in ${name}.`;
}
