import { isCountry, isPhone, isUserId } from '../../phone.ts';

export const countrySentence = 'Enter an ISO 3166 country code such as GB.';

/** A string format: how it is recognised, and DRF's sentence for a string that is not of it. */
interface Format {
  /** The country is that of national numbers; left out: of any. */
  accepts(text: string, country?: string): boolean;
  sentence: string;
}

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
// Offsets end at 15:59, where PostgreSQL's do.
const time = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-5]):[0-5]\d)?$/;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const email = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;
const longestUrl = 2048;

const url: Format = { accepts: isUrl, sentence: 'Enter a valid URL.' };

export const formats: Record<string, Format> = {
  uri: url,
  url,
  uuid: { accepts: (text) => uuid.test(text), sentence: 'Must be a valid UUID.' },
  date: {
    accepts: isDate,
    sentence: 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  },
  'date-time': {
    accepts: (text) => text[10] === 'T' && isDate(text.slice(0, 10)) && time.test(text.slice(11)),
    sentence:
      'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  },
  phone: { accepts: isPhone, sentence: 'Enter a valid phone number.' },
  // Chat platforms have people who hide their number, and know them by an id of their own.
  recipient: {
    accepts: (text, country) => isPhone(text, country) || isUserId(text),
    sentence: 'Enter a valid phone number.',
  },
  'country-code': { accepts: isCountry, sentence: countrySentence },
  'time-zone': { accepts: isTimeZone, sentence: 'Enter a time zone such as Europe/London.' },
  email: { accepts: (text) => text.length <= 254 && email.test(text), sentence: 'Enter a valid email address.' },
};

/** A date-time without an offset is in UTC; this writes the `Z` that JavaScript and PostgreSQL want to see. */
export const withOffset = (dateTime: string): string =>
  /(Z|[+-]\d\d:\d\d)$/.test(dateTime) ? dateTime : `${dateTime}Z`;

function isDate(text: string): boolean {
  const parts = date.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // Day 0 of the next month is the last of this one. Date reads years below 100 as 19xx; leap years repeat every 400.
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= new Date(2000 + (year % 400), month, 0).getDate();
}

function isUrl(text: string): boolean {
  // URL.canParse forgives spaces, tabs, backslashes, missing and spare slashes; what calls the address later may not.
  return text.length <= longestUrl && /^https?:\/\/[^\s\\/][^\s\\]*$/i.test(text) && URL.canParse(text);
}

function isTimeZone(text: string): boolean {
  try {
    // Throws for a name it does not know. A bare offset would pass, but does not know about summer time.
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text })) && /^[A-Za-z]/.test(text);
  } catch {
    return false;
  }
}
