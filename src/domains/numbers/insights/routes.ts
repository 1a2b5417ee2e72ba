import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { Phone } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { insightsOf } from './insights.ts';
import { InsightsQuery, NumberInsights, spanFields } from './schemas.ts';

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
