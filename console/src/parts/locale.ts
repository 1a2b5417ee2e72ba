import { chosenLanguage } from '../api/language.ts';

/**
 * English, with the manners of where the reader is: `en-US` has 7:30 PM and 12,480, `en-DE` has 19:30 and 12.480. Where that is, their
 * profile says, else the browser. The browser's own
 * fields for dates and times follow the same region.
 */
function find(): string {
  try {
    const { region } = new Intl.Locale(chosenLanguage()?.replaceAll('_', '-') ?? navigator.language).maximize();
    return region ? `en-${region}` : 'en';
  } catch {
    return 'en';
  }
}

export const locale = find();
