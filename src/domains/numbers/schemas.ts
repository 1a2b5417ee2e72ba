import { type Static, type TSchema, Type } from 'typebox';
import { orderedBy, pageQuery } from '../../platform/db/page.ts';
import { CountryCode, FreeForm, Language, PageOf, Phone, Timestamp } from '../../platform/http/openapi/models.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import type { EventData } from '../webhooks/index.ts';
import { capabilityNames, featureNames } from './catalogue.ts';
import type { NumberRow, PoolRow } from './queries.ts';

export const NumberCountry = CountryCode({
  'x-message': 'Enter an ISO 3166 country code in capital letters, such as GB.',
  description: 'ISO 3166 alpha-2, capital letters.',
});
export const Prefix = Type.String({
  pattern: '^\\d{0,12}$',
  'x-message': 'Enter digits only.',
  description: 'How the national number begins (area or mobile code); `020` and `20` mean the same.',
});
export const Capability = Type.Enum(capabilityNames);
const Feature = Type.Enum(featureNames);
const AudioFile = Type.String({
  maxLength: 255,
  description: 'Name or uuid of an audio file. One that does not exist when the call comes is skipped.',
});

const settingFields = {
  target_number: Type.Union([Phone(), Type.Literal('')], {
    description: 'Where calls are sent on to; empty: nowhere.',
  }),
  webhooks: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Names of number webhooks.',
  }),
  meta: FreeForm({ description: 'Yours: kept and returned as it came.' }),
  features: Type.Array(Feature, {
    uniqueItems: true,
    description:
      'What is done with calls and messages. Left out: the features whose fields are set; in PATCH, those whose fields it names.',
  }),
  tts: Type.String({
    maxLength: 4096,
    description: 'Text that is spoken to the caller.',
  }),
  tts_language: Language('What `tts` is spoken in, as `GET /v2/voice/languages/` lists it; en.'),
  whisper_file: AudioFile,
  call_tracking: Type.String({ maxLength: 255, description: 'Label of a campaign or source.' }),
  record_call_file: AudioFile,
  keep_number_file: AudioFile,
  voicemail_lite_file: AudioFile,
  capture_digits_file: AudioFile,
  keywords: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, uniqueItems: true }),
};
const Settings = Type.Object(settingFields);
/** Everything an account may set on its number. */
export type Settings = Static<typeof Settings>;
export const settingNames = Object.keys(settingFields) as (keyof Settings)[];

export const NumberUpdate = Type.Partial(Settings, {
  title: 'NumberUpdate',
  description: 'PUT sets what is left out to its default; PATCH leaves it as it is.',
});
export type NumberUpdate = Static<typeof NumberUpdate>;

export const NumberUpdateItem = Type.Object(
  { number: Phone('Which number to update.'), ...NumberUpdate.properties },
  { title: 'NumberUpdateItem' },
);
export type NumberUpdateItem = Static<typeof NumberUpdateItem>;

export const NumberCreate = Type.Object(
  {
    number: Type.Optional(Phone('One exact number, in any notation.')),
    country_code: Type.Optional(NumberCountry),
    prefix: Type.Optional(Prefix),
    capabilities: Type.Optional(
      Type.Array(Capability, {
        minItems: 1,
        uniqueItems: true,
        description: 'What it must be able to do. Left out: VOICE and SMS, or whatever `number` can do.',
      }),
    ),
    ...NumberUpdate.properties,
  },
  { title: 'NumberCreate', description: '`country_code` is required unless `number` is given.' },
);
export type NumberCreate = Static<typeof NumberCreate>;

/** `not … minItems` rather than `maxItems`, because this limit is told in the words of the interface. */
export const Bulk = <S extends TSchema>(item: S, title: string) =>
  Type.Array(item, {
    title,
    description: '1 or 2 items, all or nothing.',
    minItems: 1,
    not: { minItems: 3 },
    'x-message': 'A maximum of 2 numbers per request.',
  });

export const OwnedNumber = Type.Object(
  {
    number: Type.String({ description: 'E.164, with the plus.' }),
    target_number: Type.String(),
    country: Type.String(),
    features: Type.Array(Feature),
    meta: FreeForm(),
    webhooks: Type.Array(Type.String()),
    tts: Type.String(),
    whisper_file: Type.String(),
    call_tracking: Type.String(),
    record_call_file: Type.String(),
    keep_number_file: Type.String(),
    voicemail_lite_file: Type.String(),
    capture_digits_file: Type.String(),
    keywords: Type.Array(Type.String()),
    issued_date: Timestamp('When the number was bought.'),
    billing_anniversary: Type.String({
      format: 'date',
      description: 'The issue date plus one month: billing recurs on its day of the month.',
    }),
    last_called: Timestamp('When it was last called; empty: never.'),
  },
  { title: 'Number' },
);
export const StoredNumber = Type.Object(
  { ...OwnedNumber.properties, tts_language: Type.String() },
  { title: 'StoredNumber' },
);
export const StoredNumberList = Type.Array(StoredNumber, { title: 'StoredNumberList' });
export const NumberList = Type.Array(OwnedNumber, { title: 'NumberList' });
export const NumberPage = PageOf(OwnedNumber, 'NumberPage');

