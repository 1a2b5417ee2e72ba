import { type Static, Type } from 'typebox';
import { Phone } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const spanFields = {
  from: day('First day, UTC. Left out: 30 days up to `to`.'),
  to: day('Last day, UTC, included. Left out: today.'),
};
export const InsightsQuery = Type.Object({ number: Phone('In any notation.'), ...spanFields });

const count = Type.Integer();
const countFields = {
  calls: count,
  answered: count,
  missed: count,
  minutes: Type.Number({ description: 'Talked, to a tenth of a minute.' }),
  sms_in: count,
  sms_out: count,
};
const Counts = Type.Object(countFields);
export type Counts = Static<typeof Counts>;

export const NumberTraffic = Type.Object(
  {
    ...countFields,
    unique_callers: Type.Integer({ description: 'Each caller of the whole span once.' }),
    by_day: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), ...countFields }), {
      description: 'Every day of the span, UTC.',
    }),
    by_hour: Type.Array(Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), ...countFields }), {
      description: 'The hours of the day, UTC, all days together.',
    }),
  },
  { title: 'NumberTraffic' },
);
export type NumberTraffic = Static<typeof NumberTraffic>;

const NumberKnowledge = Type.Object(
  {
    valid: Type.Boolean({ description: 'It lies in a range that its country has given out.' }),
    possible: Type.Boolean({ description: 'It has a length that numbers of its country have.' }),
    country: nullable(Type.String({ description: 'ISO 3166 alpha-2; null where the number does not tell.' })),
    calling_code: Type.String(),
    national: Type.String({ description: 'As it is written within its country.' }),
    international: Type.String({ description: 'As it is written abroad.' }),
    type: Type.String({
      description: 'FIXED_LINE, MOBILE, FIXED_LINE_OR_MOBILE, TOLL_FREE, PREMIUM_RATE, VOIP …, or UNKNOWN.',
    }),
    time_zones: Type.Array(Type.String(), {
      description: 'Of its country, where all of it has the same time; else empty.',
    }),
    is_own: Type.Boolean({ description: 'Whether the account has it.' }),
  },
  { title: 'NumberKnowledge' },
);
export type NumberKnowledge = Static<typeof NumberKnowledge>;

export const NumberInsights = Type.Object(
  {
    number: Type.String({ description: 'E.164, with the plus.' }),
    known: NumberKnowledge,
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    traffic: nullable(
      Type.Object(NumberTraffic.properties, { description: 'null: the account does not have the number.' }),
    ),
  },
  { title: 'NumberInsights' },
);
