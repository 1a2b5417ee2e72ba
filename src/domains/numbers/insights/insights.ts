import { type Static, Type } from 'typebox';
import { type Deps, route } from '../../../deps.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { Phone } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { findNumber } from '../queries.ts';
import { knowledgeOf } from './knowledge.ts';
import { type DaySpan, lengthOf, spanOf, trafficOf } from './traffic.ts';

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

const spanFields = {
  from: day('First day, UTC. Left out: 30 days up to `to`.'),
  to: day('Last day, UTC, included. Left out: today.'),
};
const InsightsQuery = Type.Object({ number: Phone('In any notation.'), ...spanFields });

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

const tag = 'Numbers';
const description = 'What can be told from the number itself, whoever has it; and its traffic, if the account has it.';

export const insightRoutes = [
  route({
    method: 'GET',
    url: '/v2/number/insights/',
    operationId: 'getInsightsOfAnyNumber',
    summary: 'Number insights, of the number in the query',
    description,
    tag,
    scope: 'number:read',
    query: InsightsQuery,
    responses: { 200: NumberInsights },
    handler: async ({ deps, accountId, query }) => ok(await insightsOf(deps, accountId, query.number, query)),
  }),
  route({
    method: 'GET',
    url: '/v2/number/:number/insights/',
    operationId: 'getNumberInsights',
    summary: 'Number insights',
    description,
    tag,
    scope: 'number:read',
    params: Type.Object({ number: Phone('In any notation; a plus is written %2B or left out.') }),
    query: Type.Object(spanFields),
    responses: { 200: NumberInsights },
    bound: { numbers: ({ params }) => [params.number] },
    handler: async ({ deps, accountId, params, query }) => ok(await insightsOf(deps, accountId, params.number, query)),
  }),
];

const longestSpanDays = 366;

/** What is known of a number, whoever has it, and the traffic of one's own. */
async function insightsOf({ db, clock }: Deps, accountId: string, number: string, wanted: Partial<DaySpan>) {
  const span = checkedSpan(spanOf(wanted, clock.now()));
  const digits = phoneDigits(number);
  const isOwn = (await findNumber(db, accountId, digits)) !== undefined;
  return {
    number: `+${digits}`,
    known: { ...knowledgeOf(digits), is_own: isOwn },
    ...span,
    traffic: isOwn ? await trafficOf(db, accountId, digits, span) : null,
  };
}

function checkedSpan(span: DaySpan): DaySpan {
  const days = lengthOf(span);
  if (days < 1) throw new ValidationError({ to: ['Ensure this day is not before `from`.'] });
  if (days > longestSpanDays)
    throw new ValidationError({ from: [`Ensure this span has no more than ${longestSpanDays} days.`] });
  return span;
}
