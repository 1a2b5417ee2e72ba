import { route } from '../../deps.ts';
import { presentPage } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { listEvents } from './queries.ts';
import { EventFilter, presentEvent, TimelineEventPage } from './schemas.ts';

export const routes = [
  route({
    method: 'GET',
    url: '/v2/events/',
    operationId: 'listEvents',
    summary: 'The timeline: everything that happened in the account',
    tag: 'Events',
    scope: 'account:read',
    query: EventFilter,
    responses: { 200: TimelineEventPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listEvents(deps.db, accountId, query), url(), presentEvent)),
  }),
];
