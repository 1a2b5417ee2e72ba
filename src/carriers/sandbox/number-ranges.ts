import type { NumberRange } from '../ports/carriers.ts';

const voice = ['VOICE'] as const;
const text = ['VOICE', 'SMS'] as const;
const media = ['VOICE', 'SMS', 'MMS'] as const;

const range = (
  country: string,
  prefix: string,
  first: string,
  count: number,
  capabilities: NumberRange['capabilities'],
): NumberRange => ({ country, prefix, first, count, capabilities });

/** Set aside by the regulator for films, books and tests: these numbers never belong to anybody. */
const dramaRanges = [
  // Ofcom, "Telephone numbers for use in TV and radio drama programmes"
  range('GB', '20', '442079460000', 1000, text),
  range('GB', '161', '441614960000', 200, text),
  range('GB', '1632', '441632960000', 200, text),
  range('GB', '7700', '447700900000', 500, media),
  // North American Numbering Plan: 555-0100 to 555-0199 in every area
  range('US', '212', '12125550100', 100, media),
  range('US', '310', '13105550100', 100, media),
  range('US', '312', '13125550100', 100, media),
  range('US', '415', '14155550100', 100, text),
  range('US', '617', '16175550100', 100, text),
  range('CA', '416', '14165550100', 100, media),
  range('CA', '514', '15145550100', 100, text),
  range('CA', '604', '16045550100', 100, text),
  // ACMA; of the mobile block only some numbers are set aside
  range('AU', '2', '61255500000', 200, text),
  range('AU', '3', '61355500000', 200, text),
  range('AU', '491', '61491570100', 100, media),
  // ComReg
  range('IE', '20', '353209100000', 200, text),
  // ARCEP
  range('FR', '1', '33199000000', 200, text),
  range('FR', '4', '33465710000', 200, text),
  range('FR', '6', '33639980000', 200, media),
  // Bundesnetzagentur; Hamburg begins at 100, because endings from 9000 to 9099 steer the sandbox
  range('DE', '30', '493023125000', 200, text),
  range('DE', '40', '494066969100', 200, text),
  range('DE', '171', '491713920000', 100, media),
  // PTS; the mobile block is 95 numbers long
  range('SE', '8', '46846500400', 100, text),
  range('SE', '31', '46313900600', 100, text),
  range('SE', '70', '46701740605', 95, media),
];

/** Where nothing is set aside: after the prefix a run of zeros, which numbering plans leave free or give out last. */
const madeUpRanges = [
  range('IE', '88', '353880000100', 100, media),
  range('ES', '91', '34910000100', 100, text),
  range('ES', '60', '34600000100', 100, media),
  // Italy dials the zero from abroad too: it is part of the number.
  range('IT', '06', '390600000100', 100, text),
  range('IT', '350', '393500000100', 100, media),
  range('NL', '20', '31200000100', 100, text),
  range('NL', '6', '31600000100', 100, media),
  range('BE', '2', '3220000100', 100, voice),
  range('BE', '470', '32470000100', 100, media),
  range('NO', '21', '4721000100', 100, text),
  range('NO', '40', '4740000100', 100, media),
  range('DK', '32', '4532000100', 100, text),
  range('DK', '20', '4520000100', 100, media),
  range('FI', '9', '35890000100', 100, voice),
  range('FI', '40', '358400000100', 100, media),
  range('PL', '22', '48220000100', 100, text),
  range('PL', '50', '48500000100', 100, media),
  range('PT', '21', '351210000100', 100, text),
  range('PT', '91', '351910000100', 100, media),
  range('CH', '44', '41440000100', 100, text),
  range('CH', '79', '41790000100', 100, media),
  range('AT', '1', '4310000100', 100, voice),
  range('AT', '660', '436600000100', 100, media),
  range('ZA', '11', '27110000100', 100, text),
  range('ZA', '82', '27820000100', 100, media),
  range('NG', '1', '23410000100', 100, voice),
  range('NG', '803', '2348030000100', 100, text),
  range('KE', '20', '254200000100', 100, voice),
  range('KE', '722', '254722000100', 100, text),
  range('IN', '22', '912200000100', 100, text),
  range('IN', '98', '919800000100', 100, text),
  range('BR', '11', '551100000100', 100, text),
  range('BR', '21', '5521900000100', 100, media),
  range('MX', '55', '525500000100', 100, text),
  range('MX', '33', '523300000100', 100, media),
  range('AE', '4', '97140000100', 100, voice),
  range('AE', '50', '971500000100', 100, text),
];

/** The fictional numbers the sandbox sells: a geographic and a mobile range for most of its 26 countries. */
export const numberRanges: readonly NumberRange[] = [...dramaRanges, ...madeUpRanges];
