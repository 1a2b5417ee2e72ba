import type { Deps } from '../../deps.ts';
import type { FieldErrors } from '../../platform/errors.ts';
import type { SpokenLanguage } from '../../platform/speech/languages.ts';
import { english, findLanguage, isEnglish, isWrittenIn, scriptSentence } from '../../platform/speech/languages.ts';
import { isSpeakable } from '../../platform/speech/text.ts';

/** Why a text cannot be spoken in a language on this server. */
export async function speechErrors(
  { sounds }: Pick<Deps, 'sounds'>,
  { tts = '', tts_language = english }: { tts?: string | undefined; tts_language?: string | undefined },
): Promise<FieldErrors> {
  if (isEnglish(tts_language)) return isSpeakable(tts) ? {} : { tts: [englishSentence] };
  const languages = await sounds.languages();
  if (!findLanguage(languages, tts_language)) return { tts_language: [languageSentence(languages, tts_language)] };
  return isWrittenIn(tts, tts_language) ? {} : { tts: [scriptSentence(tts_language)] };
}

const englishSentence = 'Enter a text in Latin letters: what is written in other scripts cannot be spoken.';

const languageSentence = (languages: SpokenLanguage[], asked: string): string =>
  languages.length > 1
    ? `"${asked}" cannot be spoken on this server. These can: ${languages.map(({ language }) => language).join(', ')}.`
    : `"${asked}" cannot be spoken on this server, only English (en). Its operator can install espeak-ng for other languages.`;
