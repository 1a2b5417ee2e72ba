import { route } from '../../deps.ts';
import { presentPage } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { listEvents } from './queries.ts';
import { EventFilter, presentEvent, presentRedacted, TimelineEventPage } from './schemas.ts';

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
    handler: async ({ deps, accountId, principal, query, url }) => {
      const page = await listEvents(deps.db, accountId, query);
      return ok(presentPage(page, url(), principal.redactsContent ? presentRedacted : presentEvent));
    },
  }),
];
