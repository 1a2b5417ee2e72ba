import { optionsOf } from '../../parts/index.ts';
export const categories = [
  { value: 'UTILITY', label: 'Utility: about something that the person did or ordered' },
  { value: 'MARKETING', label: 'Marketing: offers, news, everything else' },
  { value: 'AUTHENTICATION', label: 'Authentication: one-time passwords' },
];

export const categoryNames: Record<string, string> = {
  UTILITY: 'Utility',
  MARKETING: 'Marketing',
  AUTHENTICATION: 'Authentication',
};

export const statusOptions = optionsOf(['PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED', 'DELETED']);

/** Languages that are offered; any other code may be typed. */
export const languages = [
  'en_GB',
  'en_US',
  'en',
  'ar',
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'es',
  'es_ES',
  'es_MX',
  'et',
  'fi',
  'fr',
  'he',
  'hi',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'nb',
  'nl',
  'pl',
  'pt_BR',
  'pt_PT',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh_CN',
  'zh_HK',
  'zh_TW',
];

/** How people take it, in words. */
export const qualityNames: Record<string, string> = {
  GREEN: 'High',
  YELLOW: 'Medium',
  RED: 'Low: people block or report it',
  UNKNOWN: 'Not known yet',
};