export const NumberFilter = Type.Object({
  ...pageQuery,
  ...orderedBy('number'),
  country: Type.Optional(NumberCountry),
  capability: Type.Optional(Capability),
  feature: Type.Optional(Feature),
  features: aliasOf('feature', Feature),
  prefix: Type.Optional(Prefix),
  target_number: Type.Optional(Phone()),
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Digits anywhere in the number, or words of call_tracking and keywords.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Any part of the number as people write it, or words of call_tracking and keywords.',
    }),
  ),
});
export type NumberFilter = Static<typeof NumberFilter>;

export const NumberSearch = Type.Object({
  page_size: pageQuery.page_size,
  cursor: pageQuery.cursor,
  country_code: Type.Optional(NumberCountry),
  country: aliasOf('country_code', NumberCountry),
  prefix: Type.Optional(Prefix),
  capabilities: Type.Optional(Type.Array(Capability, { description: 'It can do all of these.' })),
  contains: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      'x-message': 'Enter digits only.',
      description: 'Digits anywhere in the number.',
    }),
  ),
});
export type NumberSearch = Static<typeof NumberSearch>;

export const NumberParams = Type.Object({ number: Phone('In any notation; a plus is written %2B or left out.') });

export const AvailableNumber = Type.Object(
  {
    number: Type.String(),
    country: Type.String(),
    prefix: Type.String(),
    capabilities: Type.Array(Capability),
    carrier: Type.String({ description: 'Who gave it; `sandbox`: it is fictional, and reaches nobody.' }),
  },
  { title: 'AvailableNumber' },
);
export const AvailableNumberPage = PageOf(AvailableNumber, 'AvailableNumberPage');

export const PrefixFilter = Type.Object({
  country_code: Type.Optional(NumberCountry),
  country: aliasOf('country_code', NumberCountry),
});
export const NumberPrefix = Type.Object(
  {
    country: Type.String(),
    prefix: Type.String(),
    capabilities: Type.Array(Capability),
    available: Type.Integer({ description: 'How many can be bought now.' }),
  },
  { title: 'NumberPrefix' },
);
export const NumberPrefixPage = PageOf(NumberPrefix, 'NumberPrefixPage');

export const NumberCapability = Type.Object(
  { name: Capability, description: Type.String() },
  { title: 'NumberCapability' },
);
export const NumberCapabilityPage = PageOf(NumberCapability, 'NumberCapabilityPage');

export const VoiceFeature = Type.Object(
  {
    name: Feature,
    description: Type.String(),
    field: Type.String({ description: 'The field of a number that it uses.' }),
  },
  { title: 'VoiceFeature' },
);
export const VoiceFeaturePage = PageOf(VoiceFeature, 'VoiceFeaturePage');

export const presentNumber = (row: NumberRow) => ({
  number: row.number,
  target_number: row.target_number,
  country: row.country,
  features: row.features,
  meta: row.meta,
  webhooks: row.webhooks,
  tts: row.tts,
  whisper_file: row.whisper_file,
  call_tracking: row.call_tracking,
  record_call_file: row.record_call_file,
  keep_number_file: row.keep_number_file,
  voicemail_lite_file: row.voicemail_lite_file,
  capture_digits_file: row.capture_digits_file,
  keywords: row.keywords,
  issued_date: row.issued_date,
  billing_anniversary: row.billing_anniversary,
  last_called: row.last_called ?? '',
});

/** One that is there already; the fields of a created one are fixed by the interface. */
export const presentStored = (row: NumberRow) => ({ ...presentNumber(row), tts_language: row.tts_language });

export const presentAvailable = ({ number, country, prefix, capabilities, carrier }: PoolRow) => ({
  number,
  country,
  prefix,
  capabilities,
  carrier,
});

const ReleasedNumber = Type.Object(
  { number: Type.String({ description: 'E.164, with the plus.' }) },
  { title: 'ReleasedNumber' },
);

export const numberEvents = {
  'number.assigned': OwnedNumber,
  'number.released': ReleasedNumber,
} satisfies EventData;
