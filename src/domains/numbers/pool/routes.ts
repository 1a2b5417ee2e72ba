import { route } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { presentWhole } from '../../../platform/http/openapi/models.ts';
import { noContent, ok } from '../../../platform/http/route.ts';
import { readPhone } from '../../../platform/phone.ts';
import { refuseOthersThanOperator } from '../../accounts/index.ts';
import { NumberParams } from '../schemas.ts';
import { fillPool } from './fill.ts';
import { countPool, withdrawNumber } from './queries.ts';
import { PoolCountPage, PoolFill, PoolFillQuery, PoolFillResult } from './schemas.ts';

const tag = 'Numbers';
const operatorOnly = "The operator's account only.";
const operatorScope = `${operatorOnly} Needs the scope \`operator\`.`;

export const poolRoutes = [
  route({
    method: 'POST',
    url: '/v2/number/pool/',
    operationId: 'fillNumberPool',
    summary: 'Add numbers to the pool that accounts buy from',
    description:
      `${operatorScope} 1 to 5,000 numbers. New numbers are added; numbers that no account has are updated; the same ` +
      'request again changes nothing. Bad items are reported at their position, good ones are stored.',
    tag,
    scope: 'operator',
    query: PoolFillQuery,
    body: PoolFill,
    responses: { 200: PoolFillResult },
    errors: [403],
    example: [
      { number: '+442079460900', capabilities: ['VOICE', 'SMS'], carrier: 'acme-telecom' },
      { number: '+12125550190', country_code: 'US', prefix: '212' },
    ],
    handler: async ({ deps, accountId, principal, query, body }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(await fillPool(deps.db, body, { dryRun: query.dry_run ?? false, country: principal.country }));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/number/pool/',
    operationId: 'countNumberPool',
    summary: 'Count the pool by country, carrier and state',
    description: operatorOnly,
    tag,
    scope: 'number:read',
    responses: { 200: PoolCountPage },
    errors: [403],
    handler: async ({ deps, accountId }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentWhole(await countPool(deps.db)));
    },
  }),
  route({
    method: 'DELETE',
    url: '/v2/number/pool/:number/',
    operationId: 'withdrawPoolNumber',
    summary: 'Remove a number from the pool',
    description: `${operatorScope} 409 while an account has it. It can be added again later.`,
    tag,
    scope: 'operator',
    params: NumberParams,
    responses: { 204: null },
    errors: [403, 409],
    handler: async ({ deps, accountId, principal, params }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      const outcome = await withdrawNumber(deps.db, readPhone(params.number, principal.country));
      if (outcome === undefined) throw notFound();
      if (outcome === 'TAKEN') throw new ApiError('number_taken');
      return noContent();
    },
  }),
];
