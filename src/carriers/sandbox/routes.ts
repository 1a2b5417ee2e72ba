import { Type } from 'typebox';
import { pageQuery } from '../../platform/db/page.ts';
import { ValidationError } from '../../platform/errors.ts';
import { presentPage } from '../../platform/http/models.ts';
import { ok, routeFor } from '../../platform/http/route.ts';
import type { SandboxDeps } from './carrier.ts';
import { moveClock } from './clock.ts';
import { presentOnPhone } from './phone.ts';
import { listPhone } from './queries.ts';
import { ClockMove, PhonePage, PhoneParams, SandboxClock } from './schemas.ts';

const route = routeFor<SandboxDeps>();
const tag = 'Sandbox';

export const routes = [
  route({
    method: 'POST',
    url: '/v2/sandbox/clock/',
    operationId: 'moveSandboxClock',
    summary: "Step or speed up the time of this account's sandbox",
    tag,
    scope: 'sandbox:write',
    body: ClockMove,
    responses: { 200: SandboxClock },
    example: { advance_seconds: 86_400 },
    handler: async ({ deps, accountId, body }) => {
      const { advance_seconds: advanceSeconds, speed } = body;
      if (advanceSeconds === undefined && speed === undefined) {
        throw new ValidationError({ non_field_errors: ['Give advance_seconds or speed.'] });
      }
      return ok(await moveClock(deps.db, accountId, { advanceSeconds, speed }));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/sandbox/phones/:number/',
    operationId: 'getSandboxPhone',
    summary: 'What a phone shows, oldest first',
    tag,
    scope: 'sandbox:read',
    params: PhoneParams,
    query: Type.Object({ ...pageQuery, ordering: Type.Enum(['created', '-created'], { default: 'created' }) }),
    responses: { 200: PhonePage },
    handler: async ({ deps, accountId, params, query, url }) =>
      ok(presentPage(await listPhone(deps.db, accountId, params.number, query), url(), presentOnPhone)),
  }),
];
