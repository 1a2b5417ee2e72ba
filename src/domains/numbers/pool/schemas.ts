import { type Static, Type } from 'typebox';
import { PageOf, Phone } from '../../../platform/http/openapi/models.ts';
import { Capability, NumberCountry, Prefix } from '../schemas.ts';

/** One number of the operator's, as it is checked by itself: a bad one does not stop the others. */
export const PoolNumber = Type.Object({
  number: Phone(),
  country_code: Type.Optional(NumberCountry),
  prefix: Type.Optional(Prefix),
  capabilities: Type.Optional(Type.Array(Capability, { minItems: 1, uniqueItems: true })),
  carrier: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9_.-]{0,49}$',
      'x-message': 'Enter 1 to 50 small letters, digits, dots, dashes and underscores.',
    }),
  ),
});
export type PoolNumber = Static<typeof PoolNumber>;

const field = (description: string) => Type.Optional(Type.Unknown({ description }));
/** The same for the request as a whole: what is wrong with a field is reported in its place and refuses nothing. */
const PoolNumberItem = Type.Object(
  {
    number: field('Such as +442079460000, or as it is written in the country. Required.'),
    country_code: field('ISO 3166 alpha-2. Left out: the country of the number.'),
    prefix: field('Area or mobile code. Left out: the first group of the number as it is written internationally.'),
    capabilities: field('VOICE, SMS, MMS. Left out: VOICE and SMS.'),
    carrier: field('Who gave it to you, in small letters. Left out: `external`.'),
  },
  { title: 'PoolNumber' },
);

export const PoolFill = Type.Array(PoolNumberItem, {
  title: 'PoolFill',
  minItems: 1,
  maxItems: 5_000,
});

export const PoolFillQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: 'Answers what would be done, and does nothing.' })),
});

export const PoolFillResult = Type.Object(
  {
    added: Type.Integer(),
    updated: Type.Integer({ description: 'Numbers that were there and got what the request says of them.' }),
    unchanged: Type.Integer({ description: 'Numbers that were so already, or that somebody has.' }),
    errors: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Its place in the request, from 0.' }),
        number: Type.String({ description: 'As it came.' }),
        error: Type.String(),
      }),
    ),
  },
  { title: 'PoolFillResult' },
);
export type PoolFillResult = Static<typeof PoolFillResult>;

export const PoolCount = Type.Object(
  {
    country: Type.String(),
    carrier: Type.String(),
    state: Type.Enum(['AVAILABLE', 'ASSIGNED', 'COOLING']),
    numbers: Type.Integer(),
  },
  { title: 'PoolCount' },
);
export const PoolCountPage = PageOf(PoolCount, 'PoolCountPage');
